// SPDX-License-Identifier: MIT
// Random numbers in kernels, cuRAND's device API: what is known of the generators, jumps against
// steps, and the distributions. Then the generators of its host API: the numbers that NVIDIA
// publishes of them, and the order of the numbers.
#include <curand_kernel.h>

#include <cmath>
#include <cstring>

#include "check.h"

// --- known answers ------------------------------------------------------------------------------

/// Salmon et al.'s tests of Philox4x32-10 (Random123): counter and key, and what comes out.
constexpr unsigned kPhilox[3][10] = {
    {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
    {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb,
     0x5001e420, 0x24126ea1}};

__global__ void philox(const unsigned* in, uint4* out) {
  const unsigned* of = in + 10 * threadIdx.x;
  out[threadIdx.x] =
      curand_Philox4x32_10(make_uint4(of[0], of[1], of[2], of[3]), make_uint2(of[4], of[5]));
}

/// The first number of L'Ecuyer's program, whose state is 12345 six times, before it is made one
/// between 0 and 1; and what MRG32k3a and XORWOW give for one seed.
__global__ void first(double* mrg, unsigned* seeded) {
  curandStateMRG32k3a_t state;
  curand_init(0, 0, 0, &state);
  *mrg = curand_uniform_double(&state);
  curand_init(1234, 5, 3, &state);
  curandState xorwow;
  curand_init(1234, 5, 3, &xorwow);
  curandStatePhilox4_32_10_t counter;
  curand_init(1234, 5, 3, &counter);
  for (int i = 0; i < 4; ++i) {
    seeded[i] = curand(&state);
    seeded[4 + i] = curand(&xorwow);
    seeded[8 + i] = curand(&counter);
  }
}
constexpr unsigned kSeeded[12] = {1764926452, 1184748449, 4062017915, 1566863480,
                                  1633321130, 1363217923, 2702936549, 2956155405,
                                  3180702920, 1549596404, 1069600344, 846674261};

void check_known_answers() {
  unsigned* in = nullptr;
  uint4* out = nullptr;
  CHECK(cudaMallocManaged(&in, sizeof(kPhilox)));
  CHECK(cudaMallocManaged(&out, 3 * sizeof(uint4)));
  std::memcpy(in, kPhilox, sizeof(kPhilox));
  philox<<<1, 3>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) EXPECT(std::memcmp(&out[i], &kPhilox[i][6], sizeof(uint4)) == 0);
  double* mrg = nullptr;
  CHECK(cudaMallocManaged(&mrg, sizeof(double)));
  first<<<1, 1>>>(mrg, in);
  CHECK(cudaDeviceSynchronize());
  EXPECT(std::lround(*mrg * 4294967087.0) == 545508589);
  EXPECT(std::memcmp(in, kSeeded, sizeof(kSeeded)) == 0);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(mrg));
}

// --- jumps --------------------------------------------------------------------------------------

/// Whether a state that jumped gives what one gives that went step by step.
template <class State>
__global__ void jump(int* wrong) {
  const unsigned steps = threadIdx.x * 37;
  State walks, starts, skips;
  curand_init(99, 7, 0, &walks);
  for (unsigned i = 0; i < steps; ++i) curand(&walks);
  curand_init(99, 7, steps, &starts);
  curand_init(99, 7, 0, &skips);
  skipahead(steps, &skips);
  for (int i = 0; i < 5; ++i) {
    const unsigned expected = curand(&walks);
    if (curand(&starts) != expected || curand(&skips) != expected) atomicAdd(wrong, 1);
  }
}

template <class State>
void check_jumps() {
  int* wrong = nullptr;
  CHECK(cudaMallocManaged(&wrong, sizeof(int)));
  *wrong = 0;
  jump<State><<<1, 32>>>(wrong);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*wrong == 0);
  CHECK(cudaFree(wrong));
}

// --- distributions ------------------------------------------------------------------------------

constexpr int kThreads = 128, kDraws = 32, kKinds = 15;
constexpr double kMeans[] = {0.5, 20, 100, 1500, 6000};  // of the Poisson numbers

/// Sums and sums of squares of each kind of number, over all threads.
template <class State>
__global__ void moments(double* sums, curandDiscreteDistribution_t twelve) {
  State state;
  curand_init(2024, threadIdx.x, 0, &state);
  for (int draw = 0; draw < kDraws; ++draw) {
    double values[kKinds] = {};
    int kinds = 0;
    values[kinds++] = curand_uniform(&state);
    values[kinds++] = curand_uniform_double(&state);
    values[kinds++] = curand_normal(&state);
    values[kinds++] = curand_normal_double(&state);
    values[kinds++] = curand_normal2(&state).y;
    values[kinds++] = curand_normal2_double(&state).y;
    values[kinds++] = log(curand_log_normal(&state, 3, 2));
    values[kinds++] = log(curand_log_normal_double(&state, 3, 2));
    values[kinds++] = log(curand_log_normal2_double(&state, 3, 2).y);
    for (const double mean : {0.5, 20.0, 100.0, 1500.0, 6000.0}) {
      values[kinds++] = curand_poisson(&state, mean);
    }
    values[kinds++] = curand_discrete(&state, twelve);
    for (int i = 0; i < kKinds; ++i) {
      atomicAdd(sums + 2 * i, values[i]);
      atomicAdd(sums + 2 * i + 1, values[i] * values[i]);
    }
  }
}

/// Within five standard errors of the mean and of the variance.
void expect_moments(const double* sums, double mean, double variance, double kurtosis) {
  const double n = kThreads * kDraws;
  const double found = sums[0] / n;
  EXPECT(std::fabs(found - mean) < 5 * std::sqrt(variance / n));
  EXPECT(std::fabs(sums[1] / n - found * found - variance) <
         5 * variance * std::sqrt((kurtosis - 1) / n));
}

template <class State>
void check_distributions() {
  double* sums = nullptr;
  CHECK(cudaMallocManaged(&sums, 2 * kKinds * sizeof(double)));
  curandDiscreteDistribution_t twelve;
  EXPECT(curandCreatePoissonDistribution(12, &twelve) == CURAND_STATUS_SUCCESS);
  moments<State><<<1, kThreads>>>(sums, twelve);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i) expect_moments(sums + 2 * i, 0.5, 1.0 / 12, 1.8);
  for (int i = 2; i < 6; ++i) expect_moments(sums + 2 * i, 0, 1, 3);
  for (int i = 6; i < 9; ++i) expect_moments(sums + 2 * i, 3, 4, 3);
  for (int i = 9; i < 14; ++i) {
    expect_moments(sums + 2 * i, kMeans[i - 9], kMeans[i - 9], 3 + 1 / kMeans[i - 9]);
  }
  expect_moments(sums + 28, 12, 12, 3.1);
  EXPECT(curandDestroyDistribution(twelve) == CURAND_STATUS_SUCCESS);
  CHECK(cudaFree(sums));
}

// --- generators of the host API -----------------------------------------------------------------

#define RANDOM(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

/// What NVIDIA's samples print (CUDALibrarySamples, cuRAND/Host): of seed 1234, uniform numbers and
/// normal and logarithmically normal ones of mean 1 and standard deviation 2.
struct Published {
  curandRngType_t type;
  float uniform[6], normal[6], log_normal[4];
};
constexpr Published kPublished[] = {
    {CURAND_RNG_PSEUDO_XORWOW,
     {0.145468f, 0.820181f, 0.550399f, 0.294830f, 0.914733f, 0.868979f},
     {2.561947f, -2.603156f, 0.438303f, 2.127093f, -1.022666f, 1.828078f},
     {12.961033f, 0.074040f, 1.550074f, 8.390439f}},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     {0.786752f, 0.152112f, 0.934182f, 0.986567f, 0.988028f, 0.304493f},
     {0.278693f, -0.182563f, -2.437073f, -0.803224f, 1.687799f, 1.267587f},
     {1.321401f, 0.833133f, 0.087416f, 0.447883f}},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     {0.127208f, 0.853469f, 0.265649f, 0.796055f, 0.816736f, 0.324165f},
     {-2.232981f, 3.458309f, -2.121081f, 1.929241f, 2.136910f, 0.428208f},
     {0.107208f, 31.763233f, 0.119902f, 6.884281f}}};

/// A generator of seed 1234, and memory for its numbers.
struct Generator {
  static constexpr size_t kMost = 264000;
  curandGenerator_t generator = nullptr;
  float* numbers = nullptr;
  Generator(curandRngType_t type, bool host) {
    RANDOM(host ? curandCreateGeneratorHost(&generator, type)
                : curandCreateGenerator(&generator, type));
    RANDOM(curandSetPseudoRandomGeneratorSeed(generator, 1234));
    CHECK(cudaMallocManaged(&numbers, kMost * sizeof(float)));
  }
  Generator(const Generator&) = delete;
  ~Generator() {
    RANDOM(curandDestroyGenerator(generator));
    CHECK(cudaFree(numbers));
  }
};

template <size_t kCount>
void expect_close(const float* found, const float (&published)[kCount]) {
  CHECK(cudaDeviceSynchronize());
  for (size_t i = 0; i < kCount; ++i) {
    EXPECT(std::fabs(found[i] - published[i]) <= 3e-6f * (1 + std::fabs(published[i])));
  }
}

void check_published(bool host) {
  for (const Published& published : kPublished) {
    Generator of(published.type, host);
    RANDOM(curandGenerateUniform(of.generator, of.numbers, 6));
    expect_close(of.numbers, published.uniform);
    RANDOM(curandSetPseudoRandomGeneratorSeed(of.generator, 1234));
    RANDOM(curandGenerateNormal(of.generator, of.numbers, 6, 1, 2));
    expect_close(of.numbers, published.normal);
    RANDOM(curandSetPseudoRandomGeneratorSeed(of.generator, 1234));
    RANDOM(curandGenerateLogNormal(of.generator, of.numbers, 4, 1, 2));
    expect_close(of.numbers, published.log_normal);
  }
}

/// The numbers at some places of a sequence: `width` of one subsequence, then of the next one.
template <class State>
__global__ void at_places(const unsigned* places, float* numbers, unsigned subsequences,
                          unsigned width) {
  const unsigned turn = places[threadIdx.x] / width;
  State state;
  curand_init(1234, turn % subsequences, turn / subsequences * width + places[threadIdx.x] % width,
              &state);
  numbers[threadIdx.x] = curand_uniform(&state);
}

/// More numbers than there are subsequences: at once, in two parts, on the host, and from an
/// offset.
template <class State>
void check_order(curandRngType_t type, curandOrdering_t order, unsigned subsequences,
                 unsigned width) {
  const size_t count = subsequences * width + 1001, part = count / 2 + 1, offset = subsequences + 5;
  Generator at_once(type, false), in_parts(type, false), host(type, true), behind(type, false);
  for (const Generator* each : {&at_once, &in_parts, &host, &behind}) {
    RANDOM(curandSetGeneratorOrdering(each->generator, order));
  }
  RANDOM(curandGenerateUniform(at_once.generator, at_once.numbers, count));
  RANDOM(curandGenerateUniform(in_parts.generator, in_parts.numbers, part));
  RANDOM(curandGenerateUniform(in_parts.generator, in_parts.numbers + part, count - part));
  RANDOM(curandGenerateUniform(host.generator, host.numbers, count));
  RANDOM(curandSetGeneratorOffset(behind.generator, offset));
  RANDOM(curandGenerateUniform(behind.generator, behind.numbers + offset, count - offset));
  unsigned* places = nullptr;
  float* expected = nullptr;
  CHECK(cudaMallocManaged(&places, 32 * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&expected, 32 * sizeof(float)));
  for (unsigned i = 0; i < 32; ++i) places[i] = static_cast<unsigned>((count - 1) * i / 31);
  at_places<State><<<1, 32>>>(places, expected, subsequences, width);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(at_once.numbers[places[i]] == expected[i]);
  EXPECT(std::memcmp(at_once.numbers, in_parts.numbers, count * sizeof(float)) == 0);
  EXPECT(std::memcmp(at_once.numbers, host.numbers, count * sizeof(float)) == 0);
  EXPECT(std::memcmp(at_once.numbers + offset, behind.numbers + offset,
                     (count - offset) * sizeof(float)) == 0);
  CHECK(cudaFree(places));
  CHECK(cudaFree(expected));
}

template <class Number>
void expect_moments_of(const Number* numbers, size_t count, double mean, double variance,
                       double kurtosis) {
  CHECK(cudaDeviceSynchronize());
  double sums[2] = {};
  for (size_t i = 0; i < count; ++i) {
    sums[0] += numbers[i] / double(count) * kThreads * kDraws;
    sums[1] += double(numbers[i]) * numbers[i] / double(count) * kThreads * kDraws;
  }
  expect_moments(sums, mean, variance, kurtosis);
}

/// The kinds of numbers that are not published.
void check_kinds(curandRngType_t type) {
  constexpr size_t kCount = 6000;
  Generator of(type, false);
  auto* bits = reinterpret_cast<unsigned*>(of.numbers);
  auto* doubles = reinterpret_cast<double*>(of.numbers);
  RANDOM(curandGenerate(of.generator, bits, kCount));
  expect_moments_of(bits, kCount, 0x1p31, 0x1p64 / 12, 1.8);
  RANDOM(curandGenerateUniformDouble(of.generator, doubles, kCount));
  expect_moments_of(doubles, kCount, 0.5, 1.0 / 12, 1.8);
  RANDOM(curandGenerateNormalDouble(of.generator, doubles, kCount, 3, 2));
  expect_moments_of(doubles, kCount, 3, 4, 3);
  RANDOM(curandGenerateLogNormalDouble(of.generator, doubles, kCount, 3, 2));
  CHECK(cudaDeviceSynchronize());
  for (size_t i = 0; i < kCount; ++i) doubles[i] = std::log(doubles[i]);
  expect_moments_of(doubles, kCount, 3, 4, 3);
  RANDOM(curandGeneratePoisson(of.generator, bits, kCount, 20));
  expect_moments_of(bits, kCount, 20, 20, 3.05);
}

void check_errors_of_generators() {
  curandGenerator_t none = nullptr;
  float* numbers = nullptr;
  EXPECT(curandCreateGenerator(&none, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandGenerateUniform(none, numbers, 1) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandDestroyGenerator(none) == CURAND_STATUS_NOT_INITIALIZED);
  const Generator of(CURAND_RNG_PSEUDO_DEFAULT, false);
  EXPECT(curandGenerateNormal(of.generator, of.numbers, 3, 0, 1) ==
         CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT(curandGeneratePoisson(of.generator, reinterpret_cast<unsigned*>(of.numbers), 3, 0) ==
         CURAND_STATUS_OUT_OF_RANGE);
}

int main() {
  check_known_answers();
  check_jumps<curandStateXORWOW_t>();
  check_jumps<curandStateMRG32k3a_t>();
  check_jumps<curandStatePhilox4_32_10_t>();
  check_distributions<curandStateXORWOW_t>();
  check_distributions<curandStateMRG32k3a_t>();
  check_distributions<curandStatePhilox4_32_10_t>();
  for (const bool host : {false, true}) check_published(host);
  check_order<curandStateXORWOW_t>(CURAND_RNG_PSEUDO_XORWOW, CURAND_ORDERING_PSEUDO_DEFAULT, 4096,
                                   1);
  check_order<curandStateMRG32k3a_t>(CURAND_RNG_PSEUDO_MRG32K3A, CURAND_ORDERING_PSEUDO_BEST, 81920,
                                     1);
  check_order<curandStateMRG32k3a_t>(CURAND_RNG_PSEUDO_MRG32K3A, CURAND_ORDERING_PSEUDO_LEGACY,
                                     4096, 1);
  check_order<curandStatePhilox4_32_10_t>(CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                          CURAND_ORDERING_PSEUDO_DEFAULT, 65536, 4);
  for (const Published& published : kPublished) check_kinds(published.type);
  check_errors_of_generators();
  std::printf("all generators and distributions are right\n");
  return 0;
}
