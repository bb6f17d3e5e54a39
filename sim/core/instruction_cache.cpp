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
      tags_(config.icache.bytes, config.icache.ways, config.icache.line_bytes),
      mshrs_(config.icache.mshrs) {}

InstructionCache::Result InstructionCache::fetch(std::uint64_t address, std::uint32_t warp,
                                                 std::uint64_t cycle) {
  const std::uint64_t line = address & line_mask_;
  if (perfect_ || line == latest_) {
    ++statistics_.icache_accesses;
    ++statistics_.icache_hits;
    return Result::hit;
  }
  Mshr* unused = nullptr;
  for (Mshr& mshr : mshrs_) {
    if (!mshr.used) {
      if (unused == nullptr) unused = &mshr;
    } else if (mshr.line == line) {
      ++statistics_.icache_accesses;
      ++statistics_.icache_pending_hits;
      mshr.warps.push_back(warp);
      return Result::miss;
    }
  }
  // A hit needs neither MSHR nor port.
  port_.listen(cycle);
  const bool may_miss = unused != nullptr && port_.can_send(cycle) && !port_.stopped(line);
  if (!may_miss && !tags_.holds(line)) return unused == nullptr ? Result::full : Result::port_busy;
  const memory::TagArray::Result found = tags_.read(line).result;
  if (found == memory::TagArray::Result::reservation_fail) return Result::full;
  ++statistics_.icache_accesses;
  if (found == memory::TagArray::Result::hit || unused == nullptr) {  // the same, see above
    ++statistics_.icache_hits;
    latest_ = line;
    return Result::hit;
  }
  ++statistics_.icache_misses;
  ++statistics_.requests;
  latest_ = kNoLine;  // it may have been the victim
  unused->used = true;
  unused->line = line;
  unused->warps.assign(1, warp);
  port_.send({memory::RequestKind::instruction, 0, line / memory::kLineBytes * memory::kLineBytes,
              config_.icache.line_bytes, 1, static_cast<std::uint32_t>(unused - mshrs_.data())},
             cycle);
  return Result::miss;
}

void InstructionCache::respond(const memory::Response& response) {
  Mshr& mshr = mshrs_[response.tag];
  ++statistics_.replies;
  ++answered_;
  tags_.fill(mshr.line);
  served_.insert(served_.end(), mshr.warps.begin(), mshr.warps.end());
  mshr.used = false;
}

std::uint32_t InstructionCache::next_served() {
  const std::uint32_t warp = served_.front();
  served_.pop_front();
  return warp;
}

}  // namespace paws::core
