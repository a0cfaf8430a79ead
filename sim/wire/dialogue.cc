#include "sim/wire/dialogue.h"

#include <fmt/format.h>

#include <system_error>

#include "sim/wire/line_reader.h"

namespace rollover {
namespace {

std::string Told(std::string_view what, std::string_view reason, std::string_view line) {
  std::string text = fmt::format("{}: {}", what, reason);
  if (!line.empty()) text += fmt::format(": \"{}\"", Excerpt(line));
  return text;
}

}  // namespace

std::string Describe(ChildProcess::Got got, const ChildProcess& process,
                     const ChildConfig& config) {
  switch (got) {
    case ChildProcess::Got::kTimeout:
      return fmt::format("no {} within {} ms",
                         process.unread().empty() ? "answer" : "end of the line",
                         process.timeout().count());
    case ChildProcess::Got::kTooLong:
      return fmt::format("a line of more than {} bytes", config.line_bytes_max);
    default:
      break;
  }
  const std::string cut = process.unread().empty() ? "" : ", in mid-line";
  if (process.ending().empty()) return "the core closed its output" + cut;
  return fmt::format("the core ended with {}{}", process.ending(), cut);
}

CoreMisbehaved OwnDialogue::Misbehaviour(std::string_view what, std::string_view reason,
                                         std::string_view line) {
  const std::string told = Told(what, reason, line);
  process_->Kill();
  return CoreMisbehaved(told, process_->Log());
}

std::string_view OwnDialogue::Await(std::string_view what) {
  const ChildProcess::Got got = process_->Receive();
  if (got == ChildProcess::Got::kLine) return process_->line();
  if (got == ChildProcess::Got::kInterrupted) throw CoreInterrupted();
  const std::string reason = Describe(got, *process_, config_.child);
  const bool too_long = got == ChildProcess::Got::kTooLong;
  throw Misbehaviour(what, reason,
                     too_long && !process_->line().empty() ? process_->line() : process_->unread());
}

void OwnDialogue::Tell(std::string_view request, std::optional<std::string_view> answer) {
  if (config_.listener) config_.listener->Hear(number_, request, answer);
}

std::string_view OwnDialogue::Exchange(std::string_view request, std::string_view what) {
  process_->Send(request);
  std::string_view line;
  try {
    line = Await(what);
  } catch (const CoreMisbehaved&) {
    Tell(request, std::nullopt);
    throw;
  }
  Tell(request, line);
  return line;
}

const HelloReply& OwnDialogue::Greet() {
  if (greeted_) return hello_;
  try {
    process_ = std::make_unique<ChildProcess>(config_.child);
  } catch (const std::system_error& error) {
    throw CoreUnavailable(error.what(), {});
  }
  if (config_.listener) number_ = config_.listener->NewProcess();
  try {
    std::string hello;
    AppendHello(hello);
    const std::string_view line = Exchange(hello, "hello");
    auto reply = DecodeHello(line);
    if (!reply) throw Misbehaviour("the answer to hello", reply.error().reason, line);
    hello_ = std::move(reply.value());
  } catch (const CoreMisbehaved& error) {
    throw CoreUnavailable(error.what(), error.log());
  }
  greeted_ = true;
  return hello_;
}

std::string_view OwnDialogue::Ask(std::string_view request, std::string_view what) {
  Greet();
  if (!process_->unread().empty()) {
    throw Misbehaviour(what, "a line that nothing asked for", process_->unread());
  }
  return Exchange(request, what);
}

void OwnDialogue::AskAndKill(std::string_view request) {
  Greet();
  process_->Send(request);
  process_->Flush();
  process_->Kill();
  Tell(request, std::nullopt);
}

std::string OwnDialogue::AskAndKillMidReply(std::string_view request) {
  Greet();
  process_->Send(request);
  process_->AwaitBytes();
  process_->Kill();
  Tell(request, std::nullopt);  // how much of its answer came is chance
  if (process_->Receive() != ChildProcess::Got::kLine) return {};
  return std::string(process_->line());
}

}  // namespace rollover
