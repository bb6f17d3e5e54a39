// SPDX-License-Identifier: MIT
// Accesses to global memory that are done later than they issue.

#include "sim/exec/deferred.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sim/exec/register_layout.h"
#include "sim/exec/testing/kernel_builder.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

using testing::imm;
using testing::KernelBuilder;
using testing::reg;
using testing::special;

/// Stores 7, changes the stored register, loads the word back and stores it in the next line.
TEST(Deferred, OperandsAreThoseOfTheIssueAndValuesThoseOfTheAccess) {
  KernelBuilder b;
  const ir::RegId base = b.load_param(ir::Type::u64, b.new_param(ir::Type::u64));
  const ir::RegId lane = b.new_reg(ir::Type::u32);
  const ir::RegId stored = b.new_reg(ir::Type::u32);
  const ir::RegId loaded = b.new_reg(ir::Type::u32);
  b.emit(ir::Op::mov, ir::Type::u32, {lane}, {special(ir::Special::laneid)});
  const ir::RegId at = b.element(base, lane, 4);
  b.emit(ir::Op::mov, ir::Type::u32, {stored}, {imm(7)});
  b.store(ir::Space::global, ir::Type::u32, reg(at), reg(stored));
  b.emit(ir::Op::mov, ir::Type::u32, {stored}, {imm(8)});
  b.load(ir::Space::global, ir::Type::u32, loaded, reg(at));
  b.emit(ir::Op::add, ir::Type::u64, {at}, {reg(at), imm(128)});
  b.store(ir::Space::global, ir::Type::u32, reg(at), reg(loaded));
  b.store(ir::Space::global, ir::Type::u32, reg(at), reg(stored), 128);
  b.exit();
  const ir::Kernel kernel = b.build();
  const Executable executable(kernel);
  DeviceMemory memory;
  const std::uint64_t buffer = memory.allocate("out", 256);
  Block block(executable, {{1, 1, 1}, {32, 1, 1}, 0}, reinterpret_cast<const std::byte*>(&buffer),
              memory, 0, 1);
  auto word = [&](std::uint64_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, memory.at(buffer + 4 * index, 4), 4);
    return value;
  };
  block.start(0);
  DeferredAccesses later;
  Outcome outcome;
  auto issue_until = [&](std::size_t accesses) {
    while (later.size() < accesses) block.execute(0, 0, outcome, &later);
  };
  issue_until(2);  // up to the load
  EXPECT_EQ(outcome.space, ir::Space::global);
  EXPECT_EQ(outcome.bytes, 4);
  EXPECT_FALSE(outcome.store);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(outcome.addresses[i], buffer + 4 * i);
  EXPECT_EQ(word(5), 0U);
  perform(later, 0);
  EXPECT_EQ(word(5), 7U);
  perform(later, 1);
  issue_until(4);
  EXPECT_TRUE(outcome.store);
  EXPECT_EQ(word(37), 0U);
  perform(later, 2);
  EXPECT_EQ(word(37), 7U);
  // The last one lies outside: said when it is done, as if it had been done at once.
  std::string message;
  try {
    perform(later, 3);
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("warp 0, lane 0, thread (0,0,0): 4-byte store at global address"),
            std::string::npos)
      << message;
}

TEST(Deferred, RegistersWrittenLateShareSlotsOnlyAmongThemselves) {
  KernelBuilder b;
  const ir::RegId base = b.load_param(ir::Type::u64, b.new_param(ir::Type::u64));
  const ir::RegId first = b.new_reg(ir::Type::u32);
  const ir::RegId second = b.new_reg(ir::Type::u32);
  const ir::RegId at_once = b.new_reg(ir::Type::u32);
  const ir::RegId both = b.new_reg(ir::Type::u32);
  const ir::RegId after = b.new_reg(ir::Type::u32);
  for (const ir::RegId loaded : {first, second}) {
    b.load(ir::Space::global, ir::Type::u32, loaded, reg(base));
    b.store(ir::Space::global, ir::Type::u32, reg(base), reg(loaded));
  }
  b.emit(ir::Op::mov, ir::Type::u32, {at_once}, {testing::special(ir::Special::ctaid_x)});
  b.store(ir::Space::global, ir::Type::u32, reg(base), reg(at_once));
  b.emit(ir::Op::mov, ir::Type::u32, {both}, {testing::special(ir::Special::ctaid_x)});
  b.load(ir::Space::global, ir::Type::u32, both, reg(base));
  b.store(ir::Space::global, ir::Type::u32, reg(base), reg(both));
  b.emit(ir::Op::mov, ir::Type::u32, {after}, {testing::special(ir::Special::ctaid_x)});
  b.store(ir::Space::global, ir::Type::u32, reg(base), reg(after));
  b.exit();
  const RegisterLayout layout = lay_out_registers(b.build());
  EXPECT_EQ(layout.offset[first], layout.offset[second]);
  EXPECT_NE(layout.offset[at_once], layout.offset[first]);
  EXPECT_EQ(layout.offset[after], layout.offset[at_once]);
  for (const ir::RegId other : {first, at_once, after}) {
    EXPECT_NE(layout.offset[both], layout.offset[other]);
  }
}

}  // namespace
}  // namespace paws::exec
