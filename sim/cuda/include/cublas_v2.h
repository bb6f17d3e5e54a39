// SPDX-License-Identifier: MIT
// Of cuBLAS ("cuBLAS Library"), the calls that programs make most. They are in libcublas.so
// (sim/cuda/cublas.cu), and launch kernels. Matrices are stored column by column.
#pragma once

// Programs ask for these names to know whether the header is there.
#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

// The names are CUDA's.
// NOLINTBEGIN(bugprone-reserved-identifier,modernize-use-nullptr)

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 120000

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;

typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
/// All of them are the same here.
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

typedef struct cublasContext* cublasHandle_t;

// --- the calls -----------------------------------------------------------------------------------
// Each is CALL(name, work, parameters, arguments): work is the function behind it in cublas.cu.

#define PAWS_BLAS_HANDLES(CALL)                                                                   \
  CALL(cublasCreate, create, (cublasHandle_t * made), (made))                                     \
  CALL(cublasDestroy, destroy, (cublasHandle_t handle), (handle))                                 \
  CALL(cublasGetVersion, version, (cublasHandle_t handle, int* version), (handle, version))       \
  CALL(cublasSetStream, set_stream, (cublasHandle_t handle, cudaStream_t stream),                 \
       (handle, stream))                                                                          \
  CALL(cublasGetStream, get_stream, (cublasHandle_t handle, cudaStream_t * stream),               \
       (handle, stream))                                                                          \
  CALL(cublasSetPointerMode, set_pointer_mode, (cublasHandle_t handle, cublasPointerMode_t mode), \
       (handle, mode))                                                                            \
  CALL(cublasGetPointerMode, get_pointer_mode,                                                    \
       (cublasHandle_t handle, cublasPointerMode_t * mode), (handle, mode))                       \
  CALL(cublasSetMathMode, set_math_mode, (cublasHandle_t handle, cublasMath_t mode),              \
       (handle, mode))                                                                            \
  CALL(cublasGetMathMode, get_math_mode, (cublasHandle_t handle, cublasMath_t * mode),            \
       (handle, mode))                                                                            \
  CALL(cublasSetAtomicsMode, set_atomics_mode, (cublasHandle_t handle, cublasAtomicsMode_t mode), \
       (handle, mode))                                                                            \
  CALL(cublasGetAtomicsMode, get_atomics_mode,                                                    \
       (cublasHandle_t handle, cublasAtomicsMode_t * mode), (handle, mode))                       \
  CALL(cublasSetWorkspace, set_workspace, (cublasHandle_t handle, void* workspace, size_t bytes), \
       (handle, workspace, bytes))

/// Of a type of numbers: T and t are its letters in names.
#define PAWS_BLAS_OF_TYPE(CALL, T, t, Type)                                                      \
  /* y = alpha x + y */                                                                          \
  CALL(cublas##T##axpy, axpy,                                                                    \
       (cublasHandle_t handle, int n, const Type* alpha, const Type* x, int incx, Type* y,       \
        int incy),                                                                               \
       (handle, n, alpha, x, incx, y, incy))                                                     \
  CALL(cublas##T##scal, scal,                                                                    \
       (cublasHandle_t handle, int n, const Type* alpha, Type* x, int incx),                     \
       (handle, n, alpha, x, incx))                                                              \
  CALL(cublas##T##copy, copy,                                                                    \
       (cublasHandle_t handle, int n, const Type* x, int incx, Type* y, int incy),               \
       (handle, n, x, incx, y, incy))                                                            \
  CALL(cublas##T##swap, swap,                                                                    \
       (cublasHandle_t handle, int n, Type* x, int incx, Type* y, int incy),                     \
       (handle, n, x, incx, y, incy))                                                            \
  CALL(cublas##T##dot, dot,                                                                      \
       (cublasHandle_t handle, int n, const Type* x, int incx, const Type* y, int incy,          \
        Type* result),                                                                           \
       (handle, n, x, incx, y, incy, result))                                                    \
  CALL(cublas##T##nrm2, nrm2,                                                                    \
       (cublasHandle_t handle, int n, const Type* x, int incx, Type* result),                    \
       (handle, n, x, incx, result))                                                             \
  CALL(cublas##T##asum, asum,                                                                    \
       (cublasHandle_t handle, int n, const Type* x, int incx, Type* result),                    \
       (handle, n, x, incx, result))                                                             \
  CALL(cublasI##t##amax, amax,                                                                   \
       (cublasHandle_t handle, int n, const Type* x, int incx, int* result),                     \
       (handle, n, x, incx, result))                                                             \
  CALL(cublasI##t##amin, amin,                                                                   \
       (cublasHandle_t handle, int n, const Type* x, int incx, int* result),                     \
       (handle, n, x, incx, result))                                                             \
  /* y = alpha op(A) x + beta y */                                                               \
  CALL(cublas##T##gemv, gemv,                                                                    \
       (cublasHandle_t handle, cublasOperation_t trans, int m, int n, const Type* alpha,         \
        const Type* A, int lda, const Type* x, int incx, const Type* beta, Type* y, int incy),   \
       (handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy))                             \
  /* A = alpha x y' + A */                                                                       \
  CALL(cublas##T##ger, ger,                                                                      \
       (cublasHandle_t handle, int m, int n, const Type* alpha, const Type* x, int incx,         \
        const Type* y, int incy, Type* A, int lda),                                              \
       (handle, m, n, alpha, x, incx, y, incy, A, lda))                                          \
  /* C = alpha op(A) + beta op(B) */                                                             \
  CALL(cublas##T##geam, geam,                                                                    \
       (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, \
        const Type* alpha, const Type* A, int lda, const Type* beta, const Type* B, int ldb,     \
        Type* C, int ldc),                                                                       \
       (handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc))

/// C = alpha op(A) op(B) + beta C, of one matrix or of several.
#define PAWS_BLAS_PRODUCTS(CALL, T, Type)                                                          \
  CALL(cublas##T##gemm, gemm,                                                                      \
       (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const Type* alpha, const Type* A, int lda, const Type* B, int ldb,                  \
        const Type* beta, Type* C, int ldc),                                                       \
       (handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc))                     \
  CALL(cublas##T##gemmStridedBatched, gemm_strided,                                                \
       (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const Type* alpha, const Type* A, int lda, long long int strideA, const Type* B,    \
        int ldb, long long int strideB, const Type* beta, Type* C, int ldc, long long int strideC, \
        int batchCount),                                                                           \
       (handle, transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta, C, ldc,    \
        strideC, batchCount))                                                                      \
  CALL(cublas##T##gemmBatched, gemm_batched,                                                       \
       (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const Type* alpha, const Type* const A[], int lda, const Type* const B[], int ldb,  \
        const Type* beta, Type* const C[], int ldc, int batchCount),                               \
       (handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, batchCount))

/// x and y of one type, which the call names, and that of the result.
#define PAWS_BLAS_MIXED_VECTORS(CALL)                                                             \
  CALL(cublasDotEx, dot_ex,                                                                       \
       (cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, const void* y, \
        cudaDataType yType, int incy, void* result, cudaDataType resultType,                      \
        cudaDataType executionType),                                                              \
       (handle, n, x, xType, incx, y, yType, incy, result, resultType, executionType))            \
  CALL(cublasDotcEx, dot_ex,                                                                      \
       (cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, const void* y, \
        cudaDataType yType, int incy, void* result, cudaDataType resultType,                      \
        cudaDataType executionType),                                                              \
       (handle, n, x, xType, incx, y, yType, incy, result, resultType, executionType))

/// Products with types that the call names. Supported: A and B of one type, half, __nv_bfloat16,
/// float or double; C of the same type, or float; sums in float, or in double for double. A and B
/// of 8 bits, C and sums of 32.
#define PAWS_BLAS_MIXED_PRODUCTS(CALL, Compute, compute)                                           \
  CALL(cublasGemmEx, gemm_ex,                                                                      \
       (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B,       \
        cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc,       \
        Compute computeType, cublasGemmAlgo_t algo),                                               \
       (handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc, \
        compute(computeType), algo))                                                               \
  CALL(cublasGemmStridedBatchedEx, gemm_strided_ex,                                                \
       (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const void* alpha, const void* A, cudaDataType Atype, int lda,                      \
        long long int strideA, const void* B, cudaDataType Btype, int ldb, long long int strideB,  \
        const void* beta, void* C, cudaDataType Ctype, int ldc, long long int strideC,             \
        int batchCount, Compute computeType, cublasGemmAlgo_t algo),                               \
       (handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb, strideB,    \
        beta, C, Ctype, ldc, strideC, batchCount, compute(computeType), algo))                     \
  CALL(cublasGemmBatchedEx, gemm_batched_ex,                                                       \
       (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const void* alpha, const void* const A[], cudaDataType Atype, int lda,              \
        const void* const B[], cudaDataType Btype, int ldb, const void* beta, void* const C[],     \
        cudaDataType Ctype, int ldc, int batchCount, Compute computeType, cublasGemmAlgo_t algo),  \
       (handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc, \
        batchCount, compute(computeType), algo))

/// Copies of columns and vectors between host and device.
#define PAWS_BLAS_COPIES(CALL)                                                                 \
  CALL(cublasSetVector, copy_vector,                                                           \
       (int n, int elemSize, const void* x, int incx, void* y, int incy),                      \
       (n, elemSize, x, incx, y, incy))                                                        \
  CALL(cublasGetVector, copy_vector,                                                           \
       (int n, int elemSize, const void* x, int incx, void* y, int incy),                      \
       (n, elemSize, x, incx, y, incy))                                                        \
  CALL(cublasSetVectorAsync, copy_vector,                                                      \
       (int n, int elemSize, const void* x, int incx, void* y, int incy, cudaStream_t stream), \
       (n, elemSize, x, incx, y, incy, stream))                                                \
  CALL(cublasGetVectorAsync, copy_vector,                                                      \
       (int n, int elemSize, const void* x, int incx, void* y, int incy, cudaStream_t stream), \
       (n, elemSize, x, incx, y, incy, stream))                                                \
  CALL(cublasSetMatrix, copy_matrix,                                                           \
       (int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb),           \
       (rows, cols, elemSize, A, lda, B, ldb))                                                 \
  CALL(cublasGetMatrix, copy_matrix,                                                           \
       (int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb),           \
       (rows, cols, elemSize, A, lda, B, ldb))                                                 \
  CALL(cublasSetMatrixAsync, copy_matrix,                                                      \
       (int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,            \
        cudaStream_t stream),                                                                  \
       (rows, cols, elemSize, A, lda, B, ldb, stream))                                         \
  CALL(cublasGetMatrixAsync, copy_matrix,                                                      \
       (int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,            \
        cudaStream_t stream),                                                                  \
       (rows, cols, elemSize, A, lda, B, ldb, stream))

#define PAWS_BLAS_ALL(CALL)             \
  PAWS_BLAS_HANDLES(CALL)               \
  PAWS_BLAS_COPIES(CALL)                \
  PAWS_BLAS_OF_TYPE(CALL, S, s, float)  \
  PAWS_BLAS_OF_TYPE(CALL, D, d, double) \
  PAWS_BLAS_PRODUCTS(CALL, S, float)    \
  PAWS_BLAS_PRODUCTS(CALL, D, double)   \
  PAWS_BLAS_PRODUCTS(CALL, H, __half)   \
  PAWS_BLAS_MIXED_VECTORS(CALL)         \
  PAWS_BLAS_MIXED_PRODUCTS(CALL, cublasComputeType_t, )

/// Either name: that of the first version of the library is that of the second in this header.
#define PAWS_BLAS_DECLARE(name, work, parameters, arguments) \
  cublasStatus_t name parameters;                            \
  cublasStatus_t name##_v2 parameters;

#ifdef __cplusplus
extern "C" {
#endif
PAWS_BLAS_ALL(PAWS_BLAS_DECLARE)
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
#ifdef __cplusplus
}
// Before CUDA 11 a type of numbers said how to compute.
static inline cublasComputeType_t paws_compute_type(cudaDataType type) {
  return type == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_16F ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}
#define PAWS_BLAS_OVERLOAD(name, work, parameters, arguments) \
  static inline cublasStatus_t name parameters { return name arguments; }
PAWS_BLAS_MIXED_PRODUCTS(PAWS_BLAS_OVERLOAD, cudaDataType, paws_compute_type)
#undef PAWS_BLAS_OVERLOAD
#endif
#undef PAWS_BLAS_DECLARE
// NOLINTEND(bugprone-reserved-identifier,modernize-use-nullptr)
