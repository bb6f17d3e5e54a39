// SPDX-License-Identifier: MIT
// The catalogue of block schedulers: the one place that lists them.
#pragma once

#include <string>
#include <vector>

#include "sim/blocks/block_scheduler.h"
#include "sim/config/gpu_config.h"

namespace paws {

/// A block scheduler as `paws list` tells it.
struct BlockPolicy {
  std::string name;       ///< as in --blocks
  std::string parameter;  ///< what follows a colon, for example "N"; empty: nothing does
  std::string rule;       ///< one sentence
};

/// In the order of the listing; the first one is the default.
const std::vector<BlockPolicy>& block_policies();

/// The default, by its name.
inline constexpr const char* kRoundRobinBlocks = "rr";

/// Makes what `name` says ("lcs", "limit:3"), with the keys distributor.* of `config`. Throws
/// InputError that lists the names, or says what is wrong with the parameter.
BlockSchedulerFactory block_scheduler(const std::string& name, const DistributorSettings& config);

}  // namespace paws
