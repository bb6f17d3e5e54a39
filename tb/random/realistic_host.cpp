// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <utility>

#include "tb/random/host.h"
#include "tb/random/length_source.h"

namespace paws {
namespace {

constexpr WarpMask bit(unsigned warp) { return WarpMask{1} << warp; }

enum class Instruction : std::uint8_t { compute, load, use, barrier, exit };

/// Block of warps that meet at a barrier: neighbouring slots.
constexpr unsigned kWarpsPerBlock = 4;

struct Warp {
  bool live = false;
  Instruction next = Instruction::compute;
  bool at_barrier = false;
  std::uint64_t decoded_at = 0;  ///< cycle from which the next instruction is valid
  std::uint64_t replies_at = 0;  ///< cycle from which no long operation is outstanding
  std::uint16_t length = 0;
};

class RealisticHost final : public Host {
 public:
  RealisticHost(const SchedulerConfig& config, const Scenario& scenario, std::uint64_t seed)
      : scenario_(scenario), phase_bits_(config.phase_bits), random_(seed), warps_(config.warps) {
    derive_inputs();
  }

  [[nodiscard]] const SchedulerInputs& inputs() const override { return inputs_; }

  void end(WarpId warp) override { warps_[warp] = Warp{}; }

  void advance(const SchedulerOutputs& outputs) override {
    ++cycle_;
    if (inputs_.launch_valid) start(warps_[inputs_.launch_warp]);
    if (outputs.issue_valid) issue(warps_[outputs.issue_warp]);
    release_barriers();
    derive_inputs();
  }

 private:
  void start(Warp& warp) {
    const std::uint16_t first_length = warp.length;
    warp = Warp{};
    warp.live = true;
    warp.length = first_length;
    fetch(warp);
  }

  void issue(Warp& warp) {
    if (warp.next == Instruction::exit) {
      warp = Warp{};
      return;
    }
    if (warp.next == Instruction::load) {
      const std::uint64_t reply =
          cycle_ + random_.between(scenario_.latency_min, scenario_.latency_max);
      const std::uint64_t period = scenario_.reply_period;
      warp.replies_at = std::max(warp.replies_at, (reply + period - 1) / period * period);
    }
    warp.at_barrier = warp.next == Instruction::barrier;
    fetch(warp);
  }

  /// Chooses the instruction behind the one that has just issued.
  void fetch(Warp& warp) {
    const bool stall = random_.chance(scenario_.stalled);
    warp.decoded_at = cycle_ + (stall ? random_.between(1, 12) : 0);
    const std::uint32_t draw = random_.below(100);
    if (warp.replies_at > cycle_ && random_.chance(scenario_.use)) {
      warp.next = Instruction::use;
      warp.length = draw_length(random_, scenario_.lengths, phase_bits_);
    } else if (draw < scenario_.load) {
      warp.next = Instruction::load;
    } else if (draw < scenario_.load + scenario_.barrier) {
      warp.next = Instruction::barrier;
    } else if (draw < scenario_.load + scenario_.barrier + scenario_.exit) {
      warp.next = Instruction::exit;
    } else {
      warp.next = Instruction::compute;
    }
  }

  void release_barriers() {
    for (std::size_t first = 0; first < warps_.size(); first += kWarpsPerBlock) {
      const std::size_t last = std::min<std::size_t>(first + kWarpsPerBlock, warps_.size());
      bool all = true;
      for (std::size_t i = first; i < last; ++i) all &= !warps_[i].live || warps_[i].at_barrier;
      if (!all) continue;
      for (std::size_t i = first; i < last; ++i) warps_[i].at_barrier = false;
    }
  }

  void derive_inputs() {
    inputs_.issuable = inputs_.waits = inputs_.long_outstanding = inputs_.exits = 0;
    WarpMask free = 0;
    for (unsigned slot = 0; slot < warps_.size(); ++slot) {
      Warp& warp = warps_[slot];
      if (!warp.live) {
        free |= bit(slot);
        continue;
      }
      const bool outstanding = warp.replies_at > cycle_;
      const bool decoded = warp.decoded_at <= cycle_;
      const bool waits =
          warp.at_barrier || (decoded && outstanding && warp.next == Instruction::use);
      if (outstanding) inputs_.long_outstanding |= bit(slot);
      if (waits) inputs_.waits |= bit(slot);
      if (decoded && !waits && !random_.chance(scenario_.blocked)) inputs_.issuable |= bit(slot);
      if (warp.next == Instruction::exit) inputs_.exits |= bit(slot);
      inputs_.phase[slot] = warp.length;
    }
    choose_launch(free);
    switch (scenario_.issue_enable) {
      case IssueEnable::always:
        inputs_.issue_en = true;
        break;
      case IssueEnable::one_in_two:
        inputs_.issue_en = cycle_ % 2 == 0;
        break;
      case IssueEnable::random:
        inputs_.issue_en = random_.chance(60);
        break;
    }
  }

  void choose_launch(WarpMask free) {
    const auto free_slots = static_cast<std::size_t>(std::popcount(free));
    if (scenario_.launch_in_bursts) {
      if (free_slots * 2 >= warps_.size()) bursting_ = true;
      if (free_slots == 0) bursting_ = false;
    }
    const bool willing = !scenario_.launch_in_bursts || bursting_;
    inputs_.launch_valid = free_slots > 0 && willing && random_.chance(scenario_.launch);
    if (!inputs_.launch_valid) return;
    for (unsigned skip = random_.below(free_slots); skip > 0; --skip) free &= free - 1;
    inputs_.launch_warp = static_cast<WarpId>(std::countr_zero(free));
    Warp& warp = warps_[inputs_.launch_warp];
    warp.length = draw_length(random_, scenario_.lengths, phase_bits_);
    inputs_.phase[inputs_.launch_warp] = warp.length;
  }

  Scenario scenario_;
  unsigned phase_bits_;
  RandomSource random_;
  std::vector<Warp> warps_;
  std::uint64_t cycle_ = 0;
  bool bursting_ = true;
  SchedulerInputs inputs_;
};

}  // namespace

std::unique_ptr<Host> make_realistic_host(const SchedulerConfig& config, const Scenario& scenario,
                                          std::uint64_t seed) {
  auto host = std::make_unique<RealisticHost>(config, scenario, seed);
  if (config.level == Level::two_level) return host;
  return make_grouping_host(std::move(host), config, seed);
}

}  // namespace paws
