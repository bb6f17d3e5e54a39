// SPDX-License-Identifier: MIT
#include "sim/launch/element.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "sim/support/small_float.h"

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
    case ElementType::f16:
      return visit(Float16{});
    case ElementType::bf16:
      return visit(Bfloat16{});
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
inline constexpr bool kIsSmall = std::is_same_v<T, Float16> || std::is_same_v<T, Bfloat16>;
template <typename T>
inline constexpr bool kIsReal = std::is_floating_point_v<T> || kIsSmall<T>;

/// `number`, a double or a 64-bit integer, rounded once to a floating-point type.
template <typename T, typename From>
T rounded(From number) {
  if constexpr (kIsSmall<T>) {
    return T::round(number);
  } else {
    return static_cast<T>(number);
  }
}

/// An element as the type that stands for it in Values.
template <typename T>
auto widened(T value) {
  if constexpr (kIsSmall<T>) {
    return value.widen();
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<std::int64_t>(value);
  }
}

template <typename T>
std::string shortest(T value) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// The least digits, as many as needed, that round back to `value`; whole numbers in full.
template <typename T>
std::string shortest_small(T value) {
  const double wide = value.widen();
  constexpr double kAllExact = 0x1p53;
  if (!std::isfinite(wide) || (wide == std::trunc(wide) && std::abs(wide) < kAllExact)) {
    return shortest(wide);
  }
  for (int digits = 1; digits < std::numeric_limits<double>::digits10; ++digits) {
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), wide,
                                   std::chars_format::scientific, digits - 1)
                         .ptr;
    double read_back = 0;
    std::from_chars(text.data(), end, read_back);
    if (T::round(read_back).bits == value.bits) return shortest(read_back);
  }
  return shortest(wide);
}

/// Integers in the order of the floating-point numbers, one apart for neighbours; -0 and 0 are one.
std::int64_t ordinal(ElementType type, double value) {
  return with_type(type, [value](auto zero) -> std::int64_t {
    using T = decltype(zero);
    if constexpr (kIsReal<T>) {
      using Bits =
          std::conditional_t<sizeof(T) == 2, std::int16_t,
                             std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;
      const std::int64_t bits = std::bit_cast<Bits>(rounded<T>(value));
      return bits >= 0 ? bits : std::int64_t{std::numeric_limits<Bits>::min()} - bits;
    }
    return 0;
  });
}

}  // namespace

const std::vector<std::string>& element_type_names() {
  static const std::vector<std::string> names{"u8",  "s8",  "u16", "s16",  "u32", "s32",
                                              "u64", "s64", "f16", "bf16", "f32", "f64"};
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

bool is_float(ElementType type) { return type >= ElementType::f16; }

std::string format_real(double value) { return shortest(value); }

std::string to_string(const Number& number) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) return std::to_string(*integer);
  return format_real(std::get<double>(number));
}

namespace {

template <typename T>
bool fits(std::int64_t integer) {
  // Every u64 fits an int64_t upward, so only the sign is to be checked there.
  if constexpr (sizeof(T) == 8) return std::is_signed_v<T> || integer >= 0;
  return static_cast<std::int64_t>(static_cast<T>(integer)) == integer;
}

}  // namespace

std::string store(ElementType type, const Number& number, std::byte* to) {
  return with_type(type, [&](auto zero) -> std::string {
    using T = decltype(zero);
    T value{};
    if constexpr (kIsReal<T>) {
      // Straight from the integer: through a double it would be rounded twice.
      value = std::visit([](auto n) { return rounded<T>(n); }, number);
      const auto* real = std::get_if<double>(&number);
      if ((real == nullptr || std::isfinite(*real)) && !std::isfinite(widened(value))) {
        return to_string(number) + " does not fit " + to_string(type);
      }
    } else {
      const auto* integer = std::get_if<std::int64_t>(&number);
      if (integer == nullptr) {
        return to_string(number) + " is not an integer, as " + to_string(type) + " needs";
      }
      if (!fits<T>(*integer)) return to_string(number) + " does not fit " + to_string(type);
      value = static_cast<T>(*integer);
    }
    std::memcpy(to, &value, sizeof(T));
    return {};
  });
}

std::size_t store_reals(ElementType type, std::span<const double> values, std::byte* to,
                        std::uint64_t stride) {
  return with_type(type, [&](auto zero) -> std::size_t {
    using T = decltype(zero);
    if constexpr (kIsReal<T>) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = rounded<T>(values[i]);
        if (!std::isfinite(widened(value)) && std::isfinite(values[i])) return i;
        std::memcpy(to + i * stride, &value, sizeof(T));
      }
      return values.size();
    }
    return 0;
  });
}

std::size_t store_integers(ElementType type, std::span<const std::int64_t> values, std::byte* to,
                           std::uint64_t stride) {
  return with_type(type, [&](auto zero) -> std::size_t {
    using T = decltype(zero);
    for (std::size_t i = 0; i < values.size(); ++i) {
      T value{};
      if constexpr (kIsReal<T>) {
        value = rounded<T>(values[i]);
        if (!std::isfinite(widened(value))) return i;
      } else {
        if (!fits<T>(values[i])) return i;
        value = static_cast<T>(values[i]);
      }
      std::memcpy(to + i * stride, &value, sizeof(T));
    }
    return values.size();
  });
}

std::string store_bits(ElementType type, std::uint64_t bits, std::byte* to) {
  const unsigned size = size_of(type);
  if (size < sizeof(bits) && bits >> (8 * size) != 0) {
    return format_bits(bits) + " does not fit the " + std::to_string(8 * size) + " bits of " +
           to_string(type);
  }
  std::memcpy(to, &bits, size);
  return "";
}

std::string format_element(ElementType type, const std::byte* array, std::uint64_t index) {
  return with_type(type, [&](auto zero) {
    const auto value = read<decltype(zero)>(array, index);
    if constexpr (kIsSmall<decltype(zero)>) {
      return shortest_small(value);
    } else {
      return shortest(+value);
    }
  });
}

std::string format_bits(std::uint64_t bits) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), bits, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

double round_to(ElementType type, double value) {
  return with_type(type, [value](auto zero) -> double {
    using T = decltype(zero);
    if constexpr (kIsReal<T>) return widened(rounded<T>(value));
    return value;
  });
}

std::uint64_t ulps_apart(ElementType type, double a, double b) {
  const std::int64_t x = ordinal(type, a);
  const std::int64_t y = ordinal(type, b);
  const auto ux = static_cast<std::uint64_t>(x);
  const auto uy = static_cast<std::uint64_t>(y);
  return x > y ? ux - uy : uy - ux;
}

Values read_values(ElementType type, const std::byte* array, std::uint64_t count) {
  return with_type(type, [&](auto zero) -> Values {
    using T = decltype(zero);
    std::vector<decltype(widened(zero))> values(count);
    for (std::uint64_t i = 0; i < count; ++i) values[i] = widened(read<T>(array, i));
    return values;
  });
}

}  // namespace paws
