// SPDX-License-Identifier: MIT
// rtl/paws_length_store.sv against its golden model in every cycle.
#include "model/length_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "VStore16.h"
#include "VStore8.h"
#include "tb/hosts/bench.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

template <class Top>
class VerilatedLengthStore final : public LengthStore {
 public:
  VerilatedLengthStore() { VerilatedLengthStore::decide({}); }

  LengthStoreOutputs decide(const LengthStoreInputs& inputs) override {
    top_->write_valid_i = inputs.write_valid ? 1 : 0;
    top_->write_index_i = inputs.write_index;
    top_->write_length_i = inputs.write_length;
    top_->base_i = inputs.base;
    top_->pc_i = inputs.pc;
    top_.settle();
    return {.length = top_->length_o};
  }

  void commit() override { top_.rise(); }

 private:
  VerilatedTop<Top> top_;
};

/// Decodes in and around a table that moves now and then.
class Decoder {
 public:
  /// `aligned`: the base is a multiple of the bytes of an entry.
  Decoder(const LengthStoreConfig& config, bool aligned, std::unique_ptr<LengthStore> rtl,
          std::uint64_t seed)
      : config_(config),
        aligned_(aligned),
        random_(seed),
        rtl_(std::move(rtl)),
        model_(make_length_store(config)) {}

  void cycle() {
    if (random_.below(32) == 0) change_spell();
    const LengthStoreInputs inputs = draw();
    const std::optional<std::uint16_t> shown = rtl_->decide(inputs).length;
    const std::optional<std::uint16_t> expected = model_->decide(inputs).length;
    if (expected) {
      ASSERT_EQ(shown, expected) << "cycle " << cycle_;
    }
    count(inputs, expected.has_value());
    rtl_->commit();
    model_->commit();
    ++cycle_;
  }

  [[nodiscard]] const Events& events() const { return events_; }

 private:
  LengthStoreInputs draw() {
    LengthStoreInputs inputs;
    inputs.write_valid = random_.below(8) < writes_;
    inputs.write_index = random_.below(config_.entries);
    inputs.write_length = static_cast<std::uint16_t>(random_.below(1U << config_.length_bits));
    inputs.base = base_;
    std::uint64_t offset = random_.below(span());
    if (random_.chance(25)) {  // far, or near
      offset = random_.bits();
      if (random_.chance(50)) offset = std::uint64_t{random_.below(4 * span())} - 2 * span();
    }
    inputs.pc = (base_ + offset) & addresses();
    return inputs;
  }

  void change_spell() {
    static constexpr unsigned kRates[] = {0, 1, 8};
    writes_ = kRates[random_.below(3)];
    base_ = random_.bits();
    if (random_.chance(30)) base_ = -std::uint64_t{random_.below(span())};
    base_ &= addresses();
    if (aligned_) base_ = base_ >> config_.shift << config_.shift;
  }

  void count(const LengthStoreInputs& inputs, bool known) {
    const std::uint64_t offset = (inputs.pc - inputs.base) & addresses();
    const bool inside = offset < span();
    const std::uint64_t entry = offset >> config_.shift;
    const auto note = [&](const char* event, bool happens) { events_[event] += happens ? 1 : 0; };
    note("a length that is known", known);
    note("the first entry", inside && entry == 0);
    note("the last entry", inside && entry == config_.entries - 1);
    note("the first address above the table", offset == span());
    note("the last address below the table", offset == addresses());
    note("an address in the middle of an entry", inside && offset % (1U << config_.shift) != 0);
    note("the table goes round the end of addresses", inside && inputs.pc < inputs.base);
    note("an entry is read and written",
         inside && inputs.write_valid && inputs.write_index == entry);
    note("another entry is written", inside && inputs.write_valid && inputs.write_index != entry);
  }

  /// Bytes of the table.
  [[nodiscard]] unsigned span() const { return config_.entries << config_.shift; }
  [[nodiscard]] std::uint64_t addresses() const {
    return ~std::uint64_t{0} >> (64 - config_.pc_bits);
  }

  LengthStoreConfig config_;
  bool aligned_;
  RandomSource random_;
  std::unique_ptr<LengthStore> rtl_, model_;
  std::uint64_t base_ = 0;
  unsigned writes_ = 8;  ///< eighths of the cycles
  std::uint64_t cycle_ = 0;
  Events events_;
};

constexpr LengthStoreConfig kSixteen{.entries = 16, .length_bits = 5, .pc_bits = 16, .shift = 2};
constexpr LengthStoreConfig kEight{.entries = 8, .length_bits = 9, .pc_bits = 32, .shift = 1};

class LengthStoreLockstep : public testing::TestWithParam<bool> {};

TEST_P(LengthStoreLockstep, AgreesInEveryCycle) {
  const bool aligned = GetParam();
  const RunLength run = begin_run(40'000);
  Events events;
  for (const LengthStoreConfig& config : {kSixteen, kEight}) {
    SCOPED_TRACE(std::to_string(config.entries) + " entries");
    std::unique_ptr<LengthStore> rtl;
    if (config.entries == 16) {
      rtl = std::make_unique<VerilatedLengthStore<VStore16>>();
    } else {
      rtl = std::make_unique<VerilatedLengthStore<VStore8>>();
    }
    Decoder decoder(config, aligned, std::move(rtl),
                    derive_seed(run.seed, aligned ? "aligned" : "any", config.entries));
    drive(decoder, run, events);
    if (HasFatalFailure()) return;
  }
  expect_each(events);
}

INSTANTIATE_TEST_SUITE_P(Bases, LengthStoreLockstep, testing::Bool(),
                         [](const auto& aligned) { return aligned.param ? "aligned" : "any"; });

/// What the golden model shows in the cycle after one with these inputs.
std::optional<std::uint16_t> after(LengthStore& store, const LengthStoreInputs& inputs) {
  store.decide(inputs);
  store.commit();
  return store.decide({}).length;
}

TEST(LengthStore, ShowsAnEntryInTheNextCycle) {
  const auto store = make_length_store(kSixteen);
  EXPECT_EQ(store->decide({}).length, std::nullopt);
  EXPECT_EQ(after(*store, {.write_valid = true, .write_index = 1, .write_length = 7}),
            std::nullopt);
  EXPECT_EQ(after(*store, {.base = 0x100, .pc = 0x104}), 7);
  EXPECT_EQ(after(*store, {.base = 0x100, .pc = 0x107}), 7);
  EXPECT_EQ(after(*store, {.base = 0x100, .pc = 0x108}), std::nullopt);
}

TEST(LengthStore, ReadsAnEntryAsItWasBeforeAWrite) {
  const auto store = make_length_store(kSixteen);
  after(*store, {.write_valid = true, .write_index = 1, .write_length = 7});
  EXPECT_EQ(after(*store, {.write_valid = true, .write_index = 1, .write_length = 9, .pc = 4}), 7);
  EXPECT_EQ(after(*store, {.pc = 4}), 9);
}

TEST(LengthStore, HasTheLargestLengthOutside) {
  const auto store = make_length_store(kSixteen);
  for (std::uint32_t index = 0; index < 16; ++index) {
    after(*store, {.write_valid = true, .write_index = index, .write_length = 3});
  }
  EXPECT_EQ(after(*store, {.base = 0x100, .pc = 0x13f}), 3);
  EXPECT_EQ(after(*store, {.base = 0x100, .pc = 0x140}), 31);
  EXPECT_EQ(after(*store, {.base = 0x100, .pc = 0xff}), 31);
  EXPECT_EQ(after(*store, {.base = 0xfff0, .pc = 0x2f}), 3);
  EXPECT_EQ(after(*store, {.base = 0xfff0, .pc = 0x30}), 31);
}

TEST(LengthStore, NoticesBrokenPromises) {
  const auto violation = [](const LengthStoreInputs& inputs) -> std::string {
    const auto store = make_length_store(kSixteen);
    return violation_of(*store, inputs);
  };
  const std::string promise = "length store: the host broke a promise: ";
  EXPECT_EQ(violation({.write_index = 16, .write_length = 32}), "none");
  EXPECT_EQ(violation({.write_valid = true, .write_index = 16}),
            promise + "an entry that does not exist");
  EXPECT_EQ(violation({.write_valid = true, .write_length = 32}),
            promise + "a length that does not fit");
}

}  // namespace
}  // namespace paws
