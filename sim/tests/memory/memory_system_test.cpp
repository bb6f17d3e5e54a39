#include "sim/memory/memory_system.h"

#include <gtest/gtest.h>

#include <limits>

#include "sim/memory/clock.h"
#include "sim/memory/dram_channel.h"

namespace paws::memory {
namespace {

/// Sends requests from one core as fast as its port takes them, at most `window` outstanding, and
/// returns the cycle of the last response.
std::uint64_t stream(const GpuConfig& config, MemorySystem& memory,
                     const std::vector<std::uint64_t>& lines, RequestKind kind, unsigned window,
                     std::uint64_t cycle) {
  std::vector<Response> responses;
  std::size_t sent = 0;
  std::size_t done = 0;
  std::vector<unsigned> outstanding(config.cores, 0);
  while (done < lines.size()) {
    for (std::uint32_t core = 0; core < config.cores && sent < lines.size(); ++core) {
      if (outstanding[core] >= window || !memory.can_send(core, cycle)) continue;
      memory.send({kind, core, lines[sent], kLineBytes, 1, static_cast<std::uint32_t>(sent)},
                  cycle);
      ++outstanding[core];
      ++sent;
    }
    ++cycle;
    responses.clear();
    memory.advance(cycle, responses);
    done += responses.size();
    for (const Response& response : responses) --outstanding[response.core];
  }
  return cycle;
}

std::uint64_t one_load(const GpuConfig& config, MemorySystem& memory, std::uint64_t line,
                       std::uint64_t cycle) {
  return stream(config, memory, {line}, RequestKind::load, 1, cycle) - cycle;
}

TEST(MemorySystem, UnloadedLatenciesAreThoseOfThePreset) {
  const GpuConfig config = load_gpu("m2090");
  MemorySystem memory(config);
  // Andersch et al. 2015, GF106: 685 core cycles to DRAM, 310 to the L2, both load to use. Of
  // these about 5 are the core's.
  EXPECT_NEAR(static_cast<double>(one_load(config, memory, 0, 0)), 680, 20);
  EXPECT_NEAR(static_cast<double>(one_load(config, memory, 0, 5000)), 305, 10);
}

TEST(MemorySystem, StreamingReadsComeNearThePeakBandwidth) {
  const GpuConfig config = load_gpu("m2090");
  MemorySystem memory(config);
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 60000; ++i) lines.push_back(i * kLineBytes);
  const std::uint64_t cycles = stream(config, memory, lines, RequestKind::load, 64, 0);
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
    MemorySystem memory(config);
    std::vector<std::uint64_t> lines;
    for (std::uint64_t i = 0; i < count; ++i) lines.push_back(i * kLineBytes);
    return stream(config, memory, lines, RequestKind::store, 64, 0);
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
  MemorySystem first(config);
  const std::uint64_t fast = stream(config, first, ordered, RequestKind::load, 64, 0);
  MemorySystem second(config);
  const std::uint64_t slow = stream(config, second, scattered, RequestKind::load, 64, 0);
  // A row every tRRD, 6 clocks, instead of a line every 4; both lose a little more.
  EXPECT_GT(slow, fast * 5 / 4);
  EXPECT_LT(second.statistics().dram_row_hits, first.statistics().dram_row_hits);
}

TEST(MemorySystem, LoadsOfOneLineAreFetchedOnce) {
  const GpuConfig config = load_gpu("m2090");
  MemorySystem memory(config);
  stream(config, memory, std::vector<std::uint64_t>(10, 0), RequestKind::load, 1, 0);
  EXPECT_EQ(memory.statistics().dram_reads, 1U);
  EXPECT_EQ(memory.statistics().l2_misses, 1U);
  EXPECT_EQ(memory.statistics().l2_pending_hits, 9U);
}

TEST(MemorySystem, StoresReachDramOnlyWhenEvicted) {
  const GpuConfig config = load_gpu("m2090");
  MemorySystem memory(config);
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 100; ++i) lines.push_back(i * kLineBytes);
  stream(config, memory, lines, RequestKind::store, 64, 0);
  EXPECT_EQ(memory.statistics().dram_writes, 0U);
  for (std::uint64_t i = 100; i < 20000; ++i) lines.push_back(i * kLineBytes);
  stream(config, memory, lines, RequestKind::store, 64, 100000);
  std::vector<Response> none;
  while (memory.next_event() != std::numeric_limits<std::uint64_t>::max()) {
    memory.advance(memory.next_event(), none);
  }
  EXPECT_EQ(memory.statistics().dram_writes, memory.statistics().l2_writebacks);
  EXPECT_GT(memory.statistics().l2_writebacks, 20000 - config.l2.bytes / kLineBytes - 1000);
}

TEST(MemorySystem, ContendedAtomicsTakeTheirTurn) {
  const GpuConfig config = load_gpu("m2090");
  auto cycles = [&](std::uint32_t conflicts) {
    MemorySystem memory(config);
    std::vector<Response> responses;
    for (std::uint32_t i = 0; i < 16; ++i) {
      memory.send({RequestKind::atomic, i, 0, 32, conflicts, i}, 0);
    }
    std::uint64_t last = 0;
    while (memory.next_event() != std::numeric_limits<std::uint64_t>::max()) {
      last = memory.next_event();
      memory.advance(last, responses);
    }
    EXPECT_EQ(responses.size(), 16U);
    return last;
  };
  // 31 more operations per request, two core cycles per interconnect cycle; the first fetch of the
  // line hides a part of them.
  EXPECT_GT(cycles(32), cycles(1) + 16 * 31 * 2 * config.l2.atomic_interval / 3);
}

TEST(MemorySystem, EveryRequestIsAnswered) {
  const GpuConfig config = load_gpu("m2090");
  MemorySystem memory(config);
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 5000; ++i) lines.push_back(i * 7919 % 4096 * kLineBytes);
  stream(config, memory, lines, RequestKind::load, 32, 0);
  stream(config, memory, lines, RequestKind::store, 32, 1000000);
  EXPECT_EQ(memory.statistics().requests, 10000U);
  EXPECT_EQ(memory.statistics().responses, 10000U);
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

}  // namespace
}  // namespace paws::memory
