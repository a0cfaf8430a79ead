// The real program, run in an empty folder of its own: what it prints, and how it ends.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/scratch.h"

namespace rollover {

struct Ended {
  int code = -1;  // 128 + the signal's number when one ended it
  std::string out;
  std::string err;
  std::uint64_t peak_memory = 0;  // bytes resident at most
};

class Program : public testing::Test {
 protected:
  void SetUp() override;

  // Its working folder is here(); the outputs go to files beside that. `out_path` stands in for
  // standard output; "" closes it.
  pid_t Start(const std::vector<std::string>& arguments);
  pid_t Start(const std::vector<std::string>& arguments, const std::string& out_path);
  Ended Wait(pid_t child);
  // Until it answers SIGINT itself; false when it ended before.
  static bool HearsInterrupts(pid_t child);
  Ended Run(const std::vector<std::string>& arguments) { return Wait(Start(arguments)); }

  // A file outside the working folder; returns its path.
  std::string File(const std::string& name, const std::string& text) const;
  std::string beside(const std::string& name) const { return (scratch_.path() / name).string(); }
  std::filesystem::path here() const { return scratch_.path() / "here"; }
  bool NothingWritten() const { return std::filesystem::is_empty(here()); }

  // Exit 2, nothing on stdout, nothing written, one line on stderr that holds every one of `words`.
  void ExpectRefused(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& words);

 private:
  test::Scratch scratch_;
};

// A scenario that only the given operations and faults tell from an empty one.
std::string ScenarioText(const std::string& operations, const std::string& faults,
                         const std::string& more = "");

}  // namespace rollover
