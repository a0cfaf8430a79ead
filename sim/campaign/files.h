// Whole files: written so that no half of one is ever seen, and read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rollover {

// Writes a file by way of a temporary name, so that a killed run leaves the old one or the new one.
// A device or a pipe is written to. The error names the path.
std::optional<std::string> WriteFile(const std::filesystem::path& path, const std::string& text);

// What would keep WriteFile from writing there, found by trying with an empty temporary file.
std::optional<std::string> CannotWrite(const std::filesystem::path& path);

// The whole file; empty when it is not there.
std::string ReadFile(const std::filesystem::path& path);

}  // namespace rollover
