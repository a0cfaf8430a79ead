// SourceTree: the tracked files of a checkout, read once and shared by every check.
//
// What git does not track is not judged: build trees, artifacts and a developer's notes may lie
// about. Without git (an unpacked archive, a planted tree) every file counts, but for `build` and
// `out`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rollover::tidy {

struct SourceFile {
  std::string path;                // from the top of the tree, separated by '/'
  std::vector<std::string> lines;  // as written

  // C++ only, else empty. Same lines and columns as above: `code` has comments and the insides of
  // literals blanked, `literals` has nothing but the insides of literals.
  std::vector<std::string> code;
  std::vector<std::string> literals;

  bool cpp() const;
  bool header() const;
  bool Under(std::string_view folder) const;  // "sim/cli/": with its last slash
};

struct SourceTree {
  std::vector<std::string> paths;  // of every file, sorted
  std::vector<SourceFile> files;   // of those that are text, sorted; fuzz inputs are not read

  const SourceFile* Find(std::string_view path) const;
};

bool Wordlike(char c);  // may stand in an identifier

SourceTree LoadTree(const std::filesystem::path& root);

}  // namespace rollover::tidy
