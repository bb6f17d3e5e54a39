// SPDX-License-Identifier: MIT
#include "sim/launch/stored_params.h"

#include <vector>

namespace paws {
namespace {

using Places = std::set<std::uint32_t>;

constexpr unsigned kPointerBytes = 8;

bool reads_memory(ir::Op op) { return op == ir::Op::ld || op == ir::Op::atom; }

/// What the first destination, and those after it, of a load from the parameter block hold.
Places loaded(const ir::Instruction& load, unsigned element) {
  if (load.space != ir::Space::param || ir::size_of(load.type) != kPointerBytes ||
      load.src[0].kind != ir::Operand::Kind::imm) {
    return {};
  }
  return {static_cast<std::uint32_t>(load.src[0].imm + static_cast<std::uint64_t>(load.offset) +
                                     std::uint64_t{element} * kPointerBytes)};
}

}  // namespace

StoredParams stored_params(const ir::Kernel& kernel) {
  std::vector<Places> of(kernel.registers.size());
  for (bool grown = true; grown;) {
    grown = false;
    for (const ir::Instruction& each : kernel.code) {
      Places sources;
      for (const ir::Operand& source : each.src) {
        if (source.kind != ir::Operand::Kind::reg || reads_memory(each.op)) continue;
        sources.insert(of[source.reg].begin(), of[source.reg].end());
      }
      for (unsigned i = 0; i < ir::kMaxDst; ++i) {
        if (each.dst[i] == ir::kNoReg) continue;
        Places& known = of[each.dst[i]];
        const std::size_t before = known.size();
        const Places places = each.op == ir::Op::ld ? loaded(each, i) : sources;
        known.insert(places.begin(), places.end());
        grown = grown || known.size() > before;
      }
    }
  }
  StoredParams found;
  for (const ir::Instruction& each : kernel.code) {
    const bool store = each.op == ir::Op::st;
    const bool atomic = each.op == ir::Op::atom || each.op == ir::Op::red;
    const bool global = each.space == ir::Space::global || each.space == ir::Space::generic;
    if (!(store || atomic) || !global || each.src[0].kind != ir::Operand::Kind::reg) continue;
    const Places& places = of[each.src[0].reg];
    (store ? found.stores : found.atomics).insert(places.begin(), places.end());
  }
  return found;
}

}  // namespace paws
