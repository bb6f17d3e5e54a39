// SPDX-License-Identifier: MIT
// Which pages of memory are touched, and what was in them before.
//
// The pages are made inaccessible; the first access to each is a segmentation fault whose handler
// keeps the page's contents and lets the access go on. So untouched memory costs nothing, however
// much of it there is.
//
// The kernel of the host allows a process so many mappings (vm.max_map_count), and pages that are
// touched one by one make two each. Beyond it, the rest of an area counts as touched.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace paws::cuda {

class PageWatch {
 public:
  static constexpr std::size_t kPage = 4096;

  /// A stretch of whole pages.
  struct Area {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };

  /// Touched pages of one area that follow each other.
  struct Run {
    std::size_t area = 0;
    std::size_t offset = 0;  ///< in bytes
    std::size_t bytes = 0;
    const std::byte* before = nullptr;
  };

  /// Watches from now on until stop(). There can be one watch at a time in a process.
  explicit PageWatch(const std::vector<Area>& areas);
  ~PageWatch();
  PageWatch(const PageWatch&) = delete;
  PageWatch& operator=(const PageWatch&) = delete;

  /// Ends the watch. Where many pages lie apart, those in small gaps between them count as touched:
  /// a run of pages costs more than the pages.
  void stop();

  /// After stop(): what has been touched.
  [[nodiscard]] std::vector<Run> touched() const;

 private:
  struct Watched {
    Area area;
    std::byte* before = nullptr;                   ///< as large as the area
    std::unique_ptr<std::atomic<bool>[]> touched;  ///< by page
  };

  static void on_fault(void* info);
  bool touch(std::byte* address);
  static void keep(Watched& watched, std::size_t page);
  static void keep_rest(Watched& watched);
  static void join_close_runs(Watched& watched);

  std::vector<Watched> watched_;
  bool on_ = true;
  std::atomic_flag busy_;
};

}  // namespace paws::cuda
