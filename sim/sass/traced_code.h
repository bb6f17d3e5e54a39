// SPDX-License-Identifier: MIT
// The code of a kernel, put together from what its warps have executed: every pc that a trace
// names, with its opcode and registers. Code that no warp has executed is not there, unless the
// trace brings it along (WholeCode).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>

#include "sim/config/frontend_settings.h"
#include "sim/ir/kernel.h"
#include "sim/sass/trace_reader.h"

namespace paws::sass {

/// Generic addresses become what they are an address in, as far as the windows are known: offsets
/// of shared memory, of local memory, or global addresses; Space::generic, and nothing changed,
/// when the lanes are in several.
ir::Space resolve(ir::Space space, const Windows& windows, exec::LaneMask mask,
                  std::array<std::uint64_t, ir::kWarpSize>& addresses);

class TracedCode {
 public:
  struct Entry {
    Location where;         ///< where it was read first
    Definition definition;  ///< whole, if the trace brings the code along
    std::string text;       ///< the definition as an executed instruction had it last; empty: none
    Definition traced;      ///< the same, taken apart
    ir::Instruction operation;
    std::array<std::int64_t, 2> immediates{};  ///< of a barrier, of a wait for copies
    std::uint32_t index = 0;                   ///< in the kernel's code, after build()
  };

  /// Takes the code that the header of a trace brings along. Throws InputError.
  void declare(const Header& header, const Location& file);

  /// The reader's record: its entry, which is new or must be the same as before. Reads the rest of
  /// its line into `details`. Throws InputError when it is not the same, and when the instruction
  /// cannot be timed.
  const Entry& define(const TraceReader& reader, Details& details);

  /// After the branch at `from` a warp went on at `to`.
  void jumped(std::uint32_t from, std::uint32_t to) { jumps_.insert({from, to}); }
  /// A warp has accessed these lanes' local memory.
  void accessed_local(exec::LaneMask mask, const ir::Instruction& operation,
                      const std::array<std::uint64_t, ir::kWarpSize>& offsets);

  /// The kernel with its phases. The entries get their places.
  ir::Kernel build(const std::string& name, const FrontendSettings& settings);

  /// After build(): what stands at a pc; null if nothing has been defined there.
  [[nodiscard]] const Entry* find(std::uint32_t pc) const {
    const auto found = entries_.find(pc);
    return found == entries_.end() ? nullptr : &found->second;
  }
  /// Offsets of local memory count from here.
  [[nodiscard]] std::uint64_t local_base() const;

 private:
  Entry& add(std::uint32_t pc, Definition definition, const Location& where);
  static void take_immediates(Entry& entry, const std::array<std::int64_t, 2>& immediates,
                              const Location& where);
  void drop_waits_for_no_copies();
  void place_targets(ir::Kernel& kernel) const;
  void number_blocks(ir::Kernel& kernel) const;

  std::unordered_map<std::uint32_t, Entry> entries_;  ///< by pc
  bool declared_ = false;  ///< the code is whole, from the traces' headers
  WholeCode whole_;
  /// From a branch to where a warp went on, or where the branch says that it goes, which need not
  /// be executed code.
  std::set<std::pair<std::uint32_t, std::uint32_t>> jumps_;
  std::uint64_t local_begin_ = std::numeric_limits<std::uint64_t>::max(), local_end_ = 0;
};

}  // namespace paws::sass
