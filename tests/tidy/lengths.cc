// How long a function and a file may be. Functions are found by counting braces, see below.
#include <optional>

#include "tests/tidy/checks.h"

namespace rollover::tidy {
namespace {

constexpr std::size_t kFunctionLinesMax = 70;
constexpr std::size_t kFileLinesMax = 600;

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

bool StartsWithWord(const std::string& text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !Wordlike(text[word.size()]));
}

// `declaration` without its leading `template <...>` heads.
std::string WithoutTemplateHead(std::string declaration) {
  while (StartsWithWord(declaration, "template")) {
    std::size_t at = declaration.find('<');
    int depth = 0;
    for (; at < declaration.size(); ++at) {
      if (declaration[at] == '<') ++depth;
      if (declaration[at] == '>' && --depth == 0) break;
    }
    if (at >= declaration.size()) return "";
    declaration = Trimmed(declaration.substr(at + 1));
  }
  return declaration;
}

// Whether `text`, what follows a parameter list, opens a constructor's list of members.
bool OpensMemberList(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ':') continue;
    if (i + 1 < text.size() && text[i + 1] == ':') {
      ++i;
    } else {
      return true;
    }
  }
  return false;
}

// What follows the first parenthesised list of a declaration; nothing when it has none.
std::optional<std::string> AfterParameters(const std::string& declaration) {
  int depth = 0;
  for (std::size_t i = declaration.find('('); i < declaration.size(); ++i) {
    if (declaration[i] == '(') ++depth;
    if (declaration[i] == ')' && --depth == 0) return declaration.substr(i + 1);
  }
  return std::nullopt;
}

enum class Scope {
  kDeclarations,  // a namespace's or a type's
  kFunction,
  kInitializer,  // the statement goes on after it
  kBlock,        // anything inside the last two
};

// What the brace after `statement` opens, among declarations.
Scope Opens(const std::string& statement) {
  const std::string declaration = WithoutTemplateHead(Trimmed(statement));
  if (declaration.empty()) return Scope::kInitializer;
  for (const std::string_view word : {"namespace", "inline namespace", "extern"}) {
    if (StartsWithWord(declaration, word) && declaration.find('(') == std::string::npos) {
      return Scope::kDeclarations;
    }
  }
  const char last = declaration.back();
  for (const std::string_view word : {"class", "struct", "union", "enum"}) {
    if (StartsWithWord(declaration, word) && last != ')') return Scope::kDeclarations;
  }
  if (last == '=' || last == ',' || last == '(') return Scope::kInitializer;
  const auto after = AfterParameters(declaration);
  if (!after) return Scope::kInitializer;
  if (OpensMemberList(*after) && last != ')' && last != '}') return Scope::kInitializer;
  return Scope::kFunction;
}

// Walks a file's masked code. Among declarations it gathers the text up to a brace and decides what
// the brace opens; inside a function it only counts.
class FunctionScanner {
 public:
  explicit FunctionScanner(const SourceFile& file) : file_(file) {
    bool directive = false;
    for (line_ = 1; line_ <= file.code.size(); ++line_) {
      const std::string& text = file.code[line_ - 1];
      const std::string trimmed = Trimmed(text);
      directive = directive || trimmed.starts_with('#');
      if (!directive) {
        for (const char c : text) Take(c);
        statement_ += ' ';
      }
      directive = directive && trimmed.ends_with('\\');
    }
  }

  Findings findings() const { return findings_; }

 private:
  bool Declaring() const { return scopes_.empty() || scopes_.back() == Scope::kDeclarations; }

  void Take(char c) {
    if (c == '{') {
      Open();
    } else if (c == '}') {
      Close();
    } else if (Declaring()) {
      Declare(c);
    }
  }

  void Open() {
    if (!Declaring()) {
      scopes_.push_back(Scope::kBlock);
      return;
    }
    scopes_.push_back(Opens(statement_));
    if (scopes_.back() == Scope::kFunction) function_line_ = statement_line_;
    if (scopes_.back() == Scope::kDeclarations) statement_.clear();
  }

  void Close() {
    if (scopes_.empty()) return;
    const Scope closed = scopes_.back();
    scopes_.pop_back();
    if (closed == Scope::kInitializer) statement_ += '}';
    if (closed == Scope::kFunction) Measure();
    if (closed == Scope::kFunction || closed == Scope::kDeclarations) statement_.clear();
  }

  void Declare(char c) {
    if (Trimmed(statement_).empty()) {
      statement_.clear();
      statement_line_ = line_;
    }
    statement_ += c;
    if (c == ';') statement_.clear();
    for (const std::string_view access : {"public:", "private:", "protected:"}) {
      if (c == ':' && Trimmed(statement_) == access) statement_.clear();
    }
  }

  void Measure() {
    const std::size_t lines = line_ - function_line_ + 1;
    if (lines <= kFunctionLinesMax) return;
    const std::string name = Trimmed(statement_).substr(0, 60);
    findings_.push_back({file_.path, function_line_,
                         name + "... has " + std::to_string(lines) + " lines of at most " +
                             std::to_string(kFunctionLinesMax) + "; name its parts as functions"});
  }

  const SourceFile& file_;
  Findings findings_;
  std::vector<Scope> scopes_;
  std::string statement_;
  std::size_t statement_line_ = 1;
  std::size_t function_line_ = 1;
  std::size_t line_ = 1;
};

}  // namespace

Findings CheckFunctionLengths(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (!file.cpp()) continue;
    const Findings found = FunctionScanner(file).findings();
    findings.insert(findings.end(), found.begin(), found.end());
  }
  return findings;
}

Findings CheckFileLengths(const SourceTree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (file.Under("corpus/") || file.path.ends_with(".md")) continue;  // data and prose
    if (file.lines.size() <= kFileLinesMax) continue;
    findings.push_back({file.path, kFileLinesMax + 1,
                        std::to_string(file.lines.size()) + " lines of at most " +
                            std::to_string(kFileLinesMax) + "; split it by concept"});
  }
  return findings;
}

}  // namespace rollover::tidy
