// rollover: parse the command line, run one command, map what happened to an exit code.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "sim/cli/command.h"

namespace {

int Fail(int exit_code, const std::string& line) {
  std::fputs(fmt::format("rollover: {}\n", line).c_str(), stderr);
  return exit_code;
}

// The library explains over several lines; the first says what is wrong.
std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

int main(int argc, char** argv) {
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
  rollover::HearInterrupts();
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
      return Fail(rollover::kExitUsage,
                  fmt::format("unknown command '{}'; valid: run, replay, soak", argv[1]));
    }
    return Fail(rollover::kExitUsage, FirstLine(error.what()));
  } catch (const rollover::UsageError& error) {
    return Fail(rollover::kExitUsage, error.line);
  } catch (const rollover::EnvironmentError& error) {
    return Fail(rollover::kExitEnvironment, error.line);
  } catch (const std::bad_alloc&) {
    return Fail(rollover::kExitEnvironment, "out of memory");
  } catch (const std::exception& error) {
    return Fail(rollover::kExitEnvironment, error.what());
  }
}
