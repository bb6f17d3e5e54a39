// SPDX-License-Identifier: MIT
// The catalogue of block schedulers: the one place that lists them.
#pragma once

#include <string>
#include <vector>

#include "sim/blocks/block_scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/support/named_choice.h"

namespace paws {

/// In the order of the listing; the first one is the default. Names as in --blocks.
const std::vector<NamedChoice>& block_policies();

/// The default, by its name.
inline constexpr const char* kRoundRobinBlocks = "rr";

/// Makes what `name` says ("lcs", "limit:3"), with the keys distributor.* of `config`. Throws
/// InputError that lists the names, or says what is wrong with the parameter.
BlockSchedulerFactory block_scheduler(const std::string& name, const DistributorSettings& config);

}  // namespace paws
