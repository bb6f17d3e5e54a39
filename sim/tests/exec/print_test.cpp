// SPDX-License-Identifier: MIT
// vprintf, __assertfail, and calls through pointers.
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

const char* const kPrints = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[] =
  {37,45,52,100,124,37,48,53,46,49,102,124,37,115,124,37,108,108,120,124,37,42,99,37,37,10,0};
.global .align 1 .b8 word[4] = {111, 110, 101, 0};
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f64 %fd<3>; .reg .pred %p;
  .local .align 8 .b8 arguments[48];
  mov.u64 %rd0, arguments; cvta.local.u64 %rd1, %rd0;
  mov.u32 %r0, %tid.x;
  neg.s32 %r1, %r0; st.local.u32 [%rd0], %r1;
  cvt.rn.f64.u32 %fd0, %r0; mul.f64 %fd0, %fd0, 0d3FE0000000000000;
  st.local.f64 [%rd0+8], %fd0;
  cvta.global.u64 %rd2, word; st.local.u64 [%rd0+16], %rd2;
  mov.u64 %rd3, 0x123456789a; st.local.u64 [%rd0+24], %rd3;
  mov.u32 %r2, 3; st.local.u32 [%rd0+32], %r2;
  add.u32 %r3, %r0, 97; st.local.u32 [%rd0+36], %r3;
  setp.ge.u32 %p, %r0, 2;
  mov.u32 %r4, 77;
  { .param .b64 p0; .param .b64 p1; .param .b32 back;
    cvta.global.u64 %rd4, format;
    st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd1;
    @%p call.uni (back), vprintf, (p0, p1);
    @%p ld.param.b32 %r4, [back]; }
  ld.param.u64 %rd5, [out]; mad.wide.u32 %rd5, %r0, 4, %rd5; st.global.u32 [%rd5], %r4;
  ret;
})";

TEST(Printf, FormatsAsTheHostDoes) {
  PtxRun ptx(kPrints);
  std::string text;
  ptx.memory().print_to([&text](std::string_view more) { text += more; });
  const auto out = ptx.buffer("out", 16);
  ptx.run({{1, 1, 1}, {4, 1, 1}}, {out});
  EXPECT_EQ(text, "-2  |001.0|one|123456789a|  c%\n-3  |001.5|one|123456789a|  d%\n");
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 77U);
  EXPECT_EQ(ptx.at<std::uint32_t>(out + 8), 6U) << "the number of arguments";
}

TEST(Printf, IsDroppedWithoutAListener) {
  PtxRun ptx(kPrints);
  const auto out = ptx.buffer("out", 16);
  ptx.run({{1, 1, 1}, {4, 1, 1}}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out + 12), 6U);
}

TEST(Printf, RefusesWhatIsNoFormat) {
  PtxRun ptx(R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[4] = {37, 100, 37, 110};
.visible .entry k() {
  .reg .b32 %r<2>; .reg .b64 %rd<3>;
  mov.u64 %rd0, format;
  call (%r0), vprintf, (%rd0, 0);
  ret;
})");
  EXPECT_NE(ptx.run_error({{1, 1, 1}, {1, 1, 1}}).find("printf: its format is not in memory"),
            std::string::npos);
}

TEST(Assert, NamesWhatFailedAndWhere) {
  PtxRun ptx(R"(
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l,
  .param .b64 u, .param .b64 s);
.global .align 1 .b8 message[2] = {120, 0};
.global .align 1 .b8 file[5] = {107, 46, 99, 117, 0};
.visible .entry k() {
  .reg .b32 %r<2>; .reg .pred %p; .reg .b64 %rd<3>;
  mov.u32 %r0, %tid.x; setp.eq.u32 %p, %r0, 3;
  mov.u64 %rd0, message; mov.u64 %rd1, file;
  @%p call __assertfail, (%rd0, %rd1, 12, %rd0, 1);
  ret;
})");
  EXPECT_EQ(ptx.run_error({{1, 1, 1}, {8, 1, 1}}),
            "test.ptx:13: kernel 'k', block (0,0,0), warp 0, lane 3, thread (3,0,0): assertion 'x' "
            "failed in x, k.cu:12");
}

TEST(IndirectCall, ReachesTheFunctionThatThePointerNames) {
  const std::string text = R"(
.func (.param .b32 r) twice(.param .b32 x) {
  .reg .b32 %v; ld.param.b32 %v, [x]; add.u32 %v, %v, %v; st.param.b32 [r], %v; ret; }
.func (.param .b32 r) square(.param .b32 x) {
  .reg .b32 %v; ld.param.b32 %v, [x]; mul.lo.u32 %v, %v, %v; st.param.b32 [r], %v; ret; }
.func (.param .b32 r) other(.param .b64 x) { ret; }
.global .align 8 .u64 table[4] = {twice, square, other, 0};
.visible .entry k(.param .u64 out, .param .u64 last) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>;
  mov.u32 %r0, %tid.x; ld.param.u64 %rd3, [last]; cvt.u32.u64 %r4, %rd3;
  min.u32 %r1, %r0, %r4;
  mov.u64 %rd0, table; mad.wide.u32 %rd0, %r1, 8, %rd0; ld.global.u64 %rd1, [%rd0];
  { .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r0;
    prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (b), %rd1, (a), prototype;
    ld.param.b32 %r2, [b]; }
  ld.param.u64 %rd2, [out]; mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %r2;
  ret;
})";
  PtxRun ptx(text);
  const auto out = ptx.buffer("out", 32);
  ptx.run({{1, 1, 1}, {8, 1, 1}}, {out, 1});
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(ptx.at<std::uint32_t>(out + 4 * i), i == 0 ? 0 : i * i);
  }
  EXPECT_NE(ptx.run_error({{1, 1, 1}, {8, 1, 1}}, {out, 3})
                .find("thread (2,0,0): a call through a "
                      "pointer to none"),
            std::string::npos);
}

TEST(Cooperative, BlocksMeetAtTheirGridsBarrier) {
  PtxRun ptx(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;
  mov.u32 %r0, %envreg1; mov.u32 %r1, %envreg2;
  mov.b64 %rd0, {%r1, %r0};
  atom.global.add.u32 %r2, [%rd0+4], 1;
WAIT:
  ld.acquire.gpu.u32 %r3, [%rd0+4];
  setp.lt.u32 %p, %r3, 12;
  @%p bra WAIT;
  mov.u32 %r4, %ctaid.x;
  ld.param.u64 %rd1, [out]; mad.wide.u32 %rd1, %r4, 4, %rd1; st.global.u32 [%rd1], %r3;
  ret;
})");
  EXPECT_TRUE(ptx.module().kernels.front().cooperative);
  const auto out = ptx.buffer("out", 48);
  ptx.run({{12, 1, 1}, {1, 1, 1}}, {out});
  for (std::uint32_t i = 0; i < 12; ++i) EXPECT_EQ(ptx.at<std::uint32_t>(out + 4 * i), 12U);
}

}  // namespace
}  // namespace paws::exec
