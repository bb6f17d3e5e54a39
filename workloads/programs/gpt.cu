// SPDX-License-Identifier: MIT
// A small GPT with the blocks of GPT-2: a step of its training (forwards, backwards, AdamW), or
// tokens one after the other, with a cache of keys and values. Numbers are of single precision;
// products of matrices run on tensor cores, which get them rounded to half precision and add in
// single precision. Needs a GPU with tensor cores (--gpu a100).
//
//   gpt                                            both, of a tiny model, each checked
//   gpt train LAYERS WIDTH HEADS LENGTH WORDS      a step with a text of LENGTH of WORDS tokens
//   gpt generate LAYERS WIDTH HEADS LENGTH WORDS   LENGTH tokens
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "../today/tensor.h"
#include "check.h"

namespace {

constexpr int kWarp = 32;
constexpr int kThreads = 128;  // of a block, unless a kernel says otherwise
constexpr float kEpsilon = 1e-5f;

// ---- products of matrices -----------------------------------------------------------------------

/// Matrices of a batch: numbers from one row to the next, and from one matrix to the next. As they
/// are in memory, also where a product takes them transposed.
struct Matrices {
  float* at;
  int pitch;
  size_t stride;
};

constexpr int kTile = 64;    // rows and columns of a block's results
constexpr int kDepth = 32;   // of a step along the sum
constexpr int kPadding = 8;  // behind each row of a tile: rows begin in different banks

/// c = scale * (a b) + bias + addend, of which the last two may be null; b and a are transposed if
/// the template says so. Block z of the grid has matrix z of the batch.
template <bool kTransposedA, bool kTransposedB>
__global__ void __launch_bounds__(kThreads)
    product(Matrices a, Matrices b, Matrices c, const float* bias, const float* addend, int rows,
            int columns, int inner, float scale) {
  __shared__ half_bits left[kTile][kDepth + kPadding];
  __shared__ half_bits right[kDepth][kTile + kPadding];
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const float* const of_a = a.at + blockIdx.z * a.stride;
  const float* const of_b = b.at + blockIdx.z * b.stride;
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int down = warp / 2 * 32, across = warp % 2 * 32;  // a warp has 32 x 32 results
  float sum[2][4][4] = {};
  for (int step = 0; step < inner; step += kDepth) {
#pragma unroll
    for (int turn = 0; turn < kTile * kDepth / kThreads; ++turn) {
      const int i = turn * kThreads + threadIdx.x;
      const int row = kTransposedA ? i % kTile : i / kDepth;
      const int k = kTransposedA ? i / kTile : i % kDepth;
      const bool there = first_row + row < rows && step + k < inner;
      const size_t from = kTransposedA ? size_t(step + k) * a.pitch + first_row + row
                                       : size_t(first_row + row) * a.pitch + step + k;
      left[row][k] = static_cast<half_bits>(pack(there ? of_a[from] : 0, 0));
    }
#pragma unroll
    for (int turn = 0; turn < kTile * kDepth / kThreads; ++turn) {
      const int i = turn * kThreads + threadIdx.x;
      const int column = kTransposedB ? i / kDepth : i % kTile;
      const int k = kTransposedB ? i % kDepth : i / kTile;
      const bool there = first_column + column < columns && step + k < inner;
      const size_t from = kTransposedB ? size_t(first_column + column) * b.pitch + step + k
                                       : size_t(step + k) * b.pitch + first_column + column;
      right[k][column] = static_cast<half_bits>(pack(there ? of_b[from] : 0, 0));
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
      const int at = lane % 16, half = lane / 16 * 8;
      unsigned rows_of_a[2][4], columns_of_b[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        load_matrices(rows_of_a[i], shared_address(&left[down + 16 * i + at][k + half]));
        load_transposed(columns_of_b[i], shared_address(&right[k + at][across + 16 * i + half]));
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const unsigned(&pair)[4] = columns_of_b[i % 4 / 2];
        multiply(sum[i / 4][i % 4], rows_of_a[i / 4], pair[i % 2 * 2], pair[i % 2 * 2 + 1]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const int row = first_row + down + i / 16 * 16 + i / 2 % 2 * 8 + lane / 4;
    const int column = first_column + across + i / 4 % 4 * 8 + lane % 4 * 2 + i % 2;
    if (row >= rows || column >= columns) continue;
    const size_t to = blockIdx.z * c.stride + size_t(row) * c.pitch + column;
    float value = scale * sum[i / 16][i / 4 % 4][i % 4];
    if (bias != nullptr) value += bias[column];
    if (addend != nullptr) value += addend[to];
    c.at[to] = value;
  }
}

/// One row: out = row b + bias + addend. A block has a warp's width of columns and `blockDim.y`
/// parts of the sum.
__global__ void row_product(const float* row, const float* b, const float* bias,
                            const float* addend, float* out, int inner, int columns) {
  __shared__ float parts[kWarp][kWarp];
  const int column = blockIdx.x * kWarp + threadIdx.x;
  float sum = 0;
  if (column < columns) {
#pragma unroll 4
    for (int k = threadIdx.y; k < inner; k += blockDim.y)
      sum += row[k] * b[size_t(k) * columns + column];
  }
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= columns) return;
  for (int part = 1; part < blockDim.y; ++part) sum += parts[part][threadIdx.x];
  if (bias != nullptr) sum += bias[column];
  if (addend != nullptr) sum += addend[column];
  out[column] = sum;
}

// ---- sums and the largest ---------------------------------------------------------------------

struct Sum {
  __device__ static float of(float a, float b) { return a + b; }
};
struct Largest {
  __device__ static float of(float a, float b) { return fmaxf(a, b); }
};

template <typename Operation>
__device__ float over_warp(float value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value = Operation::of(value, __shfl_xor_sync(0xffffffffu, value, distance));
  }
  return value;
}

/// Over the block's threads, whole warps of them.
template <typename Operation>
__device__ float over_block(float value) {
  __shared__ float of_warp[kWarp];
  value = over_warp<Operation>(value);
  __syncthreads();  // the reduction before has been read
  if (threadIdx.x % kWarp == 0) of_warp[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < blockDim.x / kWarp; ++warp) value = Operation::of(value, of_warp[warp]);
  return value;
}

/// One row: out[i] = scale * row i of b times `row`; a warp for each.
__global__ void rows_product(const float* row, const float* b, float* out, int inner, int rows) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (i >= rows) return;
  float sum = 0;
  for (int k = threadIdx.x % kWarp; k < inner; k += kWarp) sum += row[k] * b[size_t(i) * inner + k];
  sum = over_warp<Sum>(sum);
  if (threadIdx.x % kWarp == 0) out[i] = sum;
}

__global__ void column_sums(const float* in, float* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
#pragma unroll 4
  for (int row = 0; row < rows; ++row) sum += in[size_t(row) * columns + column];
  out[column] = sum;
}

// ---- what stands between the products
// ------------------------------------------------------------

/// Row t of `out`: the embedding of token t and that of its position, `first` + t.
__global__ void embed(const float* words, const float* positions, const int* tokens, int first,
                      float* out, int width) {
  const int t = blockIdx.x;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    out[size_t(t) * width + i] =
        words[size_t(tokens[t]) * width + i] + positions[size_t(first + t) * width + i];
  }
}

__global__ void embed_back(const float* gradient, const int* tokens, float* words, float* positions,
                           int width) {
  const int t = blockIdx.x;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const float value = gradient[size_t(t) * width + i];
    atomicAdd(&words[size_t(tokens[t]) * width + i], value);  // tokens occur many times
    positions[size_t(t) * width + i] = value;
  }
}

/// A block has a row, here and below. `saved` gets its mean and the factor of its deviations.
__global__ void layer_norm(const float* in, const float* gain, const float* bias, float* out,
                           float2* saved, int width) {
  const float* const row = in + size_t(blockIdx.x) * width;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) sum += row[i];
  const float mean = over_block<Sum>(sum) / width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    squares += (row[i] - mean) * (row[i] - mean);
  }
  const float factor = rsqrtf(over_block<Sum>(squares) / width + kEpsilon);
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    out[size_t(blockIdx.x) * width + i] = (row[i] - mean) * factor * gain[i] + bias[i];
  }
  if (threadIdx.x == 0 && saved != nullptr) saved[blockIdx.x] = make_float2(mean, factor);
}

/// Adds to the gradient of `in`, which the sum that goes around the norm has as well.
__global__ void layer_norm_back(const float* in, const float2* saved, const float* gain,
                                const float* out_gradient, float* in_gradient, float* gain_gradient,
                                float* bias_gradient, int width) {
  const size_t row = size_t(blockIdx.x) * width;
  const float mean = saved[blockIdx.x].x, factor = saved[blockIdx.x].y;
  float sum = 0, products = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const float normed = (in[row + i] - mean) * factor, gradient = out_gradient[row + i];
    sum += gradient * gain[i];
    products += gradient * gain[i] * normed;
    atomicAdd(&gain_gradient[i], gradient * normed);
    atomicAdd(&bias_gradient[i], gradient);
  }
  sum = over_block<Sum>(sum) / width;
  products = over_block<Sum>(products) / width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const float normed = (in[row + i] - mean) * factor;
    in_gradient[row + i] += factor * (out_gradient[row + i] * gain[i] - sum - normed * products);
  }
}

/// Of each row of scores up to the token itself; 0 behind it. In place. y of the grid is the head.
__global__ void causal_softmax(float* scores, int length) {
  float* const row = scores + (size_t(blockIdx.y) * length + blockIdx.x) * length;
  const int seen = blockIdx.x + 1;
  float largest = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < seen; i += blockDim.x) largest = fmaxf(largest, row[i]);
  largest = over_block<Largest>(largest);
  for (int i = threadIdx.x; i < seen; i += blockDim.x) sum += __expf(row[i] - largest);
  const float factor = 1 / over_block<Sum>(sum);
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    row[i] = i < seen ? __expf(row[i] - largest) * factor : 0;
  }
}

/// The gradient of the scores, in the place of that of their softmax.
__global__ void softmax_back(const float* softmax, float* gradient, int length) {
  const size_t row = (size_t(blockIdx.y) * length + blockIdx.x) * length;
  float sum = 0;
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    sum += softmax[row + i] * gradient[row + i];
  sum = over_block<Sum>(sum);
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    gradient[row + i] = softmax[row + i] * (gradient[row + i] - sum);
  }
}

/// GELU by its formula with tanh.
constexpr float kGelu = 0.7978845608f, kCube = 0.044715f;

__global__ void gelu(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = in[i];
  out[i] = 0.5f * x * (1 + tanhf(kGelu * (x + kCube * x * x * x)));
}

__global__ void gelu_back(const float* in, float* gradient, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = in[i], t = tanhf(kGelu * (x + kCube * x * x * x));
  gradient[i] *= 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * kGelu * (1 + 3 * kCube * x * x);
}

/// The loss of each token's successor, and the gradient of their mean in the place of the logits.
__global__ void cross_entropy(float* logits, const int* successors, float* losses, int words) {
  float* const row = logits + size_t(blockIdx.x) * words;
  float largest = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) largest = fmaxf(largest, row[i]);
  largest = over_block<Largest>(largest);
  for (int i = threadIdx.x; i < words; i += blockDim.x) sum += __expf(row[i] - largest);
  sum = over_block<Sum>(sum);
  const int successor = successors[blockIdx.x];
  if (threadIdx.x == 0) losses[blockIdx.x] = largest + __logf(sum) - row[successor];
  __syncthreads();
  for (int i = threadIdx.x; i < words; i += blockDim.x) {
    row[i] = (__expf(row[i] - largest) / sum - (i == successor ? 1 : 0)) / gridDim.x;
  }
}

/// A step of AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", algorithm 2).
__global__ void adamw(float* weights, const float* gradients, float* firsts, float* seconds,
                      int count, float rate) {
  constexpr float kFirst = 0.9f, kSecond = 0.999f, kDecay = 0.01f;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float gradient = gradients[i];
  const float first = firsts[i] = kFirst * firsts[i] + (1 - kFirst) * gradient;
  const float second = seconds[i] = kSecond * seconds[i] + (1 - kSecond) * gradient * gradient;
  const float mean = first / (1 - kFirst), root = sqrtf(second / (1 - kSecond)) + 1e-8f;
  weights[i] -= rate * (mean / root + kDecay * weights[i]);
}

/// One token's attention. A row of `cache` has a token's keys and then its values, of all heads;
/// that of the token itself, `seen` - 1, is written here. A block has a head.
__global__ void cached_attention(const float* queries_keys_values, float* cache, float* out,
                                 int seen, int width, int of_head, float scale) {
  extern __shared__ float scores[];  // seen
  const int from = blockIdx.x * of_head, warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  float* const own = cache + size_t(seen - 1) * 2 * width;
  for (int i = threadIdx.x; i < of_head; i += blockDim.x) {
    own[from + i] = queries_keys_values[width + from + i];
    own[width + from + i] = queries_keys_values[2 * width + from + i];
  }
  __syncthreads();
  for (int t = warp; t < seen; t += blockDim.x / kWarp) {
    const float* const keys = cache + size_t(t) * 2 * width + from;
    float sum = 0;
    for (int i = lane; i < of_head; i += kWarp) sum += queries_keys_values[from + i] * keys[i];
    sum = over_warp<Sum>(sum);
    if (lane == 0) scores[t] = scale * sum;
  }
  __syncthreads();
  float largest = -INFINITY, sum = 0;
  for (int t = threadIdx.x; t < seen; t += blockDim.x) largest = fmaxf(largest, scores[t]);
  largest = over_block<Largest>(largest);
  for (int t = threadIdx.x; t < seen; t += blockDim.x) {
    scores[t] = __expf(scores[t] - largest);
    sum += scores[t];
  }
  const float factor = 1 / over_block<Sum>(sum);  // its barriers make the scores visible
  for (int i = threadIdx.x; i < of_head; i += blockDim.x) {
    float value = 0;
    for (int t = 0; t < seen; ++t)
      value += scores[t] * cache[size_t(t) * 2 * width + width + from + i];
    out[from + i] = factor * value;
  }
}

/// The number of the largest, the first one of several, in one block.
__global__ void take_largest(const float* in, int count, int* out) {
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < count; i += blockDim.x) largest = fmaxf(largest, in[i]);
  largest = over_block<Largest>(largest);
  if (threadIdx.x == 0) *out = count;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    if (in[i] == largest) atomicMin(out, i);
  }
}

// ---- the model
// -----------------------------------------------------------------------------------

struct Shape {
  int layers, width, heads, length, words;
};

/// Where the parameters of a layer begin among all.
struct Layer {
  size_t gain1, bias1, attention, attention_bias, project, project_bias;
  size_t gain2, bias2, up, up_bias, down, down_bias;
};

/// Matrices have a row for each number that comes in, and a column for each that goes out.
struct Places {
  size_t words, positions, gain, bias, count = 0;
  std::vector<Layer> layers;

  explicit Places(const Shape& shape) {
    const size_t c = shape.width;
    words = take(shape.words * c);
    positions = take(shape.length * c);
    for (int layer = 0; layer < shape.layers; ++layer) {
      layers.push_back({take(c), take(c), take(3 * c * c), take(3 * c), take(c * c), take(c),
                        take(c), take(c), take(4 * c * c), take(4 * c), take(4 * c * c), take(c)});
    }
    gain = take(c);
    bias = take(c);
  }

 private:
  size_t take(size_t size) {
    const size_t at = count;
    count += size;
    return at;
  }
};

std::vector<float> random_parameters(const Shape& shape, const Places& places) {
  std::mt19937 random(1);
  std::normal_distribution<float> weight(0, 0.2f);
  std::vector<float> values(places.count);
  for (float& value : values) value = weight(random);
  const auto ones = [&](size_t at) {
    for (int i = 0; i < shape.width; ++i) values[at + i] += 1;
  };
  for (const Layer& layer : places.layers) {
    ones(layer.gain1);
    ones(layer.gain2);
  }
  ones(places.gain);
  return values;
}

std::vector<int> random_text(const Shape& shape) {
  std::mt19937 random(2);
  std::vector<int> text(shape.length + 1);
  for (int& token : text) token = static_cast<int>(random() % shape.words);
  return text;
}

/// Memory of the device, all zero at first, until it goes.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    for (void* const piece : pieces_) CHECK(cudaFree(piece));
  }
  template <typename Type>
  Type* take(size_t count) {
    CHECK(cudaMalloc(&pieces_.emplace_back(), count * sizeof(Type)));
    CHECK(cudaMemset(pieces_.back(), 0, count * sizeof(Type)));
    return static_cast<Type*>(pieces_.back());
  }
  template <typename Type>
  Type* copy_of(const std::vector<Type>& values) {
    Type* const piece = take<Type>(values.size());
    CHECK(cudaMemcpy(piece, values.data(), values.size() * sizeof(Type), cudaMemcpyHostToDevice));
    return piece;
  }

 private:
  std::vector<void*> pieces_;
};

template <typename Type>
std::vector<Type> host_copy(const Type* memory, size_t count) {
  std::vector<Type> values(count);
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(Type), cudaMemcpyDeviceToHost));
  return values;
}

unsigned blocks(size_t count, unsigned of) { return static_cast<unsigned>((count + of - 1) / of); }

template <bool kTransposedA, bool kTransposedB>
void multiply(Matrices a, Matrices b, Matrices c, int rows, int columns, int inner,
              const float* bias = nullptr, const float* addend = nullptr, float scale = 1,
              unsigned batch = 1) {
  const dim3 grid(blocks(columns, kTile), blocks(rows, kTile), batch);
  product<kTransposedA, kTransposedB>
      <<<grid, kThreads>>>(a, b, c, bias, addend, rows, columns, inner, scale);
}

/// A training step's memory: what the way back needs of the way forth.
class Trainer {
 public:
  Trainer(const Shape& shape, const std::vector<float>& parameters, const std::vector<int>& text)
      : shape_(shape), places_(shape) {
    weights_ = memory_.copy_of(parameters);
    gradients_ = memory_.take<float>(places_.count);
    firsts_ = memory_.take<float>(places_.count);
    seconds_ = memory_.take<float>(places_.count);
    text_ = memory_.copy_of(text);
    const size_t t = shape.length, c = shape.width, squares = shape.heads * t * t;
    for (int layer = 0; layer < shape.layers; ++layer) {
      saved_.push_back(
          {memory_.take<float>(t * c), memory_.take<float>(t * c), memory_.take<float2>(t),
           memory_.take<float>(t * 3 * c), memory_.take<float>(squares), memory_.take<float>(t * c),
           memory_.take<float>(t * c), memory_.take<float>(t * c), memory_.take<float2>(t),
           memory_.take<float>(t * 4 * c), memory_.take<float>(t * 4 * c)});
    }
    last_ = memory_.take<float>(t * c);
    normed_ = memory_.take<float>(t * c);
    norm_ = memory_.take<float2>(t);
    logits_ = memory_.take<float>(t * shape.words);
    losses_ = memory_.take<float>(t);
    stream_ = memory_.take<float>(t * c);
    wide_ = memory_.take<float>(t * 4 * c);
    scores_ = memory_.take<float>(squares);
    narrow_ = memory_.take<float>(t * c);
  }

  void forwards() {
    const int t = shape_.length, c = shape_.width, head = c / shape_.heads;
    embed<<<t, kThreads>>>(weights_ + places_.words, weights_ + places_.positions, text_, 0,
                           stream_of(0), c);
    for (int number = 0; number < shape_.layers; ++number) {
      const Layer& at = places_.layers[number];
      const Saved& s = saved_[number];
      layer_norm<<<t, kThreads>>>(s.in, weights_ + at.gain1, weights_ + at.bias1, s.normed1,
                                  s.norm1, c);
      multiply<false, false>({s.normed1, c, 0}, {weights_ + at.attention, 3 * c, 0},
                             {s.attention, 3 * c, 0}, t, 3 * c, c, weights_ + at.attention_bias);
      multiply<false, true>(queries(s.attention), keys(s.attention), squares(s.softmax), t, t, head,
                            nullptr, nullptr, scale(), shape_.heads);
      causal_softmax<<<dim3(t, shape_.heads), kThreads>>>(s.softmax, t);
      multiply<false, false>(squares(s.softmax), values(s.attention), heads(s.mixed), t, head, t,
                             nullptr, nullptr, 1, shape_.heads);
      multiply<false, false>({s.mixed, c, 0}, {weights_ + at.project, c, 0}, {s.middle, c, 0}, t, c,
                             c, weights_ + at.project_bias, s.in);
      layer_norm<<<t, kThreads>>>(s.middle, weights_ + at.gain2, weights_ + at.bias2, s.normed2,
                                  s.norm2, c);
      multiply<false, false>({s.normed2, c, 0}, {weights_ + at.up, 4 * c, 0}, {s.up, 4 * c, 0}, t,
                             4 * c, c, weights_ + at.up_bias);
      gelu<<<blocks(size_t(t) * 4 * c, kThreads), kThreads>>>(s.up, s.active, t * 4 * c);
      multiply<false, false>({s.active, 4 * c, 0}, {weights_ + at.down, c, 0},
                             {stream_of(number + 1), c, 0}, t, c, 4 * c, weights_ + at.down_bias,
                             s.middle);
    }
    layer_norm<<<t, kThreads>>>(last_, weights_ + places_.gain, weights_ + places_.bias, normed_,
                                norm_, c);
    multiply<false, true>({normed_, c, 0}, {weights_ + places_.words, c, 0},
                          {logits_, shape_.words, 0}, t, shape_.words, c);
  }

  /// Behind forwards(). Takes the place of the logits.
  float mean_loss() {
    cross_entropy<<<shape_.length, kThreads>>>(logits_, text_ + 1, losses_, shape_.words);
    double sum = 0;
    for (const float loss : host_copy(losses_, shape_.length)) sum += loss;
    return static_cast<float>(sum / shape_.length);
  }

  /// Behind mean_loss().
  void backwards() {
    const int t = shape_.length, c = shape_.width, head = c / shape_.heads, words = shape_.words;
    CHECK(cudaMemset(gradients_, 0, places_.count * sizeof(float)));
    CHECK(cudaMemset(stream_, 0, size_t(t) * c * sizeof(float)));
    multiply<true, false>({logits_, words, 0}, {normed_, c, 0}, {gradients_ + places_.words, c, 0},
                          words, c, t);
    multiply<false, false>({logits_, words, 0}, {weights_ + places_.words, c, 0}, {narrow_, c, 0},
                           t, c, words);
    norm_back(last_, norm_, places_.gain, places_.bias);
    for (int number = shape_.layers - 1; number >= 0; --number) {
      const Layer& at = places_.layers[number];
      const Saved& s = saved_[number];
      linear_back(s.active, 4 * c, stream_, c, at.down, at.down_bias, wide_);
      gelu_back<<<blocks(size_t(t) * 4 * c, kThreads), kThreads>>>(s.up, wide_, t * 4 * c);
      linear_back(s.normed2, c, wide_, 4 * c, at.up, at.up_bias, narrow_);
      norm_back(s.middle, s.norm2, at.gain2, at.bias2);
      linear_back(s.mixed, c, stream_, c, at.project, at.project_bias, narrow_);
      multiply<false, true>(heads(narrow_), values(s.attention), squares(scores_), t, t, head,
                            nullptr, nullptr, 1, shape_.heads);
      multiply<true, false>(squares(s.softmax), heads(narrow_), values(wide_), t, head, t, nullptr,
                            nullptr, 1, shape_.heads);
      softmax_back<<<dim3(t, shape_.heads), kThreads>>>(s.softmax, scores_, t);
      multiply<false, false>(squares(scores_), keys(s.attention), queries(wide_), t, head, t,
                             nullptr, nullptr, scale(), shape_.heads);
      multiply<true, false>(squares(scores_), queries(s.attention), keys(wide_), t, head, t,
                            nullptr, nullptr, scale(), shape_.heads);
      linear_back(s.normed1, c, wide_, 3 * c, at.attention, at.attention_bias, narrow_);
      norm_back(s.in, s.norm1, at.gain1, at.bias1);
    }
    embed_back<<<t, kThreads>>>(stream_, text_, gradients_ + places_.words,
                                gradients_ + places_.positions, c);
  }

  void update(float rate) {
    adamw<<<blocks(places_.count, kThreads), kThreads>>>(weights_, gradients_, firsts_, seconds_,
                                                         static_cast<int>(places_.count), rate);
  }

  [[nodiscard]] std::vector<float> gradients() const {
    return host_copy(gradients_, places_.count);
  }
  /// Behind forwards(): of the last token.
  [[nodiscard]] std::vector<float> last_logits() const {
    return host_copy(logits_ + size_t(shape_.length - 1) * shape_.words, shape_.words);
  }

 private:
  struct Saved {
    float *in, *normed1;
    float2* norm1;
    float *attention, *softmax, *mixed, *middle, *normed2;
    float2* norm2;
    float *up, *active;
  };

  /// What goes into layer `number`, or comes out of the last one.
  float* stream_of(int number) { return number < shape_.layers ? saved_[number].in : last_; }
  [[nodiscard]] float scale() const {
    return 1 / std::sqrt(static_cast<float>(shape_.width) / shape_.heads);
  }
  [[nodiscard]] size_t head() const { return shape_.width / shape_.heads; }
  // Of each head. Rows of attention are queries, keys, and values of all heads.
  [[nodiscard]] Matrices queries(float* from) const { return {from, 3 * shape_.width, head()}; }
  [[nodiscard]] Matrices keys(float* from) const { return queries(from + shape_.width); }
  [[nodiscard]] Matrices values(float* from) const { return queries(from + 2 * shape_.width); }
  [[nodiscard]] Matrices heads(float* from) const { return {from, shape_.width, head()}; }
  [[nodiscard]] Matrices squares(float* from) const {
    return {from, shape_.length, size_t(shape_.length) * shape_.length};
  }

  /// Of out = in w + b: the gradients of w and b, and that of in.
  void linear_back(float* in, int inner, float* out_gradient, int columns, size_t weight,
                   size_t bias, float* in_gradient) {
    const int t = shape_.length;
    multiply<true, false>({in, inner, 0}, {out_gradient, columns, 0},
                          {gradients_ + weight, columns, 0}, inner, columns, t);
    column_sums<<<blocks(columns, kThreads), kThreads>>>(out_gradient, gradients_ + bias, t,
                                                         columns);
    multiply<false, true>({out_gradient, columns, 0}, {weights_ + weight, columns, 0},
                          {in_gradient, inner, 0}, t, inner, columns);
  }

  /// From narrow_ to stream_.
  void norm_back(const float* in, const float2* saved, size_t gain, size_t bias) {
    layer_norm_back<<<shape_.length, kThreads>>>(in, saved, weights_ + gain, narrow_, stream_,
                                                 gradients_ + gain, gradients_ + bias,
                                                 shape_.width);
  }

  Shape shape_;
  Places places_;
  Memory memory_;
  std::vector<Saved> saved_;
  float *weights_, *gradients_, *firsts_, *seconds_;
  int* text_;
  float *last_, *normed_, *logits_, *losses_;
  float2* norm_;
  // Gradients: of the sum that goes through all layers, and of what hangs on it.
  float *stream_, *wide_, *narrow_, *scores_;
};

class Generator {
 public:
  Generator(const Shape& shape, const std::vector<float>& parameters)
      : shape_(shape), places_(shape) {
    const size_t c = shape.width;
    weights_ = memory_.copy_of(parameters);
    for (int layer = 0; layer < shape.layers; ++layer) {
      caches_.push_back(memory_.take<float>(shape.length * 2 * c));
    }
    stream_ = memory_.take<float>(c);
    normed_ = memory_.take<float>(c);
    wide_ = memory_.take<float>(4 * c);
    active_ = memory_.take<float>(4 * c);
    logits_ = memory_.take<float>(shape.words);
    token_ = memory_.take<int>(1);
  }

  /// The token at this position, whose successor is taken next.
  void take(int token) { CHECK(cudaMemcpy(token_, &token, sizeof token, cudaMemcpyHostToDevice)); }
  /// Of the token that was taken last, at `position`; then takes the likeliest one.
  void step(int position) {
    const int c = shape_.width;
    embed<<<1, kThreads>>>(weights_ + places_.words, weights_ + places_.positions, token_, position,
                           stream_, c);
    for (int number = 0; number < shape_.layers; ++number) {
      const Layer& at = places_.layers[number];
      norm(at.gain1, at.bias1);
      multiply(normed_, c, at.attention, at.attention_bias, nullptr, wide_, 3 * c);
      cached_attention<<<shape_.heads, kThreads, (position + 1) * sizeof(float)>>>(
          wide_, caches_[number], normed_, position + 1, c, c / shape_.heads,
          1 / std::sqrt(static_cast<float>(c) / shape_.heads));
      multiply(normed_, c, at.project, at.project_bias, stream_, stream_, c);
      norm(at.gain2, at.bias2);
      multiply(normed_, c, at.up, at.up_bias, nullptr, wide_, 4 * c);
      gelu<<<blocks(4 * c, kThreads), kThreads>>>(wide_, active_, 4 * c);
      multiply(active_, 4 * c, at.down, at.down_bias, stream_, stream_, c);
    }
    norm(places_.gain, places_.bias);
    rows_product<<<blocks(size_t(shape_.words) * kWarp, kThreads), kThreads>>>(
        normed_, weights_ + places_.words, logits_, c, shape_.words);
    take_largest<<<1, 1024>>>(logits_, shape_.words, token_);
  }

  [[nodiscard]] std::vector<float> logits() const { return host_copy(logits_, shape_.words); }
  [[nodiscard]] int token() const { return host_copy(token_, 1)[0]; }

 private:
  void norm(size_t gain, size_t bias) {
    layer_norm<<<1, kThreads>>>(stream_, weights_ + gain, weights_ + bias, normed_, nullptr,
                                shape_.width);
  }
  void multiply(const float* in, int inner, size_t weight, size_t bias, const float* addend,
                float* out, int columns) {
    row_product<<<blocks(columns, kWarp), dim3(kWarp, 8)>>>(in, weights_ + weight, weights_ + bias,
                                                            addend, out, inner, columns);
  }

  Shape shape_;
  Places places_;
  Memory memory_;
  float* weights_;
  std::vector<float*> caches_;
  float *stream_, *normed_, *wide_, *active_, *logits_;
  int* token_;
};

// ---- the host's own way
// ---------------------------------------------------------------------------

using Numbers = std::vector<double>;

/// The mean loss in double precision, forwards alone.
double host_loss(const Shape& shape, const std::vector<float>& w, const std::vector<int>& text) {
  const Places places(shape);
  const int t = shape.length, c = shape.width, head = c / shape.heads;
  const auto norm = [&](const Numbers& in, size_t gain, size_t bias) {
    Numbers out(in.size());
    for (int row = 0; row < t; ++row) {
      double mean = 0, squares = 0;
      for (int i = 0; i < c; ++i) mean += in[row * c + i] / c;
      for (int i = 0; i < c; ++i) squares += std::pow(in[row * c + i] - mean, 2) / c;
      for (int i = 0; i < c; ++i) {
        out[row * c + i] =
            (in[row * c + i] - mean) / std::sqrt(squares + kEpsilon) * w[gain + i] + w[bias + i];
      }
    }
    return out;
  };
  const auto linear = [&](const Numbers& in, int inner, size_t weight, size_t bias, int columns) {
    Numbers out(size_t(t) * columns);
    for (int row = 0; row < t; ++row) {
      for (int j = 0; j < columns; ++j) out[row * columns + j] = w[bias + j];
      for (int k = 0; k < inner; ++k) {
        for (int j = 0; j < columns; ++j) {
          out[row * columns + j] += in[row * inner + k] * w[weight + k * columns + j];
        }
      }
    }
    return out;
  };
  Numbers stream(size_t(t) * c);
  for (int i = 0; i < t * c; ++i) {
    stream[i] = w[places.words + text[i / c] * c + i % c] + double(w[places.positions + i]);
  }
  for (const Layer& at : places.layers) {
    const Numbers qkv =
        linear(norm(stream, at.gain1, at.bias1), c, at.attention, at.attention_bias, 3 * c);
    Numbers mixed(stream.size());
    for (int row = 0; row < t; ++row) {
      for (int first = 0; first < c; first += head) {
        Numbers share(row + 1);
        double sum = 0;
        for (int other = 0; other <= row; ++other) {
          double score = 0;
          for (int i = first; i < first + head; ++i) {
            score += qkv[row * 3 * c + i] * qkv[other * 3 * c + c + i];
          }
          sum += share[other] = std::exp(score / std::sqrt(double(head)));
        }
        for (int other = 0; other <= row; ++other) {
          for (int i = first; i < first + head; ++i) {
            mixed[row * c + i] += share[other] / sum * qkv[other * 3 * c + 2 * c + i];
          }
        }
      }
    }
    const auto add = [&](const Numbers& other) {
      for (size_t i = 0; i < stream.size(); ++i) stream[i] += other[i];
    };
    add(linear(mixed, c, at.project, at.project_bias, c));
    Numbers up = linear(norm(stream, at.gain2, at.bias2), c, at.up, at.up_bias, 4 * c);
    for (double& x : up) x *= 0.5 * (1 + std::tanh(kGelu * (x + kCube * x * x * x)));
    add(linear(up, 4 * c, at.down, at.down_bias, c));
  }
  const Numbers last = norm(stream, places.gain, places.bias);
  double loss = 0;
  for (int row = 0; row < t; ++row) {
    double sum = 0, own = 0;
    for (int word = 0; word < shape.words; ++word) {
      double logit = 0;
      for (int i = 0; i < c; ++i) logit += last[row * c + i] * w[places.words + word * c + i];
      sum += std::exp(logit);
      if (word == text[row + 1]) own = logit;
    }
    loss += (std::log(sum) - own) / t;
  }
  return loss;
}

/// Whether two numbers agree as far as half precision lets them.
bool near(double a, double b, double unit) {
  return std::fabs(a - b) <= 0.03 * std::fabs(b) + unit;
}

void check_training(const Shape& shape) {
  std::vector<float> parameters = random_parameters(shape, Places(shape));
  const std::vector<int> text = random_text(shape);
  Trainer trainer(shape, parameters, text);
  trainer.forwards();
  const float before = trainer.mean_loss();
  EXPECT(near(before, host_loss(shape, parameters, text), 0));
  trainer.backwards();
  const std::vector<float> gradients = trainer.gradients();
  // Along the gradient of each kind of parameter the loss must change by its square.
  const Places places(shape);
  std::vector<size_t> starts{places.words, places.positions, places.gain, places.bias};
  for (const Layer& at : places.layers) {
    for (const size_t start :
         {at.gain1, at.bias1, at.attention, at.attention_bias, at.project, at.project_bias,
          at.gain2, at.bias2, at.up, at.up_bias, at.down, at.down_bias}) {
      starts.push_back(start);
    }
  }
  for (const size_t start : starts) {
    const size_t count = shape.width;  // a row of it, or all
    double squares = 0;
    for (size_t i = start; i < start + count; ++i) squares += std::pow(gradients[i], 2);
    const double step = 1e-2 / std::sqrt(squares + 1e-12);
    double losses[2];
    for (const int side : {0, 1}) {
      std::vector<float> moved = parameters;
      for (size_t i = start; i < start + count; ++i) {
        moved[i] += static_cast<float>((2 * side - 1) * step * gradients[i]);
      }
      losses[side] = host_loss(shape, moved, text);
    }
    EXPECT(near(squares, (losses[1] - losses[0]) / (2 * step), 1e-6));
  }
  trainer.update(1e-3f);
  trainer.forwards();
  const float after = trainer.mean_loss();
  EXPECT(after < before);
  std::printf("training: loss %.4f, after a step %.4f\n", before, after);
}

/// Tokens with a cache must have the logits of the whole text at once.
void check_generation(const Shape& shape) {
  const std::vector<float> parameters = random_parameters(shape, Places(shape));
  const std::vector<int> text = random_text(shape);
  Trainer trainer(shape, parameters, text);
  trainer.forwards();
  const std::vector<float> expected = trainer.last_logits();
  Generator generator(shape, parameters);
  for (int position = 0; position < shape.length; ++position) {
    generator.take(text[position]);
    generator.step(position);
  }
  const std::vector<float> logits = generator.logits();
  int likeliest = 0;
  for (int word = 0; word < shape.words; ++word) {
    EXPECT(near(logits[word], expected[word], 0.01));
    if (logits[word] > logits[likeliest]) likeliest = word;
  }
  EXPECT(generator.token() == likeliest);
  std::printf("generation: token %d\n", likeliest);
}

int usage() {
  std::printf(
      "usage: gpt [train|generate LAYERS WIDTH HEADS LENGTH WORDS]\n"
      "WIDTH is a multiple of HEADS; all are at least 1, WORDS at least 2\n");
  return 2;
}

}  // namespace

int main(int count, char** words) {
  if (count == 1) {
    check_training({2, 32, 2, 24, 40});
    check_generation({2, 32, 2, 12, 40});
    std::printf("PASS\n");
    return 0;
  }
  const bool trains = count == 7 && std::strcmp(words[1], "train") == 0;
  if (!trains && (count != 7 || std::strcmp(words[1], "generate") != 0)) return usage();
  int numbers[5];
  for (int i = 0; i < 5; ++i) {
    char* end = nullptr;
    const long number = std::strtol(words[2 + i], &end, 10);
    if (*end != '\0' || number < 1 || number > 1 << 20) return usage();
    numbers[i] = static_cast<int>(number);
  }
  const Shape shape{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
  if (shape.width % shape.heads != 0 || shape.words < 2) return usage();
  const Places places(shape);
  const std::vector<float> parameters = random_parameters(shape, places);
  std::printf("%zu parameters\n", places.count);
  if (trains) {
    Trainer trainer(shape, parameters, random_text(shape));
    trainer.forwards();
    std::printf("loss %.4f\n", trainer.mean_loss());
    trainer.backwards();
    trainer.update(1e-3f);
  } else {
    Generator generator(shape, parameters);
    for (int position = 0; position < shape.length; ++position) generator.step(position);
    std::printf("token %d\n", generator.token());
  }
  CHECK(cudaDeviceSynchronize());
  return 0;
}
