// SPDX-License-Identifier: MIT
// What events say of copies and kernels in several streams: which of them overlap, and which wait.
// Prints the bandwidth of copies between host and device.
#include <cmath>
#include <vector>

#include "check.h"

constexpr int kWords = 1 << 14;
constexpr size_t kBytes = kWords * sizeof(unsigned);
constexpr int kThreads = 256;

__global__ void mix(unsigned* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = data[i];
  for (int round = 0; round < 20; ++round) value = value * 1664525u + 1013904223u;
  data[i] = value;
}

static unsigned mixed(unsigned value) {
  for (int round = 0; round < 20; ++round) value = value * 1664525u + 1013904223u;
  return value;
}

static unsigned *pinned, *result, *first, *second;

/// Milliseconds of work in a stream, or from its begin to the end of another.
struct Watch {
  cudaEvent_t begin, end;
  explicit Watch(cudaStream_t stream) {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin, stream));
  }
  void stop(cudaStream_t stream) { CHECK(cudaEventRecord(end, stream)); }
  float milliseconds() const {
    CHECK(cudaEventSynchronize(end));
    float elapsed = 0;
    CHECK(cudaEventElapsedTime(&elapsed, begin, end));
    return elapsed;
  }
  ~Watch() {
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
  }
};

/// Events have few digits.
static bool equal(double a, double b) { return std::fabs(a - b) <= 1e-4 * std::fabs(b); }

static void launch(unsigned* data, cudaStream_t stream) {
  mix<<<kWords / kThreads, kThreads, 0, stream>>>(data);
}

static void copy_to(unsigned* device, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(device, pinned, kBytes, cudaMemcpyHostToDevice, stream));
}

static void copy_from(const unsigned* device, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(result, device, kBytes, cudaMemcpyDeviceToHost, stream));
}

/// A copy in one stream and a kernel in another: the longer one counts.
static void overlap(cudaStream_t copying, cudaStream_t computing) {
  CHECK(cudaDeviceSynchronize());
  Watch copy(copying);
  Watch kernel(computing);
  copy_to(first, copying);
  copy.stop(copying);
  launch(second, computing);
  kernel.stop(computing);
  CHECK(cudaStreamWaitEvent(computing, copy.end, 0));
  Watch after(computing);
  const double longer = std::fmax(copy.milliseconds(), kernel.milliseconds());
  float all = 0;
  CHECK(cudaEventElapsedTime(&all, copy.begin, after.begin));
  EXPECT(equal(all, longer));
}

/// The same in one stream, or with the default stream: one after the other.
static void in_order(cudaStream_t copying, cudaStream_t computing) {
  CHECK(cudaDeviceSynchronize());
  Watch copy(copying);
  copy_to(first, copying);
  copy.stop(copying);
  Watch kernel(computing);
  launch(first, computing);
  kernel.stop(computing);
  const float both = copy.milliseconds() + kernel.milliseconds();
  float all = 0;
  CHECK(cudaEventElapsedTime(&all, copy.begin, kernel.end));
  EXPECT(equal(all, both));
}

static void both_directions(cudaStream_t in, cudaStream_t out) {
  int engines = 0;
  CHECK(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, 0));
  CHECK(cudaDeviceSynchronize());
  Watch to_device(in);
  Watch to_host(out);
  copy_to(first, in);
  to_device.stop(in);
  copy_from(second, out);
  to_host.stop(out);
  const float one = to_device.milliseconds();
  EXPECT(equal(to_host.milliseconds(), engines == 2 ? one : 2 * one));
}

/// The host waits for a copy of pageable memory; for one of pinned memory it does not.
static void pageable(cudaStream_t copying, cudaStream_t other) {
  std::vector<unsigned> own(kWords, 1);
  for (const bool waits : {false, true}) {
    CHECK(cudaDeviceSynchronize());
    Watch copy(copying);
    CHECK(cudaMemcpyAsync(first, waits ? own.data() : pinned, kBytes, cudaMemcpyDefault, copying));
    copy.stop(copying);
    Watch after(other);
    float before = -1;
    CHECK(cudaEventElapsedTime(&before, copy.begin, after.begin));
    EXPECT(equal(before, waits ? copy.milliseconds() : 0));
  }
}

/// How long the host waits for what `call()` submits behind a kernel, in kernels.
template <typename Call>
static double waited(cudaStream_t computing, cudaStream_t other, Call call) {
  CHECK(cudaDeviceSynchronize());
  Watch kernel(computing);
  launch(second, computing);
  kernel.stop(computing);
  call();
  // Its record comes when the host has submitted it.
  Watch after(other);
  float before = -1;
  CHECK(cudaEventElapsedTime(&before, kernel.begin, after.begin));
  return before / kernel.milliseconds();
}

/// What waits for the stream, though it is called asynchronous, and what does not.
static void host_waits(cudaStream_t computing, cudaStream_t other) {
  unsigned* managed = nullptr;
  CHECK(cudaMallocManaged(&managed, kBytes));
  const auto host_to_host = [&] {
    CHECK(cudaMemcpyAsync(result, pinned, kBytes, cudaMemcpyHostToHost, computing));
  };
  EXPECT(equal(waited(computing, other, host_to_host), 1));
  EXPECT(result[kWords - 1] == pinned[kWords - 1]);
  const auto within_device = [&] {
    CHECK(cudaMemcpy(first, second, kBytes, cudaMemcpyDeviceToDevice));
  };
  EXPECT(waited(nullptr, other, within_device) == 0);
  const auto fill_device = [&] { CHECK(cudaMemset(first, 1, kBytes)); };
  EXPECT(waited(nullptr, other, fill_device) == 0);
  // Memory that the host can access is filled when the call returns.
  const auto fill_managed = [&] { CHECK(cudaMemset(managed, 1, kBytes)); };
  EXPECT(waited(nullptr, other, fill_managed) > 1);
  const auto fill_pinned = [&] { CHECK(cudaMemset(result, 1, kBytes)); };
  EXPECT(waited(nullptr, other, fill_pinned) > 1);
  const auto fill_later = [&] { CHECK(cudaMemsetAsync(managed, 1, kBytes, computing)); };
  EXPECT(waited(computing, other, fill_later) == 0);
  CHECK(cudaFree(managed));
}

/// The host waits for a stream's own work, not for what its next work would wait for.
static void synchronizing(cudaStream_t blocking, cudaStream_t other) {
  const auto kernel_behind = [&] {
    launch(first, nullptr);
    CHECK(cudaStreamSynchronize(blocking));
  };
  EXPECT(equal(waited(blocking, other, kernel_behind), 1));
}

static double gigabytes_per_second(float milliseconds) { return kBytes / (milliseconds * 1e6); }

int main() {
  CHECK(cudaMallocHost(&pinned, kBytes));
  CHECK(cudaMallocHost(&result, kBytes));
  CHECK(cudaMalloc(&first, kBytes));
  CHECK(cudaMalloc(&second, kBytes));
  for (int i = 0; i < kWords; ++i) pinned[i] = i;
  cudaStream_t blocking, free, other;
  CHECK(cudaStreamCreate(&blocking));
  CHECK(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaMemset(second, 0, kBytes));

  overlap(free, other);
  overlap(free, blocking);
  overlap(free, nullptr);
  overlap(blocking, cudaStreamPerThread);
  in_order(free, free);
  in_order(blocking, nullptr);
  in_order(nullptr, blocking);
  in_order(cudaStreamPerThread, nullptr);
  both_directions(free, other);
  pageable(free, other);
  host_waits(free, other);
  synchronizing(blocking, other);

  // Work is done when it is asked for.
  launch(second, free);
  EXPECT(cudaStreamQuery(free) == cudaSuccess);

  Watch in(blocking);
  copy_to(first, blocking);
  in.stop(blocking);
  launch(first, blocking);
  Watch out(blocking);
  copy_from(first, blocking);
  out.stop(blocking);
  CHECK(cudaStreamSynchronize(blocking));
  for (int i = 0; i < kWords; ++i) EXPECT(result[i] == mixed(i));
  std::printf("%.2f GB/s to the device, %.2f GB/s to the host\n",
              gigabytes_per_second(in.milliseconds()), gigabytes_per_second(out.milliseconds()));
  for (cudaStream_t stream : {blocking, free, other}) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFreeHost(result));
  CHECK(cudaFree(first));
  CHECK(cudaFree(second));
  return 0;
}
