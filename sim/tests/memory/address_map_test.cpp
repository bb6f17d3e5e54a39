// SPDX-License-Identifier: MIT
#include "sim/memory/address_map.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace paws::memory {
namespace {

constexpr std::uint64_t kLine = 128;
constexpr unsigned kSlices = 12;
constexpr unsigned kChannels = 6;

TEST(AddressMap, NoTwoLinesShareAPlace) {
  const AddressMap map(kSlices, kChannels);
  std::set<std::pair<std::uint32_t, std::uint64_t>> in_channel;
  std::set<std::pair<std::uint32_t, std::uint64_t>> in_slice;
  constexpr std::uint64_t kLines = 24000;
  for (std::uint64_t i = 0; i < kLines; ++i) {
    const std::uint64_t line = i * kLine;
    EXPECT_EQ(map.channel_of(line), map.slice_of(line) % kChannels);
    in_channel.emplace(map.channel_of(line), map.in_channel(line));
    in_slice.emplace(map.slice_of(line), AddressMap::within(line, Divisor(kSlices)));
  }
  EXPECT_EQ(in_channel.size(), kLines);
  EXPECT_EQ(in_slice.size(), kLines);
  // And without gaps: every channel is full up to the same address.
  for (const auto& [channel, address] : in_channel) EXPECT_LT(address, kLines / kChannels * kLine);
}

TEST(AddressMap, EveryStrideReachesAllSlices) {
  const AddressMap map(kSlices, kChannels);
  for (std::uint64_t stride = kLine; stride <= (1U << 20); stride += kLine) {
    std::vector<unsigned> hits(kSlices, 0);
    constexpr unsigned kAccesses = 1200;
    for (unsigned i = 0; i < kAccesses; ++i) ++hits[map.slice_of(i * stride)];
    for (unsigned count : hits) {
      ASSERT_GT(count, 0U) << "stride " << stride;
      ASSERT_LT(count, 4 * kAccesses / kSlices) << "stride " << stride;
    }
  }
}

}  // namespace
}  // namespace paws::memory
