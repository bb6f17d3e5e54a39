// SPDX-License-Identifier: MIT
// A profile by line for other programs: spreadsheets, scripts, KCachegrind.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/profile/profile_table.h"
#include "sim/run/provenance.h"

namespace paws::profile {

/// A line per instruction, after one of names. Of several schedulers the figures of each, named
/// "issues two-level:paws".
std::string to_csv(const ProfileTable& table, const Provenance& made_by);

/// `made_by`, `columns` (name and definition), `schedulers`, `total` and `instructions`; figures by
/// scheduler and column.
nlohmann::json to_json(const ProfileTable& table, const Provenance& made_by);

/// The callgrind profile format, version 1 (Valgrind's manual, "Callgrind Format Specification").
/// Of several schedulers the issues and the warp cycles of each.
std::string to_callgrind(const ProfileTable& table, const Provenance& made_by);

}  // namespace paws::profile
