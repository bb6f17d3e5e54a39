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

// To the nearest value that so many bits hold; top is the largest of them.
__device__ __forceinline__ float quantized(float v, float top) {
  return floorf(__saturatef(v) * top + 0.5f) * (1.0f / top);
}

// End `a` from the sums of least squares, see below.
__device__ __forceinline__ Colour end_colour(Colour w_sum, float w_weight, Colour v_sum,
                                             float v_weight, float factor) {
  return {quantized((w_sum.red * w_weight - v_sum.red * v_weight) * factor, 31.0f),
          quantized((w_sum.green * w_weight - v_sum.green * v_weight) * factor, 63.0f),
          quantized((w_sum.blue * w_weight - v_sum.blue * v_weight) * factor, 31.0f)};
}

__device__ __forceinline__ float dot(Colour a, Colour b) {
  return a.red * b.red + a.green * b.green + a.blue * b.blue;
}

// A colour c is coded as (w a + v b) / 3 with ends a, b and v = 3 - w. Minimizes the sum of
// |3 c - w a - v b|^2 and returns it without its constant part, the sum of |3 c|^2.
__device__ __forceinline__ float fit(const Colours& colours, Colour sum, unsigned int codes,
                                     Colour* a, Colour* b) {
  int w_total = 0;
  int ww = 0;
  Colour w_sum = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < PIXELS; ++i) {
    const int code = (codes >> (2 * i)) & 3;
    const int w = (0x63 >> (2 * code)) & 3;  // code 0: 3, 1: 0, 2: 2, 3: 1
    const float weight = (float)w;
    w_total += w;
    ww += w * w;
    w_sum.red += weight * colours.red[i];
    w_sum.green += weight * colours.green[i];
    w_sum.blue += weight * colours.blue[i];
  }
  const Colour v_sum = {3.0f * sum.red - w_sum.red, 3.0f * sum.green - w_sum.green,
                        3.0f * sum.blue - w_sum.blue};
  const float w2 = (float)ww;
  const float wv = (float)(3 * w_total - ww);
  const float v2 = (float)(9 * PIXELS - 6 * w_total + ww);

  const float determinant = w2 * v2 - wv * wv;
  if (determinant == 0.0f) {  // one cluster: its mean
    *a = end_colour(sum, 1.0f / PIXELS, sum, 0.0f, 1.0f);
    *b = *a;
  } else {
    const float factor = 3.0f / determinant;
    *a = end_colour(w_sum, v2, v_sum, wv, factor);
    *b = end_colour(v_sum, w2, w_sum, wv, factor);
  }
  return w2 * dot(*a, *a) + v2 * dot(*b, *b) + 2.0f * wv * dot(*a, *b) -
         6.0f * (dot(*a, w_sum) + dot(*b, v_sum));
}

__device__ __forceinline__ unsigned int packed(Colour c) {
  return ((unsigned int)(c.red * 31.0f + 0.5f) << 11) |
         ((unsigned int)(c.green * 63.0f + 0.5f) << 5) | (unsigned int)(c.blue * 31.0f + 0.5f);
}

__global__ void dxtc_compress(uint2* blocks, const unsigned int* image,
                              const unsigned int* partitions) {
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
  Colour best_a = sum;
  Colour best_b = sum;
#pragma unroll 1
  for (int i = thread; i < PARTITIONS; i += THREADS) {
    const unsigned int codes = partitions[i];
    Colour a, b;
    const float error = fit(sorted, sum, codes, &a, &b);
    if (error < best_error) {
      best_error = error;
      best_codes = codes;
      best_a = a;
      best_b = b;
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
    unsigned int first = packed(best_a);
    unsigned int second = packed(best_b);
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
