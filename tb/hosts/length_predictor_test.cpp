// SPDX-License-Identifier: MIT
// rtl/paws_length_predictor.sv against its golden model in every cycle.
#include "model/length_predictor.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "VPredictor1.h"
#include "VPredictor5.h"
#include "model/warp_mask.h"
#include "tb/hosts/bench.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

template <class Top>
class VerilatedLengthPredictor final : public LengthPredictor {
 public:
  explicit VerilatedLengthPredictor(const LengthPredictorConfig& config) : config_(config) {
    top_->rst_ni = 0;
    VerilatedLengthPredictor::decide({});
    VerilatedLengthPredictor::reset();
  }

  void reset() override { top_.reset(); }

  LengthPredictorOutputs decide(const LengthPredictorInputs& inputs) override {
    top_->pc_i = inputs.pc;
    top_->waits_i = inputs.waits;
    top_->launch_i = inputs.launch;
    top_->issue_valid_i = inputs.issue_valid ? 1 : 0;
    top_->issue_warp_i = inputs.issue_warp;
    top_->issue_pc_i = inputs.issue_pc;
    top_->issue_length_i = inputs.issue_length;
    top_.settle();
    LengthPredictorOutputs outputs;
    outputs.length = top_->length_o;
    outputs.begins = top_->begins_o;
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      outputs.remaining[warp] = static_cast<std::uint16_t>(
          get_bits(top_->remaining_o, warp * config_.length_bits, config_.length_bits));
    }
    return outputs;
  }

  void commit() override { top_.rise(); }

 private:
  LengthPredictorConfig config_;
  VerilatedTop<Top> top_;
};

/// Issues instructions of phases whose lengths are any.
class Core {
 public:
  Core(const LengthPredictorConfig& config, std::unique_ptr<LengthPredictor> rtl,
       std::uint64_t seed)
      : config_(config),
        random_(seed),
        rtl_(std::move(rtl)),
        model_(make_length_predictor(config)) {}

  void cycle() {
    if (random_.below(64) == 0) change_spell();
    const LengthPredictorInputs inputs = draw();
    const LengthPredictorOutputs out = rtl_->decide(inputs);
    const LengthPredictorOutputs expected = model_->decide(inputs);
    if (expected.length) {
      ASSERT_EQ(out.length, expected.length) << "cycle " << cycle_;
    }
    ASSERT_EQ(out.begins, expected.begins) << "cycle " << cycle_;
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      if (!expected.remaining[warp]) continue;
      ASSERT_EQ(out.remaining[warp], expected.remaining[warp])
          << "cycle " << cycle_ << ", warp " << warp;
    }
    count(inputs, expected);
    rtl_->commit();
    model_->commit();
    ++cycle_;
  }

  void reset() {
    rtl_->reset();
    model_->reset();
    instructions_.fill(0);
    entry_.fill(std::nullopt);
    learned_ = 0;
  }

  [[nodiscard]] const Events& events() const { return events_; }

 private:
  LengthPredictorInputs draw() {
    LengthPredictorInputs inputs;
    inputs.pc = address();
    inputs.waits = random_.below(8) < waits_ ? random_.mask(2) & all() : 0;
    inputs.issue_valid = random_.below(8) < issues_;
    inputs.issue_warp = random_.below(config_.warps);
    inputs.issue_pc = address();
    inputs.issue_length = static_cast<std::uint16_t>(random_.below(1U << config_.length_bits));
    if (random_.below(16) == 0) {
      inputs.launch = random_.mask(2) & all() & ~inputs.waits;
      if (inputs.issue_valid) inputs.launch &= ~mask_of(inputs.issue_warp);
    }
    return inputs;
  }

  void change_spell() {
    static constexpr unsigned kRates[] = {0, 1, 8};
    waits_ = kRates[random_.below(3)];
    issues_ = random_.chance(50) ? 8 : 3;
  }

  void count(const LengthPredictorInputs& inputs, const LengthPredictorOutputs& out) {
    const auto note = [&](const char* event, bool happens) { events_[event] += happens ? 1 : 0; };
    const WarpId warp = inputs.issue_warp;
    const bool begins = inputs.issue_valid && contains(out.begins, warp);
    const bool inside = inputs.issue_valid && out.remaining[warp].has_value();
    const bool waits = contains(inputs.waits, warp);
    const bool learns = begins && inside;
    const unsigned largest = (1U << config_.length_bits) - 1;
    note("the first instruction of a warp", begins && !inside);
    note("an entry learns", learns);
    note("it learns the largest length", learns && instructions_[warp] == largest);
    note("it learns the largest length of a longer phase", learns && instructions_[warp] > largest);
    note("it learns a phase of one instruction", learns && instructions_[warp] == 1);
    note("it is read", learns && entry_of(inputs.pc) == entry_[warp]);
    note("it is the entry of the new phase", learns && entry_of(inputs.issue_pc) == entry_[warp]);
    note("an entry is read that has learned", (learned_ >> entry_of(inputs.pc) & 1U) != 0);
    note("an entry is read that has not", (learned_ >> entry_of(inputs.pc) & 1U) == 0);
    note("a phase begins beside a wait", begins && waits);
    note("another instruction beside a wait", inputs.issue_valid && !begins && waits);
    note("more instructions than predicted", inside && !begins && *out.remaining[warp] == 0);
    note("a launch beside a phase", launches_inside(inputs.launch, out));
    note("several launches", std::popcount(inputs.launch) > 1);
    if (learns) learned_ |= std::uint64_t{1} << *entry_[warp];
    if (begins) {
      entry_[warp] = entry_of(inputs.issue_pc);
      instructions_[warp] = 0;
    }
    if (inputs.issue_valid) ++instructions_[warp];
  }

  static bool launches_inside(WarpMask launch, const LengthPredictorOutputs& out) {
    bool inside = false;
    for_each_warp(launch, [&](WarpId warp) { inside = inside || out.remaining[warp].has_value(); });
    return inside;
  }

  [[nodiscard]] unsigned entry_of(std::uint64_t pc) const {
    return static_cast<unsigned>(pc >> config_.shift) % config_.entries;
  }
  std::uint64_t address() { return random_.bits() & (~std::uint64_t{0} >> (64 - config_.pc_bits)); }
  [[nodiscard]] WarpMask all() const { return ~WarpMask{0} >> (kMaxWarps - config_.warps); }

  LengthPredictorConfig config_;
  RandomSource random_;
  std::unique_ptr<LengthPredictor> rtl_, model_;
  unsigned waits_ = 1, issues_ = 8;  ///< eighths of the cycles
  // For events alone: of the phase of each warp the instructions and the entry; those that learned.
  std::array<unsigned, kMaxWarps> instructions_{};
  std::array<std::optional<unsigned>, kMaxWarps> entry_{};
  std::uint64_t learned_ = 0;
  std::uint64_t cycle_ = 0;
  Events events_;
};

constexpr LengthPredictorConfig kFiveWarps{
    .warps = 5, .entries = 8, .length_bits = 4, .pc_bits = 16, .shift = 2};
constexpr LengthPredictorConfig kOneWarp{
    .warps = 1, .entries = 2, .length_bits = 3, .pc_bits = 8, .shift = 0};

TEST(LengthPredictorLockstep, AgreesInEveryCycle) {
  const RunLength run = begin_run(40'000);
  Events events;
  for (const LengthPredictorConfig& config : {kFiveWarps, kOneWarp}) {
    SCOPED_TRACE(std::to_string(config.warps) + " warps");
    std::unique_ptr<LengthPredictor> rtl;
    if (config.warps == 5) {
      rtl = std::make_unique<VerilatedLengthPredictor<VPredictor5>>(config);
    } else {
      rtl = std::make_unique<VerilatedLengthPredictor<VPredictor1>>(config);
    }
    Core core(config, std::move(rtl), derive_seed(run.seed, "predictor", config.warps));
    drive(core, run, events);
    if (HasFatalFailure()) return;
  }
  expect_each(events);
}

/// The golden model after a cycle with these inputs.
LengthPredictorOutputs after(LengthPredictor& predictor, const LengthPredictorInputs& inputs) {
  predictor.decide(inputs);
  predictor.commit();
  return predictor.decide({});
}

LengthPredictorInputs issue_of(std::uint64_t pc, std::uint16_t length = 0, WarpMask waits = 0) {
  return {.waits = waits, .issue_valid = true, .issue_pc = pc, .issue_length = length};
}

TEST(LengthPredictor, LearnsAPhaseWhenTheNextOneBegins) {
  const auto predictor = make_length_predictor(kFiveWarps);
  for (unsigned instruction = 0; instruction < 3; ++instruction) {
    after(*predictor, issue_of(0x8 + 4 * instruction));
  }
  after(*predictor, {.waits = 1});
  EXPECT_EQ(after(*predictor, {.pc = 0x8}).length, 0);
  LengthPredictorInputs next = issue_of(0x14);
  next.pc = 0x8;
  EXPECT_EQ(after(*predictor, next).length, 0);  // as it was before that cycle
  EXPECT_EQ(after(*predictor, {.pc = 0x8}).length, 3);
  EXPECT_EQ(after(*predictor, {.pc = 0x2b}).length, 3);  // the same entry
  EXPECT_EQ(after(*predictor, {.pc = 0x14}).length, 0);
}

TEST(LengthPredictor, CountsWhatIsLeftOfAPhase) {
  const auto predictor = make_length_predictor(kFiveWarps);
  EXPECT_EQ(predictor->decide({}).begins, 0b11111U);
  EXPECT_EQ(predictor->decide({}).remaining[0], std::nullopt);
  EXPECT_EQ(after(*predictor, issue_of(0, 2)).remaining[0], 1);
  EXPECT_EQ(predictor->decide({}).begins, 0b11110U);
  EXPECT_EQ(after(*predictor, issue_of(4, 9)).remaining[0], 0);  // its length does not count
  EXPECT_EQ(after(*predictor, issue_of(8, 9)).remaining[0], 0);
}

TEST(LengthPredictor, BeginsAPhaseAfterEveryCycleOfWaiting) {
  const auto predictor = make_length_predictor(kFiveWarps);
  EXPECT_EQ(after(*predictor, issue_of(0, 5, 1)).begins, 0b11111U);
  EXPECT_EQ(after(*predictor, issue_of(4, 7)).remaining[0], 6);  // that of another phase
  EXPECT_EQ(after(*predictor, {.pc = 0}).length, 1);
  EXPECT_EQ(after(*predictor, issue_of(8, 7, 1)).remaining[0], 5);
  EXPECT_EQ(predictor->decide({}).begins, 0b11111U);
}

TEST(LengthPredictor, ForgetsAPhaseAtALaunch) {
  const auto predictor = make_length_predictor(kFiveWarps);
  after(*predictor, issue_of(0, 5));
  const LengthPredictorOutputs launched = after(*predictor, {.launch = 1});
  EXPECT_EQ(launched.begins, 0b11111U);
  EXPECT_EQ(launched.remaining[0], std::nullopt);
  after(*predictor, issue_of(4, 5));
  EXPECT_EQ(after(*predictor, {.pc = 0}).length, 0);  // nothing was learned
}

TEST(LengthPredictor, CountsNoFurtherThanTheLargestLength) {
  const auto predictor = make_length_predictor(kFiveWarps);
  for (unsigned instruction = 0; instruction < 17; ++instruction) after(*predictor, issue_of(0));
  after(*predictor, {.waits = 1});
  after(*predictor, issue_of(4));
  EXPECT_EQ(after(*predictor, {.pc = 0}).length, 15);
}

TEST(LengthPredictor, ForgetsWhatItLearnedAtAReset) {
  const auto predictor = make_length_predictor(kOneWarp);
  EXPECT_EQ(after(*predictor, {.pc = 2}).length, 0);
  after(*predictor, issue_of(0, 0, 1));
  after(*predictor, issue_of(0));
  EXPECT_EQ(after(*predictor, {.pc = 2}).length, 1);
  predictor->reset();
  EXPECT_EQ(predictor->decide({}).length, std::nullopt);
  EXPECT_EQ(after(*predictor, {.pc = 2}).length, 0);
}

TEST(LengthPredictor, NoticesBrokenPromises) {
  const auto violation = [](const LengthPredictorInputs& inputs) -> std::string {
    const auto predictor = make_length_predictor(kFiveWarps);
    return violation_of(*predictor, inputs);
  };
  const std::string promise = "length predictor: the host broke a promise: ";
  EXPECT_EQ(violation({.waits = 0b01, .launch = 0b10}), "none");
  EXPECT_EQ(violation({.waits = 0b11, .launch = 0b10}),
            promise + "a launch beside a wait of the same slot");
  EXPECT_EQ(violation({.launch = 0b10, .issue_valid = true, .issue_warp = 1}),
            promise + "a launch beside an issue of the same slot");
  EXPECT_EQ(violation({.launch = 1U << 5}), promise + "a slot that does not exist");
  EXPECT_EQ(violation(issue_of(0, 16)), promise + "a length that does not fit");
}

}  // namespace
}  // namespace paws
