// SPDX-License-Identifier: MIT
// Two of a module at once that decides and commits, compared in every decision.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"

namespace paws {

/// `Module` says what is compared: types Interface, Config, Inputs and Outputs, `kName`, and static
/// functions text_of(Config), text_of(Inputs, Config) and text_of(Outputs, Config). decide() throws
/// LockstepMismatch, commit() ContractViolation; both end with `seed_text`. Outputs are those of
/// `reference`.
template <class Module>
class ModuleLockstep final : public Module::Interface {
 public:
  using Interface = typename Module::Interface;
  using Config = typename Module::Config;
  using Inputs = typename Module::Inputs;
  using Outputs = typename Module::Outputs;

  ModuleLockstep(const Config& config, std::unique_ptr<Interface> reference,
                 std::unique_ptr<Interface> subject, std::string seed_text)
      : config_(config),
        reference_(std::move(reference)),
        subject_(std::move(subject)),
        seed_text_(std::move(seed_text)) {}

  void reset() override {
    reference_->reset();
    subject_->reset();
    cycle_ = 0;
  }

  Outputs decide(const Inputs& inputs) override {
    inputs_ = inputs;
    const Outputs expected = reference_->decide(inputs);
    const Outputs actual = subject_->decide(inputs);
    if (expected != actual) {
      throw LockstepMismatch(describe(
          "outputs differ", "outputs of the golden model\n" + Module::text_of(expected, config_) +
                                "outputs of the RTL\n" + Module::text_of(actual, config_)));
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
    return "lockstep: " + what + " in clocked cycle " + std::to_string(cycle_) + '\n' +
           Module::kName + " of " + Module::text_of(config_) + "\ninputs\n" +
           Module::text_of(inputs_, config_) + details + "reproduce with: " + seed_text_;
  }

  Config config_;
  std::unique_ptr<Interface> reference_;
  std::unique_ptr<Interface> subject_;
  std::string seed_text_;
  Inputs inputs_;
  std::uint64_t cycle_ = 0;
};

}  // namespace paws
