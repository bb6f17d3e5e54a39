// SPDX-License-Identifier: MIT
#include "sim/cuda/fat_binary.h"

#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>

#include "sim/support/error.h"

namespace paws::cuda {
namespace {

constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kMachineCode = 2;
constexpr std::uint64_t kLz4 = 0x2000;
constexpr std::uint64_t kZstd = 0x8000;
/// More than any PTX that a compiler could write; what is larger is damage.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  ///< behind the header
};
static_assert(sizeof(Header) == 16);

struct Entry {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;             ///< of the contents, with padding
  std::uint32_t compressed_bytes;  ///< of the contents, without padding; 0: not compressed
  std::uint32_t options;
  std::uint16_t minor, major;
  std::uint32_t architecture;
  std::uint32_t name_offset, name_bytes;
  std::uint64_t flags;
  std::uint64_t reserved;
  std::uint64_t plain_bytes;  ///< of compressed contents, when they are not any more
};
static_assert(sizeof(Entry) == 64);

std::string decompress(const Entry& entry, std::span<const std::byte> contents,
                       const std::string& name) {
  const auto* data = reinterpret_cast<const char*>(contents.data());
  if ((entry.flags & (kLz4 | kZstd)) == 0) return {data, contents.size()};
  const std::size_t bytes = entry.compressed_bytes;
  if (bytes > contents.size() || entry.plain_bytes > kMostBytes) {
    throw InputError(name, "fat binary: a compressed entry does not fit its container");
  }
  std::string text(entry.plain_bytes, '\0');
  bool whole = false;
  if ((entry.flags & kZstd) != 0) {
    const std::size_t got = ZSTD_decompress(text.data(), text.size(), data, bytes);
    whole = ZSTD_isError(got) == 0 && got == text.size();
  } else {
    const int got = LZ4_decompress_safe(data, text.data(), static_cast<int>(bytes),
                                        static_cast<int>(text.size()));
    whole = got >= 0 && static_cast<std::size_t>(got) == text.size();
  }
  if (!whole) throw InputError(name, "fat binary: compressed PTX is damaged");
  return text;
}

}  // namespace

std::size_t fat_binary_bytes(const std::byte* data) {
  Header header;
  std::memcpy(&header, data, sizeof(header));
  return header.magic == kMagic ? header.header_bytes + header.bytes : 0;
}

FatBinary read_fat_binary(std::span<const std::byte> container, const std::string& name) {
  Header header;
  if (container.size() < sizeof(header)) throw InputError(name, "fat binary: too short");
  std::memcpy(&header, container.data(), sizeof(header));
  if (header.magic != kMagic) throw InputError(name, "fat binary: not one (wrong magic number)");
  if (header.header_bytes < sizeof(header) || header.header_bytes > container.size() ||
      header.bytes > container.size() - header.header_bytes) {
    throw InputError(name, "fat binary: truncated");
  }
  std::span<const std::byte> rest = container.subspan(header.header_bytes, header.bytes);
  FatBinary binary;
  while (rest.size() >= sizeof(Entry)) {
    Entry entry;
    std::memcpy(&entry, rest.data(), sizeof(entry));
    if (entry.header_bytes < sizeof(entry) || entry.header_bytes > rest.size() ||
        entry.bytes > rest.size() - entry.header_bytes) {
      throw InputError(name, "fat binary: an entry does not fit its container");
    }
    const auto contents = rest.subspan(entry.header_bytes, entry.bytes);
    if (entry.kind == kPtx) {
      std::string text = decompress(entry, contents, name);
      // Contents are padded with zeros.
      text.resize(std::strlen(text.c_str()));
      binary.ptx.push_back({entry.architecture, std::move(text)});
    } else if (entry.kind == kMachineCode) {
      binary.machine_code.push_back(entry.architecture);
    }
    rest = rest.subspan(entry.header_bytes + entry.bytes);
  }
  return binary;
}

const PtxImage* choose_ptx(const FatBinary& binary, unsigned capability) {
  const PtxImage* newest = nullptr;
  const PtxImage* oldest = nullptr;
  for (const PtxImage& image : binary.ptx) {
    if (oldest == nullptr || image.architecture < oldest->architecture) oldest = &image;
    if (image.architecture > capability) continue;
    if (newest == nullptr || image.architecture > newest->architecture) newest = &image;
  }
  return newest != nullptr ? newest : oldest;
}

}  // namespace paws::cuda
