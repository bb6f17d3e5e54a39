// SPDX-License-Identifier: MIT
#include "sim/throttle/throttles.h"

#include "sim/throttle/cache_conscious.h"
#include "sim/throttle/dynamic_block_limit.h"
#include "sim/throttle/static_limit.h"

namespace paws {
namespace {

struct Entry {
  NamedChoice throttle;
  ThrottleFactory (*make)(const std::vector<unsigned>& numbers, const GpuConfig& config);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{kNoThrottle, "", "every warp that can issue may"},
       [](const std::vector<unsigned>&, const GpuConfig&) { return ThrottleFactory(); }},
      {{"swl", "N", "static warp limiting: only the N oldest warps of a scheduler"},
       [](const std::vector<unsigned>& n, const GpuConfig&) -> ThrottleFactory {
         return [limit = n.front()](std::uint32_t /*core*/) {
           return std::make_unique<throttle::StaticLimit>(limit);
         };
       }},
      {{"ccws", "",
        "cache-conscious (CCWS): warps that lose their lines from the L1 keep others from loading"},
       [](const std::vector<unsigned>&, const GpuConfig&) -> ThrottleFactory {
         return [](std::uint32_t /*core*/) { return std::make_unique<throttle::CacheConscious>(); };
       }},
      {{"dyncta", "",
        "dynamic block limits (DYNCTA): a core takes fewer blocks while its warps wait for memory"},
       [](const std::vector<unsigned>&, const GpuConfig& config) -> ThrottleFactory {
         return [settings = config.dyncta](std::uint32_t /*core*/) {
           return std::make_unique<throttle::DynamicBlockLimit>(settings);
         };
       }}};
  return all;
}

}  // namespace

const std::vector<NamedChoice>& throttles() {
  static const std::vector<NamedChoice> list = [] {
    std::vector<NamedChoice> made;
    for (const Entry& entry : entries()) made.push_back(entry.throttle);
    return made;
  }();
  return list;
}

ThrottleFactory throttle_factory(const std::string& name, const GpuConfig& config) {
  const Chosen chosen = choose(throttles(), name, "--throttle", "throttle");
  return entries()[chosen.entry].make(chosen.numbers, config);
}

}  // namespace paws
