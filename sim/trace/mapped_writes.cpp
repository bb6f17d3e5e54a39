// SPDX-License-Identifier: MIT
#include "sim/trace/mapped_writes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>

namespace paws::trace {
namespace {

thread_local bool expected = false;
std::atomic<bool> any_failed = false;
static_assert(std::atomic<bool>::is_always_lock_free, "needed in a signal handler");

/// Puts a page of memory under the address at which there is no file; the write is then repeated.
void put_memory(int signal, siginfo_t* info, void* /*context*/) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  void* const start = static_cast<std::byte*>(info->si_addr) -
                      reinterpret_cast<std::uintptr_t>(info->si_addr) % page;
  if (!expected || mmap(start, page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
    std::signal(signal, SIG_DFL);  // ends the program when the write is repeated
    return;
  }
  any_failed = true;
}

}  // namespace

MappedWrites::MappedWrites() {
  static const bool installed = [] {
    struct sigaction action{};
    action.sa_sigaction = put_memory;
    action.sa_flags = SA_SIGINFO;
    return sigaction(SIGBUS, &action, nullptr) == 0;
  }();
  expected = installed;
}

MappedWrites::~MappedWrites() { expected = false; }

bool MappedWrites::failed() { return any_failed; }

}  // namespace paws::trace
