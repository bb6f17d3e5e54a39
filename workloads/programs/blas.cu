// SPDX-License-Identifier: MIT
// cuBLAS's calls at random shapes, against loops of the host in double precision; what they read
// and write of their arguments, and their errors.
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "check.h"

#define BLAS(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)
#define BLAS_ERROR(error, call) EXPECT((call) == CUBLAS_STATUS_##error)

static cublasHandle_t handle;

/// The next of a sequence, 0 to below - 1 (Park and Miller).
static int draw(int below) {
  static unsigned long long state = 1;
  state = state * 48271 % 2147483647;
  return static_cast<int>(state % below);
}

template <class Number>
constexpr double kPrecision = 1e-14;
template <>
constexpr double kPrecision<float> = 2e-6;
template <>
constexpr double kPrecision<__half> = 2e-3;
template <>
constexpr double kPrecision<__nv_bfloat16> = 1.6e-2;

template <class Number>
static double value(Number number) {
  return static_cast<double>(static_cast<float>(number));
}
static double value(double number) { return number; }

/// Memory that host and device see, of numbers between -1 and 1 with few digits.
template <class Number>
struct Numbers {
  Number* data = nullptr;
  size_t count;
  explicit Numbers(size_t count) : count(count) {
    CHECK(cudaMallocManaged(&data, (count + 1) * sizeof(Number)));
    for (size_t i = 0; i < count; ++i) data[i] = Number(static_cast<float>(draw(257) - 128) / 128);
  }
  Numbers(const Numbers&) = delete;
  ~Numbers() { CHECK(cudaFree(data)); }
  std::vector<double> values() const {
    std::vector<double> all(count);
    for (size_t i = 0; i < count; ++i) all[i] = value(data[i]);
    return all;
  }
  void fill(double number) {
    for (size_t i = 0; i < count; ++i) data[i] = Number(static_cast<float>(number));
  }
};

/// Whether all are as expected, but for the rounding of sums of so many numbers of at most `size`.
template <class Number>
static bool are(const Numbers<Number>& found, const std::vector<double>& expected, double size) {
  CHECK(cudaDeviceSynchronize());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!(std::fabs(value(found.data[i]) - expected[i]) <= kPrecision<Number> * (size + 1))) {
      std::printf("element %zu is %g, not %g\n", i, value(found.data[i]), expected[i]);
      return false;
    }
  }
  return true;
}

/// Where element i of n of a vector lies.
static long long at(int i, int n, int increment) {
  return (increment < 0 ? i - n + 1LL : i) * increment;
}

// --- vectors -------------------------------------------------------------------------------------

/// The names of a type.
template <class Number>
struct Calls;
#define PAWS_CALLS(T, t, Type)                                     \
  template <>                                                      \
  struct Calls<Type> {                                             \
    static constexpr auto axpy = cublas##T##axpy;                  \
    static constexpr auto scal = cublas##T##scal;                  \
    static constexpr auto copy = cublas##T##copy;                  \
    static constexpr auto swap = cublas##T##swap;                  \
    static constexpr auto dot = cublas##T##dot;                    \
    static constexpr auto nrm2 = cublas##T##nrm2;                  \
    static constexpr auto asum = cublas##T##asum;                  \
    static constexpr auto amax = cublasI##t##amax;                 \
    static constexpr auto amin = cublasI##t##amin;                 \
    static constexpr auto gemv = cublas##T##gemv;                  \
    static constexpr auto ger = cublas##T##ger;                    \
    static constexpr auto geam = cublas##T##geam;                  \
    static constexpr auto gemm = cublas##T##gemm;                  \
    static constexpr auto batched = cublas##T##gemmBatched;        \
    static constexpr auto strided = cublas##T##gemmStridedBatched; \
  }
PAWS_CALLS(S, s, float);
PAWS_CALLS(D, d, double);
template <>
struct Calls<__half> {
  static constexpr auto gemm = cublasHgemm;
  static constexpr auto batched = cublasHgemmBatched;
  static constexpr auto strided = cublasHgemmStridedBatched;
};

template <class Number>
static void check_vectors(int n, int incx, int incy) {
  using Call = Calls<Number>;
  const size_t size = n == 0 ? 0 : (n - 1) * std::max(std::abs(incx), std::abs(incy)) + 1;
  Numbers<Number> x(size), y(size);
  std::vector<double> of_x = x.values(), of_y = y.values();
  const Number alpha = Number(1.5);
  BLAS(Call::axpy(handle, n, &alpha, x.data, incx, y.data, incy));
  double dot = 0, squares = 0, sum = 0;
  int largest = 0, smallest = 0;
  for (int i = 0; i < n; ++i) {
    double& to = of_y[at(i, n, incy)];
    const double from = of_x[at(i, n, incx)];
    to += 1.5 * from;
    dot += from * to;
    squares += from * from;
    sum += std::fabs(from);
    const auto size_of = [&](int number) { return std::fabs(of_x[at(number - 1, n, incx)]); };
    if (largest == 0 || std::fabs(from) > size_of(largest)) largest = i + 1;
    if (smallest == 0 || std::fabs(from) < size_of(smallest)) smallest = i + 1;
  }
  EXPECT(are(y, of_y, 3));
  // The results go to the host, or to the device.
  Numbers<Number> results(3);
  Numbers<int> numbers(2);
  for (const auto mode : {CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE}) {
    BLAS(cublasSetPointerMode(handle, mode));
    results.fill(-1);
    numbers.fill(-1);
    BLAS(Call::dot(handle, n, x.data, incx, y.data, incy, &results.data[0]));
    BLAS(Call::nrm2(handle, n, x.data, incx, &results.data[1]));
    BLAS(Call::asum(handle, n, x.data, incx, &results.data[2]));
    BLAS(Call::amax(handle, n, x.data, incx, &numbers.data[0]));
    BLAS(Call::amin(handle, n, x.data, incx, &numbers.data[1]));
    const bool some = incx > 0;
    EXPECT(are(results, {dot, some ? std::sqrt(squares) : 0, some ? sum : 0}, n));
    EXPECT(numbers.data[0] == (some ? largest : 0) && numbers.data[1] == (some ? smallest : 0));
  }
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  BLAS(Call::swap(handle, n, x.data, incx, y.data, incy));
  for (int i = 0; i < n; ++i) std::swap(of_x[at(i, n, incx)], of_y[at(i, n, incy)]);
  EXPECT(are(x, of_x, 3) && are(y, of_y, 3));
  BLAS(Call::scal(handle, n, &alpha, x.data, incx));
  for (int i = 0; i < n && incx > 0; ++i) of_x[at(i, n, incx)] *= 1.5;
  EXPECT(are(x, of_x, 3));
  BLAS(Call::copy(handle, n, x.data, incx, y.data, incy));
  for (int i = 0; i < n; ++i) of_y[at(i, n, incy)] = of_x[at(i, n, incx)];
  EXPECT(are(y, of_y, 3));
}

/// Squares neither overflow nor vanish, and what is no number is not lost.
template <class Number>
static void check_norms() {
  const Number most = std::numeric_limits<Number>::max() / 4;
  const Number least = std::numeric_limits<Number>::min();
  Numbers<Number> x(300);
  const auto norm = [&] {
    Number result = 0;
    BLAS(Calls<Number>::nrm2(handle, 300, x.data, 1, &result));
    return result;
  };
  for (const Number size : {most, least}) {
    x.fill(0);
    x.data[7] = 3 * (size / 4);
    x.data[299] = size;
    EXPECT(std::fabs(norm() / size - 1.25) < 1e-6);
  }
  x.data[0] = std::numeric_limits<Number>::infinity();
  EXPECT(norm() == x.data[0]);
  x.data[5] = std::numeric_limits<Number>::quiet_NaN();
  EXPECT(norm() != norm());
}

// --- a matrix and vectors ------------------------------------------------------------------------

template <class Number>
static void check_matrix_and_vectors(int m, int n, int lda, int incx, int incy) {
  using Call = Calls<Number>;
  const int most = std::max(m, n);
  Numbers<Number> a(static_cast<size_t>(lda) * n), x(most * std::abs(incx)),
      y(most * std::abs(incy));
  for (const auto trans : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    const bool plain = trans == CUBLAS_OP_N;
    const int rows = plain ? m : n, columns = plain ? n : m;
    const Number alpha = Number(plain ? 0.75 : -2);
    for (const Number beta : {Number(0), Number(0.5)}) {
      std::vector<double> expected = y.values();
      for (int i = 0; i < rows; ++i) {
        double& to = expected[at(i, rows, incy)];
        to *= beta;
        for (int j = 0; j < columns; ++j) {
          to += alpha * value(a.data[plain ? i + j * lda : j + i * lda]) *
                value(x.data[at(j, columns, incx)]);
        }
        // Then what was there is not read.
        if (beta == 0) y.data[at(i, rows, incy)] = NAN;
      }
      BLAS(Call::gemv(handle, trans, m, n, &alpha, a.data, lda, x.data, incx, &beta, y.data, incy));
      EXPECT(are(y, expected, 4 * columns + 3));
    }
  }
  std::vector<double> expected = a.values();
  const Number alpha = Number(0.25);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      expected[i + j * lda] += 0.25 * value(x.data[at(i, m, incx)]) * value(y.data[at(j, n, incy)]);
    }
  }
  BLAS(Call::ger(handle, m, n, &alpha, x.data, incx, y.data, incy, a.data, lda));
  EXPECT(are(a, expected, 4 * most));
}

// --- matrices ------------------------------------------------------------------------------------

constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

/// op(A) is m x k, op(B) k x n; m and n are between `least` and `most`.
struct Shape {
  cublasOperation_t transa, transb;
  int m, n, k, lda, ldb, ldc;

  Shape(int least, int most, int most_k)
      : transa(kOperations[draw(3)]),
        transb(kOperations[draw(3)]),
        m(least + draw(most - least + 1)),
        n(least + draw(most - least + 1)),
        k(draw(most_k + 1)),
        lda(std::max(1, transa == CUBLAS_OP_N ? m : k) + draw(4)),
        ldb(std::max(1, transb == CUBLAS_OP_N ? k : n) + draw(4)),
        ldc(m + draw(4)) {}
  size_t a() const { return static_cast<size_t>(lda) * (transa == CUBLAS_OP_N ? k : m); }
  size_t b() const { return static_cast<size_t>(ldb) * (transb == CUBLAS_OP_N ? n : k); }
  size_t c() const { return static_cast<size_t>(ldc) * n; }
};

/// A function, because compilers warn of a constant that an integer cannot hold.
static float nothing() { return NAN; }

/// C of the product of the first matrices behind `a` and `b`.
template <class Number>
static void multiply(const Shape& s, double alpha, const Number* a, const Number* b, double beta,
                     double* c) {
  for (int i = 0; i < s.m; ++i) {
    for (int j = 0; j < s.n; ++j) {
      double sum = 0;
      for (int k = 0; k < s.k; ++k) {
        sum += value(a[s.transa == CUBLAS_OP_N ? i + k * s.lda : k + i * s.lda]) *
               value(b[s.transb == CUBLAS_OP_N ? k + j * s.ldb : j + k * s.ldb]);
      }
      c[i + j * s.ldc] = alpha * sum + beta * c[i + j * s.ldc];
    }
  }
}

constexpr int kBatches = 3;

/// call(shape, batches, alpha, A, B, beta, C) is a product of the first matrices of three.
template <class Number, class To, class Call>
static void check_product(const Shape& s, int batches, double alpha, double beta, Call call) {
  Numbers<Number> a(kBatches * s.a()), b(kBatches * s.b());
  Numbers<To> c(kBatches * s.c());
  std::vector<double> expected = c.values();
  for (int batch = 0; batch < batches; ++batch) {
    multiply(s, alpha, a.data + batch * s.a(), b.data + batch * s.b(), beta,
             expected.data() + batch * s.c());
    // Then what was there is not read.
    for (int i = 0; i < s.m * s.n && beta == 0; ++i) {
      c.data[batch * s.c() + i % s.m + i / s.m * s.ldc] = To(nothing());
    }
  }
  BLAS(call(a.data, b.data, c.data));
  EXPECT(are(c, expected, s.k));
}

/// The three calls of a type.
template <class Number>
static void check_products(const Shape& s, double alpha, double beta) {
  using Call = Calls<Number>;
  const Number x = Number(alpha), y = Number(beta);
  check_product<Number, Number>(s, 1, alpha, beta, [&](auto* a, auto* b, auto* c) {
    return Call::gemm(handle, s.transa, s.transb, s.m, s.n, s.k, &x, a, s.lda, b, s.ldb, &y, c,
                      s.ldc);
  });
  check_product<Number, Number>(s, kBatches, alpha, beta, [&](auto* a, auto* b, auto* c) {
    return Call::strided(handle, s.transa, s.transb, s.m, s.n, s.k, &x, a, s.lda, s.a(), b, s.ldb,
                         s.b(), &y, c, s.ldc, s.c(), kBatches);
  });
  Number** each = nullptr;
  CHECK(cudaMallocManaged(&each, 3 * kBatches * sizeof(Number*)));
  check_product<Number, Number>(s, kBatches, alpha, beta, [&](auto* a, auto* b, auto* c) {
    for (int i = 0; i < kBatches; ++i) {
      each[i] = a + i * s.a();
      each[kBatches + i] = b + i * s.b();
      each[2 * kBatches + i] = c + i * s.c();
    }
    return Call::batched(handle, s.transa, s.transb, s.m, s.n, s.k, &x, each, s.lda,
                         each + kBatches, s.ldb, &y, each + 2 * kBatches, s.ldc, kBatches);
  });
  CHECK(cudaFree(each));
}

/// A product whose types the call names; the factors come from the device.
template <class Number, class To, class Scale>
static void check_mixed_product(cudaDataType number, cudaDataType to, cublasComputeType_t compute) {
  const Shape s(1, 100, 70);
  Numbers<Scale> factors(2);
  factors.data[0] = Scale(3.0f);
  factors.data[1] = Scale(2.0f);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  check_product<Number, To>(s, 1, 3, 2, [&](auto* a, auto* b, auto* c) {
    return cublasGemmEx(handle, s.transa, s.transb, s.m, s.n, s.k, &factors.data[0], a, number,
                        s.lda, b, number, s.ldb, &factors.data[1], c, to, s.ldc, compute,
                        CUBLAS_GEMM_DEFAULT);
  });
  check_product<Number, To>(s, kBatches, 3, 2, [&](auto* a, auto* b, auto* c) {
    return cublasGemmStridedBatchedEx(handle, s.transa, s.transb, s.m, s.n, s.k, &factors.data[0],
                                      a, number, s.lda, s.a(), b, number, s.ldb, s.b(),
                                      &factors.data[1], c, to, s.ldc, s.c(), kBatches, compute,
                                      CUBLAS_GEMM_DEFAULT);
  });
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

/// A dot product whose types the call names.
template <class Number>
static void check_mixed_dot(cudaDataType number, cudaDataType sums) {
  constexpr int kCount = 700;
  Numbers<Number> x(kCount), y(kCount), result(1);
  double expected = 0;
  for (int i = 0; i < kCount; ++i) expected += value(x.data[i]) * value(y.data[i]);
  BLAS(
      cublasDotEx(handle, kCount, x.data, number, 1, y.data, number, 1, result.data, number, sums));
  EXPECT(are(result, {expected}, std::fabs(expected) + 1));
  BLAS_ERROR(NOT_SUPPORTED, cublasDotEx(handle, kCount, x.data, number, 1, y.data, CUDA_R_8I, 1,
                                        result.data, number, sums));
}

template <class Number>
static void check_sums_of_matrices() {
  const Shape s(1, 70, 0);
  // op(A) and op(B) are m x n.
  const int lda = (s.transa == CUBLAS_OP_N ? s.m : s.n) + draw(3);
  const int ldb = (s.transb == CUBLAS_OP_N ? s.m : s.n) + draw(3);
  Numbers<Number> a(lda * std::max(s.m, s.n)), b(ldb * std::max(s.m, s.n)), c(s.c());
  for (const Number beta : {Number(0), Number(-0.5)}) {
    std::vector<double> expected = c.values();
    for (int i = 0; i < s.m; ++i) {
      for (int j = 0; j < s.n; ++j) {
        expected[i + j * s.ldc] =
            2 * value(a.data[s.transa == CUBLAS_OP_N ? i + j * lda : j + i * lda]) +
            beta * value(b.data[s.transb == CUBLAS_OP_N ? i + j * ldb : j + i * ldb]);
      }
    }
    const Number alpha = 2;
    // A factor of 0 reads nothing.
    const Number* second = beta == 0 ? nullptr : b.data;
    BLAS(Calls<Number>::geam(handle, s.transa, s.transb, s.m, s.n, &alpha, a.data, lda, &beta,
                             second, ldb, c.data, s.ldc));
    EXPECT(are(c, expected, 3));
  }
}

// --- copies, handles, errors ---------------------------------------------------------------------

static void check_copies() {
  constexpr int kRows = 5, kColumns = 3, kFrom = 7, kThere = 6;
  std::vector<float> from(kFrom * kColumns), to(kRows * kColumns, -1);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
  float* there = nullptr;
  CHECK(cudaMalloc(&there, 400));
  BLAS(cublasSetMatrix(kRows, kColumns, sizeof(float), from.data(), kFrom, there, kThere));
  BLAS(cublasGetMatrix(kRows, kColumns, sizeof(float), there, kThere, to.data(), kRows));
  for (int i = 0; i < kRows * kColumns; ++i) EXPECT(to[i] == i % kRows + i / kRows * kFrom);
  cudaStream_t stream = nullptr;
  BLAS(cublasSetVectorAsync(4, sizeof(float), from.data(), 3, there, 2, stream));
  BLAS(cublasGetVectorAsync(4, sizeof(float), there, 2, to.data(), 1, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 4; ++i) EXPECT(to[i] == 3 * i);
  BLAS_ERROR(INVALID_VALUE, cublasSetVector(4, 4, from.data(), 0, there, 1));
  BLAS_ERROR(INVALID_VALUE, cublasSetMatrix(2, 2, 0, from.data(), 2, there, 2));
  BLAS_ERROR(MAPPING_ERROR, cublasSetVector(4000, 4, from.data(), 1, there, 1));
  CHECK(cudaFree(there));
}

static void check_handles() {
  BLAS_ERROR(INVALID_VALUE, cublasCreate(nullptr));
  BLAS_ERROR(NOT_INITIALIZED, cublasDestroy(nullptr));
  int version = 0;
  BLAS(cublasGetVersion(handle, &version));
  EXPECT(version >= 110000);
  cudaStream_t stream = nullptr, other = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  BLAS(cublasSetStream(handle, stream));
  BLAS(cublasGetStream(handle, &other));
  EXPECT(other == stream);
  // The work is in the stream: the default one does not wait for it.
  cudaEvent_t before, after;
  CHECK(cudaEventCreate(&before));
  CHECK(cudaEventCreate(&after));
  Numbers<float> x(1000);
  const float alpha = 2;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventRecord(before, stream));
  BLAS(cublasSscal_v2(handle, 1000, &alpha, x.data, 1));
  CHECK(cudaEventRecord(after, stream));
  float in_stream = 0, in_default = 0;
  CHECK(cudaEventElapsedTime(&in_stream, before, after));
  CHECK(cudaEventRecord(after, nullptr));
  CHECK(cudaEventElapsedTime(&in_default, before, after));
  EXPECT(in_stream > 0 && in_default == 0);
  BLAS(cublasSetStream(handle, nullptr));
  CHECK(cudaStreamDestroy(stream));
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_DEVICE;
  BLAS(cublasGetPointerMode(handle, &mode));
  EXPECT(mode == CUBLAS_POINTER_MODE_HOST);
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  BLAS(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  BLAS(cublasGetMathMode(handle, &math));
  EXPECT(math == CUBLAS_TF32_TENSOR_OP_MATH);
  EXPECT(std::strcmp(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED),
                     "CUBLAS_STATUS_NOT_SUPPORTED") == 0);
  EXPECT(std::strlen(cublasGetStatusString(CUBLAS_STATUS_ALLOC_FAILED)) > 0);
}

static void check_errors() {
  float one = 1, x[4] = {};
  const auto gemm = [&](cublasHandle_t with, cublasOperation_t transa, int m, int n, int k, int lda,
                        int ldb, int ldc, const float* alpha) {
    return cublasSgemm(with, transa, CUBLAS_OP_N, m, n, k, alpha, x, lda, x, ldb, &one, x, ldc);
  };
  BLAS_ERROR(NOT_INITIALIZED, gemm(nullptr, CUBLAS_OP_N, 2, 2, 2, 2, 2, 2, &one));
  BLAS_ERROR(INVALID_VALUE, gemm(handle, CUBLAS_OP_N, -1, 2, 2, 2, 2, 2, &one));
  BLAS_ERROR(INVALID_VALUE, gemm(handle, CUBLAS_OP_N, 2, 2, 2, 1, 2, 2, &one));
  BLAS_ERROR(INVALID_VALUE, gemm(handle, CUBLAS_OP_T, 2, 2, 3, 2, 3, 2, &one));
  BLAS_ERROR(INVALID_VALUE, gemm(handle, CUBLAS_OP_N, 2, 2, 3, 2, 2, 2, &one));
  BLAS_ERROR(INVALID_VALUE, gemm(handle, CUBLAS_OP_N, 2, 2, 2, 2, 2, 1, &one));
  BLAS_ERROR(INVALID_VALUE, gemm(handle, CUBLAS_OP_N, 2, 2, 2, 2, 2, 2, nullptr));
  BLAS_ERROR(INVALID_VALUE, gemm(handle, cublasOperation_t(9), 2, 2, 2, 2, 2, 2, &one));
  BLAS(gemm(handle, CUBLAS_OP_N, 0, 2, 2, 1, 2, 1, &one));
  BLAS_ERROR(INVALID_VALUE, cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, x, 1, x, 1, &one, x, 1));
  BLAS_ERROR(INVALID_VALUE, cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, x, 2, x, 0, &one, x, 1));
  BLAS_ERROR(INVALID_VALUE, cublasSger(handle, 2, 2, &one, x, 1, x, 0, x, 2));
  BLAS_ERROR(INVALID_VALUE, cublasSdot(handle, 2, x, 1, x, 1, nullptr));
  // In place, no matrix is transposed.
  BLAS_ERROR(INVALID_VALUE, cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &one, x, 2, &one,
                                        nullptr, 2, x, 2));
  BLAS_ERROR(NOT_SUPPORTED, cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x,
                                         CUDA_R_8I, 2, x, CUDA_R_8I, 2, &one, x, CUDA_R_32F, 2,
                                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

/// Small matrices have small tiles.
template <class Number>
static void check_products_of_both_tiles() {
  for (int i = 0; i < 3; ++i) {
    check_products<Number>(Shape(1, 40, 70), 0.5, i % 2);
    check_products<Number>(Shape(33, 140, 70), 0.5, i % 2);
  }
}

template <class Number>
static void check_type() {
  for (const int n : {0, 1, 31, 1000}) check_vectors<Number>(n, 1, 1);
  check_vectors<Number>(300, 3, -2);
  check_vectors<Number>(300, -1, 2);
  check_norms<Number>();
  check_matrix_and_vectors<Number>(1, 1, 1, 1, 1);
  check_matrix_and_vectors<Number>(70, 45, 75, 1, 1);
  check_matrix_and_vectors<Number>(33, 90, 33, -2, 3);
  for (int i = 0; i < 4; ++i) check_sums_of_matrices<Number>();
  check_products<Number>(Shape(1, 90, 0), 1.5, 2);
  check_products_of_both_tiles<Number>();
}

int main() {
  BLAS(cublasCreate(&handle));
  check_type<float>();
  check_type<double>();
  check_products_of_both_tiles<__half>();
  check_mixed_product<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  check_mixed_product<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  check_mixed_product<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  check_mixed_product<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF,
                                                           CUBLAS_COMPUTE_32F);
  check_mixed_product<__nv_bfloat16, float, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  check_mixed_product<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  check_mixed_product<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  check_mixed_product<signed char, int, int>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  check_mixed_dot<__half>(CUDA_R_16F, CUDA_R_32F);
  check_mixed_dot<__nv_bfloat16>(CUDA_R_16BF, CUDA_R_32F);
  check_mixed_dot<float>(CUDA_R_32F, CUDA_R_32F);
  check_mixed_dot<double>(CUDA_R_64F, CUDA_R_64F);
  check_copies();
  check_handles();
  check_errors();
  BLAS(cublasDestroy(handle));
  std::printf("all products are right\n");
  return 0;
}
