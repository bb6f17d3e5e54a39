// SPDX-License-Identifier: MIT
// Kernels that only branch (workloads/large_warps): what each thread adds up.
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

constexpr std::int64_t kArm = 16;  ///< additions in an arm of a branch

}  // namespace

// Threads with this bit of their number add 2, the others 1.
Output two_sides(const std::vector<Input>& inputs) {
  const auto threads = dimension(inputs[0]);
  const std::int64_t bit = std::get<std::int64_t>(inputs[1]);
  const std::int64_t turns = std::get<std::int64_t>(inputs[2]);
  if (bit < 0 || bit > 31) throw std::invalid_argument("a bit is from 0 to 31");
  Integers sums;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    sums.push_back(turns * kArm * ((thread >> static_cast<unsigned>(bit) & 1U) != 0 ? 2 : 1));
  }
  return sums;
}

// Every thread takes part in a turn with a probability of so many in 1000.
Output random_mask(const std::vector<Input>& inputs) {
  const auto threads = dimension(inputs[0]);
  const auto turns = dimension(inputs[1]);
  const std::int64_t per_mille = std::get<std::int64_t>(inputs[2]);
  const auto seed = static_cast<std::uint32_t>(std::get<std::int64_t>(inputs[3]));
  Integers sums(threads);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    for (std::size_t turn = 0; turn < turns; ++turn) {
      auto hash = seed + static_cast<std::uint32_t>(turn * threads + thread);
      hash = (hash ^ hash >> 16U) * 0x7feb352dU;
      hash = (hash ^ hash >> 15U) * 0x846ca68bU;
      hash ^= hash >> 16U;
      if (static_cast<std::int64_t>(std::uint64_t{hash} * 1000 >> 32U) < per_mille) {
        sums[thread] += kArm;
      }
    }
  }
  return sums;
}

// Row r of 32 threads has `shortest` + r modulo `rows` times `step` turns.
Output row_trips(const std::vector<Input>& inputs) {
  const auto threads = dimension(inputs[0]);
  const auto rows = dimension(inputs[1]);
  const std::int64_t shortest = std::get<std::int64_t>(inputs[2]);
  const std::int64_t step = std::get<std::int64_t>(inputs[3]);
  Integers sums;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const auto row = static_cast<std::int64_t>(thread / 32 % rows);
    sums.push_back(kArm * (shortest + step * row));
  }
  return sums;
}

}  // namespace paws::references
