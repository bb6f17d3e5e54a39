#include "sim/exec/operands.h"

#include "sim/exec/register_layout.h"

namespace paws::exec {
namespace {

using W = Width;

OperandWidths make(std::array<W, ir::kMaxDst> dst, std::array<W, ir::kMaxSrc> src) {
  return {dst, src, false};
}

Width element_of_pack(const ir::Instruction& in) {
  return width_of(in.type) == W::w64 && in.vector == 1 ? W::w64 : W::w32;
}

OperandWidths arithmetic(const ir::Instruction& in, Width type) {
  const bool wide = in.part == ir::MulPart::wide &&
                    (in.op == ir::Op::mul || in.op == ir::Op::mad) &&
                    (in.type == ir::Type::u32 || in.type == ir::Type::s32);
  OperandWidths widths = make({type}, {type, type, type});
  if (wide) widths = make({W::w64}, {type, type, W::w64});
  const unsigned addends = in.op == ir::Op::mad ? 3 : 2;
  if (in.carry_out) widths.dst[1] = W::mask;
  if (in.carry_in) widths.src[addends] = W::mask;
  return widths;
}

OperandWidths memory(const ir::Instruction& in, Width type) {
  OperandWidths widths;
  widths.any_address = true;
  if (in.op == ir::Op::ld) {
    for (unsigned e = 0; e < in.vector && e < ir::kMaxDst; ++e) widths.dst[e] = type;
  } else {
    if (in.op == ir::Op::atom) widths.dst[0] = type;
    for (unsigned e = 1; e < ir::kMaxSrc; ++e) widths.src[e] = type;
  }
  return widths;
}

}  // namespace

OperandWidths operand_widths(const ir::Instruction& in) {
  const Width type = width_of(in.type);
  switch (in.op) {
    case ir::Op::add:
    case ir::Op::sub:
    case ir::Op::mul:
    case ir::Op::mad:
      return arithmetic(in, type);
    case ir::Op::shl:
    case ir::Op::shr:
      return make({type}, {type, W::w32});
    case ir::Op::bfe:
      return make({type}, {type, W::w32, W::w32});
    case ir::Op::bfi:
      return make({type}, {type, type, W::w32, W::w32});
    case ir::Op::bfind:
    case ir::Op::popc:
    case ir::Op::clz:
      return make({W::w32}, {type});
    case ir::Op::setp:
      return make({W::mask, W::mask}, {type, type, W::mask});
    case ir::Op::set: {
      const Width source = width_of(in.src_type);
      return make({type}, {source, source, W::mask});
    }
    case ir::Op::selp:
      return make({type}, {type, type, W::mask});
    case ir::Op::slct:
      return make({type}, {type, type, W::w32});
    case ir::Op::cvt:
      return make({type}, {width_of(in.src_type)});
    case ir::Op::isspacep:
      return make({W::mask}, {W::w64});
    case ir::Op::testp:
      return make({W::mask}, {type});
    case ir::Op::pack: {
      const Width e = element_of_pack(in);
      return make({type}, {e, e, e, e});
    }
    case ir::Op::unpack: {
      const Width e = element_of_pack(in);
      return make({e, e, e, e}, {type});
    }
    case ir::Op::ld:
    case ir::Op::st:
    case ir::Op::atom:
    case ir::Op::red:
      return memory(in, type);
    case ir::Op::shfl:
      return make({W::w32, W::mask}, {W::w32, W::w32, W::w32, W::w32});
    case ir::Op::vote:
      return make({in.vote == ir::VoteMode::ballot ? W::w32 : W::mask}, {W::mask, W::w32});
    case ir::Op::activemask:
      return make({W::w32}, {});
    case ir::Op::match:
      return make({W::w32, W::mask}, {type, W::w32});
    case ir::Op::redux:
      return make({W::w32}, {W::w32, W::w32});
    case ir::Op::bar_warp:
      return make({}, {W::w32});
    case ir::Op::bar:
      return make({in.bar == ir::BarMode::red_popc ? W::w32 : W::mask}, {W::w32, W::w32, W::mask});
    case ir::Op::brx:
      return make({}, {W::w32});
    case ir::Op::prefetch: {
      OperandWidths widths;
      widths.any_address = true;
      return widths;
    }
    case ir::Op::bra:
    case ir::Op::exit:
    case ir::Op::trap:
    case ir::Op::nop:
    case ir::Op::membar:
      return {};
    default:
      return make({type}, {type, type, type, type});
  }
}

}  // namespace paws::exec
