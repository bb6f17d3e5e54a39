// SPDX-License-Identifier: MIT
// What stream 0 is: one for all threads of the host, or one for each (nvcc's `--default-stream
// per-thread`). Two threads copy and compute in their default streams; the program says whether
// that overlaps.
#include <cmath>
#include <cstring>
#include <thread>

#include "check.h"

constexpr int kWords = 1 << 14;
constexpr size_t kBytes = kWords * sizeof(unsigned);
constexpr int kThreads = 256;

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
constexpr bool kOnePerThread = true;
#else
constexpr bool kOnePerThread = false;
#endif

__device__ unsigned offset;

__global__ void mix(unsigned* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = data[i] + offset;
  for (int round = 0; round < 20; ++round) value = value * 1664525u + 1013904223u;
  data[i] = value;
}

static unsigned mixed(unsigned value) {
  for (int round = 0; round < 20; ++round) value = value * 1664525u + 1013904223u;
  return value;
}

static unsigned *pinned, *first, *second;

/// Work between two events of a stream.
struct Watch {
  cudaEvent_t begin, end;
  Watch() {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  ~Watch() {
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
  }
};

static float between(cudaEvent_t begin, cudaEvent_t end) {
  float elapsed = 0;
  CHECK(cudaEventElapsedTime(&elapsed, begin, end));
  return elapsed;
}

/// Events have few digits.
static bool equal(double a, double b) { return std::fabs(a - b) <= 1e-4 * std::fabs(b) + 1e-9; }

static void copy_in(Watch& watch, cudaStream_t stream) {
  CHECK(cudaEventRecord(watch.begin, stream));
  CHECK(cudaMemcpyAsync(first, pinned, kBytes, cudaMemcpyHostToDevice, stream));
  CHECK(cudaEventRecord(watch.end, stream));
}

static void compute_in(Watch& watch, cudaStream_t stream) {
  CHECK(cudaEventRecord(watch.begin, stream));
  mix<<<kWords / kThreads, kThreads, 0, stream>>>(second);
  CHECK(cudaEventRecord(watch.end, stream));
}

/// How long a copy in one stream and then a kernel in another take, which another thread launches.
/// True: they overlap. Else they must run one after the other.
static bool overlap(cudaStream_t copying, cudaStream_t computing) {
  CHECK(cudaDeviceSynchronize());
  Watch copy, kernel;
  copy_in(copy, copying);
  std::thread([&] { compute_in(kernel, computing); }).join();
  const float one = between(copy.begin, copy.end);
  const float other = between(kernel.begin, kernel.end);
  EXPECT(one > 0 && other > 0);
  const double all = between(copy.begin, kernel.end);
  if (equal(all, one + other)) return false;
  EXPECT(equal(all, other));
  return true;
}

/// Each kind of call without a stream takes its turn in stream 0: it waits for a kernel in that of
/// another thread only if they are one.
static void calls_without_a_stream() {
  static unsigned* const own = pinned + kWords;
  const struct {
    const char* name;
    cudaError_t (*call)();
  } calls[] = {
      {"cudaMemcpy", [] { return cudaMemcpy(first, own, kBytes, cudaMemcpyHostToDevice); }},
      {"cudaMemcpy2D",
       [] { return cudaMemcpy2D(first, 64, own, 64, 64, kBytes / 64, cudaMemcpyHostToDevice); }},
      {"cudaMemset", [] { return cudaMemset(first, 0, kBytes); }},
      {"cudaMemset2D", [] { return cudaMemset2D(first, 64, 0, 64, kBytes / 64); }},
      {"cudaMemcpyToSymbol", [] { return cudaMemcpyToSymbol(offset, own, sizeof(offset)); }},
      {"cudaMemcpyFromSymbol", [] { return cudaMemcpyFromSymbol(own, offset, sizeof(offset)); }}};
  for (const auto& each : calls) {
    Watch alone, kernel, after;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(alone.begin));
    CHECK(each.call());
    CHECK(cudaEventRecord(alone.end));
    CHECK(cudaDeviceSynchronize());
    std::thread([&] { compute_in(kernel, 0); }).join();
    CHECK(each.call());
    CHECK(cudaEventRecord(after.end));
    const double one = between(alone.begin, alone.end);
    const double all = between(kernel.begin, after.end);
    // Fills need the engine of the kernel.
    const bool waits = !kOnePerThread || std::strstr(each.name, "set") != nullptr;
    const double expected = waits ? between(kernel.begin, kernel.end) + one : one;
    if (!equal(all, expected)) {
      std::printf("%s: %g ms behind the begin of a kernel, expected %g\n", each.name, all,
                  expected);
      std::exit(1);
    }
  }
}

int main() {
  CHECK(cudaMallocHost(&pinned, 2 * kBytes));
  CHECK(cudaMalloc(&first, kBytes));
  CHECK(cudaMalloc(&second, kBytes));
  for (int i = 0; i < 2 * kWords; ++i) pinned[i] = i % kWords;
  cudaStream_t blocking, free;
  CHECK(cudaStreamCreate(&blocking));
  CHECK(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
  CHECK(cudaMemset(second, 0, kBytes));

  // Streams with a name of their own are what they are, however stream 0 is meant.
  EXPECT(!overlap(cudaStreamLegacy, cudaStreamLegacy));
  EXPECT(!overlap(cudaStreamLegacy, cudaStreamPerThread));
  EXPECT(!overlap(cudaStreamPerThread, cudaStreamLegacy));
  EXPECT(overlap(cudaStreamPerThread, cudaStreamPerThread));
  // A default stream of a thread waits for the legacy one as other blocking streams do.
  EXPECT(!overlap(0, cudaStreamLegacy));
  EXPECT(!overlap(cudaStreamLegacy, 0));
  EXPECT(overlap(0, blocking) == kOnePerThread);
  EXPECT(overlap(blocking, 0) == kOnePerThread);
  EXPECT(overlap(0, free));
  calls_without_a_stream();

  // What one thread does in its own stream runs in order.
  CHECK(cudaMemset(second, 0, sizeof(unsigned)));
  CHECK(cudaMemcpyToSymbol(offset, pinned, sizeof(offset)));
  CHECK(cudaMemcpyAsync(second, pinned, kBytes, cudaMemcpyHostToDevice));
  mix<<<kWords / kThreads, kThreads>>>(second);
  CHECK(cudaMemcpy(pinned, second, kBytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kWords; ++i) EXPECT(pinned[i] == mixed(i));
  std::printf("default streams of two threads %s\n", overlap(0, 0) ? "overlap" : "run in order");
  CHECK(cudaStreamDestroy(blocking));
  CHECK(cudaStreamDestroy(free));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(first));
  CHECK(cudaFree(second));
  return 0;
}
