// SPDX-License-Identifier: MIT
// What the benches of the modules for hosts share: a verilated module, fields of bits at ports of
// any type, and the course of a random test.
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "tb/random/drive.h"

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

/// Registers begin with random values, the same in every run. An assertion that fails ends the
/// program.
template <class Top>
class VerilatedTop {
 public:
  Top* operator->() { return &top_; }

  /// A cycle of reset, with the other inputs as they are.
  void reset() {
    top_.rst_ni = 0;
    settle();
    rise();
    top_.rst_ni = 1;
  }
  void settle() {
    top_.clk_i = 0;
    top_.eval();
  }
  void rise() {
    top_.clk_i = 1;
    top_.eval();
  }

 private:
  static const char* randomized() {
    Verilated::randReset(2);
    Verilated::randSeed(1);
    return "module";
  }

  Top top_{randomized()};
};

/// How often each situation that a random test must reach has come.
using Events = std::map<std::string, unsigned>;

/// Runs a core, which draws inputs and compares, for the cycles of a test or up to its first
/// failure, with a reset now and then if it has one, and adds its events.
template <class Core>
void drive(Core& core, const RunLength& run, Events& events) {
  for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
    if constexpr (requires { core.reset(); }) {
      if (cycle % 1000 == 999) core.reset();
    }
    core.cycle();
    if (testing::Test::HasFatalFailure()) return;
  }
  for (const auto& [event, times] : core.events()) events[event] += times;
}

/// The length of a random test, which says how to repeat it.
inline RunLength begin_run(std::uint64_t cycles) {
  const RunLength run = run_length(cycles);
  std::cout << reproduce_text(run) << '\n';
  return run;
}

inline void expect_each(const Events& events) {
  for (const auto& [event, times] : events) EXPECT_GT(times, 0U) << event;
}

/// What a golden model says of inputs that break a promise; "none" if they break none.
template <class Model, class Inputs>
std::string violation_of(Model& model, const Inputs& inputs) {
  model.decide(inputs);
  try {
    model.commit();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace paws
