// SPDX-License-Identifier: MIT
// setp, set, selp and slct.
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr std::uint64_t kNan = 0x7fc00000;

/// Rows: operand pairs; columns: comparison -> expected results in their order.
void expect_table(const std::string& type, const std::string& width,
                  const std::vector<Inputs>& pairs, const std::string& compare,
                  const std::vector<std::uint64_t>& expected) {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < pairs.size(); ++i) cases.push_back({pairs[i], expected[i]});
  expect_results("setp." + compare + "." + type + " %dp, %a" + width + ", %b" + width + ";", cases);
}

TEST(Setp, SignedAndUnsigned) {
  const std::vector<Inputs> pairs{{1, 2}, {2, 2}, {3, 2}, {0xffffffff, 1}};
  const auto table = [&](const std::string& type, const std::string& compare,
                         const std::vector<std::uint64_t>& expected) {
    expect_table(type, "32", pairs, compare, expected);
  };
  table("s32", "eq", {0, 1, 0, 0});
  table("s32", "ne", {1, 0, 1, 1});
  table("s32", "lt", {1, 0, 0, 1});
  table("s32", "le", {1, 1, 0, 1});
  table("s32", "gt", {0, 0, 1, 0});
  table("s32", "ge", {0, 1, 1, 0});
  table("u32", "lt", {1, 0, 0, 0});
  table("u32", "lo", {1, 0, 0, 0});
  table("u32", "ls", {1, 1, 0, 0});
  table("u32", "hi", {0, 0, 1, 1});
  table("u32", "hs", {0, 1, 1, 1});
  expect_table("s16", "16", {{0xffff, 1}, {1, 0xffff}}, "lt", {1, 0});
  expect_table("u64", "64", {{~0ull, 1}, {1, ~0ull}}, "gt", {1, 0});
  expect_table("s64", "64", {{~0ull, 1}, {1, ~0ull}}, "gt", {0, 1});
}

TEST(Setp, OrderedAndUnorderedFloats) {
  const std::vector<Inputs> pairs{{bits(1.0f), bits(2.0f)},
                                  {bits(2.0f), bits(2.0f)},
                                  {bits(3.0f), bits(2.0f)},
                                  {kNan, bits(2.0f)},
                                  {bits(2.0f), kNan}};
  const auto table = [&](const std::string& compare, const std::vector<std::uint64_t>& expected) {
    expect_table("f32", "32", pairs, compare, expected);
  };
  table("eq", {0, 1, 0, 0, 0});
  table("ne", {1, 0, 1, 0, 0});
  table("lt", {1, 0, 0, 0, 0});
  table("le", {1, 1, 0, 0, 0});
  table("gt", {0, 0, 1, 0, 0});
  table("ge", {0, 1, 1, 0, 0});
  table("equ", {0, 1, 0, 1, 1});
  table("neu", {1, 0, 1, 1, 1});
  table("ltu", {1, 0, 0, 1, 1});
  table("leu", {1, 1, 0, 1, 1});
  table("gtu", {0, 0, 1, 1, 1});
  table("geu", {0, 1, 1, 1, 1});
  table("num", {1, 1, 1, 0, 0});
  table("nan", {0, 0, 0, 1, 1});
  expect_table("f64", "64", {{bits(-0.0), bits(0.0)}}, "eq", {1});
}

TEST(Setp, CombinesAndGivesBothResults) {
  expect_results("setp.lt.and.u32 %dp, %a32, %b32, %pc;",
                 {{{1, 2, 1}, 1}, {{1, 2, 0}, 0}, {{3, 2, 1}, 0}});
  expect_results("setp.lt.or.u32 %dp, %a32, %b32, !%pc;", {{{3, 2, 1}, 0}, {{3, 2, 0}, 1}});
  expect_results("setp.lt.xor.u32 %dp, %a32, %b32, %pc;", {{{1, 2, 1}, 0}, {{3, 2, 1}, 1}});
  // The second result combines the inverse comparison.
  expect_results("setp.lt.and.u32 %p0|%dp, %a32, %b32, %pc;",
                 {{{1, 2, 1}, 0}, {{3, 2, 1}, 1}, {{3, 2, 0}, 0}});
}

TEST(Set, OnesOrOne) {
  expect_results("set.lt.u32.s32 %d32, %a32, %b32;", {{{0xffffffff, 0}, 0xffffffff}, {{1, 0}, 0}});
  expect_results("set.gt.f32.u32 %d32, %a32, %b32;", {{{2, 1}, bits(1.0f)}, {{1, 2}, 0}});
  expect_results("set.nan.u32.f32 %d32, %a32, %b32;", {{{kNan, 0}, 0xffffffff}, {{0, 0}, 0}});
  expect_results("set.eq.and.u32.f64 %d32, %a64, %b64, %pc;",
                 {{{0, 0, 1}, 0xffffffff}, {{0, 0, 0}, 0}});
}

TEST(Select, ByPredicateAndBySign) {
  expect_results("selp.b32 %d32, %a32, %b32, %pc;", {{{1, 2, 1}, 1}, {{1, 2, 0}, 2}});
  expect_results("selp.f64 %d64, %a64, %b64, %pc;", {{{bits(1.0), 2, 1}, bits(1.0)}});
  expect_results("slct.u32.s32 %d32, %a32, %b32, %c32;", {{{1, 2, 0}, 1}, {{1, 2, 0xffffffff}, 2}});
  expect_results("slct.u64.f32 %d64, %a64, %b64, %c32;",
                 {{{1, 2, 0x80000000}, 1}, {{1, 2, kNan}, 2}, {{1, 2, 0x80000001}, 2}});
  expect_results("slct.ftz.u32.f32 %d32, %a32, %b32, %c32;", {{{1, 2, 0x80000001}, 1}});
  expect_results("slct.ftz.f64.f32 %d64, %a64, %b64, %c32;", {{{1, 2, 0x80000001}, 1}});
}

TEST(Mov, PredicateConstants) {
  expect_results("mov.pred %dp, 1;", {{{}, 1}, {{}, 1}});
  expect_results("mov.pred %dp, 0;", {{{}, 0}});
}

TEST(Mov, PackAndUnpack) {
  expect_results("mov.b64 %d64, {%a32, %b32};", {{{1, 2}, 0x200000001}});
  expect_results("mov.b64 {%r0, %d32}, %a64;", {{{0x300000001}, 3}});
  expect_results("mov.b32 %d32, {%a16, %b16};", {{{0x1111, 0x2222}, 0x22221111}});
  expect_results("mov.b32 {%h0, %d16}, %a32;", {{{0x22221111}, 0x2222}});
  expect_results("mov.b64 %d64, {%a16, %b16, %c16, %a16};", {{{1, 2, 3}, 0x0001000300020001}});
  expect_results("mov.b64 {%h0, %h1, %d16, %h2}, %a64;", {{{0x4444333322221111}, 0x3333}});
}

}  // namespace
}  // namespace paws::exec
