// SPDX-License-Identifier: MIT
// Random numbers in kernels, cuRAND's device API: what is known of the generators, jumps against
// steps, and the distributions.
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

int main() {
  check_known_answers();
  check_jumps<curandStateXORWOW_t>();
  check_jumps<curandStateMRG32k3a_t>();
  check_jumps<curandStatePhilox4_32_10_t>();
  check_distributions<curandStateXORWOW_t>();
  check_distributions<curandStateMRG32k3a_t>();
  check_distributions<curandStatePhilox4_32_10_t>();
  std::printf("all generators and distributions are right\n");
  return 0;
}
