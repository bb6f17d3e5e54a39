// SPDX-License-Identifier: MIT
#include "sim/frontend/fragment.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sim/ir/matrix.h"
#include "sim/ir/operand_types.h"
#include "sim/ir/operands.h"

namespace paws::frontend {
namespace {

using ir::Op;
using ir::Type;
using Role = Decoded::MatrixRole;
using Shape = ir::Instruction::Shape;

/// m8n32k16 is the transposed product of transposed matrices.
bool swaps(const Shape& shape) { return shape.n == 32; }

/// The mma that a product consists of.
Shape part_of(const Shape& shape) {
  if (shape.m == 8 && shape.n == 8) return shape;
  return {16, 8, shape.k};
}

/// Registers of one of its matrices, for role a, b or c of mma.
unsigned part_registers(const Shape& shape, Role role, Type type) {
  ir::Instruction mma;
  mma.shape = part_of(shape);
  mma.type = mma.src_type = mma.other_type = type;
  const ir::MatrixRegisters registers = ir::registers_of(mma);
  return role == Role::a ? registers.a : role == Role::b ? registers.b : registers.c;
}

/// What a fragment's role is in the mma.
Role role_in_part(const Shape& shape, Role role) {
  if (!swaps(shape) || role == Role::c) return role;
  return role == Role::a ? Role::b : Role::a;
}

/// How many of the mma's matrices a fragment consists of.
unsigned parts(const Shape& shape, Role role) {
  if (shape.m == 8 && shape.n == 8) return 1;
  if (role == Role::c) return 2;
  const bool two_in_a = shape.m == 32;
  const bool two_in_b = shape.n != 8;
  return (role == Role::a ? two_in_a : two_in_b) ? 2 : 1;
}

/// Where an element of a fragment stands in its matrix.
ir::Place place_of(const Shape& shape, Role role, unsigned part, unsigned lane, unsigned reg,
                   unsigned element, unsigned bits) {
  const Role inner = role_in_part(shape, role);
  ir::Place place;
  switch (inner) {
    case Role::a:
      place = ir::place_in_a(lane, reg, element, bits);
      break;
    case Role::b:
      place = ir::place_in_b(lane, reg, element, bits);
      break;
    case Role::c:
      place = ir::place_in_c(lane, reg, element, bits);
      break;
  }
  // The second matrix: rows of a and c when there are two of a, else columns of b and c.
  const bool by_rows = shape.m == 32 || swaps(shape);
  if (by_rows && inner != Role::b) place.row += 16 * part;
  if (!by_rows && inner != Role::a) place.column += 8 * part;
  if (swaps(shape)) std::swap(place.row, place.column);
  return place;
}

/// Writes the accesses of a fragment. The address of an element is affine in the lane's group
/// (lane / 4) and in its number there (lane % 4).
class Accesses {
 public:
  Accesses(const FragmentAccess& access, const std::function<ir::RegId(Type)>& fresh)
      : access_(access),
        fresh_(fresh),
        bits_(ir::element_bits(access.fields.type)),
        bytes_(bits_ / 8) {}

  std::vector<ir::Instruction> run() {
    address_lanes();
    const Shape& shape = access_.fields.shape;
    const unsigned count =
        part_registers(shape, role_in_part(shape, access_.role), access_.fields.type);
    const unsigned used = count * parts(shape, access_.role);
    for (unsigned n = 0; n < used; ++n) access(n / count, n % count, access_.registers[n]);
    if (access_.fields.op == Op::ld) {
      // A fragment of f16 has more registers than its matrix needs.
      for (std::size_t n = used; n < access_.registers.size(); ++n) clear(access_.registers[n]);
    }
    return std::move(code_);
  }

 private:
  /// Rows (or columns) between which the stride lies, and elements beside each other.
  struct Split {
    unsigned major = 0, minor = 0;
  };
  [[nodiscard]] Split split(const ir::Place& place) const {
    return access_.by_rows ? Split{place.row, place.column} : Split{place.column, place.row};
  }
  [[nodiscard]] Split at(unsigned part, unsigned reg, unsigned lane, unsigned element) const {
    return split(place_of(access_.fields.shape, access_.role, part, lane, reg, element, bits_));
  }

  ir::Instruction& emit(Op op, Type type, ir::RegId to, std::vector<ir::Operand> from) {
    ir::Instruction in;
    in.line = access_.fields.line;
    in.guard = access_.fields.guard;
    in.guard_negated = access_.fields.guard_negated;
    in.op = op;
    in.type = type;
    in.dst[0] = to;
    std::copy(from.begin(), from.end(), in.src.begin());
    return code_.emplace_back(std::move(in));
  }

  /// x * y + sum, of 32, 32 and 64 bits.
  ir::RegId multiply_add(const ir::Operand& x, const ir::Operand& y, const ir::Operand& sum) {
    const ir::RegId to = fresh_(Type::b64);
    emit(Op::mad, Type::u32, to, {x, y, sum}).part = ir::MulPart::wide;
    return to;
  }

  /// The stride in bytes, times `factor`.
  ir::Operand stride_bytes(unsigned factor) {
    const auto [hit, is_new] = strides_.try_emplace(factor);
    if (is_new) {
      if (access_.stride.kind == ir::Operand::Kind::imm) {
        hit->second = ir::immediate(access_.stride.imm * factor * bytes_ & 0xffff'ffffU);
      } else {
        const ir::RegId to = fresh_(Type::b32);
        emit(Op::mul, Type::u32, to,
             {access_.stride, ir::immediate(std::uint64_t{factor} * bytes_)});
        hit->second = ir::register_operand(to);
      }
    }
    return hit->second;
  }

  /// base_: where the lane's first element of the first register lies.
  void address_lanes() {
    ir::Operand lane;
    lane.kind = ir::Operand::Kind::special;
    lane.special = ir::Special::laneid;
    const ir::RegId group = fresh_(Type::b32);
    const ir::RegId thread = fresh_(Type::b32);
    emit(Op::shr, Type::u32, group, {lane, ir::immediate(2)});
    emit(Op::and_, Type::b32, thread, {lane, ir::immediate(3)});
    const Split zero = at(0, 0, 0, 0);
    const auto add = [&](ir::RegId number, unsigned lane_of_one) {
      const Split one = at(0, 0, lane_of_one, 0);
      if (one.major != zero.major) {
        base_ = ir::register_operand(multiply_add(ir::register_operand(number),
                                                  stride_bytes(one.major - zero.major), base_));
      }
      if (one.minor != zero.minor) {
        base_ = ir::register_operand(
            multiply_add(ir::register_operand(number),
                         ir::immediate(std::uint64_t{one.minor - zero.minor} * bytes_), base_));
      }
    };
    base_ = access_.base;
    add(group, 4);
    add(thread, 1);
  }

  /// base_ moved by `major` strides.
  ir::Operand line(unsigned major) {
    if (major == 0) return base_;
    const auto [hit, is_new] = lines_.try_emplace(major);
    if (is_new)
      hit->second =
          ir::register_operand(multiply_add(stride_bytes(1), ir::immediate(major), base_));
    return hit->second;
  }

  ir::Instruction& move(Op op, Type type, const Split& place) {
    // line() emits: it comes before the access.
    const ir::Operand address = line(place.major);
    ir::Instruction& in = emit(op, type, ir::kNoReg, {address});
    in.space = access_.fields.space;
    in.offset = access_.fields.offset + std::int64_t{place.minor} * bytes_;
    return in;
  }

  void access(unsigned part, unsigned number, ir::RegId held) {
    const bool loads = access_.fields.op == Op::ld;
    const unsigned elements = std::max(1U, 32 / bits_);
    const Split first = at(part, number, 0, 0);
    const bool beside = elements == 1 || at(part, number, 0, 1).major == first.major;
    if (beside) {
      const Type type = bits_ == 64 ? Type::b64 : Type::b32;
      ir::Instruction& in = move(access_.fields.op, type, first);
      if (loads) {
        in.dst[0] = held;
      } else {
        in.src[1] = ir::register_operand(held);
      }
      return;
    }
    const Type type = ir::bits_type(bytes_);
    std::vector<ir::Operand> pieces;
    for (unsigned e = 0; e < elements; ++e)
      pieces.push_back(ir::register_operand(fresh_(Type::b16)));
    if (!loads) {
      ir::Instruction& in = emit(Op::unpack, Type::b32, ir::kNoReg, {ir::register_operand(held)});
      in.vector = static_cast<std::uint8_t>(elements);
      for (unsigned e = 0; e < elements; ++e) in.dst[e] = pieces[e].reg;
    }
    for (unsigned e = 0; e < elements; ++e) {
      ir::Instruction& in = move(access_.fields.op, type, at(part, number, 0, e));
      if (loads) {
        in.dst[0] = pieces[e].reg;
      } else {
        in.src[1] = pieces[e];
      }
    }
    if (loads) {
      emit(Op::pack, Type::b32, held, pieces).vector = static_cast<std::uint8_t>(elements);
    }
  }

  void clear(ir::RegId unused) { emit(Op::mov, Type::b32, unused, {ir::immediate(0)}); }

  const FragmentAccess& access_;
  const std::function<ir::RegId(Type)>& fresh_;
  unsigned bits_, bytes_;
  ir::Operand base_;
  std::map<unsigned, ir::Operand> strides_;  // by factor
  std::map<unsigned, ir::Operand> lines_;    // by strides from base_
  std::vector<ir::Instruction> code_;
};

}  // namespace

unsigned fragment_registers(const Shape& shape, Role role, Type type) {
  // "Matrix Fragments for WMMA": a and b of f16 have 8 registers in every shape.
  if (type == Type::f16 && role != Role::c) return 8;
  return part_registers(shape, role_in_part(shape, role), type) * parts(shape, role);
}

std::vector<ir::Instruction> multiply_fragments(const ir::Instruction& fields,
                                                const std::vector<ir::RegId>& d,
                                                const std::vector<ir::Operand>& a,
                                                const std::vector<ir::Operand>& b,
                                                const std::vector<ir::Operand>& c) {
  const Shape& shape = fields.shape;
  std::vector<ir::Instruction> code;
  for (unsigned part = 0; part < parts(shape, Role::c); ++part) {
    ir::Instruction mma = fields;
    mma.shape = part_of(shape);
    const auto* left = &a;
    const auto* right = &b;
    Role left_role = Role::a;
    Role right_role = Role::b;
    if (swaps(shape)) {
      std::swap(left, right);
      std::swap(left_role, right_role);
      std::swap(mma.src_type, mma.other_type);
    }
    const ir::MatrixRegisters registers = ir::registers_of(mma);
    unsigned next = 0;
    const auto take = [&](const std::vector<ir::Operand>& from, unsigned count, unsigned of) {
      const unsigned first = of > 1 ? part * count : 0;
      for (unsigned i = 0; i < count; ++i) mma.src[next++] = from[first + i];
    };
    take(*left, registers.a, parts(shape, left_role));
    take(*right, registers.b, parts(shape, right_role));
    take(c, registers.c, parts(shape, Role::c));
    for (unsigned i = 0; i < registers.c; ++i) mma.dst[i] = d[part * registers.c + i];
    code.push_back(std::move(mma));
  }
  return code;
}

std::vector<ir::Instruction> access_fragment(const FragmentAccess& access,
                                             const std::function<ir::RegId(Type)>& fresh) {
  return Accesses(access, fresh).run();
}

}  // namespace paws::frontend
