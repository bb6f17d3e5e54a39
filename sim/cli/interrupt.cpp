// SPDX-License-Identifier: MIT
#include "sim/cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <ctime>

namespace paws::cli {
namespace {

std::atomic<int> noted = 0;
std::atomic<std::time_t> noted_at = 0;
static_assert(std::atomic<int>::is_always_lock_free &&
                  std::atomic<std::time_t>::is_always_lock_free,
              "needed in a signal handler");

void note(int signal) {
  const std::time_t now = std::time(nullptr);
  if (noted == 0) {
    noted_at = now;
    noted = signal;
  } else if (now > noted_at + 1) {
    // A second signal ends the program at once, but not within a second: timeout(1) sends every
    // signal twice.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void note_interrupts() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

bool interrupted() { return noted != 0; }

int interrupted_status() { return 128 + noted; }

}  // namespace paws::cli
