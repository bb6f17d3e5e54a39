// SPDX-License-Identifier: MIT
#include "sim/core/coalescer.h"

#include <algorithm>
#include <bit>

#include "sim/memory/request.h"

namespace paws::core {
namespace {

using memory::kSectorBytes;
constexpr unsigned kWordBytes = 4;

/// Rows of thread blocks are often this wide, and a warp then accesses two rows.
constexpr unsigned kRow = ir::kWarpSize / 2;
constexpr exec::LaneMask kRowLanes = (exec::LaneMask{1} << kRow) - 1;

/// Whether the row of lanes from `lane` on all access, each right behind the one before it or all
/// the same place: then the bytes between the first and the last lane's are those accessed.
bool contiguous(const exec::Outcome& outcome, unsigned lane) {
  if ((outcome.active >> lane & kRowLanes) != kRowLanes) return false;
  const std::uint64_t* const addresses = outcome.addresses.data() + lane;
  const std::uint64_t step = addresses[1] - addresses[0];
  if (step != 0 && step != outcome.bytes) return false;
  std::uint64_t expected = addresses[0];
  std::uint64_t different = 0;
  for (unsigned i = 0; i < kRow; ++i) {
    different |= addresses[i] ^ expected;
    expected += step;
  }
  return different == 0;
}

/// The lines that have been touched, and of each the sectors.
class TouchedLines {
 public:
  explicit TouchedLines(Transactions& transactions) : transactions_(transactions) {
    transactions_.count = 0;
  }

  /// The bytes from `first` to `last` are accessed. Addresses that no memory has may wrap around:
  /// they are found out later.
  void touch(std::uint64_t first, std::uint64_t last) {
    for (;;) {
      const std::uint64_t line = first / memory::kLineBytes * memory::kLineBytes;
      const bool ends_here = last - line < memory::kLineBytes;
      const std::uint64_t end = ends_here ? last - line : memory::kLineBytes - 1;
      sectors_[index_of(line)] |=
          (2U << end / kSectorBytes) - (1U << (first - line) / kSectorBytes);
      if (ends_here) return;
      first = line + memory::kLineBytes;
    }
  }

  /// Tells every transaction which sectors it asks for.
  void count_bytes() {
    for (unsigned i = 0; i < transactions_.count; ++i) {
      Transaction& transaction = transactions_.list[i];
      transaction.sectors = static_cast<memory::SectorMask>(sectors_[i]);
      transaction.bytes = memory::bytes_of(transaction.sectors);
    }
  }

 private:
  unsigned index_of(std::uint64_t line) {
    unsigned behind = transactions_.count;
    // Neighbouring lanes mostly share a line: look at the latest first.
    while (behind > 0 && transactions_.list[behind - 1].line != line) --behind;
    if (behind > 0) return behind - 1;
    sectors_[transactions_.count] = 0;
    transactions_.list[transactions_.count] = {line, 0, 1};
    return transactions_.count++;
  }

  Transactions& transactions_;
  std::array<std::uint32_t, kMaxTransactions> sectors_;  ///< a bit each; void behind the last line
};

/// A texel never crosses a line.
void touch_texels(const exec::Outcome& outcome, TouchedLines& lines) {
  for (const auto& texels : outcome.texels) {
    for (exec::LaneMask lanes = outcome.active; lanes != 0; lanes &= lanes - 1) {
      const std::uint64_t address = texels[static_cast<unsigned>(std::countr_zero(lanes))];
      if (address != exec::kNoTexel) lines.touch(address, address + outcome.bytes - 1);
    }
  }
  lines.count_bytes();
}

/// Whether all lanes access words of one row of the banks, so that no two words share a bank.
bool within_banks(const exec::Outcome& outcome, unsigned banks) {
  if (outcome.active != ~exec::LaneMask{0}) return false;
  std::uint64_t different = 0;
  for (const std::uint64_t address : outcome.addresses) different |= address ^ outcome.addresses[0];
  return different < std::uint64_t{banks} * kWordBytes;
}

/// Passes in each of which a bank delivers one word to all lanes that want it; `banks` is a power
/// of two and a lane accesses one word.
unsigned passes_of_words(const exec::Outcome& outcome, unsigned banks) {
  std::array<std::uint64_t, 64> word_of_bank;
  unsigned passes = 0;
  for (exec::LaneMask left = outcome.active; left != 0; ++passes) {
    exec::LaneMask next = 0;
    std::uint64_t busy = 0;
    for (exec::LaneMask lanes = left; lanes != 0; lanes &= lanes - 1) {
      const std::uint64_t word =
          outcome.addresses[static_cast<unsigned>(std::countr_zero(lanes))] / kWordBytes;
      const std::uint64_t bank = word & (banks - 1);
      const std::uint64_t bit = std::uint64_t{1} << bank;
      if ((busy & bit) == 0) {
        busy |= bit;
        word_of_bank[bank] = word;
      } else if (word_of_bank[bank] != word) {
        next |= lanes & -lanes;
      }
    }
    left = next;
  }
  return std::max(passes, 1U);
}

}  // namespace

void coalesce(const exec::Outcome& outcome, bool atomic, Transactions& transactions) {
  TouchedLines lines(transactions);
  if (outcome.memory && !outcome.texels.empty()) {
    touch_texels(outcome, lines);
    return;
  }
  for (unsigned row = 0; row < ir::kWarpSize; row += kRow) {
    if (contiguous(outcome, row)) {
      lines.touch(outcome.addresses[row], outcome.addresses[row + kRow - 1] + outcome.bytes - 1);
      continue;
    }
    for (exec::LaneMask lanes = outcome.active & kRowLanes << row; lanes != 0; lanes &= lanes - 1) {
      const std::uint64_t first = outcome.addresses[static_cast<unsigned>(std::countr_zero(lanes))];
      lines.touch(first, first + outcome.bytes - 1);
    }
  }
  lines.count_bytes();
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

void split_lines(Transactions& transactions, unsigned line_bytes) {
  const unsigned sectors = line_bytes / kSectorBytes;
  const auto whole = static_cast<memory::SectorMask>((1U << sectors) - 1);
  const Transactions touched = transactions;
  transactions.count = 0;
  for (unsigned i = 0; i < touched.count; ++i) {
    for (unsigned first = 0; first < memory::kLineBytes / kSectorBytes; first += sectors) {
      const auto line = static_cast<memory::SectorMask>(whole << first);
      if ((touched.list[i].sectors & line) == 0) continue;
      transactions.list[transactions.count++] = {touched.list[i].line, line_bytes, 1, line};
    }
  }
}

void count_global_load(const exec::Outcome& outcome, const Transactions& transactions,
                       bool sectored, CoreStatistics& statistics) {
  const auto threads = static_cast<std::uint64_t>(std::popcount(outcome.active));
  statistics.gld_requested_bytes += threads * outcome.bytes;
  for (unsigned i = 0; i < transactions.count; ++i) {
    statistics.gld_transaction_bytes += sectored ? transactions.list[i].bytes : memory::kLineBytes;
  }
}

void take_turns(Transactions& transactions, unsigned banks) {
  if (transactions.count < 2) return;
  const auto digit = static_cast<unsigned>(std::countr_zero(banks));
  std::array<std::uint8_t, 64> looked_up{};  // turns of each bank
  for (unsigned i = 0; i < transactions.count; ++i) {
    std::uint64_t bank = 0;
    for (std::uint64_t rest = transactions.list[i].line / memory::kLineBytes; rest != 0;
         rest >>= digit) {
      bank ^= rest & (banks - 1);
    }
    transactions.list[i].turn = looked_up[bank]++;
  }
  std::stable_sort(transactions.list.begin(), transactions.list.begin() + transactions.count,
                   [](const Transaction& a, const Transaction& b) { return a.turn < b.turn; });
}

unsigned shared_passes(const exec::Outcome& outcome, unsigned banks, bool atomic) {
  const unsigned words_per_lane = std::max(1U, outcome.bytes / kWordBytes);
  const bool power_of_two = std::has_single_bit(banks);
  if (!atomic && words_per_lane == 1 && power_of_two) {
    return within_banks(outcome, banks) ? 1 : passes_of_words(outcome, banks);
  }
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
