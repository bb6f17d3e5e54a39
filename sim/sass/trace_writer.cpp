// SPDX-License-Identifier: MIT
#include "sim/sass/trace_writer.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>
#include <set>
#include <utility>

#include "sim/exec/execution_listener.h"
#include "sim/ir/matrix.h"
#include "sim/sass/opcodes.h"
#include "sim/sass/operands.h"
#include "sim/support/error.h"

namespace paws::sass {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kInstructionBytes = 16;  ///< in the traced machines' code
constexpr unsigned kVersion = 5;            ///< of the tracer
// What Accel-Sim's reader of version 5 takes of an instruction's registers.
constexpr std::size_t kTracedDestinations = 1, kTracedSources = 4;

/// The registers of one value.
using Name = std::vector<MachineRegister>;

/// The names of a kernel's virtual registers. Those of 32 bits and more have numbers whose
/// remainder is their machine register, and no number twice; predicates are numbered in turn.
std::vector<Name> names_of(const ir::Kernel& kernel) {
  std::vector<Name> names(kernel.registers.size());
  std::set<std::uint32_t> taken;
  std::uint32_t predicates = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ir::Register& reg = kernel.registers[i];
    const unsigned width = ir::machine_registers(reg.type);
    if (width == 0 || reg.machine == ir::kNoReg) {
      while (is_constant({MachineRegister::File::predicate, predicates})) ++predicates;
      names[i].push_back({MachineRegister::File::predicate, predicates++});
      continue;
    }
    std::uint32_t number = reg.machine;
    const auto usable = [&] {
      for (std::uint32_t n = number; n < number + width; ++n) {
        if (taken.contains(n) || is_constant({MachineRegister::File::general, n})) return false;
      }
      return true;
    };
    while (!usable()) number += kRegisterNumbers;
    for (std::uint32_t n = number; n < number + width; ++n) {
      taken.insert(n);
      names[i].push_back({MachineRegister::File::general, n});
    }
  }
  return names;
}

/// "2 R4 R5": all registers of the values.
std::string whole(const std::vector<const Name*>& values) {
  std::string list;
  std::size_t count = 0;
  for (const Name* value : values) {
    for (const MachineRegister part : *value) list += fmt::format(" {}", name_of(part));
    count += value->size();
  }
  return fmt::format("{}{}", count, list);
}

/// The same as a tracer says it: machine registers, of each value the first, without predicates.
std::string traced(const std::vector<const Name*>& values, std::size_t most) {
  std::string list;
  std::size_t count = 0;
  for (const Name* value : values) {
    MachineRegister first = value->front();
    first.number %= kRegisterNumbers;
    if (first.file != MachineRegister::File::general || is_constant(first) || count == most) {
      continue;
    }
    list += fmt::format(" {}", name_of(first));
    ++count;
  }
  return fmt::format("{}{}", count, list);
}

/// A base and a stride if the lanes are in one row and a stride apart, else a base and differences,
/// as the tracer chooses.
std::string compressed(exec::LaneMask mask,
                       const std::array<std::uint64_t, ir::kWarpSize>& addresses) {
  if (mask == 0) return "1 0x0 0";
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const exec::LaneMask run = mask >> first;
  std::vector<std::int64_t> deltas;
  std::uint64_t last = addresses[first];
  bool constant = (run & (run + 1)) == 0;
  for (exec::LaneMask left = mask & (mask - 1); left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
    deltas.push_back(static_cast<std::int64_t>(address - last));
    constant = constant && deltas.back() == deltas.front();
    last = address;
  }
  if (constant) {
    return fmt::format("1 {:#x} {}", addresses[first], deltas.empty() ? 0 : deltas.front());
  }
  return fmt::format("2 {:#x} {}", addresses[first], fmt::join(deltas, " "));
}

/// The first value of each operand, in the order of machine code.
std::vector<const Name*> operands_of(const ir::Instruction& in, const std::vector<Name>& names) {
  std::vector<std::size_t> order;
  switch (in.op) {
    case ir::Op::mma: {
      const ir::MatrixRegisters values = ir::registers_of(in);
      order = {0, values.a, std::size_t{values.a} + values.b};
      break;
    }
    case ir::Op::copy_async:
      order = {1, 0};
      break;
    default:
      for (std::size_t i = 0; i < in.src.size(); ++i) order.push_back(i);
      break;
  }
  std::vector<const Name*> operands;
  for (const std::size_t place : order) {
    const ir::Operand& operand = in.src[place];
    if (operand.kind == ir::Operand::Kind::reg) operands.push_back(&names[operand.reg]);
  }
  return operands;
}

TraceWriter::Code code_of(const ir::Kernel& kernel) {
  const std::vector<Name> names = names_of(kernel);
  TraceWriter::Code code;
  code.header = fmt::format("-paws local bytes = {}\n", kernel.local_bytes);
  std::string blocks;
  const auto address = [](std::uint32_t pc) {
    return fmt::format("{:04x}", pc * kInstructionBytes);
  };
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    const ir::Instruction& in = kernel.code[pc];
    std::vector<const Name*> destinations;
    std::vector<const Name*> sources;
    const auto name = [&names](ir::RegId reg, std::vector<const Name*>& to) {
      if (reg != ir::kNoReg) to.push_back(&names[reg]);
    };
    for (const ir::RegId reg : in.dst) name(reg, destinations);
    name(in.guard, sources);
    for (const ir::Operand& operand : in.src) {
      if (operand.kind == ir::Operand::Kind::reg) name(operand.reg, sources);
    }
    const std::string opcode = opcode_of(in);
    if (opcode.empty()) {
      throw InputError(kernel.file, in.line,
                       fmt::format("kernel '{}' cannot be traced: no trace has what '{}' does",
                                   kernel.name, ir::to_string(in.op)));
    }
    // A barrier's number and threads are immediates; in registers they are in no trace. So are the
    // groups that a wait for copies leaves.
    std::array<std::uint64_t, 2> immediates{};
    if (in.op == ir::Op::bar) {
      for (std::size_t i = 0; i < immediates.size(); ++i) {
        const ir::Operand& operand = in.src[i];
        if (operand.kind == ir::Operand::Kind::reg) {
          throw InputError(kernel.file, in.line,
                           "kernel '" + kernel.name +
                               "': the barrier's number or threads are in a register, which no "
                               "trace can say");
        }
        if (operand.kind == ir::Operand::Kind::imm) immediates[i] = operand.imm;
      }
    }
    if (in.op == ir::Op::copy_wait) immediates[0] = in.groups;
    if (in.op == ir::Op::bra) immediates[0] = std::uint64_t{in.target} * kInstructionBytes;
    code.text.push_back(fmt::format("{} {} {}", traced(destinations, kTracedDestinations), opcode,
                                    traced(operands_of(in, names), kTracedSources)));
    code.tail.push_back(fmt::format("{} {}", immediates[0], immediates[1]));
    code.header += fmt::format("-paws code = {} {} {} {} {}\n", address(pc), whole(destinations),
                               opcode, whole(sources), code.tail.back());
    if (pc > 0 && in.block != kernel.code[pc - 1].block) blocks += fmt::format(" {}", address(pc));
  }
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    const ir::Instruction& in = kernel.code[pc];
    std::string targets;
    if (in.op == ir::Op::bra) targets = fmt::format(" {}", address(in.target));
    for (const std::uint32_t target : in.table) targets += fmt::format(" {}", address(target));
    if (!targets.empty())
      code.header += fmt::format("-paws targets = {}{}\n", address(pc), targets);
  }
  code.header += fmt::format("-paws blocks ={}\n", blocks);
  return code;
}

void append_addresses(std::string& to, const ir::Kernel& kernel, const ir::Instruction& in,
                      const exec::Outcome& outcome) {
  if (!has_addresses(in)) {
    to += "0";
    return;
  }
  std::array<std::uint64_t, ir::kWarpSize> addresses{};
  if (outcome.active != 0) addresses = outcome.addresses;
  for (exec::LaneMask left = outcome.reads_nothing; left != 0; left &= left - 1) {
    addresses[static_cast<std::size_t>(std::countr_zero(left))] = kNoSource;
  }
  if (in.space == ir::Space::generic && outcome.active != 0) {
    std::uint64_t window = 0;
    switch (outcome.space) {
      case ir::Space::shared:
        window = ir::kSharedWindow;
        break;
      case ir::Space::local:
        window = ir::kLocalWindow;
        break;
      case ir::Space::global:
      case ir::Space::generic:
        break;
      default:
        throw InputError(kernel.file, in.line,
                         "kernel '" + kernel.name +
                             "': a generic access to constants or parameters, which no trace can "
                             "say");
    }
    for (std::uint64_t& address : addresses) address += window;
  }
  to += fmt::format("{} {}", lane_bytes(in), compressed(outcome.active, addresses));
}

/// The file of a launch, as its blocks end. They are written in the order of the grid, so those
/// that end before their turn wait in memory.
class LaunchFile {
 public:
  LaunchFile(fs::path path, const std::string& header) : path_(std::move(path)), part_(path_) {
    part_ += ".part";
    errno = 0;
    file_.open(part_, std::ios::binary | std::ios::trunc);
    put(header);
  }
  ~LaunchFile() {
    if (whole_) return;
    file_.close();
    std::error_code ignored;
    fs::remove(part_, ignored);
  }
  LaunchFile(const LaunchFile&) = delete;
  LaunchFile& operator=(const LaunchFile&) = delete;

  /// Called by any thread.
  void add_block(std::uint64_t index, std::string text) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(index, std::move(text));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == written_;
         next = waiting_.begin()) {
      put(next->second);
      waiting_.erase(next);
      ++written_;
    }
  }

  /// All blocks have been added: the file gets its name.
  void finish() {
    file_.close();
    if (!file_) fail();
    std::error_code error;
    fs::rename(part_, path_, error);
    if (error) throw InputError(path_.string(), "cannot be written: " + error.message());
    whole_ = true;
  }

 private:
  void put(const std::string& text) {
    file_ << text;
    if (!file_) fail();
  }
  [[noreturn]] void fail() const {
    throw InputError(path_.string(), std::string("cannot be written: ") + std::strerror(errno));
  }

  fs::path path_, part_;
  std::ofstream file_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::string> waiting_;
  std::uint64_t written_ = 0;  ///< blocks
  bool whole_ = false;
};

/// Writes down what the block of a slot executes.
class BlockText final : public exec::ExecutionListener {
 public:
  BlockText(const KernelLaunch& launch, const TraceWriter::Code& code, LaunchFile& file)
      : launch_(launch),
        code_(code),
        file_(file),
        warps_((launch.shape.block.count() + ir::kWarpSize - 1) / ir::kWarpSize) {}

  void started(std::uint64_t index) override {
    index_ = index;
    for (Warp& warp : warps_) warp = {};
  }

  void executed(unsigned warp, std::uint32_t pc, const exec::Outcome& outcome) override {
    Warp& to = warps_[warp];
    ++to.instructions;
    fmt::format_to(std::back_inserter(to.lines), "{:04x} {:08x} {} ", pc * kInstructionBytes,
                   outcome.active, code_.text[pc]);
    append_addresses(to.lines, *launch_.kernel, launch_.kernel->code[pc], outcome);
    fmt::format_to(std::back_inserter(to.lines), " {}\n", code_.tail[pc]);
  }

  void ended() override {
    const exec::Dim3& grid = launch_.shape.grid;
    std::string text = fmt::format("\n#BEGIN_TB\n\nthread block = {},{},{}\n", index_ % grid.x,
                                   index_ / grid.x % grid.y, index_ / grid.x / grid.y);
    for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
      text += fmt::format("\nwarp = {}\ninsts = {}\n", warp, warps_[warp].instructions);
      text += warps_[warp].lines;
    }
    text += "\n#END_TB\n";
    file_.add_block(index_, std::move(text));
  }

 private:
  struct Warp {
    std::uint64_t instructions = 0;
    std::string lines;
  };

  const KernelLaunch& launch_;
  const TraceWriter::Code& code_;
  LaunchFile& file_;
  std::uint64_t index_ = 0;
  std::vector<Warp> warps_;
};

/// The tracer lists copies to the device; here every buffer counts as one.
std::string copies_to(const DeviceMemory& memory) {
  std::string copies;
  std::uint64_t below = std::numeric_limits<std::uint64_t>::max();
  while (const DeviceMemory::Allocation* buffer = memory.nearest(below)) {
    copies.insert(0, fmt::format("MemcpyHtoD,{:#018x},{}\n", buffer->address, buffer->bytes));
    if (buffer->address == 0) break;
    below = buffer->address - 1;
  }
  return copies;
}

}  // namespace

TraceWriter::TraceWriter(fs::path folder, KernelRunner& runner, Registers registers,
                         std::string made_by)
    : folder_(std::move(folder)),
      runner_(runner),
      registers_(std::move(registers)),
      made_by_(std::move(made_by)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw InputError(folder_.string(), "cannot be made: " + error.message());
  if (fs::exists(list(), error)) {
    throw InputError(list().string(), "is there already; traces go to a folder without a list");
  }
}

void TraceWriter::run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) {
  if (launches.size() > 1) {
    launches.front().where.fail(
        "traces are run one after the other: this step has several launches at a time");
  }
  run(launches.front(), memory);
}

void TraceWriter::run(const KernelLaunch& launch, DeviceMemory& memory) {
  if (launches_ == 0) list_ += copies_to(memory);
  const std::string name = fmt::format("kernel-{}.traceg", ++launches_);
  const ir::Kernel* kernel = launch.kernel;
  if (!codes_.contains(kernel)) codes_.emplace(kernel, code_of(*kernel));
  const Code& code = codes_.at(kernel);
  LaunchFile file(folder_ / name, header_of(launch, code));
  KernelLaunch listened = launch;
  listened.listen = [&launch, &code, &file] {
    return std::make_unique<BlockText>(launch, code, file);
  };
  runner_.run(listened, memory);
  file.finish();
  list_ += name + "\n";
}

void TraceWriter::finish() {
  std::ofstream file(list(), std::ios::binary);
  file << list_;
  file.close();
  if (!file) throw InputError(list().string(), "cannot be written");
}

std::string TraceWriter::header_of(const KernelLaunch& launch, const Code& code) const {
  const exec::Dim3& grid = launch.shape.grid;
  const exec::Dim3& block = launch.shape.block;
  return fmt::format(
             "-kernel name = {}\n"
             "-kernel id = {}\n"
             "-grid dim = ({},{},{})\n"
             "-block dim = ({},{},{})\n"
             "-shmem = {}\n"
             "-nregs = {}\n"
             "-binary version = 80\n"
             "-cuda stream id = 0\n"
             "-shmem base_addr = {:#018x}\n"
             "-local mem base_addr = {:#018x}\n"
             "-nvbit version = none\n"
             "-accelsim tracer version = {}\n"
             "-enable lineinfo = 0\n"
             "-paws made by = {}\n",
             launch.kernel->name, launches_, grid.x, grid.y, grid.z, block.x, block.y, block.z,
             std::uint64_t{launch.kernel->shared_bytes} + launch.shape.dynamic_shared,
             registers_(launch), ir::kSharedWindow, ir::kLocalWindow, kVersion, made_by_) +
         code.header +
         "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
         "mem_width [adrrescompress?] [mem_addresses] immediate1 immediate2\n";
}

}  // namespace paws::sass
