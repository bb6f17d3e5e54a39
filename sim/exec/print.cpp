// SPDX-License-Identifier: MIT
#include "sim/exec/print.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "sim/exec/access.h"
#include "sim/exec/families.h"
#include "sim/exec/fault.h"

namespace paws::exec {
namespace {

constexpr std::size_t kLongest = 1 << 16;  ///< bytes of a string, beyond which it has no end
constexpr int kWidest = 4096;              ///< characters of a field

/// The string at a generic address; nothing when it runs out of memory before its end.
std::optional<std::string> string_at(const WarpContext& ctx, unsigned lane, std::uint64_t address) {
  std::string text;
  while (text.size() < kLongest) {
    const std::byte* byte = host_address(ctx, lane, address + text.size(), 1);
    if (byte == nullptr) return std::nullopt;
    if (*byte == std::byte{0}) return text;
    text += static_cast<char>(*byte);
  }
  return std::nullopt;
}

/// A conversion specification, "%-08.3llf" and the like.
struct Conversion {
  std::string flags;
  std::optional<int> width, precision;
  bool width_follows = false, precision_follows = false;  ///< '*'
  bool is_long = false;                                   ///< 64 bits
  unsigned short_by = 0;                                  ///< 'h' counts
  char kind = 0;
};

/// Formats one call of a lane.
class Call {
 public:
  Call(const Decoded& in, const WarpContext& ctx, unsigned lane)
      : in_(in), ctx_(ctx), lane_(lane), arguments_(operand(1)) {}

  std::string run() {
    const std::optional<std::string> format = string_at(ctx_, lane_, operand(0));
    if (!format) fail("its format is not in memory");
    rest_ = *format;
    std::string text;
    while (!rest_.empty()) {
      const std::size_t plain = std::min(rest_.find('%'), rest_.size());
      text += rest_.substr(0, plain);
      rest_.remove_prefix(plain);
      if (rest_.starts_with("%%")) {
        text += '%';
        rest_.remove_prefix(2);
      } else if (!rest_.empty()) {
        text += convert(parse());
      }
    }
    return text;
  }
  [[nodiscard]] unsigned count() const { return count_; }

 private:
  [[noreturn]] void fail(const std::string& cause) const {
    fault(in_, ctx_, static_cast<int>(lane_), "printf: " + cause);
  }

  [[nodiscard]] std::uint64_t operand(unsigned n) const {
    return ctx_.lanes<std::uint64_t>(in_.src[n])[lane_];
  }

  bool take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<int> take_number() {
    std::optional<int> number;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      number = std::min(number.value_or(0) * 10 + (rest_.front() - '0'), kWidest);
      rest_.remove_prefix(1);
    }
    return number;
  }

  Conversion parse() {
    const std::string_view whole = rest_;
    Conversion conversion;
    take('%');
    while (!rest_.empty() &&
           std::string_view("-+ #0").find(rest_.front()) != std::string_view::npos) {
      conversion.flags += rest_.front();
      rest_.remove_prefix(1);
    }
    conversion.width_follows = take('*');
    if (!conversion.width_follows) conversion.width = take_number();
    if (take('.')) {
      conversion.precision_follows = take('*');
      if (!conversion.precision_follows) conversion.precision = take_number().value_or(0);
    }
    for (;;) {
      if (take('h')) {
        ++conversion.short_by;
      } else if (take('l') || take('j') || take('z') || take('t')) {
        conversion.is_long = true;
      } else {
        break;
      }
    }
    if (!rest_.empty()) conversion.kind = rest_.front();
    if (conversion.kind == 0 ||
        std::string_view("diouxXcsfFeEgGaAp").find(conversion.kind) == std::string_view::npos) {
      fail("'" + std::string(whole.substr(0, whole.size() - rest_.size() + 1)) +
           "' is no conversion");
    }
    rest_.remove_prefix(1);
    return conversion;
  }

  /// The next argument: arguments lie at multiples of their size.
  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const std::byte* from = host_address(ctx_, lane_, arguments_ + offset_, sizeof(T));
    if (from == nullptr) fail("argument " + std::to_string(count_ + 1) + " is not in memory");
    offset_ += sizeof(T);
    ++count_;
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }

  /// The host's printf formats one value; it is given flags, width and precision as they were read.
  template <class T>
  static std::string format(const Conversion& conversion, const char* length, T value) {
    std::string specification(1, '%');
    specification += conversion.flags;
    if (conversion.width) specification += std::to_string(*conversion.width);
    if (conversion.precision) {
      specification += '.';
      specification += std::to_string(*conversion.precision);
    }
    specification += length;
    specification += conversion.kind;
    const int bytes = std::snprintf(nullptr, 0, specification.c_str(), value);
    std::string text(static_cast<std::size_t>(std::max(bytes, 0)) + 1, '\0');
    std::snprintf(text.data(), text.size(), specification.c_str(), value);
    text.pop_back();
    return text;
  }

  std::string convert(Conversion conversion) {
    if (conversion.width_follows) {
      const int width = std::clamp(next<int>(), -kWidest, kWidest);
      if (width < 0) conversion.flags += '-';
      conversion.width = width < 0 ? -width : width;
    }
    if (conversion.precision_follows) {
      const int precision = next<int>();
      if (precision >= 0) conversion.precision = std::min(precision, kWidest);
    }
    switch (conversion.kind) {
      case 'd':
      case 'i':
        return format(conversion, "ll", signed_value(conversion));
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        return format(conversion, "ll", unsigned_value(conversion));
      case 'c':
        return format(conversion, "", next<int>());
      case 's': {
        const auto address = next<std::uint64_t>();
        const std::optional<std::string> text =
            address == 0 ? "(null)" : string_at(ctx_, lane_, address);
        if (!text) fail("the string of argument " + std::to_string(count_) + " is not in memory");
        return format(conversion, "", text->c_str());
      }
      case 'p':
        return format(conversion, "", std::bit_cast<const void*>(next<std::uint64_t>()));
      default:
        return format(conversion, "", next<double>());
    }
  }
  long long signed_value(const Conversion& conversion) {
    if (conversion.is_long) return next<long long>();
    const int value = next<int>();
    if (conversion.short_by == 0) return value;
    return conversion.short_by == 1 ? static_cast<short>(value) : static_cast<signed char>(value);
  }
  unsigned long long unsigned_value(const Conversion& conversion) {
    if (conversion.is_long) return next<unsigned long long>();
    const auto value = next<unsigned>();
    if (conversion.short_by == 0) return value;
    return conversion.short_by == 1 ? static_cast<unsigned short>(value)
                                    : static_cast<unsigned char>(value);
  }

  const Decoded& in_;
  const WarpContext& ctx_;
  unsigned lane_;
  std::uint64_t arguments_;  ///< generic address
  std::uint64_t offset_ = 0;
  unsigned count_ = 0;
  std::string_view rest_;  ///< of the format
};

void print(const Decoded& in, WarpContext& ctx) { ctx.memory->print(printed_text(in, ctx)); }

}  // namespace

std::string printed_text(const Decoded& in, const WarpContext& ctx) {
  std::string text;
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    Call call(in, ctx, lane);
    text += call.run();
    if (in.dst[0] == kNoSlot) continue;
    const std::uint32_t count = call.count();
    std::memcpy(ctx.base[0] + in.dst[0] + sizeof(count) * lane, &count, sizeof(count));
  }
  return text;
}

std::string failed_assertion(const Decoded& in, const WarpContext& ctx, int lane) {
  const auto text = [&](unsigned n) {
    const std::uint64_t address = ctx.lanes<std::uint64_t>(in.src[n])[static_cast<unsigned>(lane)];
    return string_at(ctx, static_cast<unsigned>(lane), address).value_or("?");
  };
  const std::uint32_t line = ctx.lanes<std::uint32_t>(in.src[2])[static_cast<unsigned>(lane)];
  return "assertion '" + text(0) + "' failed in " + text(3) + ", " + text(1) + ":" +
         std::to_string(line);
}

Handler select_print(const ir::Instruction& in) {
  return in.op == ir::Op::print ? &print : nullptr;
}

}  // namespace paws::exec
