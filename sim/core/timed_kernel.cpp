// SPDX-License-Identifier: MIT
#include "sim/core/timed_kernel.h"

#include <algorithm>
#include <limits>
#include <string>

#include "sim/ir/matrix.h"
#include "sim/support/error.h"

namespace paws::core {
namespace {

using ir::Op;
using ir::Type;
using ir::Work;

bool is_64_bit_integer(Type type) { return ir::size_of(type) == 8 && !ir::is_float(type); }

/// Units and rates after the CUDA C Programming Guide's table of throughputs of native arithmetic
/// instructions, compute capability 2.0: 32 results per cycle for single-precision and simple
/// integer operations, 16 for integer multiplication, shifts, bit fields and conversions, 16 for
/// double precision, 4 for special functions; barriers 16 (section on synchronization).
struct Rate {
  Unit unit;
  unsigned interval;
};

/// Cycles that a tensor core takes for an instruction: in proportion to its work, of which
/// tensor.interval does 16 x 8 results with 256 bits of k, and f64 four times as long (NVIDIA A100
/// whitepaper: 1024 f16, 512 tf32, 2048 int8 and 64 f64 multiply-adds of an SM per clock).
unsigned tensor_interval(const ir::Instruction& mma, unsigned interval) {
  constexpr unsigned kWork = 16 * 8 * 256;
  const ir::Instruction::Shape& shape = mma.shape;
  const unsigned slow = mma.src_type == Type::f64 ? 4 : 1;
  const unsigned work =
      slow * shape.m * shape.n * shape.k * ir::element_bits(mma.src_type) * interval;
  return (work + kWork - 1) / kWork;
}

Rate rate_of(const ir::Instruction& instruction, const CoreSettings& core) {
  const bool fp64 = instruction.type == Type::f64 || instruction.src_type == Type::f64;
  const unsigned wide = is_64_bit_integer(instruction.type) ? 2 : 1;
  switch (ir::facts(instruction.op).work) {
    case Work::special:
      if (fp64) return {Unit::fp64, core.divide_interval};
      return {Unit::sfu, core.sfu_interval};
    case Work::divide:
      if (fp64) return {Unit::fp64, core.divide_interval};
      if (instruction.approx || instruction.full) return {Unit::sfu, core.sfu_interval};
      if (ir::is_float(instruction.type)) return {Unit::alu, core.divide_interval};
      return {Unit::alu, core.integer_divide_interval * wide};
    case Work::multiply:
      if (fp64) return {Unit::fp64, core.double_interval};
      if (ir::is_float(instruction.type)) return {Unit::alu, core.alu_interval};
      return {Unit::alu, core.half_rate_interval * wide};
    case Work::half:
    case Work::count:
    case Work::exchange:
      return {Unit::alu, core.half_rate_interval * wide};
    case Work::conversion:
      if (fp64) return {Unit::fp64, core.double_interval};
      return {Unit::alu, core.half_rate_interval};
    case Work::simple:
    case Work::add:
    case Work::tensor:
    case Work::memory:
      break;
  }
  if (fp64) return {Unit::fp64, core.double_interval};
  return {Unit::alu, core.alu_interval * wide};
}

/// The same of a sub-core, after the table's column of compute capability 8.0: 64 results per cycle
/// and core for simple operations, 16 for special functions, and for conversions and counts of
/// bits, which their units do, 32 for double precision and shuffles. Integer multiplication runs on
/// the FP32 lanes (Abdelkhalik et al., "Demystifying the Nvidia Ampere Architecture through
/// Microbenchmarking and Instruction-level Analysis", 2022).
Rate sub_core_rate(const ir::Instruction& instruction, const CoreSettings& core) {
  const bool fp64 = instruction.type == Type::f64;
  const bool single = ir::is_float(instruction.type) && !fp64;
  const unsigned wide = is_64_bit_integer(instruction.type) ? 2 : 1;
  const bool narrow = ir::size_of(instruction.type) <= 4 && ir::size_of(instruction.src_type) <= 4;
  switch (ir::facts(instruction.op).work) {
    case Work::special:
      if (fp64) return {Unit::fp64, core.divide_interval};
      return {Unit::sfu, core.sfu_interval};
    case Work::divide:
      if (fp64) return {Unit::fp64, core.divide_interval};
      if (instruction.approx || instruction.full) return {Unit::sfu, core.sfu_interval};
      if (single) return {Unit::fma, core.divide_interval};
      return {Unit::fma, core.integer_divide_interval * wide};
    case Work::add:
      if (single) return {Unit::fma, core.alu_interval};
      break;
    case Work::multiply:
      if (fp64) break;
      if (single) return {Unit::fma, core.alu_interval};
      return {Unit::fma, core.half_rate_interval * wide};
    case Work::conversion:
      if (!ir::is_float(instruction.type) && !ir::is_float(instruction.src_type) && narrow) break;
      return {Unit::sfu, core.sfu_interval};
    case Work::count:
      return {Unit::sfu, core.sfu_interval * wide};
    case Work::exchange:
      return {Unit::alu, core.half_rate_interval * 2};
    case Work::simple:
    case Work::half:
    case Work::tensor:
    case Work::memory:
      break;
  }
  if (fp64) return {Unit::fp64, core.double_interval};
  const Rate rate = rate_of(instruction, core);
  return {Unit::alu, rate.interval};
}

/// How often a result passes the pipeline: once, or once for each instruction of a subroutine that
/// waits for the one before. The same instructions take table.*_div in sim/frontend/latency.cpp.
unsigned passes(const ir::Instruction& instruction, const SubroutineSettings& subroutine) {
  const bool root = instruction.op == Op::rcp || instruction.op == Op::sqrt;
  if (!root && instruction.op != Op::div && instruction.op != Op::rem) return 1;
  if (!ir::is_float(instruction.type)) {
    return is_64_bit_integer(instruction.type) ? subroutine.integer64_div : subroutine.integer_div;
  }
  if (instruction.approx || instruction.full) return 1;
  if (instruction.type == Type::f64) return subroutine.f64_div;
  return root ? subroutine.f32_root : subroutine.f32_div;
}

bool uses_load_store_unit(const ir::Instruction& instruction) {
  if (ir::facts(instruction.op).work != Work::memory) return false;
  if (instruction.op == Op::mbarrier) {
    // An arrival for copies takes nothing but issue slots, also to be expected.
    return instruction.mbarrier != ir::MbarrierMode::pending_count &&
           instruction.mbarrier != ir::MbarrierMode::expect_arrival && !instruction.after_copies;
  }
  // Parameters and constants are operands of the machine's instructions, read through the constant
  // cache.
  return instruction.space != ir::Space::param && instruction.space != ir::Space::constant;
}

std::uint16_t saturate16(std::uint32_t value) {
  return static_cast<std::uint16_t>(
      std::min<std::uint32_t>(value, std::numeric_limits<std::uint16_t>::max()));
}

}  // namespace

/// Appends the banks of `registers`, each register once; says how many.
unsigned TimedKernel::list_banks(const std::vector<ir::RegId>& registers, unsigned banks) {
  if (banks == 0) return 0;
  const std::size_t before = banks_.size();
  for (auto reg = registers.begin(); reg != registers.end(); ++reg) {
    if (std::find(registers.begin(), reg, *reg) != reg) continue;
    const ir::Register& virtual_register = kernel_->registers[*reg];
    for (unsigned i = 0; i < ir::machine_registers(virtual_register.type); ++i) {
      banks_.push_back(static_cast<std::uint8_t>((virtual_register.machine + i) % banks));
    }
  }
  return static_cast<unsigned>(banks_.size() - before);
}

TimedKernel::TimedKernel(const ir::Kernel& kernel, const GpuConfig& config, std::uint64_t code_base)
    : kernel_(&kernel),
      code_base_(code_base),
      instructions_(static_cast<std::uint32_t>(kernel.code.size())) {
  code_.reserve(kernel.code.size());
  const bool cached = config.icache.bytes > 0;
  const unsigned line = config.icache.line_bytes / kInstructionBytes;
  for (const ir::Instruction& instruction : kernel.code) {
    const bool bulk = instruction.op == Op::copy_bulk;
    if (config.barrel() && (bulk || ir::touches_texels(instruction.op))) {
      throw InputError(kernel.file, instruction.line,
                       "kernel '" + kernel.name + "' " +
                           (bulk ? "makes bulk copies" : "accesses textures or surfaces") +
                           ", which the GPU '" + config.name +
                           "' does not have: its instructions do not overlap "
                           "(core.pipeline_stages is not 0)");
    }
    if (bulk && config.bulk.interval == 0) {
      throw InputError(kernel.file, instruction.line,
                       "kernel '" + kernel.name + "' makes bulk copies, which the GPU '" +
                           config.name + "' does not have (bulk.interval is 0)");
    }
    TimedInstruction timed;
    timed.memory = uses_load_store_unit(instruction);
    if (timed.memory) {
      timed.unit = Unit::memory;
      // The lanes that reckon addresses are divided among sub-cores.
      const unsigned shares = config.core.sub_cores ? config.core.schedulers : 1;
      timed.interval = static_cast<std::uint16_t>(config.core.memory_interval * shares);
    } else if (instruction.op == Op::mma) {
      if (config.tensor.interval == 0) {
        throw InputError(kernel.file, instruction.line,
                         "kernel '" + kernel.name + "' needs tensor cores, which the GPU '" +
                             config.name + "' does not have (tensor.interval is 0)");
      }
      timed.unit = Unit::tensor;
      timed.interval =
          static_cast<std::uint16_t>(tensor_interval(instruction, config.tensor.interval));
    } else {
      const Rate rate = config.core.sub_cores ? sub_core_rate(instruction, config.core)
                                              : rate_of(instruction, config.core);
      timed.unit = rate.unit;
      timed.interval = static_cast<std::uint16_t>(rate.interval);
    }
    const bool constant_load = instruction.op == Op::ld && instruction.space == ir::Space::constant;
    unsigned own = constant_load ? config.core.constant_latency : instruction.latency;
    if (timed.unit == Unit::tensor) own = config.tensor.latency;
    timed.latency = static_cast<std::uint16_t>(
        config.core.pipeline_latency * passes(instruction, config.subroutine) + own);
    timed.fence = instruction.op == Op::membar;
    timed.copies = instruction.op == Op::copy_async || instruction.op == Op::copy_bulk;
    timed.commits = instruction.op == Op::copy_commit;
    timed.awaits_copies = instruction.op == Op::copy_wait;
    timed.arrives_late = instruction.after_copies;
    timed.copy_kind = instruction.copies;
    timed.groups = instruction.groups;
    const ir::Flow flow = ir::facts(instruction.op).flow;
    timed.ends_path = flow == ir::Flow::end;
    timed.changes_path = timed.ends_path || flow == ir::Flow::branch;
    timed.long_op = instruction.long_op;
    timed.bypass_l1 = instruction.cache_global || instruction.volatile_access;
    const auto pc = static_cast<unsigned>(code_.size());
    const auto left = static_cast<unsigned>(kernel.code.size()) - pc;
    timed.fetched = static_cast<std::uint8_t>(
        std::min({kFetchWidth, left, cached ? line - pc % line : kFetchWidth}));
    std::vector<ir::RegId> read;
    std::vector<ir::RegId> written;
    auto check = [&](ir::RegId reg) {
      if (reg != ir::kNoReg) timed.check[timed.checked++] = reg;
    };
    check(instruction.guard);
    for (const ir::Operand& operand : instruction.src) {
      if (operand.kind != ir::Operand::Kind::reg) continue;
      check(operand.reg);
      read.push_back(operand.reg);
    }
    for (ir::RegId reg : instruction.dst) {
      check(reg);
      if (reg == ir::kNoReg) continue;
      timed.write[timed.written++] = reg;
      written.push_back(reg);
    }
    timed.first_bank = static_cast<std::uint32_t>(banks_.size());
    timed.reads = static_cast<std::uint8_t>(list_banks(read, config.core.register_banks));
    timed.writes = static_cast<std::uint8_t>(list_banks(written, config.core.register_banks));
    const ir::Phase& phase = kernel.phases.at(instruction.phase);
    const bool coded = config.frontend.phase_code != 0;
    timed.phase_distance = coded ? instruction.distance_code : saturate16(instruction.distance);
    timed.phase_length = coded ? phase.code : saturate16(phase.length);
    code_.push_back(timed);
  }
}

}  // namespace paws::core
