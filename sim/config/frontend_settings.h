// SPDX-License-Identifier: MIT
// The front-end's settings: what a GPU configuration says about compiling kernels for it.
#pragma once

#include <cstdint>

#include "sim/config/register_file.h"

namespace paws {

/// Cycles from issue to result. Those of loads, stores, branches and barriers are the cycles of
/// their issue: what memory and waiting add is the core's business, and phase lengths (PAWS,
/// Section III) do not count it.
struct LatencyTable {
  std::uint16_t move = 1;         ///< mov, cvta, selection of special registers, pack, unpack
  std::uint16_t branch = 1;       ///< bra, brx, exit, trap
  std::uint16_t barrier = 1;      ///< bar, membar, bar.warp
  std::uint16_t load_issue = 1;   ///< ld, atom
  std::uint16_t store_issue = 1;  ///< st, red, prefetch
  std::uint16_t integer = 4;      ///< 16- and 32-bit integer, logic, comparison, selection
  std::uint16_t integer_mul = 5;  ///< mul, mad, dp4a of up to 32 bits
  std::uint16_t integer64 = 6;    ///< 64-bit integer and logic
  std::uint16_t integer64_mul = 12;
  std::uint16_t integer_div = 70;  ///< div, rem of up to 32 bits: a subroutine on real machines
  std::uint16_t integer64_div = 200;
  std::uint16_t f32 = 4;
  std::uint16_t f32_div = 40;  ///< correctly rounded div, rcp, sqrt
  std::uint16_t f64 = 8;
  std::uint16_t f64_div = 80;     ///< div, rcp, sqrt of doubles
  std::uint16_t special = 16;     ///< ex2, lg2, sin, cos, tanh, approximate rcp, sqrt, rsqrt, div
  std::uint16_t conversion = 16;  ///< cvt
  std::uint16_t warp = 6;         ///< shfl, vote, match, redux, activemask

  bool operator==(const LatencyTable&) const = default;
};

/// The phase rule. In program order: if an instruction reads (sources, guard, address) a register
/// of the set, a phase starts there and the set is cleared; then the instruction's own
/// long-operation destinations join the set. The switches add the cuts of the paper's text.
struct PhaseRule {
  bool cut_at_blocks = false;      ///< every basic block starts a phase
  bool cut_at_barriers = false;    ///< the instruction after a block barrier starts a phase
  bool cut_at_branches = false;    ///< the instruction after a branch starts a phase
  bool shared_loads_long = false;  ///< shared loads and atomics count as long operations

  bool operator==(const PhaseRule&) const = default;
};

/// Bits of a phase code, at most: with more, the length itself is hardly wider.
inline constexpr unsigned kMostCodeBits = 6;

/// FrontendSettings::yield_after of a machine that schedules threads independently. With 4 no
/// kernel of the project takes another cycle, with 2 some do; twice that for those of others.
inline constexpr unsigned kYieldAfter = 8;
/// Such machines by their compute capability, times ten: from Volta on ("CUDA C++ Programming
/// Guide", "Independent Thread Scheduling").
inline constexpr unsigned kIndependentThreads = 70;

/// Settings of the front-end that belong to a GPU.
struct FrontendSettings {
  LatencyTable latencies;
  PhaseRule phases;
  /// Bits of the codes that stand for lengths and distances (sim/frontend/phase_codes.h); 0: none.
  unsigned phase_code = 0;
  /// Whether all kernels of a program share the classes of their codes.
  bool common_code = false;

  // What brings PTX closer to machine code; each step can be left out.
  bool remove_copies = true;  ///< propagate and coalesce moves, address conversions that do nothing
  bool remove_dead_code = true;       ///< drop instructions whose results are never read
  bool schedule = true;               ///< list scheduling inside basic blocks
  unsigned pressure_limit = 32;       ///< 32-bit registers beyond which scheduling saves registers
  unsigned load_latency = 200;        ///< cycles that scheduling expects of a long operation
  unsigned shared_load_latency = 24;  ///< cycles that scheduling expects of a shared load

  /// Independent thread scheduling: turns of a loop after which a path of a diverged warp gives way
  /// to another one (docs/reference/simulator.md); 0: never. Lanes need not be together then, so
  /// that no instruction for which they meet may move across an access to memory that others wait
  /// for.
  unsigned yield_after = 0;

  /// Added to the largest number of registers live at once: the stack pointer, which NVIDIA's ABI
  /// always reserves, and one that is lost to the alignment of 64-bit pairs.
  unsigned reserved_registers = 2;

  /// Bounds the registers of a thread: as many as an instruction can name, as .maxnreg says, and as
  /// let one block, or .minnctapersm of them, fit on a core. What a kernel needs beyond is spilled:
  /// it counts in Kernel::spilled_registers, and its loads and stores are not modelled.
  RegisterFile register_file;

  /// Machine registers per thread, instead of the estimate; 0: estimate.
  unsigned registers_per_thread = 0;
};

}  // namespace paws
