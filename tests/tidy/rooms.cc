// What may lie in the tree: signs at the doors, nothing dead, nothing private, nothing put off.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tests/tidy/checks.h"
#include "tests/tidy/cmake_sources.h"

namespace rollover::tidy {
namespace {

constexpr std::array<std::string_view, 15> kTopLevel = {"CHANGELOG.md",
                                                        "CMakeLists.txt",
                                                        "CMakePresets.json",
                                                        "CONTRIBUTING.md",
                                                        "Dockerfile",
                                                        "LICENSE",
                                                        "README.md",
                                                        "corpus",
                                                        "docs",
                                                        "fuzz",
                                                        "model",
                                                        "properties",
                                                        "rollover",
                                                        "sim",
                                                        "tests"};

constexpr std::array<std::string_view, 6> kRooms = {"corpus",     "fuzz", "model",
                                                    "properties", "sim",  "tests"};

constexpr std::array<std::string_view, 4> kSignLines = {
    "- Here: ", "- Not here: ", "- May include: ", "- Start at: "};

// Words are spelt in halves, or this file would be its own finding.
constexpr std::array<std::string_view, 4> kLeftovers = {
    "GTEST_"
    "SKIP",
    "DISABLED"
    "_",
    "TO"
    "DO",
    "FIX"
    "ME"};

constexpr std::array<std::string_view, 5> kMachinePaths = {
    "/wor"
    "k/",
    "/hom"
    "e/",
    "/roo"
    "t/",
    "/Use"
    "rs/",
    "/mn"
    "t/"};

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// The given rooms that exist, and every folder of model/ and sim/ that holds sources; with each,
// whether it holds any.
std::map<std::string, bool> Rooms(const SourceTree& tree) {
  std::map<std::string, bool> rooms;
  for (const std::string& path : tree.paths) {
    const std::string top = path.substr(0, path.find('/'));
    if (top == path || std::find(kRooms.begin(), kRooms.end(), top) == kRooms.end()) continue;
    rooms.try_emplace(top, false);
  }
  for (const SourceFile& file : tree.files) {
    if (!file.cpp()) continue;
    if (file.Under("model/") || file.Under("sim/")) rooms[FolderOf(file.path)] = true;
    const auto top = rooms.find(file.path.substr(0, file.path.find('/')));
    if (top != rooms.end()) top->second = true;
  }
  return rooms;
}

// The file that "Start at: `name` ..." names; empty when it names none.
std::string StartOf(const std::string& line) {
  const std::size_t open = line.find('`');
  const std::size_t close = open == std::string::npos ? open : line.find('`', open + 1);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

void CheckSign(const SourceTree& tree, const std::string& room, bool has_sources,
               Findings& findings) {
  const std::string path = room + "/README.md";
  const SourceFile* sign = tree.Find(path);
  if (sign == nullptr) {
    findings.push_back(
        {path, 0, "missing; write four lines: Here, Not here, May include, Start at"});
    return;
  }
  for (std::size_t i = 0; i < std::max(sign->lines.size(), kSignLines.size()); ++i) {
    if (i >= kSignLines.size()) {
      findings.push_back({path, i + 1, "a fifth line; the sign has four, the rest goes to docs/"});
      return;
    }
    if (i < sign->lines.size() && sign->lines[i].starts_with(kSignLines[i])) continue;
    findings.push_back({path, i + 1, "must begin with \"" + std::string(kSignLines[i]) + "\""});
    return;
  }
  const std::string start = StartOf(sign->lines[3]);
  if (has_sources && tree.Find(room + "/" + start) == nullptr) {
    findings.push_back({path, 4,
                        "starts at `" + start + "`, which is not in " + room +
                            "/; name the file to read first, in backticks"});
  }
}

bool HasWord(const std::string& line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !Wordlike(line[at - 1]);
    const bool ends = word.ends_with('_') || end == line.size() || !Wordlike(line[end]);
    if (begins && ends) return true;
  }
  return false;
}

// Whether `line` has `path` as the beginning of a path, not as a part of a longer one or of a URL.
bool BeginsPath(const std::string& line, std::string_view path) {
  for (std::size_t at = line.find(path); at != std::string::npos; at = line.find(path, at + 1)) {
    if (at == 0) return true;
    const char before = line[at - 1];
    if (!Wordlike(before) && std::string_view("./-}*)").find(before) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

std::set<std::string> IncludedPaths(const SourceTree& tree) {
  std::set<std::string> included;
  for (const SourceFile& file : tree.files) {
    if (!file.cpp()) continue;
    for (const std::string& line : file.lines) {
      const std::size_t open = line.find('"');
      if (line.find("#include") == std::string::npos || open == std::string::npos) continue;
      included.insert(line.substr(open + 1, line.rfind('"') - open - 1));
    }
  }
  return included;
}

}  // namespace

std::string Report(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += finding.path + ":" + std::to_string(finding.line) + ": " + finding.message + "\n";
  }
  return text;
}

Findings CheckRoomSigns(const SourceTree& tree) {
  Findings findings;
  for (const auto& [room, has_sources] : Rooms(tree)) CheckSign(tree, room, has_sources, findings);
  return findings;
}

Findings CheckLeftovers(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (file.Under("corpus/")) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string_view word : kLeftovers) {
        if (!HasWord(file.lines[i], word)) continue;
        findings.push_back(
            {file.path, i + 1, std::string(word) + "; do it now, delete it, or file an issue"});
      }
    }
  }
  return findings;
}

Findings CheckDeadFiles(const SourceTree& tree) {
  Findings findings;
  const std::vector<SourcePattern> built = CMakeSources(tree);
  const std::set<std::string> included = IncludedPaths(tree);
  for (const SourceFile& file : tree.files) {
    if (file.header() && !included.contains(file.path)) {
      findings.push_back({file.path, 0, "nothing includes it; include it or delete it"});
    }
    if (!file.cpp() || file.header()) continue;
    const bool alive = std::any_of(built.begin(), built.end(), [&](const SourcePattern& pattern) {
      return pattern.Matches(file.path);
    });
    if (alive) continue;
    findings.push_back({file.path, 0, "no CMake list builds it; add it to one or delete it"});
  }
  return findings;
}

Findings CheckMachinePaths(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (file.Under("corpus/transcripts/")) continue;  // what people and models really said
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string_view path : kMachinePaths) {
        if (!BeginsPath(file.lines[i], path)) continue;
        findings.push_back({file.path, i + 1,
                            std::string(path) +
                                "... is somebody's machine; use a path from the "
                                "top of the tree, a temporary folder or an argument"});
      }
    }
  }
  return findings;
}

Findings CheckTopLevel(const SourceTree& tree) {
  std::set<std::string> names;
  for (const std::string& path : tree.paths) names.insert(path.substr(0, path.find('/')));
  Findings findings;
  for (const std::string& name : names) {
    if (name.starts_with('.')) continue;
    if (std::find(kTopLevel.begin(), kTopLevel.end(), name) != kTopLevel.end()) continue;
    findings.push_back({name, 0, "not a name of the top level; move it into a room or docs/"});
  }
  return findings;
}

}  // namespace rollover::tidy
