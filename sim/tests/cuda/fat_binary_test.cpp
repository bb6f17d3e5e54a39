// SPDX-License-Identifier: MIT
#include "sim/cuda/fat_binary.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "sim/support/error.h"

namespace paws::cuda {
namespace {

const std::string kText = ".version 7.0\n.target sm_70\n" + std::string(1000, ' ') + "// end\n";

template <typename Value>
void put(std::string& to, Value value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// An entry as the compilers write it, its contents padded to 8 bytes.
std::string entry(std::uint16_t kind, unsigned architecture, std::uint64_t flags,
                  std::string contents, std::uint32_t compressed_bytes, std::uint64_t plain_bytes) {
  contents.resize((contents.size() + 7) / 8 * 8, '\0');
  std::string out;
  put<std::uint16_t>(out, kind);
  put<std::uint16_t>(out, 0x101);
  put<std::uint32_t>(out, 64);
  put<std::uint64_t>(out, contents.size());
  put<std::uint32_t>(out, compressed_bytes);
  put<std::uint32_t>(out, 0);
  put<std::uint32_t>(out, 0);
  put<std::uint32_t>(out, architecture);
  put<std::uint64_t>(out, 0);
  put<std::uint64_t>(out, flags);
  put<std::uint64_t>(out, 0);
  put<std::uint64_t>(out, plain_bytes);
  return out + contents;
}

std::string plain(unsigned architecture, const std::string& text) {
  return entry(1, architecture, 0x11, text + '\0', 0, 0);
}

std::string container(const std::string& entries) {
  std::string out;
  put<std::uint32_t>(out, 0xba55ed50);
  put<std::uint16_t>(out, 1);
  put<std::uint16_t>(out, 16);
  put<std::uint64_t>(out, entries.size());
  return out + entries;
}

FatBinary read(const std::string& bytes) {
  return read_fat_binary({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "app");
}

std::string error_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FatBinary, PlainPtxAndMachineCode) {
  const FatBinary binary = read(container(plain(75, kText) + entry(2, 90, 0x11, "code", 0, 0)));
  ASSERT_EQ(binary.ptx.size(), 1U);
  EXPECT_EQ(binary.ptx[0].architecture, 75U);
  EXPECT_EQ(binary.ptx[0].text, kText);
  EXPECT_EQ(binary.machine_code, std::vector<unsigned>{90});
}

TEST(FatBinary, Lz4) {
  std::string packed(LZ4_compressBound(static_cast<int>(kText.size())), '\0');
  const int bytes = LZ4_compress_default(
      kText.data(), packed.data(), static_cast<int>(kText.size()), static_cast<int>(packed.size()));
  packed.resize(bytes);
  const std::string good =
      container(entry(1, 80, 0x2011, packed, static_cast<std::uint32_t>(bytes), kText.size()));
  EXPECT_EQ(read(good).ptx.at(0).text, kText);
  const std::string bad =
      container(entry(1, 80, 0x2011, packed, static_cast<std::uint32_t>(bytes), kText.size() + 1));
  EXPECT_EQ(error_of(bad), "app: fat binary: compressed PTX is damaged");
}

TEST(FatBinary, Zstd) {
  std::string packed(ZSTD_compressBound(kText.size()), '\0');
  const std::size_t bytes =
      ZSTD_compress(packed.data(), packed.size(), kText.data(), kText.size(), 3);
  packed.resize(bytes);
  const std::string good =
      container(entry(1, 90, 0x8011, packed, static_cast<std::uint32_t>(bytes), kText.size()));
  EXPECT_EQ(read(good).ptx.at(0).text, kText);
  packed[bytes / 2] = static_cast<char>(packed[bytes / 2] ^ 0x55);
  packed[0] = 0;
  const std::string bad =
      container(entry(1, 90, 0x8011, packed, static_cast<std::uint32_t>(bytes), kText.size()));
  EXPECT_EQ(error_of(bad), "app: fat binary: compressed PTX is damaged");
}

TEST(FatBinary, EveryTruncationIsAnError) {
  const std::string whole = container(plain(75, ".version 7.0\n"));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_NE(error_of(whole.substr(0, bytes)), "") << bytes;
  }
  std::string longer = whole;
  longer[16 + 8] = 127;  // the entry's contents
  EXPECT_EQ(error_of(longer), "app: fat binary: an entry does not fit its container");
  EXPECT_EQ(error_of(std::string(64, 'x')), "app: fat binary: not one (wrong magic number)");
}

TEST(FatBinary, TheNewestThatFitsElseTheOldest) {
  const FatBinary binary = read(container(plain(80, "80") + plain(60, "60") + plain(70, "70")));
  EXPECT_EQ(choose_ptx(binary, 75)->text, "70");
  EXPECT_EQ(choose_ptx(binary, 90)->text, "80");
  EXPECT_EQ(choose_ptx(binary, 50)->text, "60");
  EXPECT_EQ(choose_ptx({}, 75), nullptr);
}

}  // namespace
}  // namespace paws::cuda
