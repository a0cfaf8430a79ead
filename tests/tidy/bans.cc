// What could let a machine, a library version or a run's timing into a trace.
#include "tests/tidy/checks.h"

namespace rollover::tidy {
namespace {

enum class Match {
  kWord,     // not part of a longer identifier
  kCall,     // the same, followed by '(', and neither a member nor another namespace's
  kSuffix,   // the end of an identifier of std
  kLiteral,  // inside a string literal
};

struct Ban {
  Match match;
  std::string_view text;
  std::string_view instead;
  std::vector<std::string_view> free = {};  // folders where it is allowed
};

constexpr std::string_view kRandom = "use our Random (sim/), passed as an argument";
constexpr std::string_view kOrdered = "use std::map, std::set or a sorted vector";
constexpr std::string_view kVirtual = "use the virtual time that is passed in";
constexpr std::string_view kCampaign = "only sim/campaign runs threads, one seed a thread";
constexpr std::string_view kLocale = "use fmt and std::to_chars, which know no locale";
constexpr std::string_view kNoSleep = "wait for the event itself";

const std::vector<Ban> kBans = {
    Ban{Match::kSuffix, "_distribution", kRandom},
    Ban{Match::kWord, "std::shuffle", kRandom},
    Ban{Match::kWord, "ranges::shuffle", kRandom},
    Ban{Match::kWord, "random_device", kRandom},
    Ban{Match::kCall, "rand", kRandom},
    Ban{Match::kCall, "srand", kRandom},
    Ban{Match::kWord, "std::hash", "use Digest (model/digest.h), the same on every platform"},
    Ban{Match::kWord, "unordered_map", kOrdered},
    Ban{Match::kWord, "unordered_multimap", kOrdered},
    Ban{Match::kWord, "unordered_set", kOrdered},
    Ban{Match::kWord, "unordered_multiset", kOrdered},
    Ban{Match::kWord, "unordered_flat_map", kOrdered},
    Ban{Match::kWord, "unordered_flat_set", kOrdered},
    Ban{Match::kCall, "time", kVirtual},
    Ban{Match::kCall, "gettimeofday", kVirtual},
    Ban{Match::kCall, "clock_gettime", kVirtual},
    Ban{Match::kWord, "system_clock", kVirtual, {"sim/campaign/", "sim/cli/"}},
    Ban{Match::kWord, "high_resolution_clock", kVirtual},
    Ban{Match::kWord, "steady_clock", kVirtual, {"sim/campaign/", "sim/cli/", "fuzz/replay.cc"}},
    Ban{Match::kWord, "std::thread", kCampaign, {"sim/campaign/"}},
    Ban{Match::kWord, "std::jthread", kCampaign, {"sim/campaign/"}},
    Ban{Match::kWord, "std::async", kCampaign, {"sim/campaign/"}},
    Ban{Match::kWord, "sleep_for", kNoSleep},
    Ban{Match::kWord, "sleep_until", kNoSleep},
    Ban{Match::kCall, "sleep", kNoSleep},
    Ban{Match::kCall, "usleep", kNoSleep},
    Ban{Match::kCall, "setlocale", kLocale},
    Ban{Match::kWord, "std::locale", kLocale},
    Ban{Match::kCall, "imbue", kLocale},
    Ban{Match::kLiteral,
        "%"
        "p",
        "print an id: addresses differ from run to run"},
    Ban{Match::kLiteral,
        "{:"
        "p}",
        "print an id: addresses differ from run to run"},
    Ban{Match::kWord, "fmt::ptr", "print an id: addresses differ from run to run"},
};

// Whether the name that begins at `at` is the global or std one: not a member, not `other::name`.
bool Free(const std::string& line, std::size_t at) {
  const std::string before = line.substr(0, at);
  if (before.ends_with(".") || before.ends_with("->")) return false;
  if (!before.ends_with("::")) return true;
  return before.ends_with("std::") || before.size() < 3 || !Wordlike(before[before.size() - 3]);
}

bool MatchesAt(const Ban& ban, const std::string& line, std::size_t at) {
  if (ban.match == Match::kLiteral) return true;
  const std::size_t end = at + ban.text.size();
  if (end < line.size() && Wordlike(line[end])) return false;
  if (ban.match == Match::kSuffix) {
    while (at > 0 && Wordlike(line[at - 1])) --at;
    return line.substr(0, at).ends_with("std::");
  }
  if (at > 0 && Wordlike(line[at - 1])) return false;
  if (ban.match == Match::kWord) return true;
  const std::size_t next = line.find_first_not_of(" \t", end);
  if (next == std::string::npos || line[next] != '(') return false;
  return ban.text == "imbue" || Free(line, at);
}

bool Contains(const Ban& ban, const std::string& line) {
  for (std::size_t at = line.find(ban.text); at != std::string::npos;
       at = line.find(ban.text, at + 1)) {
    if (MatchesAt(ban, line, at)) return true;
  }
  return false;
}

bool Allowed(const Ban& ban, const SourceFile& file) {
  for (const std::string_view folder : ban.free) {
    if (file.Under(folder)) return true;
  }
  return false;
}

}  // namespace

Findings CheckBans(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (!file.cpp()) continue;
    for (const Ban& ban : kBans) {
      if (Allowed(ban, file)) continue;
      const auto& lines = ban.match == Match::kLiteral ? file.literals : file.code;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!Contains(ban, lines[i])) continue;
        findings.push_back(
            {file.path, i + 1, std::string(ban.text) + "; " + std::string(ban.instead)});
      }
    }
  }
  return findings;
}

}  // namespace rollover::tidy
