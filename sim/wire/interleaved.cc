#include "sim/wire/interleaved.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <deque>
#include <exception>
#include <vector>

namespace rollover {
namespace {

namespace context = boost::context;

// A World's deepest call takes a few KiB; JSON nested to its limit in a content takes the most.
constexpr std::size_t kStackBytes = 1 << 20;

class Switchboard : public Dialogue {
 public:
  explicit Switchboard(const DialogueConfig& config) : own_(config) {}

  void Run(std::size_t count, const std::function<void(Dialogue&, std::size_t)>& session) {
    own_.Greet();
    fibers_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      fibers_[i] = context::fiber(
          std::allocator_arg, context::protected_fixedsize_stack(kStackBytes),
          [this, &session, i](context::fiber&& back) { return Live(session, i, std::move(back)); });
      Resume(i);
    }
    while (!waiting_.empty()) {
      const std::size_t next = waiting_.front();
      answer_ = own_.AwaitAnswer("an answer");
      waiting_.pop_front();
      Resume(next);
    }
  }

  std::string_view Ask(std::string_view request, std::string_view) override {
    own_.Queue(request);
    waiting_.push_back(running_);
    main_ = std::move(main_).resume();
    return answer_;
  }

  std::uint64_t NextId() override { return own_.NextId(); }

  CoreMisbehaved Misbehaviour(std::string_view what, std::string_view reason,
                              std::string_view line) override {
    return own_.Misbehaviour(what, reason, line);
  }

 private:
  context::fiber Live(const std::function<void(Dialogue&, std::size_t)>& session, std::size_t i,
                      context::fiber back) {
    main_ = std::move(back);
    try {
      session(*this, i);
    } catch (const context::detail::forced_unwind&) {
      throw;  // the others have ended in an error: this one is taken down
    } catch (...) {
      failed_ = std::current_exception();
    }
    return std::move(main_);
  }

  void Resume(std::size_t i) {
    running_ = i;
    fibers_[i] = std::move(fibers_[i]).resume();
    if (failed_) std::rethrow_exception(failed_);
  }

  OwnDialogue own_;
  context::fiber main_;
  std::vector<context::fiber> fibers_;
  std::deque<std::size_t> waiting_;  // in the order of their requests
  std::size_t running_ = 0;
  std::string_view answer_;
  std::exception_ptr failed_;
};

}  // namespace

void RunInterleaved(const DialogueConfig& config, std::size_t count,
                    const std::function<void(Dialogue&, std::size_t)>& session) {
  Switchboard(config).Run(count, session);
}

}  // namespace rollover
