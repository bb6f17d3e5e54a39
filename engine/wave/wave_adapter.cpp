// SPDX-License-Identifier: MIT
// The verilated wave_top behind WaveModel. build_wave.sh compiles this file after the generated
// code, in the same translation unit, with the frozen parameters as macros.
#include <bit>
#include <cstring>

#include "engine/wave/wave_model.h"
#include "verilated_fst_c.h"

namespace paws {
namespace {

static_assert(std::endian::native == std::endian::little, "ports are filled by copying");

constexpr std::uint64_t kCycle = 1000;  // ps; as in save_file.cpp

/// Copies an array, by scheduler, into a port of any width.
template <class Port, class Element>
void drive(Port& port, const std::vector<Element>& values) {
  static_assert(sizeof(Element) * PAWS_SCHEDULERS <= sizeof port);
  std::memcpy(&port, values.data(), sizeof(Element) * PAWS_SCHEDULERS);
}

template <class Port>
std::uint8_t byte_of(const Port& port, unsigned scheduler) {
  std::uint8_t value = 0;
  std::memcpy(&value, reinterpret_cast<const char*>(&port) + scheduler, 1);
  return value;
}

class VerilatedWave final : public WaveModel {
 public:
  explicit VerilatedWave(unsigned policy_code) {
    context_.threads(1);
    context_.traceEverOn(true);
    top_ = std::make_unique<PAWS_TOP>(&context_, "");
    top_->trace(&fst_, 99);
    fst_.set_time_unit("1ps");
    fst_.set_time_resolution("1ps");
    top_->policy_i = static_cast<CData>(policy_code);
    top_->clk_i = 0;
    top_->eval();
    VerilatedWave::reset();
  }

  ~VerilatedWave() override {
    VerilatedWave::close();
    Verilated::threadContextp(&context_);
    top_.reset();
    Verilated::threadContextp(nullptr);
  }

  VerilatedWave(const VerilatedWave&) = delete;
  VerilatedWave& operator=(const VerilatedWave&) = delete;

  void open(const std::string& path) override { fst_.open(path.c_str()); }

  void close() override {
    if (fst_.isOpen()) fst_.close();
  }

  void reset() override {
    drive_inputs(WaveCycle(PAWS_SCHEDULERS));
    top_->rst_ni = 0;
    top_->eval();
    edge();
    top_->clk_i = 0;
    top_->rst_ni = 1;
    top_->eval();
  }

  void cycle(const WaveCycle& inputs, bool shown) override {
    // The edge sees the inputs of the cycle that it ends.
    edge();
    drive_inputs(inputs);
    top_->eval();
    const bool written = shown && fst_.isOpen();
    if (written) fst_.dump(inputs.cycle * kCycle);
    top_->clk_i = 0;
    top_->eval();
    if (written) fst_.dump(inputs.cycle * kCycle + kCycle / 2);
  }

  [[nodiscard]] SchedulerOutputs outputs(unsigned scheduler) const override {
    return {.issue_warp = byte_of(top_->issue_warp_o, scheduler),
            .issue_valid = byte_of(top_->issue_valid_o, scheduler) != 0,
            .quiet = byte_of(top_->quiet_o, scheduler) != 0};
  }

 private:
  void edge() {
    top_->clk_i = 1;
    top_->eval();
  }

  void drive_inputs(const WaveCycle& inputs) {
    top_->cycle_i = inputs.cycle;
    drive(top_->issue_en_i, inputs.issue_en);
    drive(top_->issuable_i, inputs.issuable);
    drive(top_->waits_i, inputs.waits);
    drive(top_->long_outstanding_i, inputs.long_outstanding);
    drive(top_->exit_i, inputs.exits);
    drive(top_->second_i, inputs.second);
    drive(top_->yield_i, inputs.yields);
    drive(top_->pair_i, inputs.pair);
    drive(top_->row_i, inputs.row);
    drive(top_->launch_valid_i, inputs.launch_valid);
    drive(top_->launch_warp_i, inputs.launch_warp);
    drive(top_->phase_i, inputs.phase);
    drive(top_->state_i, inputs.state);
    drive(top_->condition_i, inputs.condition);
    drive(top_->place_i, inputs.place);
    drive(top_->pc_i, inputs.pc);
    drive(top_->phase_number_i, inputs.phase_number);
    drive(top_->block_i, inputs.block);
    drive(top_->in_block_i, inputs.in_block);
    drive(top_->in_flight_i, inputs.in_flight);
    drive(top_->ready_i, inputs.ready);
    drive(top_->active_i, inputs.active);
    drive(top_->collector_i, inputs.collector);
  }

  VerilatedContext context_;
  VerilatedFstC fst_;
  std::unique_ptr<PAWS_TOP> top_;
};

}  // namespace
}  // namespace paws

extern "C" __attribute__((visibility("default"))) paws::WaveModel* paws_wave(unsigned policy_code) {
  return new paws::VerilatedWave(policy_code);
}
