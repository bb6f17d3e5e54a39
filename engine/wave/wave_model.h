// SPDX-License-Identifier: MIT
// The RTL of a core's schedulers, verilated with tracing: writes FST waves.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/scheduler.h"

namespace paws {

/// One cycle of one core at the ports of wave_top.sv; each array has an entry for every scheduler.
struct WaveCycle {
  template <class T>
  using PerWarp = std::vector<std::array<T, kMaxWarps>>;

  explicit WaveCycle(unsigned schedulers);

  std::uint64_t cycle = 0;
  std::vector<std::uint8_t> issue_en, launch_valid, launch_warp;
  std::vector<std::uint64_t> issuable, waits, long_outstanding, exits, second, yields;
  PerWarp<std::uint16_t> phase;
  PerWarp<std::uint8_t> pair, row;
  // The core's side.
  std::vector<std::uint8_t> state;  ///< of the scheduler (sim/stats), by number
  /// Condition and queue of each warp, by number; WaveNames says what the numbers mean.
  PerWarp<std::uint8_t> condition, place;
  PerWarp<std::uint32_t> pc, phase_number, block, in_block, in_flight;
  /// Queues in their order, kNoWarp behind the last one.
  PerWarp<std::uint8_t> ready, active, collector;

  static constexpr std::uint8_t kNoWarp = 255;
};

inline WaveCycle::WaveCycle(unsigned schedulers)
    : issue_en(schedulers),
      launch_valid(schedulers),
      launch_warp(schedulers),
      issuable(schedulers),
      waits(schedulers),
      long_outstanding(schedulers),
      exits(schedulers),
      second(schedulers),
      yields(schedulers),
      phase(schedulers),
      pair(schedulers),
      row(schedulers),
      state(schedulers),
      condition(schedulers),
      place(schedulers),
      pc(schedulers),
      phase_number(schedulers),
      block(schedulers),
      in_block(schedulers),
      in_flight(schedulers),
      ready(schedulers),
      active(schedulers),
      collector(schedulers) {}

/// Cycle t stands at t ns: the state at its start, its inputs, and the outputs that come of both.
class WaveModel {
 public:
  virtual ~WaveModel() = default;
  /// What follows is written to `path`, until close(). At most once.
  virtual void open(const std::string& path) = 0;
  virtual void close() = 0;
  /// All schedulers to the state after reset.
  virtual void reset() = 0;
  /// The cycle's inputs; the clock edge that ends it comes with the next call. `shown`: it is
  /// written, if a file is open.
  virtual void cycle(const WaveCycle& inputs, bool shown) = 0;
  /// Of `scheduler` in this cycle.
  [[nodiscard]] virtual SchedulerOutputs outputs(unsigned scheduler) const = 0;
};

/// The RTL of `schedulers` schedulers of `config`; built when first asked for, which takes half a
/// minute and is said on stderr, and cached as rtl_engine.h says. Throws EngineBuildError, and
/// std::invalid_argument for a policy without RTL.
std::unique_ptr<WaveModel> make_wave_model(const SchedulerConfig& config, unsigned schedulers);

}  // namespace paws
