// SPDX-License-Identifier: MIT
// The scoreboard of a core: which results each warp still waits for.
//
// An instruction's destinations are pending from issued() to written(); an instruction that reads
// or writes a pending register must not issue (RAW and WAW; operands are captured at issue, so WAR
// cannot arise). Registers that a long operation will write are marked apart, because a scheduler
// of two levels asks for them. A fence waits for the warp's own stores, which are counted here too.
//
// Times are the caller's: a change is seen by every check() after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/timed_kernel.h"

namespace paws::core {

class Scoreboard {
 public:
  /// What keeps an instruction from issuing.
  struct Hazards {
    bool any = false;        ///< a register that it names is pending, or it is a fence that waits
    bool long_load = false;  ///< one of these registers waits for a long operation
  };

  /// Nothing is pending in any of `warps` warp slots, whose warps have `registers` registers.
  void begin(std::uint32_t warps, std::size_t registers) {
    words_ = (registers + 63) / 64;
    pending_.assign(std::size_t{warps} * words_ * 2, 0);
    counts_.assign(warps, {});
  }

  /// The warp in slot `warp` issues the instruction: its destinations become pending.
  void issued(std::uint32_t warp, const TimedInstruction& timed) {
    Word* const any = words_of(warp);
    Word* const by_long = any + words_;
    for (unsigned i = 0; i < timed.written; ++i) {
      set(any, timed.write[i]);
      if (timed.long_op) set(by_long, timed.write[i]);
    }
    if (timed.long_op) ++counts_[warp].long_loads;
  }
  /// Its results are there.
  void written(std::uint32_t warp, const TimedInstruction& timed) {
    Word* const any = words_of(warp);
    Word* const by_long = any + words_;
    for (unsigned i = 0; i < timed.written; ++i) {
      clear(any, timed.write[i]);
      if (timed.long_op) clear(by_long, timed.write[i]);
    }
    if (timed.long_op) --counts_[warp].long_loads;
  }

  /// The warp issues a store or reduction.
  void store_issued(std::uint32_t warp) { ++counts_[warp].stores; }
  /// One of them is acknowledged. True when it was the last one outstanding.
  bool store_done(std::uint32_t warp) { return --counts_[warp].stores == 0; }

  [[nodiscard]] Hazards check(std::uint32_t warp, const TimedInstruction& next) const {
    const Word* const any = words_of(warp);
    const Word* const by_long = any + words_;
    Hazards found{next.fence && counts_[warp].stores > 0, false};
    for (unsigned i = 0; i < next.checked; ++i) {
      found.any |= get(any, next.check[i]);
    }
    if (counts_[warp].long_loads == 0) return found;
    for (unsigned i = 0; i < next.checked; ++i) {
      found.long_load |= get(by_long, next.check[i]);
    }
    return found;
  }
  /// A register-writing long operation of the warp is outstanding.
  [[nodiscard]] bool long_outstanding(std::uint32_t warp) const {
    return counts_[warp].long_loads > 0;
  }

 private:
  using Word = std::uint64_t;
  struct Counts {
    std::uint32_t long_loads = 0;  ///< register-writing long operations outstanding
    std::uint32_t stores = 0;      ///< stores and reductions not acknowledged
  };

  /// Of a kernel without registers there are none.
  [[nodiscard]] Word* words_of(std::uint32_t warp) {
    return pending_.data() + std::size_t{warp} * words_ * 2;
  }
  [[nodiscard]] const Word* words_of(std::uint32_t warp) const {
    return pending_.data() + std::size_t{warp} * words_ * 2;
  }
  static bool get(const Word* bits, ir::RegId reg) {
    return (bits[reg / 64] >> reg % 64 & 1U) != 0;
  }
  static void set(Word* bits, ir::RegId reg) { bits[reg / 64] |= Word{1} << reg % 64; }
  static void clear(Word* bits, ir::RegId reg) { bits[reg / 64] &= ~(Word{1} << reg % 64); }

  std::size_t words_ = 0;      ///< of one bit per register
  std::vector<Word> pending_;  ///< per warp slot: registers pending, then those by long operations
  std::vector<Counts> counts_;
};

}  // namespace paws::core
