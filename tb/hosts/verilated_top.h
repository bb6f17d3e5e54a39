// SPDX-License-Identifier: MIT
// What the benches of the modules for hosts share: a verilated module with a context of its own,
// and fields of bits at ports of any type.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>

namespace paws {

/// Bits of the number of one of `count` things.
inline unsigned number_bits(unsigned count) {
  return std::max(1U, static_cast<unsigned>(std::bit_width(count - 1)));
}

template <class Port>
bool get_bit(const Port& port, unsigned at) {
  if constexpr (std::is_integral_v<Port>) {
    return (port >> at & 1U) != 0;
  } else {
    return get_bit(port.m_storage[at / 32], at % 32);
  }
}

template <class Port>
void set_bit(Port& port, unsigned at, bool value) {
  if constexpr (std::is_integral_v<Port>) {
    const Port bit = static_cast<Port>(Port{1} << at);
    port = static_cast<Port>(value ? port | bit : port & ~bit);
  } else {
    set_bit(port.m_storage[at / 32], at % 32, value);
  }
}

/// The field of `width` bits, 32 at most, from bit `at` of a port on.
template <class Port>
std::uint32_t get_bits(const Port& port, unsigned at, unsigned width) {
  std::uint32_t value = 0;
  for (unsigned bit = 0; bit < width; ++bit) {
    value |= static_cast<std::uint32_t>(get_bit(port, at + bit)) << bit;
  }
  return value;
}

/// Such a field becomes `value`; the other bits stay.
template <class Port>
void set_bits(Port& port, unsigned at, unsigned width, std::uint32_t value) {
  for (unsigned bit = 0; bit < width; ++bit) set_bit(port, at + bit, (value >> bit & 1U) != 0);
}

/// Registers begin with random values.
template <class Top>
class VerilatedTop {
 public:
  VerilatedTop() : top_(fresh(context_)) {}

  ~VerilatedTop() {
    // The verilated model cleans up in the thread's current context, which may be that of another
    // one by now, or gone.
    Verilated::threadContextp(&context_);
    top_.reset();
    Verilated::threadContextp(nullptr);
  }

  VerilatedTop(const VerilatedTop&) = delete;
  VerilatedTop& operator=(const VerilatedTop&) = delete;

  Top* operator->() { return top_.get(); }

  /// A cycle of reset, with the other inputs as they are.
  void reset() {
    top_->rst_ni = 0;
    settle();
    rise();
    top_->rst_ni = 1;
  }
  void settle() {
    top_->clk_i = 0;
    top_->eval();
  }
  /// Throws std::runtime_error if an assertion has failed.
  void rise() {
    top_->clk_i = 1;
    top_->eval();
    if (context_.gotError()) throw std::runtime_error("an assertion of the RTL has failed");
  }

 private:
  static std::unique_ptr<Top> fresh(VerilatedContext& context) {
    context.threads(1);
    context.randReset(2);
    context.randSeed(1);
    context.fatalOnError(false);
    return std::make_unique<Top>(&context, "module");
  }

  VerilatedContext context_;
  std::unique_ptr<Top> top_;
};

}  // namespace paws
