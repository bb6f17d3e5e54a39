// SPDX-License-Identifier: MIT
// Tags, MSHRs and DRAM channels under random operations, against models in plain containers and
// against the timings that a DRAM channel promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "sim/memory/clock.h"
#include "sim/memory/dram_channel.h"
#include "sim/memory/mshr_file.h"
#include "sim/memory/request.h"
#include "sim/memory/tag_array.h"

namespace paws::memory {
namespace {

std::uint64_t first_seed() {
  const char* given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20150318;
}

/// One set with LRU replacement: the lines, the least recently used first.
class SetModel {
 public:
  explicit SetModel(unsigned ways) : ways_(ways) {}

  struct Line {
    std::uint64_t line;
    bool valid, dirty;
  };

  TagArray::Access access(std::uint64_t line, bool write) {
    TagArray::Access result;
    const auto at = find(line);
    if (at != lines_.end()) {
      at->dirty |= write;
      result.result = at->valid ? TagArray::Result::hit : TagArray::Result::pending;
      lines_.splice(lines_.end(), lines_, at);
      return result;
    }
    if (lines_.size() == ways_) {
      const auto victim =
          std::find_if(lines_.begin(), lines_.end(), [](const Line& each) { return each.valid; });
      if (victim == lines_.end()) {
        result.result = TagArray::Result::reservation_fail;
        return result;
      }
      if (victim->dirty) {
        result.dirty = true;
        result.victim = victim->line;
      }
      lines_.erase(victim);
    }
    lines_.push_back({line, write, write});
    result.result = TagArray::Result::miss;
    return result;
  }
  [[nodiscard]] bool holds(std::uint64_t line) {
    const auto at = find(line);
    return at != lines_.end() && at->valid;
  }
  void fill(std::uint64_t line) {
    if (const auto at = find(line); at != lines_.end()) at->valid = true;
  }
  bool evict(std::uint64_t line) {
    if (!holds(line)) return false;
    lines_.erase(find(line));
    return true;
  }
  void mark_dirty(std::uint64_t line) {
    if (const auto at = find(line); at != lines_.end()) at->dirty = true;
  }
  void clear() { lines_.clear(); }

 private:
  std::list<Line>::iterator find(std::uint64_t line) {
    return std::find_if(lines_.begin(), lines_.end(),
                        [line](const Line& each) { return each.line == line; });
  }
  unsigned ways_;
  std::list<Line> lines_;
};

TEST(TagArrayModel, OneSetUnderRandomOperations) {
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(first_seed()));
  for (const unsigned ways : {1U, 2U, 3U, 8U}) {
    std::mt19937_64 random(first_seed() + ways);
    TagArray tags(std::uint64_t{ways} * kLineBytes, ways, kLineBytes);
    SetModel model(ways);
    for (int step = 0; step < 20000; ++step) {
      const std::uint64_t line = random() % (ways + 3) * kLineBytes;
      const auto same = [&](const TagArray::Access& is, const TagArray::Access& expected) {
        ASSERT_EQ(is.result, expected.result) << "step " << step;
        ASSERT_EQ(is.writeback(), expected.writeback()) << "step " << step;
      };
      switch (random() % 8) {
        case 0:
        case 1:
          same(tags.read(line), model.access(line, false));
          break;
        case 2:
          same(tags.write(line), model.access(line, true));
          break;
        case 3:
        case 4:
        case 5:
          tags.fill(line);
          model.fill(line);
          break;
        case 6:
          ASSERT_EQ(tags.evict(line).has_value(), model.evict(line)) << "step " << step;
          break;
        default:
          tags.mark_dirty(line);
          model.mark_dirty(line);
          if (random() % 500 == 0) {
            tags.clear();
            model.clear();
          }
          break;
      }
      ASSERT_EQ(tags.holds(line), model.holds(line)) << "step " << step;
    }
  }
}

/// Several sets: whatever the index function, a line that was read stays until another one's miss,
/// and no set holds more than its ways.
TEST(TagArrayModel, NoSetIsOverfull) {
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(first_seed()));
  constexpr unsigned kWays = 2;
  constexpr unsigned kSets = 7;
  std::mt19937_64 random(first_seed());
  TagArray tags(std::uint64_t{kSets} * kWays * kLineBytes, kWays, kLineBytes, 3);
  std::set<std::uint64_t> dirty;
  for (int step = 0; step < 20000; ++step) {
    const std::uint64_t line = random() % 64 * kLineBytes;
    const bool write = random() % 2 == 0;
    const TagArray::Access access = write ? tags.write(line) : tags.read(line);
    ASSERT_NE(access.result, TagArray::Result::reservation_fail);
    if (access.dirty) {
      ASSERT_EQ(dirty.erase(access.victim), 1U) << "written back, but not written";
      ASSERT_FALSE(tags.holds(access.victim));
    }
    if (write) {
      dirty.insert(line);
    } else {
      tags.fill(line);
    }
    std::size_t held = 0;
    for (std::uint64_t each = 0; each < 64; ++each) held += tags.holds(each * kLineBytes) ? 1 : 0;
    ASSERT_LE(held, std::size_t{kSets} * kWays);
    for (const std::uint64_t each : dirty) ASSERT_TRUE(tags.holds(each)) << "a write is lost";
  }
}

TEST(MshrFileModel, AgreesWithAMap) {
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(first_seed()));
  std::mt19937_64 random(first_seed());
  MshrFile mshrs;
  std::map<std::uint64_t, MshrFile::Waiting> model;
  MshrFile::Waiting waiting;
  for (std::uint32_t step = 0; step < 20000; ++step) {
    const std::uint64_t line = random() % 24 * kLineBytes;
    MshrFile::Waiting* const found = mshrs.find(line);
    const auto expected = model.find(line);
    ASSERT_EQ(found != nullptr, expected != model.end());
    if (found == nullptr) {
      mshrs.add(line, step);
      model[line] = {step};
    } else if (random() % 2 == 0) {
      found->push_back(step);
      expected->second.push_back(step);
    } else {
      mshrs.take(line, waiting);
      ASSERT_EQ(waiting, expected->second);
      model.erase(expected);
    }
    ASSERT_EQ(mshrs.size(), model.size());
  }
}

/// DRAM with settings at random, narrow ones among them.
DramSettings random_dram(std::mt19937_64& random) {
  const auto of = [&random](std::initializer_list<unsigned> values) {
    return values.begin()[random() % values.size()];
  };
  DramSettings settings = load_gpu("m2090").dram;
  if (random() % 2 == 0) settings.reorder = 1 + random() % 4;
  settings.banks = of({1, 2, 16});
  settings.queue = of({1, 2, 16});
  settings.row_bytes = of({128, 512, 2048});
  settings.bytes_per_clock = of({8, 32, 128});
  for (unsigned* time : {&settings.tcl, &settings.trp, &settings.trcd, &settings.tras,
                         &settings.trrd, &settings.turnaround, &settings.twtr, &settings.twr}) {
    *time = of({0, 1, 12, 28});
  }
  return settings;
}

/// Transfers that wait and the state of banks and bus, from the decisions alone.
class DramModel {
 public:
  explicit DramModel(const DramSettings& settings)
      : settings_(settings),
        period_(period_fs(settings.clock_mhz)),
        burst_((kLineBytes + settings.bytes_per_clock - 1) / settings.bytes_per_clock * period_),
        banks_(settings.banks) {}

  [[nodiscard]] std::uint64_t period() const { return period_; }
  [[nodiscard]] std::uint64_t burst() const { return burst_; }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

  void push(const DramChannel::Transfer& transfer) { waiting_.push_back(transfer); }

  /// Checks a decision of cycle `now` and does what it says.
  void decide(const DramChannel::Decision& decision, std::uint64_t now) {
    // One of those that it may choose from, and as it was given.
    const auto end =
        std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                        {settings_.queue, settings_.reorder, waiting_.size()})));
    const auto chosen = std::find_if(waiting_.begin(), end, [&](const auto& each) {
      return each.line == decision.transfer.line;
    });
    ASSERT_NE(chosen, end) << "served twice, or not among the first of the queue";
    ASSERT_EQ(chosen->local_address, decision.transfer.local_address);
    ASSERT_EQ(chosen->write, decision.transfer.write);
    // First come, first served among those of the same row.
    for (auto older = waiting_.begin(); older != chosen; ++older) {
      ASSERT_FALSE(place(older->local_address) == place(chosen->local_address) &&
                   older->write == chosen->write)
          << "an older transfer of the same row waits";
    }
    check_times(decision, now);
    waiting_.erase(chosen);
  }

 private:
  struct Bank {
    bool open = false;
    std::uint64_t row = 0;
    std::uint64_t activated = 0;  ///< the earliest that it can have been
    std::uint64_t recovered = 0;  ///< from the last write
  };

  /// Bank and row of an address.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> place(std::uint64_t address) const {
    const std::uint64_t index = address / settings_.row_bytes;
    const std::uint64_t row = index / settings_.banks;
    return {(index ^ row) % settings_.banks, row};
  }

  /// No timing of the bank or the bus is broken.
  void check_times(const DramChannel::Decision& decision, std::uint64_t now) {
    const bool write = decision.transfer.write;
    const auto [bank_number, row] = place(decision.transfer.local_address);
    Bank& bank = banks_[bank_number];
    ASSERT_EQ(decision.row_hit, bank.open && bank.row == row);
    const std::uint64_t data = decision.done_fs - burst_;
    ASSERT_GE(data, bus_free_ + (write != last_write_ ? settings_.turnaround : 0) * period_);
    ASSERT_GE(data, now + settings_.tcl * period_);
    if (!write && written_ && settings_.twtr != 0) {
      ASSERT_GE(data, *written_ + (settings_.twtr + settings_.tcl) * period_);
    }
    if (!decision.row_hit) {
      std::uint64_t activate = now;
      if (bank.open) {
        activate = std::max({now, bank.activated + settings_.tras * period_, bank.recovered}) +
                   settings_.trp * period_;
      }
      if (last_activate_) activate = std::max(activate, *last_activate_ + settings_.trrd * period_);
      ASSERT_GE(data, activate + (settings_.trcd + settings_.tcl) * period_);
      // The earliest that the row can have been opened bounds what comes after it from below.
      bank = {true, row, activate, 0};
      last_activate_ = activate;
    }
    ASSERT_GT(decision.next_fs, now);
    bus_free_ = decision.done_fs;
    last_write_ = write;
    if (write) {
      written_ = decision.done_fs;
      bank.recovered = decision.done_fs + settings_.twr * period_;
    }
  }

  const DramSettings& settings_;
  std::uint64_t period_;
  std::uint64_t burst_;
  std::vector<Bank> banks_;
  std::list<DramChannel::Transfer> waiting_;  // the oldest first
  std::uint64_t bus_free_ = 0;
  std::optional<std::uint64_t> last_activate_;
  std::optional<std::uint64_t> written_;  ///< end of the last written data
  bool last_write_ = false;
};

TEST(DramChannelModel, EveryTransferOnceAndNoTimingBroken) {
  constexpr std::uint64_t kTransfers = 2000;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + 40; ++seed) {
    SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const DramSettings settings = random_dram(random);
    DramModel model(settings);
    DramChannel channel(settings, kLineBytes);
    ASSERT_EQ(channel.burst_fs(), model.burst());
    std::uint64_t now = 0;
    std::uint64_t pushed = 0;
    std::uint64_t served = 0;
    while (pushed < kTransfers || served < pushed) {
      const auto push = [&] {
        const std::uint64_t address = random() % 512 * kLineBytes;
        const DramChannel::Transfer transfer{address, pushed++, random() % 3 == 0};
        model.push(transfer);
        channel.push(transfer);
      };
      while (channel.has_room() && pushed < kTransfers && random() % 3 != 0) {
        push();
        // A dirty victim goes along with a miss, beyond the last place too.
        if (random() % 2 == 0) push();
      }
      ASSERT_EQ(channel.waiting(), model.waiting());
      ASSERT_EQ(channel.empty(), model.waiting() == 0);
      if (channel.empty()) {
        now += random() % 100 * model.period();
        continue;
      }
      const DramChannel::Decision decision = channel.decide(now);
      ASSERT_NO_FATAL_FAILURE(model.decide(decision, now));
      ++served;
      now = std::max(decision.next_fs, now) + random() % 3 * model.period();
    }
    EXPECT_TRUE(channel.empty());
    EXPECT_EQ(channel.queued_writes(), 0U);
  }
}

}  // namespace
}  // namespace paws::memory
