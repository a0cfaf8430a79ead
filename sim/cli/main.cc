// rollover: parse the command line, run one command, map what happened to an exit code.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <sstream>

#include "sim/cli/command.h"
#include "sim/memory.h"
#include "sim/wire/line_reader.h"
#include "sim/wire/misbehaved.h"

namespace {

// One line, whatever a name on the command line holds.
int Fail(int exit_code, const std::string& line) {
  std::string printed = "rollover: ";
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      printed += fmt::format("\\x{:02x}", byte);
    } else {
      printed += c;
    }
  }
  printed += '\n';
  std::fputs(printed.c_str(), stderr);
  return exit_code;
}

// What an external core said before it was no more.
int FailWithLog(const rollover::CoreUnavailable& error) {
  const int exit_code = Fail(rollover::kExitEnvironment, error.what());
  for (const std::string& line : error.log()) {
    std::fputs(fmt::format("  {}\n", rollover::Excerpt(line, line.size())).c_str(), stderr);
  }
  return exit_code;
}

// A variable of a script that is not set arrives as an empty value; to take it for a flag that was
// not given would run something else than was asked for.
void RefuseEmptyValues(CLI::App& app) {
  const CLI::Validator not_empty(
      [](std::string& value) { return value.empty() ? std::string("has no value") : ""; }, "");
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_expected_max() > 0) option->check(not_empty);
    }
  }
}

void PrintHelp(const CLI::App& app, const CLI::Success& what) {
  std::ostringstream text;
  app.exit(what, text, text);
  rollover::Print(text.str());
}

// The library explains over several lines; the first says what is wrong.
std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// What was wrong with the arguments. The library tells of a missing command first, even when there
// was one that it does not know.
std::string BadArguments(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (!app.get_subcommands().empty() || argc < 2) return FirstLine(error.what());
  const std::string first = argv[1];
  if (first.rfind('-', 0) == 0) return fmt::format("unknown flag '{}'", first);
  return fmt::format(
      "unknown command '{}'; valid: run, replay, soak, shrink, fuzz, core, bench, bugs, explore, "
      "blame, merge, nightly, version",
      first);
}

int Rollover(int argc, char** argv) {
  int exit_code = rollover::kExitHeld;
  CLI::App app{
      "Simulates agent sessions on the chunked storage protocol, breaks them, checks every rule."};
  app.name("rollover");
  app.require_subcommand(1);
  app.set_version_flag("--version", ROLLOVER_VERSION);
  app.footer("Each command explains itself: rollover run --help");
  rollover::AddRunCommand(app, exit_code);
  rollover::AddReplayCommand(app, exit_code);
  rollover::AddSoakCommand(app, exit_code);
  rollover::AddShrinkCommand(app, exit_code);
  rollover::AddFuzzCommand(app, exit_code);
  rollover::AddCoreCommand(app, exit_code);
  rollover::AddBenchCommand(app, exit_code);
  rollover::AddBugsCommand(app, exit_code);
  rollover::AddExploreCommand(app, exit_code);
  rollover::AddBlameCommand(app, exit_code);
  rollover::AddMergeCommand(app, exit_code);
  rollover::AddNightlyCommand(app, exit_code);
  rollover::AddVersionCommand(app, exit_code);
  RefuseEmptyValues(app);
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::Success& what) {  // --help, --version
    PrintHelp(app, what);
    return rollover::kExitHeld;
  } catch (const CLI::ParseError& error) {
    return Fail(rollover::kExitUsage, BadArguments(app, error, argc, argv));
  }
}

}  // namespace

int main(int argc, char** argv) {
  rollover::KeepFreedMemory();
  try {
    return Rollover(argc, argv);
  } catch (const rollover::UsageError& error) {
    return Fail(rollover::kExitUsage, error.line);
  } catch (const rollover::EnvironmentError& error) {
    return Fail(rollover::kExitEnvironment, error.line);
  } catch (const rollover::CoreInterrupted&) {
    return rollover::kExitInterrupted;
  } catch (const rollover::CoreUnavailable& error) {
    return FailWithLog(error);
  } catch (const std::bad_alloc&) {
    return Fail(rollover::kExitEnvironment, "out of memory");
  } catch (const std::exception& error) {
    return Fail(rollover::kExitEnvironment, error.what());
  }
}
