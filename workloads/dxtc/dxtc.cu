// SPDX-License-Identifier: MIT
// DXT1 compression of an image in 4 x 4 pixels, one block of 256 threads for each. The colours are
// sorted along the line that fits them best; every way of cutting the sorted colours into four
// clusters is tried, 969 of them over the threads: least squares give the two end colours, the
// other two lie between them at thirds. The partition of least error wins.
//
// Pixels are 0xAABBGGRR, the 16 of a block one after the other. A compressed block is two end
// colours of 5:6:5 bits, then 2 bits per pixel: 0 first end, 1 second end, 2 and 3 in between.

#define THREADS 256
#define PIXELS 16
#define PARTITIONS 969
#define POWER_ITERATIONS 8

// The partitions: two bits for each sorted colour, the code of its cluster.
__global__ void dxtc_partitions(unsigned int* partitions) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= PARTITIONS) return;
  // Clusters begin at colours 0 <= first <= second <= third <= 16.
  int rest = index;
  int first = 0;
#pragma unroll 1
  while (rest >= (PIXELS + 1 - first) * (PIXELS + 2 - first) / 2) {
    rest -= (PIXELS + 1 - first) * (PIXELS + 2 - first) / 2;
    ++first;
  }
  int second = first;
#pragma unroll 1
  while (rest >= PIXELS + 1 - second) {
    rest -= PIXELS + 1 - second;
    ++second;
  }
  const int third = second + rest;

  unsigned int codes = 0;
#pragma unroll 1
  for (int i = PIXELS - 1; i >= 0; --i) {
    codes = (codes << 2) | (i < first ? 0 : i < second ? 2 : i < third ? 3 : 1);
  }
  partitions[index] = codes;
}

struct Colour {
  float red, green, blue;
};

struct Colours {  // in shared memory, one array per component
  float red[PIXELS], green[PIXELS], blue[PIXELS];
};

__device__ __forceinline__ float dot(Colour a, Colour b) {
  return a.red * b.red + a.green * b.green + a.blue * b.blue;
}

// Sums over a partition: a colour c is coded as (w a + v b) / 3 with ends a, b and v = 3 - w.
struct Weights {
  float ww, wv, vv;
  float factor;  // 3 / (ww vv - wv wv)
};

// One component of the ends by least squares, rounded to integers up to `top`, from the sums of w c
// and v c. Returns this component's sum of |3 c - w a - v b|^2 without its constant part |3 c|^2.
__device__ __forceinline__ float fit(float wc, float vc, Weights weights, float top,
                                     unsigned int* a_bits, unsigned int* b_bits) {
  const float exact_a = (wc * weights.vv - vc * weights.wv) * weights.factor;
  const float exact_b = (vc * weights.ww - wc * weights.wv) * weights.factor;
  const float rounded_a = floorf(__saturatef(exact_a) * top + 0.5f);
  const float rounded_b = floorf(__saturatef(exact_b) * top + 0.5f);
  *a_bits = (unsigned int)rounded_a;
  *b_bits = (unsigned int)rounded_b;
  const float a = rounded_a * (1.0f / top);
  const float b = rounded_b * (1.0f / top);
  return a * a * weights.ww + b * b * weights.vv +
         2.0f * (a * b * weights.wv - 3.0f * (a * wc + b * vc));
}

// The best ends, packed, for a partition of the sorted colours; returns the error without its
// constant part. A single cluster does not determine two ends and gets infinity.
__device__ __forceinline__ float fit(const Colours& colours, Colour sum, unsigned int codes,
                                     unsigned int* ends) {
  int w_total = 0;
  int ww = 0;
  Colour wc = {0.0f, 0.0f, 0.0f};
#pragma unroll 1
  for (int i = 0; i < PIXELS; ++i) {
    const int code = (codes >> (2 * i)) & 3;
    const int w = (0x63 >> (2 * code)) & 3;  // code 0: 3, 1: 0, 2: 2, 3: 1
    const float weight = (float)w;
    w_total += w;
    ww += w * w;
    wc.red += weight * colours.red[i];
    wc.green += weight * colours.green[i];
    wc.blue += weight * colours.blue[i];
  }
  Weights weights;
  weights.ww = (float)ww;
  weights.wv = (float)(3 * w_total - ww);
  weights.vv = (float)(9 * PIXELS - 6 * w_total + ww);
  const float determinant = weights.ww * weights.vv - weights.wv * weights.wv;
  weights.factor = 3.0f / determinant;

  unsigned int a, b;
  float error = fit(wc.red, 3.0f * sum.red - wc.red, weights, 31.0f, &a, &b);
  *ends = a << 11 | b << 27;
  error += fit(wc.green, 3.0f * sum.green - wc.green, weights, 63.0f, &a, &b);
  *ends |= a << 5 | b << 21;
  error += fit(wc.blue, 3.0f * sum.blue - wc.blue, weights, 31.0f, &a, &b);
  *ends |= a | b << 16;
  return determinant != 0.0f ? error : INFINITY;
}

__global__ void __launch_bounds__(256, 4)
    dxtc_compress(uint2* blocks, const unsigned int* image, const unsigned int* partitions) {
  __shared__ Colours pixels;
  __shared__ Colours sorted;
  __shared__ float projection[PIXELS];
  __shared__ int place[PIXELS];  // of each pixel among the sorted
  __shared__ float errors[THREADS];
  __shared__ int owners[THREADS];
  const int thread = threadIdx.x;

  if (thread < PIXELS) {
    const unsigned int pixel = image[blockIdx.x * PIXELS + thread];
    pixels.red[thread] = (float)(pixel & 0xff) * (1.0f / 255.0f);
    pixels.green[thread] = (float)((pixel >> 8) & 0xff) * (1.0f / 255.0f);
    pixels.blue[thread] = (float)((pixel >> 16) & 0xff) * (1.0f / 255.0f);
  }
  __syncthreads();

  // Sums, covariance and, by power iteration, its main axis.
  Colour sum = {0.0f, 0.0f, 0.0f};
#pragma unroll 1
  for (int i = 0; i < PIXELS; ++i) {
    sum.red += pixels.red[i];
    sum.green += pixels.green[i];
    sum.blue += pixels.blue[i];
  }
  if (thread < PIXELS) {
    float rr = 0.0f, rg = 0.0f, rb = 0.0f, gg = 0.0f, gb = 0.0f, bb = 0.0f;
#pragma unroll 1
    for (int i = 0; i < PIXELS; ++i) {
      const float red = pixels.red[i] - sum.red * (1.0f / PIXELS);
      const float green = pixels.green[i] - sum.green * (1.0f / PIXELS);
      const float blue = pixels.blue[i] - sum.blue * (1.0f / PIXELS);
      rr += red * red;
      rg += red * green;
      rb += red * blue;
      gg += green * green;
      gb += green * blue;
      bb += blue * blue;
    }
    Colour axis = {1.0f, 1.0f, 1.0f};
#pragma unroll 1
    for (int i = 0; i < POWER_ITERATIONS; ++i) {
      const float red = axis.red * rr + axis.green * rg + axis.blue * rb;
      const float green = axis.red * rg + axis.green * gg + axis.blue * gb;
      const float blue = axis.red * rb + axis.green * gb + axis.blue * bb;
      const float largest = fmaxf(fmaxf(fabsf(red), fabsf(green)), fabsf(blue));
      const float scale = largest > 0.0f ? __fdividef(1.0f, largest) : 0.0f;
      axis = {red * scale, green * scale, blue * scale};
    }
    const Colour mine = {pixels.red[thread], pixels.green[thread], pixels.blue[thread]};
    projection[thread] = dot(mine, axis);
  }
  __syncthreads();

  if (thread < PIXELS) {
    const float mine = projection[thread];
    int rank = 0;
#pragma unroll 1
    for (int i = 0; i < PIXELS; ++i) {
      const float other = projection[i];
      rank += other < mine || (other == mine && i < thread);
    }
    place[thread] = rank;
    sorted.red[rank] = pixels.red[thread];
    sorted.green[rank] = pixels.green[thread];
    sorted.blue[rank] = pixels.blue[thread];
  }
  __syncthreads();

  float best_error = INFINITY;
  unsigned int best_codes = 0;
  unsigned int best_ends = 0;
#pragma unroll 1
  for (int i = thread; i < PARTITIONS; i += THREADS) {
    const unsigned int codes = partitions[i];
    unsigned int ends;
    const float error = fit(sorted, sum, codes, &ends);
    if (error < best_error) {
      best_error = error;
      best_codes = codes;
      best_ends = ends;
    }
  }

  errors[thread] = best_error;
  owners[thread] = thread;
#pragma unroll 1
  for (int half = THREADS / 2; half > 0; half >>= 1) {
    __syncthreads();
    if (thread < half && errors[thread + half] < errors[thread]) {
      errors[thread] = errors[thread + half];
      owners[thread] = owners[thread + half];
    }
  }
  __syncthreads();

  if (thread == owners[0]) {
    unsigned int first = best_ends & 0xffff;
    unsigned int second = best_ends >> 16;
    // The first end must be the greater one; were they equal, code 3 would mean black.
    if (first < second) {
      const unsigned int other = first;
      first = second;
      second = other;
      best_codes ^= 0x55555555u;
    } else if (first == second) {
      best_codes = 0;
    }
    unsigned int codes = 0;
#pragma unroll 1
    for (int i = 0; i < PIXELS; ++i) codes |= ((best_codes >> (2 * place[i])) & 3) << (2 * i);
    blocks[blockIdx.x] = make_uint2(first | (second << 16), codes);
  }
}

// The component of a pixel that a decoder shows for `code`; ends have `bits` bits at `shift`.
__device__ __forceinline__ int decoded(unsigned int ends, int code, int bits, int shift) {
  const int mask = (1 << bits) - 1;
  const int first_bits = (ends >> shift) & mask;
  const int second_bits = (ends >> (shift + 16)) & mask;
  const int first = (first_bits << (8 - bits)) | (first_bits >> (2 * bits - 8));
  const int second = (second_bits << (8 - bits)) | (second_bits >> (2 * bits - 8));
  const bool four_colours = (ends & 0xffff) > (ends >> 16);
  if (code == 0) return first;
  if (code == 1) return second;
  if (code == 2) return four_colours ? (2 * first + second) / 3 : (first + second) / 2;
  return four_colours ? (first + 2 * second) / 3 : 0;
}

// What a viewer would see: the sum of squared differences between the image and the decoded blocks,
// per block. One thread per pixel; the block is a multiple of 32 threads.
__global__ void dxtc_errors(float* errors, const uint2* blocks, const unsigned int* image,
                            int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int error = 0;
  if (i < pixels) {
    const uint2 block = blocks[i / PIXELS];
    const unsigned int pixel = image[i];
    const int code = (block.y >> (2 * (i % PIXELS))) & 3;
    const int red = (int)(pixel & 0xff) - decoded(block.x, code, 5, 11);
    const int green = (int)((pixel >> 8) & 0xff) - decoded(block.x, code, 6, 5);
    const int blue = (int)((pixel >> 16) & 0xff) - decoded(block.x, code, 5, 0);
    error = red * red + green * green + blue * blue;
  }
#pragma unroll
  for (int lanes = PIXELS / 2; lanes > 0; lanes /= 2) {
    error += __shfl_xor_sync(0xffffffffu, error, lanes);
  }
  if (i < pixels && i % PIXELS == 0) errors[i / PIXELS] = (float)error;
}
