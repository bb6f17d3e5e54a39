// SPDX-License-Identifier: MIT
// Random traffic through random memory systems: small caches, one MSHR, queues of one, one bank.
//
// Whatever the configuration: every request is answered once, at the core that sent it and with
// what it asked for; no answer comes sooner than the empty system's; requests of one core of one
// kind for one line are answered in the order sent; nothing stands still; what is counted adds up.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "sim/memory/clock.h"
#include "sim/memory/memory_system.h"

namespace paws::memory {
namespace {

std::uint64_t first_seed() {
  const char* given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20150318;
}

class Choice {
 public:
  explicit Choice(std::uint64_t seed) : random_(seed) {}
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[random_() % values.size()];
  }
  unsigned between(unsigned low, unsigned high) {
    return low + static_cast<unsigned>(random_() % (high - low + 1));
  }
  bool one_in(unsigned n) { return random_() % n == 0; }
  std::uint64_t bits() { return random_(); }

 private:
  std::mt19937_64 random_;
};

GpuConfig random_gpu(Choice& choice) {
  GpuConfig gpu = load_gpu("m2090");
  gpu.cores = choice.between(1, 6);
  gpu.core.clock_mhz = choice.of({100.0, 650.0, 1300.0, 1401.0});
  gpu.interconnect.clock_mhz = choice.of({100.0, 650.0, 1300.0});
  gpu.interconnect.latency = choice.of({1U, 2U, 7U, 30U});
  gpu.interconnect.flit_bytes = choice.of({8U, 32U, 136U});
  gpu.interconnect.buffer_flits = choice.of({1U, 2U, 8U, 64U});
  gpu.dram.channels = choice.between(1, 3);
  gpu.l2.slices = gpu.dram.channels * choice.between(1, 2);
  gpu.l2.ways = choice.between(1, 4);
  gpu.l2.bytes = gpu.l2.slices * gpu.l2.ways * kLineBytes * choice.of({1U, 2U, 5U, 16U});
  gpu.l2.mshrs = choice.of({1U, 2U, 4U, 32U});
  gpu.l2.mshr_merges = choice.of({1U, 2U, 16U});
  gpu.l2.queue = choice.of({1U, 2U, 8U, 64U});
  gpu.l2.latency = choice.of({1U, 10U, 87U});
  gpu.l2.interval = choice.between(1, 3);
  gpu.l2.atomic_interval = choice.of({1U, 9U});
  gpu.dram.clock_mhz = choice.of({100.0, 925.0});
  gpu.dram.queue = choice.of({1U, 2U, 8U, 64U});
  gpu.dram.banks = choice.of({1U, 2U, 16U});
  gpu.dram.row_bytes = choice.of({128U, 512U, 2048U});
  gpu.dram.bytes_per_clock = choice.of({8U, 32U, 128U});
  for (unsigned* time :
       {&gpu.dram.tcl, &gpu.dram.trp, &gpu.dram.trcd, &gpu.dram.tras, &gpu.dram.trrd,
        &gpu.dram.turnaround, &gpu.dram.fixed_latency, &gpu.dram.twtr, &gpu.dram.twr}) {
    *time = choice.of({0U, 1U, 12U, 28U});
  }
  gpu.noise.seed = choice.of({0U, 0U, 7U});
  gpu.noise.dram_jitter = choice.of({1U, 100U});
  if (gpu.l2.slices % 2 == 0) gpu.l2.partitions = choice.between(1, 2);
  gpu.l2.far_latency = choice.of({1U, 50U});
  check(gpu);
  return gpu;
}

/// What the cores send. A pattern without pauses fills every queue that can fill.
struct Pattern {
  std::uint64_t lines;        ///< in use
  std::uint64_t stride;       ///< of lines
  unsigned pause;             ///< a core sends in one of so many cycles
  unsigned window;            ///< outstanding requests of a core
  std::vector<unsigned> mix;  ///< shares of the kinds of requests
};

Pattern random_pattern(Choice& choice) {
  Pattern pattern;
  pattern.lines = choice.of<std::uint64_t>({1, 7, 64, 4096});
  pattern.stride = choice.of<std::uint64_t>({1, 2, 12, 97});
  pattern.pause = choice.of({1U, 1U, 3U, 20U});
  pattern.window = choice.of({1U, 4U, 64U, 1000U});
  // Loads, stores, atomics, reductions, instructions.
  pattern.mix = choice.of<std::vector<unsigned>>(
      {{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {4, 3, 1, 1, 1}, {1, 1, 0, 0, 0}, {0, 0, 1, 1, 0}});
  return pattern;
}

struct Outstanding {
  Request request;
  std::uint64_t cycle;
};

struct Answer {
  std::uint64_t cycle;
  std::uint32_t core;
  std::uint32_t tag;
  auto operator<=>(const Answer&) const = default;
};

/// Which cores have asked for a line so far.
struct Touched {
  std::uint32_t first_core = 0;
  bool others = false;
};
using TouchedLines = std::map<std::uint64_t, Touched>;

/// One core's random traffic. It depends on the seed and the answers alone, not on when they are
/// fetched.
class Sender {
 public:
  Sender(std::uint64_t seed, std::uint32_t core, const GpuConfig& gpu, const Pattern& pattern,
         unsigned count)
      : choice_(seed + core),
        core_(core),
        crossbar_(gpu),
        gpu_(gpu),
        pattern_(pattern),
        left_(count) {}

  [[nodiscard]] bool done() const { return left_ == 0 && outstanding_.empty(); }
  [[nodiscard]] bool all_sent() const { return left_ == 0; }

  void cycle(Port& port, std::uint64_t now, TouchedLines& touched) {
    port.listen(now);
    while (port.next_response() <= now) answer(port.take_response(), now, touched);
    // Drawn in every cycle, so that a refusal changes nothing but the time.
    const bool wants = choice_.one_in(pattern_.pause);
    if (!next_) next_ = draw();
    if (left_ == 0 || !wants || outstanding_.size() >= pattern_.window || !port.can_send(now) ||
        port.stopped(next_->line)) {
      return;
    }
    next_->tag = static_cast<std::uint32_t>(sent_.size());
    const auto [line, is_new] = touched.try_emplace(next_->line, Touched{core_});
    line->second.others |= line->second.first_core != core_;
    first_touch_.push_back(is_new);
    sent_.push_back({*next_, now});
    outstanding_.insert(next_->tag);
    order_[{next_->kind, next_->line}].push_back(next_->tag);
    port.send(*next_, now);
    next_.reset();
    --left_;
  }

  std::vector<Answer> answers;
  std::map<RequestKind, std::uint64_t> replies;  ///< answers by kind
  std::map<RequestKind, std::uint64_t> latency;  ///< their latencies, summed
  std::uint64_t last_answer = 0;

 private:
  Request draw() {
    Request request;
    request.kind = RequestKind::load;
    unsigned total = 0;
    for (const unsigned share : pattern_.mix) total += share;
    unsigned at = choice_.between(0, total - 1);
    for (unsigned kind = 0; kind < pattern_.mix.size(); ++kind) {
      if (at < pattern_.mix[kind]) {
        request.kind = static_cast<RequestKind>(kind);
        break;
      }
      at -= pattern_.mix[kind];
    }
    request.line = choice_.bits() % pattern_.lines * pattern_.stride * kLineBytes;
    request.bytes = 32 * choice_.between(1, 4);
    request.conflicts = choice_.between(1, 32);
    return request;
  }

  void answer(const Response& response, std::uint64_t now, const TouchedLines& touched) {
    EXPECT_EQ(response.cycle, now) << "an answer that was not announced";
    ASSERT_LT(response.tag, sent_.size()) << "an answer to nothing";
    ASSERT_EQ(outstanding_.erase(response.tag), 1U) << "answered twice, or at the wrong core";
    const Outstanding& sent = sent_[response.tag];
    EXPECT_EQ(response.kind, sent.request.kind);
    EXPECT_EQ(response.line, sent.request.line);
    EXPECT_GE(crossbar_.time_of(now), crossbar_.time_of(sent.cycle) + bound(response.tag, touched));
    std::deque<std::uint32_t>& queue = order_[{response.kind, response.line}];
    EXPECT_EQ(queue.front(), response.tag) << "out of order for one line";
    queue.erase(std::find(queue.begin(), queue.end(), response.tag));
    answers.push_back({now, core_, response.tag});
    ++replies[response.kind];
    latency[response.kind] += now - sent.cycle;
    last_answer = now;
  }

  /// The time that an answer takes at least, in femtoseconds.
  [[nodiscard]] std::uint64_t bound(std::uint32_t tag, const TouchedLines& touched) const {
    const Request& request = sent_[tag].request;
    const bool read = request.kind == RequestKind::load || request.kind == RequestKind::instruction;
    const std::uint64_t noc = period_fs(gpu_.interconnect.clock_mhz);
    const std::uint64_t dram = period_fs(gpu_.dram.clock_mhz);
    const auto flits = [&](std::uint64_t payload) {
      return (8 + payload + gpu_.interconnect.flit_bytes - 1) / gpu_.interconnect.flit_bytes * noc;
    };
    std::uint64_t reply = 0;
    if (request.kind == RequestKind::load) reply = kLineBytes;
    if (request.kind == RequestKind::atomic || request.kind == RequestKind::instruction) {
      reply = request.bytes;
    }
    std::uint64_t time = flits(read ? 0 : request.bytes) + flits(reply) +
                         (2 * gpu_.interconnect.latency + gpu_.l2.latency) * noc;
    // Another core's request, though sent later, may have come to the slice before.
    if (first_touch_[tag] && !touched.at(request.line).others &&
        request.kind != RequestKind::store) {
      time += (gpu_.dram.tcl + gpu_.dram.fixed_latency) * dram +
              (kLineBytes + gpu_.dram.bytes_per_clock - 1) / gpu_.dram.bytes_per_clock * dram;
    }
    return time;
  }

  Choice choice_;
  std::uint32_t core_;
  Crossbar crossbar_;
  const GpuConfig& gpu_;
  const Pattern& pattern_;
  unsigned left_;
  std::optional<Request> next_;
  std::vector<Outstanding> sent_;  // by tag
  std::vector<bool> first_touch_;  // by tag: no request for the line came before
  std::set<std::uint32_t> outstanding_;
  std::map<std::pair<RequestKind, std::uint64_t>, std::deque<std::uint32_t>> order_;
};

struct Outcome {
  std::vector<Answer> answers;
  Statistics statistics;
};

using Senders = std::vector<Sender>;

bool all_done(const Senders& senders) {
  return std::all_of(senders.begin(), senders.end(), [](const Sender& s) { return s.done(); });
}

std::uint64_t last_answer(const Senders& senders) {
  std::uint64_t last = 0;
  for (const Sender& sender : senders) last = std::max(last, sender.last_answer);
  return last;
}

/// Lets the cores send until all requests are answered or nothing moves any more, in windows of
/// `window` cycles; 0: random ones.
void drive(MemorySystem& memory, const GpuConfig& gpu, Senders& senders, TouchedLines& touched,
           std::uint64_t seed, std::uint64_t window) {
  std::mt19937_64 windows(seed);
  // The slowest of these systems answers a request every few thousand cycles.
  constexpr std::uint64_t kPatience = 1'000'000;
  std::uint64_t now = 0;
  while (!all_done(senders) && now < last_answer(senders) + kPatience &&
         !testing::Test::HasFailure()) {
    const std::uint64_t cycles =
        window != 0 ? std::min(window, memory.round_trip()) : 1 + windows() % memory.round_trip();
    // When no core sends any more, the memory system may run until it wakes a core.
    const bool all_sent = std::all_of(senders.begin(), senders.end(),
                                      [](const Sender& sender) { return sender.all_sent(); });
    const std::uint64_t sure = now + (all_sent ? cycles : 0);
    memory.exchange();
    const std::uint64_t woken = memory.advance(sure);
    memory.exchange();
    EXPECT_GE(woken, now);
    const Residue residue = memory.residue();
    // What the other part passes on needs no MSHR of those that count.
    EXPECT_LE(residue.l2_mshrs, std::uint64_t{gpu.l2.mshrs} * gpu.l2.slices +
                                    (gpu.l2.partitions > 1 ? residue.requests : 0));
    const std::uint64_t until = woken == sure ? sure + cycles : woken;
    for (; now < until; ++now) {
      for (std::uint32_t core = 0; core < gpu.cores; ++core) {
        senders[core].cycle(memory.port(core), now, touched);
      }
    }
  }
}

/// What the cores have seen.
struct Seen {
  std::uint64_t requests = 0;
  std::map<RequestKind, std::uint64_t> counts;     ///< answers by kind
  std::map<RequestKind, std::uint64_t> latencies;  ///< their latencies, summed
  std::size_t lines = 0;                           ///< that were asked for
};

/// Equations between the counters of the memory system and what the cores have seen.
void expect_counters(const Statistics& s, Seen seen, const GpuConfig& gpu) {
  auto& [requests, counts, latencies, lines] = seen;
  EXPECT_EQ(s.requests, requests);
  EXPECT_EQ(s.responses, requests);
  EXPECT_EQ(s.slice_requests, requests);
  EXPECT_EQ(s.slice_replies, requests);
  EXPECT_EQ(s.l2_accesses, requests);
  EXPECT_EQ(s.l2_hits + s.l2_misses + s.l2_pending_hits, requests);
  EXPECT_EQ(s.load_replies, counts[RequestKind::load] + counts[RequestKind::atomic]);
  EXPECT_EQ(s.store_replies, counts[RequestKind::store] + counts[RequestKind::reduction]);
  EXPECT_EQ(s.load_latency, latencies[RequestKind::load] + latencies[RequestKind::atomic]);
  EXPECT_EQ(s.store_latency, latencies[RequestKind::store] + latencies[RequestKind::reduction]);
  EXPECT_EQ(s.fetch_latency, latencies[RequestKind::instruction]);
  EXPECT_EQ(s.dram_reads, s.dram_fetches);
  EXPECT_EQ(s.dram_writes, s.l2_writebacks);
  EXPECT_LE(s.dram_fetches, s.l2_misses);
  EXPECT_LE(s.dram_row_hits, s.dram_reads + s.dram_writes);
  if (counts[RequestKind::store] == 0) {
    // Each line comes at least once, and a line leaves before it comes again.
    EXPECT_EQ(s.dram_fetches, s.l2_misses);
    EXPECT_GE(s.dram_fetches, lines);
  }
  if (counts[RequestKind::load] + counts[RequestKind::instruction] == requests) {
    EXPECT_EQ(s.l2_writebacks, 0U) << "no core has written";
  }
  EXPECT_LE(s.l2_writebacks, requests);
  const std::uint64_t burst = (kLineBytes + gpu.dram.bytes_per_clock - 1) /
                              gpu.dram.bytes_per_clock * period_fs(gpu.dram.clock_mhz);
  EXPECT_EQ(s.dram_busy_fs, (s.dram_reads + s.dram_writes) * burst);
  EXPECT_LE(s.dram_busy_fs, s.dram_active_fs);
  // A miss may bring a dirty victim along. Beyond the L2's queue there is what is under way.
  // An atomic that the other part has passed on and that has found no way is written at once.
  const std::uint64_t atomics = counts[RequestKind::atomic] + counts[RequestKind::reduction];
  EXPECT_LE(s.dram_queue_peak, gpu.dram.queue + 1 + (gpu.l2.partitions > 1 ? atomics : 0));
  EXPECT_LE(s.l2_queue_peak,
            gpu.l2.queue + std::uint64_t{gpu.cores} *
                               (2 * gpu.interconnect.latency + gpu.interconnect.buffer_flits + 4 +
                                (gpu.l2.partitions - 1) * gpu.l2.far_latency));
}

/// Sends `count` requests from each core, in windows of `window` cycles; 0: random ones.
Outcome run(std::uint64_t seed, unsigned count, std::uint64_t window) {
  Choice choice(seed);
  const GpuConfig gpu = random_gpu(choice);
  const Pattern pattern = random_pattern(choice);
  MemorySystem memory(gpu);
  TouchedLines touched;
  Senders senders;
  for (std::uint32_t core = 0; core < gpu.cores; ++core) {
    senders.emplace_back(seed, core, gpu, pattern, count);
  }
  drive(memory, gpu, senders, touched, seed, window);
  EXPECT_TRUE(all_done(senders)) << "nothing moves any more";
  for (int i = 0; i < 2; ++i) {  // what the L2 writes back may come after the last answer
    memory.exchange();
    memory.advance(std::numeric_limits<std::uint64_t>::max());
  }

  Outcome result;
  result.statistics = memory.statistics();
  Seen seen;
  seen.requests = std::uint64_t{count} * gpu.cores;
  seen.lines = touched.size();
  for (const Sender& sender : senders) {
    result.answers.insert(result.answers.end(), sender.answers.begin(), sender.answers.end());
    for (const auto& [kind, number] : sender.replies) seen.counts[kind] += number;
    for (const auto& [kind, sum] : sender.latency) seen.latencies[kind] += sum;
  }
  std::sort(result.answers.begin(), result.answers.end());
  expect_counters(result.statistics, std::move(seen), gpu);
  const Residue residue = memory.residue();
  EXPECT_EQ(residue.requests + residue.l2_mshrs + residue.blocked + residue.reads + residue.writes,
            0U);
  EXPECT_FALSE(memory.busy());
  return result;
}

class Traffic : public testing::TestWithParam<int> {};

TEST_P(Traffic, IsAnsweredOnceAndCountedOnce) {
  constexpr unsigned kSystems = 25;
  for (unsigned i = 0; i < kSystems && !HasFailure(); ++i) {
    const std::uint64_t seed = first_seed() + static_cast<unsigned>(GetParam()) * kSystems + i;
    SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed));
    const Outcome once = run(seed, 150, 0);
    // How far the memory system is let run ahead decides nothing.
    const Outcome again = run(seed, 150, 1);
    EXPECT_TRUE(once.answers == again.answers) << "the length of the windows matters";
    EXPECT_TRUE(once.statistics == again.statistics);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, Traffic, testing::Range(0, 8));

}  // namespace
}  // namespace paws::memory
