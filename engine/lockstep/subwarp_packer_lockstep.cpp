// SPDX-License-Identifier: MIT
#include "engine/lockstep/subwarp_packer_lockstep.h"

#include <array>
#include <cstdint>
#include <exception>
#include <utility>

#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine/lockstep/large_warp_text.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"

namespace paws {
namespace {

std::string text_of(const SubwarpPackerInputs& inputs, const SubwarpPackerConfig& config) {
  static constexpr std::array<const char*, kPackModes> kNames{"packed", "rows", "once"};
  std::string text;
  if (inputs.load_valid) {
    text = std::string("  load, ") + kNames.at(static_cast<unsigned>(inputs.load_mode)) + '\n' +
           mask_text(inputs.load_mask, config.rows, config.lanes);
  } else {
    text = "  no load\n";
  }
  return text + (inputs.take ? "  take\n" : "  hold\n");
}

std::string text_of(const SubwarpPackerOutputs& outputs, const SubwarpPackerConfig& config) {
  return std::string(outputs.valid ? "  valid" : "  not valid") + (outputs.last ? ", last" : "") +
         (outputs.busy ? ", busy" : "") + '\n' +
         subwarp_text(outputs.mask, outputs.row, config.lanes);
}

class SubwarpPackerLockstep final : public SubwarpPacker {
 public:
  SubwarpPackerLockstep(const SubwarpPackerConfig& config, std::unique_ptr<SubwarpPacker> reference,
                        std::unique_ptr<SubwarpPacker> subject, std::string seed_text)
      : config_(config),
        reference_(std::move(reference)),
        subject_(std::move(subject)),
        seed_text_(std::move(seed_text)) {}

  void reset() override {
    reference_->reset();
    subject_->reset();
    cycle_ = 0;
  }

  SubwarpPackerOutputs decide(const SubwarpPackerInputs& inputs) override {
    inputs_ = inputs;
    const SubwarpPackerOutputs expected = reference_->decide(inputs);
    const SubwarpPackerOutputs actual = subject_->decide(inputs);
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
           "\nsub-warp packer of " + paws::text_of(config_) + "\ninputs\n" +
           text_of(inputs_, config_) + details + "reproduce with: " + seed_text_;
  }

  SubwarpPackerConfig config_;
  std::unique_ptr<SubwarpPacker> reference_;
  std::unique_ptr<SubwarpPacker> subject_;
  std::string seed_text_;
  SubwarpPackerInputs inputs_;
  std::uint64_t cycle_ = 0;
};

}  // namespace

std::unique_ptr<SubwarpPacker> make_subwarp_packer_lockstep(const SubwarpPackerConfig& config,
                                                            const std::string& seed_text) {
  return make_subwarp_packer_lockstep(config, make_subwarp_packer(config),
                                      make_rtl_subwarp_packer(config, /*checked=*/true), seed_text);
}

std::unique_ptr<SubwarpPacker> make_subwarp_packer_lockstep(
    const SubwarpPackerConfig& config, std::unique_ptr<SubwarpPacker> reference,
    std::unique_ptr<SubwarpPacker> subject, const std::string& seed_text) {
  return std::make_unique<SubwarpPackerLockstep>(config, std::move(reference), std::move(subject),
                                                 seed_text);
}

}  // namespace paws
