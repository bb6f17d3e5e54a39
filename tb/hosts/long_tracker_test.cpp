// SPDX-License-Identifier: MIT
// rtl/paws_long_tracker.sv against its golden model in every cycle.
#include "model/long_tracker.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "VTracker1.h"
#include "VTracker3.h"
#include "model/warp_mask.h"
#include "tb/hosts/bench.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

template <class Top>
class VerilatedLongTracker final : public LongTracker {
 public:
  explicit VerilatedLongTracker(const LongTrackerConfig& config) : config_(config) {
    top_->rst_ni = 0;
    VerilatedLongTracker::decide({});
    VerilatedLongTracker::reset();
  }

  void reset() override { top_.reset(); }

  LongTrackerOutputs decide(const LongTrackerInputs& inputs) override {
    const unsigned number = number_bits(config_.registers);
    const unsigned slot = number_bits(config_.warps);
    top_->valid_i = inputs.valid;
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      for (unsigned read = 0; read < config_.reads; ++read) {
        set_bits(top_->registers_i, (warp * config_.reads + read) * number, number,
                 inputs.registers[warp][read]);
      }
    }
    top_->held_i = inputs.held;
    top_->issue_valid_i = inputs.issue.valid ? 1 : 0;
    top_->issue_warp_i = inputs.issue.warp;
    top_->issue_register_i = inputs.issue.number;
    for (unsigned port = 0; port < config_.writes; ++port) {
      const RegisterPort& write = inputs.write[port];
      set_bit(top_->write_valid_i, port, write.valid);
      set_bits(top_->write_warp_i, port * slot, slot, write.warp);
      set_bits(top_->write_register_i, port * number, number, write.number);
    }
    top_->clear_i = inputs.clear;
    top_.settle();
    return {.waits = top_->waits_o, .long_outstanding = top_->long_outstanding_o};
  }

  void commit() override { top_.rise(); }

 private:
  LongTrackerConfig config_;
  VerilatedTop<Top> top_;
};

/// Issues long operations and writes registers, of late ones more often than of others.
class Core {
 public:
  Core(const LongTrackerConfig& config, std::unique_ptr<LongTracker> rtl, std::uint64_t seed)
      : config_(config), random_(seed), rtl_(std::move(rtl)), model_(make_long_tracker(config)) {}

  void cycle() {
    if (random_.below(16) == 0) change_spell();
    const LongTrackerInputs inputs = draw();
    LongTrackerInputs all_there = inputs;
    all_there.valid = all();
    all_there.held = 0;
    const WarpMask would_wait = model_->decide(all_there).waits;
    const LongTrackerOutputs out = rtl_->decide(inputs);
    const LongTrackerOutputs expected = model_->decide(inputs);
    ASSERT_EQ(out.waits, expected.waits) << "cycle " << cycle_;
    ASSERT_EQ(out.long_outstanding, expected.long_outstanding) << "cycle " << cycle_;
    count(inputs, out, would_wait);
    rtl_->commit();
    model_->commit();
    before_ = out;
    ++cycle_;
  }

  void reset() {
    rtl_->reset();
    model_->reset();
    before_ = {};
  }

  [[nodiscard]] const Events& events() const { return events_; }

 private:
  LongTrackerInputs draw() {
    LongTrackerInputs inputs;
    inputs.valid = random_.mask(6) & all();
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      for (unsigned read = 0; read < config_.reads; ++read) {
        inputs.registers[warp][read] = number();
      }
    }
    inputs.held = random_.mask(1) & all();
    inputs.issue = any_register();
    inputs.issue.valid = random_.below(8) < issues_;
    for (unsigned port = 0; port < config_.writes; ++port) {
      RegisterPort& write = inputs.write[port];
      write = random_.chance(75) ? late_[random_.below(kLate)] : any_register();
      write.valid = random_.below(8) < writes_;
    }
    if (inputs.issue.valid) late_[random_.below(kLate)] = inputs.issue;
    if (random_.below(8) < clears_) inputs.clear = random_.mask(2) & all();
    return inputs;
  }

  void change_spell() {
    static constexpr unsigned kRates[] = {0, 1, 4};
    issues_ = kRates[random_.below(3)] * 2;
    writes_ = kRates[random_.below(3)] * 2;
    clears_ = kRates[random_.below(3)] / 2;
  }

  void count(const LongTrackerInputs& inputs, const LongTrackerOutputs& out, WarpMask would_wait) {
    const RegisterPort& issue = inputs.issue;
    const auto note = [&](const char* event, bool happens) { events_[event] += happens ? 1 : 0; };
    const auto is_issued = [&](const RegisterPort& port) {
      return issue.valid && port.valid && port.warp == issue.warp && port.number == issue.number;
    };
    note("a warp waits for a register", (out.waits & ~inputs.held) != 0);
    note("a held warp would not wait", (inputs.held & ~would_wait) != 0);
    note("what is not there would wait", (would_wait & ~inputs.valid & ~inputs.held) != 0);
    note("a long operation issues", issue.valid);
    note("a long operation that writes register 0", issue.valid && issue.number == 0);
    note("a register is issued and written", is_issued(inputs.write[0]));
    note("a register is issued beside a clear", issue.valid && contains(inputs.clear, issue.warp));
    note("a clear of a warp with long operations", (inputs.clear & out.long_outstanding) != 0);
    note("the last long operation of a warp is over",
         (before_.long_outstanding & ~out.long_outstanding) != 0);
    note("two registers are written", inputs.write[0].valid && inputs.write[1].valid);
    note("nothing is outstanding", out.long_outstanding == 0);
  }

  RegisterPort any_register() {
    return {.valid = false, .warp = random_.below(config_.warps), .number = number()};
  }
  std::uint8_t number() { return static_cast<std::uint8_t>(random_.below(config_.registers)); }
  [[nodiscard]] WarpMask all() const { return ~WarpMask{0} >> (kMaxWarps - config_.warps); }

  static constexpr unsigned kLate = 4;

  LongTrackerConfig config_;
  RandomSource random_;
  std::unique_ptr<LongTracker> rtl_, model_;
  std::array<RegisterPort, kLate> late_{};         ///< some that were issued of late
  unsigned issues_ = 4, writes_ = 2, clears_ = 0;  ///< eighths of the cycles
  LongTrackerOutputs before_;                      ///< of the cycle before
  std::uint64_t cycle_ = 0;
  Events events_;
};

constexpr LongTrackerConfig kThreeWarps{
    .warps = 3, .registers = 16, .reads = 3, .writes = 2, .zero = true};
constexpr LongTrackerConfig kOneWarp{.warps = 1, .registers = 8, .reads = 1, .writes = 1};

TEST(LongTrackerLockstep, AgreesInEveryCycle) {
  const RunLength run = begin_run(40'000);
  Events events;
  for (const LongTrackerConfig& config : {kThreeWarps, kOneWarp}) {
    SCOPED_TRACE(std::to_string(config.warps) + " warps");
    std::unique_ptr<LongTracker> rtl;
    if (config.warps == 3) {
      rtl = std::make_unique<VerilatedLongTracker<VTracker3>>(config);
    } else {
      rtl = std::make_unique<VerilatedLongTracker<VTracker1>>(config);
    }
    Core core(config, std::move(rtl), derive_seed(run.seed, "long tracker", config.warps));
    drive(core, run, events);
    if (HasFatalFailure()) return;
  }
  expect_each(events);
}

/// The outputs of a cycle of the golden model.
LongTrackerOutputs step(LongTracker& tracker, const LongTrackerInputs& inputs) {
  const LongTrackerOutputs outputs = tracker.decide(inputs);
  tracker.commit();
  return outputs;
}

/// Whether an instruction of warp 0 that names `number` waits.
bool waits_for(LongTracker& tracker, std::uint8_t number) {
  LongTrackerInputs inputs{.valid = 1};
  inputs.registers[0].fill(number);
  return (tracker.decide(inputs).waits & 1) != 0;
}

RegisterPort port_of(WarpId warp, std::uint8_t number) {
  return {.valid = true, .warp = warp, .number = number};
}

TEST(LongTracker, AwaitsARegisterUpToTheCycleOfItsWrite) {
  const auto tracker = make_long_tracker({});
  EXPECT_FALSE(waits_for(*tracker, 5));
  EXPECT_EQ(step(*tracker, {.issue = port_of(0, 5)}).long_outstanding, 0U);
  EXPECT_TRUE(waits_for(*tracker, 5));
  EXPECT_FALSE(waits_for(*tracker, 4));
  LongTrackerInputs write{.valid = 1, .write = {port_of(0, 5)}};
  write.registers[0].fill(5);
  const LongTrackerOutputs out = step(*tracker, write);
  EXPECT_EQ(out.waits, 1U);
  EXPECT_EQ(out.long_outstanding, 1U);
  EXPECT_FALSE(waits_for(*tracker, 5));
  EXPECT_EQ(step(*tracker, {}).long_outstanding, 0U);
}

TEST(LongTracker, AwaitsARegisterThatIsIssuedAndWritten) {
  const auto tracker = make_long_tracker({});
  step(*tracker, {.issue = port_of(0, 5), .write = {port_of(0, 5)}});
  EXPECT_TRUE(waits_for(*tracker, 5));
  step(*tracker, {.write = {port_of(1, 5)}});  // of another warp
  EXPECT_TRUE(waits_for(*tracker, 5));
}

TEST(LongTracker, ClearsAWarpWhateverElseTheCycleBrings) {
  const auto tracker = make_long_tracker({});
  step(*tracker, {.issue = port_of(0, 5)});
  step(*tracker, {.issue = port_of(1, 6)});
  step(*tracker, {.issue = port_of(0, 7), .clear = 1});
  EXPECT_FALSE(waits_for(*tracker, 5));
  EXPECT_FALSE(waits_for(*tracker, 7));
  EXPECT_EQ(step(*tracker, {}).long_outstanding, 0b10U);
}

TEST(LongTracker, KnowsAConstantRegister) {
  for (const bool zero : {false, true}) {
    LongTrackerConfig config;
    config.zero = zero;
    const auto tracker = make_long_tracker(config);
    step(*tracker, {.issue = port_of(0, 0)});
    EXPECT_EQ(waits_for(*tracker, 0), !zero);
    EXPECT_EQ(step(*tracker, {}).long_outstanding, zero ? 0U : 1U);
  }
}

TEST(LongTracker, LetsAHeldWarpWaitAndNoInstructionThatIsNotThere) {
  const auto tracker = make_long_tracker({});
  step(*tracker, {.issue = port_of(0, 5)});
  LongTrackerInputs inputs{.held = 0b10};
  inputs.registers[0].fill(5);
  EXPECT_EQ(tracker->decide(inputs).waits, 0b10U);
  inputs.valid = 1;
  EXPECT_EQ(tracker->decide(inputs).waits, 0b11U);
  // The fifth register is one more than an instruction names.
  inputs.registers[0] = {1, 2, 3, 4, 5};
  EXPECT_EQ(tracker->decide(inputs).waits, 0b10U);
}

TEST(LongTracker, NoticesWhatDoesNotExist) {
  const auto violation = [](const LongTrackerInputs& inputs) -> std::string {
    const auto tracker = make_long_tracker({});
    return violation_of(*tracker, inputs);
  };
  const std::string slot = "long tracker: the host broke a promise: a slot that does not exist";
  const std::string number =
      "long tracker: the host broke a promise: a register that does not exist";
  EXPECT_EQ(violation({}), "none");
  EXPECT_EQ(violation({.clear = 1U << 8}), slot);
  EXPECT_EQ(violation({.issue = port_of(8, 0)}), slot);
  EXPECT_EQ(violation({.issue = port_of(0, 32)}), number);
  EXPECT_EQ(violation({.write = {port_of(0, 32)}}), number);
}

}  // namespace
}  // namespace paws
