// SPDX-License-Identifier: MIT
#include "engine/lockstep/branch_masks_lockstep.h"

#include <cstdint>
#include <exception>
#include <utility>

#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/lockstep/large_warp_text.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"

namespace paws {
namespace {

std::string text_of(const BranchMasksInputs& inputs, const BranchMasksConfig& config) {
  if (!inputs.valid) return "  no sub-warp\n";
  std::string text = subwarp_text(inputs.mask, inputs.row, config.lanes);
  text += "  taken " + lanes_text(inputs.taken, config.lanes) + '\n';
  if (inputs.last) text += "  last, active\n" + mask_text(inputs.active, config.rows, config.lanes);
  return text;
}

std::string text_of(const BranchMasksOutputs& outputs, const BranchMasksConfig& config) {
  return std::string(outputs.diverged ? "  diverged" : "  not diverged") + "\n  taken\n" +
         mask_text(outputs.taken, config.rows, config.lanes) + "  fall-through\n" +
         mask_text(outputs.fall, config.rows, config.lanes);
}

class BranchMasksLockstep final : public BranchMasks {
 public:
  BranchMasksLockstep(const BranchMasksConfig& config, std::unique_ptr<BranchMasks> reference,
                      std::unique_ptr<BranchMasks> subject, std::string seed_text)
      : config_(config),
        reference_(std::move(reference)),
        subject_(std::move(subject)),
        seed_text_(std::move(seed_text)) {}

  void reset() override {
    reference_->reset();
    subject_->reset();
    cycle_ = 0;
  }

  BranchMasksOutputs decide(const BranchMasksInputs& inputs) override {
    inputs_ = inputs;
    const BranchMasksOutputs expected = reference_->decide(inputs);
    const BranchMasksOutputs actual = subject_->decide(inputs);
    if (expected != actual) {
      throw LockstepMismatch(
          describe("outputs differ", "outputs of the golden model\n" + text_of(expected, config_) +
                                         "outputs of the RTL\n" + text_of(actual, config_)));
    }
    return expected;
  }

  void commit() override {
    try {
      reference_->commit();
      subject_->commit();
    } catch (const std::exception& error) {
      throw ContractViolation(describe("contract violated", error.what() + std::string("\n")));
    }
    ++cycle_;
  }

 private:
  [[nodiscard]] std::string describe(const std::string& what, const std::string& details) const {
    return "lockstep: " + what + " in clocked cycle " + std::to_string(cycle_) +
           "\nbranch masks of " + paws::text_of(config_) + "\ninputs\n" +
           text_of(inputs_, config_) + details + "reproduce with: " + seed_text_;
  }

  BranchMasksConfig config_;
  std::unique_ptr<BranchMasks> reference_;
  std::unique_ptr<BranchMasks> subject_;
  std::string seed_text_;
  BranchMasksInputs inputs_;
  std::uint64_t cycle_ = 0;
};

}  // namespace

std::unique_ptr<BranchMasks> make_branch_masks_lockstep(const BranchMasksConfig& config,
                                                        const std::string& seed_text) {
  return make_branch_masks_lockstep(config, make_branch_masks(config),
                                    make_rtl_branch_masks(config, /*checked=*/true), seed_text);
}

std::unique_ptr<BranchMasks> make_branch_masks_lockstep(const BranchMasksConfig& config,
                                                        std::unique_ptr<BranchMasks> reference,
                                                        std::unique_ptr<BranchMasks> subject,
                                                        const std::string& seed_text) {
  return std::make_unique<BranchMasksLockstep>(config, std::move(reference), std::move(subject),
                                               seed_text);
}

}  // namespace paws
