// A kernel with what the core's timing needs per instruction, worked out once per launch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/ir/kernel.h"

namespace paws::core {

/// Execution resource of an instruction. Every scheduler has its own group of ALU lanes (Fermi:
/// two groups of 16); the others serve all schedulers of a core.
enum class Unit : std::uint8_t { alu, sfu, fp64, memory };
inline constexpr unsigned kUnits = 4;

/// Registers an instruction can name: guard, sources, destinations.
inline constexpr unsigned kMaxChecked = 1 + ir::kMaxSrc + ir::kMaxDst;

struct TimedInstruction {
  Unit unit = Unit::alu;
  std::uint16_t interval = 1;  ///< core cycles until the unit takes another
  std::uint16_t latency = 1;   ///< core cycles from issue to write-back; memory: not used
  bool memory = false;         ///< goes through the load-store unit
  bool fence = false;          ///< waits for the warp's own stores
  bool ends_path = false;      ///< exit: may end the warp
  bool changes_path = false;   ///< branch or exit: the i-buffer behind it is stale
  bool long_op = false;        ///< its destinations are long-op registers
  bool bypass_l1 = false;
  std::uint8_t checked = 0;                    ///< entries of `check`
  std::uint8_t written = 0;                    ///< entries of `write`
  std::array<ir::RegId, kMaxChecked> check{};  ///< read or written: must not be pending
  std::array<ir::RegId, ir::kMaxDst> write{};
  std::uint16_t phase_length = 0;    ///< saturated to 16 bits
  std::uint16_t phase_distance = 0;  ///< saturated to 16 bits
};

class TimedKernel {
 public:
  TimedKernel(const ir::Kernel& kernel, const GpuConfig& config);

  [[nodiscard]] const TimedInstruction& operator[](std::uint32_t pc) const { return code_[pc]; }
  [[nodiscard]] const ir::Kernel& kernel() const { return *kernel_; }

 private:
  const ir::Kernel* kernel_;
  std::vector<TimedInstruction> code_;
};

}  // namespace paws::core
