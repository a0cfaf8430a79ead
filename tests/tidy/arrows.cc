// The arrows of the rooms: model <- sim <- {properties, fuzz, tests}. They never point back.
#include <array>
#include <optional>

#include "tests/tidy/checks.h"

namespace rollover::tidy {
namespace {

using Prefixes = std::vector<std::string_view>;

struct Arrow {
  std::string_view from;  // the longest prefix of a file's path counts
  Prefixes may;
  Prefixes may_not;  // stronger than `may`
  Prefixes except;   // stronger than `may_not`
  std::string_view instead;
};

// The one header through which the oracle sees the protocol: Profile, LoadedState, Invocation and
// ReadRequest are the boundary's types, not its behaviour.
const Prefixes kBoundary = {"model/protocol/core.h"};

constexpr std::string_view kUpward =
    "move what both need down into model/, or turn the call round with a parameter";

const std::vector<Arrow> kArrows = {
    Arrow{"model/", {"model/"}, {"model/protocol/", "model/rules/"}, kBoundary, kUpward},
    Arrow{"model/protocol/", {"model/"}, {"model/rules/"}, {}, kUpward},
    Arrow{"model/rules/",
          {"model/"},
          {"model/protocol/"},
          kBoundary,
          "the rules judge the protocol: compute it from the ledger, or move the type to model/"},
    Arrow{
        "sim/", {"model/", "sim/"}, {"sim/cli/"}, {}, "move it out of sim/cli, which only prints"},
    Arrow{"sim/cli/", {"model/", "sim/"}, {}, {}, kUpward},
    Arrow{"properties/", {"model/", "sim/", "properties/"}, {}, {}, "move what is shared to sim/"},
    Arrow{"fuzz/", {"model/", "sim/", "fuzz/"}, {}, {}, "move what is shared to sim/"},
    Arrow{"tests/", {"model/", "sim/", "tests/"}, {}, {}, "move what is shared to sim/"},
};

const Arrow* ArrowOf(const SourceFile& file) {
  const Arrow* longest = nullptr;
  for (const Arrow& arrow : kArrows) {
    if (!file.Under(arrow.from)) continue;
    if (longest == nullptr || arrow.from.size() > longest->from.size()) longest = &arrow;
  }
  return longest;
}

bool UnderAny(std::string_view path, const Prefixes& prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (path.starts_with(prefix)) return true;
  }
  return false;
}

bool Permitted(const Arrow& arrow, std::string_view included) {
  if (UnderAny(included, arrow.except)) return true;
  return UnderAny(included, arrow.may) && !UnderAny(included, arrow.may_not);
}

struct Include {
  char open;  // '"' or '<'
  std::string target;
};

std::optional<Include> IncludeOn(const std::string& line) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string::npos || line[at] != '#') return std::nullopt;
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || line.compare(at, 7, "include") != 0) return std::nullopt;
  const std::size_t open = line.find_first_of("\"<", at + 7);
  if (open == std::string::npos) return std::nullopt;
  const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
  if (close == std::string::npos) return std::nullopt;
  return Include{line[open], line.substr(open + 1, close - open - 1)};
}

constexpr std::array<std::string_view, 16> kImpure = {"chrono",
                                                      "ctime",
                                                      "time.h",
                                                      "random",
                                                      "thread",
                                                      "mutex",
                                                      "future",
                                                      "atomic",
                                                      "fstream",
                                                      "iostream",
                                                      "filesystem",
                                                      "unistd.h",
                                                      "condition_variable",
                                                      "shared_mutex",
                                                      "locale",
                                                      "sys/time.h"};

}  // namespace

Findings CheckArrows(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    const Arrow* arrow = ArrowOf(file);
    if (!file.cpp() || arrow == nullptr) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const auto include = IncludeOn(file.lines[i]);
      if (!include) continue;
      const bool room = UnderAny(include->target,
                                 {"model/", "sim/", "properties/", "fuzz/", "tests/", "corpus/"});
      if (include->open == '<' ? !room : room && Permitted(*arrow, include->target)) continue;
      std::string message = include->target + " is out of bounds for " + std::string(arrow->from) +
                            "; " + std::string(arrow->instead);
      if (include->open == '<') message = "<" + include->target + "> is ours; use quotes";
      if (!room) message = "\"" + include->target + "\"; write its path from the top of the tree";
      findings.push_back({file.path, i + 1, message});
    }
  }
  return findings;
}

Findings CheckPureModel(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (!file.cpp() || !file.Under("model/")) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const auto include = IncludeOn(file.lines[i]);
      for (const std::string_view impure : kImpure) {
        if (!include || include->target != impure) continue;
        findings.push_back({file.path, i + 1,
                            "<" + include->target +
                                "> in model/, which is pure; take the value "
                                "as an argument, or move the code to sim/"});
      }
      const std::size_t hash = file.code[i].find_first_not_of(" \t");
      if (hash == std::string::npos || file.code[i][hash] != '#') continue;
      const std::size_t word = file.code[i].find_first_not_of(" \t", hash + 1);
      if (word != std::string::npos && file.code[i].compare(word, 2, "if") == 0) {
        findings.push_back({file.path, i + 1,
                            "a switch in the model; plant the bug as a decorator in sim/cores, "
                            "guard headers with #pragma once"});
      }
    }
  }
  return findings;
}

}  // namespace rollover::tidy
