// SPDX-License-Identifier: MIT
// A kernel with what the core's timing needs per instruction, worked out once per launch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/ir/kernel.h"

namespace paws::core {

/// Execution resource of an instruction. Every scheduler has its own group of ALU lanes (Fermi:
/// two groups of 16), and a tensor core if there are any; the others serve all schedulers of a
/// core. With core.sub_cores every scheduler has its own of all, and its ALU lanes are two groups:
/// `fma` multiplies and adds FP32 and multiplies integers, `alu` does the rest. `memory` is then a
/// share of the lanes that reckon addresses; one load-store unit does what comes from all of them.
enum class Unit : std::uint8_t { alu, sfu, fp64, memory, tensor, fma };
inline constexpr unsigned kUnits = 6;

/// Machine instructions are 8 bytes long.
inline constexpr unsigned kInstructionBytes = 8;
/// Where machine code lies for the caches, away from data and the windows of sim/ir/kernel.h.
inline constexpr std::uint64_t kCodeBase = 0x0500'0000'0000;
/// Instructions of a fetch, at most: the entries of a warp's i-buffer.
inline constexpr unsigned kFetchWidth = 2;

/// Registers an instruction can name: guard, sources, destinations.
inline constexpr unsigned kMaxChecked = 1 + ir::kMaxSrc + ir::kMaxDst;

struct TimedInstruction {
  Unit unit = Unit::alu;
  std::uint16_t interval = 1;  ///< core cycles until the unit takes another
  std::uint16_t latency = 1;   ///< core cycles from issue to write-back; memory: not used
  bool memory = false;         ///< goes through the load-store unit
  bool fence = false;          ///< waits for the warp's own stores
  bool copies = false;         ///< an asynchronous copy
  bool commits = false;        ///< ends a group of them
  bool awaits_copies = false;  ///< all groups but the last `groups`
  bool arrives_late = false;   ///< at a barrier object, when copies of before are there
  ir::CopyKind copy_kind{};    ///< of the last four
  std::uint8_t groups = 0;
  bool ends_path = false;     ///< exit: may end the warp
  bool changes_path = false;  ///< branch or exit: the i-buffer behind it is stale
  bool long_op = false;       ///< its destinations are long-op registers
  bool bypass_l1 = false;
  std::uint8_t checked = 0;                    ///< entries of `check`
  std::uint8_t written = 0;                    ///< entries of `write`
  std::array<ir::RegId, kMaxChecked> check{};  ///< read or written: must not be pending
  std::array<ir::RegId, ir::kMaxDst> write{};
  std::uint8_t fetched = 0;      ///< instructions that a fetch from here on brings
  std::uint8_t reads = 0;        ///< entries of TimedKernel::read_banks
  std::uint8_t writes = 0;       ///< entries of TimedKernel::write_banks
  std::uint32_t first_bank = 0;  ///< where they are listed
  // What schedulers know of the phase: the codes under phases.code, else saturated to 16 bits.
  std::uint16_t phase_length = 0;
  std::uint16_t phase_distance = 0;
};

class TimedKernel {
 public:
  /// `code_base` is the address of the first instruction, a multiple of the cache's line.
  TimedKernel(const ir::Kernel& kernel, const GpuConfig& config, std::uint64_t code_base);

  [[nodiscard]] const TimedInstruction& operator[](std::uint32_t pc) const { return code_[pc]; }
  [[nodiscard]] const ir::Kernel& kernel() const { return *kernel_; }
  [[nodiscard]] std::uint32_t instructions() const { return instructions_; }
  [[nodiscard]] std::uint64_t address(std::uint32_t pc) const {
    return code_base_ + std::uint64_t{pc} * kInstructionBytes;
  }
  /// Register banks, for warp slot 0, that an instruction reads: one entry per 32-bit register, a
  /// register named twice counts once. Predicates lie elsewhere.
  [[nodiscard]] const std::uint8_t* read_banks(const TimedInstruction& timed) const {
    return banks_.data() + timed.first_bank;
  }
  /// Those that it writes.
  [[nodiscard]] const std::uint8_t* write_banks(const TimedInstruction& timed) const {
    return banks_.data() + timed.first_bank + timed.reads;
  }

 private:
  unsigned list_banks(const std::vector<ir::RegId>& registers, unsigned banks);

  const ir::Kernel* kernel_;
  std::uint64_t code_base_;
  std::uint32_t instructions_;  ///< entries of code_, whose size() is a division
  std::vector<TimedInstruction> code_;
  std::vector<std::uint8_t> banks_;
};

}  // namespace paws::core
