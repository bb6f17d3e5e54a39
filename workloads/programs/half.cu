// SPDX-License-Identifier: MIT
// Numbers of 16 bits, __half and __nv_bfloat16: everything that host and device can both compute is
// computed by both and compared bit by bit. Some values are worked out by hand.
//
//   half [stride [seed]]    every stride-th bit pattern as first operand (17)
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"

constexpr unsigned kThreads = 128;
constexpr unsigned kResults = 128;  // words that a thread may write

template <class To, class From>
__host__ __device__ To as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

// The names that have the type in them.
template <class T>
struct Named;
#define NAMED(type, pair_type, stem, pair_stem)                                          \
  template <>                                                                            \
  struct Named<type> {                                                                   \
    using Pair = pair_type;                                                              \
    static __host__ __device__ type of(unsigned bits) {                                  \
      return __ushort_as_##stem(static_cast<unsigned short>(bits));                      \
    }                                                                                    \
    static __host__ __device__ unsigned bits(type a) { return __##stem##_as_ushort(a); } \
    static __host__ __device__ float widen(type a) { return __##stem##2float(a); }       \
    template <class Put>                                                                 \
    static __host__ __device__ void from_floats(float f, double d, Put put) {            \
      put(bits(__float2##stem(f)));                                                      \
      put(bits(__float2##stem##_rn(f)));                                                 \
      put(bits(__float2##stem##_rz(f)));                                                 \
      put(bits(__float2##stem##_rd(f)));                                                 \
      put(bits(__float2##stem##_ru(f)));                                                 \
      put(bits(__double2##stem(d)));                                                     \
      put(as<unsigned>(__floats2##pair_stem##_rn(f, static_cast<float>(d))));            \
      put(as<unsigned>(__float22##pair_stem##_rn(float2{static_cast<float>(d), f})));    \
      put(as<unsigned>(__float2##pair_stem##_rn(f)));                                    \
    }                                                                                    \
    template <class Put>                                                                 \
    static __host__ __device__ void from_integers(unsigned long long n, Put put) {       \
      const int i = static_cast<int>(n);                                                 \
      put(bits(__int2##stem##_rn(i)));                                                   \
      put(bits(__int2##stem##_rz(i)));                                                   \
      put(bits(__int2##stem##_rd(i)));                                                   \
      put(bits(__int2##stem##_ru(i)));                                                   \
      put(bits(__uint2##stem##_rn(static_cast<unsigned>(n))));                           \
      put(bits(__uint2##stem##_ru(static_cast<unsigned>(n))));                           \
      put(bits(__short2##stem##_rn(static_cast<short>(n))));                             \
      put(bits(__short2##stem##_rd(static_cast<short>(n))));                             \
      put(bits(__ushort2##stem##_rz(static_cast<unsigned short>(n))));                   \
      put(bits(__ll2##stem##_rn(static_cast<long long>(n))));                            \
      put(bits(__ll2##stem##_rd(static_cast<long long>(n))));                            \
      put(bits(__ull2##stem##_rn(n)));                                                   \
      put(bits(__ull2##stem##_rz(n)));                                                   \
    }                                                                                    \
    template <class Put>                                                                 \
    static __host__ __device__ void to_integers(type a, Put put) {                       \
      put(static_cast<unsigned>(__##stem##2int_rn(a)));                                  \
      put(static_cast<unsigned>(__##stem##2int_rz(a)));                                  \
      put(static_cast<unsigned>(__##stem##2int_rd(a)));                                  \
      put(static_cast<unsigned>(__##stem##2int_ru(a)));                                  \
      put(__##stem##2uint_rn(a));                                                        \
      put(__##stem##2uint_rd(a));                                                        \
      put(static_cast<unsigned>(__##stem##2short_rn(a)));                                \
      put(static_cast<unsigned>(__##stem##2short_ru(a)));                                \
      put(__##stem##2ushort_rz(a));                                                      \
      put(static_cast<unsigned>(__##stem##2char_rz(a)));                                 \
      put(__##stem##2uchar_rz(a));                                                       \
      const auto wide = static_cast<unsigned long long>(__##stem##2ll_rn(a));            \
      put(static_cast<unsigned>(wide));                                                  \
      put(static_cast<unsigned>(wide >> 32));                                            \
      const unsigned long long further = __##stem##2ull_ru(a);                           \
      put(static_cast<unsigned>(further));                                               \
      put(static_cast<unsigned>(further >> 32));                                         \
    }                                                                                    \
    template <class Put>                                                                 \
    static __host__ __device__ void halves(Pair p, Pair q, Put put) {                    \
      put(as<unsigned>(__halves2##pair_stem(p.y, q.x)));                                 \
      put(as<unsigned>(make_##pair_stem(p.x, q.y)));                                     \
      put(as<unsigned>(__##stem##2##pair_stem(q.x)));                                    \
      put(bits(__low2##stem(p)) + bits(__high2##stem(q)));                               \
      put(as<unsigned>(__low2##pair_stem(p)));                                           \
      put(as<unsigned>(__high2##pair_stem(p)));                                          \
      put(as<unsigned>(__lows2##pair_stem(p, q)));                                       \
      put(as<unsigned>(__highs2##pair_stem(p, q)));                                      \
      put(as<unsigned>(__##pair_stem##2float2(p).y));                                    \
    }                                                                                    \
  };
NAMED(__half, __half2, half, half2)
NAMED(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
#undef NAMED

struct Inputs {
  unsigned a, b, c;
  float f;
  double d;
  unsigned long long n;
};

template <class T, class Put>
__host__ __device__ void arithmetic(T a, T b, T c, Put put) {
  const auto put_number = [&](T number) { put(Named<T>::bits(number)); };
  put_number(a + b);
  put_number(a - b);
  put_number(a * b);
  put_number(a / b);
  put_number(-a);
  put_number(__habs(a));
  put_number(__hfma(a, b, c));
  put_number(__hfma_relu(a, b, c));
  put_number(__hfma_sat(a, b, c));
  put_number(__hadd_sat(a, b));
  put_number(__hsub_sat(a, b));
  put_number(__hmul_sat(a, b));
  put_number(__hmin(a, b));
  put_number(__hmax(a, b));
  put_number(__hmin_nan(a, b));
  put_number(__hmax_nan(a, b));
  unsigned holds = 0;
  for (const bool bit : {a == b, a != b, a<b, a <= b, a> b, a >= b, __hne(a, b), __hequ(a, b),
                         __hltu(a, b), __hleu(a, b), __hgtu(a, b), __hgeu(a, b), __hisnan(a),
                         __hisinf(a) == 1, __hisinf(b) == -1, static_cast<bool>(a)}) {
    holds = holds << 1 | (bit ? 1 : 0);
  }
  put(holds);
  T step = a;
  ++step;
  step += b;
  put_number(step--);
  put_number(step);
}

template <class T, class Put>
__host__ __device__ void pairs(T a, T b, T c, Put put) {
  using Pair = typename Named<T>::Pair;
  const Pair p(a, b), q(b, c), r(c, a);
  const auto put_pair = [&](Pair pair) { put(as<unsigned>(pair)); };
  put_pair(p + q);
  put_pair(p - q);
  put_pair(p * q);
  put_pair(p / q);
  put_pair(-p);
  put_pair(__habs2(q));
  put_pair(__hfma2(p, q, r));
  put_pair(__hfma2_relu(p, q, r));
  put_pair(__hcmadd(p, q, r));
  Pair step = p;
  put_pair(++step);
  put_pair(step--);
  put_pair(step);
  put_pair(__hadd2_sat(p, q));
  put_pair(__hmin2(p, q));
  put_pair(__hmax2_nan(p, q));
  put_pair(__heq2(p, q));
  put_pair(__hltu2(p, q));
  put_pair(__hisnan2(p));
  put(__hge2_mask(p, q));
  put((p == q ? 1 : 0) | (p != q ? 2 : 0) | (p < q ? 4 : 0) | (__hbgeu2(p, q) ? 8 : 0));
  put(as<unsigned>(__low2float(p)));
  put(as<unsigned>(__high2float(p)));
  put_pair(__lowhigh2highlow(p));
  Named<T>::halves(p, q, put);
}

/// Returns how many words it has written.
template <class T>
__host__ __device__ unsigned everything(const Inputs& in, unsigned* out) {
  using N = Named<T>;
  unsigned count = 0;
  const auto put = [&](unsigned word) { out[count++] = word; };
  const T a = N::of(in.a), b = N::of(in.b), c = N::of(in.c);
  put(as<unsigned>(N::widen(a)));
  N::from_floats(in.f, in.d, put);
  N::from_integers(in.n, put);
  N::to_integers(a, put);
  arithmetic<T>(a, b, c, put);
  pairs<T>(a, b, c, put);
  return count;
}

template <class T>
__global__ void device_values(const Inputs* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) everything<T>(in[i], out + i * kResults);
}

static unsigned long long state = 1;

static unsigned long long next_random() {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 33 ^ state << 20;
}

/// Bits of a number: any, or one at which something changes.
template <class T>
static unsigned some_bits() {
  const unsigned one = Named<T>::bits(T(1.0f));
  const unsigned infinity = Named<T>::bits(T(INFINITY));
  const unsigned fraction = infinity & ~infinity + 1;  // the lowest bit of the exponent
  const unsigned edges[] = {0,
                            1,
                            2,
                            3,
                            fraction - 1,
                            fraction,
                            one - 1,
                            one,
                            one + 1,
                            one + fraction,
                            one / 2,
                            infinity,
                            infinity - 1,
                            infinity + 1,
                            0x7fff};
  const unsigned random = static_cast<unsigned>(next_random());
  const unsigned bits = (random & 3) == 0 ? edges[(random >> 4) % 15] : random >> 16;
  return (bits ^ (random & 8) << 12) & 0xffff;
}

/// Numbers around a: the ties between it and the next one among them.
template <class T>
static Inputs some_inputs(unsigned a) {
  Inputs in;
  in.a = a;
  in.b = some_bits<T>();
  in.c = some_bits<T>();
  const unsigned random = static_cast<unsigned>(next_random());
  const unsigned below = sizeof(float) * 8 - (Named<T>::bits(T(1.0f)) == 0x3c00 ? 19 : 16);
  const unsigned rests[] = {
      0, 1, (1u << (below - 1)) - 1, 1u << (below - 1), (1u << (below - 1)) + 1, (1u << below) - 1};
  in.f = as<float>(as<unsigned>(Named<T>::widen(Named<T>::of(a))) + rests[random % 6]);
  in.d = as<double>(as<unsigned long long>(static_cast<double>(in.f)) + random / 6 % 3 - 1);
  if (random >> 30 == 0) {
    in.f = as<float>(random << 2);
    in.d = as<double>(next_random());
  }
  in.n = next_random() >> random / 64 % 64;
  if ((random & 32) != 0) in.n = 0 - in.n;
  return in;
}

template <class T>
static void compare(unsigned stride) {
  std::vector<Inputs> inputs;
  for (unsigned a = 0; a < 0x10000; a += stride) {
    inputs.push_back(some_inputs<T>(a / stride % 4 == 0 ? some_bits<T>() : a));
  }
  const unsigned n = static_cast<unsigned>(inputs.size());
  Inputs* in = nullptr;
  unsigned* out = nullptr;
  CHECK(cudaMalloc(&in, n * sizeof(Inputs)));
  CHECK(cudaMalloc(&out, n * kResults * sizeof(unsigned)));
  CHECK(cudaMemcpy(in, inputs.data(), n * sizeof(Inputs), cudaMemcpyHostToDevice));
  device_values<T><<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  std::vector<unsigned> device(n * kResults);
  CHECK(cudaMemcpy(device.data(), out, device.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < n; ++i) {
    unsigned host[kResults];
    const unsigned count = everything<T>(inputs[i], host);
    EXPECT(count <= kResults);
    for (unsigned k = 0; k < count; ++k) {
      if (host[k] == device[i * kResults + k]) continue;
      std::printf("result %u of %04x %04x %04x %a %a %llx: host %x, device %x\n", k, inputs[i].a,
                  inputs[i].b, inputs[i].c, inputs[i].f, inputs[i].d, inputs[i].n, host[k],
                  device[i * kResults + k]);
      std::exit(1);
    }
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

static unsigned half_bits(float value) { return __half_as_ushort(__float2half(value)); }
static unsigned brain_bits(float value) { return __bfloat16_as_ushort(__float2bfloat16(value)); }

static void worked_values() {
  EXPECT(half_bits(1.0f) == 0x3c00 && half_bits(-2.0f) == 0xc000 && half_bits(-0.0f) == 0x8000);
  EXPECT(half_bits(1.0f + 0x1p-11f) == 0x3c00);  // a tie, to even
  EXPECT(half_bits(1.0f + 0x3p-11f) == 0x3c02);
  EXPECT(half_bits(1.0f + 0x1.001p-11f) == 0x3c01);
  EXPECT(half_bits(65504.0f) == 0x7bff && half_bits(65519.99f) == 0x7bff);
  EXPECT(half_bits(65520.0f) == 0x7c00 && half_bits(NAN) == 0x7fff);
  EXPECT(half_bits(0x1p-24f) == 1 && half_bits(0x1p-25f) == 0 && half_bits(0x1.8p-24f) == 2);
  EXPECT(__half_as_ushort(__float2half_rz(1e6f)) == 0x7bff);
  EXPECT(__half_as_ushort(__float2half_ru(-1e6f)) == 0xfbff);
  EXPECT(__half_as_ushort(__float2half_ru(0x1p-30f)) == 1);
  EXPECT(__half_as_ushort(__float2half_rd(-0x1p-30f)) == 0x8001);
  EXPECT(__half_as_ushort(__half(1) / __half(3)) == 0x3555);
  // The product alone would round to 1; exactly 2^-20 is left.
  const __half near = __ushort_as_half(0x3c01);
  EXPECT(__half_as_ushort(__hfma(near, near, -(near * near))) == half_bits(0x1p-20f));
  EXPECT(__half2int_rn(__half(2.5f)) == 2 && __half2int_rz(__half(-2.5f)) == -2);
  EXPECT(__half2short_rn(CUDART_INF_FP16) == 32767 && __half2int_rn(CUDART_NAN_FP16) == 0);

  EXPECT(brain_bits(1.0f) == 0x3f80 && brain_bits(1.0f + 0x1p-8f) == 0x3f80);
  EXPECT(brain_bits(1.0f + 0x3p-8f) == 0x3f82 && brain_bits(NAN) == 0x7fff);
  EXPECT(brain_bits(0x1.ffp127f) == 0x7f80 && brain_bits(0x1p-133f) == 1);
  EXPECT(brain_bits(0x1p-134f) == 0 && brain_bits(0x1.8p-133f) == 2);
  EXPECT(__bfloat16_as_ushort(__nv_bfloat16(1) / __nv_bfloat16(3)) == 0x3eab);
  // A tie, and far below it what decides.
  const __nv_bfloat16 long_one = __ushort_as_bfloat16(0x3f81), tiny(0x1p-120f);
  EXPECT(__bfloat16_as_ushort(__hfma(long_one, __nv_bfloat16(1.5f), tiny)) == 0x3fc2);
  EXPECT(__bfloat16_as_ushort(__hfma(long_one, __nv_bfloat16(1.5f), -tiny)) == 0x3fc1);
  EXPECT(__bfloat16_as_ushort(__nv_bfloat16(__half(0.1f))) == 0x3dcd);
}

// What only kernels can do.
template <class T>
__global__ void in_a_warp(float* out, const T* numbers, const typename Named<T>::Pair* two) {
  const T mine = __ldg(numbers + threadIdx.x);
  T sum = mine;
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lane);
  const auto pair = __shfl_down_sync(0xffffffffu, __ldg(two + threadIdx.x / 2), 2);
  float* const row = out + 8 * threadIdx.x;
  row[0] = fma(float(sum), 2.0f, -80.0f);
  row[1] = __high2float(pair);
  row[2] = float(hsqrt(mine));
  row[3] = float(hexp2(hlog2(mine)));
  row[4] = float(hrcp(hrcp(mine)));
  row[5] = float(hfloor(mine * T(0.5f)));
  row[6] = __low2float(h2ceil(pair * typename Named<T>::Pair(T(0.5f), T(0.5f))));
  row[7] = float(htanh(mine) - htanh_approx(mine)) + float(hexp(mine) / hexp(mine));
}

template <class T>
static void check_warp() {
  std::vector<T> numbers;
  for (int i = 0; i < 32; ++i) numbers.push_back(T(1 + i % 4));
  T* device = nullptr;
  float* out = nullptr;
  CHECK(cudaMalloc(&device, 32 * sizeof(T)));
  CHECK(cudaMalloc(&out, 256 * sizeof(float)));
  CHECK(cudaMemcpy(device, numbers.data(), 32 * sizeof(T), cudaMemcpyHostToDevice));
  in_a_warp<T><<<1, 32>>>(out, device, reinterpret_cast<const typename Named<T>::Pair*>(device));
  std::vector<float> rows(256);
  CHECK(cudaMemcpy(rows.data(), out, 256 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) {
    const float* const row = &rows[8 * i];
    const float x = float(1 + i % 4);
    const int from = i + 2 < 32 ? i + 2 : i;  // the lane of the pair
    const float low = float(1 + from / 2 * 2 % 4);
    EXPECT(row[0] == 80 && row[1] == low + 1);
    EXPECT(row[2] == float(T(std::sqrt(x))) && std::fabs(row[3] - x) <= x * 0x1p-6f);
    EXPECT(std::fabs(row[4] - x) <= x * 0x1p-6f && row[5] == std::floor(x / 2));
    EXPECT(row[6] == std::ceil(low / 2) && std::fabs(row[7] - 1) <= 0x1p-6f);
  }
  CHECK(cudaFree(device));
  CHECK(cudaFree(out));
}

// Every order of these additions gives the same sum. The third cell is added to by exchange, as
// programs do for devices without the instruction.
template <class T>
__global__ void add(T* cells) {
  using Pair = typename Named<T>::Pair;
  atomicAdd(cells, T(1.0f));
  atomicAdd(reinterpret_cast<Pair*>(cells + 2), Pair(T(0.5f), T(-2.0f)));
  auto* const cell = reinterpret_cast<unsigned short*>(cells + 1);
  unsigned short before = *cell, assumed;
  do {
    assumed = before;
    const T sum = Named<T>::of(assumed) + T(1.0f);
    before = atomicCAS(cell, assumed, static_cast<unsigned short>(Named<T>::bits(sum)));
  } while (before != assumed);
}

template <class T>
static void check_atomics() {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, 4 * sizeof(T)));
  CHECK(cudaMemset(device, 0, 4 * sizeof(T)));
  add<T><<<4, 64>>>(device);
  T cells[4];
  CHECK(cudaMemcpy(cells, device, sizeof(cells), cudaMemcpyDeviceToHost));
  EXPECT(float(cells[0]) == 256 && float(cells[1]) == 256);
  EXPECT(float(cells[2]) == 128 && float(cells[3]) == -512);
  CHECK(cudaFree(device));
}

int main(int argc, char** argv) {
  const unsigned stride = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 17;
  if (argc > 2) state = std::strtoull(argv[2], nullptr, 0);
  worked_values();
  compare<__half>(stride);
  compare<__nv_bfloat16>(stride);
  check_warp<__half>();
  check_warp<__nv_bfloat16>();
  check_atomics<__half>();
  check_atomics<__nv_bfloat16>();
  std::printf("host and device agree\n");
  return 0;
}
