// SPDX-License-Identifier: MIT
// Values as they lie in memory: numbers, raw bits, addresses and structures laid out as C++ does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "sim/launch/workload.h"

namespace paws {

inline constexpr unsigned kPointerBytes = 8;

/// What an address may ask about a buffer.
struct BufferAddress {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};
using BufferLookup = std::function<BufferAddress(const std::string& buffer)>;

/// Calls `visit` for each address in `datum`, also inside structures.
void for_each_address(const Datum& datum, const std::function<void(const Datum&)>& visit);

/// The words for a datum in messages: "buffer "a"", "f32", "integer".
std::string describe(const Datum& datum);

/// Size and alignment of a datum as C++ lays it out; of a plain one, whose place decides, 0 bytes.
/// Padding counts bytes without alignment.
struct Extent {
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;
};
Extent extent(const Datum& datum, const Variables& variables);

/// Address that a datum of the kind "address" stands for. Throws InputError when its offset is
/// outside of the buffer; the byte behind the last one still counts.
std::uint64_t address_of(const Datum& datum, const Variables& variables,
                         const BufferLookup& buffers);

/// Writes a datum that is not plain at `to`, which has room for extent() zeroed bytes. Throws
/// InputError when a value does not fit.
void write_datum(const Datum& datum, const Variables& variables, const BufferLookup& buffers,
                 std::byte* to);

}  // namespace paws
