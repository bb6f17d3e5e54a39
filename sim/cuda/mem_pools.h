// SPDX-License-Identifier: MIT
// Memory pools: whose memory an allocation of a stream is, and how much a pool has. A pool keeps
// nothing of what is freed, so its threshold and its rules for reuse are only remembered.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "sim/cuda/include/cuda_runtime_api.h"

// The opaque type of the API.
struct CUmemPoolHandle_st {
  std::map<cudaMemPoolAttr, std::uint64_t> settings;
  std::uint64_t used = 0, most = 0;  ///< bytes now, and at once since the program set it to 0
};

namespace paws::cuda {

class MemPools {
 public:
  MemPools();

  [[nodiscard]] cudaMemPool_t default_pool() const { return default_.get(); }
  /// The device's, from which streams allocate.
  [[nodiscard]] cudaMemPool_t current() const { return current_; }
  void make_current(cudaMemPool_t pool) { current_ = pool; }
  [[nodiscard]] bool knows(cudaMemPool_t pool) const;

  cudaMemPool_t create();
  /// Not the default one. Its memory stays.
  void destroy(cudaMemPool_t pool);

  /// An allocation at this address is the pool's, until it is removed.
  void add(cudaMemPool_t pool, std::uint64_t address, std::uint64_t bytes);
  void remove(std::uint64_t address);

  /// Nothing for a number that is no attribute.
  [[nodiscard]] static std::optional<std::uint64_t> get(cudaMemPool_t pool,
                                                        cudaMemPoolAttr attribute);
  /// False: it cannot be set to this.
  static bool set(cudaMemPool_t pool, cudaMemPoolAttr attribute, std::uint64_t value);
  /// Whether programs give the attribute as an int, and not in 64 bits.
  [[nodiscard]] static bool is_int(cudaMemPoolAttr attribute);

 private:
  struct Part {
    cudaMemPool_t pool = nullptr;
    std::uint64_t bytes = 0;
  };

  std::unique_ptr<CUmemPoolHandle_st> default_;
  std::map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>> others_;
  cudaMemPool_t current_;
  std::map<std::uint64_t, Part> parts_;  // by address
};

}  // namespace paws::cuda
