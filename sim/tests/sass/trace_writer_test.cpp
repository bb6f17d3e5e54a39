// SPDX-License-Identifier: MIT
#include "sim/sass/trace_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/exec/execution_listener.h"
#include "sim/sass/traced_program.h"
#include "sim/tests/sass/support.h"

namespace paws::sass {
namespace {

/// A kernel whose registers lie where the test says.
class HandMadeKernel {
 public:
  HandMadeKernel() { kernel_.name = "k"; }

  ir::RegId reg(ir::Type type, std::uint16_t machine) {
    ir::Register& added = kernel_.registers.emplace_back();
    added.type = type;
    added.machine = machine;
    return static_cast<ir::RegId>(kernel_.registers.size() - 1);
  }
  /// So many in a row.
  std::vector<ir::RegId> regs(ir::Type type, std::uint16_t first, unsigned count) {
    std::vector<ir::RegId> list;
    for (unsigned i = 0; i < count; ++i) {
      list.push_back(reg(type, static_cast<std::uint16_t>(first + i)));
    }
    return list;
  }
  void add(ir::Instruction instruction, const std::vector<ir::RegId>& destinations,
           std::initializer_list<std::vector<ir::RegId>> sources) {
    std::copy(destinations.begin(), destinations.end(), instruction.dst.begin());
    std::size_t place = 0;
    for (const std::vector<ir::RegId>& operand : sources) {
      for (const ir::RegId source : operand) {
        instruction.src.at(place).kind = ir::Operand::Kind::reg;
        instruction.src.at(place++).reg = source;
      }
    }
    kernel_.code.push_back(std::move(instruction));
  }
  [[nodiscard]] const ir::Kernel& kernel() const { return kernel_; }

 private:
  ir::Kernel kernel_;
};

/// Says that one warp has executed every instruction once, with 16 bytes of each lane in a row.
class OnceThrough : public KernelRunner {
 public:
  void run(const KernelLaunch& launch, DeviceMemory& /*memory*/) override {
    exec::Outcome outcome{};
    outcome.active = ~exec::LaneMask{0};
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      outcome.addresses[lane] = 0x1000 + 16 * lane;
    }
    const std::unique_ptr<exec::ExecutionListener> listener = launch.listen();
    listener->started(0);
    for (std::uint32_t pc = 0; pc < launch.kernel->code.size(); ++pc) {
      listener->executed(0, pc, outcome);
    }
    listener->ended();
  }
};

/// The trace of a launch of 32 threads.
std::filesystem::path write(const ir::Kernel& kernel, const TemporaryFolder& folder) {
  OnceThrough runner;
  TraceWriter writer(
      folder.path() / "traces", runner, [](const KernelLaunch&) { return 32U; }, "version: 1");
  KernelLaunch launch;
  launch.kernel = &kernel;
  launch.shape.grid = {1, 1, 1};
  launch.shape.block = {32, 1, 1};
  DeviceMemory memory;
  writer.run(launch, memory);
  return folder.path() / "traces" / "kernel-1.traceg";
}

// In the order of machine code: an LDGSTS has its address in shared memory first, a product the
// first registers of a, b and c. PTX, and so `paws code`, has the other order, and all registers.
TEST(TraceWriter, OperandsStandInTheOrderOfMachineCode) {
  using ir::Op;
  using ir::Type;
  HandMadeKernel made;
  const ir::RegId global = made.reg(Type::b64, 8);
  const ir::RegId shared = made.reg(Type::b32, 4);
  ir::Instruction copy;
  copy.op = Op::copy_async;
  copy.type = Type::b32;
  copy.space = ir::Space::global;
  copy.vector = 4;
  copy.cache_global = true;
  made.add(copy, {}, {{global, shared}});
  ir::Instruction mma;
  mma.op = Op::mma;
  mma.shape = {16, 8, 16};
  mma.type = Type::f32;
  mma.src_type = mma.other_type = Type::f16;
  made.add(mma, made.regs(Type::f32, 12, 4),
           {made.regs(Type::b32, 16, 4), made.regs(Type::b32, 24, 2), made.regs(Type::f32, 28, 4)});
  ir::Instruction end;
  end.op = Op::exit;
  made.add(end, {}, {});

  const TemporaryFolder folder;
  const std::filesystem::path trace = write(made.kernel(), folder);
  std::ifstream in(trace);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const char* line :
       {"-paws code = 0000 0 LDGSTS.E.BYPASS.128 3 R8 R9 R4 0 0",
        "-paws code = 0010 4 R12 R13 R14 R15 HMMA.16816.F32 10 R16 R17 R18 R19 R24 R25 R28 R29 R30 "
        "R31 0 0",
        "0000 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R8 16 1 0x1000 16 0 0",
        "0010 ffffffff 1 R12 HMMA.16816.F32 3 R16 R24 R28 0 0 0", "0020 ffffffff 0 EXIT 0 0 0 0"}) {
    EXPECT_NE(text.find("\n" + std::string(line) + "\n"), std::string::npos)
        << line << " is not in\n"
        << text;
  }

  // A machine's trace would say the same, so it is read as one. R8 stands for R9 too, as all even
  // registers here that are never named without the odd one.
  const TracedProgram program(folder.write("bare.traceg", without_our_own(trace)), {}, {});
  const ir::Kernel& read = program.module().kernels.at(0);
  EXPECT_EQ(registers_at(read, 0), "<- R4 R8");
  EXPECT_EQ(read.registers.at(read.code[0].src[1].reg).type, Type::b64);
  EXPECT_EQ(registers_at(read, 1), "R12 R14 <- R16 R18 R24 R28 R30");
}

}  // namespace
}  // namespace paws::sass
