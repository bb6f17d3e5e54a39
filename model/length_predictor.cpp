// SPDX-License-Identifier: MIT
#include "model/length_predictor.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/warp_mask.h"

namespace paws {
namespace {

class GoldenLengthPredictor final : public LengthPredictor {
 public:
  explicit GoldenLengthPredictor(const LengthPredictorConfig& config)
      : config_(config), learned_(config.entries) {}

  void reset() override {
    std::ranges::fill(learned_, std::nullopt);
    read_.reset();
    slots_ = {};
  }

  LengthPredictorOutputs decide(const LengthPredictorInputs& inputs) override {
    inputs_ = inputs;
    LengthPredictorOutputs outputs;
    outputs.length = read_;
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      const Slot& slot = slots_[warp];
      if (slot.begins) outputs.begins |= mask_of(warp);
      if (slot.phase) outputs.remaining[warp] = remaining(*slot.phase);
    }
    return outputs;
  }

  void commit() override {
    check();
    read_ = learned_[entry_of(inputs_.pc)].value_or(0);
    if (inputs_.issue_valid) issue(slots_[inputs_.issue_warp]);
    for_each_warp(inputs_.waits, [&](WarpId warp) { slots_[warp].begins = true; });
    for_each_warp(inputs_.launch, [&](WarpId warp) { slots_[warp] = Slot{}; });
  }

 private:
  struct Phase {
    std::size_t entry;
    std::uint16_t predicted;
    std::uint16_t instructions;  // that have issued
  };
  struct Slot {
    bool begins = true;          // the next instruction begins a phase
    std::optional<Phase> phase;  // that the warp is inside
  };

  void issue(Slot& slot) {
    if (!slot.begins) {
      if (slot.phase->instructions < largest()) ++slot.phase->instructions;
      return;
    }
    if (slot.phase) learned_[slot.phase->entry] = slot.phase->instructions;
    slot.phase = Phase{
        .entry = entry_of(inputs_.issue_pc), .predicted = inputs_.issue_length, .instructions = 1};
    slot.begins = false;
  }

  static std::uint16_t remaining(const Phase& phase) {
    const int left = phase.predicted - phase.instructions;
    return static_cast<std::uint16_t>(std::max(left, 0));
  }
  [[nodiscard]] std::size_t entry_of(std::uint64_t pc) const {
    const std::uint64_t held = pc & (~std::uint64_t{0} >> (64 - config_.pc_bits));
    return (held >> config_.shift) % config_.entries;
  }
  [[nodiscard]] std::uint16_t largest() const {
    return static_cast<std::uint16_t>((1U << config_.length_bits) - 1);
  }
  void check() const {
    const auto fail = [](const std::string& what) {
      throw std::logic_error("length predictor: the host broke a promise: " + what);
    };
    const WarpMask named = inputs_.waits | inputs_.launch;
    if (beyond(named, config_.warps) ||
        (inputs_.issue_valid && inputs_.issue_warp >= config_.warps)) {
      fail("a slot that does not exist");
    }
    const WarpMask issues = inputs_.issue_valid ? mask_of(inputs_.issue_warp) : 0;
    if ((inputs_.launch & inputs_.waits) != 0) fail("a launch beside a wait of the same slot");
    if ((inputs_.launch & issues) != 0) fail("a launch beside an issue of the same slot");
    if (inputs_.issue_valid && inputs_.issue_length > largest()) fail("a length that does not fit");
  }

  LengthPredictorConfig config_;
  std::vector<std::optional<std::uint16_t>> learned_;
  std::optional<std::uint16_t> read_;
  std::array<Slot, kMaxWarps> slots_;
  LengthPredictorInputs inputs_;
};

}  // namespace

std::unique_ptr<LengthPredictor> make_length_predictor(const LengthPredictorConfig& config) {
  return std::make_unique<GoldenLengthPredictor>(config);
}

}  // namespace paws
