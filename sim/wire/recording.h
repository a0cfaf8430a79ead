// Recording: what was said between the harness and a core's processes, kept as text.
//
//   {"process":1,"request":"{\"type\":\"hello\",...}","answer":"{...}"}      an exchange a line
//
// `process` tells processes apart that live at the same time. The answer is null when there was
// none: the process was killed, ended, or was silent. An answer that is not UTF-8 is kept as an
// excerpt. What differs from a recording was not a function of its input.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/result.h"
#include "sim/wire/dialogue.h"

namespace rollover {

struct Exchange {
  std::uint64_t process = 0;
  std::string request{};
  std::optional<std::string> answer{};
};

std::string RecordingLine(const Exchange& exchange);
// The error names the line.
Result<std::vector<Exchange>> ReadRecording(std::string_view text);

// Hands on every exchange, one at a time.
class Recorder final : public Listener {
 public:
  explicit Recorder(std::function<void(Exchange)> sink) : sink_(std::move(sink)) {}

  std::uint64_t NewProcess() override;
  void Hear(std::uint64_t process, std::string_view request,
            std::optional<std::string_view> answer) override;

 private:
  std::mutex mutex_;
  std::uint64_t processes_ = 0;
  std::function<void(Exchange)> sink_;
};

struct RecordingDifference {
  bool of_answer = true;  // else the harness asked something else: not the recorded scenario
  std::string text{};     // one line
};
// The first exchange that differs; none when they agree.
std::optional<RecordingDifference> FirstDifference(const std::vector<Exchange>& recorded,
                                                   const std::vector<Exchange>& now);

}  // namespace rollover
