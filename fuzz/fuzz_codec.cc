// fuzz_codec: any bytes into the decoder of each persisted value. What is accepted encodes to the
// same bytes, and its size is known without encoding; what is refused says why and where.
#include <fmt/format.h>

#include "fuzz/target.h"
#include "model/codec.h"

namespace rollover {

void Fuzz(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (std::uint8_t kind = 0; kind <= static_cast<std::uint8_t>(ValueKind::kSession); ++kind) {
    const Result<ValueRef> decoded = Decode(static_cast<ValueKind>(kind), text);
    if (!decoded) {
      const Error& error = decoded.error();
      if (error.reason.empty()) Fail("codec", "a refusal without a reason");
      if (error.position > text.size()) {
        Fail("codec", fmt::format("refused at byte {} of {}", error.position, text.size()));
      }
      continue;
    }
    const Value& value = *decoded.value();
    const std::string again = Encode(value);
    if (again != text) Fail("codec", "accepted bytes encode to others");
    if (value.encoded_bytes() != again.size()) {
      Fail("codec", fmt::format("{} bytes, but {} counted", again.size(), value.encoded_bytes()));
    }
  }
}

}  // namespace rollover
