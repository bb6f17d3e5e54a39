// SPDX-License-Identifier: MIT
#include "sim/launch/stored_params.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace paws {
namespace {

ir::Operand reg(ir::RegId number) {
  ir::Operand operand;
  operand.kind = ir::Operand::Kind::reg;
  operand.reg = number;
  return operand;
}

ir::Instruction load_param(ir::RegId to, std::int64_t offset, ir::Type type = ir::Type::u64) {
  ir::Instruction load;
  load.op = ir::Op::ld;
  load.type = type;
  load.space = ir::Space::param;
  load.src[0].kind = ir::Operand::Kind::imm;
  load.offset = offset;
  load.dst[0] = to;
  return load;
}

ir::Instruction add(ir::RegId to, ir::RegId a, ir::RegId b) {
  ir::Instruction sum;
  sum.op = ir::Op::add;
  sum.type = ir::Type::u64;
  sum.src[0] = reg(a);
  sum.src[1] = reg(b);
  sum.dst[0] = to;
  return sum;
}

ir::Instruction access(ir::Op op, ir::Space space, ir::RegId address, ir::RegId data) {
  ir::Instruction made;
  made.op = op;
  made.type = ir::Type::u64;
  made.space = space;
  made.src[0] = reg(address);
  if (op == ir::Op::ld) {
    made.dst[0] = data;
  } else {
    made.src[1] = reg(data);
  }
  return made;
}

ir::Kernel kernel(std::initializer_list<ir::Instruction> code) {
  ir::Kernel made;
  made.registers.resize(8);
  made.code = code;
  return made;
}

using Places = std::set<std::uint32_t>;

TEST(StoredParams, AreThoseThatTheAddressOfAWriteComesFrom) {
  const StoredParams found = stored_params(kernel({
      load_param(0, 0),
      load_param(1, 8),
      load_param(2, 16, ir::Type::u32),
      load_param(3, 24),
      add(4, 1, 2),
      access(ir::Op::ld, ir::Space::global, 0, 5),
      access(ir::Op::st, ir::Space::global, 4, 0),
      access(ir::Op::red, ir::Space::generic, 3, 5),
  }));
  EXPECT_EQ(found.stores, Places{8}) << "not what is read, stored, or no pointer";
  EXPECT_EQ(found.atomics, Places{24});
}

TEST(StoredParams, AreFoundWhicheverWayTheKernelTakes) {
  // The register is written behind its reader, as in a loop.
  const StoredParams found = stored_params(kernel({
      access(ir::Op::st, ir::Space::global, 2, 7),
      add(2, 1, 7),
      add(1, 0, 7),
      load_param(0, 40),
  }));
  EXPECT_EQ(found.stores, Places{40});
}

TEST(StoredParams, SharedAndLocalMemoryAndPointersFromMemoryAreNot) {
  const StoredParams found = stored_params(kernel({
      load_param(0, 0),
      access(ir::Op::st, ir::Space::shared, 0, 7),
      access(ir::Op::st, ir::Space::local, 0, 7),
      access(ir::Op::ld, ir::Space::global, 0, 1),
      access(ir::Op::st, ir::Space::global, 1, 7),
  }));
  EXPECT_TRUE(found.stores.empty());
}

TEST(StoredParams, AVectorIsOneParameterAfterTheOther) {
  ir::Instruction pair = load_param(0, 16);
  pair.vector = 2;
  pair.dst[1] = 1;
  EXPECT_EQ(stored_params(kernel({pair, access(ir::Op::st, ir::Space::global, 1, 7)})).stores,
            Places{24});
}

}  // namespace
}  // namespace paws
