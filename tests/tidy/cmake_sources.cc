#include "tests/tidy/cmake_sources.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <utility>

namespace rollover::tidy {
namespace {

using Words = std::vector<std::string>;

struct Command {
  std::string name;
  Words arguments;
};

// The commands of a list: comments dropped, quotes removed, nested parentheses flattened.
std::vector<Command> Commands(const SourceFile& file) {
  std::vector<Command> commands;
  std::string word;
  int depth = 0;
  bool quoted = false;
  const auto end_word = [&] {
    if (depth > 0 && !word.empty()) commands.back().arguments.push_back(word);
    if (depth > 0) word.clear();
  };
  for (const std::string& line : file.lines) {
    for (const char c : line + "\n") {
      if (c == '#' && !quoted) break;
      if (c == '"') {
        quoted = !quoted;
      } else if (quoted || (c != '(' && c != ')' && c != ' ' && c != '\n' && c != ';')) {
        word += c;
      } else if (c == '(' && depth++ == 0) {
        commands.push_back({word, {}});
        word.clear();
      } else {
        end_word();
        if (c == ')') --depth;
      }
    }
    if (!quoted) end_word();
  }
  return commands;
}

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::string Joined(const std::string& folder, std::string path) {
  while (path.starts_with("/")) path.erase(0, 1);  // after an emptied ${PROJECT_SOURCE_DIR}
  return folder + path;
}

// All lists reachable from the top one, with their commands.
class Lists {
 public:
  explicit Lists(const SourceTree& tree) : tree_(tree) { Read("CMakeLists.txt"); }

  std::vector<SourcePattern> Patterns() {
    for (const auto& [path, commands] : lists_) {
      folder_ = FolderOf(path);
      for (const Command& command : commands) Take(command);
    }
    return patterns_;
  }

 private:
  void Read(const std::string& path) {
    const SourceFile* file = tree_.Find(path);
    if (file == nullptr || lists_.contains(path)) return;
    const std::vector<Command>& commands = lists_[path] = Commands(*file);
    for (const Command& command : commands) {
      calls_[command.name].push_back(command.arguments);
      if (command.arguments.empty()) continue;
      const std::string& target = command.arguments[0];
      if (command.name == "add_subdirectory") Read(FolderOf(path) + target + "/CMakeLists.txt");
      if (command.name == "include") Read(FolderOf(path) + target);
    }
  }

  void Take(const Command& command) {
    const Words& arguments = command.arguments;
    if (command.name == "set" && arguments.size() > 1) {
      values_[arguments[0]] = Words(arguments.begin() + 1, arguments.end());
    } else if (command.name == "foreach" && arguments.size() > 1) {
      values_[arguments[0]] = LoopValues(arguments);
    } else if (command.name == "function" || command.name == "macro") {
      BindParameters(arguments);
    }
    const bool glob = command.name == "file" && !arguments.empty();
    for (const std::string& word : arguments) {
      if (word.ends_with(".cc")) Add(word, glob && arguments[0] == "GLOB_RECURSE");
    }
  }

  Words LoopValues(const Words& arguments) const {
    if (arguments.size() > 3 && arguments[1] == "IN" && arguments[2] == "LISTS") {
      const auto known = values_.find(arguments[3]);
      return known == values_.end() ? Words{} : known->second;
    }
    const std::size_t skip = arguments[1] == "IN" ? 3 : 1;
    return skip < arguments.size()
               ? Words(arguments.begin() + static_cast<long>(skip), arguments.end())
               : Words{};
  }

  // A parameter takes, in turn, the value that each call of the function gives it.
  void BindParameters(const Words& signature) {
    for (std::size_t i = 1; i < signature.size(); ++i) {
      Words& values = values_[signature[i]];
      values.clear();
      for (const Words& call : calls_[signature[0]]) {
        if (i - 1 < call.size()) values.push_back(call[i - 1]);
      }
    }
  }

  void Add(const std::string& word, bool recursive) {
    const std::size_t open = word.find("${");
    if (open == std::string::npos) {
      patterns_.push_back({Joined(folder_, word), recursive});
      return;
    }
    const std::size_t close = std::min(word.find('}', open), word.size() - 1);
    const std::string variable = word.substr(open + 2, close - open - 2);
    const std::string rest = word.substr(close + 1);
    if (variable == "PROJECT_SOURCE_DIR" || variable == "CMAKE_SOURCE_DIR") {
      const std::string folder = std::exchange(folder_, "");
      Add(rest, recursive);
      folder_ = folder;
    } else if (variable.starts_with("CMAKE_CURRENT_")) {
      Add(rest, recursive);
    } else if (const auto known = values_.find(variable); known != values_.end()) {
      const Words values = known->second;
      for (const std::string& value : values) {
        if (value.find("${") == std::string::npos) {
          Add(word.substr(0, open) + value + rest, recursive);
        }
      }
    } else {
      Add(word.substr(0, open) + "*" + rest, recursive);
    }
  }

  const SourceTree& tree_;
  std::map<std::string, std::vector<Command>> lists_;
  std::map<std::string, std::vector<Words>> calls_;
  std::map<std::string, Words> values_;
  std::vector<SourcePattern> patterns_;
  std::string folder_;
};

}  // namespace

bool SourcePattern::Matches(std::string_view path) const {
  const std::string text(path);
  if (!recursive) return fnmatch(glob.c_str(), text.c_str(), FNM_PATHNAME) == 0;
  const std::string folder = FolderOf(glob);
  if (!path.starts_with(folder)) return false;
  const std::string name = text.substr(FolderOf(text).size());
  return fnmatch(glob.substr(folder.size()).c_str(), name.c_str(), 0) == 0;
}

std::vector<SourcePattern> CMakeSources(const SourceTree& tree) { return Lists(tree).Patterns(); }

}  // namespace rollover::tidy
