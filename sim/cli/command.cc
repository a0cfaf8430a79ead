#include "sim/cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "sim/campaign/files.h"
#include "sim/wire/recording.h"

namespace rollover {
namespace {

std::atomic<bool> interrupted{false};

void OnSignal(int signal) {
  if (interrupted.exchange(true)) std::_Exit(128 + signal);
}

// A decimal or, with 0x, a hexadecimal number that fills the whole text.
std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Each exchange goes out at once, so that those before a crash are there. The file is begun with
// the first one.
std::shared_ptr<Listener> FileListener(const std::string& path) {
  const auto file = std::make_shared<std::ofstream>();
  return std::make_shared<Recorder>([file, path](const Exchange& exchange) {
    if (!file->is_open()) file->open(path, std::ios::binary | std::ios::trunc);
    *file << RecordingLine(exchange) << std::flush;
    if (!*file) throw CoreUnavailable(fmt::format("--record: {}: cannot be written", path), {});
  });
}

}  // namespace

std::uint64_t NumberFlag(const std::string& flag, const std::string& text, std::uint64_t low,
                         std::uint64_t high) {
  const auto number = ParseNumber(text);
  if (!number || *number < low || *number > high) {
    throw UsageError{
        fmt::format("{} is '{}'; valid: a whole number, {} .. {}", flag, text, low, high)};
  }
  return *number;
}

std::chrono::milliseconds DurationFlag(const std::string& flag, const std::string& text) {
  constexpr std::uint64_t seconds_max = 366ull * 24 * 3600;
  const std::string_view view = text;
  std::uint64_t scale = 1;
  std::string_view digits = view;
  if (!view.empty() && (view.back() == 's' || view.back() == 'm' || view.back() == 'h')) {
    scale = view.back() == 'h' ? 3600 : view.back() == 'm' ? 60 : 1;
    digits.remove_suffix(1);
  }
  const auto number = ParseNumber(digits);
  if (!number || *number < 1 || *number > seconds_max / scale) {
    throw UsageError{fmt::format("{} is '{}'; valid: 1s .. 8784h, as in 30s, 10m, 8h", flag, text)};
  }
  return std::chrono::seconds(*number * scale);
}

void AddCoreFlags(CLI::App* command, CoreFlags& flags, const std::string& help) {
  command->add_option("--core", flags.core, help);
  AddProcessFlags(command, flags);
}

void AddProcessFlags(CLI::App* command, CoreFlags& flags) {
  command->add_option("--core-timeout", flags.timeout,
                      "how long an external core may take for an answer (default: 10s)");
  command->add_option("--core-log", flags.log, "file that gets an external core's standard error");
  command->add_option("--record", flags.record,
                      "file that gets all that is said to an external core, and its answers");
}

CoreSpec CoreOf(const CoreFlags& flags, const std::string& spec, const std::string& place,
                std::shared_ptr<Listener> listener) {
  if (!flags.record.empty()) {
    CheckPagePath("--record", flags.record);
    listener = FileListener(flags.record);
  }
  ExternalSettings settings{
      .log = flags.log, .listener = listener, .interrupted = [] { return Interrupted().load(); }};
  if (!flags.timeout.empty()) settings.timeout = DurationFlag("--core-timeout", flags.timeout);
  auto core = ParseCoreSpec(spec, settings);
  if (!core) throw UsageError{fmt::format("{}: {}", place, core.error().reason)};
  if (listener && !core.value().external) {
    throw UsageError{
        fmt::format("a recording needs an external core, --core exec:CMD, not '{}'", spec)};
  }
  return std::move(core.value());
}

CoreSpec CoreOf(const CoreFlags& flags, const std::string& path, const ScenarioFile& file,
                std::shared_ptr<Listener> listener) {
  const bool named = flags.core.empty() && file.failure;
  return CoreOf(flags, named ? file.failure->core : flags.core,
                named ? path + ": failure.core" : "--core", std::move(listener));
}

std::string ReadInput(const std::string& path, std::uint64_t bytes_max) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) throw UsageError{fmt::format("{}: no such file", path)};
  if (fs::is_directory(status)) throw UsageError{fmt::format("{}: is a folder, not a file", path)};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError{fmt::format("{}: cannot be read", path)};
  // Sizes are not asked of the file system: a pipe has none.
  std::string text;
  std::string block(1 << 20, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > bytes_max) {
      throw UsageError{fmt::format("{}: larger than {} bytes", path, bytes_max)};
    }
  }
  if (file.bad()) throw UsageError{fmt::format("{}: cannot be read to its end", path)};
  return text;
}

std::filesystem::path Checkout(const std::string& command) {
  std::error_code code;
  const auto program = std::filesystem::canonical("/proc/self/exe", code);
  const auto checkout = program.parent_path().parent_path().parent_path();
  if (code || !std::filesystem::exists(checkout / "corpus")) {
    throw EnvironmentError{fmt::format("{0} runs from a checkout: ./rollover {0}", command)};
  }
  return checkout;
}

void CheckPagePath(const std::string& flag, const std::string& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    throw UsageError{fmt::format("{} is '{}'; valid: a file, and this is a folder", flag, path)};
  }
  if (const auto error = CannotWrite(path)) {
    throw UsageError{
        fmt::format("{} is '{}'; valid: a file that can be written ({})", flag, path, *error)};
  }
}

void WritePage(const std::string& path, const std::string& html) {
  if (const auto error = WriteFile(path, html)) throw EnvironmentError{*error};
}

void Print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0)
    throw EnvironmentError{"standard output: cannot be written"};
}

void PrintJson(const nlohmann::ordered_json& json) {
  Print(json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::atomic<bool>& Interrupted() {
  static const bool heard = [] {
    std::signal(SIGINT, OnSignal);
    std::signal(SIGTERM, OnSignal);
    return true;
  }();
  (void)heard;
  return interrupted;
}

bool StderrIsATerminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace rollover
