// SPDX-License-Identifier: MIT
// Calls that are inlined: formal registers, formal .param variables, aliases.
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

TEST(Call, FormalRegistersTakeArgumentsAndGiveResults) {
  PtxRun ptx(R"(
.func (.reg .u32 sum, .reg .pred larger) add(.reg .u32 x, .reg .u32 y) {
  add.u32 sum, x, y;
  add.u32 x, x, 100;
  setp.gt.u32 larger, x, y;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %l<4>; .reg .pred %p<4>;
  mov.u32 %r0, %tid.x;
  mul.lo.u32 %r1, %r0, 30;
  setp.ne.u32 %p0, %r0, 3;
  mov.u32 %r2, 7;
  setp.ne.u32 %p1, %r0, %r0;
  @%p0 call (%r2, %p1), add, (%r0, %r1);
  selp.u32 %r3, 1, 0, %p1;
  call (%r4, _), add, (%r0, 5);
  ld.param.u64 %l0, [out];
  mad.wide.u32 %l0, %r0, 16, %l0;
  st.global.v4.u32 [%l0], {%r0, %r2, %r3, %r4};
  ret;
})");
  const auto out = ptx.buffer("out", 512);
  ptx.run({{1, 1, 1}, {32, 1, 1}, 0}, {out});
  for (std::uint32_t i = 0; i < 32; ++i) {
    const bool called = i != 3;
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 16 * i), i) << "arguments are copies";
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 16 * i + 4), called ? 31 * i : 7) << i;
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 16 * i + 8), called && i + 100 > 30 * i ? 1u : 0u) << i;
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 16 * i + 12), i + 5) << i;
  }
}

TEST(Call, AConstantFillsAFormalVariable) {
  PtxRun ptx(R"(
.func (.param .b32 result) twice(.param .b32 x) {
  .reg .b32 %r<2>;
  ld.param.b32 %r0, [x];
  add.u32 %r1, %r0, %r0;
  st.param.b32 [result], %r1;
  ret;
}
.alias doubled, twice;
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %l<4>;
  .param .b32 back;
  call (back), twice, (21);
  ld.param.b32 %r0, [back];
  call (back), doubled, (%r0);
  ld.param.b32 %r1, [back];
  ld.param.u64 %l0, [out];
  st.global.v2.u32 [%l0], {%r0, %r1};
  ret;
})");
  const auto out = ptx.buffer("out", 8);
  ptx.run({{1, 1, 1}, {1, 1, 1}, 0}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 42u);
  EXPECT_EQ(ptx.at<std::uint32_t>(out + 4), 84u) << "an alias is its target";
}

}  // namespace
}  // namespace paws::exec
