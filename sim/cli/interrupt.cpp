#include "sim/cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace paws::cli {
namespace {

std::atomic<int> noted = 0;
static_assert(std::atomic<int>::is_always_lock_free, "needed in a signal handler");

void note(int signal) {
  noted = signal;
  // Whoever asks twice does not want to wait.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void note_interrupts() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

bool interrupted() { return noted != 0; }

int interrupted_status() { return 128 + noted; }

}  // namespace paws::cli
