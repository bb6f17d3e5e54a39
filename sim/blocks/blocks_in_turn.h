// SPDX-License-Identifier: MIT
// Blocks to cores in turn: round robin, and the base of the block schedulers that differ from it in
// what a core gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "sim/blocks/block_scheduler.h"

namespace paws {

/// Round robin: in every cycle each core that has room, as far as the scheduler knows, gets the
/// next block, at most one, the core with the lowest number first. That a block has ended takes
/// `latency` cycles there and back, so a block starts at the earliest so many cycles after the one
/// whose place it takes; at the start of a launch all is known to be free.
///
/// With an interval (pace()) the cores that may have room wait for their turns, in the order in
/// which that becomes known.
///
/// Of several launches the first one with a block that fits goes first: a later launch gets what
/// earlier ones leave.
class BlocksInTurn : public BlockScheduler {
 public:
  BlocksInTurn(std::uint32_t cores, std::uint64_t latency);

  void pace(std::uint64_t interval) final { interval_ = interval; }
  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override;
  void freed(std::uint32_t core, std::uint32_t launch, std::uint32_t pair,
             std::uint64_t cycle) final;
  void cap(std::uint32_t core, unsigned blocks, std::uint64_t cycle) final;
  void hand_out(std::uint64_t end, const HandOut& to) final;

  [[nodiscard]] std::uint64_t started() const final { return started_; }
  [[nodiscard]] std::uint64_t blocks() const final { return blocks_; }
  [[nodiscard]] std::uint64_t next_start() const final;

 protected:
  struct Core {
    core::Resources free;            ///< as is known in the cycle of the last hand-out
    std::uint64_t free_from = 0;     ///< first cycle in which it takes a block
    std::vector<unsigned> resident;  ///< blocks, as far as is known, by launch
    unsigned cap = std::numeric_limits<unsigned>::max();  ///< blocks, of all launches
  };
  struct Launch {
    LaunchBlocks blocks;
    unsigned most = 0;       ///< blocks of it alone that fit a core
    std::uint64_t next = 0;  ///< place of the next block
    [[nodiscard]] bool exhausted() const { return next == blocks.blocks; }
  };
  /// What a core gets.
  struct Choice {
    std::uint32_t launch = 0;
    std::uint64_t place = 0;
    std::uint64_t next = 0;  ///< place from which on the launch's blocks are left to others
    std::uint32_t pair = kAlone;
    std::optional<std::uint64_t> number = {};  ///< as in Start
  };

  /// What `core` gets in `cycle`, which is not before the last one that was asked for; nothing when
  /// there is nothing for it. Asked again with the next cycle after a block for the core, and when
  /// it becomes known that one has ended.
  [[nodiscard]] virtual std::optional<Choice> choose(std::uint32_t core, std::uint64_t cycle) const;
  /// So many blocks of `launch` the core may have in `cycle`; as many as fit, if not overridden.
  [[nodiscard]] virtual unsigned limit(std::uint32_t core, std::uint32_t launch,
                                       std::uint64_t cycle) const;
  /// `core` has been given what choose() said in `cycle`.
  virtual void gave(std::uint32_t /*core*/, const Choice& /*choice*/, std::uint64_t /*cycle*/) {}
  /// Where the block stands in its launch that is the one at `place` by the books.
  [[nodiscard]] virtual std::uint64_t place_of(std::uint32_t /*launch*/, std::uint64_t place) {
    return place;
  }
  /// It is known that a block has ended.
  virtual void ended(std::uint32_t /*core*/, std::uint32_t /*pair*/) {}

  /// The core has fewer blocks than its cap.
  [[nodiscard]] bool below_cap(std::uint32_t core) const;
  /// The launch has a block left, and `core` room for it, fewer than limit() and than its cap.
  [[nodiscard]] bool fits(std::uint32_t core, std::uint32_t launch, std::uint64_t cycle) const;

  [[nodiscard]] const Core& core(std::uint32_t number) const { return cores_[number]; }
  [[nodiscard]] std::uint32_t cores() const { return static_cast<std::uint32_t>(cores_.size()); }
  [[nodiscard]] const Launch& launch(std::uint32_t number) const { return launches_[number]; }
  [[nodiscard]] std::uint32_t launches() const {
    return static_cast<std::uint32_t>(launches_.size());
  }
  /// The next block of a launch, alone.
  [[nodiscard]] Choice next_of(std::uint32_t launch) const {
    const std::uint64_t place = launches_[launch].next;
    return {launch, place, place + 1};
  }

 private:
  /// A block has ended.
  struct Ended {
    std::uint32_t launch = 0;
    std::uint32_t pair = kAlone;
    bool operator==(const Ended&) const = default;
    bool operator<(const Ended& other) const {
      return std::tie(launch, pair) < std::tie(other.launch, other.pair);
    }
  };
  /// A core may have room from `cycle` on.
  struct Chance {
    std::uint64_t cycle = 0;
    std::uint32_t core = 0;
    std::optional<Ended> ended;   ///< the block that has made the room
    std::optional<unsigned> cap;  ///< the core's from now on
    bool second = false;          ///< of a pair, which has had its first block in the cycle before

    bool operator>(const Chance& other) const {
      // A cap holds from its cycle on, so it goes before what happens in that cycle.
      const bool plain = !cap;
      const bool other_plain = !other.cap;
      return std::tie(cycle, core, plain, ended, cap) >
             std::tie(other.cycle, other.core, other_plain, other.ended, other.cap);
    }
  };

  /// A core that has had a chance waits for its turn.
  struct Waiting {
    std::uint64_t since = 0;  ///< cycle
    std::uint32_t core = 0;
  };

  /// The cycle in which the first core that waits has its turn; UINT64_MAX when none does.
  [[nodiscard]] std::uint64_t next_turn() const;
  /// Takes note of what has made the chance. Whether a block may start.
  bool learn(const Chance& chance);
  /// Gives `core` what choose() says, if anything.
  void give(std::uint32_t core, std::uint64_t cycle, const HandOut& to);

  std::uint64_t latency_;
  std::uint64_t interval_ = 0;
  std::uint64_t free_ = 0;  ///< first cycle in which a core has its turn
  std::uint64_t blocks_ = 0;
  std::uint64_t started_ = 0;
  std::vector<Launch> launches_;
  std::vector<Core> cores_;
  std::priority_queue<Chance, std::vector<Chance>, std::greater<>> chances_;
  std::deque<Waiting> waiting_;
};

}  // namespace paws
