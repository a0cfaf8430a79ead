// Input: small numbers from bytes, zeros when they are used up. For targets whose input is not a
// scenario.
#pragma once

#include <cstdint>
#include <span>

namespace rollover {

class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  std::uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  std::uint64_t Below(std::uint64_t bound) { return Word() % bound; }
  std::uint64_t Word() {
    const std::uint64_t low = Byte();
    return low | std::uint64_t{Byte()} << 8;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace rollover
