// SPDX-License-Identifier: MIT
#include "engine/lockstep/lockstep.h"

#include <bit>
#include <cstdint>
#include <sstream>
#include <utility>

#include "engine/rtl_engine.h"
#include "model/scheduler_fields.h"

namespace paws {
namespace {

std::string text_of(const SchedulerOutputs& outputs) {
  std::ostringstream text;
  if (outputs.issue_valid) {
    text << "issue warp " << outputs.issue_warp;
  } else {
    text << "no issue";
    if (outputs.issue_warp != 0) text << " but issue_warp " << outputs.issue_warp;
  }
  text << (outputs.quiet ? ", quiet" : ", not quiet");
  return text.str();
}

std::string text_of(WarpMask mask) {
  if (mask == 0) return "none";
  std::string text;
  for (WarpMask rest = mask; rest != 0; rest &= rest - 1) {
    if (!text.empty()) text += ' ';
    text += std::to_string(std::countr_zero(rest));
  }
  return text;
}

std::string text_of(const SchedulerInputs& inputs, unsigned warps) {
  std::ostringstream text;
  text << "  issue_en         " << (inputs.issue_en ? 1 : 0) << '\n'
       << "  issuable         " << text_of(inputs.issuable) << '\n'
       << "  waits            " << text_of(inputs.waits) << '\n'
       << "  long_outstanding " << text_of(inputs.long_outstanding) << '\n'
       << "  exit             " << text_of(inputs.exits) << '\n'
       << "  launch           ";
  if (inputs.launch_valid) {
    text << "warp " << inputs.launch_warp << '\n';
  } else {
    text << "none\n";
  }
  if (inputs.end_valid) text << "  late end         warp " << inputs.end_warp << '\n';
  text << "  phase            ";
  for (unsigned warp = 0; warp < warps; ++warp) {
    text << (warp == 0 ? "" : " ") << warp << ':' << inputs.phase[warp];
  }
  text << '\n';
  return text.str();
}

std::string text_of(const SchedulerConfig& config) {
  std::string text = scheduler_name(config);
  for (const SchedulerField& field : scheduler_fields()) {
    if (!makes_difference(config, field)) continue;
    std::string said = ", " + field.said;
    const std::size_t value = said.find("{}");
    if (value != std::string::npos) said.replace(value, 2, std::to_string(value_of(config, field)));
    text += said;
  }
  return text;
}

class Lockstep final : public Scheduler {
 public:
  Lockstep(std::unique_ptr<Scheduler> reference, std::unique_ptr<Scheduler> subject,
           std::string seed_text, const LockstepOptions& options)
      : reference_(std::move(reference)),
        subject_(std::move(subject)),
        seed_text_(std::move(seed_text)),
        options_(options) {}

  [[nodiscard]] const SchedulerConfig& config() const override { return reference_->config(); }

  void reset() override {
    reference_->reset();
    subject_->reset();
    cycle_ = 0;
    inputs_ = {};
    agreed_ = {};
    compare_queues("after reset");
  }

  void reset_cycle(const SchedulerInputs& inputs) override {
    inputs_ = inputs;
    guard([&] {
      reference_->reset_cycle(inputs);
      subject_->reset_cycle(inputs);
    });
    compare_queues("after a cycle of reset");
    ++cycle_;
  }

  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    inputs_ = inputs;
    SchedulerOutputs expected;
    SchedulerOutputs actual;
    guard([&] {
      expected = reference_->decide(inputs);
      actual = subject_->decide(inputs);
    });
    if (expected != actual) {
      throw LockstepMismatch(
          describe("outputs differ", "outputs\n  golden model  " + text_of(expected) +
                                         "\n  RTL           " + text_of(actual) + '\n' + queues()));
    }
    return expected;
  }

  void commit() override {
    guard([&] {
      reference_->commit();
      subject_->commit();
    });
    compare_queues("after the clock edge");
    ++cycle_;
  }

  [[nodiscard]] QueueSnapshot snapshot() const override { return reference_->snapshot(); }

 private:
  /// Both sides check the host's promises; says in which cycle one was broken.
  template <class Step>
  void guard(Step step) const {
    try {
      step();
    } catch (const std::exception& error) {
      throw ContractViolation(describe("contract violated", error.what() + std::string("\n")));
    }
  }

  void compare_queues(const char* when) {
    if (options_.outputs_only) return;
    QueueSnapshot expected = reference_->snapshot();
    if (expected != subject_->snapshot()) {
      throw LockstepMismatch(
          describe(std::string("queues differ ") + when,
                   "both, when last compared\n  " + to_string(agreed_) + '\n' + queues()));
    }
    const QueueMasks masks = expected.masks();
    if (masks != reference_->queue_masks() || masks != subject_->queue_masks()) {
      throw LockstepMismatch(
          describe(std::string("masks of queues differ from them ") + when, queues()));
    }
    agreed_ = std::move(expected);
  }

  [[nodiscard]] std::string queues() const {
    std::string text = "queues\n  golden model  " + to_string(reference_->snapshot()) + '\n';
    if (!options_.outputs_only) text += "  RTL           " + to_string(subject_->snapshot()) + '\n';
    return text;
  }

  [[nodiscard]] std::string describe(const std::string& what, const std::string& details) const {
    return "lockstep: " + what + " in cycle " + std::to_string(cycle_) + '\n' +
           text_of(reference_->config()) + "\ninputs\n" +
           text_of(inputs_, reference_->config().warps) + details + "reproduce with: " + seed_text_;
  }

  std::unique_ptr<Scheduler> reference_;
  std::unique_ptr<Scheduler> subject_;
  std::string seed_text_;
  LockstepOptions options_;
  SchedulerInputs inputs_;
  QueueSnapshot agreed_;  ///< of both sides, when last compared
  std::uint64_t cycle_ = 0;
};

}  // namespace

std::unique_ptr<Scheduler> make_lockstep(const SchedulerConfig& config,
                                         const std::string& seed_text) {
  return make_lockstep(make_model(config), make_rtl(config, {.assertions = true}), seed_text);
}

std::unique_ptr<Scheduler> make_lockstep(std::unique_ptr<Scheduler> reference,
                                         std::unique_ptr<Scheduler> subject,
                                         const std::string& seed_text,
                                         const LockstepOptions& options) {
  return std::make_unique<Lockstep>(std::move(reference), std::move(subject), seed_text, options);
}

}  // namespace paws
