// SPDX-License-Identifier: MIT
// Compact execution form of a kernel, internal to sim/exec.
//
// Every operand is an offset to 32 lanes of 4 bytes (registers of up to 32 bits), 32 lanes of 8
// bytes (64 bits) or one mask (predicates), either in the warp's slots or in the executable's
// constants (immediates, broadcast beforehand). Registers narrower than 32 bits keep their value in
// the low bits of a 4-byte lane; every reader truncates them, so the upper bits never matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "sim/exec/device_memory.h"
#include "sim/exec/warp_executor.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

inline constexpr LaneMask kAllLanes = 0xffff'ffffu;
inline constexpr std::uint32_t kNoSlot = 0xffff'ffffu;
inline constexpr std::uint32_t kNotDeferrable = 0xffff'ffffu;
inline constexpr std::size_t kSlotAlign = 64;
inline constexpr std::size_t kWidestAccess = 16;             ///< bytes of one lane
inline constexpr std::uint32_t kSlot32 = 4 * ir::kWarpSize;  ///< bytes
inline constexpr std::uint32_t kSlot64 = 8 * ir::kWarpSize;  ///< bytes

/// Storage of an operand.
enum class Width : std::uint8_t { none, mask, w32, w64 };

/// Zeroed bytes on a cache line boundary.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::size_t bytes)
      : bytes_(bytes), data_(static_cast<std::byte*>(::operator new[](bytes + 1, kAlign))) {
    clear();
  }
  void clear();
  [[nodiscard]] std::byte* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlign{kSlotAlign};
  struct Free {
    void operator()(std::byte* bytes) const { ::operator delete[](bytes, kAlign); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

class BlockObserver;
class ThreadAccesses;

struct Source {
  std::uint32_t offset = kNoSlot;
  std::uint8_t base = 0;  ///< 0: the warp's slots, 1: constants, 2: captured operands
  LaneMask flip = 0;      ///< predicates: exclusive-or
};

struct Decoded;
struct WarpContext;
using Handler = void (*)(const Decoded&, WarpContext&);

/// What moves the warp's pc.
enum class Flow : std::uint8_t { straight, bra, brx, call, ret, exit, bar, trap };

/// A register wider than the operation's operand: `narrow` slots are copied from, or (results)
/// extended to, the register's 64-bit slot.
struct Resize {
  std::uint32_t wide = 0, narrow = 0;
  bool sign = false;
};

struct alignas(kSlotAlign) Decoded {
  // In one cache line, with the first source, what most instructions need.
  Handler quick = nullptr;  ///< the same for values alone; none: only Block::execute() does it
  std::int64_t offset = 0;
  std::array<std::uint32_t, ir::kMaxDst> dst{kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  std::uint32_t guard = kNoSlot;
  LaneMask guard_flip = 0;
  std::uint32_t hit = 0;  ///< memory: index of the instruction's entry in WarpContext::hits
  Flow flow = Flow::straight;
  std::uint8_t vector = 1;  ///< ir::Instruction::vector
  bool alone = true;        ///< never waits for other threads of its warp
  bool address64 = true;    ///< memory: the base address register holds 64 bits
  std::array<Source, ir::kMaxSrc> src{};
  Handler handler = nullptr;
  const ir::Instruction* ir = nullptr;
  bool only_ends = false;  ///< threads that stand here can do nothing more but end
  bool may_poll = false;   ///< threads may wait for others by repeating it
  bool reads_clock = false;
  LaneMask result_flip = 0;  ///< setp, set: the comparison is the inverse of the handler's
  std::uint32_t late = kNotDeferrable;  ///< index of its form in Executable::Impl::late
  Handler inner = nullptr;              ///< what a wrapping handler (rounding, resizing) calls
  Handler resized = nullptr;            ///< what the resizing handler calls
  std::vector<Resize> narrow, widen;
};

/// The memories a warp can reach, and what handlers need to know of the warp.
struct WarpContext {
  /// [0] the warp's slots, [1] constants (never written), [2] the operands of a deferred access
  std::array<std::byte*, 3> base{};
  LaneMask active = 0;  ///< lanes that execute, never 0 in a handler
  unsigned warp = 0;
  Outcome* outcome = nullptr;
  std::byte* shared = nullptr;
  std::uint64_t shared_bytes = 0;
  std::byte* local = nullptr;     ///< the warp's, lane after lane
  std::uint64_t local_bytes = 0;  ///< per lane
  std::byte* params = nullptr;    ///< never written
  std::uint64_t param_bytes = 0;
  DeviceMemory* memory = nullptr;
  /// Per memory instruction, the global allocation that it accessed last.
  const DeviceMemory::Allocation** hits = nullptr;
  const ir::Kernel* kernel = nullptr;
  BlockObserver* observer = nullptr;   ///< of the block; may be null
  ThreadAccesses* accesses = nullptr;  ///< of the host's thread; may be null
  Dim3 block;                          ///< coordinates
  Dim3 block_shape;
  alignas(kSlotAlign) std::array<std::array<std::byte, kSlot64>, ir::kMaxDst> scratch;
  /// In place of memory that is not there, for each lane (sim/exec/access_errors.h).
  std::array<std::array<std::byte, kWidestAccess>, ir::kWarpSize> nowhere;

  // Always inline: these are compiled for several instruction sets (sim/exec/lanes/select.h).
  template <class Raw>
  [[nodiscard, gnu::always_inline]] const Raw* lanes(const Source& source) const {
    return static_cast<const Raw*>(
        __builtin_assume_aligned(base[source.base] + source.offset, kSlotAlign));
  }
  [[nodiscard, gnu::always_inline]] LaneMask mask(const Source& source) const {
    return *reinterpret_cast<const LaneMask*>(base[source.base] + source.offset) ^ source.flip;
  }
  /// Writes a predicate register's active lanes; no register, no effect.
  [[gnu::always_inline]] void set_mask(std::uint32_t slot, LaneMask value) const {
    if (slot == kNoSlot) return;
    LaneMask& mask = *reinterpret_cast<LaneMask*>(base[0] + slot);
    mask = (mask & ~active) | (value & active);
  }
};

}  // namespace paws::exec
