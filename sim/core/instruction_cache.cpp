// SPDX-License-Identifier: MIT
#include "sim/core/instruction_cache.h"

#include <algorithm>
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
      line_mask_(~std::uint64_t{config.icache.line_bytes - 1}),
      latest_(kNoLine),
      cache_({config.icache.bytes, config.icache.ways, config.icache.line_bytes, 1,
              config.icache.mshrs}) {}

InstructionCache::Result InstructionCache::fetch(std::uint64_t address, std::uint32_t warp,
                                                 std::uint64_t cycle) {
  const std::uint64_t line = address & line_mask_;
  if (perfect_ || line == latest_) {
    ++statistics_.icache_accesses;
    ++statistics_.icache_hits;
    return Result::hit;
  }
  using Found = memory::NonBlockingCache::Result;
  const Found found = cache_
                          .read(line, warp, warp,
                                [&] {
                                  port_.listen(cycle);
                                  return port_.can_send(cycle) && !port_.stopped(line);
                                })
                          .result;
  if (found == Found::full) return Result::full;
  if (found == Found::held) return Result::port_busy;
  ++statistics_.icache_accesses;
  switch (found) {
    case Found::hit:
      ++statistics_.icache_hits;
      latest_ = line;
      return Result::hit;
    case Found::merged:
      ++statistics_.icache_pending_hits;
      return Result::miss;
    default:
      break;
  }
  ++statistics_.icache_misses;
  ++statistics_.requests;
  latest_ = kNoLine;  // it may have been the victim
  // A request is for a line of the L2; the tag says which part of it is wanted.
  const std::uint64_t part = line % memory::kLineBytes;
  port_.send({memory::RequestKind::instruction, 0, line - part, config_.icache.line_bytes, 1,
              static_cast<std::uint32_t>(part)},
             cycle);
  return Result::miss;
}

void InstructionCache::respond(const memory::Response& response) {
  ++statistics_.replies;
  ++answered_;
  const memory::MshrFile::Waiting& warps = cache_.fill(response.line + response.tag);
  served_.insert(served_.end(), warps.begin(), warps.end());
}

std::uint32_t InstructionCache::next_served() {
  const std::uint32_t warp = served_.front();
  served_.pop_front();
  return warp;
}

}  // namespace paws::core
