// SPDX-License-Identifier: MIT
#include "sim/launch/element.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace paws {
namespace {

static_assert(std::endian::native == std::endian::little, "buffers are little-endian, as the GPU");

/// Calls `visit` with a value of the C++ type of `type`.
template <typename Visitor>
auto with_type(ElementType type, Visitor visit) {
  switch (type) {
    case ElementType::u8:
      return visit(std::uint8_t{});
    case ElementType::s8:
      return visit(std::int8_t{});
    case ElementType::u16:
      return visit(std::uint16_t{});
    case ElementType::s16:
      return visit(std::int16_t{});
    case ElementType::u32:
      return visit(std::uint32_t{});
    case ElementType::s32:
      return visit(std::int32_t{});
    case ElementType::u64:
      return visit(std::uint64_t{});
    case ElementType::s64:
      return visit(std::int64_t{});
    case ElementType::f32:
      return visit(float{});
    case ElementType::f64:
      break;
  }
  return visit(double{});
}

template <typename T>
T read(const std::byte* array, std::uint64_t index) {
  T value;
  std::memcpy(&value, array + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
std::string shortest(T value) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace

const std::vector<std::string>& element_type_names() {
  static const std::vector<std::string> names{"u8",  "s8",  "u16", "s16", "u32",
                                              "s32", "u64", "s64", "f32", "f64"};
  return names;
}

std::optional<ElementType> element_type(std::string_view name) {
  const auto& names = element_type_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

std::string to_string(ElementType type) {
  return element_type_names()[static_cast<std::size_t>(type)];
}

unsigned size_of(ElementType type) {
  return with_type(type, [](auto zero) { return static_cast<unsigned>(sizeof(zero)); });
}

bool is_float(ElementType type) { return type >= ElementType::f32; }

std::string format_real(double value) { return shortest(value); }

std::string to_string(const Number& number) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) return std::to_string(*integer);
  return format_real(std::get<double>(number));
}

std::string store(ElementType type, const Number& number, std::byte* to) {
  return with_type(type, [&](auto zero) -> std::string {
    using T = decltype(zero);
    T value{};
    if constexpr (std::is_floating_point_v<T>) {
      const double real = std::visit([](auto n) { return static_cast<double>(n); }, number);
      if (std::isfinite(real) && std::abs(real) > std::numeric_limits<T>::max()) {
        return to_string(number) + " does not fit " + to_string(type);
      }
      // Straight from the integer: through a double it would be rounded twice.
      value = std::visit([](auto n) { return static_cast<T>(n); }, number);
    } else {
      const auto* integer = std::get_if<std::int64_t>(&number);
      if (integer == nullptr) {
        return to_string(number) + " is not an integer, as " + to_string(type) + " needs";
      }
      // Every u64 fits an int64_t upward, so only the sign is to be checked there.
      const bool fits = sizeof(T) == 8
                            ? std::is_signed_v<T> || *integer >= 0
                            : static_cast<std::int64_t>(static_cast<T>(*integer)) == *integer;
      if (!fits) return to_string(number) + " does not fit " + to_string(type);
      value = static_cast<T>(*integer);
    }
    std::memcpy(to, &value, sizeof(T));
    return "";
  });
}

std::string format_element(ElementType type, const std::byte* array, std::uint64_t index) {
  return with_type(type, [&](auto zero) { return shortest(+read<decltype(zero)>(array, index)); });
}

Values read_values(ElementType type, const std::byte* array, std::uint64_t count) {
  return with_type(type, [&](auto zero) -> Values {
    using T = decltype(zero);
    using Out = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    std::vector<Out> values;
    values.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) values.emplace_back(read<T>(array, i));
    return values;
  });
}

}  // namespace paws
