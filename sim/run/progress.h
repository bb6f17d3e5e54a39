// SPDX-License-Identifier: MIT
// One line of progress on a terminal; nothing when stderr is not one.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace paws {

/// Seconds on a clock of the machine that simulates, whatever the clocks of a simulated program say
/// (`paws cuda --host-time simulated`).
double real_seconds();

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether there is a terminal, and the last line has been shown long enough for another: who is
  /// told of progress often asks this first.
  [[nodiscard]] bool due() const;
  /// Replaces the line, by as much of `text` as the terminal is wide.
  void show(const std::string& text);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  double shown_at_ = -std::numeric_limits<double>::infinity();
};

/// Clears the line that a process has left that was killed.
void clear_left_progress();

/// A launch that runs.
struct LaunchProgress {
  std::string kernel;
  std::uint64_t number = 0;  ///< of the launch, from 1
  bool timed = true;
  std::uint64_t cycles = 0;                ///< so far, if it is timed
  std::uint64_t finished = 0, blocks = 0;  ///< blocks that have ended, and all
};

/// "launch 3: relax, 12 of 48 blocks finished, cycle 20480, 4096 cycles/s, 0:15 left". `seconds`:
/// since the launch began. What is left is as long as what is done, block for block; before the
/// first second, and before the first block has ended, nothing is said of it.
std::string progress_text(const LaunchProgress& launch, double seconds);

/// Shows how far one launch after the other is.
class LaunchProgressLine {
 public:
  void begin(std::uint64_t number, const std::string& kernel, bool timed);
  void report(std::uint64_t cycles, std::uint64_t finished, std::uint64_t blocks);
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
  LaunchProgress launch_;
  double began_ = 0;
};

}  // namespace paws
