// SPDX-License-Identifier: MIT
#include "sim/cuda/page_watch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <thread>
#include <vector>

namespace paws::cuda {
namespace {

constexpr std::size_t kPage = PageWatch::kPage;

std::byte* pages(std::size_t count) {
  void* got =
      mmap(nullptr, count * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return static_cast<std::byte*>(got);
}

TEST(PageWatch, FindsReadAndWrittenPages) {
  std::byte* first = pages(8);
  std::byte* second = pages(2);
  first[3 * kPage] = std::byte{1};
  PageWatch watch({{first, 8 * kPage}, {second, 2 * kPage}});
  first[3 * kPage + 7] = std::byte{9};
  first[4 * kPage] = std::byte{2};
  const std::byte read = static_cast<volatile std::byte*>(first)[6 * kPage];
  EXPECT_EQ(read, std::byte{0});
  watch.stop();
  first[0] = std::byte{5};  // not watched any more

  const std::vector<PageWatch::Run> runs = watch.touched();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].area, 0U);
  EXPECT_EQ(runs[0].offset, 3 * kPage);
  EXPECT_EQ(runs[0].bytes, 2 * kPage);
  EXPECT_EQ(runs[0].before[0], std::byte{1});
  EXPECT_EQ(runs[0].before[7], std::byte{0});
  EXPECT_EQ(runs[1].offset, 6 * kPage);
  EXPECT_EQ(runs[1].bytes, kPage);
  EXPECT_EQ(first[3 * kPage + 7], std::byte{9});
}

TEST(PageWatch, MorePagesThanTheHostHasMappings) {
  // Every other page: two mappings each, and a host allows 65530. The first and the last page
  // become one mapping with their neighbours.
  constexpr std::size_t kCount = 160'001;
  std::byte* data = pages(kCount + 2) + kPage;
  for (std::size_t page = 0; page < kCount; page += 1000) data[page * kPage] = std::byte{7};
  PageWatch watch({{data, kCount * kPage}});
  data[(kCount - 1) * kPage + 1] = std::byte{3};
  for (std::size_t page = 0; page < kCount; page += 2) data[page * kPage + 1] = std::byte{3};
  watch.stop();
  const std::vector<PageWatch::Run> runs = watch.touched();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].bytes, kCount * kPage);
  for (std::size_t page = 0; page + 1 < kCount; page += 500) {
    EXPECT_EQ(runs[0].before[page * kPage], page % 1000 == 0 ? std::byte{7} : std::byte{0}) << page;
    EXPECT_EQ(runs[0].before[page * kPage + 1], std::byte{0}) << page;
    EXPECT_EQ(data[page * kPage + 1], std::byte{3}) << page;
  }
}

TEST(PageWatch, ManyPagesCloseToEachOtherAreOneRun) {
  constexpr std::size_t kCount = 1000;
  std::byte* data = pages(kCount);
  data[5 * kPage] = std::byte{9};
  PageWatch watch({{data, kCount * kPage}});
  for (std::size_t page = 0; page < 700; page += 7) data[page * kPage] = std::byte{3};
  data[900 * kPage] = std::byte{4};
  watch.stop();
  const std::vector<PageWatch::Run> runs = watch.touched();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].bytes, (693 + 1) * kPage);
  EXPECT_EQ(runs[0].before[5 * kPage], std::byte{9});
  EXPECT_EQ(runs[1].offset, 900 * kPage);
}

TEST(PageWatch, ThreadsOnOnePage) {
  std::byte* data = pages(64);
  for (std::size_t page = 0; page < 64; ++page) data[page * kPage] = std::byte{7};
  PageWatch watch({{data, 64 * kPage}});
  std::vector<std::thread> threads;
  for (std::size_t thread = 1; thread <= 4; ++thread) {
    threads.emplace_back([data, thread] {
      for (std::size_t page = 0; page < 64; ++page) data[page * kPage + thread] = std::byte{3};
    });
  }
  for (std::thread& thread : threads) thread.join();
  watch.stop();
  const std::vector<PageWatch::Run> runs = watch.touched();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].bytes, 64 * kPage);
  for (std::size_t page = 0; page < 64; ++page) {
    EXPECT_EQ(runs[0].before[page * kPage], std::byte{7});
    EXPECT_EQ(runs[0].before[page * kPage + 1], std::byte{0});
    EXPECT_EQ(data[page * kPage + 4], std::byte{3});
  }
}

}  // namespace
}  // namespace paws::cuda
