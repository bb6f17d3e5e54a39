// SPDX-License-Identifier: MIT
// Elements of buffers: their types, and numbers stored into and read from memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace paws {

enum class ElementType : std::uint8_t {
  u8,
  s8,
  u16,
  s16,
  u32,
  s32,
  u64,
  s64,
  f16,   ///< IEEE binary16
  bf16,  ///< bfloat16
  f32,
  f64
};

std::optional<ElementType> element_type(std::string_view name);  ///< nothing when unknown
const std::vector<std::string>& element_type_names();
std::string to_string(ElementType type);
unsigned size_of(ElementType type);  ///< bytes
bool is_float(ElementType type);

/// A number of a launch description.
using Number = std::variant<std::int64_t, double>;
std::string to_string(const Number& number);

/// Values of a whole buffer: integers, or reals for floating-point types. u64 values from 2^63 on
/// stand as their two's complement.
using Values = std::variant<std::vector<std::int64_t>, std::vector<double>>;

/// Stores `number` at `to`, little-endian. What a floating-point type does not hold is rounded
/// once, to nearest, ties to even. Returns why it cannot: out of range, or a fraction for an
/// integer type; empty on success.
[[nodiscard]] std::string store(ElementType type, const Number& number, std::byte* to);

/// The same of many for a floating-point type, each `stride` bytes behind the one before. Returns
/// how many are stored: all, or those before the first that the type does not hold.
[[nodiscard]] std::size_t store_reals(ElementType type, std::span<const double> values,
                                      std::byte* to, std::uint64_t stride);
/// The same of many integers, for any type.
[[nodiscard]] std::size_t store_integers(ElementType type, std::span<const std::int64_t> values,
                                         std::byte* to, std::uint64_t stride);

/// Stores raw bits at `to`, little-endian. Returns why it cannot: more bits than `type` has.
[[nodiscard]] std::string store_bits(ElementType type, std::uint64_t bits, std::byte* to);

/// Element `index` of an array, for messages and text files: the shortest digits that read back as
/// the same value.
std::string format_element(ElementType type, const std::byte* array, std::uint64_t index);

/// Shortest digits that read back as the same value.
std::string format_real(double value);

/// `bits` as messages show them: "0x7fc00001".
std::string format_bits(std::uint64_t bits);

/// The nearest value of a floating-point type, ties to even; beyond its range an infinity.
double round_to(ElementType type, double value);

/// How many representable numbers of a floating-point type two of its values, no NaN, lie apart; -0
/// and 0 are one.
std::uint64_t ulps_apart(ElementType type, double a, double b);

/// All elements of an array.
Values read_values(ElementType type, const std::byte* array, std::uint64_t count);

}  // namespace paws
