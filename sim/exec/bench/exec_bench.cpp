// SPDX-License-Identifier: MIT
// Speed of functional execution in thread instructions per second, on one host thread.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "sim/exec/functional_runner.h"
#include "sim/exec/lanes/select.h"
#include "sim/exec/testing/kernel_builder.h"

namespace paws::exec {
namespace {

using testing::imm;
using testing::KernelBuilder;
using testing::Label;
using testing::reg;
using testing::special;

constexpr std::uint32_t kTile = 16;
constexpr std::uint32_t kTileBytes = kTile * kTile * 4;
constexpr std::uint64_t kMebibyte = 1 << 20;

/// The inner loop of a tiled matrix multiplication as a compiler unrolls it: per step two loads
/// from shared memory and an fma, with the loop's add, compare and branch every eight steps.
ir::Kernel tile_product(std::uint32_t iterations) {
  using T = ir::Type;
  KernelBuilder b("tile_product");
  b.shared_bytes(2 * kTileBytes);
  const std::uint32_t out = b.new_param(T::u64);
  const ir::RegId to = b.load_param(T::u64, out);
  const ir::RegId x = b.new_reg(T::u32);
  const ir::RegId y = b.new_reg(T::u32);
  const ir::RegId row = b.new_reg(T::u64);
  const ir::RegId column = b.new_reg(T::u64);
  const ir::RegId sum = b.new_reg(T::f32);
  const ir::RegId i = b.new_reg(T::u32);
  const ir::RegId more = b.new_reg(T::pred);
  b.emit(ir::Op::mov, T::u32, {x}, {special(ir::Special::tid_x)});
  b.emit(ir::Op::mov, T::u32, {y}, {special(ir::Special::tid_y)});
  b.emit(ir::Op::mul, T::u32, {row}, {reg(y), imm(std::uint64_t{kTile} * 4)}).part =
      ir::MulPart::wide;
  b.emit(ir::Op::mul, T::u32, {column}, {reg(x), imm(4)}).part = ir::MulPart::wide;
  b.emit(ir::Op::mov, T::f32, {sum}, {imm(0)});
  b.emit(ir::Op::mov, T::u32, {i}, {imm(0)});
  const Label loop = b.label();
  const Label end = b.label();
  b.place(loop);
  for (std::uint32_t k = 0; k < 8; ++k) {
    const ir::RegId left = b.new_reg(T::f32);
    const ir::RegId right = b.new_reg(T::f32);
    b.load(ir::Space::shared, T::f32, left, reg(row), std::int64_t{k} * 4);
    b.load(ir::Space::shared, T::f32, right, reg(column), kTileBytes + std::int64_t{k} * kTile * 4);
    b.emit(ir::Op::fma, T::f32, {sum}, {reg(left), reg(right), reg(sum)}).round = ir::Round::rn;
  }
  b.emit(ir::Op::add, T::u32, {i}, {reg(i), imm(1)});
  b.emit(ir::Op::setp, T::u32, {more}, {reg(i), imm(iterations)}).cmp = ir::Cmp::lt;
  b.branch(loop, end, more);
  b.place(end);
  const ir::RegId thread = b.new_reg(T::u32);
  b.emit(ir::Op::mad, T::u32, {thread}, {reg(y), imm(kTile), reg(x)});
  b.store(ir::Space::global, T::f32, reg(b.element(to, thread, 4)), reg(sum));
  b.exit();
  return b.build();
}

/// y = a * x + y over global memory.
ir::Kernel saxpy() {
  using T = ir::Type;
  KernelBuilder b("saxpy");
  const ir::RegId x = b.load_param(T::u64, b.new_param(T::u64));
  const ir::RegId y = b.load_param(T::u64, b.new_param(T::u64));
  const ir::RegId thread = b.new_reg(T::u32);
  const ir::RegId block = b.new_reg(T::u32);
  const ir::RegId i = b.new_reg(T::u32);
  b.emit(ir::Op::mov, T::u32, {thread}, {special(ir::Special::tid_x)});
  b.emit(ir::Op::mov, T::u32, {block}, {special(ir::Special::ctaid_x)});
  b.emit(ir::Op::mad, T::u32, {i}, {reg(block), special(ir::Special::ntid_x), reg(thread)});
  const ir::RegId at_x = b.element(x, i, 4);
  const ir::RegId at_y = b.element(y, i, 4);
  const ir::RegId a = b.new_reg(T::f32);
  const ir::RegId c = b.new_reg(T::f32);
  b.load(ir::Space::global, T::f32, a, reg(at_x));
  b.load(ir::Space::global, T::f32, c, reg(at_y));
  b.emit(ir::Op::fma, T::f32, {c}, {testing::imm_f32(2.5f), reg(a), reg(c)});
  b.store(ir::Space::global, T::f32, reg(at_y), reg(c));
  b.exit();
  return b.build();
}

void run(benchmark::State& state, const ir::Kernel& kernel, const LaunchShape& shape,
         const std::vector<std::uint64_t>& buffers) {
  DeviceMemory memory;
  KernelLaunch launch;
  launch.kernel = &kernel;
  launch.shape = shape;
  launch.params.resize(kernel.param_bytes);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::uint64_t address = memory.allocate("buffer", buffers[i]);
    std::memcpy(launch.params.data() + 8 * i, &address, 8);
  }
  FunctionalRunner runner;
  while (state.KeepRunning()) runner.run(launch, memory);
  state.counters["thread_instructions/s"] = benchmark::Counter(
      static_cast<double>(runner.thread_instructions()), benchmark::Counter::kIsRate);
}

void tile_product(benchmark::State& state) {
  use_lane_level(state.range(0) == 0 ? lane_levels().front() : lane_levels().back());
  run(state, tile_product(256), {{16, 1, 1}, {kTile, kTile, 1}, 0}, {kTileBytes});
  use_lane_level(lane_levels().back());
}
BENCHMARK(tile_product)->ArgName("v3")->Arg(0)->Arg(1);

void saxpy(benchmark::State& state) {
  run(state, saxpy(), {{1024, 1, 1}, {256, 1, 1}, 0}, {kMebibyte, kMebibyte});
}
BENCHMARK(saxpy);

}  // namespace
}  // namespace paws::exec

BENCHMARK_MAIN();
