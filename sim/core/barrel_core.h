// SPDX-License-Identifier: MIT
// A SIMT core that is a barrel: an instruction of a warp is fetched only when the one before it is
// done, so there is no i-buffer, no scoreboard and no branch prediction, and all units take one
// cycle (Narasiman et al., MICRO 2011, section 2).
//
// What stands here is what does not depend on what a warp is: the instruction cache, the back end
// (barrel_back_end.h), the cycle and its accounts. A front end, derived from this class, selects
// warps, forms sub-warps and knows when a warp may be selected again (large_warp_core.h).
//
// A cycle t: responses and lines that have come; the back end moves on; a sub-warp goes from decode
// to the back end; an instruction is selected and executed for its values, and is in decode from
// t + 1 on. While the back end is frozen, nothing goes to it and nothing is selected.
//
// A load that is selected in cycle t has no reader before t + core.pipeline_stages: so long may a
// window be (docs/reference/simulator.md, "Windows").
#pragma once

#include <cstdint>
#include <memory>

#include "sim/config/gpu_config.h"
#include "sim/core/barrel_back_end.h"
#include "sim/core/core.h"
#include "sim/core/instruction_cache.h"

namespace paws::core {

class BarrelCore : public Core {
 public:
  void begin(const RunningKernels& running, std::uint64_t cycle) override;
  void end(std::uint64_t cycle) override;
  void run(std::uint64_t sure, std::uint64_t end) override;
  [[nodiscard]] std::uint64_t next_activity() const override {
    return idle() ? kNever : next_cycle();
  }
  [[nodiscard]] bool idle() const override;

 protected:
  /// `observer` may be null. `waiters`: numbers below it, by which the front end knows who waits
  /// for memory and for instructions.
  BarrelCore(const GpuConfig& config, bool distance, std::uint32_t number, memory::Port& crossbar,
             std::unique_ptr<CoreObserver> observer, std::uint32_t waiters);

  /// No warp is there.
  virtual void begin_front() = 0;
  /// A block has taken up the slot: its warps may start from now on.
  virtual void block_started(const BlockTable::Slot& slot) = 0;
  /// The block of the slot has ended.
  virtual void block_ended(const BlockTable::Slot& slot) = 0;
  /// Decode: a sub-warp goes to the back end, unless that is `frozen`. True if one has.
  virtual bool decode(bool frozen) = 0;
  /// Sub-warps are left to form: nothing can be selected.
  [[nodiscard]] virtual bool forming() const = 0;
  /// Decides what is selected, if that is `enabled`; `state` is that of the cycle.
  virtual void decide(std::uint64_t cycle, bool enabled, SchedulerState state) = 0;
  /// Does what has been decided.
  virtual void select(std::uint64_t cycle) = 0;
  /// The sub-warp leaves the back end.
  virtual void leave(const SubWarp& sub_warp) = 0;
  /// Its line of the instruction cache has come; it need not look it up again.
  virtual void line_came(std::uint32_t waiter) = 0;
  /// It has begun to wait for memory, or a wait has ended (BarrelBackEnd::waits).
  virtual void wait_begun(std::uint32_t waiter) = 0;
  virtual void wait_ended(std::uint32_t waiter) = 0;
  /// Something is to be done in the next cycle, whatever the back end and the caches do.
  [[nodiscard]] virtual bool active() const = 0;
  /// State of a cycle without a sub-warp in which the back end is not frozen, and whether no warp
  /// is left in it but such as stand at barriers.
  [[nodiscard]] virtual SchedulerState idle_state() const = 0;
  [[nodiscard]] virtual bool held() const = 0;

  /// Looks up the instruction at `address`. False: the selection is lost; line_came() will say when
  /// to try again if `waits` is set, else it may be tried at any time.
  bool fetch(std::uint64_t address, std::uint32_t waiter, std::uint64_t cycle, bool& waits);
  /// Whether fetch() of `address` would find it now.
  [[nodiscard]] bool would_fetch(std::uint64_t address) const { return icache_.holds(address); }
  [[nodiscard]] BarrelBackEnd& back_end() { return back_end_; }
  [[nodiscard]] const BarrelBackEnd& back_end() const { return back_end_; }
  /// Something that names the warp slot has ended (BlockTable::land).
  void land(std::uint32_t warp) { end_block(blocks_.land(warp)); }

 private:
  void respond(const memory::Response& response);
  void step(std::uint64_t cycle);
  [[nodiscard]] std::uint64_t next_step(std::uint64_t cycle) const;
  /// Accounts the cycles up to and without `cycle` in which nothing happened.
  void account_until(std::uint64_t cycle);
  /// Adds `cycles` cycles in `state` with what is under way now.
  void account(SchedulerState state, std::uint64_t cycles);
  /// Null: no slot has become free.
  void end_block(const BlockTable::Slot* slot);

  BarrelBackEnd back_end_;
  InstructionCache icache_;
  SchedulerState state_ = SchedulerState::no_instruction;  ///< of the last step
};

}  // namespace paws::core
