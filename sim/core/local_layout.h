// SPDX-License-Identifier: MIT
// Where local memory lies for the caches.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sim/core/coalescer.h"
#include "sim/exec/resident_block.h"
#include "sim/memory/request.h"

namespace paws::core {

/// The lines that an access to local memory touches. Local memory is interleaved so that lanes with
/// the same offset share a line: the word at offset o of lane l lies at base + (o / 4) * 128 + l *
/// 4, where `base_of(l)` is the base of the lane's 32 threads. Elements wider than a word are
/// consecutive lines.
template <typename BaseOf>
void local_lines(const exec::Outcome& outcome, BaseOf&& base_of, Transactions& transactions) {
  const unsigned words = std::max(1U, outcome.bytes / 4U);
  exec::Outcome placed = outcome;
  placed.bytes = static_cast<std::uint8_t>(std::min<unsigned>(outcome.bytes, 4));
  transactions.count = 0;
  Transactions lines;
  for (unsigned word = 0; word < words; ++word) {
    for (std::uint32_t lanes = outcome.active; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const std::uint64_t offset = outcome.addresses[lane] + std::uint64_t{word} * 4;
      placed.addresses[lane] =
          base_of(lane) + offset / 4 * memory::kLineBytes + std::uint64_t{lane} * 4 + offset % 4;
    }
    coalesce(placed, false, lines);
    std::copy_n(lines.list.begin(), lines.count, transactions.list.begin() + transactions.count);
    transactions.count += lines.count;
  }
}

}  // namespace paws::core
