// SPDX-License-Identifier: MIT
// European call options priced by Monte Carlo simulation: one block per option, 256 threads, all
// options over the same normally distributed samples. Each option is priced as the mean payoff at
// its end over all paths; the block leaves the sum of the payoffs and of their squares, from which
// the mean and its confidence follow.

#define THREADS 256
#define MAX_OPTIONS 2048

struct Option {
  float price;  // of the stock, now
  float strike;
  float drift;      // expected growth of the price's logarithm until the option ends
  float deviation;  // standard deviation of the same
};

__constant__ Option options[MAX_OPTIONS];

// Normally distributed samples from pairs of uniform ones in (0, 1), by the Box-Muller transform.
__global__ void normal_samples(float* samples, const float* uniform, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const float radius = sqrtf(-2.0f * __logf(uniform[i]));
  const float angle = 6.2831853f * uniform[i + pairs] - 3.1415927f;
  samples[i] = radius * __cosf(angle);
  samples[i + pairs] = radius * __sinf(angle);
}

__global__ void __launch_bounds__(256, 5)
    option_values(float2* values, const float* samples, int paths) {
  __shared__ float sums[THREADS];
  __shared__ float square_sums[THREADS];
  const int thread = threadIdx.x;
  const float price = options[blockIdx.x].price;
  const float strike = options[blockIdx.x].strike;
  const float drift = options[blockIdx.x].drift;
  const float deviation = options[blockIdx.x].deviation;

  float sum = 0.0f;
  float square_sum = 0.0f;
#pragma unroll 1
  for (int i = thread; i < paths; i += THREADS) {
    const float end_price = price * __expf(drift + deviation * samples[i]);
    const float payoff = fmaxf(end_price - strike, 0.0f);
    sum += payoff;
    square_sum += payoff * payoff;
  }
  sums[thread] = sum;
  square_sums[thread] = square_sum;

  for (int half = THREADS / 2; half > 0; half >>= 1) {
    __syncthreads();
    if (thread < half) {
      sums[thread] += sums[thread + half];
      square_sums[thread] += square_sums[thread + half];
    }
  }
  if (thread == 0) values[blockIdx.x] = make_float2(sums[0], square_sums[0]);
}
