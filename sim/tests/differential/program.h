// SPDX-License-Identifier: MIT
// A random program as generate.py writes it: PTX text, and the same program as a C++ function.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paws::differential {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kH = 6;   ///< 16-bit registers
inline constexpr unsigned kR = 10;  ///< 32-bit registers
inline constexpr unsigned kD = 8;   ///< 64-bit registers
inline constexpr unsigned kF = 8;   ///< f32 registers, as bits
inline constexpr unsigned kG = 6;   ///< f64 registers, as bits
inline constexpr unsigned kP = 6;   ///< predicates
inline constexpr unsigned kRegisters = kH + kR + kD + kF + kG;

inline constexpr unsigned kOwnBytes =
    64;  ///< local memory, and scratch in global memory, of a thread
inline constexpr unsigned kSlotBytes = 16;  ///< shared memory of a thread
inline constexpr unsigned kTotals = 8;      ///< 64-bit words of a block that all its threads update
inline constexpr unsigned kTableBytes = 1024;  ///< read-only, global
inline constexpr unsigned kConstantBytes = 256;
inline constexpr unsigned kScalars = 4;  ///< 64-bit parameters besides the addresses

/// Words of 8 bytes that a thread reads at its start: registers in the order of their classes, then
/// the predicates as one word.
inline constexpr unsigned kInputWords = kRegisters + 1;
/// The same at its end, then its local memory, its slot and the total with its number.
inline constexpr unsigned kOutputWords = kInputWords + kOwnBytes / 8 + kSlotBytes / 8 + 1;

struct Thread {
  std::array<u16, kH> h{};
  std::array<u32, kR> r{};
  std::array<u64, kD> d{};
  std::array<u32, kF> f{};
  std::array<u64, kG> g{};
  std::array<bool, kP> p{};
  bool done = false;  ///< has left the kernel early
  bool cc = false;    ///< the condition code register's carry
  u32 x = 0, y = 0;   ///< %tid
  u32 id = 0;         ///< linear in the block
  std::array<u8, kOwnBytes> own{};
  u8* scratch = nullptr;
  u8* slot = nullptr;
};

struct Block {
  std::vector<Thread> threads;
  std::vector<u8> slots;
  std::array<u64, kTotals> totals{};
  const u8* table = nullptr;
  std::array<u64, kScalars> scalars{};
  u32 number = 0;       ///< %ctaid.x
  u64* sums = nullptr;  ///< kTotals words in global memory that all threads of the grid update
};

struct Program {
  const char* name;
  const char* ptx;
  u32 width, height;  ///< of a block
  u32 blocks;
  u32 instructions;  ///< PTX instructions of the random part
  const u8* constants;
  void (*run)(Block& block);
};

struct Programs {
  const Program* list;
  std::size_t count;
};

}  // namespace paws::differential

/// Defined by each generated file.
extern "C" paws::differential::Programs paws_differential_programs();
