// The driver's side of every target.
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rollover::Fuzz({data, size});
  return 0;
}
