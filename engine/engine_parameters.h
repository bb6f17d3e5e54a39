// SPDX-License-Identifier: MIT
// What verilation freezes: the parameters of one engine (engine/parameters.def).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/scheduler.h"

namespace paws {

/// By value of the RTL's parameter SORTER.
enum class Sorter : std::uint8_t { shift_register, selection_tree, ranks };

/// Defaults of engine/parameters.def.
namespace engine_defaults {
#define PAWS_ENGINE_PARAMETER(rtl, word, member, type, initial, two_level, single) \
  inline constexpr unsigned rtl = initial;
#include "engine/parameters.def"
#undef PAWS_ENGINE_PARAMETER
}  // namespace engine_defaults

/// The fastest picker in simulation.
inline constexpr unsigned kDefaultPicker = engine_defaults::PICKER;

/// Width of a phase length in SchedulerInputs.
inline constexpr unsigned kLengthBits = engine_defaults::LENGTH_W;

/// Every policy of `level` that its module of the RTL has (model/policies.toml), a bit mask by
/// policy code.
unsigned all_policies(Level level);

/// The module of the RTL that has every policy of a level with a code.
std::string_view level_module(Level level);

/// The module of the RTL that has the policy of `config`: that of the level, or one that is this
/// policy.
std::string_view module_of(const SchedulerConfig& config);

/// What EngineParameters::policies is for `config` if all are built: those of its level, or 0 if
/// the module is the policy.
unsigned policies_with(const SchedulerConfig& config);

/// The policy is not among them: an engine takes policy_i from the configuration, which names one
/// of those that are built.
struct EngineParameters {
  Level level = Level::two_level;
  std::string_view module = "paws_two_level";  ///< of the RTL, as module_of()
#define PAWS_ENGINE_PARAMETER(rtl, word, member, type, initial, two_level, single) \
  type member = static_cast<type>(initial);
#include "engine/parameters.def"
#undef PAWS_ENGINE_PARAMETER
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
