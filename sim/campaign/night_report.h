// Night report: a night as people and programs read it. The page is in night_page.h.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sim/campaign/nightly.h"

namespace rollover {

// One sentence: whether all ran, and what broke.
std::string NightHeadline(const NightReport& report);

// How a failure is seen again, as in "./rollover replay ..."; empty: it has no file.
std::string ReplayCommand(const std::filesystem::path& out, const FailureTonight& failure);

nlohmann::ordered_json NightJson(const std::filesystem::path& out, const NightReport& report);
std::string NightScreen(const std::filesystem::path& out, const NightReport& report);
std::string NightMarkdown(const std::filesystem::path& out, const NightReport& report);
std::string NightJunit(const NightReport& report);

// The figures by which nights are compared: one line of history.jsonl.
nlohmann::ordered_json HistoryLine(const NightReport& report);

// Puts this night's line into the history, and writes history.jsonl, summary.json, summary.md,
// junit.xml and index.html. The error names the path.
std::optional<std::string> WriteReport(const std::filesystem::path& out, NightReport& report);

}  // namespace rollover
