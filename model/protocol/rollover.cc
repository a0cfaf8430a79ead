#include "model/protocol/rollover.h"

#include "model/check.h"

namespace rollover {

bool Oversized(std::uint64_t message_bytes, const Options& options) {
  return AloneBytes(message_bytes) > options.chunk_cap();
}

const ValueRef& Window::operator[](std::size_t i) const {
  const std::size_t at = i + removed_;
  return at < loaded_->size() ? (*loaded_)[at].value : added_[at - loaded_->size()];
}

std::size_t Window::added_removed() const {
  return removed_ > loaded_->size() ? removed_ - loaded_->size() : 0;
}

Run CutRun(const Window& window, const Options& options) {
  CHECK(!window.empty());
  Run run{1, AloneBytes(window[0]->encoded_bytes())};
  while (run.messages < window.size() && run.messages < options.message_chunk_size) {
    const Message& last = window[run.messages - 1]->message();
    const ValueRef& next = window[run.messages];
    if (next->message().sequence != last.sequence + 1) break;
    const std::uint64_t bytes = run.chunk_bytes + 1 + next->encoded_bytes();  // 1: the comma
    if (bytes > options.chunk_cap()) break;
    run = {run.messages + 1, bytes};
  }
  return run;
}

}  // namespace rollover
