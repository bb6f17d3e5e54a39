// SPDX-License-Identifier: MIT
// Random warps' accesses: transactions and passes of shared memory against what their definitions
// give, counted byte by byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "sim/core/coalescer.h"
#include "sim/memory/request.h"

namespace paws::core {
namespace {

std::uint64_t seed() {
  const char* given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20150318;
}

exec::Outcome random_access(std::mt19937_64& random, std::uint64_t space) {
  exec::Outcome outcome;
  outcome.bytes = static_cast<std::uint8_t>(1U << random() % 5);
  outcome.active = static_cast<exec::LaneMask>(random() % 3 == 0 ? random() : ~0U);
  const std::uint64_t stride = std::uint64_t{outcome.bytes} << random() % 8;
  const std::uint64_t base = random() % space;
  const bool scattered = random() % 3 == 0;
  // Else in some the second half is another row of a thread block, or each half is of one place.
  const std::uint64_t row = random() % 3 == 0 ? random() % space : 0;
  const std::uint64_t step = row != 0 && random() % 2 == 0 ? 0 : stride;
  for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
    const std::uint64_t ordered = base + (lane / 16) * row + lane * step;
    const std::uint64_t address = scattered ? random() % space : ordered;
    outcome.addresses[lane] = address / outcome.bytes * outcome.bytes;
  }
  return outcome;
}

TEST(CoalescerRandom, TransactionsAreTheTouchedLines) {
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed()));
  std::mt19937_64 random(seed());
  for (int i = 0; i < 3000; ++i) {
    const bool atomic = random() % 4 == 0;
    exec::Outcome outcome = random_access(random, 8192);
    if (atomic) outcome.bytes = 4;
    if (atomic) {
      for (std::uint64_t& address : outcome.addresses) address = address / 4 * 4;
    }
    std::vector<std::uint64_t> order;
    std::map<std::uint64_t, std::set<std::uint64_t>> sectors;
    std::map<std::uint64_t, unsigned> lanes_of_word;
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      if ((outcome.active >> lane & 1) == 0) continue;
      ++lanes_of_word[outcome.addresses[lane]];
      for (unsigned byte = 0; byte < outcome.bytes; ++byte) {
        const std::uint64_t address = outcome.addresses[lane] + byte;
        const std::uint64_t line = address / memory::kLineBytes * memory::kLineBytes;
        if (!sectors.contains(line)) order.push_back(line);
        sectors[line].insert(address / 32);
      }
    }
    Transactions transactions;
    coalesce(outcome, atomic, transactions);
    ASSERT_EQ(transactions.count, order.size());
    for (unsigned t = 0; t < transactions.count; ++t) {
      const Transaction& is = transactions.list[t];
      ASSERT_EQ(is.line, order[t]);
      ASSERT_EQ(is.bytes, 32 * sectors[is.line].size());
      if (!atomic) continue;
      unsigned conflicts = 0;
      for (const auto& [word, lanes] : lanes_of_word) {
        if (word / memory::kLineBytes * memory::kLineBytes == is.line) {
          conflicts = std::max(conflicts, lanes);
        }
      }
      ASSERT_EQ(is.conflicts, conflicts);
    }
  }
}

TEST(CoalescerRandom, PassesAreTheDeepestBank) {
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed()));
  std::mt19937_64 random(seed());
  for (int i = 0; i < 3000; ++i) {
    const unsigned banks = random() % 2 == 0 ? 16 : 32;
    const exec::Outcome outcome = random_access(random, 2048);
    const bool atomic = outcome.bytes == 4 && random() % 3 == 0;
    // 8 bytes go by half warps, 16 bytes by quarters.
    const unsigned group = outcome.bytes == 16 ? 8 : outcome.bytes == 8 ? 16 : 32;
    unsigned passes = 0;
    for (unsigned first = 0; first < ir::kWarpSize; first += group) {
      std::map<std::uint64_t, std::multiset<std::uint64_t>> words_of_bank;
      for (unsigned lane = first; lane < first + group; ++lane) {
        if ((outcome.active >> lane & 1) == 0) continue;
        std::set<std::uint64_t> words;
        for (unsigned byte = 0; byte < outcome.bytes; ++byte) {
          words.insert((outcome.addresses[lane] + byte) / 4);
        }
        for (const std::uint64_t word : words) {
          auto& bank = words_of_bank[word % banks];
          if (atomic || !bank.contains(word)) bank.insert(word);
        }
      }
      std::size_t deepest = 0;
      for (const auto& [bank, words] : words_of_bank) deepest = std::max(deepest, words.size());
      passes += static_cast<unsigned>(deepest);
    }
    ASSERT_EQ(shared_passes(outcome, banks, atomic), std::max(passes, 1U));
  }
}

}  // namespace
}  // namespace paws::core
