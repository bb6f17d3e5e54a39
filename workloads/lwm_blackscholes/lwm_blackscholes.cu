// SPDX-License-Identifier: MIT
// European options priced by the formula of Black and Scholes, from the algorithm of PARSEC's
// "blackscholes": every option has a rate and a volatility of its own and is a call or a put, which
// is a branch. Threads are persistent: each takes every option whose number is its own plus a
// multiple of the number of threads. The distribution function of the normal distribution is a
// polynomial (Abramowitz and Stegun, 26.2.17), with an error of less than 1e-7; logarithm and
// powers are the library's, as in PARSEC.

// The probability that a normally distributed variable is at most d.
__device__ __forceinline__ float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.3989422804f * expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void price_options(const float* prices, const float* strikes, const float* rates,
                              const float* volatilities, const float* years, const int* puts,
                              float* values, int options) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < options; i += gridDim.x * blockDim.x) {
    const float price = prices[i];
    const float strike = strikes[i];
    const float rate = rates[i];
    const float volatility = volatilities[i];
    const float time = years[i];

    const float deviation = volatility * sqrtf(time);
    const float d1 =
        (logf(price / strike) + (rate + 0.5f * volatility * volatility) * time) / deviation;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d1 - deviation);
    const float discounted = strike * expf(-rate * time);
    float value;
    if (puts[i] != 0) {
      asm volatile("");  // stays a branch
      value = discounted * (1.0f - n2) - price * (1.0f - n1);
    } else {
      asm volatile("");
      value = price * n1 - discounted * n2;
    }
    values[i] = value;
  }
}
