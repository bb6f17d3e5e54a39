// SPDX-License-Identifier: MIT
// rtl/paws_core_adapter.sv against its golden model in every cycle, under a random core, which
// checks by itself that what is taken comes out once and in order.
#include "model/core_adapter.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <deque>
#include <memory>
#include <string>

#include "VAdapterGto1.h"
#include "VAdapterGto3.h"
#include "VAdapterGto8.h"
#include "VAdapterOrdered1.h"
#include "VAdapterOrdered3.h"
#include "VAdapterOrdered8.h"
#include "VAdapterPaws1.h"
#include "VAdapterPaws3.h"
#include "VAdapterPaws8.h"
#include "VAdapterRr1.h"
#include "VAdapterRr3.h"
#include "VAdapterRr8.h"
#include "VAdapterTwoLevels1.h"
#include "VAdapterTwoLevels3.h"
#include "VAdapterTwoLevels8.h"
#include "model/warp_mask.h"
#include "tb/hosts/bench.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

// As in CMakeLists.txt.
constexpr unsigned kReady = 2;
constexpr unsigned kLengthBits = 9;
constexpr unsigned kPayloadBits = 20;
constexpr unsigned age_limit(unsigned warps) { return warps == 3 ? 5 : 0; }

template <class Top>
class VerilatedCoreAdapter final : public CoreAdapter {
 public:
  explicit VerilatedCoreAdapter(unsigned warps) : warps_(warps) {
    top_->rst_ni = 0;
    VerilatedCoreAdapter::decide({});
    VerilatedCoreAdapter::reset();
  }

  void reset() override { top_.reset(); }

  CoreAdapterOutputs decide(const CoreAdapterInputs& inputs) override {
    top_->active_i = inputs.active;
    top_->issuable_i = inputs.issuable;
    top_->waits_i = inputs.waits;
    top_->long_outstanding_i = inputs.long_outstanding;
    for (WarpId warp = 0; warp < warps_; ++warp) {
      set_bits(top_->length_i, warp * kLengthBits, kLengthBits, inputs.length[warp]);
      set_bits(top_->payload_i, warp * kPayloadBits, kPayloadBits, inputs.payload[warp]);
    }
    top_->issue_ready_i = inputs.issue_ready ? 1 : 0;
    top_.settle();
    CoreAdapterOutputs outputs;
    outputs.taken = top_->taken_o;
    outputs.live = top_->live_o;
    outputs.issue_valid = top_->issue_valid_o != 0;
    if (outputs.issue_valid) {
      outputs.issue_warp = top_->issue_warp_o;
      outputs.issue_payload = get_bits(top_->issue_payload_o, 0, kPayloadBits);
    }
    return outputs;
  }

  void commit() override { top_.rise(); }

 private:
  unsigned warps_;
  VerilatedTop<Top> top_;
};

template <class Top1, class Top3, class Top8>
std::unique_ptr<CoreAdapter> make_rtl(unsigned warps) {
  if (warps == 1) return std::make_unique<VerilatedCoreAdapter<Top1>>(warps);
  if (warps == 3) return std::make_unique<VerilatedCoreAdapter<Top3>>(warps);
  return std::make_unique<VerilatedCoreAdapter<Top8>>(warps);
}

struct Setting {
  std::string name;
  CoreLevel level;
  std::string policy;
  std::unique_ptr<CoreAdapter> (*make_rtl)(unsigned warps);
};

CoreAdapterConfig config_of(const Setting& setting, unsigned warps) {
  CoreAdapterConfig config;
  config.warps = warps;
  config.level = setting.level;
  config.policy = setting.policy;
  config.ready = kReady;
  config.length_bits = kLengthBits;
  config.age_limit = age_limit(warps);
  return config;
}

/// A core whose warps come and go as they like, also several at once and for one cycle alone.
class Core {
 public:
  Core(const Setting& setting, unsigned warps, std::uint64_t seed)
      : warps_(warps),
        random_(seed),
        rtl_(setting.make_rtl(warps)),
        model_(make_core_adapter(config_of(setting, warps))) {
    for (std::uint32_t& payload : payload_) payload = next_payload();
  }

  void cycle() {
    if (random_.below(16) == 0) change_spell();
    const CoreAdapterInputs inputs = draw();
    if (cycle_ % 13 == 0) model_->decide({});  // without effect
    const CoreAdapterOutputs out = rtl_->decide(inputs);
    const CoreAdapterOutputs expected = model_->decide(inputs);
    ASSERT_EQ(out.taken, expected.taken) << "cycle " << cycle_;
    ASSERT_EQ(out.live, expected.live) << "cycle " << cycle_;
    ASSERT_EQ(out.issue_valid, expected.issue_valid) << "cycle " << cycle_;
    ASSERT_EQ(out.issue_warp, expected.issue_warp) << "cycle " << cycle_;
    ASSERT_EQ(out.issue_payload, expected.issue_payload) << "cycle " << cycle_;
    count(inputs, out);
    check_life(inputs, out);
    follow(inputs, out);
    rtl_->commit();
    model_->commit();
    before_ = inputs;
    live_before_ = out.live;
    ++cycle_;
  }

  /// In the middle of what the core was doing.
  void reset() {
    rtl_->reset();
    model_->reset();
    taken_.clear();
    live_before_ = 0;
    steady_ = 0;
  }

  [[nodiscard]] const Events& events() const { return events_; }

 private:
  struct Taken {
    WarpId warp;
    std::uint32_t payload;
  };

  CoreAdapterInputs draw() {
    if (random_.below(16) < changes_) active_ ^= random_.mask(1 + random_.below(8)) & all();
    const WarpMask gaps = random_.below(16) < gaps_ ? random_.mask(1 + random_.below(8)) : 0;
    CoreAdapterInputs inputs;
    inputs.active = active_ & ~gaps;
    inputs.issuable = random_.mask(issuable_) & all();
    inputs.waits = random_.mask(waits_) & all() & ~inputs.issuable;
    inputs.long_outstanding = random_.mask(2) & all();
    if (random_.below(8) < lengths_) {
      const WarpMask changed = random_.mask(1 + random_.below(8)) & all();
      for_each_warp(changed, [&](WarpId warp) {
        length_[warp] =
            static_cast<std::uint16_t>(random_.below(random_.chance(50) ? 4 : 1U << kLengthBits));
      });
    }
    inputs.length = length_;
    inputs.payload = payload_;
    inputs.issue_ready = random_.below(8) < ready_;
    return inputs;
  }

  void change_spell() {
    static constexpr unsigned kRates[] = {0, 1, 4};
    changes_ = kRates[random_.below(3)];
    gaps_ = kRates[random_.below(3)];
    lengths_ = kRates[random_.below(3)];
    waits_ = kRates[random_.below(3)];
    issuable_ = random_.chance(50) ? 1 : 7;
    static constexpr unsigned kReadiness[] = {0, 4, 8};
    ready_ = kReadiness[random_.below(3)];
  }

  /// What is taken may be taken, and comes to the issue port once, in order and with its warp.
  void follow(const CoreAdapterInputs& inputs, const CoreAdapterOutputs& out) {
    ASSERT_LE(std::popcount(out.taken), taken_.size() < 2 ? 1 : 0) << "cycle " << cycle_;
    ASSERT_EQ(out.taken & ~(out.live & inputs.active & inputs.issuable), 0U) << "cycle " << cycle_;
    ASSERT_EQ(out.issue_valid, !taken_.empty()) << "cycle " << cycle_;
    if (out.issue_valid) {
      ASSERT_EQ(out.issue_warp, taken_.front().warp) << "cycle " << cycle_;
      ASSERT_EQ(out.issue_payload, taken_.front().payload) << "cycle " << cycle_;
      if (inputs.issue_ready) taken_.pop_front();
    }
    for_each_warp(out.taken, [&](WarpId warp) {
      taken_.push_back({.warp = warp, .payload = payload_[warp]});
      payload_[warp] = next_payload();
    });
  }

  /// All slots end and launch in time once the core is steady.
  void check_life(const CoreAdapterInputs& inputs, const CoreAdapterOutputs& out) {
    steady_ = inputs.active == before_.active ? steady_ + 1 : 0;
    const bool settled = steady_ > 2 * warps_;
    events_["all ends and launches are made"] += settled ? 1 : 0;
    if (settled) {
      ASSERT_EQ(out.live, inputs.active) << "cycle " << cycle_;
    }
  }

  void count(const CoreAdapterInputs& inputs, const CoreAdapterOutputs& out) {
    const WarpMask launched = out.live & ~live_before_;
    const WarpMask ended = live_before_ & ~out.live;
    const WarpMask fall = out.live & ~inputs.active;
    const WarpMask rise = inputs.active & ~out.live;
    const bool full = taken_.size() == 2;
    const auto note = [&](const char* event, bool happens) { events_[event] += happens ? 1 : 0; };
    note("a launch", launched != 0);
    note("an end", ended != 0);
    note("a launch and an end in one cycle", launched != 0 && ended != 0);
    note("several slots are to launch", std::popcount(rise) > 1);
    note("several slots are to end", std::popcount(fall) > 1);
    note("a slot ends that is active again", (ended & before_.active) != 0);
    note("a slot that is to end could issue", (fall & inputs.issuable) != 0);
    note("a slot that is to end waits", (fall & inputs.waits) != 0);
    note("a slot that is not live could issue", (inputs.issuable & ~out.live) != 0);
    note("an instruction is taken", out.taken != 0);
    note("a full buffer is held", full && !inputs.issue_ready);
    note("a full buffer gives one away", full && inputs.issue_ready);
    note("one comes and one goes", out.taken != 0 && out.issue_valid && inputs.issue_ready);
    note("a live slot waits", (out.live & inputs.waits) != 0);
    note("a length changes of a live slot",
         (out.live & differences(inputs.length, before_.length)) != 0);
    note("two live slots have one length", equal_lengths(out.live, inputs));
  }

  static bool equal_lengths(WarpMask live, const CoreAdapterInputs& inputs) {
    if (std::popcount(live) < 2) return false;
    const WarpId first = lowest(live);
    const WarpId second = lowest(live & ~mask_of(first));
    return inputs.length[first] == inputs.length[second];
  }

  std::uint32_t next_payload() { return counter_++ & ((1U << kPayloadBits) - 1); }
  [[nodiscard]] WarpMask all() const { return ~WarpMask{0} >> (kMaxWarps - warps_); }

  unsigned warps_;
  RandomSource random_;
  std::unique_ptr<CoreAdapter> rtl_, model_;
  WarpMask active_ = 0;
  std::array<std::uint16_t, kMaxWarps> length_{};
  std::array<std::uint32_t, kMaxWarps> payload_{};
  std::uint32_t counter_ = 0;          ///< of payloads
  unsigned changes_ = 4, gaps_ = 0;    ///< sixteenths of the cycles
  unsigned issuable_ = 7, waits_ = 0;  ///< eighths of the slots
  unsigned lengths_ = 1, ready_ = 8;   ///< eighths of the cycles
  std::deque<Taken> taken_;            ///< and not accepted, the oldest first
  CoreAdapterInputs before_;           ///< of the cycle before
  WarpMask live_before_ = 0;
  unsigned steady_ = 0;  ///< cycles without a change of the active slots
  std::uint64_t cycle_ = 0;
  Events events_;
};

class CoreAdapterLockstep : public testing::TestWithParam<Setting> {};

TEST_P(CoreAdapterLockstep, AgreesInEveryCycle) {
  const Setting& setting = GetParam();
  const RunLength run = begin_run(20'000);
  Events events;
  for (const unsigned warps : {1U, 3U, 8U}) {
    SCOPED_TRACE(std::to_string(warps) + " warps");
    Core core(setting, warps, derive_seed(run.seed, setting.name, warps));
    drive(core, run, events);
    if (HasFatalFailure()) return;
  }
  expect_each(events);
}

INSTANTIATE_TEST_SUITE_P(
    Schedulers, CoreAdapterLockstep,
    testing::Values(Setting{"rr", CoreLevel::single, "rr",
                            make_rtl<VAdapterRr1, VAdapterRr3, VAdapterRr8>},
                    Setting{"gto", CoreLevel::single, "gto",
                            make_rtl<VAdapterGto1, VAdapterGto3, VAdapterGto8>},
                    Setting{"paws", CoreLevel::single, "paws",
                            make_rtl<VAdapterPaws1, VAdapterPaws3, VAdapterPaws8>},
                    Setting{"two_levels", CoreLevel::two_levels, "paws",
                            make_rtl<VAdapterTwoLevels1, VAdapterTwoLevels3, VAdapterTwoLevels8>},
                    Setting{"ordered", CoreLevel::ordered, "",
                            make_rtl<VAdapterOrdered1, VAdapterOrdered3, VAdapterOrdered8>}),
    [](const auto& setting) { return setting.param.name; });

/// The outputs of a cycle of the golden model.
CoreAdapterOutputs step(CoreAdapter& adapter, const CoreAdapterInputs& inputs) {
  const CoreAdapterOutputs outputs = adapter.decide(inputs);
  adapter.commit();
  return outputs;
}

TEST(CoreAdapter, LaunchesAndEndsOneSlotInACycle) {
  const auto adapter = make_core_adapter({});
  std::string live;
  for (const WarpMask active : {0b1011U, 0b1011U, 0b1011U, 0b1011U, 0U, 0U, 0U, 0U}) {
    live += std::to_string(step(*adapter, {.active = active}).live) + ' ';
  }
  EXPECT_EQ(live, "0 1 3 11 11 10 8 0 ");
}

TEST(CoreAdapter, EndsASlotThatWasInactiveForOneCycle) {
  const auto adapter = make_core_adapter({});
  for (unsigned cycle = 0; cycle < 3; ++cycle) step(*adapter, {.active = 0b111});
  // Slots 1 and 2 fall. 1 ends at once; 2 has fallen, and ends beside the launch of 1.
  std::string live;
  for (const WarpMask active : {0b001U, 0b111U, 0b111U, 0b111U}) {
    live += std::to_string(step(*adapter, {.active = active}).live) + ' ';
  }
  EXPECT_EQ(live, "7 5 3 7 ");
}

TEST(CoreAdapter, TakesNothingFromASlotThatIsToEnd) {
  const auto adapter = make_core_adapter({});
  step(*adapter, {.active = 0b11});
  step(*adapter, {.active = 0b11});
  EXPECT_EQ(adapter->decide({.active = 0b11, .issuable = 0b11}).taken, 0b01U);
  EXPECT_EQ(adapter->decide({.active = 0b10, .issuable = 0b11}).taken, 0b10U);
  EXPECT_EQ(step(*adapter, {.active = 0b00, .issuable = 0b11}).taken, 0U);
  // Slot 1 has fallen, and is to end although it is active again.
  EXPECT_EQ(adapter->decide({.active = 0b11, .issuable = 0b11}).taken, 0U);
}

TEST(CoreAdapter, HoldsTwoInstructionsInOrder) {
  CoreAdapterConfig config;
  config.policy = "rr";
  const auto adapter = make_core_adapter(config);
  CoreAdapterInputs inputs{.active = 0b11};
  step(*adapter, inputs);
  step(*adapter, inputs);
  inputs.issuable = 0b11;
  std::string seen;
  for (unsigned cycle = 0; cycle < 6; ++cycle) {
    inputs.payload = {10 + cycle, 20 + cycle};
    inputs.issue_ready = cycle >= 3;
    const CoreAdapterOutputs out = step(*adapter, inputs);
    seen += "takes " + std::to_string(out.taken);
    if (out.issue_valid) {
      seen += " shows " + std::to_string(out.issue_warp) + ':' + std::to_string(out.issue_payload);
    }
    seen += '\n';
  }
  EXPECT_EQ(seen,
            "takes 1\n"
            "takes 2 shows 0:10\n"
            "takes 0 shows 0:10\n"
            "takes 0 shows 0:10\n"
            "takes 1 shows 1:21\n"
            "takes 2 shows 0:14\n");
}

TEST(CoreAdapter, IssuesALaunchedWarpAsSoonAsItsSchedulerCan) {
  const auto first_taken = [](CoreLevel level) {
    CoreAdapterConfig config;
    config.warps = 1;
    config.level = level;
    config.policy = "paws";
    const auto adapter = make_core_adapter(config);
    for (unsigned cycle = 0; cycle < 8; ++cycle) {
      if (step(*adapter, {.active = 1, .issuable = 1}).taken != 0) return cycle;
    }
    return ~0U;
  };
  EXPECT_EQ(first_taken(CoreLevel::single), 1U);
  EXPECT_EQ(first_taken(CoreLevel::two_levels), 2U);
  EXPECT_EQ(first_taken(CoreLevel::ordered), 3U);
}

TEST(CoreAdapter, NoticesBrokenPromises) {
  const auto violation = [](const CoreAdapterInputs& inputs, CoreLevel level) -> std::string {
    CoreAdapterConfig config;
    config.level = level;
    config.policy = "paws";
    const auto adapter = make_core_adapter(config);
    step(*adapter, {.active = 1});
    return violation_of(*adapter, inputs);
  };
  const CoreAdapterInputs both{.active = 1, .issuable = 0b11, .waits = 0b11};
  EXPECT_EQ(violation(both, CoreLevel::single), "none");
  EXPECT_EQ(violation(both, CoreLevel::two_levels),
            "two-level:paws: the host broke a promise: issuable and waiting at once, slot 0");
  // Slot 0 is to end, and slot 1 is not live: the scheduler does not see them.
  EXPECT_EQ(violation({.issuable = 0b11, .waits = 0b11}, CoreLevel::two_levels), "none");
  EXPECT_EQ(violation({.active = 1U << 8}, CoreLevel::single),
            "core adapter: the host broke a promise: a slot that does not exist");
  EXPECT_EQ(violation({.length = {512}}, CoreLevel::ordered),
            "core adapter: the host broke a promise: a length that does not fit");
}

}  // namespace
}  // namespace paws
