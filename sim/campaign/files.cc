#include "sim/campaign/files.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>

namespace rollover {

namespace {

// Writes the text beside the path; the error names the path.
std::optional<std::string> WriteBeside(const std::filesystem::path& path,
                                       const std::filesystem::path& temporary,
                                       const std::string& text) {
  std::error_code code;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
  if (code) return fmt::format("{}: {}", path.parent_path().string(), code.message());
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file << text;
  file.flush();
  if (file) return std::nullopt;
  file.close();
  std::filesystem::remove(temporary, code);
  return fmt::format("{}: cannot be written", path.string());
}

std::filesystem::path Temporary(std::filesystem::path path) { return path += ".part"; }

}  // namespace

std::optional<std::string> WriteFile(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path temporary = Temporary(path);
  if (auto error = WriteBeside(path, temporary, text)) return error;
  std::error_code code;
  std::filesystem::rename(temporary, path, code);
  if (!code) return std::nullopt;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  return fmt::format("{}: {}", path.string(), code.message());
}

std::optional<std::string> CannotWrite(const std::filesystem::path& path) {
  const std::filesystem::path temporary = Temporary(path);
  if (auto error = WriteBeside(path, temporary, "")) return error;
  std::error_code code;
  std::filesystem::remove(temporary, code);
  return std::nullopt;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace rollover
