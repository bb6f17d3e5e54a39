// SPDX-License-Identifier: MIT
// Tiles smaller than a warp: the lanes of each vote and compare among themselves, whichever tile
// the warp's first lane is in. Sums and scans of tiles, and of threads that run together. Groups
// that are divided further, and what one thread does for all. Copies by a group in all directions.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <utility>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

constexpr unsigned kThreads = 96;
constexpr unsigned kTile = 8;

struct Answers {
  int any, all, rank, tiles, inner_rank, inner_tiles, outer_rank, outer_tiles;
  unsigned ballot, match;
};

__global__ void ask(Answers* answers) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kTile>(block);
  const auto half = cg::tiled_partition<16>(block);
  const auto quarter = cg::tiled_partition<4>(half);
  const unsigned thread = threadIdx.x;
  Answers& mine = answers[thread];
  mine.any = tile.any(thread == 17);
  mine.all = tile.all(thread < 12);
  mine.ballot = tile.ballot(thread % 3 == 0);
  mine.match = tile.match_any(thread / 2);
  mine.rank = tile.meta_group_rank();
  mine.tiles = tile.meta_group_size();
  mine.inner_rank = quarter.meta_group_rank();
  mine.inner_tiles = quarter.meta_group_size();
  mine.outer_rank = half.meta_group_rank();
  mine.outer_tiles = half.meta_group_size();
}

struct Sums {
  int total, before, up_to, together, together_up_to, rank, size;
  unsigned together_match, bits, agree, differ;
};

/// The type does not say what the tile was made of.
__device__ int total(const cg::thread_block_tile<4> tile, int value) {
  for (unsigned step = tile.size() / 2; step != 0; step /= 2) value += tile.shfl_down(value, step);
  return tile.shfl(value, 0) * 100 + tile.meta_group_rank() * 10 + tile.meta_group_size();
}

__global__ void add(Sums* sums) {
  const cg::thread_block block = cg::this_thread_block();
  const auto half = cg::tiled_partition<16>(block);
  const auto quarter = cg::tiled_partition<4>(half);
  const auto tile = cg::tiled_partition<kTile>(block);
  const int thread = threadIdx.x;
  Sums& mine = sums[thread];
  mine.total = total(quarter, thread);
  mine.before = cg::exclusive_scan(tile, thread);
  mine.up_to = cg::inclusive_scan(tile, thread);
  mine.bits = cg::reduce(tile, 1u << thread % kTile, cg::bit_or<unsigned>()) ^
              cg::reduce(tile, 1u << thread % kTile, cg::bit_xor<unsigned>()) ^
              cg::reduce(tile, 7u << thread % 2, cg::bit_and<unsigned>());
  mine.rank = cg::thread_rank(tile);
  mine.size = cg::group_size(tile);
  int agrees = 0;
  mine.agree = half.match_all(thread / 16, agrees) << 1 | (agrees != 0);
  mine.differ = half.match_all(thread / 2, agrees) << 1 | (agrees != 0);
  if (thread % 3 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    mine.together = cg::reduce(group, thread, cg::plus<int>());
    mine.together_up_to = cg::inclusive_scan(group, thread);
    mine.together_match = group.match_any(thread / 6);
  }
}

static void check_sums() {
  Sums* sums = nullptr;
  CHECK(cudaMallocManaged(&sums, kThreads * sizeof(Sums)));
  add<<<1, kThreads>>>(sums);
  CHECK(cudaDeviceSynchronize());
  for (int thread = 0; thread < static_cast<int>(kThreads); ++thread) {
    const Sums& mine = sums[thread];
    EXPECT(mine.total == (thread / 4 * 16 + 6) * 100 + thread % 16 / 4 * 10 + 4);
    int before = 0;
    for (int other = thread / 8 * 8; other < thread; ++other) before += other;
    EXPECT(mine.before == before);
    EXPECT(mine.up_to == before + thread);
    EXPECT(mine.bits == 6);
    EXPECT(mine.rank == thread % 8 && mine.size == 8);
    EXPECT(mine.agree == 0x1ffff);
    EXPECT(mine.differ == 0);
    if (thread % 3 != 0) continue;
    int together = 0, up_to = 0, rank = 0;
    unsigned match = 0;
    for (int other = thread / 32 * 32; other < thread / 32 * 32 + 32; ++other) {
      if (other % 3 != 0) continue;
      together += other;
      if (other <= thread) up_to += other;
      if (other / 6 == thread / 6) match |= 1u << rank;
      ++rank;
    }
    EXPECT(mine.together == together);
    EXPECT(mine.together_up_to == up_to);
    EXPECT(mine.together_match == match);
  }
  CHECK(cudaFree(sums));
}

/// Where a thread stands in a group.
struct Place {
  unsigned rank, size, part, parts;
};

template <typename Group>
__device__ Place place_in(const Group& group) {
  return {static_cast<unsigned>(group.thread_rank()), static_cast<unsigned>(group.size()),
          group.meta_group_rank(), group.meta_group_size()};
}

__device__ Place place_in_any(const cg::thread_group& group) {
  return {static_cast<unsigned>(group.thread_rank()), static_cast<unsigned>(group.size()), 0, 0};
}

struct Parts {
  Place by_condition, undivided, by_label, by_wide_label, by_pointer, by_flag;
  Place together, fours, sevens, tile, tile_of_tile, in_block, alone;
  int sum, sum_of_four;
  unsigned speaker;
  double from_last;
  Place at_last;
};

/// In blocks of any size: the last tile may be smaller.
__global__ void divide(Parts* parts, unsigned* calls) {
  const cg::thread_block block = cg::this_thread_block();
  const auto half = cg::tiled_partition<16>(block);
  const unsigned thread = threadIdx.x;
  Parts& mine = parts[thread];
  const cg::coalesced_group fifths = cg::binary_partition(half, thread % 5 == 0);
  mine.by_condition = place_in(fifths);
  mine.sum = cg::reduce(fifths, static_cast<int>(thread), cg::plus<int>());
  mine.undivided = place_in(cg::binary_partition(half, thread < 16));
  mine.by_label = place_in(cg::labeled_partition(half, static_cast<int>(thread % 3) - 1));
  mine.by_wide_label =
      place_in(cg::labeled_partition(half, static_cast<long long>(thread % 4) << 32));
  mine.by_pointer = place_in(cg::labeled_partition(half, &calls[thread % 2]));
  mine.by_flag = place_in(cg::labeled_partition(half, thread % 4 == 0));
  mine.in_block = place_in_any(block);
  mine.alone = place_in(cg::this_thread());
  if (thread % 3 != 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    mine.together = place_in(group);
    const cg::coalesced_group four = cg::tiled_partition(group, 4);
    mine.fours = place_in(four);
    mine.sum_of_four = cg::reduce(four, static_cast<int>(thread), cg::plus<int>());
    const cg::coalesced_group seven = cg::labeled_partition(group, thread / 7);
    mine.sevens = place_in(seven);
    cg::invoke_one(seven, [=](unsigned step) { atomicAdd(calls, step); }, 2u);
    mine.speaker = cg::invoke_one_broadcast(seven, [=] { return thread; });
    mine.from_last = seven.shfl(thread + 0.5, seven.size() - 1);
    mine.at_last = seven.shfl(mine.sevens, seven.size() - 1);
  }
  const cg::thread_group eight = cg::tiled_partition(block, 8);
  mine.tile = place_in_any(eight);
  eight.sync();
  const cg::thread_group two = cg::tiled_partition(eight, 2);
  mine.tile_of_tile = place_in_any(two);
  cg::sync(two);
  cg::invoke_one(block, [=] { ++calls[1]; });
}

/// Of the threads for which `same` says that they are in the group of `thread`, in [begin, end).
template <typename Same>
static Place expected_place(unsigned begin, unsigned end, unsigned thread, Same same) {
  Place place = {0, 0, 0, 0};
  for (unsigned other = begin; other < end; ++other) {
    if (!same(other)) continue;
    place.rank += other < thread;
    ++place.size;
  }
  return place;
}

static bool equal(const Place& a, const Place& b) {
  return a.rank == b.rank && a.size == b.size && a.part == b.part && a.parts == b.parts;
}

/// The order of the groups of a label, by their first threads.
static Place labeled(unsigned begin, unsigned end, unsigned thread, unsigned (*label)(unsigned)) {
  Place place = expected_place(begin, end, thread,
                               [=](unsigned other) { return label(other) == label(thread); });
  for (unsigned other = begin; other < end; ++other) {
    const Place first = expected_place(begin, end, other,
                                       [=](unsigned each) { return label(each) == label(other); });
    if (first.rank != 0) continue;
    if (label(other) == label(thread)) place.part = place.parts;
    ++place.parts;
  }
  return place;
}

static unsigned third(unsigned thread) { return thread % 3; }
static unsigned fourth(unsigned thread) { return thread % 4; }
static unsigned parity(unsigned thread) { return thread % 2; }

static void check_parts(unsigned threads) {
  Parts* parts = nullptr;
  unsigned* calls = nullptr;
  CHECK(cudaMallocManaged(&parts, threads * sizeof(Parts)));
  CHECK(cudaMallocManaged(&calls, 2 * sizeof(unsigned)));
  calls[0] = calls[1] = 0;
  divide<<<1, threads>>>(parts, calls);
  CHECK(cudaDeviceSynchronize());
  unsigned sevens = 0;
  for (unsigned thread = 0; thread < threads; ++thread) {
    const Parts& mine = parts[thread];
    const unsigned begin = thread / 16 * 16, end = begin + 16;
    Place fifths = expected_place(
        begin, end, thread, [=](unsigned other) { return (other % 5 == 0) == (thread % 5 == 0); });
    fifths.part = thread % 5 == 0;
    fifths.parts = 2;
    EXPECT(equal(mine.by_condition, fifths));
    int sum = 0;
    for (unsigned other = begin; other < end; ++other) {
      if ((other % 5 == 0) == (thread % 5 == 0)) sum += other;
    }
    EXPECT(mine.sum == sum);
    EXPECT(equal(mine.undivided, {thread % 16, 16, 0, 1}));
    EXPECT(equal(mine.by_label, labeled(begin, end, thread, third)));
    EXPECT(equal(mine.by_wide_label, labeled(begin, end, thread, fourth)));
    EXPECT(equal(mine.by_pointer, labeled(begin, end, thread, parity)));
    Place flag = expected_place(
        begin, end, thread, [=](unsigned other) { return (other % 4 == 0) == (thread % 4 == 0); });
    flag.part = thread % 4 == 0;
    flag.parts = 2;
    EXPECT(equal(mine.by_flag, flag));
    EXPECT(equal(mine.in_block, {thread, threads, 0, 0}));
    EXPECT(equal(mine.alone, {0, 1, 0, 1}));
    const unsigned of_eight = threads - thread / 8 * 8 < 8 ? threads % 8 : 8;
    EXPECT(equal(mine.tile, {thread % 8, of_eight, 0, 0}));
    EXPECT(equal(mine.tile_of_tile, {thread % 2, 2, 0, 0}));
    if (thread % 3 == 1) continue;
    const unsigned warp = thread / 32 * 32;
    const unsigned warp_end = warp + 32 < threads ? warp + 32 : threads;
    Place together =
        expected_place(warp, warp_end, thread, [](unsigned other) { return other % 3 != 1; });
    together.parts = 1;
    EXPECT(equal(mine.together, together));
    const unsigned four = together.rank / 4;
    Place fours = {together.rank % 4, 4, four, (together.size + 3) / 4};
    if (four == together.size / 4) fours.size = together.size % 4;
    EXPECT(equal(mine.fours, fours));
    int sum_of_four = 0;
    unsigned rank = 0, last = thread;
    for (unsigned other = warp; other < warp_end; ++other) {
      if (other % 3 == 1) continue;
      if (rank++ / 4 == four) sum_of_four += other;
      if (other / 7 == thread / 7) last = other;
    }
    EXPECT(mine.sum_of_four == sum_of_four);
    Place seven = expected_place(warp, warp_end, thread, [=](unsigned other) {
      return other % 3 != 1 && other / 7 == thread / 7;
    });
    // The first lanes of a warp may be of the label that the last ones of the warp before have.
    const unsigned first_label = (warp % 3 == 1 ? warp + 1 : warp) / 7;
    const unsigned last_label = (warp_end % 3 == 2 ? warp_end - 2 : warp_end - 1) / 7;
    seven.part = thread / 7 - first_label;
    seven.parts = last_label - first_label + 1;
    EXPECT(equal(mine.sevens, seven));
    sevens += seven.rank == 0;
    const unsigned speaker = mine.speaker;
    EXPECT(speaker / 7 == thread / 7 && speaker / 32 == thread / 32 && speaker % 3 != 1);
    EXPECT(mine.from_last == last + 0.5);
    Place at_last = seven;
    at_last.rank = seven.size - 1;
    EXPECT(equal(mine.at_last, at_last));
  }
  EXPECT(calls[0] == 2 * sevens && calls[1] == 1);
  CHECK(cudaFree(parts));
  CHECK(cudaFree(calls));
}

/// Barriers in two halves.
__global__ void add_neighbours(const unsigned* in, unsigned* between, unsigned* out) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned thread = grid.thread_index().x;
  const unsigned threads = grid.dim_threads().x;
  between[thread] = in[thread] + cg::thread_rank(grid);
  auto token = grid.barrier_arrive();
  const unsigned next = (thread + blockDim.x) % threads;
  grid.barrier_wait(std::move(token));
  out[thread] = between[next];
  grid.sync();
  between[thread] = out[next];
  const cg::thread_block block = cg::this_thread_block();
  auto here = block.barrier_arrive();
  block.barrier_wait(std::move(here));
}

static void check_grid() {
  constexpr unsigned kBlocks = 4, kAll = kBlocks * kThreads;
  unsigned* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, 3 * kAll * sizeof(unsigned)));
  unsigned *in = memory, *between = in + kAll, *out = between + kAll;
  for (unsigned i = 0; i < kAll; ++i) in[i] = 1000 * i;
  void* arguments[] = {&in, &between, &out};
  CHECK(cudaLaunchCooperativeKernel(add_neighbours, kBlocks, kThreads, arguments));
  CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < kAll; ++i) {
    EXPECT(out[i] == (i + kThreads) % kAll * 1001);
    EXPECT(between[i] == (i + 2 * kThreads) % kAll * 1001);
  }
  CHECK(cudaFree(memory));
}

__global__ void in_grid(int* valid) { *valid = cg::this_grid().is_valid(); }

constexpr int kCarried = 1040;
__constant__ int numbers[50];

/// From global to global, to shared, within shared, and to global memory.
__global__ void carry(const char* from, char* between, char* to, int offset, int bytes) {
  __shared__ __align__(16) char first[kCarried];
  __shared__ __align__(16) char second[kCarried];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, between + offset, from + offset, bytes);
  cg::wait(block);
  cg::memcpy_async(block, first + offset, between + offset, bytes);
  cg::wait(block);
  cg::memcpy_async(block, second + offset, first + offset, bytes);
  cg::wait(block);
  cg::memcpy_async(block, to + offset, second + offset, bytes);
  cg::wait(block);
}

/// By elements: from constant memory to shared memory, and from there by a tile.
__global__ void carry_numbers(int* to) {
  __shared__ int some[40];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, some, 40, numbers, 50);
  cg::wait(block);
  const auto tile = cg::tiled_partition<kTile>(block);
  if (threadIdx.x < kTile) cg::memcpy_async(tile, to, 50, some, 39);
  cg::wait(tile);
}

static void check_copies() {
  char* memory = nullptr;
  int* copied = nullptr;
  CHECK(cudaMallocManaged(&memory, 3 * kCarried));
  CHECK(cudaMallocManaged(&copied, sizeof(numbers)));
  char *from = memory, *between = from + kCarried, *to = between + kCarried;
  for (int i = 0; i < kCarried; ++i) from[i] = static_cast<char>(i * 37 % 127 + 1);
  // By pieces of 16, 8 and 4 bytes, and by single ones.
  const int cases[][2] = {{0, 1024}, {8, 1016}, {4, 516}, {3, 77}};
  for (const auto& each : cases) {
    const int offset = each[0], bytes = each[1];
    CHECK(cudaMemset(between, 0, 2 * kCarried));
    carry<<<1, kThreads>>>(from, between, to, offset, bytes);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < kCarried; ++i) {
      EXPECT(to[i] == (i >= offset && i < offset + bytes ? from[i] : 0));
    }
  }
  int values[50];
  for (int i = 0; i < 50; ++i) values[i] = 1000003 * (i + 1);
  CHECK(cudaMemcpyToSymbol(numbers, values, sizeof(values)));
  CHECK(cudaMemset(copied, 0, sizeof(values)));
  carry_numbers<<<1, kThreads>>>(copied);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 50; ++i) EXPECT(copied[i] == (i < 39 ? values[i] : 0));
  CHECK(cudaFree(memory));
  CHECK(cudaFree(copied));
}

int main() {
  Answers* answers = nullptr;
  CHECK(cudaMallocManaged(&answers, kThreads * sizeof(Answers)));
  ask<<<1, kThreads>>>(answers);
  CHECK(cudaDeviceSynchronize());
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const unsigned first = thread / kTile * kTile;
    unsigned thirds = 0;
    for (unsigned lane = 0; lane < kTile; ++lane) thirds |= ((first + lane) % 3 == 0) << lane;
    EXPECT((answers[thread].any != 0) == (first == 16));
    EXPECT((answers[thread].all != 0) == (first == 0));
    EXPECT(answers[thread].ballot == thirds);
    EXPECT(answers[thread].match == 3u << (thread - first) / 2 * 2);
    EXPECT(answers[thread].rank == static_cast<int>(thread / kTile));
    EXPECT(answers[thread].tiles == kThreads / kTile);
    EXPECT(answers[thread].inner_rank == static_cast<int>(thread % 16 / 4));
    EXPECT(answers[thread].inner_tiles == 4);
    EXPECT(answers[thread].outer_rank == static_cast<int>(thread / 16));
    EXPECT(answers[thread].outer_tiles == kThreads / 16);
  }
  int* valid = nullptr;
  CHECK(cudaMallocManaged(&valid, sizeof(int)));
  *valid = 2;
#ifdef __clang__
  // Kernels of nvcc find the barrier of a grid in every launch.
  in_grid<<<1, 1>>>(valid);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*valid == 0);
#endif
  void* arguments[] = {&valid};
  CHECK(cudaLaunchCooperativeKernel(in_grid, 1, 1, arguments));
  CHECK(cudaDeviceSynchronize());
  EXPECT(*valid == 1);
  CHECK(cudaFree(valid));
  CHECK(cudaFree(answers));
  check_sums();
  check_parts(kThreads);
  check_parts(80);
  check_grid();
  check_copies();
  std::printf("all tiles are right\n");
  return 0;
}
