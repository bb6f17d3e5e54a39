// SPDX-License-Identifier: MIT
#include "sim/run/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <ctime>

namespace paws {
namespace {

constexpr double kShownFor = 0.25;  // seconds
constexpr const char* kClear = "\r\033[K";

/// 2:05, 1:02:05.
std::string duration(double seconds) {
  const auto all = static_cast<std::uint64_t>(std::llround(seconds));
  const std::uint64_t minutes = all / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, all % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, all % 60);
}

/// Of the terminal; one of no width is taken to be wide.
std::size_t columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

double real_seconds() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { clear(); }

bool ProgressLine::due() const { return terminal_ && real_seconds() - shown_at_ >= kShownFor; }

void ProgressLine::show(const std::string& text) {
  if (!terminal_) return;
  // A line that goes on below could not be replaced.
  std::fprintf(stderr, "%s%s", kClear, text.substr(0, columns() - 1).c_str());
  std::fflush(stderr);
  shown_ = true;
  shown_at_ = real_seconds();
}

void ProgressLine::clear() {
  if (shown_) std::fputs(kClear, stderr);
  shown_ = false;
}

void clear_left_progress() {
  if (::isatty(STDERR_FILENO) != 0) std::fputs(kClear, stderr);
}

std::string progress_text(const LaunchProgress& launch, double seconds) {
  std::string text = fmt::format("launch {}: {}, {} of {} blocks finished", launch.number,
                                 launch.kernel, launch.finished, launch.blocks);
  if (!launch.timed) {
    text += ", not timed";
  } else {
    text += fmt::format(", cycle {}", launch.cycles);
  }
  if (seconds < 1) return text;
  if (launch.timed) {
    text += fmt::format(", {:.0f} cycles/s", static_cast<double>(launch.cycles) / seconds);
  }
  if (launch.finished == 0) return text;
  const double left = static_cast<double>(launch.blocks - launch.finished);
  return text +
         fmt::format(", {} left", duration(seconds * left / static_cast<double>(launch.finished)));
}

void LaunchProgressLine::begin(std::uint64_t number, const std::string& kernel, bool timed) {
  launch_ = {kernel, number, timed, 0, 0, 0};
  began_ = real_seconds();
}

void LaunchProgressLine::report(std::uint64_t cycles, std::uint64_t finished,
                                std::uint64_t blocks) {
  if (!line_.due()) return;
  launch_.cycles = cycles;
  launch_.finished = finished;
  launch_.blocks = blocks;
  line_.show(progress_text(launch_, real_seconds() - began_));
}

}  // namespace paws
