// SPDX-License-Identifier: MIT
// The scheduler interface: what the golden model, the verilated RTL and lockstep have in common.
//
// One object is one warp scheduler (not one core). A cycle is decide() followed by commit():
// decide() is the combinational part and may be repeated with other inputs in the same cycle,
// commit() is the clock edge and uses the inputs of the last decide().
// docs/reference/microarchitecture.md, "Cycle semantics", says what every event does; the RTL's
// ports carry the same names with _i and _o.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/affinity.h"

namespace paws {

inline constexpr unsigned kMaxWarps = 64;

/// One bit per warp slot of a scheduler, slot 0 in bit 0.
using WarpMask = std::uint64_t;
using WarpId = std::uint32_t;

enum class Level : std::uint8_t { single, two_level };

/// What identifies a scheduler. `policy` is the name of a policy of model/policies.toml at this
/// level (docs/guide/policies.md).
struct SchedulerConfig {
  Level level = Level::two_level;
  std::string policy = "paws";
  unsigned warps = 24;          ///< warp slots of this scheduler, 4 to 64
  unsigned ready = 6;           ///< ready-queue entries, 1 to warps; unused by the single level
  unsigned phase_bits = 9;      ///< width of the stored phase length or distance, 2 to 16
  bool tie_by_arrival = false;  ///< two-level PAWS: equal lengths by arrival instead of by age
  /// Two-level: of the warps that wake in one cycle the oldest is admitted first, not the lowest
  /// slot.
  bool wake_oldest = false;
  /// PAWS: significant bits of the stored length or distance that count, 1 to 16; the others are
  /// taken to be zero. From phase_bits on all count.
  unsigned key_precision = 16;
  /// Issues after which warps that were passed over go first, to 65,535; 0: never
  /// (docs/reference/microarchitecture.md, "Age limit").
  unsigned age_limit = 0;
  /// SCA: width of the number of a pair of blocks, 1 to 5.
  unsigned pair_bits = 3;
  /// single:group: consecutive warp slots of a fetch group, 1 to 64; divides `warps`.
  unsigned group = 8;
  /// single:group: issues in succession after which a fetch group comes last, `group` to 65,535;
  /// 0: never (docs/reference/microarchitecture.md, "Fetch groups").
  unsigned group_timeout = 0;
  /// single:paws-ordered: warps that are placed in one cycle, 1 or 2. With 1 the host never enables
  /// the scheduler in the cycle after an issue.
  unsigned compares = 1;
  /// Two-level, golden model only: promotion heeds the blocks of warps.
  Affinity affinity = Affinity::none;
  /// Of the policy's own parameters (docs/guide/policies.md), those that have not their default.
  std::map<std::string, unsigned> parameters = {};

  bool operator==(const SchedulerConfig&) const = default;
};

/// "single:rr", "two-level:paws", ...
std::string scheduler_name(const SchedulerConfig& config);

/// Sets level and policy of `config` from "single:gto" and the like; another policy begins with its
/// default parameters. Returns what is wrong, or nothing. Knows the model-only policies too.
std::optional<std::string> set_scheduler_name(SchedulerConfig& config, const std::string& name);

/// What is wrong with `config` (limits of PAWS RTL parameters), or nothing.
std::optional<std::string> check(const SchedulerConfig& config);

/// What is wrong with `value` for the parameter `name` of the policy of `config`, or nothing.
std::optional<std::string> check_parameter(const SchedulerConfig& config, const std::string& name,
                                           unsigned value);

/// The parameters of the policy of `config`, each with the value that it has there or by default.
/// Throws std::invalid_argument for an unknown policy.
std::map<std::string, unsigned> policy_parameters(const SchedulerConfig& config);

/// Every scheduler name known, in the order of model/policies.toml.
std::vector<std::string> scheduler_names();

/// Those whose policy the RTL has too.
std::vector<std::string> rtl_scheduler_names();

/// Whether the RTL has the policy of `config` too; false for one that lives in the model alone, and
/// with affinity.
bool has_rtl(const SchedulerConfig& config);

/// Whether the policy of `config` looks at SchedulerInputs::phase (`reads` of model/policies.toml).
bool knows_lengths(const SchedulerConfig& config);
/// Whether the scheduler of `config` looks at SchedulerInputs::waits: all of two levels do.
bool knows_waits(const SchedulerConfig& config);
/// Whether the policy of `config` looks at pair, row and second of SchedulerInputs.
bool knows_groups(const SchedulerConfig& config);
/// Whether the policy of `config` looks at SchedulerInputs::yields.
bool knows_yields(const SchedulerConfig& config);
/// Whether the policy of `config` has fetch groups: SchedulerConfig::group and ::group_timeout.
bool has_fetch_groups(const SchedulerConfig& config);
/// Whether the policy of `config` keeps an order of warps: SchedulerConfig::compares.
bool has_order(const SchedulerConfig& config);
/// Whether the host of `config` promises not to enable the scheduler in the cycle after an issue.
bool rests_after_issue(const SchedulerConfig& config);
/// Numbers that SchedulerInputs::row may have, a power of two: those of half of the warp slots.
unsigned group_rows(const SchedulerConfig& config);

/// Inputs of one cycle, levels that the host derives from its registers.
struct SchedulerInputs {
  bool issue_en = false;  ///< the scheduler may issue in this cycle
  WarpMask issuable = 0;  ///< the warp's next instruction can issue now
  /// The warp waits for a long-latency operation or stands at a barrier: waits_i of
  /// docs/reference/microarchitecture.md, "Ports".
  WarpMask waits = 0;
  WarpMask long_outstanding = 0;  ///< a register-writing long operation is outstanding
  WarpMask exits = 0;             ///< the warp's next instruction, once issued, ends the warp
  WarpMask second = 0;            ///< SCA: the warp is its group's second member
  /// CGGTY: the warp's next instruction, once issued, bars the warp from the next cycle in which
  /// the scheduler is enabled.
  WarpMask yields = 0;
  bool launch_valid = false;  ///< a warp starts in slot launch_warp
  WarpId launch_warp = 0;
  /// A late end: the warp in slot end_warp ends without an issue. It is live and not issuable.
  bool end_valid = false;
  WarpId end_warp = 0;
  /// Affinity: the warp's block has lost a warp, on whichever scheduler of the core.
  WarpMask tail = 0;
  /// Affinity: blocks wait for a core. If none does, affinity is off: what ends is not replaced.
  bool more = false;
  /// Two-level: length of the phase of the warp's next instruction. Single level: its phase
  /// distance. In cycles; values above the phase field saturate inside the scheduler.
  std::array<std::uint16_t, kMaxWarps> phase{};
  /// SCA: number of the pair of blocks that the warp belongs to, or of its block if that is in no
  /// pair. Below 2^pair_bits.
  std::array<std::uint8_t, kMaxWarps> pair{};
  /// SCA: number of the warp's group within the pair. Below group_rows().
  std::array<std::uint8_t, kMaxWarps> row{};
  /// Affinity: number of the warp's block, which no other resident block of the core has. It counts
  /// in the cycle of the warp's launch.
  std::array<std::uint8_t, kMaxWarps> block{};
};

/// Outputs of one cycle. issue_warp is 0 while issue_valid is false.
/// In this order they are eight bytes, which a function returns in a register; otherwise it would
/// store them one by one and wait to load them as a whole, in every cycle.
struct SchedulerOutputs {
  WarpId issue_warp = 0;
  bool issue_valid = false;
  bool quiet = false;  ///< while inputs (issue_en aside) hold, neither state nor outputs change

  bool operator==(const SchedulerOutputs&) const = default;
};

/// What SCA remembers of the last issue: the group, and which member issued.
struct GroupTurn {
  unsigned pair = 0;
  unsigned row = 0;
  bool last_second = false;  ///< the second member issued last

  bool operator==(const GroupTurn&) const = default;
};

/// Which warps are in two of the queues, for those who ask often and need no order.
struct QueueMasks {
  WarpMask ready = 0;
  WarpMask pending = 0;

  bool operator==(const QueueMasks&) const = default;
};

/// Queue contents for messages, tests and traces. Single level: the queues are empty.
struct QueueSnapshot {
  std::vector<WarpId> ready;      ///< next to be considered first
  std::vector<WarpId> active;     ///< head (next promoted) first
  std::vector<WarpId> collector;  ///< next admitted to active first
  WarpMask pending = 0;
  WarpMask due = 0;                   ///< under an age limit: warps that go before all others
  std::optional<WarpId> last_issued;  ///< RR pointer or greedy warp of the single level
  /// CGGTY: the warp that has yielded. Ordered PAWS: the slots that wait for their new place.
  WarpMask barred = 0;
  std::optional<GroupTurn> group;  ///< SCA
  /// Fetch groups with a timeout: issues in succession of the group of last_issued, at most the
  /// timeout.
  unsigned group_run = 0;

  bool operator==(const QueueSnapshot&) const = default;
  /// Defined here, since libraries of engines link with nothing of the model.
  [[nodiscard]] QueueMasks masks() const {
    QueueMasks masks{0, pending};
    for (const WarpId warp : ready) masks.ready |= WarpMask{1} << warp;
    return masks;
  }
};

std::string to_string(const QueueSnapshot& snapshot);

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  [[nodiscard]] virtual const SchedulerConfig& config() const = 0;
  /// To the state after reset: no warp live.
  virtual void reset() = 0;
  /// A cycle of reset in place of decide() and commit(), and one is enough: afterwards the state is
  /// that after reset. `inputs` count for nothing and need not keep any promise.
  virtual void reset_cycle(const SchedulerInputs& /*inputs*/) { reset(); }
  /// The outputs of this cycle. Does not change state.
  virtual SchedulerOutputs decide(const SchedulerInputs& inputs) = 0;
  /// Ends the cycle with the inputs of the last decide().
  virtual void commit() = 0;
  /// State between two cycles: before decide() of the next.
  [[nodiscard]] virtual QueueSnapshot snapshot() const = 0;
  /// The masks of snapshot(); quickly if it is a scheduler of two levels.
  [[nodiscard]] virtual QueueMasks queue_masks() const { return snapshot().masks(); }
};

/// The golden model of `config.policy`. Throws std::invalid_argument with check()'s words.
std::unique_ptr<Scheduler> make_model(const SchedulerConfig& config);

}  // namespace paws
