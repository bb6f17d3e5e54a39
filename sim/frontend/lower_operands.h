// SPDX-License-Identifier: MIT
// Operands: what instructions read, write and access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/frontend/draft_builder.h"
#include "sim/frontend/names.h"
#include "sim/ptx/ast.h"

namespace paws::frontend::lowering {

bool is_integer(const ptx::Operand& operand);

/// %tid.x and its kin.
class SpecialRegisters {
 public:
  /// `reserved_shared`: what %reserved_smem_offset_1 is. `grid_workspace`: where the blocks of a
  /// cooperative launch meet.
  SpecialRegisters(Names& names, DraftBuilder& draft, std::uint64_t reserved_shared,
                   std::uint64_t grid_workspace)
      : names_(names),
        draft_(draft),
        reserved_shared_(reserved_shared),
        grid_workspace_(grid_workspace) {}

  /// Nothing if the name is no special register; fails if the simulator does not model it.
  std::optional<ir::Operand> find(std::uint32_t line, std::string_view name);

 private:
  Names& names_;
  DraftBuilder& draft_;
  std::uint64_t reserved_shared_;
  std::uint64_t grid_workspace_;
};

class OperandLowerer {
 public:
  OperandLowerer(Names& names, DraftBuilder& draft, SpecialRegisters& special)
      : names_(names), draft_(draft), special_(special) {}

  void expect(const ptx::Instruction& source, std::size_t least, std::size_t most) const;
  /// The `count` elements of a vector operand, or the operand itself.
  [[nodiscard]] std::vector<ptx::Operand> elements_of(const ptx::Instruction& source,
                                                      const ptx::Operand& operand,
                                                      unsigned count) const;

  ir::Operand lower_source(const ptx::Instruction& source, const ptx::Operand& operand, Type type);
  std::vector<ir::Operand> lower_sources(const ptx::Instruction& source,
                                         const ptx::Operand& operand, unsigned count, Type type);
  ir::RegId lower_destination(const ptx::Instruction& source, const ptx::Operand& operand,
                              Type type);
  std::vector<ir::RegId> lower_destinations(const ptx::Instruction& source,
                                            const ptx::Operand& operand, unsigned count, Type type);
  /// Registers hold what the operand needs; loads, stores and conversions take wider ones.
  void check_width(const ptx::Instruction& source, std::string_view name, ir::RegId reg, Type type,
                   bool result) const;

  /// Fills base and offset; returns the slot when the address is a call's parameter.
  std::uint32_t lower_address(const ptx::Instruction& source, const ptx::Operand& operand,
                              ir::Instruction& instruction);
  void lower_shared_address(const ptx::Instruction& source, const ptx::Operand& operand,
                            ir::Instruction& instruction);
  /// The slot has room for the parameter or result `formal` of a function.
  void check_slot(const ptx::Instruction& source, const ptx::Variable& formal, const Extent& extent,
                  std::uint64_t slot) const;

  ir::RegId in_register(std::uint32_t line, Type type, const ir::Operand& operand);
  /// A 64-bit register with the base address of `instruction`, whose offset stays.
  ir::RegId wide_address(std::uint32_t line, const ir::Instruction& instruction);

 private:
  void check_param_access(const ptx::Instruction& source, const ptx::Operand& operand,
                          const ir::Instruction& instruction, const Entity& entity) const;
  /// The access at a constant offset stays inside the `limit` bytes of its variable.
  void check_extent(const ptx::Instruction& source, const ptx::Operand& operand,
                    const ir::Instruction& instruction, std::uint64_t limit) const;

  Names& names_;
  DraftBuilder& draft_;
  SpecialRegisters& special_;
};

}  // namespace paws::frontend::lowering
