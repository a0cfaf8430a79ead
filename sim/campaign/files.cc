#include "sim/campaign/files.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>

namespace rollover {

namespace {

bool WriteTo(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.flush();
  return static_cast<bool>(file);
}

// A device or a pipe, which is written to: nothing may be put in its place.
bool IsADevice(const std::filesystem::path& path) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  return std::filesystem::is_other(status);
}

// Writes the text beside the path; the error names the path.
std::optional<std::string> WriteBeside(const std::filesystem::path& path,
                                       const std::filesystem::path& temporary,
                                       const std::string& text) {
  std::error_code code;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
  if (code) return fmt::format("{}: {}", path.parent_path().string(), code.message());
  if (WriteTo(temporary, text)) return std::nullopt;
  std::filesystem::remove(temporary, code);
  return fmt::format("{}: cannot be written", path.string());
}

std::filesystem::path Temporary(std::filesystem::path path) { return path += ".part"; }

}  // namespace

std::optional<std::string> WriteFile(const std::filesystem::path& path, const std::string& text) {
  if (IsADevice(path)) {
    if (WriteTo(path, text)) return std::nullopt;
    return fmt::format("{}: cannot be written", path.string());
  }
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
  if (IsADevice(path)) return std::nullopt;
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
