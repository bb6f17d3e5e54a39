// SPDX-License-Identifier: MIT
#include "sim/core/instruction_cache.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace paws::core {
namespace {

constexpr std::uint64_t kNoLine = std::numeric_limits<std::uint64_t>::max();

}  // namespace

InstructionCache::InstructionCache(const GpuConfig& config, memory::Port& port,
                                   CoreStatistics& statistics)
    : config_(config),
      port_(port),
      statistics_(statistics),
      perfect_(config.icache.bytes == 0),
      second_level_(config.icache.l15_bytes != 0),
      line_mask_(~std::uint64_t{config.icache.line_bytes - 1}),
      line_shift_(static_cast<unsigned>(std::countr_zero(config.icache.line_bytes))),
      latest_(kNoLine),
      cache_({config.icache.bytes, config.icache.ways, config.icache.line_bytes, 1,
              config.icache.mshrs}),
      l15_(config.icache.l15_bytes, config.icache.l15_ways, config.icache.line_bytes) {}

InstructionCache::Result InstructionCache::look_up(std::uint64_t line, std::uint32_t warp,
                                                   std::uint64_t cycle) {
  using Found = memory::NonBlockingCache::Result;
  const Found found = cache_.read(line, warp, warp, [&] { return may_ask(line, cycle); }).result;
  if (found == Found::full || found == Found::no_way) return Result::full;
  if (found == Found::held) return Result::port_busy;
  ++statistics_.icache_accesses;
  if (found == Found::hit) {
    ++statistics_.icache_hits;
    latest_ = line;
  } else if (found == Found::merged) {
    ++statistics_.icache_pending_hits;
  } else {
    ++statistics_.icache_misses;
    ask(line, cycle);
  }
  prefetch_behind(line, cycle);
  return found == Found::hit ? Result::hit : Result::miss;
}

bool InstructionCache::may_ask(std::uint64_t line, std::uint64_t cycle) {
  if (second_level_ && l15_.holds(line)) return true;
  port_.listen(cycle);
  return port_.can_send(cycle) && !port_.stopped(line);
}

void InstructionCache::ask(std::uint64_t line, std::uint64_t cycle) {
  latest_ = kNoLine;  // it may have been the victim
  ++changes_;
  if (second_level_) {
    ++statistics_.icache_l15_accesses;
    if (l15_.read(line).result == memory::TagArray::Result::hit) {
      coming_.push_back({cycle + config_.icache.l15_latency, line});
      return;
    }
    ++statistics_.icache_l15_misses;
  }
  ++statistics_.requests;
  ++outstanding_;
  // A request is for a line of the L2; the tag says which part of it is wanted.
  const std::uint64_t part = line % memory::kLineBytes;
  port_.send({memory::RequestKind::instruction, 0, line - part, config_.icache.line_bytes, 1,
              static_cast<std::uint32_t>(part)},
             cycle);
}

void InstructionCache::prefetch_behind(std::uint64_t line, std::uint64_t cycle) {
  if (config_.icache.prefetch == 0) return;
  Settled& settled = settled_[(line >> line_shift_) % kSettled];
  if (settled.line == line && settled.changes == changes_) return;
  bool all = true;
  std::uint64_t behind = line;
  for (unsigned i = 0; i < config_.icache.prefetch; ++i) {
    behind += config_.icache.line_bytes;
    if (cache_.expects(behind)) continue;
    all = false;
    if (!cache_.prefetch(behind, 0, [&] { return may_ask(behind, cycle); })) continue;
    ++statistics_.icache_prefetches;
    ask(behind, cycle);
  }
  if (all) settled = {line, changes_};
}

void InstructionCache::arrived(std::uint64_t line) {
  const memory::MshrFile::Waiting& warps = cache_.fill(line);
  ++changes_;
  served_.insert(served_.end(), warps.begin(), warps.end());
}

void InstructionCache::respond(const memory::Response& response) {
  ++statistics_.replies;
  --outstanding_;
  const std::uint64_t line = response.line + response.tag;
  if (second_level_) l15_.fill(line);
  arrived(line);
}

void InstructionCache::take_line() {
  const std::uint64_t line = coming_.front().line;
  coming_.pop_front();
  arrived(line);
}

std::uint32_t InstructionCache::next_served() {
  const std::uint32_t warp = served_.front();
  served_.pop_front();
  return warp;
}

}  // namespace paws::core
