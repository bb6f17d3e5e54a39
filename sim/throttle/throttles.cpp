// SPDX-License-Identifier: MIT
#include "sim/throttle/throttles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "sim/support/error.h"
#include "sim/throttle/cache_conscious.h"
#include "sim/throttle/static_limit.h"

namespace paws {
namespace {

std::string spelled(const Throttle& throttle) {
  return throttle.parameter.empty() ? throttle.name : throttle.name + ":" + throttle.parameter;
}

}  // namespace

const std::vector<Throttle>& throttles() {
  static const std::vector<Throttle> all{
      {kNoThrottle, "", "every warp that can issue may"},
      {"swl", "N", "static warp limiting: only the N oldest warps of a scheduler"},
      {"ccws", "",
       "cache-conscious (CCWS): warps that lose their lines from the L1 keep others from loading"}};
  return all;
}

std::function<std::unique_ptr<core::IssueFilter>(std::uint32_t core)> throttle_factory(
    const std::string& name) {
  if (name == kNoThrottle) return {};
  if (name == "ccws") {
    return [](std::uint32_t /*core*/) { return std::make_unique<throttle::CacheConscious>(); };
  }
  const std::size_t colon = std::min(name.find(':'), name.size());
  if (name.substr(0, colon) == "swl") {
    unsigned limit = 0;
    const char* const end = name.data() + name.size();
    const auto [at, error] = std::from_chars(std::min(name.data() + colon + 1, end), end, limit);
    if (error != std::errc{} || at != end || limit == 0) {
      throw InputError(
          fmt::format("--throttle {}: expected swl:N, a whole number from 1 on", name));
    }
    return
        [limit](std::uint32_t /*core*/) { return std::make_unique<throttle::StaticLimit>(limit); };
  }
  std::vector<std::string> names;
  for (const Throttle& throttle : throttles()) names.push_back(spelled(throttle));
  throw InputError(
      fmt::format("unknown throttle '{}' (throttles: {})", name, fmt::join(names, ", ")));
}

}  // namespace paws
