// SPDX-License-Identifier: MIT
// What verilation freezes: the parameters of one engine.
#pragma once

#include <string>

#include "model/scheduler.h"

namespace paws {

/// How active is kept sorted (RTL parameter SORTER); the same at the ports.
enum class Sorter : std::uint8_t { shift_register, selection_tree, ranks };

/// How the single level finds the smallest key (RTL parameter PICKER): in matches of 2 to 8 keys,
/// or with 0 by elimination; the same at the ports. The default is the fastest in simulation.
inline constexpr unsigned kDefaultPicker = 3;

/// Width of a phase length in SchedulerInputs.
inline constexpr unsigned kLengthBits = 16;

/// Every policy of `level` that the RTL has (model/policies.toml), a bit mask by policy code.
unsigned all_policies(Level level);

/// Bit of EngineParameters::policies for the first policy of the catalogue that is a module of its
/// own; the next ones have the bits above.
inline constexpr unsigned kFirstModule = 1U << 16U;

/// What EngineParameters::policies is for `config` if all are built: those of its level, or the bit
/// of a policy that is a module of its own.
unsigned policies_with(const SchedulerConfig& config);

/// The policy is not among them: an engine takes policy_i from the configuration, which names one
/// of those that are built.
struct EngineParameters {
  Level level = Level::two_level;
  unsigned warps = 24;
  unsigned ready = 6;  ///< two-level only, else 0
  unsigned phase_bits = 9;
  unsigned key_precision = 9;          ///< at most phase_bits, with which keys are exact
  unsigned length_bits = kLengthBits;  ///< the host's field; the test bench saturates to it
  /// Built, bit mask by policy code; or from kFirstModule on a policy that is a module of its own.
  unsigned policies = 0;
  bool tie_by_arrival = false;       ///< two-level only
  bool wake_oldest = false;          ///< two-level only
  Sorter sorter = Sorter::ranks;     ///< two-level only
  unsigned picker = kDefaultPicker;  ///< single level only
  unsigned age_limit = 0;            ///< 0 off; single-level RR has none
  /// Two-level only: lengths are not stored; the host presents them from launch or an issue on.
  bool held_length = false;
  /// RTL parameter CLOCK_GATES: 0 none, else warps that share one; the same at the ports.
  unsigned clock_gates = 0;
  unsigned pair_bits = 3;      ///< single level only: width of the number of a pair of blocks
  unsigned group = 8;          ///< fetch groups only: slots of one
  unsigned group_timeout = 0;  ///< fetch groups only: 0 none
  unsigned compares = 1;       ///< ordered PAWS only: warps placed in one cycle
  /// Late ends (SchedulerInputs::end_valid) are built. Without them there must be none. Fetch
  /// groups have none.
  bool late_exit = false;
  bool checked = false;  ///< contract assertions on

  bool operator==(const EngineParameters&) const = default;
};

/// The parameters that serve `config`, with every policy of its level. Of `sorter` and `picker` the
/// one that its level does not have is ignored.
EngineParameters engine_parameters(const SchedulerConfig& config, Sorter sorter, unsigned picker,
                                   bool checked);

/// A name that is an identifier and tells every parameter, for example "two_level_24_6_9_checked".
std::string engine_name(const EngineParameters& parameters);

/// Whether the engine has the policy of `config`.
bool builds(const EngineParameters& engine, const SchedulerConfig& config);

/// The code of `policy` at policy_i, 0 for one that is a module of its own. Throws
/// std::invalid_argument for a policy without RTL, or one that `level` does not have.
unsigned policy_code(Level level, const std::string& policy);

}  // namespace paws
