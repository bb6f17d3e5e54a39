// SPDX-License-Identifier: MIT
// Counting.
#include "workloads/references/functions.h"

namespace paws::references {

Output byte_histogram(const std::vector<Input>& inputs) {
  Integers bins(256);
  for (const std::int64_t word : std::get<Integers>(inputs[0])) {
    for (int shift = 0; shift < 32; shift += 8) ++bins[(word >> shift) & 0xff];
  }
  return bins;
}

}  // namespace paws::references
