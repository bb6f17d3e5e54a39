// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sim/ir/disassemble.h"
#include "sim/tests/frontend/support.h"

namespace paws::frontend {
namespace {

ir::Instruction first_of(const std::string& body, const std::string& before = "") {
  return compile_kernel(body, as_written(), before).code.at(0);
}

TEST(Lower, ModifiersAreFields) {
  const ir::Instruction fma = first_of("fma.rz.ftz.sat.f32 %f1, %f2, %f3, 0f3F800000;");
  EXPECT_EQ(fma.op, ir::Op::fma);
  EXPECT_EQ(fma.round, ir::Round::rz);
  EXPECT_TRUE(fma.ftz && fma.sat);
  EXPECT_EQ(fma.src[2].kind, ir::Operand::Kind::imm);
  EXPECT_EQ(fma.src[2].imm, 0x3f800000u);

  const ir::Instruction setp = first_of("setp.ltu.or.f32 %p1|%p2, %f1, %f2, !%p3;");
  EXPECT_EQ(setp.cmp, ir::Cmp::ltu);
  EXPECT_EQ(setp.bool_op, ir::BoolOp::or_);
  EXPECT_NE(setp.dst[1], ir::kNoReg);
  EXPECT_TRUE(setp.src[2].negated);

  const ir::Instruction shf = first_of("shf.r.clamp.b32 %r1, %r2, %r3, 4;");
  EXPECT_TRUE(shf.shift_right);
  EXPECT_EQ(shf.shift, ir::ShiftMode::clamp);

  const ir::Instruction cvt = first_of("cvt.rzi.ftz.s32.f32 %r1, %f1;");
  EXPECT_EQ(cvt.type, ir::Type::s32);
  EXPECT_EQ(cvt.src_type, ir::Type::f32);
  EXPECT_EQ(cvt.round, ir::Round::rzi);

  const ir::Instruction lop3 = first_of("lop3.b32 %r1, %r2, %r3, %r4, 0x96;");
  EXPECT_EQ(lop3.lut, 0x96);
  EXPECT_EQ(lop3.src[3].kind, ir::Operand::Kind::none);
}

TEST(Lower, MemoryOperations) {
  const ir::Instruction ld = first_of("ld.global.nc.v4.f32 {%f1, %f2, _, %f4}, [%rd1+16];");
  EXPECT_EQ(ld.vector, 4);
  EXPECT_TRUE(ld.read_only);
  EXPECT_EQ(ld.offset, 16);
  EXPECT_EQ(ld.dst[2], ir::kNoReg);
  const ir::Instruction st = first_of("st.shared.v2.u32 [%r1+-4], {%r2, 5};");
  EXPECT_EQ(st.space, ir::Space::shared);
  EXPECT_EQ(st.offset, -4);
  EXPECT_EQ(st.src[2].imm, 5u);
  const ir::Instruction cas = first_of("atom.shared.cas.b64 %rd1, [%rd2], %rd3, 7;");
  EXPECT_EQ(cas.atom, ir::AtomOp::cas);
  EXPECT_EQ(cas.src[2].imm, 7u);
  EXPECT_EQ(first_of("ld.u32 %r1, [%rd1];").space, ir::Space::generic);
  EXPECT_TRUE(first_of("ld.relaxed.gpu.global.u32 %r1, [%rd1];").cache_global);
  EXPECT_TRUE(first_of("ld.global.cg.u32 %r1, [%rd1];").cache_global);
  EXPECT_FALSE(first_of("ld.global.ca.u32 %r1, [%rd1];").cache_global);
  EXPECT_EQ(first_of("ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2;").src[1].kind,
            ir::Operand::Kind::none);
}

TEST(Lower, TexturesAndSurfaces) {
  const auto text = [](const std::string& body) {
    const ir::Kernel kernel = compile_kernel(body, as_written());
    return ir::disassemble(kernel, 0);
  };
  // What fills a vector up to four is no coordinate.
  EXPECT_EQ(text("tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%f5,%f6,%f6}];"),
            "tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f5, %f6}]");
  EXPECT_EQ(text("tex.level.3d.v4.u32.f32 {%r1,_,%r3,%r4}, [%rd1, {%f5,%f6,%f7,%f7}], %f8;"),
            "tex.level.3d.v4.u32.f32 {%r1, _, %r3, %r4}, [%rd1, {%f5, %f6, %f7}], {%f8}");
  EXPECT_EQ(text("tld4.b.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];"),
            "tld4.b.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]");
  EXPECT_EQ(text("suld.b.2d.v2.b16.clamp {%rs1,%rs2}, [%rd1, {%r1,%r2}];"),
            "suld.b.2d.v2.b16.clamp {%rs1, %rs2}, [%rd1, {%r1, %r2}]");
  EXPECT_EQ(text("sust.b.1d.b32.zero [%rd1, {%r1}], {%r2};"),
            "sust.b.1d.b32.zero [%rd1, {%r1}], {%r2}");
  EXPECT_EQ(text("suq.height.b32 %r1, [%rd1];"), "suq.height.b32 %r1, [%rd1]");
}

TEST(Lower, ScalarVideoIsWrittenAsItIsRead) {
  for (const std::string text :
       {"vadd.s32.u32.s32 %r1, %r2, %r3", "vmin.s32.u32.s32.sat %r1, %r2.b3, %r3.h1",
        "vsub.u32.u32.u32.sat.max %r1, %r2.h0, %r3.b0, %r4",
        "vabsdiff.u32.s32.u32 %r1.b2, %r2.b1, %r3, %r4"}) {
    EXPECT_EQ(ir::disassemble(compile_kernel(text + ";", as_written()), 0), text);
  }
}

TEST(Lower, CarryChainsGoThroughARegister) {
  const ir::Kernel kernel = compile_kernel(
      "add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r4, %r5, %r6; madc.hi.u32 %r7, %r8, %r9, 0;");
  const ir::RegId carry = kernel.code[0].dst[1];
  ASSERT_NE(carry, ir::kNoReg);
  EXPECT_EQ(kernel.registers[carry].type, ir::Type::pred);
  EXPECT_EQ(kernel.code[1].src[2].reg, carry);
  EXPECT_EQ(kernel.code[1].dst[1], carry);
  EXPECT_EQ(kernel.code[2].src[3].reg, carry);
  EXPECT_EQ(kernel.code[2].dst[1], ir::kNoReg);
  EXPECT_TRUE(kernel.code[2].carry_in);
}

TEST(Lower, WarpAndBarrierOperations) {
  const ir::Instruction shfl = first_of("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;");
  EXPECT_EQ(shfl.shfl, ir::ShflMode::bfly);
  EXPECT_NE(shfl.dst[1], ir::kNoReg);
  EXPECT_EQ(shfl.src[3].imm, 0xffffffffu);
  EXPECT_EQ(first_of("shfl.down.b32 %r1, %r2, 1, 31;").src[3].kind, ir::Operand::Kind::none);
  EXPECT_EQ(first_of("vote.sync.ballot.b32 %r1, !%p1, -1;").vote, ir::VoteMode::ballot);
  EXPECT_EQ(first_of("bar.warp.sync -1;").op, ir::Op::bar_warp);
  const ir::Instruction red = first_of("barrier.cta.red.and.pred %p1, 2, %p2;");
  EXPECT_EQ(red.bar, ir::BarMode::red_and);
  EXPECT_EQ(red.src[1].kind, ir::Operand::Kind::none);
  EXPECT_EQ(red.src[2].kind, ir::Operand::Kind::reg);
  const ir::Instruction arrive = first_of("bar.arrive 3, 64;");
  EXPECT_EQ(arrive.bar, ir::BarMode::arrive);
  EXPECT_EQ(arrive.src[1].imm, 64u);
}

TEST(Lower, VectorMovesPackAndUnpack) {
  const ir::Instruction unpack = first_of("mov.b64 {%r1, _}, %rd1;");
  EXPECT_EQ(unpack.op, ir::Op::unpack);
  EXPECT_EQ(unpack.dst[1], ir::kNoReg);
  const ir::Instruction pack = first_of("mov.b32 %r1, {%rs1, %rs2};");
  EXPECT_EQ(pack.op, ir::Op::pack);
  EXPECT_EQ(pack.vector, 2);
}

TEST(Lower, ParametersAreLaidOutAsPtxDoes) {
  const ir::Module module = compile_text(
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".entry k(.param .u8 a, .param .u32 b, .param .align 16 .b8 c[20], .param .u16 d)\n"
      "{ .reg .b32 %r<9>; ld.param.u32 %r1, [c+4]; }",
      "t.ptx");
  const ir::Kernel& kernel = module.kernels.at(0);
  ASSERT_EQ(kernel.params.size(), 4u);
  EXPECT_EQ(kernel.params[1].offset, 4u);
  EXPECT_EQ(kernel.params[2].offset, 16u);
  EXPECT_EQ(kernel.params[2].bytes, 20u);
  EXPECT_EQ(kernel.params[3].offset, 36u);
  EXPECT_EQ(kernel.param_bytes, 38u);
}

TEST(Lower, VariablesGetAddressesAndContents) {
  const ir::Module module =
      compile("mov.u64 %rd1, y; ld.global.u32 %r1, [x+4]; ld.const.u32 %r2, [c];", as_written(),
              ".global .u32 x[2] = {1, 2}; .global .u64 y[2] = {x+4, generic(c)};"
              ".const .align 8 .b8 c[12] = {0xFF00(y), 0xFF(y)}; .const .f32 f = 1.5;");
  ASSERT_EQ(module.variables.size(), 4u);
  const ir::Variable& x = module.variables[0];
  const ir::Variable& y = module.variables[1];
  EXPECT_EQ(x.address, ir::kGlobalBase);
  EXPECT_EQ(y.address % 256, 0u);
  EXPECT_GE(y.address, x.address + x.bytes + 4096);
  std::uint64_t pointers[2];
  std::memcpy(pointers, y.initial.data(), sizeof pointers);
  EXPECT_EQ(pointers[0], x.address + 4);
  EXPECT_EQ(pointers[1], ir::kConstWindow);
  const ir::Variable& c = module.variables[2];
  EXPECT_EQ(c.space, ir::Space::constant);
  EXPECT_EQ(std::to_integer<unsigned>(c.initial[0]), (y.address >> 8) & 0xff);
  EXPECT_EQ(module.variables[3].address, 12u);
  EXPECT_EQ(std::to_integer<unsigned>(module.variables[3].initial[3]), 0x3fu);
  EXPECT_EQ(module.constant_bytes, 16u);
  const ir::Kernel& kernel = module.kernels.at(0);
  EXPECT_EQ(kernel.code[0].src[0].imm, y.address);
  EXPECT_EQ(static_cast<std::uint64_t>(kernel.code[1].offset), x.address + 4);
}

TEST(Lower, VariablesLieBehindThoseOfOtherModules) {
  const std::string globals = ".global .u32 x = 1; .const .u32 c = 2;";
  const ir::Module first = compile("ld.const.u32 %r1, [c];", as_written(), globals);
  FrontendOptions options = as_written();
  options.taken = {first.global_bytes, first.constant_bytes};
  const ir::Module second = compile("ld.const.u32 %r1, [c];", options, globals);
  EXPECT_EQ(first.variables[0].address, ir::kGlobalBase);
  EXPECT_GE(second.variables[0].address, first.variables[0].address + 4 + 4096);
  EXPECT_EQ(second.variables[0].address % 256, 0u);
  EXPECT_EQ(first.variables[1].address, 0u);
  EXPECT_EQ(second.variables[1].address, 256u);
  EXPECT_EQ(second.constant_bytes, 260u);
}

TEST(Lower, NestedInitialValuesKeepTheirRows) {
  const ir::Module module = compile("", as_written(), ".global .u8 t[2][3] = {{1, 2}, {3}};");
  const auto& bytes = module.variables.at(0).initial;
  ASSERT_EQ(bytes.size(), 6u);
  EXPECT_EQ(std::to_integer<int>(bytes[1]), 2);
  EXPECT_EQ(std::to_integer<int>(bytes[2]), 0);
  EXPECT_EQ(std::to_integer<int>(bytes[3]), 3);
}

TEST(Lower, SharedMemoryHoldsWhatTheKernelUses) {
  const ir::Kernel kernel = compile_kernel(
      ".shared .align 4 .b8 mine[10]; mov.u32 %r1, b; mov.u32 %r2, mine; mov.u32 %r3, dyn;",
      as_written(),
      ".shared .b8 a[100]; .shared .align 8 .b8 b[9]; .extern .shared .align 16 .b8 dyn[];");
  EXPECT_EQ(kernel.code[0].src[0].imm, 0u) << "a is not used";
  EXPECT_EQ(kernel.code[1].src[0].imm, 12u);
  EXPECT_EQ(kernel.code[2].src[0].imm, 32u);
  EXPECT_EQ(kernel.shared_bytes, 32u) << "dynamic memory starts here, aligned";
}

const char* const kSquare =
    ".func (.param .b32 r) square(.param .b32 x) { .reg .b32 %r<3>; ld.param.u32 %r1, [x];\n"
    "mul.lo.s32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }";
const std::string kCallSquare =
    "{ .param .b32 p; st.param.b32 [p], %r1; .param .b32 q; call.uni (q), square, (p);\n"
    "ld.param.b32 %r2, [q]; } st.global.u32 [%rd1], %r2;";

TEST(Lower, CallsAreInlinedThroughRegisters) {
  FrontendOptions options;
  const ir::Kernel kernel = compile_kernel(kCallSquare, options, kSquare);
  ASSERT_EQ(kernel.code.size(), 3u);
  EXPECT_EQ(kernel.code[0].op, ir::Op::mul);
  EXPECT_EQ(kernel.code[1].op, ir::Op::st);
  EXPECT_EQ(kernel.local_bytes, 0u);
}

TEST(Lower, GuardedCallsBranchAround) {
  std::string body = kCallSquare;
  body.replace(body.find("call"), 4, "@!%p1 call");
  const ir::Kernel kernel = compile_kernel(body, as_written(), kSquare);
  EXPECT_EQ(kernel.code[1].op, ir::Op::bra);
  EXPECT_FALSE(kernel.code[1].guard_negated);
}

TEST(Lower, FailedAssertionsTrap) {
  const ir::Kernel kernel =
      compile_kernel("@%p1 call __assertfail, (%rd1, %rd2, %r1, %rd3, 1);", as_written(),
                     ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l,\n"
                     ".param .b64 u, .param .b64 s);");
  EXPECT_EQ(kernel.code[0].op, ir::Op::trap);
  EXPECT_NE(kernel.code[0].guard, ir::kNoReg);
}

TEST(Lower, NarrowParametersAreExtendedAsMemoryWould) {
  const ir::Kernel kernel = compile_kernel(
      "{ .param .b32 p; st.param.b8 [p], %r1; call f, (p); }", as_written(),
      ".func f(.param .b32 x) { .reg .b32 %r<3>; .reg .b64 %rd<3>; ld.param.s8 %r1, [x];\n"
      "st.global.u32 [%rd1], %r1; }");
  EXPECT_EQ(ir::disassemble(kernel, 0).substr(0, 11), "cvt.u16.u8 ");
  EXPECT_EQ(ir::disassemble(kernel, 1).substr(0, 11), "cvt.s32.s8 ");
}

TEST(Lower, ParametersReadInPiecesGoThroughLocalMemory) {
  const ir::Kernel kernel = compile_kernel(
      "{ .param .align 8 .b8 p[8]; st.param.b64 [p], %rd1; call f, (p); }", as_written(),
      ".func f(.param .align 8 .b8 x[8]) { .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
      "ld.param.u32 %r1, [x+4]; st.global.u32 [%rd1], %r1; }");
  EXPECT_EQ(kernel.local_bytes, 8u);
  EXPECT_EQ(kernel.code[0].space, ir::Space::local);
  EXPECT_EQ(kernel.code[1].space, ir::Space::local);
  EXPECT_EQ(kernel.code[1].offset, 4);
}

TEST(Lower, PiecesMayComeBeforeTheWhole) {
  const ir::Kernel kernel = compile_kernel(
      "{ .param .align 8 .b8 p[8]; st.param.b32 [p+4], %r1; st.param.b32 [p], %r2; call f, (p); }",
      as_written(),
      ".func f(.param .align 8 .b8 x[8]) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [x];\n"
      "st.global.u64 [%rd1], %rd1; }");
  EXPECT_EQ(kernel.local_bytes, 8u);
  const ir::Kernel shifted = compile_kernel(
      "{ .param .align 8 .b8 p[8]; st.param.b32 [p+4], %r1; call f, (p); }", as_written(),
      ".func f(.param .align 8 .b8 x[8]) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [x];\n"
      "st.global.u64 [%rd1], %rd1; }");
  EXPECT_EQ(shifted.local_bytes, 8u);
}

TEST(Lower, ScopesHideNames) {
  const ir::Kernel kernel = compile_kernel(
      "{ .reg .u32 t; mov.u32 t, 1; bra L; L: }\n{ .reg .u64 t; mov.u64 t, 2; bra L; L: }");
  EXPECT_NE(kernel.code[0].dst[0], kernel.code[1].dst[0]);
}

TEST(Lower, HalvesOfAPairAreConvertedOneByOne) {
  const ir::Kernel kernel = compile_kernel("cvt.rn.f16x2.f32 %r1, %f1, %f2;");
  ASSERT_EQ(kernel.code.size(), 4u);
  EXPECT_EQ(kernel.code[2].op, ir::Op::pack);
  EXPECT_EQ(kernel.code[2].src[1].reg, kernel.code[0].dst[0])
      << "the first operand is the high half";
}

TEST(Lower, OnlyTheKernelsAskedForAreCompiled) {
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".entry good() { exit; }\n.entry bad() { tex.2d.v4.f32.s32 {a,b,c,d}, [t, {e,f}]; }";
  FrontendOptions options;
  EXPECT_THROW(compile_text(text, "t.ptx", options), InputError);
  options.wanted = [](const std::string& kernel) { return kernel == "good"; };
  EXPECT_EQ(compile_text(text, "t.ptx", options).kernels.size(), 1u);
}

TEST(Lower, TheWorkspaceOfAGridHasItsPlaceWhicheverKernelsAreWanted) {
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 counter;\n"
      ".entry alone() { exit; }\n.entry meets() { .reg .u32 r; mov.u32 r, %envreg2; exit; }";
  FrontendOptions options;
  const ir::Module all = compile_text(text, "t.ptx", options);
  options.wanted = [](const std::string&) { return false; };
  const ir::Module none = compile_text(text, "t.ptx", options);
  ASSERT_EQ(all.variables.size(), 2u);
  ASSERT_EQ(none.variables.size(), 2u);
  EXPECT_EQ(none.variables[1].address, all.variables[1].address);
  EXPECT_EQ(none.global_bytes, all.global_bytes);
}

struct ErrorCase {
  const char* body;
  const char* message;
  const char* before = "";
};

class Errors : public testing::TestWithParam<ErrorCase> {};

TEST_P(Errors, NameLineAndCause) {
  EXPECT_EQ(error_of(GetParam().body, GetParam().before), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Unsupported, Errors,
    testing::Values(
        ErrorCase{"suld.b.2d.b32.trap {%r1}, [t, {%r1,%r2}];",
                  "t.ptx:4: 't' is a .surfref: surface references and samplers are not modelled, "
                  "objects are",
                  ".visible .global .surfref t;"},
        ErrorCase{"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [n, {%f1,%f2}];",
                  "t.ptx:8: 'n' is no texture reference, and the handle of an object stands in a "
                  "register"},
        ErrorCase{"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [0, {%f1,%f2}];",
                  "t.ptx:8: 'tex.2d.v4.f32.f32' takes [handle, coordinates]"},
        ErrorCase{"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f1,%f2}];",
                  "t.ptx:8: 'tex.2d.v4.f32.f32': separate samplers are not modelled, a texture "
                  "object has its own"},
        ErrorCase{"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}];",
                  "t.ptx:8: 'tex.2d.v4.f32.f32' takes 2 registers for this operand, found 1"},
        ErrorCase{"tex.2dms.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2}];",
                  "t.ptx:8: unsupported instruction 'tex.2dms.v4.f32.s32': expected .1d, .2d, .3d, "
                  ".a1d, .a2d, .cube or .acube, not .2dms"},
        ErrorCase{"tex.grad.cube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3}], "
                  "{%f1,%f2,%f3}, {%f1,%f2,%f3};",
                  "t.ptx:8: unsupported instruction 'tex.grad.cube.v4.f32.f32': derivatives of "
                  "directions are not modelled"},
        ErrorCase{"sust.p.2d.b32.trap [%rd1, {%r1,%r2}], {%r3};",
                  "t.ptx:8: unsupported instruction 'sust.p.2d.b32.trap': formatted stores to "
                  "surfaces are not modelled"},
        ErrorCase{"sured.b.add.2d.u32.trap [%rd1, {%r1,%r2}], %r3;",
                  "t.ptx:8: unsupported instruction 'sured.b.add.2d.u32.trap': reductions on "
                  "surfaces are not modelled"},
        ErrorCase{"txq.filter_mode.b32 %r1, [%rd1];",
                  "t.ptx:8: unsupported instruction 'txq.filter_mode.b32': the query .filter_mode "
                  "is not modelled"},
        ErrorCase{"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};",
                  "t.ptx:8: unsupported instruction "
                  "'mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32': this shape is not modelled "
                  "for its types"},
        ErrorCase{
            "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};",
            "t.ptx:8: unsupported instruction "
            "'mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32': sparse matrices are not "
            "modelled"},
        ErrorCase{
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, "
            "{%r1,%r2}, {%r3,%r4}, {%f1,%f2,%f3,%f4};",
            "t.ptx:8: 'mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32' takes 4 registers "
            "for this operand, found 2"},
        ErrorCase{"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
                  "[%r1], [%rd1, {%r2}], [%r3];",
                  "t.ptx:8: unsupported instruction "
                  "'cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes': "
                  "copies of tensors are not modelled: the driver's API makes their maps"},
        ErrorCase{"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], "
                  "[%r2], 16, [%r3];",
                  "t.ptx:8: unsupported instruction "
                  "'cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes': "
                  "copies between blocks are not modelled"},
        ErrorCase{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                  "multicast::cluster [%r1], [%rd1], 16, [%r3], %rs1;",
                  "t.ptx:8: unsupported instruction "
                  "'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                  "multicast::cluster': copies to several blocks are not modelled"},
        ErrorCase{"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;",
                  "t.ptx:8: unsupported instruction "
                  "'cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32': bulk reductions "
                  "are not modelled"},
        ErrorCase{"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1];",
                  "t.ptx:8: 'cp.async.bulk.global.shared::cta.bulk_group' takes 3 operands, found "
                  "2"},
        ErrorCase{"cp.async.cg.shared.global [%r1], [%rd1], 8;",
                  "t.ptx:8: 'cp.async.cg.shared.global' copies 16 bytes"},
        ErrorCase{"vshl.u32.u32.u32.clamp %r1, %r2, %r3;",
                  "t.ptx:8: unsupported instruction 'vshl.u32.u32.u32.clamp': scalar video shifts "
                  "are not modelled"},
        ErrorCase{"vadd.s32.u32.u16 %r1, %r2, %r3;",
                  "t.ptx:8: unsupported instruction 'vadd.s32.u32.u16': 'vadd' does not take .u16"},
        ErrorCase{"vsub.s32.u32 %r1, %r2, %r3;",
                  "t.ptx:8: unsupported instruction 'vsub.s32.u32': expected 3 types, found 2"},
        ErrorCase{"vmax.s32.s32.s32.xor %r1, %r2, %r3, %r4;",
                  "t.ptx:8: unsupported instruction 'vmax.s32.s32.s32.xor': modifier '.xor' is not "
                  "modelled for 'vmax'"},
        ErrorCase{"vmax.s32.s32.s32.add.min %r1, %r2, %r3, %r4;",
                  "t.ptx:8: unsupported instruction 'vmax.s32.s32.s32.add.min': contradicting "
                  "modifiers"},
        ErrorCase{"vmin.s32.s32.s32.add %r1, %r2, %r3;",
                  "t.ptx:8: 'vmin.s32.s32.s32.add' takes 4 operands, found 3"},
        ErrorCase{"vmin.s32.s32.s32 %r1.h1, %r2, %r3;",
                  "t.ptx:8: 'vmin.s32.s32.s32' takes 4 operands, found 3"},
        ErrorCase{"vmin.s32.s32.s32 %r1, %r2.b0, %r3, %r4;",
                  "t.ptx:8: 'vmin.s32.s32.s32' takes 3 operands, found 4"},
        ErrorCase{"vabsdiff.u32.u32.u32.add %r1.b0, %r2, %r3, %r4;",
                  "t.ptx:8: 'vabsdiff.u32.u32.u32.add' has no selector of its result"},
        ErrorCase{"vadd.u32.u32.u32 %r1, %r2.b4, %r3;", "t.ptx:8: '%r2.b4' is not declared"},
        ErrorCase{"vadd.u32.u32.u32.max %r1, %r2, %r3, %r4.h0;",
                  "t.ptx:8: '%r4.h0' is not declared"},
        ErrorCase{"add.u32 %r1, %r2.b0, %r3;", "t.ptx:8: '%r2.b0' is not declared"},
        ErrorCase{"vset4.u32.u32.add %r1, %r2, %r3, %r4;",
                  "t.ptx:8: unsupported instruction 'vset4.u32.u32.add': expected a comparison"},
        ErrorCase{"vmax2.s32.s32.s16 %r1, %r2, %r3, %r4;",
                  "t.ptx:8: unsupported instruction 'vmax2.s32.s32.s16': expected .u32 or .s32"},
        ErrorCase{
            "add.rz.f16 %rs1, %rs2, %rs3;",
            "t.ptx:8: unsupported instruction 'add.rz.f16': .f16 rounds to nearest even only"},
        ErrorCase{"add.sat.bf16 %rs1, %rs2, %rs3;",
                  "t.ptx:8: unsupported instruction 'add.sat.bf16': not for .bf16"},
        ErrorCase{"fma.rn.relu.f32 %f1, %f2, %f3, %f4;",
                  "t.ptx:8: unsupported instruction 'fma.rn.relu.f32': .relu is for types of 16 "
                  "bits"},
        ErrorCase{"div.approx.f64 %fd1, %fd2, %fd3;",
                  "t.ptx:8: unsupported instruction 'div.approx.f64': approximations are not for "
                  ".f64"},
        ErrorCase{"add.ftz.f64 %fd1, %fd2, %fd3;",
                  "t.ptx:8: unsupported instruction 'add.ftz.f64': .ftz is not for .f64"},
        ErrorCase{"rcp.approx.f64 %fd1, %fd2;",
                  "t.ptx:8: unsupported instruction 'rcp.approx.f64': expected .ftz"},
        ErrorCase{"add.f32 %f1, %f2, 1;",
                  "t.ptx:8: 'add.f32': an integer is no constant of .f32; write 1.0 or 0f3f800000, "
                  "not 1"},
        ErrorCase{"add.s32 %r1, %r2, 1.5;",
                  "t.ptx:8: 'add.s32': a floating-point number is no constant of .s32"},
        ErrorCase{"mov.b64 %rd1, 0f3f800000;",
                  "t.ptx:8: 'mov.b64': a floating-point number is no constant of .b64"},
        ErrorCase{"ld.global.u32 %r1, [1.5];",
                  "t.ptx:8: 'ld.global.u32' takes an address [base+offset]"},
        ErrorCase{"ret;",
                  "t.ptx:4: initial value of 'a': an integer is no constant of .f32; write 1.0 or "
                  "0f3f800000, not 1",
                  ".global .f32 a = 2*3;"},
        ErrorCase{"frobnicate.u32 %r1;",
                  "t.ptx:8: unsupported instruction 'frobnicate.u32': 'frobnicate' is not a PTX "
                  "instruction"},
        ErrorCase{"add.sparkle.u32 %r1, %r2, %r3;",
                  "t.ptx:8: unsupported instruction 'add.sparkle.u32': modifier '.sparkle' is not "
                  "modelled for 'add'"},
        ErrorCase{
            "barrier.cluster.arrive;",
            "t.ptx:8: unsupported instruction 'barrier.cluster.arrive': thread block clusters "
            "are not modelled"},
        ErrorCase{"mov.u32 %r1, %envreg3;", "t.ptx:8: special register '%envreg3' is not modelled"},
        ErrorCase{
            "call (%r1), %rd1, (%r2), proto;",
            "t.ptx:8: call through '%rd1': no function of this file whose address is taken has "
            "such parameters, or they are recursive"},
        ErrorCase{"mov.u64 %rd1, f;",
                  "t.ptx:8: the address of function 'f', which has no body in this file",
                  ".extern .func f();"},
        ErrorCase{
            "call f, (%p1);",
            "t.ptx:4: 'n': predicates that a recursive function takes or gives are not modelled",
            ".func f(.reg .pred n) { call f, (n); ret; }"},
        ErrorCase{".param .b32 x; call g, (1, x); call f, (x);",
                  "t.ptx:8: a .param variable of two calls of recursive functions is not modelled",
                  ".func f(.param .b32 n) { call f, (n); ret; } "
                  ".func g(.param .b32 a, .param .b32 b) { call g, (a, b); ret; }"},
        ErrorCase{"call vprintf;", "t.ptx:8: call of 'vprintf' with 0 arguments, it has 2",
                  ".extern .func vprintf();"},
        ErrorCase{"call (%rd1), malloc, (%rd2, %rd2);",
                  "t.ptx:8: call of 'malloc' with 2 arguments, it has 1",
                  ".extern .func (.param .b64 p) malloc(.param .b64 n);"},
        ErrorCase{
            "call (%r1), cudaLaunchDeviceV2, (%rd1, %rd2);",
            "t.ptx:8: call of 'cudaLaunchDeviceV2': dynamic parallelism is not modelled",
            ".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);"},
        ErrorCase{"call elsewhere;", "t.ptx:8: call of 'elsewhere', which has no body in this file",
                  ".extern .func elsewhere();"}));

INSTANTIATE_TEST_SUITE_P(
    Wrong, Errors,
    testing::Values(
        ErrorCase{"add.u32 %r1, %r2;", "t.ptx:8: 'add.u32' takes 3 operands, found 2"},
        ErrorCase{"bar.sync;", "t.ptx:8: 'bar.sync' takes 1 to 2 operands, found 0"},
        ErrorCase{"add %r1, %r2, %r3;",
                  "t.ptx:8: unsupported instruction 'add': expected 1 type, found 0"},
        ErrorCase{"add.b32 %r1, %r2, %r3;",
                  "t.ptx:8: unsupported instruction 'add.b32': 'add' does not take .b32"},
        ErrorCase{"mul.s32 %r1, %r2, %r3;",
                  "t.ptx:8: unsupported instruction 'mul.s32': expected .lo, .hi or .wide"},
        ErrorCase{
            "setp.lo.f32 %p1, %f1, %f2;",
            "t.ptx:8: unsupported instruction 'setp.lo.f32': this comparison is not for .f32"},
        ErrorCase{"cvt.s32.f32 %r1, %f1;",
                  "t.ptx:8: unsupported instruction 'cvt.s32.f32': expected a rounding modifier"},
        ErrorCase{"mov.u32 %r1, nothing;", "t.ptx:8: 'nothing' is not declared"},
        ErrorCase{"mov.u32 %r99, 0;", "t.ptx:8: '%r99' is not declared"},
        ErrorCase{"cp.async.bulk.prefetch.L2.global [%rd1], nothing;",
                  "t.ptx:8: 'nothing' is not declared"},
        ErrorCase{"cp.async.bulk.prefetch.L2.global [%rd1], %rd2;",
                  "t.ptx:8: '%rd2' is a .b64 register, 'cp.async.bulk.prefetch.L2.global' needs "
                  ".u32"},
        ErrorCase{"mov.u32 %rd1, 0;", "t.ptx:8: '%rd1' is a .b64 register, 'mov.u32' needs .u32"},
        ErrorCase{"@%r1 bra L; L:", "t.ptx:8: guard '%r1' is not a predicate"},
        ErrorCase{"mov.u32 5, %r1;", "t.ptx:8: the result of 'mov.u32' must be a register"},
        ErrorCase{"bra NOWHERE;", "t.ptx:8: 'NOWHERE' is not declared"},
        ErrorCase{"bra %r1;", "t.ptx:8: '%r1' is not a label of this function"},
        ErrorCase{"L: L: exit;", "t.ptx:8: 'L' is declared twice"},
        ErrorCase{".reg .b32 x; .reg .b32 x;", "t.ptx:8: 'x' is declared twice"},
        ErrorCase{"ld.shared.u32 %r1, [x];",
                  "t.ptx:8: 'x' is a .global variable, 'ld.shared.u32' accesses .shared memory",
                  ".global .u32 x;"},
        ErrorCase{"ld.global.u32 %r1, [x];", "t.ptx:8: 'x' is .extern and not defined in this file",
                  ".extern .global .u32 x;"},
        ErrorCase{"ld.global.u32 %r1, %rd1;",
                  "t.ptx:8: 'ld.global.u32' takes an address [base+offset]"},
        ErrorCase{"ld.global.u32 %r1, [%rs1];", "t.ptx:8: '%rs1' cannot hold an address"},
        ErrorCase{"ld.global.v2.u32 %r1, [%rd1];",
                  "t.ptx:8: 'ld.global.v2.u32' takes a vector operand"},
        ErrorCase{"ld.global.v2.u32 {%r1,%r2,%r3}, [%rd1];",
                  "t.ptx:8: 'ld.global.v2.u32' cannot have 3 results"},
        ErrorCase{"atom.global.add.f16 %rs1, [%rd1], %rs2;",
                  "t.ptx:8: unsupported instruction 'atom.global.add.f16': expected .noftz"},
        ErrorCase{"red.global.min.noftz.bf16x2 [%rd1], %r2;",
                  "t.ptx:8: unsupported instruction 'red.global.min.noftz.bf16x2': floats can only "
                  "be added"},
        ErrorCase{"atom.global.exch.b16 %rs1, [%rd1], %rs2;",
                  "t.ptx:8: unsupported instruction 'atom.global.exch.b16': .b16 is for .cas"},
        ErrorCase{"st.const.u32 [%rd1], %r1;",
                  "t.ptx:8: unsupported instruction 'st.const.u32': constant memory is read-only"},
        ErrorCase{"lop3.b32 %r1, %r2, %r3, %r4, 300;",
                  "t.ptx:8: the table of lop3 must be a constant from 0 to 255"},
        ErrorCase{"call f, (%r1);",
                  "t.ptx:8: call of 'f' with 1 arguments and 0 results, it has 0 and 0",
                  ".func f() { ret; }"},
        ErrorCase{"call g;", "t.ptx:8: call of 'g', which is not declared"},
        ErrorCase{"", "t.ptx:4: 'x' is defined twice", ".global .u32 x; .global .u64 x;"},
        ErrorCase{"", "t.ptx:4: initial value of 'x': more values than elements",
                  ".global .u32 x[2] = {1, 2, 3};"},
        ErrorCase{"", "t.ptx:4: initial value of 'x': 'y' is not a .global or .const variable",
                  ".global .u64 x = y;"},
        ErrorCase{"", "t.ptx:4: 'x' is larger than 4 GiB", ".global .b8 x[99999999999];"},
        ErrorCase{
            "",
            "t.ptx:4: 't' is a .samplerref: surface references and samplers are not modelled, "
            "objects are",
            ".global .samplerref t;"},
        ErrorCase{"ld.param.u64 %rd1, [n];",
                  "t.ptx:8: 'ld.param.u64' accesses beyond the end of 'n'"},
        ErrorCase{"ld.param.u32 %r1, [n+4];",
                  "t.ptx:8: 'ld.param.u32' accesses beyond the end of 'n'"},
        ErrorCase{"ld.param.u16 %rs1, [n+3];",
                  "t.ptx:8: 'ld.param.u16' accesses beyond the end of 'n'"},
        ErrorCase{".local .b8 x[999999];",
                  "t.ptx:8: kernel 'k' needs more than 512 KiB of local memory"}));

TEST(FrontendErrors, MissingFilesAreNamed) {
  try {
    compile_file("no/such/file.ptx");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no/such/file.ptx: no such file");
  }
}

TEST(FrontendErrors, DirectoriesAreNoFiles) {
  try {
    compile_file(PAWS_TEST_DATA);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), PAWS_TEST_DATA ": is a folder");
  }
}

TEST(FrontendErrors, ExplodingCallsEndWithAMessage) {
  std::string functions = ".func f0() { .reg .u32 r; mov.u32 r, 0; ret; }\n";
  for (int i = 1; i < 40; ++i) {
    functions += fmt::format(".func f{}() {{ call f{}; call f{}; ret; }}\n", i, i - 1, i - 1);
  }
  const std::string message = error_of("call f39;", functions);
  EXPECT_NE(message.find("after inlining"), std::string::npos) << message;
}

}  // namespace
}  // namespace paws::frontend
