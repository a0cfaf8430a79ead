// rollover version
#include <fmt/format.h>

#include "sim/cli/build_commit.h"  // made at each build
#include "sim/cli/command.h"
#include "sim/scenario.h"
#include "sim/scenario_bytes.h"
#include "sim/wire/wire_message.h"

namespace rollover {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "gcc " __VERSION__;
#endif

int Version(bool json) {
  if (json) {
    PrintJson({{"version", ROLLOVER_VERSION},
               {"commit", ROLLOVER_COMMIT},
               {"compiler", kCompiler},
               {"flags", ROLLOVER_FLAGS},
               {"scenario_format", kScenarioVersion},
               {"wire_protocol", kWireProtocol},
               {"bytes_format", kScenarioBytesVersion}});
    return kExitHeld;
  }
  Print(
      fmt::format("rollover {}\ncommit           {}\ncompiler         {}\nflags            {}\n"
                  "scenario format  {}\nwire protocol    {}\nbyte form        {}\n",
                  ROLLOVER_VERSION, ROLLOVER_COMMIT, kCompiler, ROLLOVER_FLAGS, kScenarioVersion,
                  kWireProtocol, kScenarioBytesVersion));
  return kExitHeld;
}

}  // namespace

std::string BuildVersion() { return fmt::format("{} {}", ROLLOVER_VERSION, ROLLOVER_COMMIT); }

void AddVersionCommand(CLI::App& app, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("version", "version, commit, compiler, formats");
  command->add_flag("--json", *json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  rollover version --json");
  command->callback([json, &exit_code] { exit_code = Version(*json); });
}

}  // namespace rollover
