// SPDX-License-Identifier: MIT
// One verilated sub-warp packer behind its interface. build_large_warp.sh compiles this file once
// per engine, after the generated code in the same translation unit, with PAWS_ENTRY, the name of
// the factory function, and the macros of verilated_module.h.
#include "engine/large_warp/verilated_module.h"
#include "model/subwarp_packer.h"

namespace paws {
namespace {

class VerilatedSubwarpPacker final : public SubwarpPacker {
 public:
  VerilatedSubwarpPacker() { VerilatedSubwarpPacker::reset(); }

  void reset() override {
    top_->load_valid_i = 0;
    top_->take_i = 1;
    top_.reset();
    idle_ = true;
  }

  SubwarpPackerOutputs decide(const SubwarpPackerInputs& inputs) override {
#ifndef PAWS_ASSERT
    // Nothing is loaded and nothing comes: this is how the module stays.
    skipped_ = idle_ && !inputs.load_valid;
    if (skipped_) return {};
#endif
    top_->load_valid_i = inputs.load_valid ? 1 : 0;
    if (inputs.load_valid) {
      top_->load_mode_i = static_cast<unsigned>(inputs.load_mode);
      put_mask(top_->load_mask_i, inputs.load_mask);
    }
    top_->take_i = inputs.take ? 1 : 0;
    top_.settle();
    busy_ = top_->busy_o != 0;
    return {.valid = top_->valid_o != 0,
            .mask = static_cast<LaneBits>(top_->mask_o),
            .row = get_rows(top_->row_o),
            .last = top_->last_o != 0,
            .busy = busy_};
  }

  void commit() override {
    if (skipped_) return;
    top_.rise();
    idle_ = !busy_;
  }

 private:
  VerilatedModule top_;
  bool idle_ = true;  ///< nothing is left of a load
  bool skipped_ = false;
  bool busy_ = false;  ///< of the last decide()
};

}  // namespace
}  // namespace paws

paws::SubwarpPacker* PAWS_ENTRY() { return new paws::VerilatedSubwarpPacker; }
