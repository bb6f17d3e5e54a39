// SPDX-License-Identifier: MIT
// What an engine can be built with beside the scheduler. An engine with an instrument is always
// built on demand; its schedulers implement the instrument's interface too, which dynamic_cast
// finds.
#pragma once

#include <cstdint>
#include <string>

namespace paws {

enum class Instrument : std::uint8_t {
  none,
  coverage,  ///< counts what runs: CoverageRecorder
  waves,     ///< can write waves: WaveRecorder
};

class __attribute__((visibility("default"))) CoverageRecorder {
 public:
  virtual ~CoverageRecorder() = default;
  /// What was counted since the scheduler was made, instance by instance, in Verilator's format.
  virtual void write_coverage(const std::string& path) const = 0;
};

class __attribute__((visibility("default"))) WaveRecorder {
 public:
  virtual ~WaveRecorder() = default;
  /// Writes every cycle from now on to `path`, an FST file; cycle t since the last reset() stands
  /// at t ns: the state at its start, its inputs, the outputs of both. At most once.
  virtual void open_wave(const std::string& path) = 0;
  /// Writes the cycle that has not been committed, and ends the file.
  virtual void close_wave() = 0;
};

}  // namespace paws
