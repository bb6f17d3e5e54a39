// SPDX-License-Identifier: MIT
// Measures a GPU, a card or a simulated one, and writes one row per figure: quantity, x, value,
// unit.
//
//   card [--small] [--csv FILE] [QUANTITY...]
//     --small     lengths for a simulator; without it, for a card
//     --csv FILE  writes there, not to stdout
//     QUANTITY    of those in kQuantities; all if none is given
//
// Rates and times per block or launch are differences of two lengths, so that start-up and end
// cancel. On a card each is measured several times, and the median counts.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "check.h"

constexpr unsigned kThreads = 1024;  // of a block that fills a core, or half of it
constexpr unsigned kLine = 128;      // bytes from element to element of a ring
constexpr unsigned kTexels = 8;      // and of one that is read as a texture, 32 bytes
constexpr unsigned kWarp = 32;
constexpr unsigned kUnrolled = 16;  // loads or chains in a turn of a loop
constexpr double kNever = 1.5;      // no sum of what is read here: all memory holds 0 or addresses
constexpr unsigned kBytes = sizeof(double);

/// A chain of dependent instructions in each thread; the first thread's cycles go to `cycles`.
__global__ void chain(int turns, float factor, long long* cycles, float* sink) {
  float value = factor;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (unsigned k = 0; k < kUnrolled; ++k) value = fmaf(value, factor, factor);
  }
  if (value == static_cast<float>(kNever)) *sink = value;
  const long long end = clock64();
  if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = end - begin;
}

/// Independent chains of multiply-adds in each thread of a block.
__global__ void multiply_add(int turns, float factor, long long* cycles, float* sink) {
  float value[kUnrolled];
  for (unsigned k = 0; k < kUnrolled; ++k) value[k] = factor * static_cast<float>(k);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (unsigned k = 0; k < kUnrolled; ++k) value[k] = fmaf(value[k], factor, factor);
  }
  float sum = 0;
  for (unsigned k = 0; k < kUnrolled; ++k) sum += value[k];
  if (sum == static_cast<float>(kNever)) *sink = sum;
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

/// Reads the `lines` lines of a ring in its order, by all threads, and then follows it from its
/// first element, by one: the loads find what a whole cycle through the ring leaves in the caches.
/// From element to element are `step` lines.
__global__ void chase(const std::uint64_t* ring, unsigned lines, unsigned step, unsigned loads,
                      long long* cycles, double* sink) {
  std::uint64_t sum = 0;
  for (unsigned i = threadIdx.x; i < lines; i += blockDim.x) {
    const std::uint64_t at = static_cast<std::uint64_t>(i) * step % lines;
    sum += ring[at * (kLine / sizeof(*ring))];
  }
  if (sum == 1) *sink = 0;
  __syncthreads();
  if (threadIdx.x != 0) return;
  std::uint64_t at = reinterpret_cast<std::uint64_t>(ring);
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < loads; i += kUnrolled) {
#pragma unroll
    for (unsigned k = 0; k < kUnrolled; ++k) at = *reinterpret_cast<const std::uint64_t*>(at);
  }
  if (at == 1) *sink = 0;
  *cycles = clock64() - begin;
}

/// The same through a texture, which gives the numbers of texels, kTexels from element to element.
__global__ void chase_texture(cudaTextureObject_t ring, unsigned elements, unsigned step,
                              unsigned loads, long long* cycles, double* sink) {
  int sum = 0;
  for (unsigned i = threadIdx.x; i < elements; i += blockDim.x) {
    const std::uint64_t element = static_cast<std::uint64_t>(i) * step % elements;
    sum += tex1Dfetch<int>(ring, static_cast<int>(element * kTexels));
  }
  if (sum == 1) *sink = 0;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int at = 0;
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < loads; i += kUnrolled) {
#pragma unroll
    for (unsigned k = 0; k < kUnrolled; ++k) at = tex1Dfetch<int>(ring, at);
  }
  if (at == 1) *sink = 0;
  *cycles = clock64() - begin;
}

/// A chain of loads from shared memory, each of which yields the next address.
__global__ void chase_shared(unsigned loads, long long* cycles, double* sink) {
  __shared__ unsigned next[kWarp];
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(next));
  next[threadIdx.x] = base + (threadIdx.x + 1) % kWarp * sizeof(unsigned);
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned at = base;
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < loads; i += kUnrolled) {
#pragma unroll
    for (unsigned k = 0; k < kUnrolled; ++k) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  }
  if (at == 1) *sink = 0;
  *cycles = clock64() - begin;
}

/// Loads of warps from a few lines that stay in the L1: `stride` words from lane to lane, beginning
/// `offset` words behind a line. From turn to turn the warp moves by `step` words within `mask`, so
/// that no load can leave the loop.
__global__ void load_l1(const float* in, unsigned stride, unsigned offset, unsigned step,
                        unsigned mask, int turns, long long* cycles, float* sink) {
  const float* lane = in + threadIdx.x % kWarp * stride + offset;
  float sum[kUnrolled] = {};
  unsigned position = 0;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    const float* at = lane + position;
#pragma unroll
    for (unsigned k = 0; k < kUnrolled; ++k) sum[k] += at[k * kWarp];
    position = (position + step) & mask;
  }
  float total = 0;
  for (unsigned k = 0; k < kUnrolled; ++k) total += sum[k];
  if (total == static_cast<float>(kNever)) *sink = total;
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

__device__ double load_past_l1(const double* at) {
  double value;
  asm volatile("ld.global.cg.f64 %0, [%1];" : "=d"(value) : "l"(at));
  return value;
}

/// All blocks read `elements` (a power of two) from the L2 again and again, each from a place of
/// its own on.
__global__ void load_l2(const double* in, unsigned elements, int turns, double* sink) {
  constexpr unsigned kApart =
      9973 * kLine / sizeof(double);  // no block begins where another one does
  unsigned position = (blockIdx.x * kApart + threadIdx.x) & (elements - 1);
  double sum[kUnrolled] = {};
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (unsigned k = 0; k < kUnrolled; ++k)
      sum[k] += load_past_l1(in + ((position + k * blockDim.x) & (elements - 1)));
    position = (position + gridDim.x * blockDim.x * kUnrolled) & (elements - 1);
  }
  double total = 0;
  for (unsigned k = 0; k < kUnrolled; ++k) total += sum[k];
  if (total == kNever) *sink = total;
}

/// One number per thread.
__global__ void stream_read(const double* in, double* sink) {
  const double value = in[static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x];
  if (value == kNever) *sink = value;
}

__global__ void stream_triad(double* out, const double* in, const double* more, double factor) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = in[i] + factor * more[i];
}

__global__ void empty() {}

namespace {

std::FILE* output = stdout;

void row(const char* quantity, const std::string& x, double value, const char* unit) {
  EXPECT(std::fprintf(output, "%s,%s,%.6g,%s\n", quantity, x.c_str(), value, unit) > 0);
  EXPECT(std::fflush(output) == 0);
}

/// Memory of the device.
template <typename T>
class Buffer {
 public:
  explicit Buffer(std::size_t elements) { CHECK(cudaMalloc(&data_, elements * sizeof(T))); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() const { return data_; }
  void copy_from(const std::vector<T>& host) {
    CHECK(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }

 private:
  T* data_ = nullptr;
};

class Card {
 public:
  explicit Card(bool small) : small_(small), cycles_(1), sink_(1) {
    CHECK(cudaGetDeviceProperties(&properties_, 0));
    CHECK(cudaEventCreate(&begin_));
    CHECK(cudaEventCreate(&end_));
    if (!small) {  // a card raises its clock under load
      chain<<<cores(), kThreads>>>(1 << 21, 1.0f, cycles_.data(), any_float());
      CHECK(cudaDeviceSynchronize());
    }
    measure_clock();
  }
  ~Card() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  void device() const {
    std::string name = properties_.name;
    std::replace(name.begin(), name.end(), ',', ' ');
    row("device", name, megahertz_, "MHz");
  }

  void latency() {
    std::vector<unsigned> kilobytes = {8, 64, 1024, 16384, 32768, 65536};
    if (!small_) {
      kilobytes.clear();
      // A quarter of an octave from footprint to footprint.
      for (double each = 4; each < 270000; each *= 1.189207115)
        kilobytes.push_back(static_cast<unsigned>(each));
      for (const unsigned each : {8, 64, 1024, 16384, 32768, 65536}) kilobytes.push_back(each);
      std::sort(kilobytes.begin(), kilobytes.end());
      kilobytes.erase(std::unique(kilobytes.begin(), kilobytes.end()), kilobytes.end());
    }
    for (const unsigned each : kilobytes) latency_of(each);
  }

  void texture_latency() {
    std::vector<unsigned> kilobytes = {4, 8, 12, 13, 16, 64, 512};
    if (!small_) {
      kilobytes.resize(64);  // finely, as far as the texture caches of cards go
      std::iota(kilobytes.begin(), kilobytes.end(), 1);
      for (const unsigned each : {96, 128, 192, 256, 512, 1024}) kilobytes.push_back(each);
    }
    for (const unsigned each : kilobytes) texture_latency_of(each);
  }

  void shared_latency() {
    const unsigned loads = small_ ? 1 << 12 : 1 << 16;
    row("shared_latency", "",
        slope(loads,
              [&](unsigned n) {
                chase_shared<<<1, kWarp>>>(n, cycles_.data(), sink_.data());
                return clocks();
              }),
        "cycles");
  }

  void l1_read() {
    row("l1_read", "", kWarp * sizeof(float) / cycles_of_load(1, 0), "bytes per cycle and core");
  }

  void l1_stride() {
    std::vector<unsigned> strides = {1, 2, 3, 8, 9, 16, 17, 32, 33};
    if (!small_) {
      strides.resize(33);
      std::iota(strides.begin(), strides.end(), 1);
    }
    for (const unsigned stride : strides)
      row("l1_stride", std::to_string(stride), cycles_of_load(stride, 0),
          "cycles per load of a warp");
  }

  void l1_misaligned() {
    row("l1_misaligned", "1", cycles_of_load(1, 1), "cycles per load of a warp");
  }

  void fma() {
    const unsigned turns = small_ ? 256 : 1 << 14;
    const double cycles = slope(turns, [&](unsigned n) {
      multiply_add<<<1, kThreads>>>(static_cast<int>(n), 1.0f, cycles_.data(), any_float());
      return clocks();
    });
    row("fma", "", kThreads * kUnrolled / cycles, "results per cycle and core");
  }

  void l2_read() {
    constexpr unsigned kElements = 1 << 19;
    Buffer<double> in(kElements);
    CHECK(cudaMemset(in.data(), 0, kElements * sizeof(double)));
    const unsigned blocks = cores() * (properties_.maxThreadsPerMultiProcessor / kThreads);
    const auto time = [&](unsigned turns) {
      return microseconds([&] {
        load_l2<<<blocks, kThreads>>>(in.data(), kElements, static_cast<int>(turns), sink_.data());
      });
    };
    time(1);  // fills the L2
    const double each = slope(small_ ? 2 : 2000, time) * megahertz_;
    row("l2_read", "4096", 1.0 * blocks * kThreads * kUnrolled * kBytes / each, "bytes per cycle");
  }

  void dram_read() {
    Streams streams(*this);
    for (const unsigned threads : block_sizes()) {
      const unsigned bytes =
          memory_for_two_blocks(reinterpret_cast<const void*>(stream_read), threads);
      const auto time = [&](unsigned waves) {
        const unsigned blocks = 2 * cores() * waves;
        const double* at = streams.next(static_cast<std::size_t>(blocks) * threads);
        return microseconds([&] { stream_read<<<blocks, threads, bytes>>>(at, sink_.data()); });
      };
      const double wave = slope(waves_of(threads), time);
      row("dram_read", std::to_string(threads), 2e-3 * cores() * threads * kBytes / wave, "GB/s");
    }
  }

  /// The L2 holds as many written lines as in the middle of a long triad: one goes through it
  /// before.
  void dram_triad() {
    Streams streams(*this);
    const auto run = [&](unsigned blocks, unsigned threads, unsigned shared) {
      const std::size_t elements = static_cast<std::size_t>(blocks) * threads;
      double* out = streams.next(elements);
      const double* in = streams.next(elements);
      const double* more = streams.next(elements);
      return microseconds([&] { stream_triad<<<blocks, threads, shared>>>(out, in, more, 0.0); });
    };
    run(static_cast<unsigned>(l2_bytes() / (2 * kThreads * kBytes)), kThreads, 0);
    for (const unsigned threads : block_sizes()) {
      const unsigned bytes =
          memory_for_two_blocks(reinterpret_cast<const void*>(stream_triad), threads);
      const double wave = slope(waves_of(threads), [&](unsigned waves) {
        return run(2 * cores() * waves, threads, bytes);
      });
      row("dram_triad", std::to_string(threads), 6e-3 * cores() * threads * kBytes / wave, "GB/s");
    }
  }

  void empty_blocks() {
    constexpr unsigned kBlock = 256;
    const double each = slope(cores() * (small_ ? 64u : 4096u), [&](unsigned blocks) {
      return microseconds([&] { empty<<<blocks, kBlock>>>(); });
    });
    row("empty_blocks", std::to_string(kBlock), each * megahertz_, "cycles per block");
  }

  /// Launches of one block per core that follow one another. The host submits them while the first
  /// kernel runs.
  void launch() {
    const int turns = small_ ? 32 : 1 << 17;
    const double each = slope(small_ ? 4 : 100, [&](unsigned launches) {
      chain<<<1, 1>>>(turns, 1.0f, cycles_.data(), any_float());
      return microseconds([&] {
        for (unsigned i = 0; i < launches; ++i) empty<<<cores(), kWarp>>>();
      });
    });
    row("launch", "", each * megahertz_, "cycles per launch");
  }

 private:
  /// Memory that kernels walk through, larger than the L2, so that what comes next is not there.
  class Streams {
   public:
    explicit Streams(const Card& card)
        : elements_(3 * (card.small_ ? std::max(4 * card.l2_bytes(), kSmall) : kLarge) / kBytes),
          memory_(elements_) {}
    double* next(std::size_t elements) {
      EXPECT(elements <= elements_);
      if (at_ + elements > elements_) at_ = 0;
      double* found = memory_.data() + at_;
      at_ += elements;
      return found;
    }

   private:
    static constexpr std::size_t kSmall = 1 << 25,
                                 kLarge = 1 << 29;  // bytes, a third of the memory
    std::size_t elements_, at_ = 0;
    Buffer<double> memory_;
  };

  unsigned cores() const { return static_cast<unsigned>(properties_.multiProcessorCount); }
  /// Of which a core can hold two.
  std::vector<unsigned> block_sizes() const {
    std::vector<unsigned> found;
    for (const int threads : {64, 256, 512, 1024})
      if (2 * threads <= properties_.maxThreadsPerMultiProcessor) found.push_back(threads);
    return found;
  }
  unsigned waves_of(unsigned threads) const {
    return small_ ? 16 * std::max(1u, 512 / threads) : (1 << 24) / (6 * cores() * threads);
  }
  std::size_t l2_bytes() const { return static_cast<std::size_t>(properties_.l2CacheSize); }
  float* any_float() const { return reinterpret_cast<float*>(sink_.data()); }

  /// Of the kernel before: what it has written to `cycles_`.
  double clocks() {
    long long found = 0;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&found, cycles_.data(), sizeof(found), cudaMemcpyDeviceToHost));
    return static_cast<double>(found);
  }

  template <typename Work>
  double microseconds(const Work& work) {
    CHECK(cudaEventRecord(begin_));
    work();
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end_));
    CHECK(cudaEventSynchronize(end_));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return 1e3 * milliseconds;
  }

  /// What one more costs of what `work` does as often as it is told.
  double slope(unsigned times, const std::function<double(unsigned)>& work) const {
    work(times);  // code and data are where they stay
    std::vector<double> found(small_ ? 1 : 9);
    for (double& each : found) {
      const double once = work(times);
      each = (work(3 * times) - once) / (2.0 * times);
    }
    std::sort(found.begin(), found.end());
    return found[found.size() / 2];
  }

  /// Cycles of the cores in a microsecond of events.
  void measure_clock() {
    double cycles = 0;
    const double each = slope(small_ ? 1 << 12 : 1 << 18, [&](unsigned turns) {
      return microseconds(
          [&] { chain<<<1, 1>>>(static_cast<int>(turns), 1.0f, cycles_.data(), any_float()); });
    });
    cycles = slope(small_ ? 1 << 12 : 1 << 18, [&](unsigned turns) {
      chain<<<1, 1>>>(static_cast<int>(turns), 1.0f, cycles_.data(), any_float());
      return clocks();
    });
    megahertz_ = cycles / each;
  }

  /// From one of `elements` of a ring to the next: the golden section spreads any number of
  /// successive elements evenly, each on another page.
  static unsigned step_of(unsigned elements) {
    unsigned step = static_cast<unsigned>(0.6180339887 * elements);
    while (std::gcd(step, elements) != 1) ++step;
    return step;
  }

  void texture_latency_of(unsigned kilobytes) {
    const unsigned elements = kilobytes * (1024 / (kTexels * sizeof(int)));
    const unsigned step = step_of(elements);
    std::vector<int> links(static_cast<std::size_t>(elements) * kTexels);
    for (std::uint64_t i = 0; i < elements; ++i)
      links[i * kTexels] = static_cast<int>((i + step) % elements * kTexels);
    Buffer<int> ring(links.size());
    ring.copy_from(links);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = ring.data();
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = links.size() * sizeof(int);
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    const unsigned loads = small_ ? 1 << 12 : 1 << 16;
    chase_texture<<<1, kThreads>>>(texture, elements, step, loads, cycles_.data(), sink_.data());
    row("texture_latency", std::to_string(kilobytes), clocks() / loads, "cycles");
    CHECK(cudaDestroyTextureObject(texture));
  }

  void latency_of(unsigned kilobytes) {
    constexpr unsigned kWords = kLine / sizeof(std::uint64_t);
    const unsigned lines = kilobytes * (1024 / kLine);
    const unsigned step = step_of(lines);
    Buffer<std::uint64_t> ring(static_cast<std::size_t>(lines) * kWords);
    std::vector<std::uint64_t> links(static_cast<std::size_t>(lines) * kWords);
    const auto base = reinterpret_cast<std::uint64_t>(ring.data());
    for (std::uint64_t i = 0; i < lines; ++i) links[i * kWords] = base + (i + step) % lines * kLine;
    ring.copy_from(links);
    const unsigned loads = small_ ? 1 << 12 : 1 << 16;
    chase<<<1, kThreads>>>(ring.data(), lines, step, loads, cycles_.data(), sink_.data());
    row("latency", std::to_string(kilobytes), clocks() / loads, "cycles");
  }

  double cycles_of_load(unsigned stride, unsigned offset) {
    constexpr unsigned kStep = kUnrolled * kWarp, kMask = 2 * kStep - 1;
    const unsigned words = kWarp * stride + offset + 2 * kStep;
    Buffer<float> in(words);
    CHECK(cudaMemset(in.data(), 0, words * sizeof(float)));
    const double turn = slope(small_ ? 64 : 1 << 12, [&](unsigned turns) {
      load_l1<<<1, kThreads>>>(in.data(), stride, offset, kStep, kMask, static_cast<int>(turns),
                               cycles_.data(), any_float());
      return clocks();
    });
    return turn / (kUnrolled * (kThreads / kWarp));
  }

  /// Bytes of shared memory with which a core holds two blocks.
  unsigned memory_for_two_blocks(const void* kernel, unsigned threads) const {
    constexpr unsigned kGranule = 1024;
    const auto whole = static_cast<unsigned>(properties_.sharedMemPerMultiprocessor);
    int most = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared));
    unsigned bytes = std::min(whole / 2, static_cast<unsigned>(most)) / kGranule * kGranule;
    for (; bytes > 0; bytes -= kGranule) {
      CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(bytes)));
      int blocks = 0;
      CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel,
                                                          static_cast<int>(threads), bytes));
      if (blocks >= 2) break;
    }
    EXPECT(bytes > 0);
    return bytes;
  }

  bool small_;
  cudaDeviceProp properties_{};
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  Buffer<long long> cycles_;
  Buffer<double> sink_;
  double megahertz_ = 0;
};

struct Quantity {
  const char* name;
  void (Card::*measure)();
};

constexpr Quantity kQuantities[] = {
    {"latency", &Card::latency},
    {"texture_latency", &Card::texture_latency},
    {"shared_latency", &Card::shared_latency},
    {"l1_read", &Card::l1_read},
    {"l1_stride", &Card::l1_stride},
    {"l1_misaligned", &Card::l1_misaligned},
    {"fma", &Card::fma},
    {"l2_read", &Card::l2_read},
    {"dram_read", &Card::dram_read},
    {"dram_triad", &Card::dram_triad},
    {"empty_blocks", &Card::empty_blocks},
    {"launch", &Card::launch},
};

[[noreturn]] void usage(const std::string& wrong) {
  std::fprintf(stderr, "card: %s\ncard [--small] [--csv FILE] [QUANTITY...], of:", wrong.c_str());
  for (const Quantity& each : kQuantities) std::fprintf(stderr, " %s", each.name);
  std::fprintf(stderr, "\n");
  std::exit(2);
}

}  // namespace

int main(int count, char** words) {
  bool small = false;
  std::vector<Quantity> chosen;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto* known = std::find_if(std::begin(kQuantities), std::end(kQuantities),
                                     [&](const Quantity& each) { return word == each.name; });
    if (word == "--small") {
      small = true;
    } else if (word == "--csv" && i + 1 < count) {
      output = std::fopen(words[++i], "w");
      if (output == nullptr) usage(std::string(words[i]) + ": " + std::strerror(errno));
    } else if (known != std::end(kQuantities)) {
      chosen.push_back(*known);
    } else {
      usage("'" + word + "' is no quantity, or an option without its value");
    }
  }
  if (chosen.empty()) chosen.assign(std::begin(kQuantities), std::end(kQuantities));
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "card: there is no CUDA device\n");
    return 1;
  }
  Card card(small);
  EXPECT(std::fprintf(output, "quantity,x,value,unit\n") > 0);
  card.device();
  for (const Quantity& each : chosen) (card.*each.measure)();
  EXPECT(output == stdout || std::fclose(output) == 0);
  return 0;
}
