// SPDX-License-Identifier: MIT
#include <array>

#include "sim/frontend/decode_warp_data.h"
#include "sim/frontend/modifier_reader.h"

namespace paws::frontend {
namespace {

using ir::Type;

struct PackedRoot {
  std::string_view name;  ///< before the number of elements
  PackedOp op;
};
constexpr std::array kPackedRoots{
    PackedRoot{"vadd", PackedOp::add},      PackedRoot{"vsub", PackedOp::sub},
    PackedRoot{"vavrg", PackedOp::average}, PackedRoot{"vabsdiff", PackedOp::absolute_difference},
    PackedRoot{"vmin", PackedOp::min},      PackedRoot{"vmax", PackedOp::max},
    PackedRoot{"vset", PackedOp::set},
};

struct Comparison {
  std::string_view name;
  ir::Cmp cmp;
};
constexpr std::array kComparisons{
    Comparison{"eq", ir::Cmp::eq}, Comparison{"ne", ir::Cmp::ne}, Comparison{"lt", ir::Cmp::lt},
    Comparison{"le", ir::Cmp::le}, Comparison{"gt", ir::Cmp::gt}, Comparison{"ge", ir::Cmp::ge},
};

Type type_of_elements(ModifierReader& reader) {
  const Type type = reader.type();
  if (type != Type::u32 && type != Type::s32) reader.unsupported("expected .u32 or .s32");
  return type;
}

ir::Cmp packed_comparison(ModifierReader& reader) {
  for (const Comparison& known : kComparisons) {
    if (reader.take(known.name)) return known.cmp;
  }
  reader.unsupported("expected a comparison");
}

}  // namespace

std::optional<Decoded> decode_packed(const ptx::Instruction& source, const std::string& file) {
  const std::string_view name = source.root;
  if (name.empty() || (name.back() != '2' && name.back() != '4')) return std::nullopt;
  for (const PackedRoot& root : kPackedRoots) {
    if (name.substr(0, name.size() - 1) != root.name) continue;
    ModifierReader reader(source, file);
    Decoded decoded;
    decoded.pseudo = Decoded::Pseudo::packed;
    decoded.packed.op = root.op;
    decoded.packed.elements = static_cast<unsigned>(name.back() - '0');
    ir::Instruction& i = decoded.instruction;
    i.line = source.line;
    // The elements of set's result are 0 and 1; it has no type of its own.
    i.type = root.op == PackedOp::set ? Type::u32 : type_of_elements(reader);
    i.src_type = type_of_elements(reader);
    i.other_type = type_of_elements(reader);
    if (root.op == PackedOp::set) {
      i.cmp = packed_comparison(reader);
    } else {
      i.sat = reader.take("sat");
    }
    decoded.packed.accumulate = reader.take("add");
    reader.expect_end();
    return decoded;
  }
  return std::nullopt;
}

}  // namespace paws::frontend
