// SPDX-License-Identifier: MIT
#include "sim/launch/compressed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace paws {
namespace {

TEST(Compressed, ComesBackAndIsSmall) {
  for (const std::size_t size : {0, 1, 100000}) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i / 1000);
    const std::string frame = compressed(bytes);
    EXPECT_LT(frame.size(), size / 10 + 20);
    const auto back = decompressed(frame);
    ASSERT_TRUE(back.has_value());
    EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(*back)), bytes));
  }
}

TEST(Compressed, WhatIsNoFrame) {
  EXPECT_FALSE(decompressed("").has_value());
  EXPECT_FALSE(decompressed("plain bytes").has_value());
  const std::string frame = compressed(std::vector<std::byte>(5000, std::byte{7}));
  for (std::size_t size = 0; size < frame.size(); ++size) {
    EXPECT_FALSE(decompressed(frame.substr(0, size)).has_value()) << size;
  }
}

}  // namespace
}  // namespace paws
