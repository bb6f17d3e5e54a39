// SPDX-License-Identifier: MIT
// Host threads that share out small tasks many thousand times a second.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace paws {

/// run() is called by one thread, which takes part: it takes the first task that is left, the
/// workers take the last one, so that of two threads each mostly meets the tasks that it had in the
/// run before, and their data in its cache. A worker without work spins for some tens of
/// microseconds, longer than the usual pause between two runs, and then sleeps.
class WorkerPool {
 public:
  /// `threads` in all, the caller's among them; at least 1.
  explicit WorkerPool(unsigned threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Calls task(0) ... task(count - 1), each once, by whichever thread is free; returns when all
  /// have returned. Throws what the task with the lowest number that failed has thrown. At most
  /// 65535 tasks.
  void run(unsigned count, const std::function<void(unsigned)>& task);

 private:
  enum class Side { first, last };

  /// Run number and the tasks that are left in one word, so that a worker that comes late takes
  /// nothing.
  struct Ticket {
    std::uint32_t run = 0;
    std::uint16_t first = 0, end = 0;
  };

  void work();
  void take_tasks(std::uint32_t run, Side side);
  void perform(unsigned task);

  std::atomic<Ticket> ticket_{};
  std::atomic<std::uint32_t> published_ = 0;  ///< number of the latest run; workers sleep on it
  std::atomic<std::uint32_t> done_ = 0;       ///< tasks of this run that have returned
  std::atomic<bool> stop_ = false;
  const std::function<void(unsigned)>* task_ = nullptr;
  std::uint32_t count_ = 0;  ///< tasks of this run
  std::mutex failure_mutex_;
  unsigned failed_task_ = 0;
  std::exception_ptr failure_;
  std::vector<std::thread> workers_;
};

}  // namespace paws
