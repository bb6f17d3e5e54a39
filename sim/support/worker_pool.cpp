// SPDX-License-Identifier: MIT
#include "sim/support/worker_pool.h"

#include <system_error>

namespace paws {
namespace {

constexpr unsigned kSpins = 1000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `value` differs from `old`: first in a loop, then asleep.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (unsigned i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads) {
  try {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // The system gives no more: fewer do the same, later.
  }
}

WorkerPool::~WorkerPool() {
  stop_.store(true, std::memory_order_release);
  published_.fetch_add(1, std::memory_order_seq_cst);
  published_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::run(unsigned count, const std::function<void(unsigned)>& task) {
  failure_ = nullptr;
  task_ = &task;
  if (workers_.empty() || count <= 1) {
    for (unsigned i = 0; i < count; ++i) perform(i);
  } else {
    count_ = count;
    done_.store(0, std::memory_order_relaxed);
    const std::uint32_t run = published_.load(std::memory_order_relaxed) + 1;
    ticket_.store({run, 0, static_cast<std::uint16_t>(count)}, std::memory_order_release);
    // Sequentially consistent: the notification that follows looks whether anyone sleeps, and must
    // not look before the new number can be seen, or a worker about to sleep is overlooked.
    published_.store(run, std::memory_order_seq_cst);
    published_.notify_all();
    take_tasks(run, Side::first);
    for (std::uint32_t done = done_.load(std::memory_order_acquire); done != count;
         done = done_.load(std::memory_order_acquire)) {
      wait_for_change(done_, done);
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

void WorkerPool::work() {
  std::uint32_t seen = 0;
  for (;;) {
    wait_for_change(published_, seen);
    // In this order: stop_ is set before the last number is published, so a thread that sees that
    // number sees stop_ too. The other way round a late worker could take the last number for a
    // run, find no task in it, and sleep for ever.
    seen = published_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_acquire)) return;
    take_tasks(seen, Side::last);
  }
}

void WorkerPool::take_tasks(std::uint32_t run, Side side) {
  Ticket ticket = ticket_.load(std::memory_order_acquire);
  while (ticket.run == run && ticket.first < ticket.end) {
    Ticket left = ticket;
    const unsigned task = side == Side::first ? left.first++ : --left.end;
    if (!ticket_.compare_exchange_weak(ticket, left, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
      continue;
    }
    perform(task);
    // The last one to finish wakes the caller.
    const std::uint32_t count = count_;
    if (done_.fetch_add(1, std::memory_order_seq_cst) + 1 == count) done_.notify_one();
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void WorkerPool::perform(unsigned task) {
  try {
    (*task_)(task);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_ || task < failed_task_) {
      failed_task_ = task;
      failure_ = std::current_exception();
    }
  }
}

}  // namespace paws
