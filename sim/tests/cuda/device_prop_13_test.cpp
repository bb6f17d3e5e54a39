// SPDX-License-Identifier: MIT
#include "sim/cuda/device_prop_13.h"

#include <gtest/gtest.h>

#include <cstring>

namespace paws::cuda {
namespace {

TEST(DeviceProp13, HasTheFieldsThatCuda13KeptWithTheirValues) {
  cudaDeviceProp all;
  unsigned char pattern = 1;
  for (std::size_t byte = 0; byte < sizeof(all); ++byte) {
    pattern = static_cast<unsigned char>(pattern * 5 + 3);
    std::memcpy(reinterpret_cast<unsigned char*>(&all) + byte, &pattern, 1);
  }
  const DeviceProp13 kept = properties_13(all);
#define PAWS_KEPT(field) \
  EXPECT_EQ(std::memcmp(&kept.field, &all.field, sizeof(kept.field)), 0) << #field
  PAWS_KEPT(name);
  PAWS_KEPT(totalGlobalMem);
  PAWS_KEPT(sharedMemPerBlock);
  PAWS_KEPT(maxThreadsDim);
  PAWS_KEPT(maxGridSize);
  PAWS_KEPT(major);
  PAWS_KEPT(minor);
  PAWS_KEPT(multiProcessorCount);
  PAWS_KEPT(maxTexture2DLayered);
  PAWS_KEPT(unifiedAddressing);
  PAWS_KEPT(memoryBusWidth);
  PAWS_KEPT(l2CacheSize);
  PAWS_KEPT(maxThreadsPerMultiProcessor);
  PAWS_KEPT(sharedMemPerMultiprocessor);
  PAWS_KEPT(regsPerMultiprocessor);
  PAWS_KEPT(cooperativeLaunch);
  PAWS_KEPT(sharedMemPerBlockOptin);
  PAWS_KEPT(maxBlocksPerMultiProcessor);
#undef PAWS_KEPT
  // deviceOverlap is gone, so that what stood behind it is nearer to the start.
  EXPECT_LT(offsetof(DeviceProp13, multiProcessorCount),
            offsetof(cudaDeviceProp, multiProcessorCount));
}

TEST(DeviceProp13, WhatIsReservedIsZero) {
  cudaDeviceProp all;
  std::memset(static_cast<void*>(&all), 0xff, sizeof(all));
  const DeviceProp13 kept = properties_13(all);
  for (const int word : kept.reserved) EXPECT_EQ(word, 0);
}

}  // namespace
}  // namespace paws::cuda
