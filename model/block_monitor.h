// SPDX-License-Identifier: MIT
// The block monitor of a core: how many of its thread blocks keep the core busy (Lee et al., HPCA
// 2014, section 4.1).
//
// It counts the warp instructions that every resident block issues. Under a greedy warp scheduler
// the oldest block issues most, and blocks that hardly issue are there for nothing. When the first
// block ends, the counts say how many blocks would have been enough: their sum over the largest.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace paws {

/// How the quotient of the counts becomes a whole number. The paper's text takes the floor, its
/// example the next number.
enum class Rounding : std::uint8_t { down, nearest, up };
inline constexpr unsigned kRoundings = 3;

inline constexpr unsigned kMonitorSlots = 32;  ///< block slots of a core, at most
inline constexpr unsigned kMonitorPorts = 4;   ///< schedulers of a core, at most

struct BlockMonitorConfig {
  unsigned slots = 8;        ///< block slots of the core
  unsigned ports = 2;        ///< schedulers of the core
  unsigned count_bits = 20;  ///< of a count: all are halved when one would overflow
  Rounding rounding = Rounding::down;
};

/// One cycle.
struct BlockMonitorInputs {
  bool restart = false;      ///< nothing is resident and nothing counted
  std::uint32_t starts = 0;  ///< block slots in which a block starts
  /// Of each scheduler, the block slot whose warp issues.
  std::array<std::optional<std::uint8_t>, kMonitorPorts> issues{};
  /// Block slots whose block's last warp issues its exit; each is among `issues` too.
  std::uint32_t ends = 0;
  bool operator==(const BlockMonitorInputs&) const = default;
};

struct BlockMonitorOutputs {
  bool busy = false;   ///< it works out the limit
  bool done = false;   ///< it has
  unsigned limit = 0;  ///< blocks, when done: at least 1, at most as many as were resident; else 0
  bool operator==(const BlockMonitorOutputs&) const = default;
};

/// Counting ends with the cycle t in which the first block ends: the blocks that are resident then,
/// the ended one included, with the instructions of that cycle. From t + 1 on the monitor is busy
/// for twice as many cycles as it has slots, one slot after the other and then one possible limit
/// after the other; then it is done. `limit` stays until `restart`, and what else comes before that
/// changes nothing. In one cycle `restart` goes before `starts`, and these before `issues`.
class BlockMonitor {
 public:
  virtual ~BlockMonitor() = default;
  /// The clock edge that ends a cycle with these inputs. A cycle without any changes nothing unless
  /// the monitor is busy.
  virtual void clock(const BlockMonitorInputs& inputs) = 0;
  /// What the registers say.
  [[nodiscard]] virtual BlockMonitorOutputs outputs() const = 0;
};

/// The golden model. Throws std::logic_error for a configuration that cannot be.
std::unique_ptr<BlockMonitor> make_block_monitor(const BlockMonitorConfig& config);

}  // namespace paws
