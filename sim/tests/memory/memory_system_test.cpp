// SPDX-License-Identifier: MIT
#include "sim/memory/memory_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/memory/clock.h"
#include "sim/memory/dram_channel.h"
#include "sim/memory/mshr_file.h"

namespace paws::memory {
namespace {

/// A memory system and the cycle that its cores are in, one cycle a window.
struct Machine {
  explicit Machine(const GpuConfig& gpu) : config(gpu), memory(gpu) {}

  /// Ends the cycle; what reaches core `c` in the next one is passed to `each(c, response)`.
  template <typename Each>
  void next_cycle(Each each) {
    memory.exchange();
    EXPECT_EQ(memory.advance(cycle + 1), cycle + 1);
    memory.exchange();
    ++cycle;
    for (std::uint32_t core = 0; core < config.cores; ++core) {
      Port& port = memory.port(core);
      port.listen(cycle);
      while (port.next_response() <= cycle) {
        EXPECT_EQ(port.next_response(), cycle);
        each(core, port.take_response());
      }
    }
  }

  /// Until nothing is under way; returns the number of responses.
  std::size_t drain() {
    std::size_t count = 0;
    bool busy = true;
    while (busy) {
      next_cycle([&count](std::uint32_t, const Response&) { ++count; });
      busy = memory.busy();
      for (std::uint32_t core = 0; core < config.cores; ++core) {
        busy =
            busy || memory.port(core).next_response() != std::numeric_limits<std::uint64_t>::max();
      }
    }
    return count;
  }

  /// Sends requests as fast as the ports take them, at most `window` of a core outstanding; returns
  /// the cycles until the last response.
  std::uint64_t stream(const std::vector<std::uint64_t>& lines, RequestKind kind, unsigned window) {
    const std::uint64_t first = cycle;
    std::size_t sent = 0;
    std::size_t done = 0;
    std::vector<unsigned> outstanding(config.cores, 0);
    while (done < lines.size()) {
      for (std::uint32_t core = 0; core < config.cores && sent < lines.size(); ++core) {
        Port& port = memory.port(core);
        if (outstanding[core] >= window || !port.can_send(cycle) || port.stopped(lines[sent])) {
          continue;
        }
        port.send({kind, core, lines[sent], kLineBytes, 1, static_cast<std::uint32_t>(sent)},
                  cycle);
        ++outstanding[core];
        ++sent;
      }
      next_cycle([&](std::uint32_t core, const Response&) {
        ++done;
        --outstanding[core];
      });
    }
    return cycle - first;
  }

  std::uint64_t one_load(std::uint64_t line) { return stream({line}, RequestKind::load, 1); }

  [[nodiscard]] const Statistics& statistics() const { return memory.statistics(); }

  GpuConfig config;
  MemorySystem memory;
  std::uint64_t cycle = 0;
};

TEST(MemorySystem, WhatIsTouchedIsInTheL2) {
  for (const unsigned partitions : {1, 2}) {
    GpuConfig config = load_gpu("m2090");
    config.l2.partitions = partitions;
    config.l2.sectored = true;
    Machine machine(config);
    machine.memory.touch(0, {}, 0x10000, 1, false);
    machine.memory.touch(0, {}, 0x20000, kAllSectors, true);
    EXPECT_EQ(machine.statistics().requests, 0U);
    EXPECT_FALSE(machine.memory.busy());
    machine.one_load(0x20000);
    EXPECT_EQ(machine.statistics().dram_reads, 0U);
    machine.one_load(0x10000);  // all four sectors
    EXPECT_EQ(machine.statistics().dram_reads, 1U);
    machine.memory.touch(0, {}, 0x10000, kAllSectors, false);
    machine.one_load(0x10000);
    EXPECT_EQ(machine.statistics().dram_reads, 1U);
    EXPECT_EQ(machine.statistics().l2_accesses, 3U);
  }
}

TEST(MemorySystem, WhatIsTouchedByAStoreIsWrittenBack) {
  GpuConfig config = load_gpu("m2090");
  config.l2.bytes = std::uint64_t{config.l2.slices} * config.l2.ways * kLineBytes;  // a set each
  Machine machine(config);
  const std::uint64_t lines = config.l2.bytes / kLineBytes;
  for (std::uint64_t line = 0; line < lines; ++line) {
    machine.memory.touch(0, {}, line * kLineBytes, kAllSectors, true);
  }
  EXPECT_EQ(machine.statistics().l2_writebacks, 0U);
  machine.one_load(lines * kLineBytes);
  EXPECT_EQ(machine.statistics().l2_writebacks, 1U);
}

TEST(MemorySystem, WithoutAnL2NothingIsTouched) {
  GpuConfig config = load_gpu("m2090");
  config.l2.bytes = 0;
  Machine machine(config);
  machine.memory.touch(0, {}, 0x10000, kAllSectors, false);
  machine.one_load(0x10000);
  EXPECT_EQ(machine.statistics().dram_reads, 1U);
}

TEST(MemorySystem, UnloadedLatenciesAreThoseOfThePreset) {
  const GpuConfig config = load_gpu("m2090");
  Machine machine(config);
  // Andersch et al. 2015, GF106: 685 core cycles to DRAM, 310 to the L2, both load to use. Of
  // these about 5 are the core's.
  EXPECT_NEAR(static_cast<double>(machine.one_load(0)), 680, 20);
  EXPECT_NEAR(static_cast<double>(machine.one_load(0)), 305, 10);
}

TEST(MemorySystem, StreamingReadsComeNearThePeakBandwidth) {
  const GpuConfig config = load_gpu("m2090");
  Machine machine(config);
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 60000; ++i) lines.push_back(i * kLineBytes);
  const std::uint64_t cycles = machine.stream(lines, RequestKind::load, 64);
  const double seconds = static_cast<double>(cycles) / (config.core.clock_mhz * 1e6);
  const double bandwidth = static_cast<double>(lines.size() * kLineBytes) / seconds;
  const double peak =
      config.dram.clock_mhz * 1e6 * config.dram.channels * config.dram.bytes_per_clock;
  EXPECT_LT(bandwidth, peak);
  EXPECT_GT(bandwidth, 0.85 * peak);
}

TEST(MemorySystem, StreamingWritesStayBelowThePeakBandwidth) {
  const GpuConfig config = load_gpu("m2090");
  // Stores are acknowledged by the L2, which takes them faster than DRAM: its queue must hold them.
  auto cycles = [&](std::uint64_t count) {
    Machine machine(config);
    std::vector<std::uint64_t> lines;
    for (std::uint64_t i = 0; i < count; ++i) lines.push_back(i * kLineBytes);
    return machine.stream(lines, RequestKind::store, 64);
  };
  const double seconds =
      static_cast<double>(cycles(60000) - cycles(20000)) / (config.core.clock_mhz * 1e6);
  const double peak =
      config.dram.clock_mhz * 1e6 * config.dram.channels * config.dram.bytes_per_clock;
  EXPECT_LT(40000 * kLineBytes / seconds, 1.01 * peak);  // what the queues hold differs a little
}

TEST(MemorySystem, ScatteredReadsLoseBandwidthToRowConflicts) {
  const GpuConfig config = load_gpu("m2090");
  std::vector<std::uint64_t> ordered;
  std::vector<std::uint64_t> scattered;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    ordered.push_back(i * kLineBytes);
    scattered.push_back(i * 2654435761U % (1U << 30) / kLineBytes * kLineBytes);
  }
  Machine first(config);
  const std::uint64_t fast = first.stream(ordered, RequestKind::load, 64);
  Machine second(config);
  const std::uint64_t slow = second.stream(scattered, RequestKind::load, 64);
  // A row every tRRD, 6 clocks, instead of a line every 4; both lose a little more.
  EXPECT_GT(slow, fast * 5 / 4);
  EXPECT_LT(second.statistics().dram_row_hits, first.statistics().dram_row_hits);
}

TEST(MemorySystem, LoadsOfOneLineAreFetchedOnce) {
  const GpuConfig config = load_gpu("m2090");
  Machine machine(config);
  machine.stream(std::vector<std::uint64_t>(10, 0), RequestKind::load, 1);
  EXPECT_EQ(machine.statistics().dram_reads, 1U);
  EXPECT_EQ(machine.statistics().l2_misses, 1U);
  EXPECT_EQ(machine.statistics().l2_pending_hits, 9U);
}

TEST(MemorySystem, StoresReachDramOnlyWhenEvicted) {
  const GpuConfig config = load_gpu("m2090");
  Machine machine(config);
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 100; ++i) lines.push_back(i * kLineBytes);
  machine.stream(lines, RequestKind::store, 64);
  EXPECT_EQ(machine.statistics().dram_writes, 0U);
  for (std::uint64_t i = 100; i < 20000; ++i) lines.push_back(i * kLineBytes);
  machine.stream(lines, RequestKind::store, 64);
  machine.drain();
  EXPECT_EQ(machine.statistics().dram_writes, machine.statistics().l2_writebacks);
  EXPECT_GT(machine.statistics().l2_writebacks, 20000 - config.l2.bytes / kLineBytes - 1000);
}

/// What reaches DRAM when there is no L2.
TEST(MemorySystem, WithoutAnL2EverythingGoesToDram) {
  GpuConfig config = load_gpu("m2090");
  config.cores = 2;
  config.l2.bytes = 0;
  Machine machine(config);
  // The second core's load waits for the line on its way; later nothing is there any more.
  machine.memory.port(0).send({RequestKind::load, 0, 0, kLineBytes, 1, 0}, machine.cycle);
  machine.memory.port(1).send({RequestKind::load, 1, 0, kLineBytes, 1, 0}, machine.cycle);
  EXPECT_EQ(machine.drain(), 2U);
  EXPECT_EQ(machine.memory.statistics().dram_reads, 1U);
  EXPECT_EQ(machine.memory.statistics().l2_pending_hits, 1U);
  machine.memory.port(0).send({RequestKind::load, 0, 0, kLineBytes, 1, 0}, machine.cycle);
  machine.memory.port(0).send({RequestKind::store, 0, 0, kLineBytes, 1, 0}, machine.cycle);
  EXPECT_EQ(machine.drain(), 2U);
  EXPECT_EQ(machine.memory.statistics().dram_reads, 2U);
  EXPECT_EQ(machine.memory.statistics().dram_writes, 1U);
  // Operations on a line that is on its way are done on it, and it is written once.
  machine.memory.port(0).send({RequestKind::atomic, 0, 0, 32, 1, 0}, machine.cycle);
  machine.memory.port(1).send({RequestKind::reduction, 1, 0, 32, 1, 0}, machine.cycle);
  EXPECT_EQ(machine.drain(), 2U);
  EXPECT_EQ(machine.memory.statistics().dram_reads, 3U);
  EXPECT_EQ(machine.memory.statistics().dram_writes, 2U);
  EXPECT_EQ(machine.memory.statistics().l2_hits, 0U);
  EXPECT_EQ(machine.memory.statistics().l2_accesses, 6U);
}

TEST(MemorySystem, ContendedAtomicsTakeTheirTurn) {
  const GpuConfig config = load_gpu("m2090");
  auto cycles = [&](std::uint32_t conflicts) {
    Machine machine(config);
    for (std::uint32_t i = 0; i < 16; ++i) {
      machine.memory.port(i).send({RequestKind::atomic, i, 0, 32, conflicts, i}, 0);
    }
    EXPECT_EQ(machine.drain(), 16U);
    return machine.cycle;
  };
  // 31 more operations per request, two core cycles per interconnect cycle; the first fetch of the
  // line hides a part of them.
  EXPECT_GT(cycles(32), cycles(1) + 16 * 31 * 2 * config.l2.atomic_interval / 3);
}

TEST(MemorySystem, AtomicsMakeTheirLinesDirty) {
  GpuConfig config = load_gpu("m2090");
  config.l2.ways = 1;
  config.l2.bytes = config.l2.slices * kLineBytes;  // a line a slice
  for (const RequestKind kind : {RequestKind::atomic, RequestKind::reduction}) {
    for (const bool hit : {false, true}) {
      Machine machine(config);
      const Crossbar crossbar(config);
      std::uint64_t other = kLineBytes;
      while (crossbar.slice_of(other) != crossbar.slice_of(0)) other += kLineBytes;
      if (hit) machine.one_load(0);
      machine.stream({0}, kind, 1);
      machine.one_load(other);
      machine.drain();
      EXPECT_EQ(machine.statistics().l2_writebacks, 1U);
      EXPECT_EQ(machine.statistics().dram_writes, 1U);
    }
  }
}

TEST(MemorySystem, EveryRequestIsAnswered) {
  const GpuConfig config = load_gpu("m2090");
  Machine machine(config);
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 5000; ++i) lines.push_back(i * 7919 % 4096 * kLineBytes);
  machine.stream(lines, RequestKind::load, 32);
  machine.stream(lines, RequestKind::store, 32);
  EXPECT_EQ(machine.statistics().requests, 10000U);
  EXPECT_EQ(machine.statistics().responses, 10000U);
}

/// Lines of slice 0, all different.
std::vector<std::uint64_t> lines_of_one_slice(const GpuConfig& config, std::uint64_t count) {
  const Crossbar crossbar(config);
  std::vector<std::uint64_t> lines;
  for (std::uint64_t line = 0; lines.size() < count; line += kLineBytes) {
    if (crossbar.slice_of(line) == 0) lines.push_back(line);
  }
  return lines;
}

TEST(MemorySystem, AFullSliceStopsTheCoresInTime) {
  GpuConfig config = load_gpu("m2090");
  for (const unsigned queue : {1U, 16U, 64U}) {
    config.l2.queue = queue;
    Machine machine(config);
    // All cores at one slice, without a limit of their own.
    const std::vector<std::uint64_t> lines = lines_of_one_slice(config, 8000);
    machine.stream(lines, RequestKind::load, 100000);
    EXPECT_EQ(machine.statistics().responses, lines.size());
    // Beyond the queue there is what the cores send, one flit an interconnect cycle, until a signal
    // has crossed and what is under way has arrived.
    const std::uint64_t room = std::uint64_t{config.cores} *
                               (2 * config.interconnect.latency + config.interconnect.buffer_flits);
    EXPECT_GT(machine.statistics().l2_queue_peak, queue);
    EXPECT_LE(machine.statistics().l2_queue_peak, queue + room);
  }
}

TEST(MemorySystem, AStopIsHeardACrossingLater) {
  GpuConfig config = load_gpu("m2090");
  config.l2.queue = 1;
  Machine machine(config);
  // The last of eight waits for seven interconnect cycles: long enough to be heard of.
  const Crossbar crossbar(config);
  std::uint64_t elsewhere = 0;
  while (crossbar.slice_of(elsewhere) == crossbar.slice_of(0)) elsewhere += kLineBytes;
  for (std::uint32_t core = 0; core < 8; ++core) {
    machine.memory.port(core).send({RequestKind::load, core, 0, kLineBytes, 1, 0}, 0);
  }
  const double crossing =
      config.interconnect.latency * config.core.clock_mhz / config.interconnect.clock_mhz;
  while (!machine.memory.port(15).stopped(0) && machine.cycle < 1000) {
    machine.next_cycle([](std::uint32_t, const Response&) { FAIL() << "answered first"; });
  }
  EXPECT_NEAR(static_cast<double>(machine.cycle), 2 * crossing, 4);
  EXPECT_FALSE(machine.memory.port(15).stopped(elsewhere));
}

TEST(MemorySystem, TheDramQueueIsBounded) {
  GpuConfig config = load_gpu("m2090");
  for (const unsigned queue : {1U, 16U}) {
    config.dram.queue = queue;
    Machine machine(config);
    const std::vector<std::uint64_t> lines = lines_of_one_slice(config, 6000);
    machine.stream(lines, RequestKind::store, 100000);
    machine.stream(lines, RequestKind::load, 100000);
    EXPECT_EQ(machine.statistics().responses, 2 * lines.size());
    EXPECT_GT(machine.statistics().l2_writebacks, 1000U);
    EXPECT_GE(machine.statistics().dram_queue_peak, queue);
    EXPECT_LE(machine.statistics().dram_queue_peak, queue + 1);
  }
}

/// Cores and advance() may run on threads of their own for as long as no answer depends on the
/// windows.
void expect_no_difference_by_window(const GpuConfig& config) {
  auto answers = [&config](std::uint64_t window) {
    MemorySystem memory(config);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> seen;
    const std::uint64_t last = 4000 / window * window;
    for (std::uint64_t start = 0; start < last + 4000; start += window) {
      memory.exchange();
      memory.advance(start);
      memory.exchange();
      for (std::uint32_t core = 0; core < config.cores; ++core) {
        Port& port = memory.port(core);
        for (std::uint64_t cycle = start; cycle < start + window; ++cycle) {
          while (port.next_response() == cycle) seen.emplace_back(cycle, port.take_response().tag);
          const std::uint64_t line = (cycle * 7919 + core * 104729) % 4096 * kLineBytes;
          port.listen(cycle);
          if (cycle >= 3000 || (cycle + core) % 3 != 0 || !port.can_send(cycle) ||
              port.stopped(line)) {
            continue;
          }
          const auto kind = static_cast<RequestKind>((cycle + core) % 4);
          port.send({kind, core, line, 32, 1, static_cast<std::uint32_t>(cycle)}, cycle);
        }
      }
    }
    std::sort(seen.begin(), seen.end());
    return std::pair{seen, memory.statistics().load_latency};
  };
  const auto reference = answers(1);
  EXPECT_GT(reference.first.size(), 2500U);
  for (const std::uint64_t window : {2U, 7U, 32U, 61U}) EXPECT_EQ(answers(window), reference);
}

TEST(MemorySystem, HowOftenItIsAdvancedChangesNothing) {
  GpuConfig config = load_gpu("m2090");
  config.l2.queue = 8;
  expect_no_difference_by_window(config);
  config.l2.partitions = 2;
  config.l2.far_latency = 50;
  config.dram.twtr = 10;
  config.dram.twr = 19;
  expect_no_difference_by_window(config);
}

TEST(MshrFile, KeepsWhoWaitsForEachLine) {
  MshrFile mshrs;
  MshrFile::Waiting waiting;
  mshrs.add(128, 1);
  mshrs.add(256, 2);
  mshrs.add(384, 3);
  mshrs.find(128)->push_back(4);
  EXPECT_EQ(mshrs.find(512), nullptr);
  mshrs.take(128, waiting);
  EXPECT_EQ(waiting, (MshrFile::Waiting{1, 4}));
  EXPECT_EQ(mshrs.size(), 2U);
  EXPECT_EQ(mshrs.find(128), nullptr);
  mshrs.add(128, 5);
  for (const auto& [line, first] :
       {std::pair{256U, 2U}, std::pair{384U, 3U}, std::pair{128U, 5U}}) {
    EXPECT_EQ(*mshrs.find(line), MshrFile::Waiting{first});
    mshrs.take(line, waiting);
    EXPECT_EQ(waiting, MshrFile::Waiting{first});
  }
  EXPECT_EQ(mshrs.size(), 0U);
}

TEST(DramChannel, RowHitsGoFirstAndFaster) {
  const DramSettings settings = load_gpu("m2090").dram;
  DramChannel channel(settings, kLineBytes);
  const std::uint64_t other_row = std::uint64_t{settings.row_bytes} * settings.banks * 17;
  channel.push({0, 0, false});
  const auto first = channel.decide(0);
  EXPECT_FALSE(first.row_hit);
  channel.push({other_row, 1, false});
  channel.push({kLineBytes, 2, false});
  const auto second = channel.decide(first.next_fs);
  EXPECT_TRUE(second.row_hit);
  EXPECT_EQ(second.transfer.line, 2U);
  EXPECT_EQ(second.done_fs - first.done_fs, channel.burst_fs());
  EXPECT_EQ(channel.decide(second.next_fs).transfer.line, 1U);
  EXPECT_TRUE(channel.empty());
}

TEST(DramChannel, FirstComeFirstServed) {
  DramSettings settings = load_gpu("m2090").dram;
  settings.reorder = 1;
  DramChannel channel(settings, kLineBytes);
  const std::uint64_t other_row = std::uint64_t{settings.row_bytes} * settings.banks * 17;
  channel.push({0, 0, false});
  const auto first = channel.decide(0);
  channel.push({other_row, 1, false});
  channel.push({kLineBytes, 2, false});
  const auto second = channel.decide(first.next_fs);
  EXPECT_EQ(second.transfer.line, 1U);
  EXPECT_EQ(channel.decide(second.next_fs).transfer.line, 2U);
}

TEST(DramChannel, ABusyBankDoesNotHoldUpTheOthers) {
  const DramSettings settings = load_gpu("m2090").dram;
  DramChannel channel(settings, kLineBytes);
  // Two rows of one bank, then a row of another one.
  const std::uint64_t same_bank = std::uint64_t{settings.row_bytes} * settings.banks * 16;
  channel.push({0, 0, false});
  const auto first = channel.decide(0);
  channel.push({same_bank, 1, false});
  channel.push({settings.row_bytes, 2, false});
  const auto second = channel.decide(first.next_fs);
  EXPECT_EQ(second.transfer.line, 2U);
  const auto third = channel.decide(second.next_fs);
  EXPECT_EQ(third.transfer.line, 1U);
  // The bank of the first and the third opens a row every tRAS + tRP.
  EXPECT_EQ(third.done_fs - first.done_fs,
            (settings.tras + settings.trp) * period_fs(settings.clock_mhz));
}

TEST(DramChannel, TurningTheBusRoundCostsTime) {
  const DramSettings settings = load_gpu("m2090").dram;
  auto gap = [&](bool write) {
    DramChannel channel(settings, kLineBytes);
    channel.push({0, 0, false});
    channel.push({kLineBytes, 1, write});
    const auto first = channel.decide(0);
    return channel.decide(first.next_fs).done_fs - first.done_fs;
  };
  EXPECT_EQ(gap(true) - gap(false), settings.turnaround * period_fs(settings.clock_mhz));
}

/// Time from the end of a transfer to that of the next one, which is in row `row` of the same bank.
std::uint64_t gap(const DramSettings& settings, bool first_writes, bool second_writes,
                  std::uint64_t row) {
  DramChannel channel(settings, kLineBytes);
  channel.push({0, 0, first_writes});
  const std::uint64_t bank = row % settings.banks;  // row and bank are XORed
  channel.push({(row * settings.banks + bank) * settings.row_bytes + kLineBytes, 1, second_writes});
  const auto first = channel.decide(0);
  return channel.decide(first.next_fs).done_fs - first.done_fs;
}

TEST(DramChannel, AReadWaitsForTheWriteBefore) {
  DramSettings settings = load_gpu("m2090").dram;
  const std::uint64_t clock = period_fs(settings.clock_mhz);
  const std::uint64_t burst = gap(settings, true, true, 0);
  EXPECT_EQ(gap(settings, true, false, 0), burst + settings.turnaround * clock);
  settings.twtr = 10;
  EXPECT_EQ(gap(settings, true, false, 0), burst + (10 + settings.tcl) * clock);
  EXPECT_EQ(gap(settings, true, true, 0), burst) << "writes go on";
  EXPECT_EQ(gap(settings, false, true, 0), burst + settings.turnaround * clock) << "after a read";
}

TEST(DramChannel, ARowClosesWhenItsWriteHasRecovered) {
  DramSettings settings = load_gpu("m2090").dram;
  settings.tras = 0;
  const std::uint64_t clock = period_fs(settings.clock_mhz);
  const std::uint64_t write = gap(settings, true, true, 1);
  const std::uint64_t read = gap(settings, false, false, 1);
  settings.twr = 19;
  EXPECT_EQ(gap(settings, true, true, 1), write + 19 * clock);
  EXPECT_EQ(gap(settings, false, false, 1), read);
}

/// An L2 of two parts, with a core in each.
GpuConfig two_parts() {
  GpuConfig config = load_gpu("m2090");
  config.cores = 2;
  config.l2.partitions = 2;
  config.l2.far_latency = 50;
  check(config);
  return config;
}

/// Cycles that a request of `core` takes.
std::uint64_t one(Machine& machine, std::uint32_t core, RequestKind kind, std::uint64_t line) {
  const std::uint64_t sent = machine.cycle;
  machine.memory.port(core).send({kind, core, line, kLineBytes, 1, 0}, sent);
  bool done = false;
  while (!done) machine.next_cycle([&done](std::uint32_t, const Response&) { done = true; });
  return machine.cycle - sent;
}

TEST(L2Parts, TheFarPartTakesLongerOnce) {
  const GpuConfig config = two_parts();
  Machine machine(config);
  ASSERT_LT(Crossbar(config).slice_of(0), config.l2.slices / 2) << "home is the part of core 0";
  const double scale = config.core.clock_mhz / config.interconnect.clock_mhz;
  const double line = std::ceil((8.0 + kLineBytes) / config.interconnect.flit_bytes);
  const double far = (2 * config.l2.far_latency + config.l2.latency + line) * scale;
  const auto load = [&](std::uint32_t core) {
    return static_cast<double>(one(machine, core, RequestKind::load, 0));
  };
  const double dram = load(0);
  const double near = load(0);
  EXPECT_GT(dram, near + 100);
  EXPECT_NEAR(load(1), near + far, 2) << "from the far part";
  EXPECT_NEAR(load(1), near, 1) << "its copy";
  // A write drops the copy, whoever writes; the line itself stays.
  for (const std::uint32_t writer : {0U, 1U}) {
    for (const RequestKind kind : {RequestKind::store, RequestKind::atomic}) {
      one(machine, writer, kind, 0);
      EXPECT_NEAR(load(1), near + far, 2);
      EXPECT_NEAR(load(0), near, 1);
    }
  }
  EXPECT_EQ(machine.statistics().dram_fetches, 1U);
  EXPECT_EQ(machine.statistics().l2_misses, 1U);
  // Without a copy anywhere the far part asks DRAM.
  EXPECT_NEAR(static_cast<double>(one(machine, 1, RequestKind::load, 1U << 20)), dram + far, 40);
}

TEST(L2Parts, ACoreHasThePartsOfOneWithoutMisses) {
  GpuConfig config = two_parts();
  config.l2.bytes = config.l2.slices * config.l2.ways * kLineBytes * 16;
  const std::uint64_t part = config.l2.bytes / 2;
  // Goes round `bytes` of memory; the share of the second round that comes from DRAM, and the mean
  // latency.
  const auto round = [&](std::uint64_t bytes) {
    Machine machine(config);
    std::uint64_t cycles = 0;
    std::uint64_t fetches = 0;
    for (const bool again : {false, true}) {
      fetches = machine.statistics().dram_fetches;
      cycles = 0;
      for (std::uint64_t line = 0; line < bytes; line += kLineBytes) {
        cycles += one(machine, 0, RequestKind::load, line);
      }
      if (!again) continue;
      fetches = machine.statistics().dram_fetches - fetches;
    }
    const double lines = static_cast<double>(bytes) / kLineBytes;
    return std::pair(static_cast<double>(fetches) / lines, static_cast<double>(cycles) / lines);
  };
  const auto [fetched, near] = round(part);
  EXPECT_EQ(fetched, 0.0) << "a part holds its lines and copies of the others";
  const auto [half, middle] = round(2 * part * 3 / 4);
  EXPECT_NEAR(half, 0.5, 0.05) << "the far part holds its own lines";
  const auto [all, far] = round(4 * part);
  EXPECT_NEAR(all, 1.0, 0.05);
  EXPECT_LT(near * 1.3, middle);
  EXPECT_LT(middle * 1.1, far);
}

}  // namespace
}  // namespace paws::memory
