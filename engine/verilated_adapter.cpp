// SPDX-License-Identifier: MIT
// One verilated engine behind the scheduler interface. build_engine.sh compiles this file once per
// engine, after the generated code in the same translation unit, with
//   PAWS_TOP, PAWS_ENTRY   the verilated class and the name of the factory function
//   PAWS_TWO_LEVEL, PAWS_FETCH_GROUP or PAWS_ORDERED (else the single level), PAWS_WARPS and the
//                          rest: the frozen parameters
//   PAWS_ASSERT            assertions are compiled in
//   PAWS_COVERAGE, PAWS_WAVES  the instrument of instrument.h that is built in
//   PAWS_NETLIST           the source is a synthesized netlist: same ports, no queues to look at
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include "engine/instrument.h"
#include "engine/rtl_engine.h"
#include "engine/rtl_queues.h"
#include "engine/verilated_runtime.h"
#ifdef PAWS_COVERAGE
#include "verilated_cov.h"
#endif
#ifdef PAWS_WAVES
#include "verilated_fst_c.h"
#endif

namespace paws {
namespace {

static_assert(std::endian::native == std::endian::little, "ports are filled by copying");

constexpr unsigned kWarps = PAWS_WARPS;
constexpr WarpMask kAllWarps = kWarps == 64 ? ~WarpMask{0} : (WarpMask{1} << kWarps) - 1;

/// Sets a port to the first entries of `values`, one for each warp. Says whether that changes it.
template <class Port, class Value>
bool drive_numbers(Port& port, const std::array<Value, kMaxWarps>& values) {
  constexpr std::size_t kBytes = kWarps * sizeof(Value);
  static_assert(kBytes <= sizeof port);
  if (std::memcmp(&port, values.data(), kBytes) == 0) return false;
  std::memcpy(&port, values.data(), kBytes);
  return true;
}

/// Sets a port of up to 64 bits. Says whether that changes it.
template <class Port, class Value>
bool drive(Port& port, Value value) {
  const auto driven = static_cast<Port>(value);
  return std::exchange(port, driven) != driven;
}
/// The same with a bit per warp; Verilator wants the bits beyond the port's width to be zero.
template <class Port>
bool drive_mask(Port& port, WarpMask mask) {
  return drive(port, mask & kAllWarps);
}

class VerilatedScheduler final : public Scheduler
#ifdef PAWS_COVERAGE
    ,
                                 public CoverageRecorder
#endif
#ifdef PAWS_WAVES
    ,
                                 public WaveRecorder
#endif
{
 public:
  VerilatedScheduler(const SchedulerConfig& config, unsigned code)
      : config_(config), code_(code), top_(fresh_top(context_)) {
    top_->policy_i = static_cast<CData>(code);
#ifdef PAWS_WAVES
    top_->trace(&fst_, 99);
    fst_.set_time_unit("1ps");
    fst_.set_time_resolution("1ps");
#endif
    // Edges are seen against the evaluation before: there must have been one.
    top_->clk_i = 0;
    top_->load_i = top_->load_levels_i = top_->load_phase_i = top_->load_groups_i = 0;
    top_->eval();
    VerilatedScheduler::reset();
  }

  ~VerilatedScheduler() override {
    // The verilated model cleans up in the thread's current context, which may be another engine's
    // by now, or gone.
    Verilated::threadContextp(&context_);
    top_.reset();
    Verilated::threadContextp(nullptr);
  }

  VerilatedScheduler(const VerilatedScheduler&) = delete;
  VerilatedScheduler& operator=(const VerilatedScheduler&) = delete;

  [[nodiscard]] const SchedulerConfig& config() const override { return config_; }

  void reset() override {
    edge_due_ = false;
    top_->rst_ni = 0;
    load(SchedulerInputs{});
    // Whatever the registers began with.
    issue_due_ = levels_due_ = phases_due_ = groups_due_ = true;
#if defined(PAWS_ASSERT) || defined(PAWS_COVERAGE)
    // During reset the policy may change, and nothing of the others may be left.
    constexpr unsigned kCodes = PAWS_POLICIES;
    for (unsigned other = 0; (kCodes >> other) != 0; ++other) {
      if (other != code_ && ((kCodes >> other) & 1) != 0) reset_with(other);
    }
#endif
    reset_with(code_);
    leave_reset();
#ifdef PAWS_WAVES
    cycle_ = 0;
#endif
  }

  void reset_cycle(const SchedulerInputs& inputs) override {
    top_->rst_ni = 0;
    load(inputs);
    reset_with(code_);
    leave_reset();
  }

  SchedulerOutputs decide(const SchedulerInputs& inputs) override {
    const bool changed = load(inputs);
    if (edge_due_ || changed) evaluate();
    return {.issue_warp = top_->issue_warp_o,
            .issue_valid = top_->issue_valid_o != 0,
            .quiet = top_->quiet_o != 0};
  }

  void commit() override {
    end_cycle();
#ifdef PAWS_WAVES
    dump();
#endif
    edge_due_ = true;
#ifdef PAWS_ASSERT
    end_cycle();  // a violated assertion is to be seen here
#endif
  }

  [[nodiscard]] QueueSnapshot snapshot() const override {
    end_cycle();
    return read_queues(*top_);
  }

#if defined(PAWS_TWO_LEVEL) && !defined(PAWS_NETLIST)
  [[nodiscard]] QueueMasks queue_masks() const override {
    end_cycle();
    return read_queue_masks(*top_);
  }
#endif

#ifdef PAWS_COVERAGE
  void write_coverage(const std::string& path) const override {
    context_.coveragep()->forcePerInstance(true);
    context_.coveragep()->write(path.c_str());
  }
#endif
#ifdef PAWS_WAVES
  void open_wave(const std::string& path) override { fst_.open(path.c_str()); }
  void close_wave() override {
    if (!fst_.isOpen()) return;
    fst_.dump(cycle_ * 1000);
    fst_.dump(cycle_ * 1000 + 1000);
    fst_.close();
  }
#endif

 private:
  /// A cycle of reset with this policy_i.
  void reset_with(unsigned code) {
    top_->policy_i = static_cast<CData>(code);
    levels_due_ = true;
    evaluate();
    VerilatedScheduler::commit();
  }
  /// The cycle after one of reset, with the same inputs.
  void leave_reset() {
    top_->rst_ni = 1;
    levels_due_ = true;
    evaluate();
  }

#ifdef PAWS_WAVES
  /// The cycle that ends: its state, inputs and outputs while the clock is high, then the falling
  /// edge.
  void dump() {
    if (fst_.isOpen()) {
      fst_.dump(cycle_ * 1000);
      top_->clk_i = 0;
      top_->eval();
      fst_.dump(cycle_ * 1000 + 500);
    }
    ++cycle_;
  }
#endif

  static std::unique_ptr<PAWS_TOP> fresh_top(VerilatedContext& context) {
    context.threads(1);  // else every engine would start idle threads of its own
#ifdef PAWS_ASSERT
    // What reset does not set starts at random values, the same in every run.
    context.randReset(2);
    context.randSeed(1);
#endif
#ifdef PAWS_WAVES
    context.traceEverOn(true);
#endif
    return std::make_unique<PAWS_TOP>(&context, "scheduler");
  }

  /// Puts the inputs to the ports; those that differ from what the ports had are loaded by the next
  /// evaluation. What does not change is not evaluated: lengths change seldom. Says whether
  /// anything is to be loaded.
  bool load(const SchedulerInputs& inputs) {
    issue_due_ |= drive_mask(top_->issuable_i, inputs.issuable);
    issue_due_ |= drive(top_->issue_en_i, inputs.issue_en);
    levels_due_ |= drive_mask(top_->waits_i, inputs.waits);
    levels_due_ |= drive_mask(top_->long_outstanding_i, inputs.long_outstanding);
    levels_due_ |= drive_mask(top_->exit_i, inputs.exits);
    levels_due_ |= drive(top_->launch_valid_i, inputs.launch_valid);
    levels_due_ |= drive(top_->launch_warp_i, inputs.launch_warp);
    levels_due_ |= drive(top_->end_valid_i, inputs.end_valid);
    levels_due_ |= drive(top_->end_warp_i, inputs.end_warp);
    phases_due_ |= drive_numbers(top_->phase_i, inputs.phase);
    if (looks_at(PAWS_CODE_CGGTY)) levels_due_ |= drive_mask(top_->yield_i, inputs.yields);
    if (looks_at(PAWS_CODE_SCA)) {
      groups_due_ |= drive_numbers(top_->pair_i, inputs.pair);
      groups_due_ |= drive_numbers(top_->row_i, inputs.row);
      groups_due_ |= drive_mask(top_->second_i, inputs.second);
    }
    return issue_due_ || levels_due_ || phases_due_ || groups_due_;
  }

  /// Whether the inputs that matter to the policy with this code alone are driven. Test builds
  /// drive them under every policy: there they may be anything.
  [[nodiscard]] bool looks_at([[maybe_unused]] unsigned code) const {
#if defined(PAWS_TWO_LEVEL)
    return false;
#elif defined(PAWS_ASSERT) || defined(PAWS_COVERAGE)
    return true;
#else
    return code_ == code;
#endif
  }

  /// Every change of a load input loads.
  static void load_if(bool& due, CData& load) {
    if (std::exchange(due, false)) load = load == 0;
  }

  /// The clock edge that is due, with the inputs loaded last. It brings up to date what snapshot()
  /// shows and changes nothing that a caller could tell, hence const.
  void end_cycle() const {
    if (edge_due_) evaluate();
  }

  /// Loads what load() has put to the ports, after the clock edge that is due, in one evaluation.
  void evaluate() const {
    const bool edge = edge_due_;
    if (edge) {
      // Only the clock changes, and nothing hangs on its falling edge but the latches of clock
      // gates, which take their enables here: this costs next to nothing.
      top_->clk_i = 0;
      top_->eval();
      top_->clk_i = 1;
      edge_due_ = false;
    }
    load_if(issue_due_, top_->load_i);
    load_if(levels_due_, top_->load_levels_i);
    load_if(phases_due_, top_->load_phase_i);
    load_if(groups_due_, top_->load_groups_i);
    top_->eval();
#ifdef PAWS_ASSERT
    context_.timeInc(edge ? 1 : 0);
    if (verilated::stopped) throw ContractViolation(verilated::take_message());
#endif
  }

  SchedulerConfig config_;
  unsigned code_;  ///< of the policy at policy_i
  mutable VerilatedContext context_;
#ifdef PAWS_WAVES
  VerilatedFstC fst_;
  std::uint64_t cycle_ = 0;
#endif
  std::unique_ptr<PAWS_TOP> top_;
  // What the next evaluate() does: the clock edge of a commit(), and loads.
  mutable bool edge_due_ = false;
  mutable bool issue_due_ = false;
  mutable bool levels_due_ = false;
  mutable bool phases_due_ = false;
  mutable bool groups_due_ = false;
};

}  // namespace
}  // namespace paws

extern "C" __attribute__((visibility("default"))) paws::Scheduler* PAWS_ENTRY(
    const paws::SchedulerConfig& config, unsigned policy_code) {
  return new paws::VerilatedScheduler(config, policy_code);
}
