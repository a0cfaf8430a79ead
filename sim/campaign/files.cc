#include "sim/campaign/files.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>

namespace rollover {

std::optional<std::string> WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::error_code code;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
  if (code) return fmt::format("{}: {}", path.parent_path().string(), code.message());
  std::filesystem::path temporary = path;
  temporary += ".part";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << text;
    file.flush();
    if (!file) {
      std::filesystem::remove(temporary, code);
      return fmt::format("{}: cannot be written", path.string());
    }
  }
  std::filesystem::rename(temporary, path, code);
  if (code) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return fmt::format("{}: {}", path.string(), code.message());
  }
  return std::nullopt;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace rollover
