// SPDX-License-Identifier: MIT
// What the lockstep suites are run on: every engine with every policy that it serves.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "engine/engine_registry.h"
#include "tb/random/host.h"

namespace paws {

struct Subject {
  BuiltEngine engine;
  SchedulerConfig config;
};

/// An identifier, for example "two_level_24_6_9_checked_gto".
std::string name_of(const EngineParameters& engine, const std::string& policy);
std::string name_of(const Subject& subject);

/// What the engine asks of a host, or allows.
HostOptions host_options(const EngineParameters& engine);

/// For GoogleTest, which would print bytes.
void PrintTo(const Subject& subject, std::ostream* out);

/// Each of `engines` with each policy.
std::vector<Subject> subjects(std::span<const BuiltEngine> engines);

}  // namespace paws
