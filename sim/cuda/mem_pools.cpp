// SPDX-License-Identifier: MIT
#include "sim/cuda/mem_pools.h"

#include <algorithm>

namespace paws::cuda {

namespace {

std::unique_ptr<CUmemPoolHandle_st> new_pool() {
  auto pool = std::make_unique<CUmemPoolHandle_st>();
  pool->settings = {{cudaMemPoolReuseFollowEventDependencies, 1},
                    {cudaMemPoolReuseAllowOpportunistic, 1},
                    {cudaMemPoolReuseAllowInternalDependencies, 1},
                    {cudaMemPoolAttrReleaseThreshold, 0}};
  return pool;
}

}  // namespace

MemPools::MemPools() : default_(new_pool()), current_(default_.get()) {}

bool MemPools::knows(cudaMemPool_t pool) const {
  return pool == default_.get() || others_.contains(pool);
}

cudaMemPool_t MemPools::create() {
  auto pool = new_pool();
  const cudaMemPool_t made = pool.get();
  others_.emplace(made, std::move(pool));
  return made;
}

void MemPools::destroy(cudaMemPool_t pool) {
  if (current_ == pool) current_ = default_.get();
  std::erase_if(parts_, [pool](const auto& part) { return part.second.pool == pool; });
  others_.erase(pool);
}

void MemPools::add(cudaMemPool_t pool, std::uint64_t address, std::uint64_t bytes) {
  parts_[address] = {pool, bytes};
  pool->used += bytes;
  pool->most = std::max(pool->most, pool->used);
}

void MemPools::remove(std::uint64_t address) {
  const auto part = parts_.find(address);
  if (part == parts_.end()) return;
  part->second.pool->used -= part->second.bytes;
  parts_.erase(part);
}

std::optional<std::uint64_t> MemPools::get(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return pool->used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return pool->most;
    default:
      break;
  }
  const auto found = pool->settings.find(attribute);
  if (found == pool->settings.end()) return std::nullopt;
  return found->second;
}

bool MemPools::set(cudaMemPool_t pool, cudaMemPoolAttr attribute, std::uint64_t value) {
  if (attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh) {
    if (value == 0) pool->most = pool->used;
    return value == 0;
  }
  const auto found = pool->settings.find(attribute);
  if (found == pool->settings.end()) return false;
  found->second = value;
  return true;
}

bool MemPools::is_int(cudaMemPoolAttr attribute) {
  return attribute < cudaMemPoolAttrReleaseThreshold;
}

}  // namespace paws::cuda
