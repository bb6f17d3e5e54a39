// SPDX-License-Identifier: MIT
// Intrinsics on integers: parts of words (__vadd4), sums and comparisons in one step
// (__viaddmax_s32), in which memory an address lies, and atomics of 64 bits. Each is compared with
// plain arithmetic of the host.
#include <algorithm>
#include <vector>

#include "check.h"

// name, whether the parts are signed, one part of the result from x and y. `most` and `least` are
// the limits of a part.
#define OF_TWO(X)                                         \
  X(vadd, false, x + y)                                   \
  X(vaddss, true, std::min(std::max(x + y, least), most)) \
  X(vaddus, false, std::min(x + y, most))                 \
  X(vsub, false, x - y)                                   \
  X(vsubss, true, std::min(std::max(x - y, least), most)) \
  X(vsubus, false, std::max(x - y, 0L))                   \
  X(vabsdiffs, true, std::labs(x - y))                    \
  X(vabsdiffu, false, std::labs(x - y))                   \
  X(vavgs, true, (x + y + (x + y >= 0)) >> 1)             \
  X(vavgu, false, (x + y + 1) / 2)                        \
  X(vhaddu, false, (x + y) / 2)                           \
  X(vmaxs, true, std::max(x, y))                          \
  X(vmaxu, false, std::max(x, y))                         \
  X(vmins, true, std::min(x, y))                          \
  X(vminu, false, std::min(x, y))                         \
  X(vseteq, false, x == y)                                \
  X(vsetne, false, x != y)                                \
  X(vsetges, true, x >= y)                                \
  X(vsetgeu, false, x >= y)                               \
  X(vsetgts, true, x > y)                                 \
  X(vsetgtu, false, x > y)                                \
  X(vsetles, true, x <= y)                                \
  X(vsetleu, false, x <= y)                               \
  X(vsetlts, true, x < y)                                 \
  X(vsetltu, false, x < y)                                \
  X(vcmpeq, false, -(x == y))                             \
  X(vcmpne, false, -(x != y))                             \
  X(vcmpges, true, -(x >= y))                             \
  X(vcmpgeu, false, -(x >= y))                            \
  X(vcmpgts, true, -(x > y))                              \
  X(vcmpgtu, false, -(x > y))                             \
  X(vcmples, true, -(x <= y))                             \
  X(vcmpleu, false, -(x <= y))                            \
  X(vcmplts, true, -(x < y))                              \
  X(vcmpltu, false, -(x < y))
#define OF_ONE(X)                               \
  X(vabs, true, std::labs(x))                   \
  X(vabsss, true, std::min(std::labs(x), most)) \
  X(vneg, true, -x)                             \
  X(vnegss, true, std::min(-x, most))
#define SUMS(X)  \
  X(vsads, true) \
  X(vsadu, false)

enum Index {
#define NAME(name, ...) index_##name,
  OF_TWO(NAME) OF_ONE(NAME) SUMS(NAME)
#undef NAME
      kFunctions
};

struct Parts {
  unsigned of16[kFunctions], of8[kFunctions];
};

__global__ void by_parts(const unsigned* a, const unsigned* b, Parts* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = a[i], y = b[i];
#define CALL(name, ...)                          \
  out[i].of16[index_##name] = __##name##2(x, y); \
  out[i].of8[index_##name] = __##name##4(x, y);
  OF_TWO(CALL)
  SUMS(CALL)
#undef CALL
#define CALL(name, ...)                       \
  out[i].of16[index_##name] = __##name##2(x); \
  out[i].of8[index_##name] = __##name##4(x);
  OF_ONE(CALL)
#undef CALL
}

static long part_of(unsigned word, int shift, int bits, bool is_signed) {
  const long part = (word >> shift) & ((1u << bits) - 1);
  return is_signed && part >= 1L << (bits - 1) ? part - (1L << bits) : part;
}

template <typename Function>
static unsigned expected(unsigned a, unsigned b, int bits, bool is_signed, Function function) {
  const long most = is_signed ? (1L << (bits - 1)) - 1 : (1L << bits) - 1;
  const long least = is_signed ? -most - 1 : 0;
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    const long part = function(part_of(a, shift, bits, is_signed),
                               part_of(b, shift, bits, is_signed), most, least);
    result |= static_cast<unsigned>(part & ((1L << bits) - 1)) << shift;
  }
  return result;
}

static unsigned expected_sum(unsigned a, unsigned b, int bits, bool is_signed) {
  unsigned sum = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    sum += static_cast<unsigned>(
        std::labs(part_of(a, shift, bits, is_signed) - part_of(b, shift, bits, is_signed)));
  }
  return sum;
}

static void expect(const char* name, unsigned a, unsigned b, unsigned c, unsigned got,
                   unsigned wanted) {
  if (got == wanted) return;
  std::printf("%s(%08x, %08x, %08x) is %08x, expected %08x\n", name, a, b, c, got, wanted);
  std::exit(1);
}

static void check_parts(unsigned a, unsigned b, const Parts& got) {
  for (const int bits : {16, 8}) {
    const unsigned* results = bits == 16 ? got.of16 : got.of8;
#define COMPARE(name, is_signed, part)                                                       \
  expect(#name, a, b, bits, results[index_##name],                                           \
         expected(a, b, bits, is_signed, [](long x, long y, long most, long least) -> long { \
           static_cast<void>(y + most + least);                                              \
           return part;                                                                      \
         }));
    OF_TWO(COMPARE)
    OF_ONE(COMPARE)
#undef COMPARE
#define COMPARE(name, is_signed) \
  expect(#name, a, b, bits, results[index_##name], expected_sum(a, b, bits, is_signed));
    SUMS(COMPARE)
#undef COMPARE
  }
}

// name, its type, bits of a part, whether it is signed, one part of the result from x, y and z; the
// sum `add` wraps around.
#define STEPS(X)                                                             \
  X(viaddmax_s32, int, 32, true, std::max(add, z))                           \
  X(viaddmax_u32, unsigned, 32, false, std::max(add, z))                     \
  X(viaddmax_s32_relu, int, 32, true, std::max(std::max(add, z), 0L))        \
  X(viaddmax_s16x2, unsigned, 16, true, std::max(add, z))                    \
  X(viaddmax_u16x2, unsigned, 16, false, std::max(add, z))                   \
  X(viaddmax_s16x2_relu, unsigned, 16, true, std::max(std::max(add, z), 0L)) \
  X(viaddmin_s32, int, 32, true, std::min(add, z))                           \
  X(viaddmin_u32, unsigned, 32, false, std::min(add, z))                     \
  X(viaddmin_s32_relu, int, 32, true, std::max(std::min(add, z), 0L))        \
  X(viaddmin_s16x2, unsigned, 16, true, std::min(add, z))                    \
  X(viaddmin_u16x2, unsigned, 16, false, std::min(add, z))                   \
  X(viaddmin_s16x2_relu, unsigned, 16, true, std::max(std::min(add, z), 0L)) \
  X(vimax3_s32, int, 32, true, std::max({x, y, z}))                          \
  X(vimax3_u32, unsigned, 32, false, std::max({x, y, z}))                    \
  X(vimax3_s32_relu, int, 32, true, std::max({x, y, z, 0L}))                 \
  X(vimax3_s16x2, unsigned, 16, true, std::max({x, y, z}))                   \
  X(vimax3_u16x2, unsigned, 16, false, std::max({x, y, z}))                  \
  X(vimax3_s16x2_relu, unsigned, 16, true, std::max({x, y, z, 0L}))          \
  X(vimin3_s32, int, 32, true, std::min({x, y, z}))                          \
  X(vimin3_u32, unsigned, 32, false, std::min({x, y, z}))                    \
  X(vimin3_s32_relu, int, 32, true, std::max(std::min({x, y, z}), 0L))       \
  X(vimin3_s16x2, unsigned, 16, true, std::min({x, y, z}))                   \
  X(vimin3_u16x2, unsigned, 16, false, std::min({x, y, z}))                  \
  X(vimin3_s16x2_relu, unsigned, 16, true, std::max(std::min({x, y, z}), 0L))
#define STEPS_OF_TWO(X)                                          \
  X(vimax_s32_relu, int, 32, true, std::max({x, y, 0L}))         \
  X(vimax_s16x2_relu, unsigned, 16, true, std::max({x, y, 0L}))  \
  X(vimin_s32_relu, int, 32, true, std::max(std::min(x, y), 0L)) \
  X(vimin_s16x2_relu, unsigned, 16, true, std::max(std::min(x, y), 0L))
// Those that say whether the result is x.
#define WHICH(X)                                     \
  X(vibmax_s32, int, 32, true, std::max(x, y))       \
  X(vibmax_u32, unsigned, 32, false, std::max(x, y)) \
  X(vibmin_s32, int, 32, true, std::min(x, y))       \
  X(vibmin_u32, unsigned, 32, false, std::min(x, y))
#define WHICH_HALVES(X)                                \
  X(vibmax_s16x2, unsigned, 16, true, std::max(x, y))  \
  X(vibmax_u16x2, unsigned, 16, false, std::max(x, y)) \
  X(vibmin_s16x2, unsigned, 16, true, std::min(x, y))  \
  X(vibmin_u16x2, unsigned, 16, false, std::min(x, y))

enum Step {
#define NAME(name, ...) step_##name,
  STEPS(NAME) STEPS_OF_TWO(NAME) WHICH(NAME) WHICH_HALVES(NAME)
#undef NAME
      kSteps
};

struct Stepped {
  unsigned results[kSteps];
  unsigned char first[kSteps];  ///< of halves, the high one is bit 1
};

__host__ __device__ static void take_steps(unsigned a, unsigned b, unsigned c, Stepped& out) {
#define CALL(name, T, ...) \
  out.results[step_##name] = __##name(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
  STEPS(CALL)
#undef CALL
#define CALL(name, T, ...) \
  out.results[step_##name] = __##name(static_cast<T>(a), static_cast<T>(b));
  STEPS_OF_TWO(CALL)
#undef CALL
  bool first = false, high = false;
#define CALL(name, T, ...)                                                           \
  out.results[step_##name] = __##name(static_cast<T>(a), static_cast<T>(b), &first); \
  out.first[step_##name] = first;
  WHICH(CALL)
#undef CALL
#define CALL(name, T, ...)                                  \
  out.results[step_##name] = __##name(a, b, &high, &first); \
  out.first[step_##name] = high << 1 | first;
  WHICH_HALVES(CALL)
#undef CALL
}

__global__ void steps(const unsigned* a, const unsigned* b, const unsigned* c, Stepped* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  take_steps(a[i], b[i], c[i], out[i]);
}

static long wide_part(unsigned word, int shift, int bits, bool is_signed) {
  if (bits == 16) return part_of(word, shift, bits, is_signed);
  return is_signed ? static_cast<long>(static_cast<int>(word)) : static_cast<long>(word);
}

/// The result, and in `first` where it is the part of `a`.
template <typename Function>
static unsigned stepped(unsigned a, unsigned b, unsigned c, int bits, bool is_signed,
                        unsigned char& first, Function function) {
  const unsigned long mask = (1UL << bits) - 1;
  unsigned result = 0;
  first = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    const long x = wide_part(a, shift, bits, is_signed), y = wide_part(b, shift, bits, is_signed);
    const unsigned sum = static_cast<unsigned>((x + y) & mask);
    const long part =
        function(x, y, wide_part(c, shift, bits, is_signed), wide_part(sum, 0, bits, is_signed));
    result |= static_cast<unsigned>(part & mask) << shift;
    first |= (part == x) << (shift / 16);
  }
  return result;
}

static void check_steps(unsigned a, unsigned b, unsigned c, const Stepped& got) {
  unsigned char first = 0;
#define COMPARE(name, T, bits, is_signed, part)                                          \
  expect(#name, a, b, c, got.results[step_##name],                                       \
         stepped(a, b, c, bits, is_signed, first, [](long x, long y, long z, long add) { \
           static_cast<void>(x + y + z + add);                                           \
           return part;                                                                  \
         }));
  STEPS(COMPARE)
  STEPS_OF_TWO(COMPARE)
#define COMPARE_FIRST(name, T, bits, is_signed, part) \
  COMPARE(name, T, bits, is_signed, part)             \
  expect(#name " first", a, b, c, got.first[step_##name], first);
  WHICH(COMPARE_FIRST) WHICH_HALVES(COMPARE_FIRST)
#undef COMPARE_FIRST
#undef COMPARE
}

__constant__ int in_constant_memory[2] = {3, 4};

/// Bits: whether the address is global, shared, constant, local; a number for each address.
__global__ void where(unsigned* out) {
  __shared__ int shared[2];
  volatile int local[2] = {1, 2};
  shared[threadIdx.x] = 5;
  const void* addresses[] = {out, shared, in_constant_memory, const_cast<const int*>(local)};
  for (int i = 0; i < 4; ++i) {
    const void* address = addresses[i];
    out[i] = (__isGlobal(address) ? 1 : 0) | (__isShared(address) ? 2 : 0) |
             (__isConstant(address) ? 4 : 0) | (__isLocal(address) ? 8 : 0);
  }
  out[4] = *static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(shared)));
  out[5] = *static_cast<int*>(
      __cvta_constant_to_generic(__cvta_generic_to_constant(in_constant_memory + 1)));
  out[6] = __cvta_global_to_generic(__cvta_generic_to_global(out)) == out;
  out[7] = *static_cast<int*>(
      __cvta_local_to_generic(__cvta_generic_to_local(const_cast<const int*>(local) + 1)));
}

__global__ void wide_atomics(long long* values, unsigned* wrapped, unsigned long long* mixed) {
  const long long bit = 1LL << (threadIdx.x + 20);
  atomicAnd(&values[0], ~bit);
  atomicOr(&values[1], bit);
  atomicXor(&values[2], 3 * bit);
  atomicInc_block(&wrapped[0], 9);
  atomicDec_block(&wrapped[1], 9);
  if (threadIdx.x != 0) return;
  mixed[0] = min(-1LL, 5ULL);
  mixed[1] = max(7ULL, -1LL);
  mixed[2] = min(6UL, 9L);
}

static void check_memory() {
  unsigned* out = nullptr;
  CHECK(cudaMallocManaged(&out, 8 * sizeof(unsigned)));
  where<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize());
  const unsigned wanted[] = {1, 2, 4, 8, 5, 4, 1, 2};
  for (int i = 0; i < 8; ++i) expect("where", i, 0, 0, out[i], wanted[i]);
  long long* values = nullptr;
  unsigned long long* mixed = nullptr;
  CHECK(cudaMallocManaged(&values, 3 * sizeof(long long)));
  CHECK(cudaMallocManaged(&mixed, 3 * sizeof(long long)));
  values[0] = -1;
  values[1] = values[2] = 0;
  out[0] = out[1] = 0;
  wide_atomics<<<1, 32>>>(values, out, mixed);
  CHECK(cudaDeviceSynchronize());
  const long long all = 0xffffffffLL << 20;
  EXPECT(values[0] == ~all && values[1] == all &&
         values[2] == ((3LL << 20) * 0x55555555 ^ 2 * (3LL << 20) * 0x55555555));
  EXPECT(out[0] == 32 % 10 && out[1] == 8);
  EXPECT(mixed[0] == 5 && mixed[1] == ~0ULL && mixed[2] == 6);
  for (void* memory :
       {static_cast<void*>(out), static_cast<void*>(values), static_cast<void*>(mixed)}) {
    CHECK(cudaFree(memory));
  }
}

int main() {
  std::vector<unsigned> words = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff,
                                 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x00ff00ff,
                                 0x01fe017f, 0xff80ff01, 0x7f80fe02, 0x12345678, 0xffff0000};
  unsigned random = 1;
  while (words.size() < 64) words.push_back(random = random * 1664525u + 1013904223u);
  const unsigned count = static_cast<unsigned>(words.size() * words.size());
  unsigned* memory = nullptr;
  Parts* parts = nullptr;
  Stepped* all = nullptr;
  CHECK(cudaMallocManaged(&memory, 3 * count * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&parts, count * sizeof(Parts)));
  CHECK(cudaMallocManaged(&all, count * sizeof(Stepped)));
  unsigned *a = memory, *b = a + count, *c = b + count;
  for (unsigned i = 0; i < count; ++i) {
    a[i] = words[i % words.size()];
    b[i] = words[i / words.size()];
    c[i] = words[(7 * i + i / words.size()) % words.size()];
  }
  by_parts<<<count / 64, 64>>>(a, b, parts);
  steps<<<count / 64, 64>>>(a, b, c, all);
  CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < count; ++i) {
    check_parts(a[i], b[i], parts[i]);
    check_steps(a[i], b[i], c[i], all[i]);
    Stepped of_host;
    take_steps(a[i], b[i], c[i], of_host);
    check_steps(a[i], b[i], c[i], of_host);
  }
  check_memory();
  CHECK(cudaFree(memory));
  CHECK(cudaFree(parts));
  CHECK(cudaFree(all));
  std::printf("all parts and steps are right\n");
  return 0;
}
