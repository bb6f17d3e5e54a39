// SPDX-License-Identifier: MIT
// The texture cache of a core: read-only, beside the L1, as on Fermi and Kepler.
//
// A fetch looks up every line (texture.line_bytes) of its texels, a miss fetches it from the L2.
// Nothing but its own fetches changes what is in it: a kernel that writes what it reads through a
// texture may see the old values (CUDA C++ Programming Guide, "Texture and Surface Memory"), and
// the cache is empty at the start of a kernel. The caches hold no values, so here it sees the new
// ones.
#pragma once

#include <cstdint>
#include <span>

#include "sim/config/gpu_config.h"
#include "sim/core/coalescer.h"
#include "sim/core/l1_data_cache.h"
#include "sim/memory/non_blocking_cache.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

class TextureCache {
 public:
  using Result = L1DataCache::Result;

  /// What is given must outlive the cache. Without texture.bytes nothing may be looked up.
  TextureCache(const GpuConfig& config, memory::Port& port, CoreStatistics& statistics)
      : port_(port),
        statistics_(statistics),
        cache_({config.texture.bytes, config.texture.ways, config.texture.line_bytes, 1,
                config.texture.mshrs}) {}

  /// Looks up a transaction of split_lines().
  Result load(const Transaction& transaction, const L1DataCache::Requester& who,
              std::uint64_t cycle);

  /// Whether a response is to a request of this cache.
  [[nodiscard]] static bool owns(const memory::Response& response) {
    return response.kind == memory::RequestKind::load && response.tag == kTag;
  }
  /// Takes it: the operations of which a transaction ends, in order. Valid until the next one.
  std::span<const std::uint32_t> respond(const memory::Response& response);

  /// Empties the cache, as at the start of a kernel. Nothing may be under way.
  void clear() { cache_.tags().clear(); }

  /// As L1DataCache's.
  [[nodiscard]] bool told_to_stop() const { return told_to_stop_; }
  /// Lines on their way, a request each.
  [[nodiscard]] unsigned outstanding_lines() const {
    return static_cast<unsigned>(cache_.mshrs().lines());
  }

 private:
  /// Neither a tag of the L1 nor one of the bulk copy unit, nor the number of an operation.
  static constexpr std::uint32_t kTag = 0xffff'fffd;

  memory::Port& port_;
  CoreStatistics& statistics_;
  memory::NonBlockingCache cache_;  ///< of operations
  bool told_to_stop_ = false;
};

}  // namespace paws::core
