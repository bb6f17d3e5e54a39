// SPDX-License-Identifier: MIT
// Random operands against host expressions, at every lane level (the harness compares them).
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

std::uint64_t seed() {
  const char* given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20150318;
}

/// Random bits, with a good share of edge values.
std::uint64_t operand(std::mt19937_64& random) {
  static const std::uint64_t kEdges[] = {
      0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000,        0xbf800000,
      0x7f800000, 0xff800000, 0x00800000, 0x00000001, 0x807fffff, 0x7f7fffff,        31,
      32,         33,         64,         ~0ull,      1ull << 63, 0x3ff0000000000000};
  switch (random() % 4) {
    case 0:
      return kEdges[random() % std::size(kEdges)];
    case 1:
      return random() % 256;
    default:
      return random();
  }
}

void compare_with(
    const std::string& body,
    const std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)>& host) {
  std::mt19937_64 random(seed());
  std::vector<Case> cases;
  for (int i = 0; i < 1024; ++i) {
    const Inputs in{operand(random), operand(random), operand(random)};
    cases.push_back({in, host(in.a, in.b, in.c)});
  }
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed()));
  expect_results(body, cases);
}

std::uint64_t canonical(float x) { return x == x ? bits(x) : 0x7fffffff; }
std::uint64_t canonical(double x) { return x == x ? bits(x) : 0x7ff8000000000000; }

TEST(Random, SinglePrecision) {
  compare_with("add.f32 %d32, %a32, %b32;",
               [](auto a, auto b, auto) { return canonical(as_float(a) + as_float(b)); });
  compare_with("sub.f32 %d32, %a32, %b32;",
               [](auto a, auto b, auto) { return canonical(as_float(a) - as_float(b)); });
  compare_with("mul.f32 %d32, %a32, %b32;",
               [](auto a, auto b, auto) { return canonical(as_float(a) * as_float(b)); });
  compare_with("div.rn.f32 %d32, %a32, %b32;",
               [](auto a, auto b, auto) { return canonical(as_float(a) / as_float(b)); });
  compare_with("fma.rn.f32 %d32, %a32, %b32, %c32;", [](auto a, auto b, auto c) {
    return canonical(std::fma(as_float(a), as_float(b), as_float(c)));
  });
  compare_with("sqrt.rn.f32 %d32, %a32;",
               [](auto a, auto, auto) { return canonical(std::sqrt(as_float(a))); });
}

TEST(Random, DoublePrecision) {
  compare_with("add.f64 %d64, %a64, %b64;",
               [](auto a, auto b, auto) { return canonical(as_double(a) + as_double(b)); });
  compare_with("fma.rn.f64 %d64, %a64, %b64, %c64;", [](auto a, auto b, auto c) {
    return canonical(std::fma(as_double(a), as_double(b), as_double(c)));
  });
  compare_with("cvt.rn.f32.f64 %d32, %a64;",
               [](auto a, auto, auto) { return canonical(static_cast<float>(as_double(a))); });
}

TEST(Random, Integers) {
  const auto u32 = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto s32 = [](std::uint64_t x) { return static_cast<std::int32_t>(x); };
  compare_with("mad.lo.u32 %d32, %a32, %b32, %c32;",
               [&](auto a, auto b, auto c) { return u32(a * b + c); });
  compare_with("mul.hi.s32 %d32, %a32, %b32;", [&](auto a, auto b, auto) {
    return u32(static_cast<std::uint64_t>(std::int64_t{s32(a)} * s32(b)) >> 32);
  });
  compare_with("mad.wide.s32 %d64, %a32, %b32, %c64;", [&](auto a, auto b, auto c) {
    return static_cast<std::uint64_t>(std::int64_t{s32(a)} * s32(b)) + c;
  });
  compare_with("shl.b32 %d32, %a32, %b32;",
               [&](auto a, auto b, auto) { return u32(b) > 31 ? 0 : u32(u32(a) << u32(b)); });
  compare_with("min.s32 %d32, %a32, %b32;",
               [&](auto a, auto b, auto) { return u32(std::min(s32(a), s32(b))); });
  // Bit field extraction straight from the ISA's description, bit by bit.
  compare_with("bfe.s32 %d32, %a32, %b32, %c32;", [&](auto a, auto b, auto c) {
    const unsigned pos = b & 0xff;
    const unsigned len = c & 0xff;
    const unsigned sign = len == 0 ? 0 : u32(a) >> std::min(pos + len - 1, 31u) & 1;
    std::uint32_t d = 0;
    for (unsigned i = 0; i <= 31; ++i)
      d |= (i < len && pos + i <= 31 ? u32(a) >> (pos + i) & 1 : sign) << i;
    return std::uint64_t{d};
  });
  compare_with("bfi.b32 %d32, %a32, %b32, %c32, 7;", [&](auto a, auto b, auto c) {
    std::uint32_t d = u32(b);
    const unsigned pos = c & 0xff;
    for (unsigned i = 0; i < 7 && pos + i <= 31; ++i) {
      d = (d & ~(1u << (pos + i))) | (u32(a) >> i & 1) << (pos + i);
    }
    return std::uint64_t{d};
  });
}

TEST(Random, LanesAgreeOnApproximations) {
  // No host expression: the harness demands equal bits from every lane level.
  for (const std::string op :
       {"ex2.approx.f32", "lg2.approx.f32", "sin.approx.f32", "cos.approx.f32", "tanh.approx.f32",
        "rsqrt.approx.f32", "cvt.rni.s32.f32", "cvt.rzi.u32.f32", "cvt.rn.f16.f32",
        "cvt.rm.f32.u32"}) {
    std::mt19937_64 random(seed());
    std::vector<Inputs> in;
    in.reserve(1024);
    for (int i = 0; i < 1024; ++i) in.push_back({operand(random)});
    const bool to_half = op.find("f16") != std::string::npos;
    run_body(op + (to_half ? " %d16, %a32;" : " %d32, %a32;"), in);
  }
}

}  // namespace
}  // namespace paws::exec
