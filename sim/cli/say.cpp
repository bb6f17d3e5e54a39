// SPDX-License-Identifier: MIT
#include "sim/cli/say.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "sim/support/error.h"

namespace paws::cli {

namespace {

/// Of the first failure to write to stdout; 0 if there has been none.
std::atomic<int> first_error = 0;

void note_failure(bool failed) {
  int none = 0;
  if (failed) first_error.compare_exchange_strong(none, errno);
}

}  // namespace

void put(std::FILE* stream, const std::string& text) {
  const bool whole = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  note_failure(!whole && stream == stdout);
}

void flush_stdout() { note_failure(std::fflush(stdout) != 0); }

void check_streams() {
  std::signal(SIGXFSZ, SIG_IGN);  // An error of the write instead, after which nothing is left.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    if (stream == STDOUT_FILENO) throw InputError("stdout", "is closed");
    ::open("/dev/null", O_RDWR);  // the lowest number that is free
  }
}

void check_all_is_said() {
  flush_stdout();
  if (first_error != 0)
    throw InputError("stdout", fmt::format("cannot be written: {}", std::strerror(first_error)));
}

}  // namespace paws::cli
