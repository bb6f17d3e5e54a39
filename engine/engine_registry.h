// SPDX-License-Identifier: MIT
// The engines that were built with the project (matrix.cmake).
#pragma once

#include <span>
#include <string_view>

#include "engine/engine_parameters.h"

namespace paws {

/// An engine's entry point: a new scheduler, owned by the caller. `config` must match the engine's
/// parameters and `policy_code` be its policy at policy_i.
using EngineFactory = Scheduler* (*)(const SchedulerConfig& config, unsigned policy_code);

struct BuiltEngine {
  EngineParameters parameters;
  EngineFactory create;
  std::string_view label;  ///< of its files in the build folder
};

/// Whether `engine` can be the scheduler of `config`.
bool serves(const EngineParameters& engine, const SchedulerConfig& config);

/// Engines linked into every program that uses the RTL: those of the first run.
std::span<const BuiltEngine> linked_engines();

/// These, and those of the library paws_engines (plugin.h). Throws EngineBuildError without it.
std::span<const BuiltEngine> standard_engines();

/// Engines of the tests alone (library paws_rtl_matrix).
std::span<const BuiltEngine> matrix_engines();

/// Synthesized netlists of the RTL (library paws_netlists). They show no queues.
std::span<const BuiltEngine> netlist_engines();

/// A scheduler of this engine. Throws std::invalid_argument if it does not serve `config`.
std::unique_ptr<Scheduler> make_engine(const BuiltEngine& engine, const SchedulerConfig& config);

}  // namespace paws
