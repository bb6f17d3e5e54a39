#include "tb/lockstep/lockstep.h"

#include <bit>
#include <cstdint>
#include <sstream>
#include <utility>

#include "tb/engine/rtl_engine.h"

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
  text << "  phase            ";
  for (unsigned warp = 0; warp < warps; ++warp) {
    text << (warp == 0 ? "" : " ") << warp << ':' << inputs.phase[warp];
  }
  text << '\n';
  return text.str();
}

std::string text_of(const SchedulerConfig& config) {
  std::ostringstream text;
  text << scheduler_name(config) << ", " << config.warps << " warps";
  if (config.level == Level::two_level) text << ", ready " << config.ready;
  text << ", " << config.phase_bits << "-bit phases";
  if (config.tie_by_arrival) text << ", ties by arrival";
  return text.str();
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
    compare_queues("after reset");
  }

  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    inputs_ = inputs;
    const SchedulerOutputs expected = reference_->decide(inputs);
    const SchedulerOutputs actual = subject_->decide(inputs);
    if (expected != actual) {
      fail("outputs differ",
           "  golden model  " + text_of(expected) + "\n  RTL           " + text_of(actual) + "\n");
    }
    return expected;
  }

  void commit() override {
    reference_->commit();
    subject_->commit();
    if ((cycle_ + 1) % options_.compare_queues_every == 0) compare_queues("after the clock edge");
    ++cycle_;
  }

  [[nodiscard]] QueueSnapshot snapshot() const override { return reference_->snapshot(); }

 private:
  void compare_queues(const char* when) const {
    if (!options_.outputs_only && reference_->snapshot() != subject_->snapshot()) {
      fail(std::string("queues differ ") + when, "");
    }
  }

  [[noreturn]] void fail(const std::string& what, const std::string& outputs) const {
    std::ostringstream text;
    text << "lockstep mismatch in cycle " << cycle_ << ": " << what << '\n'
         << text_of(reference_->config()) << '\n'
         << "inputs\n"
         << text_of(inputs_, reference_->config().warps);
    if (!outputs.empty()) text << "outputs\n" << outputs;
    text << "golden model\n  " << to_string(reference_->snapshot()) << '\n';
    if (!options_.outputs_only) text << "RTL\n  " << to_string(subject_->snapshot()) << '\n';
    text << "reproduce with: " << seed_text_;
    throw LockstepMismatch(text.str());
  }

  std::unique_ptr<Scheduler> reference_;
  std::unique_ptr<Scheduler> subject_;
  std::string seed_text_;
  LockstepOptions options_;
  SchedulerInputs inputs_;
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
