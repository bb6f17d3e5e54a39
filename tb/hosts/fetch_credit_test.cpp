// SPDX-License-Identifier: MIT
// rtl/paws_fetch_credit.sv against its golden model in every cycle, under a random front end that
// keeps the promises and counts by itself.
#include "model/fetch_credit.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <utility>

#include "VCredit1.h"
#include "VCredit5.h"
#include "model/warp_mask.h"
#include "tb/hosts/bench.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

template <class Top>
class VerilatedFetchCredit final : public FetchCredit {
 public:
  VerilatedFetchCredit() {
    top_->rst_ni = 0;
    VerilatedFetchCredit::decide({});
    VerilatedFetchCredit::reset();
  }

  void reset() override { top_.reset(); }

  FetchCreditOutputs decide(const FetchCreditInputs& inputs) override {
    top_->fetch_valid_i = inputs.fetch_valid ? 1 : 0;
    top_->fetch_warp_i = inputs.fetch_warp;
    top_->taken_i = inputs.taken;
    top_->flush_i = inputs.flush;
    top_.settle();
    return {.may_fetch = top_->may_fetch_o};
  }

  void commit() override { top_.rise(); }

 private:
  VerilatedTop<Top> top_;
};

class FrontEnd {
 public:
  FrontEnd(const FetchCreditConfig& config, std::unique_ptr<FetchCredit> rtl, std::uint64_t seed)
      : config_(config), random_(seed), rtl_(std::move(rtl)), model_(make_fetch_credit(config)) {}

  void cycle() {
    if (random_.below(16) == 0) change_spell();
    const FetchCreditInputs inputs = draw();
    const FetchCreditOutputs out = rtl_->decide(inputs);
    ASSERT_EQ(out.may_fetch, model_->decide(inputs).may_fetch) << "cycle " << cycle_;
    ASSERT_EQ(out.may_fetch, all() & ~of_count(config_.depth)) << "cycle " << cycle_;
    count(inputs);
    rtl_->commit();
    model_->commit();
    if (inputs.fetch_valid) ++fetched_[inputs.fetch_warp];
    for_each_warp(inputs.taken, [&](WarpId warp) { --fetched_[warp]; });
    for_each_warp(inputs.flush, [&](WarpId warp) { fetched_[warp] = 0; });
    ++cycle_;
  }

  void reset() {
    rtl_->reset();
    model_->reset();
    fetched_.fill(0);
  }

  [[nodiscard]] const Events& events() const { return events_; }

 private:
  FetchCreditInputs draw() {
    FetchCreditInputs inputs;
    if (random_.below(8) < flushes_) inputs.flush = random_.mask(3) & all();
    inputs.taken = random_.mask(takes_) & all() & ~of_count(0);
    inputs.fetch_warp = random_.below(config_.warps);
    const WarpMask may_fetch = ~of_count(config_.depth) | inputs.flush;
    inputs.fetch_valid = random_.below(8) < fetches_ && contains(may_fetch, inputs.fetch_warp);
    return inputs;
  }

  void change_spell() {
    static constexpr unsigned kRates[] = {0, 4, 8};
    fetches_ = kRates[random_.below(3)];
    takes_ = kRates[random_.below(3)] / 2;
    flushes_ = kRates[random_.below(3)] / 4;
  }

  void count(const FetchCreditInputs& inputs) {
    const WarpMask fetch = inputs.fetch_valid ? mask_of(inputs.fetch_warp) : 0;
    const WarpMask full = of_count(config_.depth);
    const auto note = [&](const char* event, bool happens) { events_[event] += happens ? 1 : 0; };
    note("a fetch", fetch != 0);
    note("a fetch and a taken instruction of one warp", (fetch & inputs.taken) != 0);
    note("a fetch into the last place", (fetch & of_count(config_.depth - 1)) != 0);
    note("a full i-buffer", full != 0);
    note("several instructions are taken", std::popcount(inputs.taken) > 1);
    note("an instruction of a full i-buffer is taken", (full & inputs.taken) != 0);
    note("a flush of a full i-buffer", (full & inputs.flush) != 0);
    note("a flush of an empty i-buffer", (of_count(0) & inputs.flush) != 0);
    note("a flush beside a fetch", (fetch & inputs.flush) != 0);
    note("a flush beside a fetch without a place", (fetch & inputs.flush & full) != 0);
    note("a flush beside a taken instruction", (inputs.taken & inputs.flush) != 0);
    note("a flush beside both", (fetch & inputs.taken & inputs.flush) != 0);
  }

  /// The warps of which so many instructions have been fetched and not taken.
  [[nodiscard]] WarpMask of_count(unsigned instructions) const {
    WarpMask mask = 0;
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      if (fetched_[warp] == instructions) mask |= mask_of(warp);
    }
    return mask;
  }
  [[nodiscard]] WarpMask all() const { return ~WarpMask{0} >> (kMaxWarps - config_.warps); }

  FetchCreditConfig config_;
  RandomSource random_;
  std::unique_ptr<FetchCredit> rtl_, model_;
  std::array<unsigned, kMaxWarps> fetched_{};       ///< and not taken
  unsigned fetches_ = 8, takes_ = 2, flushes_ = 0;  ///< eighths
  std::uint64_t cycle_ = 0;
  Events events_;
};

constexpr FetchCreditConfig kFiveWarps{.warps = 5, .depth = 2};
constexpr FetchCreditConfig kOneWarp{.warps = 1, .depth = 3};

TEST(FetchCreditLockstep, AgreesInEveryCycle) {
  const RunLength run = begin_run(40'000);
  Events events;
  for (const FetchCreditConfig& config : {kFiveWarps, kOneWarp}) {
    SCOPED_TRACE(std::to_string(config.warps) + " warps");
    std::unique_ptr<FetchCredit> rtl;
    if (config.warps == 5) {
      rtl = std::make_unique<VerilatedFetchCredit<VCredit5>>();
    } else {
      rtl = std::make_unique<VerilatedFetchCredit<VCredit1>>();
    }
    FrontEnd front_end(config, std::move(rtl), derive_seed(run.seed, "credits", config.warps));
    drive(front_end, run, events);
    if (HasFatalFailure()) return;
  }
  expect_each(events);
}

/// What may be fetched after a cycle of the golden model.
WarpMask after(FetchCredit& credits, const FetchCreditInputs& inputs) {
  credits.decide(inputs);
  credits.commit();
  return credits.decide({}).may_fetch;
}

TEST(FetchCredit, CountsPlacesOfEachWarp) {
  const auto credits = make_fetch_credit({.warps = 3, .depth = 2});
  EXPECT_EQ(credits->decide({}).may_fetch, 0b111U);
  EXPECT_EQ(after(*credits, {.fetch_valid = true, .fetch_warp = 1}), 0b111U);
  EXPECT_EQ(after(*credits, {.fetch_valid = true, .fetch_warp = 1}), 0b101U);
  EXPECT_EQ(after(*credits, {.taken = 0b010}), 0b111U);
}

TEST(FetchCredit, KeepsThePlaceOfAFetchBesideATakenInstruction) {
  const auto credits = make_fetch_credit({.warps = 1, .depth = 2});
  after(*credits, {.fetch_valid = true});
  EXPECT_EQ(after(*credits, {.fetch_valid = true, .taken = 1}), 1U);
  EXPECT_EQ(after(*credits, {.fetch_valid = true}), 0U);
}

TEST(FetchCredit, FreesAllPlacesInAFlushWhateverElseTheCycleBrings) {
  const auto credits = make_fetch_credit({.warps = 2, .depth = 1});
  after(*credits, {.fetch_valid = true, .fetch_warp = 0});
  EXPECT_EQ(after(*credits, {.fetch_valid = true, .fetch_warp = 1}), 0U);
  // Warp 0 fetches without a free place, and gives one back that is dropped.
  EXPECT_EQ(after(*credits, {.fetch_valid = true, .fetch_warp = 0, .taken = 1, .flush = 1}), 1U);
  EXPECT_EQ(after(*credits, {.fetch_valid = true, .fetch_warp = 0}), 0U);
}

TEST(FetchCredit, NoticesBrokenPromises) {
  const auto violation = [](const FetchCreditInputs& inputs) -> std::string {
    const auto credits = make_fetch_credit({.warps = 2, .depth = 1});
    after(*credits, {.fetch_valid = true, .fetch_warp = 0});
    return violation_of(*credits, inputs);
  };
  const std::string promise = "fetch credit: the host broke a promise: ";
  EXPECT_EQ(violation({.taken = 1}), "none");
  EXPECT_EQ(violation({.fetch_valid = true}), promise + "a fetch without a free place");
  EXPECT_EQ(violation({.fetch_valid = true, .flush = 0b10}),
            promise + "a fetch without a free place");
  EXPECT_EQ(violation({.fetch_valid = true, .flush = 0b01}), "none");
  EXPECT_EQ(violation({.taken = 0b10}), promise + "an instruction is taken that was not fetched");
  EXPECT_EQ(violation({.flush = 0b100}), promise + "a slot that does not exist");
  EXPECT_EQ(violation({.fetch_valid = true, .fetch_warp = 2}),
            promise + "a slot that does not exist");
}

}  // namespace
}  // namespace paws
