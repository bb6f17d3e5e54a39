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

/// A call of a lane, as it is kept. Its arguments follow, then its format and the strings that are
/// not in global memory, with their zeros: what is private to threads and blocks is as they see it
/// now.
struct KeptCall {
  std::uint32_t lane = 0;
  std::uint32_t argument_bytes = 0;
  std::uint32_t string_bytes = 0;
};

/// Reads the arguments of one call of a lane, and formats it.
class Call {
 public:
  /// A call that issues: its arguments are in memory. Strings in global memory are not read.
  Call(const Decoded& in, const WarpContext& ctx, unsigned lane)
      : in_(in), ctx_(ctx), lane_(lane), arguments_(operand(1)) {}
  /// A call that was kept.
  Call(const Decoded& in, const WarpContext& ctx, const KeptCall& call, const std::byte* arguments)
      : in_(in),
        ctx_(ctx),
        lane_(call.lane),
        kept_(arguments),
        strings_(reinterpret_cast<const char*>(arguments) + call.argument_bytes,
                 call.string_bytes) {}

  std::string run() {
    const std::string format = kept_ == nullptr ? read_format() : kept_string();
    rest_ = format;
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

  /// After run(): appends the call with its arguments.
  void keep(std::vector<std::byte>& to) const {
    const KeptCall call{lane_, static_cast<std::uint32_t>(read_.size()),
                        static_cast<std::uint32_t>(strings_.size())};
    const auto append = [&to](const void* data, std::size_t bytes) {
      const auto* from = static_cast<const std::byte*>(data);
      to.insert(to.end(), from, from + bytes);
    };
    append(&call, sizeof(call));
    append(read_.data(), read_.size());
    append(strings_.data(), strings_.size());
  }

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
    const std::byte* from = kept_ != nullptr
                                ? kept_ + offset_
                                : host_address(ctx_, lane_, arguments_ + offset_, sizeof(T));
    if (from == nullptr) fail("argument " + std::to_string(count_ + 1) + " is not in memory");
    T value;
    std::memcpy(&value, from, sizeof(T));
    read_.resize(offset_ + sizeof(T));
    std::memcpy(read_.data() + offset_, &value, sizeof(T));
    offset_ += sizeof(T);
    ++count_;
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
        return format(conversion, "", string_of(address).c_str());
      }
      case 'p':
        return format(conversion, "", std::bit_cast<const void*>(next<std::uint64_t>()));
      default:
        return format(conversion, "", next<double>());
    }
  }
  /// Of an argument of `%s`; of a call that issues, nothing if it is in global memory.
  std::string string_of(std::uint64_t address) {
    if (address == 0) return "(null)";
    const bool global = space_of(address) == ir::Space::global;
    if (global && kept_ == nullptr) return "";
    if (!global && kept_ != nullptr) return kept_string();
    const std::optional<std::string> text = string_at(ctx_, lane_, address);
    if (!text) fail("the string of argument " + std::to_string(count_) + " is not in memory");
    if (!global) strings_.append(text->c_str(), text->size() + 1);
    return *text;
  }
  std::string read_format() {
    const std::optional<std::string> format = string_at(ctx_, lane_, operand(0));
    if (!format) fail("its format is not in memory");
    strings_.append(format->c_str(), format->size() + 1);
    return *format;
  }
  std::string kept_string() {
    std::string text = strings_.c_str();
    strings_.erase(0, text.size() + 1);
    return text;
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
  std::uint64_t arguments_ = 0;      ///< generic address, of a call that issues
  const std::byte* kept_ = nullptr;  ///< the arguments of another call
  std::vector<std::byte> read_;      ///< of the arguments
  std::string strings_;              ///< format and strings of KeptCall
  std::uint64_t offset_ = 0;
  unsigned count_ = 0;
  std::string_view rest_;  ///< of the format
};

void print(const Decoded& in, WarpContext& ctx) {
  ctx.memory->print(printed_text(in, ctx, captured_calls(in, ctx)));
}

}  // namespace

std::string printed_text(const Decoded& in, const WarpContext& ctx,
                         const std::vector<std::byte>& calls) {
  std::string text;
  for (std::size_t at = 0; at < calls.size();) {
    KeptCall call;
    std::memcpy(&call, calls.data() + at, sizeof(call));
    at += sizeof(call);
    text += Call(in, ctx, call, calls.data() + at).run();
    at += call.argument_bytes + call.string_bytes;
  }
  return text;
}

std::vector<std::byte> captured_calls(const Decoded& in, const WarpContext& ctx) {
  std::vector<std::byte> calls;
  for (LaneMask left = ctx.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    Call call(in, ctx, lane);
    call.run();
    call.keep(calls);
    if (in.dst[0] == kNoSlot) continue;
    const std::uint32_t count = call.count();
    std::memcpy(ctx.base[0] + in.dst[0] + sizeof(count) * lane, &count, sizeof(count));
  }
  return calls;
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
