// SPDX-License-Identifier: MIT
// Dynamic warp formation (Fung et al., MICRO 2007, section 4): threads at one pc merge into warps
// whenever they meet, and there is no stack.
//
// A warp that retires is split by next pc, lowest lane first. For each part a table knows the
// youngest warp that waits at that pc, and which of its lanes are taken: the threads whose lanes
// are free join that warp; the others found a new one, which is the table's from then on. A warp
// that was selected is in the table no more, and an older one is not filled up. Threads that leave
// a barrier come like a warp that retires, in the order in which they had come to it.
//
// Which waiting warp is selected:
//   majority  a warp of the pc at which most threads wait, until none waits there; then the next
//             such pc. Of pcs with as many threads the lowest, of warps at one pc the oldest.
//   pdom      the warp that has passed the fewest points at which control flow meets again
//             (immediate post-dominators of conditional branches). A thread counts such a point
//             when it comes to it. A warp has the largest count of its threads, and they take it
//             over when the warp is selected: they are equally far. Of equal warps the fullest, of
//             these the oldest.
//
// The table has a place for every pc: nothing is lost to its size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/core/formed_warp.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

/// Which warp goes first.
enum class FormationPriority : std::uint8_t { majority, pdom };

class DynamicWarpFormation {
 public:
  using NextPcs = std::array<std::uint32_t, kMaxLanes>;

  /// `rows` of the core: at most 256.
  DynamicWarpFormation(FormationPriority priority, unsigned rows, FormationCounts& counts);

  /// No launch and no thread.
  void begin();
  /// One more launch, numbered from 0, of `kernel`, which must outlive it.
  void add_launch(const ir::Kernel& kernel);
  /// A block starts at pc 0. Its row i, of which these threads exist, is row `rows[i]` of the core,
  /// where no other block has threads that have not ended.
  void start(std::uint32_t launch, std::span<const std::uint32_t> rows,
             const LargeWarpMask& threads);

  /// A warp that was selected has executed: of its lanes, threads of `ended` have ended; those of
  /// `held` wait at a barrier, behind which the warp stands; each of the others goes to its lane's
  /// next pc.
  void retire(const FormedWarp& warp, const NextPcs& next, LaneBits ended, LaneBits held);
  /// A warp that was selected has not executed: it waits as if it had just come, but counts no
  /// point.
  void put_back(const FormedWarp& warp) { wait(warp); }
  /// The threads of a block, given as for start(), go on from the barrier that they are held at.
  void release(std::span<const std::uint32_t> rows, const LargeWarpMask& threads);

  /// No warp waits.
  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  /// The warp of highest priority waits no more. There must be one.
  FormedWarp select();

  /// The warps that wait, the oldest first.
  [[nodiscard]] std::vector<FormedWarp> waiting() const;
  /// Threads that are held at barriers, at the pc behind: as they came, the first ones first.
  [[nodiscard]] const std::vector<FormedWarp>& held() const { return held_; }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffffU;

  struct Warp {
    FormedWarp threads;
    std::uint32_t passed = 0;  ///< meeting points: the largest count of its threads
  };
  /// Of the table: what is known of a pc.
  struct Entry {
    std::uint32_t youngest = kNone;  ///< index in pool_ of the warp that others join
    std::uint32_t threads = 0;       ///< that wait here
    bool meets = false;
  };
  struct Place {
    std::uint32_t launch = 0, pc = 0;
    bool operator==(const Place&) const = default;
    bool operator<(const Place& other) const {
      return launch != other.launch ? launch < other.launch : pc < other.pc;
    }
  };

  [[nodiscard]] Entry& at(const Place& place) { return table_[place.launch][place.pc]; }
  [[nodiscard]] std::uint32_t& passed(std::uint8_t row, unsigned lane) {
    return passed_[std::size_t{row} * kMaxLanes + lane];
  }
  /// The threads come to the warp's pc.
  void arrive(const FormedWarp& part);
  /// The threads, all at one pc, join or found a warp.
  void wait(const FormedWarp& part);
  /// The lanes of `part` go to the waiting warp at `index` of the pool.
  void join(std::uint32_t index, const FormedWarp& part, LaneBits lanes);
  /// A new, empty warp at the pc. Returns its index in the pool.
  std::uint32_t found(const Place& at);
  /// Indices into waiting_.
  [[nodiscard]] std::size_t pick_majority();
  [[nodiscard]] std::size_t pick_pdom() const;

  FormationPriority priority_;
  FormationCounts& counts_;
  std::vector<std::vector<Entry>> table_;  ///< by launch and pc
  std::vector<std::uint32_t> passed_;      ///< by thread: meeting points
  std::vector<Warp> pool_;
  std::vector<std::uint32_t> free_;     ///< indices into pool_
  std::vector<std::uint32_t> waiting_;  ///< indices into pool_, the oldest first
  std::vector<FormedWarp> held_;        ///< behind barriers, in the order in which they came
  std::optional<Place> majority_;       ///< until no thread waits there
};

}  // namespace paws::core
