// SPDX-License-Identifier: MIT
// Waves of a recorded core: the RTL of its schedulers, driven with what was recorded, and the
// core's own signals beside it, as FST with a save file for GTKWave.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/wave/wave_model.h"
#include "sim/trace/events.h"
#include "sim/trace/shadow.h"

namespace paws::trace {

class WaveWriter final : public Sink {
 public:
  /// Waves of cycles `from` to `to`, inclusive, in `path`, which must end in ".fst"; the save file
  /// and the names of enumerations come beside it. Throws InputError for a path that cannot be
  /// written or a policy without RTL. Builds the traced RTL if it is not there yet
  /// (make_wave_model()).
  WaveWriter(const std::string& path, const RunInfo& run, std::uint64_t from, std::uint64_t to);
  ~WaveWriter() override;
  WaveWriter(const WaveWriter&) = delete;
  WaveWriter& operator=(const WaveWriter&) = delete;

  void begin(const LaunchInfo& launch) override;
  /// Throws CheckError if the RTL decides otherwise than recorded.
  void step(const CoreStep& step) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;
  /// Every cycle that is wanted has been seen.
  [[nodiscard]] bool done() const { return done_; }
  /// Puts the files into place; whether there was a cycle to show. Without this call nothing is
  /// left behind.
  bool finish();

 private:
  void drive(unsigned scheduler, const SchedulerStep& step);
  void drive_core(unsigned scheduler, const SchedulerStep& step);
  [[nodiscard]] bool shown(std::uint64_t cycle) const { return cycle >= from_ && cycle <= to_; }
  /// The cycle that is set up in ports_.
  void cycle(std::uint64_t number);

  std::string path_, temporary_;
  RunInfo run_;
  std::uint64_t from_, to_;
  std::uint64_t first_shown_ = 0, last_shown_ = 0;
  bool any_ = false, done_ = false;
  std::unique_ptr<WaveModel> model_;
  WaveCycle ports_;
  LaunchInfo launch_;
  std::vector<Shadow> shadows_;
};

}  // namespace paws::trace
