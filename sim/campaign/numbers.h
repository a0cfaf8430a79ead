// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace rollover {

std::string Grouped(std::uint64_t number);       // 1234567 as 1,234,567
std::string GroupedSigned(std::int64_t number);  // +1,520 or -1,520; 0 as +0
std::string BytesText(double bytes);             // 1.23 KB, 12.3 MB; a KB is 1,000 bytes
std::string DurationText(double seconds);        // 0.31 s, 12.5 s, 6 min 2 s, 3 h 20 min
std::string CountText(double count);             // whole: grouped; else at most two decimals

}  // namespace rollover
