// SPDX-License-Identifier: MIT
#include "sim/cuda/page_watch.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace paws::cuda {
namespace {

PageWatch* current = nullptr;
struct sigaction previous;

std::byte* map(std::size_t bytes) {
  void* got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) throw std::runtime_error("no memory to keep what a launch changes");
  return static_cast<std::byte*>(got);
}

bool protect(std::byte* data, std::size_t bytes, int protection) {
  return mprotect(data, bytes, protection) == 0;
}

/// In a signal handler: without a buffer, and without the end that exit() has.
[[noreturn]] void give_up() {
  constexpr std::string_view kMessage =
      "paws: capture: the host cannot change the access to memory (vm.max_map_count)\n";
  static_cast<void>(!write(STDERR_FILENO, kMessage.data(), kMessage.size()));
  _exit(2);
}

/// Makes mappings fewer, or ends the process.
void protect_all(const PageWatch::Area& area, int protection) {
  if (protect(area.data, area.bytes, protection)) return;
  // An end of the area is in one mapping with what lies behind it, and cannot be cut off. Pages
  // that are mappings of their own can be changed, and become one with those before them.
  for (std::size_t at = 0; at < area.bytes; at += PageWatch::kPage) {
    protect(area.data + at, PageWatch::kPage, protection);
  }
  if (!protect(area.data, area.bytes, protection)) give_up();
}

constexpr std::size_t kManyRuns = 64;
constexpr std::size_t kSmallGap = 16;  ///< in pages

}  // namespace

PageWatch::PageWatch(const std::vector<Area>& areas) {
  if (current != nullptr) throw std::logic_error("two watches of pages at a time");
  for (const Area& area : areas) {
    Watched watched;
    watched.area = area;
    watched.before = map(area.bytes);
    watched.touched = std::make_unique<std::atomic<bool>[]>(area.bytes / kPage);
    watched_.push_back(std::move(watched));
  }
  current = this;
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  action.sa_sigaction = [](int, siginfo_t* info, void*) { on_fault(info); };
  sigaction(SIGSEGV, &action, &previous);
  for (const Watched& watched : watched_) {
    protect_all(watched.area, PROT_NONE);
  }
}

PageWatch::~PageWatch() {
  stop();
  for (const Watched& watched : watched_) munmap(watched.before, watched.area.bytes);
}

void PageWatch::stop() {
  if (!on_) return;
  on_ = false;
  for (Watched& watched : watched_) {
    protect_all(watched.area, PROT_READ | PROT_WRITE);
    join_close_runs(watched);
  }
  sigaction(SIGSEGV, &previous, nullptr);
  current = nullptr;
}

/// The page can be read, and nobody writes to it.
void PageWatch::keep(Watched& watched, std::size_t page) {
  const std::byte* data = watched.area.data + page * kPage;
  // Zeros are there already, and take no memory until something is written over them.
  static constexpr std::array<std::byte, kPage> kZeros{};
  if (std::memcmp(data, kZeros.data(), kPage) != 0)
    std::memcpy(watched.before + page * kPage, data, kPage);
  watched.touched[page].store(true, std::memory_order_relaxed);
}

/// Opens the whole area: one mapping again. Threads that write meanwhile wait in the handler.
void PageWatch::keep_rest(Watched& watched) {
  protect_all(watched.area, PROT_READ);
  for (std::size_t page = 0; page < watched.area.bytes / kPage; ++page) {
    if (!watched.touched[page].load(std::memory_order_relaxed)) keep(watched, page);
  }
  protect_all(watched.area, PROT_READ | PROT_WRITE);
}

void PageWatch::join_close_runs(Watched& watched) {
  const std::size_t pages = watched.area.bytes / kPage;
  const auto touched = [&watched](std::size_t page) {
    return watched.touched[page].load(std::memory_order_relaxed);
  };
  std::size_t runs = 0;
  for (std::size_t page = 0; page < pages; ++page) {
    if (touched(page) && (page == 0 || !touched(page - 1))) ++runs;
  }
  if (runs <= kManyRuns) return;
  std::size_t last = pages;  // none yet
  for (std::size_t page = 0; page < pages; ++page) {
    if (!touched(page)) continue;
    // What nobody has touched is what it was before.
    if (last != pages && page - last - 1 <= kSmallGap) {
      for (std::size_t between = last + 1; between < page; ++between) keep(watched, between);
    }
    last = page;
  }
}

void PageWatch::on_fault(void* info) {
  auto* address = static_cast<std::byte*>(static_cast<siginfo_t*>(info)->si_addr);
  if (current != nullptr && current->touch(address)) return;
  // Not ours: the access happens again, and is what it would have been without us.
  sigaction(SIGSEGV, &previous, nullptr);
}

bool PageWatch::touch(std::byte* address) {
  for (Watched& watched : watched_) {
    if (address < watched.area.data || address >= watched.area.data + watched.area.bytes) continue;
    const auto page = static_cast<std::size_t>(address - watched.area.data) / kPage;
    std::byte* data = watched.area.data + page * kPage;
    // Threads may touch a page at the same time: only the first one keeps it.
    while (busy_.test_and_set(std::memory_order_acquire)) {
    }
    if (!watched.touched[page].load(std::memory_order_relaxed)) {
      bool open = protect(data, kPage, PROT_READ);
      if (open) {
        keep(watched, page);
        open = protect(data, kPage, PROT_READ | PROT_WRITE);
      }
      if (!open) keep_rest(watched);
    }
    busy_.clear(std::memory_order_release);
    return true;
  }
  return false;
}

std::vector<PageWatch::Run> PageWatch::touched() const {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Watched& watched = watched_[i];
    for (std::size_t page = 0; page < watched.area.bytes / kPage; ++page) {
      if (!watched.touched[page].load(std::memory_order_relaxed)) continue;
      const std::size_t offset = page * kPage;
      if (!runs.empty() && runs.back().area == i &&
          runs.back().offset + runs.back().bytes == offset) {
        runs.back().bytes += kPage;
      } else {
        runs.push_back({i, offset, kPage, watched.before + offset});
      }
    }
  }
  return runs;
}

}  // namespace paws::cuda
