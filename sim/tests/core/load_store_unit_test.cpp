// SPDX-License-Identifier: MIT
// Random memory instructions through load-store units on random memory systems: one MSHR, one
// store, an L1 of one line, a crossbar and an L2 that push back.
//
// Every load is delivered once and never sooner than a hit, every store is acknowledged once, the
// bounds of MSHRs and stores hold in every cycle, and what the statistics count adds up.
#include "sim/core/load_store_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "sim/memory/memory_system.h"

namespace paws::core {
namespace {

using Kind = LoadStoreUnit::Kind;

std::uint64_t first_seed() {
  const char* given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20150318;
}

constexpr unsigned kWarps = 8;
constexpr unsigned kStall = 200'000;  // cycles without an answer that no configuration takes

template <typename T>
T of(std::mt19937_64& random, std::initializer_list<T> values) {
  return values.begin()[random() % values.size()];
}

GpuConfig random_gpu(std::mt19937_64& random) {
  GpuConfig gpu = load_gpu("m2090");
  gpu.cores = of(random, {1U, 3U});
  gpu.core.memory_queue = of(random, {1U, 2U, 8U});
  gpu.core.memory_interval = of(random, {1U, 2U});
  gpu.core.shared_latency = of(random, {1U, 24U});
  gpu.l1.ways = of(random, {1U, 2U, 4U});
  gpu.l1.bytes = gpu.l1.ways * memory::kLineBytes * of(random, {1U, 3U, 16U});
  gpu.l1.latency = of(random, {1U, 44U});
  gpu.l1.mshrs = of(random, {1U, 2U, 64U});
  gpu.l1.mshr_merges = of(random, {1U, 8U});
  gpu.l1.stores = of(random, {1U, 2U, 64U});
  gpu.l1.store_keeps = random() % 2 == 0;
  gpu.l1.tag_banks = of(random, {1U, 2U, 4U});
  gpu.texture.line_bytes = of(random, {32U, 64U, 128U});
  gpu.texture.ways = of(random, {1U, 4U});
  gpu.texture.bytes = gpu.texture.ways * gpu.texture.line_bytes * of(random, {1U, 3U, 16U});
  gpu.texture.latency = of(random, {1U, 44U, 211U});
  gpu.texture.mshrs = of(random, {1U, 2U, 64U});
  gpu.interconnect.buffer_flits = of(random, {1U, 8U});
  gpu.interconnect.flit_bytes = of(random, {8U, 32U});
  gpu.interconnect.latency = of(random, {1U, 30U});
  gpu.l2.bytes = gpu.l2.slices * gpu.l2.ways * memory::kLineBytes * of(random, {1U, 64U});
  gpu.l2.mshrs = of(random, {1U, 256U});
  gpu.l2.mshr_merges = of(random, {1U, 16U});
  gpu.l2.queue = of(random, {1U, 64U});
  gpu.dram.queue = of(random, {1U, 64U});
  return gpu;
}

/// An instruction on its way.
struct Expected {
  std::uint32_t warp = 0;
  Kind kind = Kind::load;
  std::uint64_t earliest = 0;  ///< cycle in which its data can be there
};

/// A core that does nothing but access memory. The pc of an instruction is its number.
class Core : public LoadStoreClient {
 public:
  Core(const GpuConfig& gpu, std::uint32_t number, memory::Port& port, std::uint64_t seed,
       unsigned count)
      : gpu_(gpu),
        port_(port),
        unit_(gpu, port, *this, statistics_),
        random_(seed + number),
        left_(count),
        lines_(of<std::uint64_t>(random_, {2, 40, 2000})),
        local_share_(of<unsigned>(random_, {0, 0, 30})),
        only_loads_(random_() % 3 == 0) {}

  void cycle(std::uint64_t now) {
    now_ = now;
    while (port_.next_response() <= now) {
      unit_.respond(port_.take_response());
      last_progress_ = now;
    }
    unit_.step(now);
    EXPECT_LE(unit_.outstanding_loads(), gpu_.l1.mshrs + gpu_.texture.mshrs);
    EXPECT_LE(unit_.mshrs(), gpu_.l1.mshrs + gpu_.texture.mshrs);
    // A dirty line goes along with the access that evicts it, whatever the limit.
    if (local_share_ == 0) {
      EXPECT_LE(unit_.outstanding_stores(), gpu_.l1.stores);
    }
    if (left_ > 0 && unit_.has_room() && random_() % 3 != 0) issue(now);
  }

  [[nodiscard]] bool done() const {
    return left_ == 0 && !unit_.busy() && unit_.outstanding_loads() == 0 &&
           unit_.outstanding_stores() == 0 && loads_.empty() &&
           std::all_of(stores_.begin(), stores_.end(), [](unsigned each) { return each == 0; });
  }
  [[nodiscard]] bool stands(std::uint64_t now) const {
    return !done() && now > last_progress_ + kStall;
  }

  void check_counts() const {
    const CoreStatistics& s = statistics_;
    EXPECT_EQ(s.requests, s.replies);
    EXPECT_EQ(s.l1_accesses, s.l1_hits + s.l1_misses + s.l1_pending_hits);
    EXPECT_EQ(s.l1_accesses, lookups_);
    EXPECT_EQ(s.bypass_transactions, bypassing_);
    EXPECT_EQ(s.atomic_transactions, atomics_);
    EXPECT_EQ(s.texture_accesses, s.texture_hits + s.texture_misses + s.texture_pending_hits);
    EXPECT_EQ(s.texture_accesses, fetched_);
    EXPECT_EQ(s.requests, s.l1_misses - s.l1_store_misses + s.texture_misses +
                              s.bypass_transactions + s.store_transactions + s.atomic_transactions);
    EXPECT_EQ(s.shared_accesses, shared_);
    if (local_share_ == 0) {
      EXPECT_EQ(s.store_transactions, s.l1_store_accesses);
    }
    EXPECT_EQ(unit_.mshrs(), 0U);
  }

  void load_done(std::uint32_t warp, std::uint32_t pc, std::uint32_t delay) override {
    done(warp, pc, delay, false);
  }
  void copy_done(std::uint32_t warp, std::uint32_t copy, std::uint32_t delay) override {
    done(warp, copy, delay, true);
  }
  void done(std::uint32_t warp, std::uint32_t name, std::uint32_t delay, bool copy) {
    const auto load = loads_.find(name);
    ASSERT_NE(load, loads_.end()) << "delivered twice, or never asked for";
    EXPECT_EQ(load->second.warp, warp);
    EXPECT_EQ(load->second.kind == Kind::copy, copy);
    EXPECT_GE(now_ + delay, load->second.earliest) << "sooner than a hit";
    loads_.erase(load);
    last_progress_ = now_;
  }
  void store_done(std::uint32_t warp) override {
    ASSERT_GT(stores_[warp], 0U) << "acknowledged twice, or never sent";
    --stores_[warp];
    last_progress_ = now_;
  }

 private:
  void issue(std::uint64_t now) {
    --left_;
    const auto warp = static_cast<std::uint32_t>(random_() % kWarps);
    const std::uint32_t pc = left_;
    exec::Outcome outcome;
    outcome.memory = true;
    outcome.space = ir::Space::global;
    const unsigned share = random_() % 100;
    if (share < 15) outcome.space = ir::Space::shared;
    if (share >= 15 && share < 15 + local_share_) outcome.space = ir::Space::local;
    Kind kind = Kind::load;
    if (!only_loads_) {
      kind = of(random_, {Kind::load, Kind::load, Kind::store, Kind::atomic, Kind::reduction});
    }
    if (outcome.space == ir::Space::local && kind != Kind::load) kind = Kind::store;
    if (outcome.space == ir::Space::global && kind == Kind::load) {
      kind = of(random_, {Kind::load, Kind::load, Kind::copy, Kind::fetch});
    }
    const bool atomic = kind == Kind::atomic || kind == Kind::reduction;
    outcome.bytes = atomic ? 4 : of<std::uint8_t>(random_, {1, 4, 8, 16});
    outcome.store = kind != Kind::load && kind != Kind::copy && kind != Kind::fetch;
    outcome.active = of<exec::LaneMask>(random_, {0xffff'ffff, 0xffff'ffff, 1, 0, 0xf0f0'1234});
    const std::uint64_t stride = of<std::uint64_t>(random_, {0, 4, 16, 128, 132, 4096});
    const std::uint64_t base = random_() % lines_ * memory::kLineBytes + random_() % 8 * 16;
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      const std::uint64_t space = outcome.space == ir::Space::global ? lines_ * 4096 : 4096;
      const std::uint64_t address = (base + lane * stride) % space;
      outcome.addresses[lane] = address / outcome.bytes * outcome.bytes;
    }
    if (kind == Kind::fetch) outcome.texels.push_back(outcome.addresses);
    const bool bypass = kind == Kind::load && outcome.space == ir::Space::global && share > 90;
    const std::uint64_t local_base = (std::uint64_t{1} << 40) + (warp << 20);
    expect(outcome, warp, pc, kind, bypass, local_base, now);
    unit_.push({0, warp}, pc, {0, pc}, kind, bypass, outcome, local_base, now);
  }

  void expect(const exec::Outcome& outcome, std::uint32_t warp, std::uint32_t pc, Kind kind,
              bool bypass, std::uint64_t local_base, std::uint64_t now) {
    const bool shared = outcome.space == ir::Space::shared;
    if (kind == Kind::fetch) {
      loads_[pc] = {warp, kind, now + 1 + gpu_.texture.latency};
      std::set<std::uint64_t> lines;
      for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
        if ((outcome.active >> lane & 1) == 0) continue;
        lines.insert(outcome.addresses[lane] / gpu_.texture.line_bytes);
      }
      fetched_ += lines.size();
      return;
    }
    if (kind == Kind::load || kind == Kind::copy || kind == Kind::atomic) {
      loads_[pc] = {warp, kind, now + 1 + (shared ? gpu_.core.shared_latency : gpu_.l1.latency)};
      // An atomic of the L2 takes a crossing at least.
      if (kind == Kind::atomic && !shared) loads_[pc].earliest = now + 1;
    } else {
      ++stores_[warp];
    }
    if (shared) {
      ++shared_;
      return;
    }
    const std::uint64_t lines = lines_of(outcome, local_base);
    if (bypass) {
      bypassing_ += lines;
    } else if (kind == Kind::load || kind == Kind::copy || kind == Kind::store) {
      lookups_ += lines;
    } else {
      atomics_ += lines;
    }
  }

  /// Lines that the active lanes touch; of local memory, word by word: neighbouring lanes' words
  /// lie side by side.
  static std::uint64_t lines_of(const exec::Outcome& outcome, std::uint64_t local_base) {
    const bool local = outcome.space == ir::Space::local;
    std::uint64_t count = 0;
    const unsigned words = local ? std::max(1, outcome.bytes / 4) : 1;
    for (unsigned word = 0; word < words; ++word) {
      std::set<std::uint64_t> lines;
      for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
        if ((outcome.active >> lane & 1) == 0) continue;
        const std::uint64_t address = outcome.addresses[lane];
        if (local) {
          lines.insert(local_base / memory::kLineBytes + address / 4 + word);
        } else {
          lines.insert(address / memory::kLineBytes);
          lines.insert((address + outcome.bytes - 1) / memory::kLineBytes);
        }
      }
      count += lines.size();
    }
    return count;
  }

  const GpuConfig& gpu_;
  memory::Port& port_;
  CoreStatistics statistics_;
  LoadStoreUnit unit_;
  std::mt19937_64 random_;
  unsigned left_;
  std::uint64_t lines_;
  unsigned local_share_;  // of a hundred instructions
  bool only_loads_;
  std::uint64_t now_ = 0;
  std::uint64_t last_progress_ = 0;
  std::map<std::uint32_t, Expected> loads_;  // by pc, or number of a copy
  std::array<unsigned, kWarps> stores_{};    // without an acknowledgement, by warp
  std::uint64_t lookups_ = 0, fetched_ = 0, bypassing_ = 0, atomics_ = 0, shared_ = 0;
};

/// Counts nothing: for tests that look at the statistics.
class Deaf : public LoadStoreClient {
 public:
  void load_done(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  void copy_done(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  void store_done(std::uint32_t) override {}
};

/// Cycles from a load of 32 lanes to the next, equal one, both of which hit the L1.
class LoadCycles : public LoadStoreClient {
 public:
  explicit LoadCycles(const GpuConfig& gpu)
      : memory_(gpu), unit_(gpu, memory_.port(0), *this, statistics_) {}

  std::uint64_t of(std::uint8_t bytes, unsigned stride, ir::Space space = ir::Space::global) {
    exec::Outcome outcome;
    outcome.active = ~exec::LaneMask{0};
    outcome.bytes = bytes;
    outcome.space = space;
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) outcome.addresses[lane] = lane * stride;
    run(outcome);  // brings the lines
    done_.clear();
    unit_.push({}, 0, {}, Kind::load, false, outcome, 1 << 20, now_);
    run(outcome);
    return done_.back() - done_.front();
  }

  void load_done(std::uint32_t, std::uint32_t, std::uint32_t delay) override {
    done_.push_back(now_ + delay);
  }
  void copy_done(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  void store_done(std::uint32_t) override {}

 private:
  void run(const exec::Outcome& outcome) {
    unit_.push({}, 0, {}, Kind::load, false, outcome, 1 << 20, now_);
    for (const std::uint64_t end = now_ + 3000; now_ < end; ++now_) {
      memory_.exchange();
      memory_.advance(now_);
      memory_.exchange();
      while (memory_.port(0).next_response() <= now_) {
        unit_.respond(memory_.port(0).take_response());
      }
      unit_.step(now_);
    }
  }

  memory::MemorySystem memory_;
  CoreStatistics statistics_;
  LoadStoreUnit unit_;
  std::uint64_t now_ = 0;
  std::vector<std::uint64_t> done_;
};

TEST(LoadStoreUnit, ALoadTakesItsLookUpsOrItsBankConflicts) {
  GpuConfig gpu = load_gpu("m2090");
  gpu.core.memory_interval = 1;
  const auto cycles = [&](std::uint8_t bytes, unsigned stride,
                          ir::Space space = ir::Space::global) {
    return LoadCycles(gpu).of(bytes, stride, space);
  };
  EXPECT_EQ(cycles(4, 4 * 3), 3U) << "a line in a cycle";
  EXPECT_EQ(cycles(4, 4 * 8), 8U);
  gpu.l1.tag_banks = 4;
  EXPECT_EQ(cycles(4, 4), 1U);
  EXPECT_EQ(cycles(4, 4 * 3), 1U) << "three lines, and every word in a bank of its own";
  EXPECT_EQ(cycles(4, 4 * 2), 2U) << "two words in a bank";
  EXPECT_EQ(cycles(4, 4 * 8), 8U) << "eight words in a bank";
  EXPECT_EQ(cycles(4, 4 * 9), 3U) << "nine lines";
  EXPECT_EQ(cycles(4, 4 * 32), 32U);
  EXPECT_EQ(cycles(4, 4 * 33), 8U) << "32 lines";
  EXPECT_EQ(cycles(8, 8), 2U) << "two words for each lane";
  EXPECT_EQ(cycles(4, 0), 1U);
  EXPECT_EQ(cycles(16, 16, ir::Space::local), 32U) << "128 lines, four in a cycle";
  EXPECT_EQ(cycles(16, 0, ir::Space::local), 4U) << "four lines, and four words in a lane's bank";
  gpu.core.memory_interval = 2;
  EXPECT_EQ(cycles(4, 4 * 8), 16U);
}

/// Accesses of one thread to one word, each when the one before has ended; what they count.
CoreStatistics one_after_another(const GpuConfig& gpu, std::initializer_list<Kind> kinds) {
  memory::MemorySystem memory(gpu);
  CoreStatistics statistics;
  Deaf client;
  LoadStoreUnit unit(gpu, memory.port(0), client, statistics);
  std::uint64_t now = 0;
  for (const Kind each : kinds) {
    exec::Outcome outcome;
    outcome.active = 1;
    outcome.bytes = 4;
    outcome.space = ir::Space::global;
    outcome.addresses[0] = 4096;
    unit.push({}, 0, {}, each, false, outcome, 0, now);
    for (const std::uint64_t end = now + 3000; now < end; ++now) {
      memory.exchange();
      memory.advance(now);
      memory.exchange();
      while (memory.port(0).next_response() <= now) unit.respond(memory.port(0).take_response());
      unit.step(now);
    }
  }
  return statistics;
}

TEST(LoadStoreUnit, AStoreMayKeepItsLine) {
  GpuConfig gpu = load_gpu("m2090");
  gpu.l1.store_keeps = true;
  const CoreStatistics statistics =
      one_after_another(gpu, {Kind::store, Kind::load, Kind::store, Kind::load});
  EXPECT_EQ(statistics.store_transactions, 2U) << "written through";
  EXPECT_EQ(statistics.l1_store_misses, 1U) << "the first store brings no line";
  EXPECT_EQ(statistics.l1_misses - statistics.l1_store_misses, 1U);
  EXPECT_EQ(statistics.l1_hits, 2U);
}

TEST(LoadStoreUnit, WhoWritesALineDropsIt) {
  const GpuConfig gpu = load_gpu("m2090");
  for (const Kind kind : {Kind::load, Kind::store, Kind::atomic, Kind::reduction}) {
    const CoreStatistics statistics = one_after_another(gpu, {Kind::load, kind, Kind::load});
    const bool read_only = kind == Kind::load;
    EXPECT_EQ(statistics.l1_misses - statistics.l1_store_misses, read_only ? 1U : 2U);
    // A store that finds its line counts as a hit.
    EXPECT_EQ(statistics.l1_hits, read_only ? 2U : kind == Kind::store ? 1U : 0U);
  }
}

TEST(LoadStoreUnit, AnL1ThatIsFullIsNotAskedAgainBeforeAResponse) {
  GpuConfig gpu = load_gpu("m2090");
  gpu.l1.mshrs = 1;
  memory::MemorySystem memory(gpu);
  CoreStatistics statistics;
  Deaf client;
  LoadStoreUnit unit(gpu, memory.port(0), client, statistics);
  for (const std::uint64_t address : {4096U, 8192U}) {
    exec::Outcome outcome;
    outcome.active = 1;
    outcome.bytes = 4;
    outcome.space = ir::Space::global;
    outcome.addresses[0] = address;
    unit.push({}, 0, {}, Kind::load, false, outcome, 0, 0);
  }
  unit.step(1);
  const std::uint64_t tried = unit.next_step(1);
  unit.step(tried);
  EXPECT_EQ(statistics.l1_misses, 1U);
  EXPECT_EQ(unit.next_step(tried), std::numeric_limits<std::uint64_t>::max());
  std::uint64_t now = tried;
  while (memory.port(0).next_response() > now) {
    ASSERT_LT(++now, tried + 3000);
    memory.exchange();
    memory.advance(now);
    memory.exchange();
    unit.step(now);
    EXPECT_EQ(statistics.l1_misses, 1U);
  }
  unit.respond(memory.port(0).take_response());
  EXPECT_EQ(statistics.l1_reservation_fails, now - tried) << "as if tried in every cycle";
  unit.step(now);
  EXPECT_EQ(statistics.l1_misses, 2U);
}

class LoadStoreTraffic : public testing::TestWithParam<int> {};

TEST_P(LoadStoreTraffic, IsServedOnce) {
  constexpr unsigned kSystems = 10;
  constexpr unsigned kInstructions = 120;
  for (unsigned i = 0; i < kSystems && !HasFailure(); ++i) {
    const std::uint64_t seed = first_seed() + static_cast<unsigned>(GetParam()) * kSystems + i;
    SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const GpuConfig gpu = random_gpu(random);
    memory::MemorySystem memory(gpu);
    std::vector<std::unique_ptr<Core>> cores;
    for (std::uint32_t core = 0; core < gpu.cores; ++core) {
      cores.push_back(
          std::make_unique<Core>(gpu, core, memory.port(core), random(), kInstructions));
    }
    bool all_done = false;
    for (std::uint64_t now = 0; !all_done && !HasFailure(); ++now) {
      memory.exchange();
      memory.advance(now);
      memory.exchange();
      all_done = true;
      for (const auto& core : cores) {
        core->cycle(now);
        all_done = all_done && core->done();
        ASSERT_FALSE(core->stands(now)) << "nothing moves any more";
      }
    }
    for (const auto& core : cores) core->check_counts();
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, LoadStoreTraffic, testing::Range(0, 6));

}  // namespace
}  // namespace paws::core
