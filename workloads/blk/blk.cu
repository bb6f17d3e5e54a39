// SPDX-License-Identifier: MIT
// European options priced by the formula of Black and Scholes, from the algorithm of the CUDA SDK's
// "BlackScholes": the values of a call and of a put with the same price, strike and time. The
// distribution function of the normal distribution is a polynomial (Abramowitz and Stegun,
// 26.2.17), with an error of less than 1e-7.

// The probability that a normally distributed variable is at most d.
__device__ float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.3989422804f * __expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

// One-dimensional; a thread takes each option whose index is its own plus a multiple of the number
// of threads.
__global__ void __launch_bounds__(128, 8)
    black_scholes(float* calls, float* puts, const float* prices, const float* strikes,
                  const float* years, float rate, float volatility, int options) {
  const int threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < options; i += threads) {
    const float price = prices[i];
    const float strike = strikes[i];
    const float time = years[i];

    const float deviation = volatility * sqrtf(time);
    const float d1 =
        (__logf(price / strike) + (rate + 0.5f * volatility * volatility) * time) / deviation;
    const float d2 = d1 - deviation;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float discounted = strike * __expf(-rate * time);
    calls[i] = price * n1 - discounted * n2;
    puts[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
  }
}
