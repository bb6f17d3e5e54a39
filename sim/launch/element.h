// SPDX-License-Identifier: MIT
// Elements of buffers: their types, and numbers stored into and read from memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace paws {

enum class ElementType : std::uint8_t { u8, s8, u16, s16, u32, s32, u64, s64, f32, f64 };

std::optional<ElementType> element_type(std::string_view name);  ///< nothing when unknown
const std::vector<std::string>& element_type_names();
std::string to_string(ElementType type);
unsigned size_of(ElementType type);  ///< bytes
bool is_float(ElementType type);

/// A number of a launch description.
using Number = std::variant<std::int64_t, double>;
std::string to_string(const Number& number);

/// Values of a whole buffer: integers, or reals for f32 and f64. u64 values from 2^63 on stand as
/// their two's complement.
using Values = std::variant<std::vector<std::int64_t>, std::vector<double>>;

/// Stores `number` at `to`, little-endian. Integers into floating-point types are rounded to
/// nearest. Returns why it cannot: out of range, or a fraction for an integer type; empty on
/// success.
[[nodiscard]] std::string store(ElementType type, const Number& number, std::byte* to);

/// Element `index` of an array, for messages: the shortest digits that read back as the same value.
std::string format_element(ElementType type, const std::byte* array, std::uint64_t index);

/// Shortest digits that read back as the same value.
std::string format_real(double value);

/// All elements of an array.
Values read_values(ElementType type, const std::byte* array, std::uint64_t count);

}  // namespace paws
