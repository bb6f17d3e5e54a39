// SPDX-License-Identifier: MIT
#include "sim/exec/executable.h"

#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

#include "sim/exec/access.h"
#include "sim/exec/barrier_object.h"
#include "sim/exec/families.h"
#include "sim/exec/lanes/select.h"
#include "sim/ir/matrix.h"
#include "sim/ir/operand_types.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

void nothing(const Decoded&, WarpContext&) {}

/// Wraps a handler whose operands live in wider registers.
void run_resized(const Decoded& in, WarpContext& ctx) {
  for (const Resize& resize : in.narrow) narrow(resize, ctx);
  in.resized(in, ctx);
  for (const Resize& resize : in.widen) {
    const auto* from = reinterpret_cast<const std::uint32_t*>(ctx.base[0] + resize.narrow);
    auto* to = reinterpret_cast<std::uint64_t*>(ctx.base[0] + resize.wide);
    for (unsigned i = 0; i < ir::kWarpSize; ++i) {
      if ((ctx.active >> i & 1) == 0) continue;
      to[i] = resize.sign
                  ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(from[i])})
                  : from[i];
    }
  }
}

bool extends_sign(ir::Type type) {
  return type == ir::Type::s8 || type == ir::Type::s16 || type == ir::Type::s32;
}

/// src[0] is an address, in a 32- or a 64-bit register.
bool has_address(const ir::Instruction& in) {
  if (in.op == ir::Op::mbarrier) return in.mbarrier != ir::MbarrierMode::pending_count;
  return ir::has_address(in.op) || ir::touches_texels(in.op);
}

/// How many sources the handlers of an operation read in any case.
unsigned required_sources(const ir::Instruction& in) {
  const std::uint8_t count = ir::facts(in.op).count;
  if (count != ir::by_form) return count + (in.bool_op != ir::BoolOp::none ? 1U : 0U);
  switch (in.op) {
    case ir::Op::mma: {
      const ir::MatrixRegisters registers = ir::registers_of(in);
      return registers.a + registers.b + registers.c;
    }
    case ir::Op::tex:
      return 1U + ir::place_operands(in.image.shape) + ir::level_operands(in.image);
    case ir::Op::suld:
      return 1U + ir::place_operands(in.image.shape);
    case ir::Op::sust:
      return 1U + ir::place_operands(in.image.shape) + in.vector;
    case ir::Op::add:
    case ir::Op::sub:
      return in.carry_in ? 3 : 2;
    case ir::Op::mad:
      return in.carry_in ? 4 : 3;
    case ir::Op::vadd:
    case ir::Op::vsub:
    case ir::Op::vabsdiff:
    case ir::Op::vmin:
    case ir::Op::vmax:
      return in.atom != ir::AtomOp::none || in.dsel != ir::Selector::none ? 3 : 2;
    case ir::Op::pack:
      return in.vector;
    case ir::Op::st:
    case ir::Op::stmatrix:
      return 1U + in.vector;
    case ir::Op::atom:
    case ir::Op::red:
      return in.atom == ir::AtomOp::cas ? 3 : 2;
    default:
      throw std::logic_error("sources of " + ir::to_string(in.op) + " are by no form");
  }
}

/// Whether the handlers of an operation write dst[0] without asking.
bool needs_result(const ir::Instruction& in) {
  return ir::facts(in.op).first == ir::First::needed && ir::dest_type(in, 0) != ir::Type::none;
}

/// By these a thread learns what another one has done, or gives it time; a loop without any of them
/// hardly waits for others.
bool may_poll(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::ld:
      return in.volatile_access || in.cache_global;
    case ir::Op::atom:
      return in.dst[0] != ir::kNoReg;
    case ir::Op::mbarrier:
      return is_test(in.mbarrier);
    case ir::Op::membar:
    case ir::Op::nop:  // nanosleep
      return true;
    default:
      return false;
  }
}

/// Immediates as 32 equal lanes or a mask, each value once.
class ConstantPool {
 public:
  std::uint32_t offset(std::uint64_t value, Width width) {
    if (width == Width::mask) value = value != 0 ? kAllLanes : 0;
    if (width == Width::w32) value &= 0xffff'ffffu;
    const auto [known, is_new] = offsets_.try_emplace({value, width}, bytes_);
    if (is_new) bytes_ += width == Width::w64 ? kSlot64 : kSlot32;
    return known->second;
  }
  [[nodiscard]] AlignedBytes build() const {
    AlignedBytes bytes(bytes_);
    for (const auto& [key, offset] : offsets_) {
      const auto& [value, width] = key;
      std::byte* at = bytes.data() + offset;
      const std::size_t size = width == Width::w64 ? 8 : 4;
      for (unsigned i = 0; i < ir::kWarpSize; ++i) std::memcpy(at + i * size, &value, size);
    }
    return bytes;
  }

 private:
  std::map<std::pair<std::uint64_t, Width>, std::uint32_t> offsets_;
  std::uint32_t bytes_ = 0;
};

class Decoder {
 public:
  explicit Decoder(Executable::Impl& to)
      : to_(to),
        kernel_(to.kernel),
        layout_(lay_out_registers(kernel_)),
        next_slot_(layout_.bytes) {}

  void run() {
    to_.code.resize(kernel_.code.size());
    for (std::size_t pc = 0; pc < kernel_.code.size(); ++pc) {
      decode(kernel_.code[pc], to_.code[pc]);
    }
    to_.constants = pool_.build();
    to_.zeroed = std::move(layout_.zeroed);
    for (const std::uint32_t pc : layout_.invariant) take_out(to_.code[pc]);
    to_.slot_bytes = next_slot_;
  }

 private:
  [[noreturn]] void refuse(const ir::Instruction& in, const std::string& cause) const {
    throw InputError(kernel_.file, in.line, "kernel '" + kernel_.name + "': " + cause);
  }

  std::uint32_t new_slot(Width width) {
    const std::uint32_t slot = next_slot_;
    next_slot_ += width == Width::w64 ? kSlot64 : kSlot32;
    return slot;
  }

  /// A slot for a narrow copy of an operand; `n` tells those of one instruction apart.
  std::uint32_t temporary(unsigned n) {
    while (temporaries_.size() <= n) temporaries_.push_back(new_slot(Width::w32));
    return temporaries_[n];
  }

  std::uint32_t special_slot(ir::Special special, Width width) {
    for (const SpecialSlot& slot : to_.specials) {
      if (slot.special == special && slot.width == width) return slot.offset;
    }
    to_.specials.push_back({special, width, new_slot(width)});
    return to_.specials.back().offset;
  }

  [[noreturn]] void refuse_width(const ir::Instruction& in, ir::RegId reg) const {
    refuse(in,
           "register '" + kernel_.registers[reg].name + "' does not fit the instruction's type");
  }

  void decode_source(const ir::Instruction& in, unsigned n, Width width, Decoded& out) {
    const ir::Operand& operand = in.src[n];
    Source& source = out.src[n];
    switch (operand.kind) {
      case ir::Operand::Kind::none:
        return;
      case ir::Operand::Kind::imm:
        source.base = 1;
        source.offset = pool_.offset(operand.imm, width);
        break;
      case ir::Operand::Kind::special:
        source.offset = special_slot(operand.special, width);
        out.reads_clock = out.reads_clock || ir::is_clock(operand.special);
        break;
      case ir::Operand::Kind::reg: {
        const Width own = width_of(kernel_.registers[operand.reg].type);
        source.offset = layout_.offset[operand.reg];
        if (own == width) break;
        if (own != Width::w64 || width != Width::w32) refuse_width(in, operand.reg);
        out.narrow.push_back({.wide = source.offset, .narrow = temporary(n), .sign = false});
        source.offset = temporary(n);
        break;
      }
    }
    if (operand.negated) source.flip = kAllLanes;
  }

  void decode_result(const ir::Instruction& in, unsigned n, Width width, Decoded& out) {
    const ir::RegId reg = in.dst[n];
    if (reg == ir::kNoReg) return;
    const Width own = width_of(kernel_.registers[reg].type);
    out.dst[n] = layout_.offset[reg];
    if (own == width) return;
    if (own != Width::w64 || width != Width::w32) refuse_width(in, reg);
    const std::uint32_t narrow = temporary(ir::kMaxSrc + n);
    out.widen.push_back({.wide = out.dst[n], .narrow = narrow, .sign = extends_sign(in.type)});
    out.dst[n] = narrow;
  }

  void decode_operands(const ir::Instruction& in, Decoded& out) {
    for (unsigned n = 0; n < ir::kMaxSrc; ++n) {
      if (in.src[n].kind == ir::Operand::Kind::none) {
        if (n < required_sources(in)) refuse(in, "source " + std::to_string(n) + " is missing");
        continue;
      }
      Width width = width_of(ir::source_type(in, n));
      if (n == 0 && has_address(in)) {
        out.hit = to_.memory_instructions++;
        out.address64 = in.src[0].kind != ir::Operand::Kind::reg ||
                        width_of(kernel_.registers[in.src[0].reg].type) != Width::w32;
        if (!out.address64) width = Width::w32;
      }
      if (width == Width::none) refuse(in, "source " + std::to_string(n) + " is one too many");
      decode_source(in, n, width, out);
    }
    for (unsigned n = 0; n < ir::kMaxDst; ++n) {
      if (in.dst[n] == ir::kNoReg) {
        if (n == 0 && needs_result(in)) refuse(in, "the result is missing");
        continue;
      }
      const Width width = width_of(ir::dest_type(in, n));
      if (width == Width::none) refuse(in, "result " + std::to_string(n) + " is one too many");
      decode_result(in, n, width, out);
    }
    if (in.guard != ir::kNoReg) {
      if (width_of(kernel_.registers[in.guard].type) != Width::mask) refuse_width(in, in.guard);
      out.guard = layout_.offset[in.guard];
      out.guard_flip = in.guard_negated ? kAllLanes : 0;
    }
  }

  static Handler select(const ir::Instruction& in, Decoded& out) {
    const LaneLibrary& lanes = lane_library();
    switch (in.op) {
      case ir::Op::nop:
      case ir::Op::membar:
      case ir::Op::prefetch:
      case ir::Op::copy_commit:
      case ir::Op::copy_wait:
        return &nothing;
      case ir::Op::atom:
      case ir::Op::red:
        return select_atomic(in);
      default:
        break;
    }
    for (const auto family :
         {select_warp_wide, select_matrix, select_asynchronous, select_texture, select_print}) {
      if (const Handler handler = family(in)) return handler;
    }
    for (const auto family : {lanes.integer, lanes.bits, lanes.floating, lanes.convert,
                              lanes.compare, lanes.move, lanes.memory}) {
      if (const Handler handler = family(in, out)) return handler;
    }
    return nullptr;
  }

  /// What gives Outcome more than addresses, and what reads a clock, is executed one by one.
  static bool tells_more(const Decoded& out) {
    switch (out.ir->op) {
      case ir::Op::tex:
      case ir::Op::suld:
      case ir::Op::sust:
      case ir::Op::mbarrier:
      case ir::Op::copy_bulk:
        return true;
      default:
        return out.reads_clock;
    }
  }

  /// What is executed before the first block has nothing more to do than to tell what it accesses.
  void take_out(Decoded& in) {
    to_.invariant.push_back(in);
    in.quick = &nothing;
    if (ir::accesses_memory(in.ir->op)) {
      in.dst.fill(kNoSlot);
    } else {
      in.handler = &nothing;
    }
  }

  void check_target(const ir::Instruction& in, std::uint32_t target) const {
    if (target >= kernel_.code.size()) refuse(in, "branch to behind the last instruction");
  }

  void decode(const ir::Instruction& in, Decoded& out) {
    out.ir = &in;
    out.offset = in.offset;
    out.vector = in.vector;
    out.may_poll = may_poll(in);
    switch (in.op) {
      case ir::Op::bra:
        out.flow = Flow::bra;
        check_target(in, in.target);
        break;
      case ir::Op::brx:
        out.flow = Flow::brx;
        for (std::uint32_t target : in.table) check_target(in, target);
        break;
      case ir::Op::call:
        out.flow = Flow::call;
        check_target(in, in.target);
        break;
      case ir::Op::ret:
        out.flow = Flow::ret;
        break;
      case ir::Op::exit:
        out.flow = Flow::exit;
        break;
      case ir::Op::bar:
        out.flow = Flow::bar;
        break;
      case ir::Op::trap:
        out.flow = Flow::trap;
        break;
      default:
        out.handler = select(in, out);
        break;
    }
    if (out.flow == Flow::straight && out.handler == nullptr) {
      refuse(in, "no execution for this combination of operation, types and modifiers");
    }
    decode_operands(in, out);
    const ir::Lanes lanes = ir::facts(in.op).lanes;
    out.alone = lanes == ir::Lanes::own || lanes == ir::Lanes::seen;
    const bool resizes = !out.narrow.empty() || !out.widen.empty();
    if (out.flow == Flow::straight && !tells_more(out)) {
      const LaneLibrary& library = lane_library();
      const Handler quick = resizes ? &run_resized : library.quick_memory(in, out);
      out.quick = quick != nullptr ? quick : out.handler;
    }
    if (resizes) {
      if (out.flow != Flow::straight) refuse(in, "a 64-bit operand where 32 bits are needed");
      out.resized = std::exchange(out.handler, &run_resized);
    }
    if (may_access_global(in) || in.op == ir::Op::print || in.after_copies) prepare_late(in, out);
  }

  /// The form in which an access to global memory reads captured operands.
  void prepare_late(const ir::Instruction& in, Decoded& out) {
    out.late = static_cast<std::uint32_t>(to_.late.size());
    LateAccess& late = to_.late.emplace_back();
    late.access_bytes = static_cast<std::uint8_t>(in.vector * ir::size_of(in.type));
    late.in = out;
    late.in.src[0] = {.offset = 0, .base = 2};
    late.in.offset = 0;
    late.in.address64 = true;
    late.operand_bytes = kSlot64;
    for (unsigned n = 1; n < ir::kMaxSrc; ++n) {
      Source& source = late.in.src[n];
      if (source.offset == kNoSlot || source.base != 0) continue;
      const std::uint32_t bytes =
          width_of(ir::source_type(in, n)) == Width::w64 ? kSlot64 : kSlot32;
      late.copies.push_back({.from = source.offset, .to = late.operand_bytes, .bytes = bytes});
      source = {.offset = late.operand_bytes, .base = 2};
      late.operand_bytes += bytes;
    }
    late.in.narrow.clear();
  }

  Executable::Impl& to_;
  const ir::Kernel& kernel_;
  RegisterLayout layout_;
  ConstantPool pool_;
  std::uint32_t next_slot_;
  std::vector<std::uint32_t> temporaries_;
};

void check_registers(const ir::Kernel& kernel, const ir::Instruction& in) {
  const auto check = [&](ir::RegId reg) {
    if (reg != ir::kNoReg && reg >= kernel.registers.size()) {
      throw InputError(kernel.file, in.line,
                       "kernel '" + kernel.name + "': register number " + std::to_string(reg) +
                           " does not exist");
    }
  };
  check(in.guard);
  for (ir::RegId reg : in.dst) check(reg);
  for (const ir::Operand& source : in.src) {
    if (source.kind == ir::Operand::Kind::reg) check(source.reg);
  }
}

void check_shape(const ir::Kernel& kernel) {
  if (kernel.code.empty()) {
    throw InputError(kernel.file, "kernel '" + kernel.name + "' has no instructions");
  }
  const ir::Instruction& last = kernel.code.back();
  const bool ends = ir::transfers_control(last.op);
  if (!ends || last.guard != ir::kNoReg) {
    throw InputError(kernel.file, last.line,
                     "kernel '" + kernel.name + "' runs over its last instruction");
  }
  for (const ir::Instruction& in : kernel.code) check_registers(kernel, in);
}

/// Whether the instruction only leads to the end of its threads, if those it leads to do.
bool leads_to_end(const std::vector<Decoded>& code, std::size_t pc) {
  const Decoded& in = code[pc];
  const bool next_ends = pc + 1 < code.size() && code[pc + 1].only_ends;
  if (in.ir->op == ir::Op::nop) return next_ends;
  if (in.guard != kNoSlot && !next_ends) return false;
  return in.flow == Flow::exit || (in.flow == Flow::bra && code[in.ir->target].only_ends);
}

void mark_ends(std::vector<Decoded>& code) {
  for (bool more = true; more;) {
    more = false;
    for (std::size_t pc = code.size(); pc-- > 0;) {
      if (code[pc].only_ends || !leads_to_end(code, pc)) continue;
      code[pc].only_ends = true;
      more = true;
    }
  }
}

/// Fills values with what has something to do, and the steps' places in it.
void fill_values(Executable::Impl& to) {
  to.values.reserve(to.code.size());
  for (std::size_t pc = 0; pc < to.code.size(); ++pc) {
    to.steps[pc].place = static_cast<std::uint32_t>(to.values.size());
    if (to.code[pc].quick != &nothing) to.values.push_back(to.code[pc]);
  }
}

std::vector<Step> steps_of(const std::vector<Decoded>& code) {
  std::vector<bool> meets(code.size() + 1);
  for (const Decoded& in : code) {
    if (in.flow == Flow::bra || in.flow == Flow::brx) meets[in.ir->reconverge] = true;
  }
  std::vector<Step> steps(code.size());
  for (std::size_t pc = code.size(); pc-- > 0;) {
    const Decoded& in = code[pc];
    Step& step = steps[pc];
    step = {
        0,        0,          in.ir->target, in.guard, in.guard_flip, in.flow, in.quick != nullptr,
        in.alone, in.may_poll};
    // The last instruction has no quick handler: it transfers control.
    if (!step.quick || in.guard != kNoSlot || in.may_poll) continue;
    step.straight = 1 + (meets[pc + 1] ? 0 : steps[pc + 1].straight);
  }
  return steps;
}

}  // namespace

void narrow(const Resize& resize, const WarpContext& ctx) {
  const auto* from = reinterpret_cast<const std::uint64_t*>(ctx.base[0] + resize.wide);
  auto* to = reinterpret_cast<std::uint32_t*>(ctx.base[0] + resize.narrow);
  for (unsigned i = 0; i < ir::kWarpSize; ++i) to[i] = static_cast<std::uint32_t>(from[i]);
}

void AlignedBytes::clear() { std::memset(data_.get(), 0, bytes_); }

Executable::Impl::Impl(const ir::Kernel& source) : kernel(source) {
  check_shape(kernel);
  Decoder(*this).run();
  mark_ends(code);
  steps = steps_of(code);
  fill_values(*this);
}

Executable::Executable(const ir::Kernel& kernel) : impl_(std::make_unique<Impl>(kernel)) {}
Executable::~Executable() = default;
const ir::Kernel& Executable::kernel() const { return impl_->kernel; }

}  // namespace paws::exec
