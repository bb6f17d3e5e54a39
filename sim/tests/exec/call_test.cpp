// SPDX-License-Identifier: MIT
// Calls that are inlined, and those of recursive functions: formal registers, formal .param
// variables, aliases.
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

/// Fibonacci's numbers of a register, and of a .param variable by way of another function. Each
/// keeps in a predicate what it needs behind its first call.
constexpr const char* kRecursive = R"(
.func (.param .b32 result) other(.param .b32 n);
.func (.reg .u32 result) fibonacci(.reg .u32 n) {
  .reg .b32 %r<4>; .reg .pred %p<3>;
  mov.u32 result, n;
  setp.lt.u32 %p0, n, 2;
  setp.eq.u32 %p1, n, 4;
  @%p0 ret;
  sub.u32 %r0, n, 1;
  sub.u32 %r1, n, 2;
  call (%r2), fibonacci, (%r0);
  .param .b32 back;
  @%p1 call (back), other, (%r1);
  @%p1 ld.param.b32 %r3, [back];
  @!%p1 call (%r3), fibonacci, (%r1);
  add.u32 result, %r2, %r3;
  ret;
}
.func (.param .b32 result) other(.param .b32 n) {
  .reg .b32 %r<2>;
  .local .align 4 .b8 place[8];
  ld.param.b32 %r0, [n];
  st.local.u32 [place+4], %r0;
  call (%r1), fibonacci, (%r0);
  ld.local.u32 %r0, [place+4];
  add.u32 %r1, %r1, %r0;
  st.param.b32 [result], %r1;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %l<4>;
  mov.u32 %r0, %tid.x;
  rem.u32 %r1, %r0, 11;
  call (%r2), fibonacci, (%r1);
  ld.param.u64 %l0, [out];
  mad.wide.u32 %l0, %r0, 4, %l0;
  st.global.u32 [%l0], %r2;
  ret;
})";

std::uint32_t fibonacci(std::uint32_t n) {
  if (n < 2) return n;
  const std::uint32_t second = n == 4 ? fibonacci(2) + 2 : fibonacci(n - 2);
  return fibonacci(n - 1) + second;
}

TEST(Call, AFunctionMayCallItself) {
  for (const unsigned rows : {1U, 4U}) {
    PtxRun ptx(kRecursive);
    ptx.use_rows(rows);
    const auto out = ptx.buffer("out", 512);
    ptx.run({{1, 1, 1}, {128, 1, 1}, 0}, {out});
    for (std::uint32_t i = 0; i < 128; ++i) {
      EXPECT_EQ(ptx.at<std::uint32_t>(out + 4 * i), fibonacci(i % 11)) << i;
    }
  }
}

/// Threads that part in a function meet in it, not behind all calls.
TEST(Call, PathsMeetAtTheDepthWhereTheyPart) {
  PtxRun ptx(R"(
.func countdown(.reg .u32 n, .reg .u64 out) {
  .reg .b32 %r<4>; .reg .pred %p<2>;
  setp.eq.u32 %p0, n, 0;
  @%p0 ret;
  sub.u32 %r0, n, 1;
  mov.u32 %r1, %laneid;
  and.b32 %r1, %r1, n;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 call countdown, (%r0, out);
  @!%p1 call countdown, (0, out);
  activemask.b32 %r2;
  popc.b32 %r2, %r2;
  atom.global.max.u32 %r3, [out], %r2;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b64 %l<2>;
  ld.param.u64 %l0, [out];
  call countdown, (8, %l0);
  ret;
})");
  const auto out = ptx.buffer("out", 4);
  ptx.run({{1, 1, 1}, {32, 1, 1}, 0}, {out});
  EXPECT_EQ(ptx.at<std::uint32_t>(out), 32u);
}

TEST(Call, AStackThatOverflowsNamesTheFunction) {
  const std::string endless = R"(
.func (.reg .u32 result) deep(.reg .u32 n) {
  .reg .b32 %r<2>;
  add.u32 %r0, n, 1;
  call (%r1), deep, (%r0);
  add.u32 result, %r1, n;
  ret;
}
.visible .entry k() {
  .reg .b32 %r<2>;
  call (%r0), deep, (1);
  ret;
})";
  PtxRun ptx(endless);
  const std::string error = ptx.run_error({{1, 1, 1}, {32, 1, 1}, 0});
  EXPECT_NE(error.find("lane 0, thread (0,0,0): stack overflow in a call of 'deep'"),
            std::string::npos)
      << error;
}

}  // namespace
}  // namespace paws::exec
