// SPDX-License-Identifier: MIT
// Verilated branch masks behind their interface. build_large_warp.sh compiles this file once per
// engine, after the generated code in the same translation unit, with PAWS_ENTRY, the name of the
// factory function, and the macros of verilated_module.h.
#include "engine/large_warp/verilated_module.h"
#include "model/branch_masks.h"

namespace paws {
namespace {

class VerilatedBranchMasks final : public BranchMasks {
 public:
  VerilatedBranchMasks() { VerilatedBranchMasks::reset(); }

  void reset() override {
    top_->valid_i = 0;
    top_->last_i = 0;
    top_.reset();
  }

  BranchMasksOutputs decide(const BranchMasksInputs& inputs) override {
#ifndef PAWS_ASSERT
    // Nothing comes: this is how the module stays.
    skipped_ = !inputs.valid;
    if (skipped_) return {};
#endif
    top_->valid_i = inputs.valid ? 1 : 0;
    top_->last_i = inputs.last ? 1 : 0;
    top_->mask_i = inputs.mask & kAllLanes;
    put_rows(top_->row_i, inputs.row);
    top_->taken_i = inputs.taken & kAllLanes;
    put_mask(top_->active_i, inputs.active);
    top_.settle();
#ifndef PAWS_ASSERT
    if (!inputs.last) return {};
#endif
    return {.taken = get_mask(top_->taken_o),
            .fall = get_mask(top_->fall_o),
            .diverged = top_->diverged_o != 0};
  }

  void commit() override {
    if (!skipped_) top_.rise();
  }

 private:
  VerilatedModule top_;
  bool skipped_ = false;
};

}  // namespace
}  // namespace paws

paws::BranchMasks* PAWS_ENTRY() { return new paws::VerilatedBranchMasks; }
