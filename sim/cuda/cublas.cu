// SPDX-License-Identifier: MIT
// libcublas.so: the calls of cublas_v2.h as kernels. Results are those of the definitions of BLAS;
// the order of sums is our own, so the last bits differ from those of NVIDIA's library.
#include <algorithm>
#include <type_traits>

#include "cublas_v2.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  int cores = 0;
  // In the device's memory: kResultBytes for the result of a reduction, and its parts.
  char* parts = nullptr;
};

namespace cublas {

using Handle = cublasHandle_t;
using Status = cublasStatus_t;
using Operation = cublasOperation_t;

constexpr int kThreads = 256;     // of a block
constexpr int kMostBlocks = 512;  // of a kernel whose threads go over more than one element
constexpr size_t kResultBytes = 16;
constexpr size_t kPartBytes = 16;

/// A factor, which the host has or the device.
template <class Number>
struct Factor {
  Number here;
  const void* there;
  bool half;  // there, of a call whose factors are of that type

  __device__ Number value() const {
    if (there == nullptr) return here;
    return half ? Number(float(*static_cast<const __half*>(there)))
                : *static_cast<const Number*>(there);
  }
};

/// Elements in equal distances; the first one is the last in memory if the distance is negative.
template <class Number>
struct Vector {
  Number* first;
  long long distance;

  Vector(int n, Number* data, int increment)
      : first(data + (increment < 0 ? (1LL - n) * increment : 0)), distance(increment) {}
  __device__ Number& operator[](long long i) const { return first[i * distance]; }
};

/// The matrices op(A) of a batch, with the distances between neighbours of a column and of a row.
template <class Number>
struct Matrices {
  Number* first;
  Number* const* each;  // or null
  long long stride, down, right;

  Matrices(Operation operation, Number* data, long long leading, Number* const* pointers = nullptr,
           long long stride = 0)
      : first(data),
        each(pointers),
        stride(stride),
        down(operation == CUBLAS_OP_N ? 1 : leading),
        right(operation == CUBLAS_OP_N ? leading : 1) {}
  __device__ Number* of(unsigned batch) const {
    return each != nullptr ? each[batch] : first + batch * stride;
  }
};

__device__ long long first_element() {
  return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
}
__device__ long long elements_at_once() { return gridDim.x * static_cast<long long>(blockDim.x); }

// --- vectors -------------------------------------------------------------------------------------

template <class Number>
__global__ void add_scaled(int n, Factor<Number> alpha, Vector<const Number> x, Vector<Number> y) {
  const Number factor = alpha.value();
  if (factor == 0) return;
  for (long long i = first_element(); i < n; i += elements_at_once()) y[i] += factor * x[i];
}

template <class Number>
__global__ void scale(int n, Factor<Number> alpha, Vector<Number> x) {
  const Number factor = alpha.value();
  for (long long i = first_element(); i < n; i += elements_at_once()) x[i] *= factor;
}

template <class Number>
__global__ void copy_elements(int n, Vector<const Number> x, Vector<Number> y) {
  for (long long i = first_element(); i < n; i += elements_at_once()) y[i] = x[i];
}

template <class Number>
__global__ void swap_elements(int n, Vector<Number> x, Vector<Number> y) {
  for (long long i = first_element(); i < n; i += elements_at_once()) {
    const Number before = x[i];
    x[i] = y[i];
    y[i] = before;
  }
}

// --- reductions ----------------------------------------------------------------------------------
// Each has parts that are joined: of an element, of a thread, of a block. The part of no element is
// all zeros.

template <class Number, class Sum = Number>
struct Dot {
  struct Part {
    Sum sum;
  };
  using Result = Number;
  Vector<const Number> x, y;
  __device__ Part at(int i) const { return {Sum(x[i]) * Sum(y[i])}; }
  static __device__ Part join(Part a, Part b) { return {a.sum + b.sum}; }
  static __device__ Number result(Part all) { return Number(all.sum); }
};

template <class Number>
struct AbsoluteSum : Dot<Number> {
  using Part = typename Dot<Number>::Part;
  explicit AbsoluteSum(Vector<const Number> x) : Dot<Number>{x, x} {}
  __device__ Part at(int i) const { return {fabs(this->x[i])}; }
};

/// The sum of squares is one of quotients by the largest element, so that none overflows.
template <class Number>
struct Norm {
  struct Part {
    Number largest, squares;
  };
  using Result = Number;
  Vector<const Number> x;
  __device__ Part at(int i) const { return {fabs(x[i]), Number(x[i] != 0)}; }
  static __device__ Part join(Part a, Part b) {
    const Part& more = a.largest < b.largest ? b : a;
    const Part& less = a.largest < b.largest ? a : b;
    if (less.squares == 0) return more;
    const Number ratio = less.largest == more.largest ? 1 : less.largest / more.largest;
    return {more.largest, more.squares + less.squares * ratio * ratio};
  }
  static __device__ Number result(Part all) { return all.largest * sqrt(all.squares); }
};

/// The number, from 1 on, of the first element of the largest (or smallest) absolute value.
template <class Number, bool kLargest>
struct Extreme {
  struct Part {
    Number value;
    int number;
  };
  using Result = int;
  Vector<const Number> x;
  __device__ Part at(int i) const { return {fabs(x[i]), i + 1}; }
  static __device__ Part join(Part a, Part b) {
    if (a.number == 0) return b;
    if (b.number == 0) return a;
    if (a.value == b.value) return a.number < b.number ? a : b;
    return (a.value > b.value) == kLargest ? a : b;
  }
  static __device__ int result(Part all) { return all.number; }
};

/// Of all threads of the block, for its first one.
template <class Reduction>
__device__ typename Reduction::Part join_block(typename Reduction::Part mine) {
  using Part = typename Reduction::Part;
  __shared__ Part parts[kThreads];
  parts[threadIdx.x] = mine;
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (threadIdx.x < distance) {
      parts[threadIdx.x] = Reduction::join(parts[threadIdx.x], parts[threadIdx.x + distance]);
    }
  }
  return parts[0];
}

template <class Reduction>
__global__ void reduce(int n, Reduction of, typename Reduction::Part* parts) {
  typename Reduction::Part mine = {};
  for (long long i = first_element(); i < n; i += elements_at_once()) {
    mine = Reduction::join(mine, of.at(static_cast<int>(i)));
  }
  mine = join_block<Reduction>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = mine;
}

template <class Reduction>
__global__ void reduce_parts(int blocks, const typename Reduction::Part* parts,
                             typename Reduction::Result* result) {
  typename Reduction::Part mine = {};
  for (int i = threadIdx.x; i < blocks; i += kThreads) mine = Reduction::join(mine, parts[i]);
  mine = join_block<Reduction>(mine);
  if (threadIdx.x == 0) *result = Reduction::result(mine);
}

// --- a matrix and vectors ------------------------------------------------------------------------

constexpr int kLanes = 32;

/// y = alpha A x + beta y where neighbours in a column of A are neighbours in memory: a thread has
/// a row, and those above it in the block have other parts of the row.
template <class Number>
__global__ void multiply_rows(int rows, int columns, Factor<Number> alpha, Matrices<const Number> a,
                              Vector<const Number> x, Factor<Number> beta, Vector<Number> y) {
  constexpr int kParts = kThreads / kLanes;
  __shared__ Number parts[kParts][kLanes];
  const int row = blockIdx.x * kLanes + threadIdx.x;
  const Number factor = alpha.value();
  Number sum = 0;
  if (row < rows && factor != 0) {
    for (int j = threadIdx.y; j < columns; j += kParts) sum += a.first[row + j * a.right] * x[j];
  }
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || row >= rows) return;
  for (int part = 1; part < kParts; ++part) sum += parts[part][threadIdx.x];
  sum *= factor;
  if (const Number old = beta.value(); old != 0) sum += old * y[row];
  y[row] = sum;
}

/// The same where neighbours in a row of A are neighbours in memory: a warp has a row.
template <class Number>
__global__ void multiply_by_warps(int rows, int columns, Factor<Number> alpha,
                                  Matrices<const Number> a, Vector<const Number> x,
                                  Factor<Number> beta, Vector<Number> y) {
  const int row = blockIdx.x * (kThreads / kLanes) + threadIdx.y;
  if (row >= rows) return;
  const Number factor = alpha.value();
  Number sum = 0;
  if (factor != 0) {
    for (int j = threadIdx.x; j < columns; j += kLanes) sum += a.first[row * a.down + j] * x[j];
  }
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x != 0) return;
  sum *= factor;
  if (const Number old = beta.value(); old != 0) sum += old * y[row];
  y[row] = sum;
}

template <class Number>
__global__ void add_outer_product(int rows, int columns, Factor<Number> alpha,
                                  Vector<const Number> x, Vector<const Number> y,
                                  Matrices<Number> a) {
  const int row = blockIdx.x * kLanes + threadIdx.x;
  const Number factor = alpha.value();
  if (row >= rows || factor == 0) return;
  const Number mine = factor * x[row];
  for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < columns; j += gridDim.y * blockDim.y) {
    a.first[row + j * a.right] += mine * y[j];
  }
}

// --- matrices ------------------------------------------------------------------------------------

constexpr int kSide = 16;   // of a block's square of threads
constexpr int kDepth = 16;  // of the tiles: products between two barriers
constexpr int kPad = 4;     // between rows of a tile, so that they begin in different banks
static_assert(kSide * kSide == kThreads && kSide == kDepth, "what the tiles are made for");

/// kDepth rows in shared memory, of kEach neighbouring numbers for each of kSide threads.
template <int kEach, class Number>
struct Tile {
  static constexpr int kWide = kSide * kEach;
  /// Read at once.
  struct alignas(sizeof(Number) * kEach < 16 ? sizeof(Number) * kEach : 16) Numbers {
    Number of[kEach];
  };

  __device__ Numbers numbers(int d, int thread) const {
    return *reinterpret_cast<const Numbers*>(&rows[d][thread * kEach]);
  }

  alignas(16) Number rows[kDepth][kWide + kPad];
};

/// Fills tile after tile. Number w of row d is the element w * wide + d * deep behind `from`, 0
/// where w is not below `width`. Neighbours in memory go to neighbouring threads.
template <int kEach, class Number>
class TileLoader {
 public:
  __device__ TileLoader(const Number* from, long long wide, long long deep, int width)
      : width_(width), next_(kDepth * deep) {
    constexpr int kWide = kSide * kEach;
    const int thread = threadIdx.y * kSide + threadIdx.x;
    const bool along = wide == 1;
    w_ = along ? thread % kWide : thread / kDepth;
    d_ = along ? thread / kWide : thread % kDepth;
    w_step_ = along ? 0 : kThreads / kDepth;
    d_step_ = along ? kThreads / kWide : 0;
    from_ = from + w_ * wide + d_ * deep;
    step_ = w_step_ * wide + d_step_ * deep;
  }

  /// The next kDepth rows; those from `depth` on are 0.
  template <class Sum>
  __device__ void load(Tile<kEach, Sum>& tile, int depth) {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const int w = w_ + e * w_step_, d = d_ + e * d_step_;
      tile.rows[d][w] = w < width_ && d < depth ? Sum(from_[e * step_]) : Sum(0);
    }
    from_ += next_;
  }

 private:
  const Number* from_;
  int w_, d_, w_step_, d_step_, width_;
  long long step_, next_;
};

/// The sizes of a product of matrices, m x k and k x n.
struct Sizes {
  int m, n, k;
};

/// C = alpha A B + beta C. A block computes a tile of C; a thread of it has kEach x kEach elements.
template <int kEach, class Number, class To, class Sum>
__global__ void multiply(Sizes sizes, Factor<Sum> alpha, Matrices<const Number> a,
                         Matrices<const Number> b, Factor<Sum> beta, Matrices<To> c,
                         unsigned first) {
  __shared__ Tile<kEach, Sum> left, right;
  constexpr int kWide = kSide * kEach;
  const unsigned tiles = (sizes.m + kWide - 1) / kWide;
  const int i = static_cast<int>(blockIdx.x % tiles) * kWide;
  const int j = static_cast<int>(blockIdx.x / tiles) * kWide;
  const unsigned batch = first + blockIdx.y;
  const Sum factor = alpha.value();
  Sum sums[kEach][kEach] = {};
  if (factor != 0 && sizes.k != 0) {
    TileLoader<kEach, const Number> a_tiles(a.of(batch) + i * a.down, a.down, a.right, sizes.m - i);
    TileLoader<kEach, const Number> b_tiles(b.of(batch) + j * b.right, b.right, b.down,
                                            sizes.n - j);
    for (int k = 0; k < sizes.k; k += kDepth) {
      a_tiles.load(left, sizes.k - k);
      b_tiles.load(right, sizes.k - k);
      __syncthreads();
#pragma unroll
      for (int d = 0; d < kDepth; ++d) {
        const auto x = left.numbers(d, threadIdx.x);
        const auto y = right.numbers(d, threadIdx.y);
#pragma unroll
        for (int r = 0; r < kEach; ++r) {
#pragma unroll
          for (int s = 0; s < kEach; ++s) sums[r][s] += x.of[r] * y.of[s];
        }
      }
      __syncthreads();
    }
  }
  const Sum old = beta.value();
  const int row = i + threadIdx.x * kEach;
  const int column = j + threadIdx.y * kEach;
  To* to = c.of(batch) + row + column * c.right;
#pragma unroll
  for (int s = 0; s < kEach; ++s, to += c.right) {
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
      if (row + r >= sizes.m || column + s >= sizes.n) continue;
      Sum value = factor * sums[r][s];
      if (old != 0) value += old * Sum(to[r]);
      to[r] = To(value);
    }
  }
}

template <class Number>
__global__ void add_matrices(int m, int n, Factor<Number> alpha, Matrices<const Number> a,
                             Factor<Number> beta, Matrices<const Number> b, Matrices<Number> c) {
  __shared__ Tile<1, Number> left, right;
  const unsigned tiles = (m + kSide - 1) / kSide;
  const int i = static_cast<int>(blockIdx.x % tiles) * kSide;
  const int j = static_cast<int>(blockIdx.x / tiles) * kSide;
  const auto load = [&](const Matrices<const Number>& from, Tile<1, Number>& tile) {
    TileLoader<1, const Number>(from.first + i * from.down + j * from.right, from.down, from.right,
                                m - i)
        .load(tile, n - j);
  };
  const Number x = alpha.value(), y = beta.value();
  if (x != 0) load(a, left);
  if (y != 0) load(b, right);
  __syncthreads();
  const int row = i + threadIdx.x, column = j + threadIdx.y;
  if (row >= m || column >= n) return;
  Number sum = 0;
  if (x != 0) sum += x * left.rows[threadIdx.y][threadIdx.x];
  if (y != 0) sum += y * right.rows[threadIdx.y][threadIdx.x];
  c.first[row + column * c.right] = sum;
}

// --- what the calls have in common ---------------------------------------------------------------

Status status_of(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <class... Parameters, class... Arguments>
Status launch(Handle handle, dim3 grid, dim3 block, void (*kernel)(Parameters...),
              Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.stream = handle->stream;
  return status_of(cudaLaunchKernelEx(&config, kernel, arguments...));
}

unsigned groups(long long n, int size) { return static_cast<unsigned>((n + size - 1) / size); }
unsigned blocks_for(int n) { return std::min<unsigned>(groups(n, kThreads), kMostBlocks); }

/// The number at `pointer`, which is the host's or the device's, as the handle says.
template <class Number, class Given>
Factor<Number> factor(Handle handle, const Given* pointer) {
  if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE) {
    return {0, pointer, std::is_same_v<Given, __half>};
  }
  return {static_cast<Number>(*pointer), nullptr, false};
}

/// Whether it is known that the factor is 0.
template <class Number>
bool is_zero(const Factor<Number>& factor) {
  return factor.there == nullptr && factor.here == 0;
}

bool known(Operation operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

/// Whether a matrix of so many rows and columns after the operation can have this leading
/// dimension.
bool fits(Operation operation, int rows, int columns, int leading) {
  return leading >= std::max(1, operation == CUBLAS_OP_N ? rows : columns);
}

// --- handles -------------------------------------------------------------------------------------

Status create(Handle* made) {
  if (made == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  auto* handle = new cublasContext;
  if (cudaDeviceGetAttribute(&handle->cores, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess ||
      cudaMalloc(&handle->parts, kResultBytes + kMostBlocks * kPartBytes) != cudaSuccess) {
    delete handle;
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  *made = handle;
  return CUBLAS_STATUS_SUCCESS;
}

Status destroy(Handle handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cudaError_t error = cudaFree(handle->parts);
  delete handle;
  return status_of(error);
}

template <class Value>
Status set(Handle handle, Value cublasContext::* member, Value value) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->*member = value;
  return CUBLAS_STATUS_SUCCESS;
}
template <class Value>
Status get(Handle handle, Value cublasContext::* member, Value* value) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = handle->*member;
  return CUBLAS_STATUS_SUCCESS;
}
Status set_stream(Handle handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream);
}
Status get_stream(Handle handle, cudaStream_t* stream) {
  return get(handle, &cublasContext::stream, stream);
}
Status set_pointer_mode(Handle handle, cublasPointerMode_t mode) {
  return set(handle, &cublasContext::pointers, mode);
}
Status get_pointer_mode(Handle handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointers, mode);
}
Status set_math_mode(Handle handle, cublasMath_t mode) {
  return set(handle, &cublasContext::math, mode);
}
Status get_math_mode(Handle handle, cublasMath_t* mode) {
  return get(handle, &cublasContext::math, mode);
}
Status set_atomics_mode(Handle handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomics, mode);
}
Status get_atomics_mode(Handle handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomics, mode);
}
/// The kernels need none but their own.
Status set_workspace(Handle handle, void*, size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
Status version(Handle handle, int* version) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

// --- copies --------------------------------------------------------------------------------------

Status copy_rows(size_t width, int height, const void* from, size_t from_pitch, void* to,
                 size_t to_pitch, const cudaStream_t* stream) {
  const auto copied = stream == nullptr ? cudaMemcpy2D(to, to_pitch, from, from_pitch, width,
                                                       height, cudaMemcpyDefault)
                                        : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width,
                                                            height, cudaMemcpyDefault, *stream);
  return copied == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/// `stream`: as each of them gives it, or none.
template <class... Stream>
Status copy_vector(int n, int bytes, const void* x, int incx, void* y, int incy, Stream... stream) {
  if (n < 0 || bytes <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const cudaStream_t* in[] = {&stream..., nullptr};
  const size_t element = bytes;
  if (incx == 1 && incy == 1) return copy_rows(n * element, 1, x, n * element, y, n * element, *in);
  return copy_rows(element, n, x, element * incx, y, element * incy, *in);
}

template <class... Stream>
Status copy_matrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                   Stream... stream) {
  if (rows < 0 || columns < 0 || bytes <= 0 || lda <= 0 || ldb <= 0) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const cudaStream_t* in[] = {&stream..., nullptr};
  const size_t element = bytes;
  return copy_rows(rows * element, columns, a, lda * element, b, ldb * element, *in);
}

// --- vectors -------------------------------------------------------------------------------------

template <class Number>
Status axpy(Handle handle, int n, const Number* alpha, const Number* x, int incx, Number* y,
            int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, blocks_for(n), kThreads, add_scaled<Number>, n,
                factor<Number>(handle, alpha), Vector<const Number>(n, x, incx),
                Vector<Number>(n, y, incy));
}

template <class Number>
Status scal(Handle handle, int n, const Number* alpha, Number* x, int incx) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, blocks_for(n), kThreads, scale<Number>, n, factor<Number>(handle, alpha),
                Vector<Number>(n, x, incx));
}

template <class Number>
Status copy(Handle handle, int n, const Number* x, int incx, Number* y, int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, blocks_for(n), kThreads, copy_elements<Number>, n,
                Vector<const Number>(n, x, incx), Vector<Number>(n, y, incy));
}

template <class Number>
Status swap(Handle handle, int n, Number* x, int incx, Number* y, int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, blocks_for(n), kThreads, swap_elements<Number>, n,
                Vector<Number>(n, x, incx), Vector<Number>(n, y, incy));
}

/// The result of no element if `n` is 0. A result of the host is there when the call returns.
template <class Reduction>
Status reduction(Handle handle, int n, const Reduction& of, typename Reduction::Result* result) {
  using Part = typename Reduction::Part;
  static_assert(sizeof(Part) <= kPartBytes, "what create() has allocated");
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const bool to_host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
  auto* there = to_host ? reinterpret_cast<typename Reduction::Result*>(handle->parts) : result;
  auto* parts = reinterpret_cast<Part*>(handle->parts + kResultBytes);
  const unsigned blocks = n <= 0 ? 0 : blocks_for(n);
  if (blocks != 0) {
    const Status status = launch(handle, blocks, kThreads, reduce<Reduction>, n, of, parts);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  const Status status =
      launch(handle, 1, kThreads, reduce_parts<Reduction>, static_cast<int>(blocks), parts, there);
  if (status != CUBLAS_STATUS_SUCCESS || !to_host) return status;
  const cudaError_t copied =
      cudaMemcpyAsync(result, there, sizeof(*result), cudaMemcpyDeviceToHost, handle->stream);
  return status_of(copied == cudaSuccess ? cudaStreamSynchronize(handle->stream) : copied);
}

template <class Number>
Status dot(Handle handle, int n, const Number* x, int incx, const Number* y, int incy,
           Number* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return reduction(handle, n, Dot<Number>{{n, x, incx}, {n, y, incy}}, result);
}

/// The sum is made in float, or in double for double.
template <class Number, class Sum>
Status dot_of(Handle handle, int n, const void* x, int incx, const void* y, int incy,
              void* result) {
  const auto* from_x = static_cast<const Number*>(x);
  const auto* from_y = static_cast<const Number*>(y);
  return reduction(handle, n, Dot<Number, Sum>{{n, from_x, incx}, {n, from_y, incy}},
                   static_cast<Number*>(result));
}
Status dot_ex(Handle handle, int n, const void* x, cudaDataType x_type, int incx, const void* y,
              cudaDataType y_type, int incy, void* result, cudaDataType result_type,
              cudaDataType execution_type) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cudaDataType sum = x_type == CUDA_R_64F ? CUDA_R_64F : CUDA_R_32F;
  if (y_type != x_type || result_type != x_type || execution_type != sum) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  switch (x_type) {
    case CUDA_R_16F:
      return dot_of<__half, float>(handle, n, x, incx, y, incy, result);
    case CUDA_R_16BF:
      return dot_of<__nv_bfloat16, float>(handle, n, x, incx, y, incy, result);
    case CUDA_R_32F:
      return dot_of<float, float>(handle, n, x, incx, y, incy, result);
    case CUDA_R_64F:
      return dot_of<double, double>(handle, n, x, incx, y, incy, result);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

/// Of one vector; a distance that is not positive leaves no element.
template <class Reduction, class Number>
Status reduction_of_one(Handle handle, int n, const Number* x, int incx,
                        typename Reduction::Result* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return reduction(handle, incx > 0 ? n : 0, Reduction{Vector<const Number>(n, x, incx)}, result);
}
template <class Number>
Status nrm2(Handle handle, int n, const Number* x, int incx, Number* result) {
  return reduction_of_one<Norm<Number>>(handle, n, x, incx, result);
}
template <class Number>
Status asum(Handle handle, int n, const Number* x, int incx, Number* result) {
  return reduction_of_one<AbsoluteSum<Number>>(handle, n, x, incx, result);
}
template <class Number>
Status amax(Handle handle, int n, const Number* x, int incx, int* result) {
  return reduction_of_one<Extreme<Number, true>>(handle, n, x, incx, result);
}
template <class Number>
Status amin(Handle handle, int n, const Number* x, int incx, int* result) {
  return reduction_of_one<Extreme<Number, false>>(handle, n, x, incx, result);
}

// --- a matrix and vectors ------------------------------------------------------------------------

template <class Number>
Status gemv(Handle handle, Operation trans, int m, int n, const Number* alpha, const Number* a,
            int lda, const Number* x, int incx, const Number* beta, Number* y, int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || !known(trans) || lda < std::max(1, m) || incx == 0 || incy == 0 ||
      alpha == nullptr || beta == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool plain = trans == CUBLAS_OP_N;
  const int rows = plain ? m : n, columns = plain ? n : m;
  const auto kernel = plain ? multiply_rows<Number> : multiply_by_warps<Number>;
  return launch(handle, groups(rows, plain ? kLanes : kThreads / kLanes),
                dim3(kLanes, kThreads / kLanes), kernel, rows, columns,
                factor<Number>(handle, alpha), Matrices<const Number>(trans, a, lda),
                Vector<const Number>(columns, x, incx), factor<Number>(handle, beta),
                Vector<Number>(rows, y, incy));
}

template <class Number>
Status ger(Handle handle, int m, int n, const Number* alpha, const Number* x, int incx,
           const Number* y, int incy, Number* a, int lda) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || incx == 0 || incy == 0 || alpha == nullptr || lda < std::max(1, m)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  constexpr int kRows = kThreads / kLanes;
  return launch(handle, dim3(groups(m, kLanes), std::min<unsigned>(groups(n, kRows), kMostBlocks)),
                dim3(kLanes, kRows), add_outer_product<Number>, m, n, factor<Number>(handle, alpha),
                Vector<const Number>(m, x, incx), Vector<const Number>(n, y, incy),
                Matrices<Number>(CUBLAS_OP_N, a, lda));
}

// --- matrices ------------------------------------------------------------------------------------

template <class Number>
Status geam(Handle handle, Operation transa, Operation transb, int m, int n, const Number* alpha,
            const Number* a, int lda, const Number* beta, const Number* b, int ldb, Number* c,
            int ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || !known(transa) || !known(transb) || alpha == nullptr || beta == nullptr ||
      !fits(transa, m, n, lda) || !fits(transb, m, n, ldb) || !fits(CUBLAS_OP_N, m, n, ldc)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  // In place, a matrix is neither transposed nor another shape.
  const bool onto_a = c == a && (transa != CUBLAS_OP_N || lda != ldc);
  const bool onto_b = c == b && (transb != CUBLAS_OP_N || ldb != ldc);
  const auto x = factor<Number>(handle, alpha), y = factor<Number>(handle, beta);
  if ((onto_a && !is_zero(x)) || (onto_b && !is_zero(y))) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, groups(m, kSide) * groups(n, kSide), dim3(kSide, kSide),
                add_matrices<Number>, m, n, x, Matrices<const Number>(transa, a, lda), y,
                Matrices<const Number>(transb, b, ldb), Matrices<Number>(CUBLAS_OP_N, c, ldc));
}

/// Of matrices with these leading dimensions. Scale: the type of the factors.
template <class Number, class To, class Sum, class Scale>
Status product(Handle handle, Operation transa, Operation transb, Sizes sizes, const Scale* alpha,
               const Matrices<const Number>& a, int lda, const Matrices<const Number>& b, int ldb,
               const Scale* beta, const Matrices<To>& c, int ldc, int batches) {
  const int m = sizes.m, n = sizes.n, k = sizes.k;
  if (m < 0 || n < 0 || k < 0 || batches < 0 || !known(transa) || !known(transb) ||
      !fits(transa, m, k, lda) || !fits(transb, k, n, ldb) || !fits(CUBLAS_OP_N, m, n, ldc) ||
      alpha == nullptr || beta == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
  if (c.first == nullptr && c.each == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  // Large tiles need fewer accesses. They must fill the cores, and be filled.
  const auto tiles = [&](int wide) { return 1LL * groups(m, wide) * groups(n, wide); };
  const bool large = std::min(m, n) > 2 * kSide && tiles(4 * kSide) * batches >= handle->cores;
  const int wide = large ? 4 * kSide : 2 * kSide;
  const auto kernel = large ? multiply<4, Number, To, Sum> : multiply<2, Number, To, Sum>;
  constexpr int kAtOnce = 65535;
  for (int first = 0; first < batches; first += kAtOnce) {
    const dim3 grid(static_cast<unsigned>(tiles(wide)), std::min(kAtOnce, batches - first));
    const Status status =
        launch(handle, grid, dim3(kSide, kSide), kernel, sizes, factor<Sum>(handle, alpha), a, b,
               factor<Sum>(handle, beta), c, static_cast<unsigned>(first));
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

/// Sums of half are made in float.
template <class Number>
using SumOf = std::conditional_t<std::is_same_v<Number, double>, double, float>;

template <class Number>
Status gemm_strided(Handle handle, Operation transa, Operation transb, int m, int n, int k,
                    const Number* alpha, const Number* a, int lda, long long stride_a,
                    const Number* b, int ldb, long long stride_b, const Number* beta, Number* c,
                    int ldc, long long stride_c, int batches) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return product<Number, Number, SumOf<Number>>(
      handle, transa, transb, {m, n, k}, alpha,
      Matrices<const Number>(transa, a, lda, nullptr, stride_a), lda,
      Matrices<const Number>(transb, b, ldb, nullptr, stride_b), ldb, beta,
      Matrices<Number>(CUBLAS_OP_N, c, ldc, nullptr, stride_c), ldc, batches);
}

template <class Number>
Status gemm(Handle handle, Operation transa, Operation transb, int m, int n, int k,
            const Number* alpha, const Number* a, int lda, const Number* b, int ldb,
            const Number* beta, Number* c, int ldc) {
  return gemm_strided(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0,
                      1);
}

template <class Number>
Status gemm_batched(Handle handle, Operation transa, Operation transb, int m, int n, int k,
                    const Number* alpha, const Number* const a[], int lda, const Number* const b[],
                    int ldb, const Number* beta, Number* const c[], int ldc, int batches) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return product<Number, Number, SumOf<Number>>(
      handle, transa, transb, {m, n, k}, alpha, Matrices<const Number>(transa, nullptr, lda, a),
      lda, Matrices<const Number>(transb, nullptr, ldb, b), ldb, beta,
      Matrices<Number>(CUBLAS_OP_N, nullptr, ldc, c), ldc, batches);
}

/// The matrices of a call that names their types: one pointer and a stride, or a pointer for each.
struct Untyped {
  cudaDataType type;
  int leading;
  const void* first;
  long long stride;
  const void* each;

  template <class Number>
  Matrices<Number> as(Operation operation) const {
    return {operation, static_cast<Number*>(const_cast<void*>(first)), leading,
            static_cast<Number* const*>(each), stride};
  }
};

template <class Number, class To, class Sum, class Scale>
struct Types {};

Status product_of_types(Handle handle, Operation transa, Operation transb, Sizes sizes,
                        const void* alpha, const Untyped& a, const Untyped& b, const void* beta,
                        const Untyped& c, int batches, cublasComputeType_t compute) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto run = [&](auto types) {
    return [&]<class Number, class To, class Sum, class Scale>(Types<Number, To, Sum, Scale>) {
      return product<Number, To, Sum>(
          handle, transa, transb, sizes, static_cast<const Scale*>(alpha),
          a.as<const Number>(transa), a.leading, b.as<const Number>(transb), b.leading,
          static_cast<const Scale*>(beta), c.as<To>(CUBLAS_OP_N), c.leading, batches);
    }(types);
  };
  const auto are = [&](cudaDataType of_a, cudaDataType of_c) {
    return a.type == of_a && b.type == of_a && c.type == of_c;
  };
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      if (are(CUDA_R_16F, CUDA_R_16F)) return run(Types<__half, __half, float, __half>());
      break;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      if (are(CUDA_R_32F, CUDA_R_32F)) return run(Types<float, float, float, float>());
      if (are(CUDA_R_16F, CUDA_R_16F)) return run(Types<__half, __half, float, float>());
      if (are(CUDA_R_16F, CUDA_R_32F)) return run(Types<__half, float, float, float>());
      if (are(CUDA_R_16BF, CUDA_R_16BF)) {
        return run(Types<__nv_bfloat16, __nv_bfloat16, float, float>());
      }
      if (are(CUDA_R_16BF, CUDA_R_32F)) return run(Types<__nv_bfloat16, float, float, float>());
      break;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      if (are(CUDA_R_64F, CUDA_R_64F)) return run(Types<double, double, double, double>());
      break;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      if (are(CUDA_R_8I, CUDA_R_32I)) return run(Types<signed char, int, int, int>());
      break;
    default:
      break;
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

Status gemm_strided_ex(Handle handle, Operation transa, Operation transb, int m, int n, int k,
                       const void* alpha, const void* a, cudaDataType a_type, int lda,
                       long long stride_a, const void* b, cudaDataType b_type, int ldb,
                       long long stride_b, const void* beta, void* c, cudaDataType c_type, int ldc,
                       long long stride_c, int batches, cublasComputeType_t compute,
                       cublasGemmAlgo_t) {
  return product_of_types(handle, transa, transb, {m, n, k}, alpha,
                          {a_type, lda, a, stride_a, nullptr}, {b_type, ldb, b, stride_b, nullptr},
                          beta, {c_type, ldc, c, stride_c, nullptr}, batches, compute);
}

Status gemm_ex(Handle handle, Operation transa, Operation transb, int m, int n, int k,
               const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
               cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type,
               int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  return gemm_strided_ex(handle, transa, transb, m, n, k, alpha, a, a_type, lda, 0, b, b_type, ldb,
                         0, beta, c, c_type, ldc, 0, 1, compute, algorithm);
}

Status gemm_batched_ex(Handle handle, Operation transa, Operation transb, int m, int n, int k,
                       const void* alpha, const void* const a[], cudaDataType a_type, int lda,
                       const void* const b[], cudaDataType b_type, int ldb, const void* beta,
                       void* const c[], cudaDataType c_type, int ldc, int batches,
                       cublasComputeType_t compute, cublasGemmAlgo_t) {
  return product_of_types(handle, transa, transb, {m, n, k}, alpha, {a_type, lda, nullptr, 0, a},
                          {b_type, ldb, nullptr, 0, b}, beta, {c_type, ldc, nullptr, 0, c}, batches,
                          compute);
}

}  // namespace cublas

#define PAWS_BLAS_STATUSES(STATUS)                                                         \
  STATUS(CUBLAS_STATUS_SUCCESS, "the call has succeeded")                                  \
  STATUS(CUBLAS_STATUS_NOT_INITIALIZED, "there is no handle")                              \
  STATUS(CUBLAS_STATUS_ALLOC_FAILED, "there is not enough memory")                         \
  STATUS(CUBLAS_STATUS_INVALID_VALUE, "an argument has a value that the call cannot have") \
  STATUS(CUBLAS_STATUS_ARCH_MISMATCH, "the device has not what the call needs")            \
  STATUS(CUBLAS_STATUS_MAPPING_ERROR, "memory could not be accessed")                      \
  STATUS(CUBLAS_STATUS_EXECUTION_FAILED, "a kernel could not be executed")                 \
  STATUS(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation has failed")                 \
  STATUS(CUBLAS_STATUS_NOT_SUPPORTED, "the call does not support this")                    \
  STATUS(CUBLAS_STATUS_LICENSE_ERROR, "there is no licence")

#define PAWS_EXPORTED __attribute__((visibility("default")))
#define PAWS_BLAS_DEFINE(name, work, parameters, arguments)                                  \
  extern "C" PAWS_EXPORTED cublasStatus_t name parameters { return cublas::work arguments; } \
  extern "C" PAWS_EXPORTED cublasStatus_t name##_v2 parameters { return name arguments; }
PAWS_BLAS_ALL(PAWS_BLAS_DEFINE)

extern "C" PAWS_EXPORTED const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define PAWS_STATUS(name, text) \
  case name:                    \
    return #name;
    PAWS_BLAS_STATUSES(PAWS_STATUS)
#undef PAWS_STATUS
  }
  return "unrecognized status";
}

extern "C" PAWS_EXPORTED const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define PAWS_STATUS(name, text) \
  case name:                    \
    return text;
    PAWS_BLAS_STATUSES(PAWS_STATUS)
#undef PAWS_STATUS
  }
  return "unrecognized status";
}
