// SPDX-License-Identifier: MIT
#include "sim/core/coalescer.h"

#include <algorithm>
#include <bit>

#include "sim/memory/request.h"

namespace paws::core {
namespace {

constexpr unsigned kSectorBytes = 32;
constexpr unsigned kWordBytes = 4;

/// Every lane accesses, each right behind the one before it: what coalescing is made for.
bool consecutive(const exec::Outcome& outcome) {
  if (outcome.active != ~exec::LaneMask{0}) return false;
  std::uint64_t different = 0;
  for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
    different |=
        outcome.addresses[lane] ^ (outcome.addresses[0] + std::uint64_t{lane} * outcome.bytes);
  }
  return different == 0;
}

/// The access of consecutive lanes if it lies within one line.
bool coalesce_within_line(const exec::Outcome& outcome, Transactions& transactions) {
  const std::uint64_t first = outcome.addresses[0];
  const std::uint64_t last = first + std::uint64_t{ir::kWarpSize} * outcome.bytes - 1;
  const std::uint64_t line = first / memory::kLineBytes * memory::kLineBytes;
  if (last >= line + memory::kLineBytes || !consecutive(outcome)) return false;
  const auto sectors = static_cast<std::uint32_t>(last / kSectorBytes - first / kSectorBytes + 1);
  transactions.list[0] = {line, sectors * kSectorBytes, 1};
  transactions.count = 1;
  return true;
}

/// Whether the lanes that access a bank all name the same word of it, so that one pass serves them;
/// `banks` is a power of two and a lane accesses one word.
bool without_conflicts(const exec::Outcome& outcome, unsigned banks) {
  std::array<std::uint64_t, 64> word_of_bank;
  std::uint64_t accessed = 0;
  for (std::uint32_t lanes = outcome.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t word =
        outcome.addresses[static_cast<unsigned>(std::countr_zero(lanes))] / kWordBytes;
    const std::uint64_t bank = word & (banks - 1);
    const std::uint64_t bit = std::uint64_t{1} << bank;
    if ((accessed & bit) != 0 && word_of_bank[bank] != word) return false;
    accessed |= bit;
    word_of_bank[bank] = word;
  }
  return true;
}

}  // namespace

void coalesce(const exec::Outcome& outcome, bool atomic, Transactions& transactions) {
  if (!atomic && coalesce_within_line(outcome, transactions)) return;
  transactions.count = 0;
  std::array<std::uint32_t, kMaxLines> sectors{};
  auto touch = [&](std::uint64_t first, std::uint64_t last) {
    const std::uint64_t line = first / memory::kLineBytes * memory::kLineBytes;
    unsigned index = transactions.count;
    // Neighbouring lanes mostly share a line: look at the latest first.
    while (index > 0 && transactions.list[index - 1].line != line) --index;
    if (index == 0) {
      transactions.list[transactions.count++] = {line, 0, 1};
      index = transactions.count;
    }
    for (std::uint64_t sector = (first - line) / kSectorBytes;
         sector <= (last - line) / kSectorBytes; ++sector) {
      sectors[index - 1] |= 1U << sector;
    }
  };
  for (std::uint32_t lanes = outcome.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t first = outcome.addresses[static_cast<unsigned>(std::countr_zero(lanes))];
    const std::uint64_t last = first + outcome.bytes - 1;
    if (first / memory::kLineBytes == last / memory::kLineBytes) {
      touch(first, last);
    } else {
      const std::uint64_t second = last / memory::kLineBytes * memory::kLineBytes;
      touch(first, second - 1);
      touch(second, last);
    }
  }
  for (unsigned i = 0; i < transactions.count; ++i) {
    transactions.list[i].bytes =
        static_cast<std::uint32_t>(std::popcount(sectors[i])) * kSectorBytes;
  }
  if (!atomic) return;
  for (unsigned i = 0; i < transactions.count; ++i) {
    std::array<std::uint8_t, memory::kLineBytes / kWordBytes> lanes_of_word{};
    for (std::uint32_t lanes = outcome.active; lanes != 0; lanes &= lanes - 1) {
      const std::uint64_t address =
          outcome.addresses[static_cast<unsigned>(std::countr_zero(lanes))];
      if (address / memory::kLineBytes * memory::kLineBytes != transactions.list[i].line) continue;
      ++lanes_of_word[address % memory::kLineBytes / kWordBytes];
    }
    transactions.list[i].conflicts = *std::max_element(lanes_of_word.begin(), lanes_of_word.end());
  }
}

unsigned shared_passes(const exec::Outcome& outcome, unsigned banks, bool atomic) {
  const unsigned words_per_lane = std::max(1U, outcome.bytes / kWordBytes);
  const bool power_of_two = std::has_single_bit(banks);
  if (!atomic && words_per_lane == 1 && power_of_two && without_conflicts(outcome, banks)) return 1;
  const unsigned group = ir::kWarpSize / std::min(words_per_lane, 4U);
  unsigned passes = 0;
  std::array<std::array<std::uint64_t, ir::kWarpSize>, 64> words;  // distinct words of each bank
  std::array<std::uint8_t, 64> depth{};
  for (unsigned first = 0; first < ir::kWarpSize; first += group) {
    depth.fill(0);
    unsigned deepest = 0;
    for (unsigned lane = first; lane < first + group; ++lane) {
      if ((outcome.active >> lane & 1U) == 0) continue;
      for (unsigned part = 0; part < words_per_lane; ++part) {
        const std::uint64_t word = outcome.addresses[lane] / kWordBytes + part;
        const auto bank =
            static_cast<std::size_t>(power_of_two ? word & (banks - 1) : word % banks);
        const auto end = words[bank].begin() + depth[bank];
        if (!atomic && std::find(words[bank].begin(), end, word) != end) continue;
        words[bank][depth[bank]++] = word;
        deepest = std::max<unsigned>(deepest, depth[bank]);
      }
    }
    passes += deepest;
  }
  return std::max(passes, 1U);
}

}  // namespace paws::core
