// SPDX-License-Identifier: MIT
// Dynamic warp formation: warps that are formed anew after each instruction (Fung et al., MICRO
// 2007, section 4).
//
// A thread has a home lane, which it never leaves, and a row: the warp slot that its registers lie
// in. A warp is at most one thread per lane, all at one pc, of any rows and blocks. There is no
// stack. A warp that retires is split by next pc, lowest lane first. For each part a table knows
// the youngest warp that waits at that pc, and which of its lanes are taken: the threads whose
// lanes are free join that warp; the others found a new one, which is the table's from then on.
// A warp that was selected is in the table no more, and an older one is not filled up.
//
// Which waiting warp is selected:
//   majority  a warp of the pc at which most threads wait, until none waits there; then the next
//             such pc. Of pcs with as many threads the lowest, of warps at one pc the oldest.
//   pdom      the warp that has passed the fewest points at which control flow meets again
//             (immediate post-dominators of branches that can diverge). A thread counts such a
//             point when it comes to it. A warp has the largest count of its threads, and they take
//             it over when the warp is selected: they are equally far. Of equal warps the fullest,
//             of these the oldest.
//
// The table has a place for every pc: nothing is lost to its size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/large_warp.h"
#include "sim/ir/kernel.h"

namespace paws::core {

/// Threads that execute one instruction together.
struct DynamicWarp {
  std::uint32_t launch = 0;  ///< threads of several launches are never in one warp
  std::uint32_t pc = 0;
  LaneBits lanes = 0;
  LaneRows row{};  ///< of each lane's thread; 0 for an idle lane
  bool operator==(const DynamicWarp&) const = default;
};

/// Which warp goes first.
enum class FormationPriority : std::uint8_t { majority, pdom };

/// Where control flow that a branch of the kernel has split can meet again, one entry per pc.
std::vector<bool> meeting_points(const ir::Kernel& kernel);

class WarpFormer {
 public:
  using NextPcs = std::array<std::uint32_t, kMaxLanes>;

  struct Counts {
    std::uint64_t selected = 0;    ///< warps
    std::uint64_t founded = 0;     ///< warps
    std::uint64_t joined = 0;      ///< threads that joined a waiting warp
    std::uint64_t conflicts = 0;   ///< parts of which a thread found its lane taken
    std::uint64_t splits = 0;      ///< retired warps whose threads went on at several pcs
    std::uint64_t most_warps = 0;  ///< that waited at a time
    bool operator==(const Counts&) const = default;
  };

  /// `rows`: warp slots of the core, at most 256.
  WarpFormer(FormationPriority priority, unsigned rows);

  /// No launch and no thread.
  void begin();
  /// One more launch, numbered from 0: its meeting points, one entry per pc of its kernel.
  void add_launch(std::vector<bool> meets);

  /// Threads of a row start at pc 0 of their kernel.
  void start(std::uint32_t launch, std::uint8_t row, LaneBits lanes);
  /// Threads come to the next pc of their lane, out of the pipeline or from a barrier. `warp.pc` is
  /// void. Threads that have ended, or wait at a barrier, are not among them.
  void retire(const DynamicWarp& warp, const NextPcs& next);
  /// The warp, selected, could not be fetched: it waits again, as if it had just come.
  void put_back(const DynamicWarp& warp) { wait(warp); }

  /// No warp waits.
  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  /// The warp of highest priority waits no more. There must be one.
  DynamicWarp select();

  /// The warps that wait, the oldest first.
  [[nodiscard]] std::vector<DynamicWarp> waiting() const;
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffffU;

  struct Warp {
    DynamicWarp threads;
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
    auto operator<=>(const Place&) const = default;
  };

  [[nodiscard]] Entry& at(const Place& place) { return table_[place.launch][place.pc]; }
  [[nodiscard]] std::uint32_t& passed(std::uint8_t row, unsigned lane) {
    return passed_[std::size_t{row} * kMaxLanes + lane];
  }
  /// The threads, all at one pc, join or found a warp.
  void wait(const DynamicWarp& part);
  /// The lanes of `part` go to the waiting warp at `index` of the pool.
  void join(std::uint32_t index, const DynamicWarp& part, LaneBits lanes);
  /// A new, empty warp at the pc. Returns its index in the pool.
  std::uint32_t found(const Place& at);
  /// Indices into waiting_.
  [[nodiscard]] std::size_t pick_majority();
  [[nodiscard]] std::size_t pick_pdom() const;

  FormationPriority priority_;
  std::vector<std::vector<Entry>> table_;  ///< by launch and pc
  std::vector<std::uint32_t> passed_;      ///< by thread: meeting points
  std::vector<Warp> pool_;
  std::vector<std::uint32_t> free_;     ///< indices into pool_
  std::vector<std::uint32_t> waiting_;  ///< indices into pool_, the oldest first
  std::optional<Place> majority_;       ///< until no thread waits there
  Counts counts_;
};

}  // namespace paws::core
