// SPDX-License-Identifier: MIT
#include "sim/sass/opcodes.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/core/timed_kernel.h"
#include "sim/frontend/phases.h"

namespace paws::sass {
namespace {

using ir::Op;
using ir::Space;
using ir::Type;

ir::Instruction operation(const std::string& opcode) { return operation_of(Opcode(opcode)); }

/// What timing knows of an instruction that stands alone and writes a register.
struct Timing {
  core::TimedInstruction timed;
  unsigned latency = 0;
  bool long_op = false;
  ir::Space memory_space = Space::none;
};

/// A configuration in which no two classes of instructions have the same rate or latency.
GpuConfig telling_apart() {
  GpuConfig config = load_gpu("m2090");
  LatencyTable& table = config.frontend.latencies;
  std::uint16_t next = 100;
  for (std::uint16_t* latency :
       {&table.move, &table.branch, &table.barrier, &table.load_issue, &table.store_issue,
        &table.integer, &table.integer_mul, &table.integer64, &table.integer64_mul,
        &table.integer_div, &table.integer64_div, &table.f32, &table.f32_div, &table.f64,
        &table.f64_div, &table.special, &table.conversion, &table.warp}) {
    *latency = next++;
  }
  config.core.alu_interval = 3;
  config.core.half_rate_interval = 7;
  config.core.sfu_interval = 11;
  config.core.double_interval = 13;
  config.core.divide_interval = 17;
  config.core.integer_divide_interval = 19;
  config.frontend.phases.shared_loads_long = true;
  return config;
}

Timing timing_of(ir::Instruction instruction, const GpuConfig& config) {
  ir::Kernel kernel;
  kernel.registers.resize(1);
  kernel.registers[0].type = Type::b32;
  kernel.registers[0].machine = 0;
  instruction.dst[0] = 0;
  kernel.code.push_back(instruction);
  frontend::assign_phases(kernel, config.frontend.latencies, config.frontend.phases);
  Timing timing;
  timing.timed = core::TimedKernel(kernel, config, core::kCodeBase)[0];
  timing.latency = kernel.code[0].latency;
  timing.long_op = kernel.code[0].long_op;
  if (has_addresses(instruction)) timing.memory_space = instruction.space;
  return timing;
}

void expect_same(const ir::Instruction& instruction, const GpuConfig& config) {
  const std::string opcode = opcode_of(instruction);
  const ir::Instruction read = operation(opcode);
  SCOPED_TRACE(ir::to_string(instruction.op) + "." + ir::to_string(instruction.type) + "." +
               ir::to_string(instruction.src_type) + " as " + opcode);
  const Timing expected = timing_of(instruction, config);
  const Timing found = timing_of(read, config);
  EXPECT_EQ(found.timed.unit, expected.timed.unit);
  EXPECT_EQ(found.timed.interval, expected.timed.interval);
  EXPECT_EQ(found.timed.latency, expected.timed.latency);
  EXPECT_EQ(found.timed.memory, expected.timed.memory);
  EXPECT_EQ(found.timed.fence, expected.timed.fence);
  EXPECT_EQ(found.timed.ends_path, expected.timed.ends_path);
  EXPECT_EQ(found.timed.changes_path, expected.timed.changes_path);
  EXPECT_EQ(found.timed.bypass_l1, expected.timed.bypass_l1);
  EXPECT_EQ(found.latency, expected.latency);
  EXPECT_EQ(found.long_op, expected.long_op);
  // A machine's RED is for generic addresses too.
  if (instruction.op != Op::red || instruction.space != Space::global) {
    EXPECT_EQ(found.memory_space, expected.memory_space);
  }
  EXPECT_EQ(has_addresses(read), has_addresses(instruction));
  if (!has_addresses(instruction)) return;
  EXPECT_EQ(ir::size_of(read.type) * read.vector,
            ir::size_of(instruction.type) * instruction.vector);
  // Loads, stores, atomics and reductions are apart in the load-store unit.
  EXPECT_EQ(read.op, instruction.op);
}

constexpr std::array kTypes{Type::none,  Type::pred, Type::b8,  Type::b16,  Type::b32,
                            Type::b64,   Type::u8,   Type::u16, Type::u32,  Type::u64,
                            Type::s8,    Type::s16,  Type::s32, Type::s64,  Type::f16,
                            Type::f16x2, Type::f32,  Type::f64, Type::bf16, Type::bf16x2};

bool is_memory(Op op) {
  return op == Op::ld || op == Op::st || op == Op::atom || op == Op::red || op == Op::copy_async ||
         op == Op::ldmatrix || op == Op::stmatrix;
}

/// What PTX has: no other comes to be written.
bool exists(const ir::Instruction& in) {
  const bool whole = !ir::is_float(in.type);
  switch (in.op) {
    case Op::rcp:
    case Op::sqrt:
    case Op::rsqrt:
    case Op::ex2:
    case Op::lg2:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
      return in.type == Type::f32 || in.type == Type::f64;
    case Op::div:
    case Op::rem:
      return in.type == Type::f32 || (in.type == Type::f64 && !in.approx) ||
             (whole && ir::size_of(in.type) >= 2 && !in.approx);
    case Op::fma:
    case Op::copysign:
    case Op::testp:
      return !whole;
    case Op::sad:
    case Op::mul24:
    case Op::mad24:
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::not_:
    case Op::cnot:
    case Op::lop3:
    case Op::shl:
    case Op::shr:
    case Op::shf:
    case Op::bfe:
    case Op::bfi:
    case Op::bfind:
    case Op::brev:
    case Op::popc:
    case Op::clz:
    case Op::prmt:
    case Op::fns:
    case Op::bmsk:
    case Op::szext:
    case Op::isspacep:
    case Op::match:
    case Op::redux:
    case Op::vote:
    case Op::shfl:
      return whole;
    case Op::dp4a:
    case Op::dp2a:
    case Op::vadd:
    case Op::vsub:
    case Op::vabsdiff:
    case Op::vmin:
    case Op::vmax:
    case Op::activemask:
    case Op::movmatrix:
      return in.type == Type::b32 || in.type == Type::s32 || in.type == Type::u32;
    case Op::set:
      return in.type == Type::u32 || in.type == Type::s32 || in.type == Type::f32;
    case Op::prefetch:
    case Op::membar:
    case Op::copy_commit:
    case Op::copy_wait:
    case Op::bar_warp:
    case Op::bra:
    case Op::brx:
    case Op::exit:
    case Op::bar:
    case Op::trap:
    case Op::nop:
      return in.type == Type::none;
    case Op::mma:
      return false;  // has shapes and three types
    default:
      return true;
  }
}

/// With `sub_cores`: of a machine whose schedulers have units of their own.
class Written : public testing::TestWithParam<bool> {};

TEST_P(Written, IsTimedAsWhatItStandsFor) {
  GpuConfig config = telling_apart();
  config.core.sub_cores = GetParam();
  unsigned checked = 0;
  std::set<Op> without;
  for (unsigned op = 0; op <= static_cast<unsigned>(Op::nop); ++op) {
    for (const Type type : kTypes) {
      for (const Type src_type :
           {Type::none, Type::s32, Type::u64, Type::bf16, Type::f32, Type::f64}) {
        for (const bool approx : {false, true}) {
          ir::Instruction instruction;
          instruction.op = static_cast<Op>(op);
          instruction.type = type;
          instruction.approx = approx;
          // Only these have two types.
          const bool two = instruction.op == Op::cvt || instruction.op == Op::set;
          if (two ? src_type == Type::none : src_type != Type::none) continue;
          instruction.src_type = src_type;
          if (is_memory(instruction.op) || !exists(instruction)) continue;
          if (opcode_of(instruction).empty()) {
            without.insert(instruction.op);
            continue;
          }
          expect_same(instruction, config);
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 800U);
  EXPECT_EQ(without, (std::set<Op>{Op::copy_bulk, Op::mbarrier, Op::print, Op::tex, Op::suld,
                                   Op::sust, Op::image_query, Op::call, Op::ret}))
      << "no trace has what these do";
}

INSTANTIATE_TEST_SUITE_P(Machines, Written, testing::Bool());

TEST(Opcodes, AccessesKeepSpaceWidthAndWayPastTheL1) {
  const GpuConfig config = telling_apart();
  for (const Op op : {Op::ld, Op::st, Op::atom, Op::red}) {
    for (const Space space : {Space::generic, Space::global, Space::shared, Space::local,
                              Space::constant, Space::param}) {
      const bool atomic = op == Op::atom || op == Op::red;
      if (atomic && space == Space::local) continue;
      if (op != Op::ld && (space == Space::constant || space == Space::param)) continue;
      for (const Type type : {Type::u8, Type::s16, Type::b32, Type::u64, Type::f32, Type::f64}) {
        for (const std::uint8_t vector : {1, 2, 4}) {
          for (const bool past : {false, true}) {
            ir::Instruction instruction;
            instruction.op = op;
            instruction.space = space;
            instruction.type = type;
            instruction.vector = vector;
            const bool fixed = space == Space::constant || space == Space::param;
            if (vector * ir::size_of(type) > 16 || (past && (fixed || space == Space::shared))) {
              continue;
            }
            instruction.cache_global = past;
            expect_same(instruction, config);
          }
        }
      }
    }
  }
}

ir::Instruction product(ir::Instruction::Shape shape, Type d, Type a, Type b) {
  ir::Instruction mma;
  mma.op = Op::mma;
  mma.shape = shape;
  mma.type = d;
  mma.src_type = a;
  mma.other_type = b;
  return mma;
}

TEST(Opcodes, ProductsKeepShapeAndTypes) {
  GpuConfig config = telling_apart();
  config.tensor = {.interval = 16, .latency = 25};
  const struct {
    ir::Instruction mma;
    const char* opcode;
  } cases[] = {
      {product({16, 8, 8}, Type::f16, Type::f16, Type::f16), "HMMA.1688.F16"},
      {product({16, 8, 16}, Type::f32, Type::f16, Type::f16), "HMMA.16816.F32"},
      {product({16, 8, 8}, Type::f32, Type::bf16, Type::bf16), "HMMA.1688.F32.BF16"},
      {product({16, 8, 16}, Type::f32, Type::bf16, Type::bf16), "HMMA.16816.F32.BF16"},
      {product({16, 8, 4}, Type::f32, Type::tf32, Type::tf32), "HMMA.1684.F32.TF32"},
      {product({16, 8, 8}, Type::f32, Type::tf32, Type::tf32), "HMMA.1688.F32.TF32"},
      {product({8, 8, 16}, Type::s32, Type::s8, Type::u8), "IMMA.8816.S8.U8"},
      {product({16, 8, 16}, Type::s32, Type::u8, Type::s8), "IMMA.16816.U8.S8"},
      {product({16, 8, 32}, Type::s32, Type::s8, Type::s8), "IMMA.16832.S8.S8"},
      {product({8, 8, 4}, Type::f64, Type::f64, Type::f64), "DMMA.884"},
      {product({16, 8, 4}, Type::f64, Type::f64, Type::f64), "DMMA.16x8x4"},
      {product({16, 8, 8}, Type::f64, Type::f64, Type::f64), "DMMA.16x8x8"},
  };
  for (const auto& [mma, opcode] : cases) {
    EXPECT_EQ(opcode_of(mma), opcode);
    expect_same(mma, config);
    const ir::Instruction read = operation(opcode);
    EXPECT_EQ(read.op, Op::mma) << opcode;
    EXPECT_EQ(read.type, mma.type) << opcode;
    EXPECT_EQ(read.src_type, mma.src_type) << opcode;
    EXPECT_EQ(read.other_type, mma.other_type) << opcode;
    EXPECT_EQ(read.shape.m, mma.shape.m) << opcode;
    EXPECT_EQ(read.shape.n, mma.shape.n) << opcode;
    EXPECT_EQ(read.shape.k, mma.shape.k) << opcode;
  }
  ir::Instruction clamped = product({16, 8, 32}, Type::s32, Type::s8, Type::s8);
  clamped.sat = true;
  EXPECT_EQ(opcode_of(clamped), "IMMA.16832.S8.S8.SAT");
  EXPECT_TRUE(operation("IMMA.16832.S8.S8.SAT").sat);
}

// By hand: the interval of 16 cycles is for 16 x 8 results with 256 bits of k.
TEST(Opcodes, AProductTakesItsShareOfATensorCore) {
  GpuConfig config = telling_apart();
  config.tensor = {.interval = 16, .latency = 25};
  const auto interval = [&](const char* opcode) {
    const Timing timing = timing_of(operation(opcode), config);
    EXPECT_EQ(timing.timed.unit, core::Unit::tensor) << opcode;
    return timing.timed.interval;
  };
  EXPECT_EQ(interval("HMMA.16816.F32"), 16U);
  EXPECT_EQ(interval("HMMA.1688.F16"), 8U);
  EXPECT_EQ(interval("HMMA.1688.F32.TF32"), 16U);
  EXPECT_EQ(interval("IMMA.16832.S8.S8"), 16U);
  EXPECT_EQ(interval("IMMA.8816.U8.U8.SAT"), 4U);
  EXPECT_EQ(interval("IMMA.16864.S4.U4"), 16U) << "256 bits of k";
  EXPECT_EQ(interval("IMMA.8832.U4.U4"), 4U);
  EXPECT_EQ(interval("BMMA.168256.AND.POPC"), 16U);
  EXPECT_EQ(interval("BMMA.88128.XOR.POPC"), 4U);
  EXPECT_EQ(interval("DMMA.884"), 32U) << "half of the results, at a fourth of the rate";
  EXPECT_EQ(interval("DMMA.8x8x4"), 32U);
  EXPECT_EQ(interval("DMMA.16x8x16"), 256U);
  // The whole product, four times m8n8k4, takes as long as m16n8k8 of f16.
  EXPECT_EQ(interval("HMMA.884.F32.F32.STEP0"), 2U) << "one of four steps";
  EXPECT_EQ(interval("HMMA.884.F16.F16.STEP1"), 4U) << "one of two steps";
}

TEST(Opcodes, RowsOfMatricesKeepNumberAndSpace) {
  GpuConfig config = telling_apart();
  for (const Op op : {Op::ldmatrix, Op::stmatrix}) {
    for (const Space space : {Space::shared, Space::generic}) {
      for (const std::uint8_t vector : {1, 2, 4}) {
        for (const bool transposed : {false, true}) {
          ir::Instruction rows;
          rows.op = op;
          rows.type = Type::b32;
          rows.space = space;
          rows.vector = vector;
          rows.transposed = transposed;
          expect_same(rows, config);
          EXPECT_EQ(lane_bytes(rows), 16U);
        }
      }
    }
  }
  ir::Instruction rows;
  rows.op = Op::ldmatrix;
  rows.space = Space::shared;
  rows.vector = 4;
  rows.transposed = true;
  EXPECT_EQ(opcode_of(rows), "LDSM.16.MT88.4");
  // No STSM: Accel-Sim stops at it. Of an STS it reads the first number as the bits of a lane.
  rows.op = Op::stmatrix;
  EXPECT_EQ(opcode_of(rows), "STS.128.MT88.4");
  rows.vector = 1;
  rows.transposed = false;
  rows.space = Space::generic;
  EXPECT_EQ(opcode_of(rows), "STS.128.M88.GEN");
}

TEST(Opcodes, AsynchronousCopiesKeepWidthAndWayPastTheL1) {
  const GpuConfig config = telling_apart();
  for (const std::uint8_t words : {1, 2, 4}) {
    ir::Instruction copy;
    copy.op = Op::copy_async;
    copy.type = Type::b32;
    copy.space = Space::global;
    copy.vector = words;
    for (const bool past : {false, true}) {
      copy.cache_global = past;
      expect_same(copy, config);
    }
  }
  EXPECT_EQ(lane_bytes(operation("LDGSTS.E.BYPASS.LTC128B.64.ZFILL")), 8U);
  EXPECT_TRUE(operation("LDGSTS.E.BYPASS.128").cache_global);
  // Groups of bulk copies have barrier objects, of which no trace says anything.
  ir::Instruction bulk;
  bulk.op = Op::copy_commit;
  bulk.copies = ir::CopyKind::bulk_store;
  EXPECT_EQ(opcode_of(bulk), "");
  bulk.op = Op::copy_wait;
  EXPECT_EQ(opcode_of(bulk), "");
}

TEST(Opcodes, AMachinesOpcodesAreOfTheirClasses) {
  const struct {
    const char* opcode;
    Op op;
    Type type;
    Space space;
  } cases[] = {{"IMAD.MOV.U32", Op::mov, Type::b32, Space::none},
               {"IMAD.SHL.U32", Op::shf, Type::b32, Space::none},
               {"IMAD.IADD", Op::add, Type::s32, Space::none},
               {"IMAD.WIDE.U32", Op::mad, Type::s32, Space::none},
               {"LOP3.LUT", Op::lop3, Type::b32, Space::none},
               {"SHF.R.U64", Op::shf, Type::b32, Space::none},
               {"MUFU.RCP64H", Op::ex2, Type::f32, Space::none},
               {"HFMA2.MMA", Op::fma, Type::f16x2, Space::none},
               {"DSETP.GEU.AND", Op::setp, Type::f64, Space::none},
               {"F2F.F64.F32", Op::cvt, Type::f64, Space::none},
               {"I2F.U32.RP", Op::cvt, Type::f32, Space::none},
               {"LDG.E.128.CONSTANT.SYS", Op::ld, Type::b128, Space::global},
               {"LDG.E.U8", Op::ld, Type::b8, Space::global},
               {"LDS.U.64", Op::ld, Type::b64, Space::shared},
               {"LDSM.16.M88.4", Op::ldmatrix, Type::b32, Space::shared},
               {"STSM.16.MT88.2", Op::stmatrix, Type::b32, Space::shared},
               {"STS.128.M88.4", Op::stmatrix, Type::b32, Space::shared},
               {"STS.128", Op::st, Type::b128, Space::shared},
               {"LDGSTS.E.BYPASS.128", Op::copy_async, Type::b128, Space::global},
               {"LDGDEPBAR", Op::copy_commit, Type::none, Space::none},
               {"DEPBAR.LE", Op::copy_wait, Type::none, Space::none},
               {"MOVM.16.MT88", Op::movmatrix, Type::b32, Space::none},
               {"STL.64", Op::st, Type::b64, Space::local},
               {"ULDC.64", Op::ld, Type::b64, Space::constant},
               {"TEX.SCR.LL", Op::ld, Type::b32, Space::constant},
               {"ATOMG.E.ADD.F16x2.RN.STRONG.GPU", Op::atom, Type::b32, Space::global},
               {"ATOMS.CAS.64", Op::atom, Type::b64, Space::shared},
               {"RED.E.ADD.F64.RN.STRONG.GPU", Op::red, Type::b64, Space::generic},
               {"BAR.SYNC.DEFER_BLOCKING", Op::bar, Type::none, Space::none},
               {"BSYNC", Op::bra, Type::none, Space::none},
               {"BSSY", Op::nop, Type::none, Space::none},
               {"CALL.REL.NOINC", Op::bra, Type::none, Space::none},
               {"KILL", Op::exit, Type::none, Space::none}};
  for (const auto& one : cases) {
    const ir::Instruction found = operation(one.opcode);
    EXPECT_EQ(found.op, one.op) << one.opcode;
    EXPECT_EQ(found.type, one.type) << one.opcode;
    EXPECT_EQ(found.space, one.space) << one.opcode;
  }
}

TEST(Opcodes, TheScopeSaysWhatPassesTheL1) {
  EXPECT_FALSE(operation("LDG.E.SYS").cache_global) << "an ordinary load of a Volta";
  EXPECT_FALSE(operation("LDG.E.STRONG.SM").cache_global) << "a block is on one core";
  EXPECT_TRUE(operation("LDG.E.STRONG.GPU").cache_global);
  EXPECT_TRUE(operation("LDG.E.64.STRONG.SYS").cache_global);
}

TEST(Opcodes, SaysWhyAnOpcodeCannotBeTimed) {
  const auto why = [](const char* opcode) -> std::string {
    try {
      operation(opcode);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why("HGMMA.64x64x16.F32"),
            "opcode HGMMA is a tensor instruction of later machines, which is not modelled");
  EXPECT_EQ(why("UBLKCP.S.G"), "opcode UBLKCP is a bulk copy, whose barrier object no trace holds");
  EXPECT_EQ(why("SYNCS.ARRIVE.TRANS64"),
            "opcode SYNCS is an operation on a barrier object, whose state no trace holds");
  EXPECT_EQ(why("HMMA"), "opcode HMMA names no shape");
  EXPECT_EQ(why("HMMA.F32."), "opcode HMMA.F32. names no shape");
  EXPECT_EQ(why("HMMA.16816"), "opcode HMMA.16816 does not name the types of its matrices");
  EXPECT_EQ(why("IMMA.16832"), "opcode IMMA.16832 does not name the types of its matrices");
  EXPECT_EQ(why("IMMA.16832.S8.S4"),
            "opcode IMMA.16832.S8.S4 does not name the types of its matrices");
  EXPECT_EQ(why("HMMA.SP.16832.F32"),
            "opcode HMMA.SP.16832.F32 multiplies sparse matrices, which are not modelled");
  for (const char* shaped :
       {"HMMA.16.F32", "HMMA.168.F32", "HMMA.17816.F32", "HMMA.16916.F32", "HMMA.16817.F32",
        "HMMA.1684.F32", "HMMA.8816.F16", "HMMA.16816.F32.TF32", "HMMA.168z.F32",
        "HMMA.16899999999999999999.F32", "HMMA.884.F32.BF16", "IMMA.8832.S8.S8", "DMMA.888",
        "DMMA.1682", "BMMA.88256.XOR.POPC", "IMMA.16816000000.S8.S8"}) {
    EXPECT_EQ(why(shaped),
              "opcode " + std::string(shaped) + " has a shape that is not modelled for its types");
  }
  EXPECT_EQ(why("SULD.D.BA.2D"), "opcode SULD is a surface access, whose addresses no trace holds");
  EXPECT_EQ(why("FAAD"), "opcode 'FAAD' is not known; did you mean \"FADD\"?");
  EXPECT_EQ(why("XYZZYX"), "opcode 'XYZZYX' is not known");
  EXPECT_EQ(why(""), "opcode '' is not known");
}

}  // namespace
}  // namespace paws::sass
