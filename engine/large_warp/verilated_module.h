// SPDX-License-Identifier: MIT
// What the adapters of the modules of large warps share: a verilated model with a context of its
// own, and ports that hold a mask of rows or the rows of lanes. Included once per engine, with
//   PAWS_TOP                the verilated class
//   PAWS_LANES, PAWS_ROWS   the frozen parameters
//   PAWS_ASSERT             assertions are compiled in
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "engine/rtl_engine.h"
#include "engine/verilated_runtime.h"
#include "model/large_warp.h"

namespace paws {
namespace {

constexpr unsigned kLanes = PAWS_LANES;
constexpr unsigned kRows = PAWS_ROWS;
constexpr LaneBits kAllLanes = kLanes == 32 ? ~LaneBits{0} : (LaneBits{1} << kLanes) - 1;

constexpr unsigned row_bits() {
  unsigned bits = 1;
  while ((1U << bits) < kRows) ++bits;
  return bits;
}

/// Puts `width` bits, 32 at most, to a port at bit `at`. Those of the port must be 0.
template <class Port>
void put_bits(Port& port, unsigned at, unsigned width, std::uint32_t value) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(port | static_cast<std::uint64_t>(value) << at);
  } else {
    const std::uint64_t moved = static_cast<std::uint64_t>(value) << (at % 32);
    port[at / 32] |= static_cast<std::uint32_t>(moved);
    if (at % 32 + width > 32) port[at / 32 + 1] |= static_cast<std::uint32_t>(moved >> 32);
  }
}

template <class Port>
std::uint32_t get_bits(const Port& port, unsigned at, unsigned width) {
  const std::uint64_t all = (std::uint64_t{1} << width) - 1;
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(port) >> at & all);
  } else {
    std::uint64_t bits = port[at / 32];
    if (at % 32 + width > 32) bits |= static_cast<std::uint64_t>(port[at / 32 + 1]) << 32;
    return static_cast<std::uint32_t>(bits >> (at % 32) & all);
  }
}

template <class Port>
void put_mask(Port& port, const LargeWarpMask& mask) {
  port = Port{};
  for (unsigned row = 0; row < kRows; ++row) {
    put_bits(port, row * kLanes, kLanes, mask[row] & kAllLanes);
  }
}

template <class Port>
LargeWarpMask get_mask(const Port& port) {
  LargeWarpMask mask{};
  for (unsigned row = 0; row < kRows; ++row) mask[row] = get_bits(port, row * kLanes, kLanes);
  return mask;
}

template <class Port>
void put_rows(Port& port, const LaneRows& rows) {
  port = Port{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    put_bits(port, lane * row_bits(), row_bits(), rows[lane] & ((1U << row_bits()) - 1));
  }
}

template <class Port>
LaneRows get_rows(const Port& port) {
  LaneRows rows{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    rows[lane] = static_cast<std::uint8_t>(get_bits(port, lane * row_bits(), row_bits()));
  }
  return rows;
}

class VerilatedModule {
 public:
  VerilatedModule() : top_(fresh_top(context_)) {}

  ~VerilatedModule() {
    // The verilated model cleans up in the thread's current context, which may be another engine's
    // by now, or gone.
    Verilated::threadContextp(&context_);
    top_.reset();
    Verilated::threadContextp(nullptr);
  }

  VerilatedModule(const VerilatedModule&) = delete;
  VerilatedModule& operator=(const VerilatedModule&) = delete;

  PAWS_TOP* operator->() { return top_.get(); }

  /// Two edges with the inputs as they are and reset on.
  void reset() {
    top_->rst_ni = 0;
    // Edges are seen against the evaluation before: there must have been one.
    settle();
    rise();
    top_->rst_ni = 1;
  }
  void settle() {
    top_->clk_i = 0;
    top_->eval();
  }
  void rise() {
    top_->clk_i = 1;
    top_->eval();
#ifdef PAWS_ASSERT
    context_.timeInc(1);
    if (verilated::stopped) throw ContractViolation(verilated::take_message());
#endif
  }

 private:
  static std::unique_ptr<PAWS_TOP> fresh_top(VerilatedContext& context) {
    context.threads(1);  // else every engine would start idle threads of its own
#ifdef PAWS_ASSERT
    // What reset does not set starts at random values, the same in every run.
    context.randReset(2);
    context.randSeed(1);
#endif
    return std::make_unique<PAWS_TOP>(&context, "module");
  }

  VerilatedContext context_;
  std::unique_ptr<PAWS_TOP> top_;
};

}  // namespace
}  // namespace paws
