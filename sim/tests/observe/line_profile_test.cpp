// SPDX-License-Identifier: MIT
// The profile by line against the statistics of the run, against a count that looks at every warp
// in every cycle, and of kernels of which the figures are known.

#include "sim/observe/line_profile.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "sim/core/core.h"
#include "sim/core/issue_filter.h"
#include "sim/core/issue_levels.h"
#include "sim/core/warp_slots.h"
#include "sim/observe/fan_out.h"
#include "sim/tests/gpu/support.h"

namespace paws::observe {
namespace {

/// What a profile counts of waits, without its short cuts: every warp is looked at in every cycle,
/// and every queue asked for.
class SlowCount final : public core::CoreObserver {
 public:
  using Counts = std::map<std::uint32_t, LineCounts>;  ///< by pc
  explicit SlowCount(Counts& counts) : counts_(counts) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t /*cycle*/) override {
    core_ = &core;
    code_ = running.only().timed;
    slots_ = core::WarpSlots(core.schedulers());
    last_.assign(core.warps(), 0);
  }
  void decided(const core::SchedulerView& view) override {
    const QueueSnapshot queues = view.scheduler->snapshot();
    for (std::uint32_t warp = view.number; warp < core_->warps(); warp += core_->schedulers()) {
      const core::WarpView at = core_->view(warp);
      const WarpId local = slots_.local(warp);
      if (!at.live) continue;
      if (view.outputs->issue_valid && view.outputs->issue_warp == local) {
        ++counts_[at.pc].issues;
        last_[warp] = at.pc;
        continue;
      }
      const bool ready =
          std::find(queues.ready.begin(), queues.ready.end(), local) != queues.ready.end();
      const bool two_level = view.scheduler->config().level == Level::two_level;
      const bool issuable = (view.inputs->issuable >> local & 1U) != 0;
      Wait reason = Wait::instruction;
      std::uint32_t pc = at.pc;
      if (at.at_barrier) {
        reason = Wait::barrier;
        pc = last_[warp];
      } else if (at.decoded && !at.clear) {
        const bool memory = at.waits_for_memory || (*code_)[pc].fence;
        reason = memory ? Wait::memory : Wait::arithmetic;
      } else if (at.clear && !view.inputs->issue_en) {
        reason = Wait::disabled;
      } else if (at.clear && !issuable) {
        reason = Wait::unit;
      } else if (at.clear) {
        reason = two_level && !ready ? Wait::outside : Wait::not_selected;
      }
      ++counts_[pc].waits[static_cast<std::size_t>(reason)];
    }
  }
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t from, std::uint64_t to) override {
    if (core_->live_warps() > 0) throw std::logic_error("a cycle of " + std::to_string(to - from));
  }
  void end(std::uint64_t /*cycle*/) override {}

 private:
  Counts& counts_;
  const core::Core* core_ = nullptr;
  const core::TimedKernel* code_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<std::uint32_t> last_;
};

/// In every other epoch it holds the warps in odd slots back.
class Epochs final : public core::IssueFilter {
 public:
  void begin(const core::Core& /*core*/, const core::RunningKernels& /*running*/,
             std::uint64_t cycle) override {
    cycle_ = cycle;
  }
  void block_started(std::uint64_t /*cycle*/, const core::BlockTable::Slot& /*slot*/) override {}
  void block_ended(std::uint64_t /*cycle*/, const core::BlockTable::Slot& /*slot*/) override {}
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void l1_accessed(const core::L1Access& /*access*/) override {}
  void advance(std::uint64_t cycle) override { cycle_ = cycle; }
  [[nodiscard]] WarpMask admit(unsigned /*scheduler*/, WarpMask issuable) const override {
    return cycle_ / kEpoch % 2 == 0 ? issuable : issuable & 0x5555'5555'5555'5555;
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t cycle) const override {
    return (cycle / kEpoch + 1) * kEpoch;
  }

 private:
  static constexpr std::uint64_t kEpoch = 37;
  std::uint64_t cycle_ = 0;
};

constexpr unsigned kCores = 2;

/// A run of kBusyKernel with its profile.
struct Profiled {
  Profiled(const std::string& gpu, const std::string& scheduler) {
    run.config = load_gpu(gpu);
    run.config.cores = kCores;
    run.scheduler = scheduler;
    run.shape.grid = {20, 1, 1};
    run.shape.block = {96, 1, 1};
    run.buffer_bytes = 16384;
    run.launches = 2;
    run.options.observe = [this](std::uint32_t core) { return lines.observer(core); };
  }
  Profile go() {
    run.run(kBusyKernel);
    return lines.total();
  }

  GpuRun run;
  LineProfile lines{kCores};
};

/// GPU, scheduler, keys; whether an issue filter holds warps back.
struct Machine {
  const char* gpu;
  const char* scheduler;
  std::vector<std::string> keys;
  bool throttled = false;
};

void PrintTo(const Machine& machine, std::ostream* out) {
  *out << machine.gpu << " " << machine.scheduler;
}

class LineProfileOf : public testing::TestWithParam<Machine> {
 protected:
  static void set_up(Profiled& profiled) {
    for (const std::string& key : GetParam().keys) set_key(profiled.run.config, key);
    if (!GetParam().throttled) return;
    profiled.run.options.filter = [](std::uint32_t) { return std::make_unique<Epochs>(); };
  }
};

TEST_P(LineProfileOf, ItsSumsAreTheStatistics) {
  Profiled profiled(GetParam().gpu, GetParam().scheduler);
  set_up(profiled);
  const LineCounts sum = profiled.go().total();
  const CoreStatistics& cores = profiled.run.statistics.cores;
  EXPECT_EQ(sum.issues, cores.warp_instructions());
  EXPECT_EQ(sum.warp_cycles(), cores.warp_cycles);
  EXPECT_EQ(sum.thread_instructions, cores.thread_instructions());
  EXPECT_EQ(sum.l1_accesses, cores.l1_accesses);
  EXPECT_EQ(sum.l1_misses, cores.l1_misses);
  EXPECT_EQ(sum.shared_accesses, cores.shared_accesses);
  EXPECT_EQ(sum.shared_conflict_cycles, cores.shared_conflict_cycles);
  EXPECT_GT(sum.l1_misses, 0U);
  EXPECT_GT(sum.shared_accesses, 0U);
  EXPECT_GT(sum.path_threads, sum.thread_instructions);
}

TEST_P(LineProfileOf, ACountOfEveryWarpInEveryCycleSaysTheSame) {
  Profiled profiled(GetParam().gpu, GetParam().scheduler);
  set_up(profiled);
  const Profile skipping = profiled.go();

  Profiled stepping(GetParam().gpu, GetParam().scheduler);
  set_up(stepping);
  stepping.run.options.skip_idle_cycles = false;
  std::vector<SlowCount::Counts> slow(kCores);
  stepping.run.options.observe = both(stepping.run.options.observe, [&slow](std::uint32_t core) {
    return std::make_unique<SlowCount>(slow.at(core));
  });
  EXPECT_TRUE(stepping.go() == skipping);

  for (std::uint32_t pc = 0; pc < skipping.kernels.at(0).code.size(); ++pc) {
    LineCounts expected;
    for (SlowCount::Counts& core : slow) expected += core[pc];
    const ProfiledInstruction& instruction = skipping.kernels[0].code[pc];
    EXPECT_EQ(instruction.counts.issues, expected.issues) << instruction.text;
    EXPECT_EQ(instruction.counts.waits, expected.waits) << instruction.text;
  }
}

TEST_P(LineProfileOf, ItDependsOnNoThreadsAndChangesNothing) {
  Profiled one(GetParam().gpu, GetParam().scheduler);
  set_up(one);
  const Profile reference = one.go();
  Profiled two(GetParam().gpu, GetParam().scheduler);
  set_up(two);
  two.run.options.threads = 2;
  EXPECT_TRUE(two.go() == reference);
  Profiled none(GetParam().gpu, GetParam().scheduler);
  set_up(none);
  none.run.options.observe = nullptr;
  none.go();
  EXPECT_TRUE(none.run.statistics.cores == one.run.statistics.cores);
  EXPECT_TRUE(none.run.statistics.memory == one.run.statistics.memory);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, LineProfileOf,
    testing::Values(Machine{"m2090", "single:rr", {}}, Machine{"m2090", "single:gto", {}},
                    Machine{"m2090", "two-level:rr", {}}, Machine{"m2090", "two-level:paws", {}},
                    Machine{"m2090", "two-level:paws", {"scheduler.ready=2"}},
                    Machine{"m2090", "two-level:gto", {"scheduler.age_limit=8"}},
                    Machine{"m2090", "two-level:paws", {"scheduler.branch_demotes=true"}},
                    Machine{"c2050", "two-level:gto", {}}, Machine{"a100", "single:gto", {}},
                    Machine{"a100", "two-level:paws", {}},
                    Machine{"m2090", "two-level:paws", {}, true},
                    Machine{"a100", "single:gto", {}, true}));

/// The counts of the only instruction of which the text begins so.
LineCounts counts_of(const Profile& profile, const std::string& text) {
  LineCounts found;
  unsigned count = 0;
  for (const ProfiledInstruction& instruction : profile.kernels.at(0).code) {
    if (!instruction.text.starts_with(text)) continue;
    found = instruction.counts;
    ++count;
  }
  EXPECT_EQ(count, 1U) << text;
  return found;
}

/// One warp of 32 threads.
Profile profile_of(const std::string& body, unsigned threads = 32) {
  GpuRun run;
  LineProfile lines(1);
  run.shape.block = {threads, 1, 1};
  run.options.observe = [&lines](std::uint32_t core) { return lines.observer(core); };
  run.run(body);
  return lines.total();
}

TEST(LineProfile, AWaitCountsAtTheInstructionThatReads) {
  const Profile profile = profile_of(
      "ld.global.u32 %r1, [%rd0];\nadd.u32 %r2, %r1, 1;\nsqrt.approx.f32 %f1, %f2;\n"
      "sin.approx.f32 %f3, %f1;\nst.global.u32 [%rd0], %r2;\nst.global.f32 [%rd0+4], %f3;\nret;\n");
  const LineCounts add = counts_of(profile, "add.u32");
  EXPECT_GT(add.waited_for(Wait::memory), 100U);
  EXPECT_EQ(add.waited_for(Wait::arithmetic), 0U);
  EXPECT_EQ(counts_of(profile, "ld.global.u32").waited_for(Wait::memory), 0U);
  const LineCounts sine = counts_of(profile, "sin.approx.f32");
  EXPECT_GT(sine.waited_for(Wait::arithmetic), 0U);
  EXPECT_EQ(sine.waited_for(Wait::memory), 0U);
  EXPECT_EQ(sine.issues, 1U);
  EXPECT_EQ(sine.thread_instructions, 32U);
}

TEST(LineProfile, AWaitAtABarrierCountsAtTheBarrier) {
  // The second warp comes to the barrier when its load is there.
  const Profile profile = profile_of(
      "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra L;\nld.global.u32 %r1, [%rd0];\n"
      "st.global.u32 [%rd0+4], %r1;\nL:\nbar.sync 0;\nmov.u32 %r2, %r0;\n"
      "st.global.u32 [%rd0+8], %r2;\nret;\n",
      64);
  const LineCounts barrier = counts_of(profile, "bar.sync");
  EXPECT_EQ(barrier.issues, 2U);
  EXPECT_GT(barrier.waited_for(Wait::barrier), 100U);
  EXPECT_EQ(profile.total().waited_for(Wait::barrier), barrier.waited_for(Wait::barrier));
}

TEST(LineProfile, AFenceWaitsForMemory) {
  const Profile profile =
      profile_of("st.global.u32 [%rd0], %r0;\nmembar.gl;\nst.global.u32 [%rd0+4], %r0;\nret;\n");
  const LineCounts fence = counts_of(profile, "membar");
  EXPECT_GT(fence.waited_for(Wait::memory), 100U);
  EXPECT_EQ(fence.waited_for(Wait::arithmetic), 0U);
}

TEST(LineProfile, MissesConflictsAndLanesAreThoseOfTheInstruction) {
  // Threads store to words of one bank, 32 passes; a quarter of them reads one line each.
  const Profile profile = profile_of(
      "mov.u32 %r1, shared_words;\nshl.b32 %r2, %r0, 7;\nadd.u32 %r1, %r1, %r2;\n"
      "st.shared.u32 [%r1], %r0;\nand.b32 %r3, %r0, 3;\nsetp.eq.u32 %p1, %r3, 0;\n"
      "mul.wide.u32 %rd1, %r0, 128;\nand.b64 %rd1, %rd1, 0x7ff;\nadd.u64 %rd2, %rd0, %rd1;\n"
      "@%p1 ld.global.u32 %r4, [%rd2];\nst.global.u32 [%rd0+2048], %r4;\nret;\n");
  const LineCounts store = counts_of(profile, "st.shared.u32");
  EXPECT_EQ(store.shared_accesses, 1U);
  EXPECT_EQ(store.shared_conflict_cycles, 31U);
  const LineCounts load = counts_of(profile, "@");
  EXPECT_EQ(load.issues, 1U);
  EXPECT_EQ(load.path_threads, 32U);
  EXPECT_EQ(load.thread_instructions, 8U);
  EXPECT_EQ(load.l1_accesses, 4U);
  EXPECT_EQ(load.l1_misses, 4U);
  EXPECT_EQ(profile.total().shared_conflict_cycles, 31U);
}

TEST(LineProfile, LinesAreThoseOfThePtxAndOfTheSource) {
  const Profile profile = profile_of(
      ".loc 1 7 3\nmov.u32 %r1, %ctaid.x;\n.loc 1 9 3\nst.global.u32 [%rd0], %r1;\nret;\n"
      ".file 1 \"k.cu\"\n");
  const std::vector<ProfiledInstruction>& code = profile.kernels.at(0).code;
  ASSERT_EQ(profile.kernels.at(0).file, "test.ptx");
  const auto store = std::find_if(code.begin(), code.end(), [](const ProfiledInstruction& each) {
    return each.text.starts_with("st.global");
  });
  ASSERT_NE(store, code.end());
  EXPECT_EQ(store->source_file, "k.cu");
  EXPECT_EQ(store->source_line, 9U);
  EXPECT_GT(store->line, 10U);
}

}  // namespace
}  // namespace paws::observe
