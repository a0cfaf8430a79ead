#include "sim/campaign/traced_write.h"

#include <charconv>

namespace rollover {
namespace {

// Steps over what it reads; says whether it was there.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool Skip(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool Number(std::uint64_t& number) {
    const char* begin = text_.data();
    const auto [end, code] = std::from_chars(begin, begin + text_.size(), number);
    if (code != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - begin));
    return true;
  }
  bool AnyName(Name& name) {
    for (std::size_t i = 0; i < kNameCount; ++i) {
      name = static_cast<Name>(i);
      const std::string_view word = NameText(name);
      const std::string_view after = text_.substr(std::min(word.size(), text_.size()));
      // One name may begin another.
      if (after.empty() || (after[0] != '[' && after[0] != ' ')) continue;
      if (Skip(word)) return true;
    }
    return false;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::optional<TracedWrite> ReadTracedWrite(std::string_view text) {
  TracedWrite write;
  Reader reader(text);
  if (!reader.AnyName(write.name)) return std::nullopt;
  if (reader.Skip("[") && !(reader.Number(write.key) && reader.Skip("]"))) return std::nullopt;
  if (reader.Skip(" deleted")) {
    write.deletes = true;
    return write;
  }
  if (!reader.Skip(" = ") || !reader.Number(write.bytes) || !reader.Skip(" bytes")) {
    return std::nullopt;
  }
  if (write.name != Name::kChunks) return write;
  ChunkRange range;
  if (reader.Skip(", messages ") && reader.Number(range.first) && reader.Skip("..") &&
      reader.Number(range.last)) {
    write.chunk = range;
  }
  return write;
}

}  // namespace rollover
