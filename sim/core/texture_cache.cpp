// SPDX-License-Identifier: MIT
#include "sim/core/texture_cache.h"

#include <bit>

namespace paws::core {
namespace {

/// Address of the texture cache's line: the sectors that it is, of a line of the L2.
std::uint64_t texture_line(std::uint64_t line, memory::SectorMask sectors) {
  return line + std::uint64_t{memory::kSectorBytes} * std::countr_zero(sectors);
}

}  // namespace

TextureCache::Result TextureCache::load(const Transaction& transaction,
                                        const L1DataCache::Requester& who, std::uint64_t cycle) {
  told_to_stop_ = false;
  const auto can_send = [&] {
    if (!port_.can_send(cycle)) return false;
    told_to_stop_ = port_.stopped(transaction.line);
    return !told_to_stop_;
  };
  using Lookup = memory::NonBlockingCache::Result;
  switch (cache_
              .read(texture_line(transaction.line, transaction.sectors), who.operation,
                    who.warp.number(), can_send)
              .result) {
    case Lookup::full:
      return Result::full;
    case Lookup::no_way:
    case Lookup::held:
      return Result::retry;
    case Lookup::hit:
      ++statistics_.texture_accesses;
      ++statistics_.texture_hits;
      return Result::done;
    case Lookup::merged:
      ++statistics_.texture_accesses;
      ++statistics_.texture_pending_hits;
      break;
    case Lookup::miss:
      ++statistics_.texture_accesses;
      ++statistics_.texture_misses;
      ++statistics_.requests;
      port_.send({memory::RequestKind::load, 0, transaction.line, transaction.bytes, 1, kTag,
                  who.warp, transaction.sectors},
                 cycle);
      break;
  }
  return Result::under_way;
}

std::span<const std::uint32_t> TextureCache::respond(const memory::Response& response) {
  ++statistics_.replies;
  return cache_.fill(texture_line(response.line, response.sectors));
}

}  // namespace paws::core
