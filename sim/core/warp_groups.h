// SPDX-License-Identifier: MIT
// Which group each warp of a core is in, as single:sca sees it (SchedulerInputs::pair).
//
// A pair of blocks has a number that no other pair or block of the core has, from the start of its
// first block to the end of its last one: the lowest that is free. A block in no pair has such a
// number alone. Warps of a block are counted by scheduler. Of a pair, number i of the block that
// starts first and number i of the other one are the members of row i. Of a block alone, numbers 2j
// and 2j + 1 are the members of row j.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/block_table.h"
#include "sim/core/warp_slots.h"

namespace paws::core {

class WarpGroups {
 public:
  struct Place {
    std::uint8_t pair = 0;
    std::uint8_t row = 0;
    bool second = false;
    bool operator==(const Place&) const = default;
  };

  explicit WarpGroups(unsigned schedulers) : slots_(schedulers) {}

  /// No block is resident, and at most `blocks` will be at a time.
  void begin(std::size_t blocks);
  /// A block has started in `slot`, whose number is `block_slot`. Calls `put(warp, place)` for each
  /// of its warps, named by their warp slots.
  template <typename Put>
  void started(const BlockTable::Slot& slot, std::uint32_t block_slot, Put&& put) {
    const bool joins = join(slot.pair, block_slot);
    const bool paired = slot.pair != BlockTable::kAlone;
    std::vector<unsigned> counts(slots_.schedulers());
    for (const std::uint32_t warp : slot.warps) {
      const unsigned count = counts[slots_.scheduler(warp)]++;
      put(warp, Place{static_cast<std::uint8_t>(number_of_[block_slot]),
                      static_cast<std::uint8_t>(paired ? count : count / 2),
                      paired ? joins : count % 2 != 0});
    }
  }
  /// The block of the slot has ended.
  void ended(std::uint32_t block_slot) { --numbers_[number_of_[block_slot]].blocks; }

 private:
  /// What a number stands for.
  struct Number {
    std::uint32_t pair = BlockTable::kAlone;  ///< as the block scheduler numbers pairs
    unsigned blocks = 0;                      ///< resident; 0: the number is free
  };

  /// Gives the block slot its number. Whether it is that of the first block of its pair.
  bool join(std::uint32_t pair, std::uint32_t block_slot);

  WarpSlots slots_;
  std::vector<Number> numbers_;
  std::vector<std::size_t> number_of_;  ///< by block slot
};

}  // namespace paws::core
