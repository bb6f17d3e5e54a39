// SPDX-License-Identifier: MIT
// One verilated block monitor behind its interface. build_monitor.sh compiles this file once per
// engine, after the generated code in the same translation unit, with
//   PAWS_TOP, PAWS_ENTRY     the verilated class and the name of the factory function
//   PAWS_SLOTS, PAWS_PORTS   the frozen parameters
//   PAWS_ASSERT              assertions are compiled in
#include <cstdint>
#include <memory>

#include "engine/rtl_engine.h"
#include "engine/verilated_runtime.h"
#include "model/block_monitor.h"

namespace paws {
namespace {

constexpr unsigned kSlots = PAWS_SLOTS;
constexpr unsigned kPorts = PAWS_PORTS;

constexpr unsigned slot_bits() {
  unsigned bits = 1;
  while ((1U << bits) < kSlots) ++bits;
  return bits;
}
constexpr std::uint32_t kAllSlots = kSlots == 32 ? ~std::uint32_t{0} : (1U << kSlots) - 1;

class VerilatedMonitor final : public BlockMonitor {
 public:
  VerilatedMonitor() : top_(fresh_top(context_)) {
    // Edges are seen against the evaluation before: there must have been one.
    top_->clk_i = 0;
    top_->rst_ni = 0;
    top_->eval();
    VerilatedMonitor::clock({});
    top_->rst_ni = 1;
  }

  ~VerilatedMonitor() override {
    // The verilated model cleans up in the thread's current context, which may be another engine's
    // by now, or gone.
    Verilated::threadContextp(&context_);
    top_.reset();
    Verilated::threadContextp(nullptr);
  }

  VerilatedMonitor(const VerilatedMonitor&) = delete;
  VerilatedMonitor& operator=(const VerilatedMonitor&) = delete;

  void clock(const BlockMonitorInputs& inputs) override {
    unsigned valid = 0;
    unsigned slots = 0;
    for (unsigned port = 0; port < kPorts; ++port) {
      if (!inputs.issues[port]) continue;
      valid |= 1U << port;
      slots |= (*inputs.issues[port] & ((1U << slot_bits()) - 1)) << (port * slot_bits());
    }
    top_->restart_i = inputs.restart ? 1 : 0;
    // Verilator wants the bits beyond a port's width to be zero.
    top_->starts_i = inputs.starts & kAllSlots;
    top_->issue_valid_i = valid;
    top_->issue_slot_i = slots;
    top_->ends_i = inputs.ends & kAllSlots;
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
#ifdef PAWS_ASSERT
    context_.timeInc(1);
    if (verilated::stopped) throw ContractViolation(verilated::take_message());
#endif
  }

  [[nodiscard]] BlockMonitorOutputs outputs() const override {
    return {.busy = top_->busy_o != 0, .done = top_->done_o != 0, .limit = top_->limit_o};
  }

 private:
  static std::unique_ptr<PAWS_TOP> fresh_top(VerilatedContext& context) {
    context.threads(1);  // else every engine would start idle threads of its own
#ifdef PAWS_ASSERT
    // What reset does not set starts at random values, the same in every run.
    context.randReset(2);
    context.randSeed(1);
#endif
    return std::make_unique<PAWS_TOP>(&context, "monitor");
  }

  VerilatedContext context_;
  std::unique_ptr<PAWS_TOP> top_;
};

}  // namespace
}  // namespace paws

paws::BlockMonitor* PAWS_ENTRY() { return new paws::VerilatedMonitor; }
