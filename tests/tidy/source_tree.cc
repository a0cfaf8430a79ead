#include "tests/tidy/source_tree.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "tests/scratch.h"

namespace rollover::tidy {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kTextBytesMax = 1 << 20;

// Splits C++ text into code, comments and literals, one character at a time.
class Masker {
 public:
  explicit Masker(const std::string& text)
      : text_(text), code_(text.size(), ' '), literals_(text.size(), ' ') {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') code_[i] = literals_[i] = '\n';
    }
    while (at_ < text_.size()) Next();
  }

  const std::string& code() const { return code_; }
  const std::string& literals() const { return literals_; }

 private:
  void Next() {
    if (Starts("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (Starts("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string::npos ? text_.size() : end + 2;
    } else if (text_[at_] == '"' && at_ > 0 && text_[at_ - 1] == 'R') {
      RawString();
    } else if (text_[at_] == '"' || (text_[at_] == '\'' && !DigitSeparator())) {
      Quoted(text_[at_]);
    } else {
      code_[at_] = text_[at_];
      ++at_;
    }
  }

  void Quoted(char quote) {
    code_[at_] = quote;
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      Literal();
      if (text_[at_ - 1] == '\\' && at_ < text_.size()) Literal();
    }
    if (at_ < text_.size()) code_[at_] = text_[at_];
    ++at_;
  }

  void RawString() {
    const std::size_t open = std::min(text_.find('(', at_), text_.size());
    std::string close(1, ')');
    close.append(text_, at_ + 1, open - at_ - 1).append(1, '"');
    const std::size_t end = std::min(text_.find(close, open), text_.size());
    code_[at_] = '"';
    at_ = open;
    while (at_ < end) Literal();
    at_ = std::min(end + close.size(), text_.size());
    code_[at_ - 1] = '"';
  }

  void Literal() {
    literals_[at_] = text_[at_];
    ++at_;
  }

  bool DigitSeparator() const {  // 1'000
    std::size_t begin = at_;
    while (begin > 0 && (Wordlike(text_[begin - 1]) || text_[begin - 1] == '\'')) --begin;
    return begin < at_ && text_[begin] >= '0' && text_[begin] <= '9';
  }

  bool Starts(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }

  const std::string& text_;
  std::string code_;
  std::string literals_;
  std::size_t at_ = 0;
};

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Paths from `git ls-files`; empty when there is no repository or no git.
std::vector<std::string> TrackedPaths(const fs::path& root) {
  if (!fs::exists(root / ".git")) return {};
  std::string quoted;
  for (const char c : root.string()) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  // A hook's GIT_DIR must not redirect us; a checkout owned by another user is still a checkout.
  const std::string command =
      "env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE git -c safe.directory='*' -C '" + quoted +
      "' ls-files -z 2>/dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string output;
  char buffer[4096];
  for (std::size_t n = 1; n > 0;) {
    n = std::fread(buffer, 1, sizeof buffer, pipe);
    output.append(buffer, n);
  }
  pclose(pipe);
  std::vector<std::string> paths;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = output.find('\0', begin);
    paths.push_back(output.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

std::vector<std::string> AllPaths(const fs::path& root) {
  std::vector<std::string> paths;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::end(it); ++it) {
    const std::string path = it->path().lexically_relative(root).generic_string();
    if (path == ".git" || path == "build" || path == "out") {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      paths.push_back(path);
    }
  }
  return paths;
}

}  // namespace

bool Wordlike(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool SourceFile::cpp() const { return path.ends_with(".cc") || header(); }
bool SourceFile::header() const { return path.ends_with(".h"); }
bool SourceFile::Under(std::string_view folder) const { return path.starts_with(folder); }

const SourceFile* SourceTree::Find(std::string_view path) const {
  const auto it = std::lower_bound(
      files.begin(), files.end(), path,
      [](const SourceFile& file, std::string_view wanted) { return file.path < wanted; });
  return it != files.end() && it->path == path ? &*it : nullptr;
}

SourceTree LoadTree(const fs::path& root) {
  SourceTree tree;
  tree.paths = TrackedPaths(root);
  if (tree.paths.empty()) tree.paths = AllPaths(root);
  std::erase_if(tree.paths, [&](const std::string& path) {
    return !fs::is_regular_file(root / path);  // deleted and not yet committed
  });
  std::sort(tree.paths.begin(), tree.paths.end());
  for (const std::string& path : tree.paths) {
    if (path.starts_with("corpus/fuzz/") || fs::file_size(root / path) > kTextBytesMax) continue;
    const std::string text = test::TextOf(root / path);
    if (text.find('\0') != std::string::npos) continue;
    SourceFile file{.path = path, .lines = Lines(text), .code = {}, .literals = {}};
    if (file.cpp()) {
      const Masker masker(text);
      file.code = Lines(masker.code());
      file.literals = Lines(masker.literals());
    }
    tree.files.push_back(std::move(file));
  }
  return tree;
}

}  // namespace rollover::tidy
