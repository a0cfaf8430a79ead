// What an external core can do beside breaking a rule of the protocol, and what can happen to its
// caller. All are thrown: a core's call has no other way out.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace rollover {

// It did not answer, or not with an answer. A finding about the core: World makes it a violation of
// `well-formed-answers`.
class CoreMisbehaved : public std::exception {
 public:
  // `reason` is one line, and says what was asked and what came; `log` are the last lines of the
  // core's standard error.
  CoreMisbehaved(std::string reason, std::vector<std::string> log)
      : reason_(std::move(reason)), log_(std::move(log)) {}
  const char* what() const noexcept override { return reason_.c_str(); }
  const std::vector<std::string>& log() const { return log_; }

 private:
  std::string reason_;
  std::vector<std::string> log_;
};

// It cannot be started, or does not get through its first words. Nothing was found out: exit 3.
class CoreUnavailable : public CoreMisbehaved {
 public:
  using CoreMisbehaved::CoreMisbehaved;
};

// Its caller was told to stop while it waited for an answer.
class CoreInterrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace rollover
