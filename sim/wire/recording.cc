#include "sim/wire/recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/json_text.h"
#include "sim/wire/line_reader.h"

namespace rollover {
namespace {

// From a little before the first byte that differs.
std::string Around(std::string_view text, std::string_view other) {
  constexpr std::size_t before = 40;
  constexpr std::size_t shown = 120;
  const auto at = static_cast<std::size_t>(
      std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first - text.begin());
  const std::size_t from = at > before ? at - before : 0;
  return (from > 0 ? "\"..." : "\"") + Excerpt(text.substr(from), shown) + "\"";
}

std::string AnswerAround(const std::optional<std::string>& text,
                         const std::optional<std::string>& other) {
  if (!text) return "none";
  return Around(*text, other ? std::string_view(*other) : std::string_view());
}

Result<Exchange> ReadExchange(std::string_view line) {
  LineReader reader(line);
  Exchange exchange;
  int fields = 0;
  reader.Object("an exchange", [&](std::string_view field) {
    ++fields;
    if (field == "process") {
      exchange.process = reader.Number("process");
    } else if (field == "request") {
      exchange.request = reader.String("request");
    } else if (field == "answer") {
      if (!reader.TakeNull()) exchange.answer = reader.String("answer");
    } else {
      return false;
    }
    return true;
  });
  reader.ExpectEnd();
  if (!reader.failed() && fields != 3) {
    reader.Fail("an exchange has a process, a request and an answer");
  }
  if (reader.failed()) return reader.error();
  return exchange;
}

}  // namespace

std::string RecordingLine(const Exchange& exchange) {
  std::string text = fmt::format("{{\"process\":{},\"request\":", exchange.process);
  AppendJsonString(exchange.request, text);
  text += ",\"answer\":";
  if (exchange.answer) {
    AppendJsonString(*exchange.answer, text);
  } else {
    text += "null";
  }
  text += "}\n";
  return text;
}

Result<std::vector<Exchange>> ReadRecording(std::string_view text) {
  std::vector<Exchange> exchanges;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    auto exchange = ReadExchange(text.substr(0, end));
    if (!exchange) {
      return Error{fmt::format("line {}: {}", line, exchange.error().reason),
                   exchange.error().position};
    }
    exchanges.push_back(std::move(exchange.value()));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return exchanges;
}

std::uint64_t Recorder::NewProcess() {
  const std::lock_guard lock(mutex_);
  return ++processes_;
}

void Recorder::Hear(std::uint64_t process, std::string_view request,
                    std::optional<std::string_view> answer) {
  Exchange exchange{.process = process, .request = std::string(request)};
  if (answer) exchange.answer = ValidUtf8(*answer) ? std::string(*answer) : Excerpt(*answer);
  const std::lock_guard lock(mutex_);
  sink_(std::move(exchange));
}

std::optional<RecordingDifference> FirstDifference(const std::vector<Exchange>& recorded,
                                                   const std::vector<Exchange>& now) {
  const std::size_t both = std::min(recorded.size(), now.size());
  for (std::size_t i = 0; i < both; ++i) {
    const Exchange& old = recorded[i];
    const Exchange& fresh = now[i];
    if (old.process != fresh.process || old.request != fresh.request) {
      return RecordingDifference{
          .of_answer = false,
          .text =
              fmt::format("request {} is another one: recorded {}, now {}", i + 1,
                          Around(old.request, fresh.request), Around(fresh.request, old.request))};
    }
    if (old.answer != fresh.answer) {
      return RecordingDifference{
          .text = fmt::format("answer {} differs: recorded {}, now {}; the request was \"{}\"",
                              i + 1, AnswerAround(old.answer, fresh.answer),
                              AnswerAround(fresh.answer, old.answer), Excerpt(fresh.request, 80))};
    }
  }
  if (recorded.size() == now.size()) return std::nullopt;
  return RecordingDifference{.of_answer = false,
                             .text = fmt::format("{} exchanges are recorded, and now there are {}",
                                                 recorded.size(), now.size())};
}

}  // namespace rollover
