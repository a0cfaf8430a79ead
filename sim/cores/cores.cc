#include "sim/cores/cores.h"

#include <fmt/format.h>

#include "sim/cores/bytes_core.h"
#include "sim/cores/planted_bugs.h"

namespace rollover {

CoreFactory BehindBytes(CoreFactory factory) {
  return [factory = std::move(factory)](CoreKind kind, const Options& options) {
    return MakeBytesCore(factory(kind, options));
  };
}

namespace {

void SetExternal(const std::string& command, const ExternalSettings& settings, CoreSpec& spec) {
  auto config = std::make_shared<ExternalConfig>();
  config->dialogue = {.child = {.program = {.command = command},
                                .timeout = settings.timeout,
                                .line_bytes_max = kWireLineBytesMax,
                                .log = settings.log,
                                .interrupted = settings.interrupted},
                      .listener = settings.listener};
  config->compaction = Probe(config->dialogue).compaction;
  // Generated sessions of a core with compaction start on any kind, or none would be an upgrade.
  if (!config->compaction) spec.start = CoreKind::kNoCompaction;
  spec.external = config;
  spec.factory = ExternalFactory(std::move(config));
}

}  // namespace

Result<CoreSpec> ParseCoreSpec(const std::string& text, const ExternalSettings& settings) {
  constexpr std::string_view exec = "exec:";
  constexpr std::string_view bytes = "bytes:";
  constexpr std::string_view bug = "bug:";
  CoreSpec spec{.text = text};
  if (text.empty()) return spec;
  if (text.rfind(bytes, 0) == 0) {
    auto inner = ParseCoreSpec(text.substr(bytes.size()), settings);
    if (!inner) return inner;
    inner.value().factory = BehindBytes(inner.value().factory);
    inner.value().text = text;
    return inner;
  }
  if (text.rfind(bug, 0) == 0) {
    const PlantedBug* planted = PlantedBugNamed(text.substr(bug.size()));
    if (planted == nullptr) {
      std::string names;
      for (const PlantedBug& known : PlantedBugs()) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
      }
      return Error{
          fmt::format("unknown planted bug '{}'; valid: {}", text.substr(bug.size()), names)};
    }
    spec.factory = FactoryOf(*planted);
    return spec;
  }
  if (text.rfind(exec, 0) == 0) {
    const std::string command = text.substr(exec.size());
    if (command.find_first_not_of(" \t") == std::string::npos) {
      return Error{"exec: without a command; valid: exec:CMD, as in exec:'python3 core.py'"};
    }
    SetExternal(command, settings, spec);
    return spec;
  }
  const auto kind = CoreKindNamed(text);
  if (!kind) {
    return Error{fmt::format("unknown core '{}'; valid: {}", text, kCoreSpecs)};
  }
  spec.start = *kind;
  return spec;
}

}  // namespace rollover
