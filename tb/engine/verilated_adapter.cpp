// One verilated engine behind the scheduler interface. build_engine.sh compiles this file once per
// engine, after the generated code in the same translation unit, with
//   PAWS_TOP, PAWS_ENTRY   the verilated class and the name of the factory function
//   PAWS_TWO_LEVEL, PAWS_WARPS and the rest: the frozen parameters
//   PAWS_ASSERT            assertions are compiled in
//   PAWS_NETLIST           the source is a synthesized netlist: same ports, no queues to look at
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>

#include "tb/engine/engine_parameters.h"
#include "tb/engine/rtl_engine.h"
#include "tb/engine/rtl_queues.h"
#include "tb/engine/verilated_runtime.h"

namespace paws {
namespace {

static_assert(std::endian::native == std::endian::little, "ports are filled by copying");

constexpr unsigned kWarps = PAWS_WARPS;
constexpr WarpMask kAllWarps = kWarps == 64 ? ~WarpMask{0} : (WarpMask{1} << kWarps) - 1;

/// Sets a port of up to 64 bits; Verilator wants the bits beyond its width to be zero.
template <class Port>
void drive(Port& port, WarpMask mask) {
  port = static_cast<Port>(mask & kAllWarps);
}

class VerilatedScheduler final : public Scheduler {
 public:
  VerilatedScheduler(const SchedulerConfig& config, unsigned code)
      : config_(config), top_(fresh_top(context_)) {
    top_->policy_i = static_cast<CData>(code);
    VerilatedScheduler::reset();
  }

  [[nodiscard]] const SchedulerConfig& config() const override { return config_; }

  void reset() override {
    top_->rst_ni = 0;
    drive_inputs(SchedulerInputs{});
    tick();
    top_->rst_ni = 1;
    settled_ = false;
  }

  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    if (!settled_ || !driven(inputs)) {
      drive_inputs(inputs);
      top_->clk_i = 0;
      evaluate();
      settled_ = true;
      outputs_ = {top_->issue_valid_o != 0, top_->issue_warp_o, top_->quiet_o != 0};
    }
    return outputs_;
  }

  void commit() override {
    top_->clk_i = 1;
    evaluate();
    settled_ = false;
  }

  [[nodiscard]] QueueSnapshot snapshot() const override { return read_queues(*top_); }

 private:
  static std::unique_ptr<PAWS_TOP> fresh_top(VerilatedContext& context) {
#ifdef PAWS_ASSERT
    // What reset does not set starts at random values, the same in every run.
    context.randReset(2);
    context.randSeed(1);
#endif
    return std::make_unique<PAWS_TOP>(&context, "scheduler");
  }

  void drive_inputs(const SchedulerInputs& inputs) {
    top_->issue_en_i = inputs.issue_en;
    drive(top_->issuable_i, inputs.issuable);
    drive(top_->exit_i, inputs.exits);
    top_->launch_valid_i = inputs.launch_valid;
    top_->launch_warp_i = static_cast<CData>(inputs.launch_warp);
#ifdef PAWS_TWO_LEVEL
    drive(top_->waits_i, inputs.waits);
    drive(top_->long_outstanding_i, inputs.long_outstanding);
    std::memcpy(&top_->length_i, inputs.phase.data(), kWarps * sizeof inputs.phase[0]);
#else
    std::memcpy(&top_->distance_i, inputs.phase.data(), kWarps * sizeof inputs.phase[0]);
#endif
  }

  /// Whether the ports hold `inputs` already.
  [[nodiscard]] bool driven(const SchedulerInputs& inputs) const {
    const bool same =
        top_->issue_en_i == inputs.issue_en && top_->issuable_i == (inputs.issuable & kAllWarps) &&
        top_->exit_i == (inputs.exits & kAllWarps) && top_->launch_valid_i == inputs.launch_valid &&
        top_->launch_warp_i == inputs.launch_warp;
#ifdef PAWS_TWO_LEVEL
    return same && top_->waits_i == (inputs.waits & kAllWarps) &&
           top_->long_outstanding_i == (inputs.long_outstanding & kAllWarps) &&
           std::memcmp(&top_->length_i, inputs.phase.data(), kWarps * sizeof inputs.phase[0]) == 0;
#else
    return same && std::memcmp(&top_->distance_i, inputs.phase.data(),
                               kWarps * sizeof inputs.phase[0]) == 0;
#endif
  }

  /// One clock cycle with the inputs as they are.
  void tick() {
    top_->clk_i = 0;
    evaluate();
    top_->clk_i = 1;
    evaluate();
  }

  void evaluate() {
    top_->eval();
#ifdef PAWS_ASSERT
    context_.timeInc(top_->clk_i);
    if (verilated::stopped) throw ContractViolation(verilated::take_message());
#endif
  }

  SchedulerConfig config_;
  VerilatedContext context_;
  std::unique_ptr<PAWS_TOP> top_;
  SchedulerOutputs outputs_;
  bool settled_ = false;  ///< outputs_ belongs to the inputs at the ports and the present state
};

}  // namespace
}  // namespace paws

extern "C" __attribute__((visibility("default"))) paws::Scheduler* PAWS_ENTRY(
    const paws::SchedulerConfig& config, unsigned policy_code) {
  return new paws::VerilatedScheduler(config, policy_code);
}
