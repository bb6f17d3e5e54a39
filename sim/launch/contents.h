// SPDX-License-Identifier: MIT
// Contents of buffers: filled, generated, or read from files.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sim/launch/datum.h"
#include "sim/launch/workload.h"

namespace paws {

/// Random numbers, the same on every machine: std::mt19937_64, whose output the C++ standard fixes,
/// with mappings of our own, because those of the standard library are not fixed.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [low, high]: low + floor(next * (high - low + 1) / 2^64).
  std::int64_t integer(std::int64_t low, std::int64_t high);

  /// Uniform in [low, high): low + (high - low) * floor(next / 2^11) / 2^53.
  double real(double low, double high);

 private:
  std::mt19937_64 engine_;
};

/// Seed of a buffer's random contents that names none: the workload's seed plus the 64-bit FNV-1a
/// hash of the buffer's name, so that buffers differ and their order does not matter.
std::uint64_t buffer_seed(std::uint64_t workload_seed, const std::string& buffer);

/// What contents may ask for beyond their own description.
struct ContentSources {
  /// What the reference function of a layer gives; needed where a layer is of the kind "reference".
  std::function<Values(const Layer&)> reference;
  BufferLookup address;  ///< needed where there are addresses
};

/// Writes the layers, in order, over `out`, the bytes of `buffer`. Throws InputError.
void write_layers(const std::vector<Layer>& layers, const Buffer& buffer, std::uint64_t seed,
                  const Variables& variables, std::span<std::byte> out,
                  const ContentSources& sources = {});

/// Which elements of a buffer of `count` a selection means.
struct Range {
  std::uint64_t offset = 0, every = 1, count = 0;
};
Range select(const Selection& selection, std::uint64_t count, const std::string& buffer,
             const Variables& variables);

/// Writes a buffer to a file: raw little-endian, or text with one element per line.
void save_contents(const SaveFile& save, ElementType type, std::span<const std::byte> bytes);

}  // namespace paws
