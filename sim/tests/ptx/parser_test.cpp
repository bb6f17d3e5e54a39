// SPDX-License-Identifier: MIT
#include "sim/ptx/parser.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/support/error.h"

namespace paws::ptx {
namespace {

const std::string kHeader = ".version 7.0\n.target sm_70\n.address_size 64\n";

Module parse_body(const std::string& body) {
  return parse(kHeader + ".entry k()\n{\n" + body + "\n}\n", "t.ptx");
}

const Instruction& only_instruction(const Module& module) {
  const Instruction* found = nullptr;
  for (const Statement& statement : module.functions.at(0).body) {
    if (const auto* instruction = std::get_if<Instruction>(&statement)) found = instruction;
  }
  EXPECT_NE(found, nullptr);
  return *found;
}

std::string error_of(const std::string& text) {
  try {
    parse(text, "t.ptx");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Parser, ReadsOpcodesAndOperands) {
  const Module module = parse_body("@!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+-8]; // comment");
  const Instruction& instruction = only_instruction(module);
  EXPECT_EQ(instruction.line, 6u);
  EXPECT_EQ(instruction.guard, "%p1");
  EXPECT_TRUE(instruction.guard_negated);
  EXPECT_EQ(instruction.root, "ld");
  EXPECT_EQ(instruction.text, "ld.global.v2.f32");
  ASSERT_EQ(instruction.modifiers.size(), 3u);
  EXPECT_EQ(instruction.modifiers[1], "v2");
  ASSERT_EQ(instruction.operands.size(), 2u);
  EXPECT_EQ(instruction.operands[0].kind, Operand::Kind::vector);
  ASSERT_EQ(instruction.operands[0].elements.size(), 2u);
  EXPECT_EQ(instruction.operands[0].elements[1].name, "_");
  EXPECT_EQ(instruction.operands[1].kind, Operand::Kind::address);
  EXPECT_EQ(instruction.operands[1].name, "%rd1");
  EXPECT_EQ(instruction.operands[1].literal.bits, static_cast<std::uint64_t>(-8));
}

TEST(Parser, ReadsModifiersWithColonsAndSpecialRegisters) {
  const Module module =
      parse_body("ld.shared::cta.L1::evict_last.u32 %r1, [a]; mov.u32 %r1, %tid.x;");
  const auto& body = module.functions.at(0).body;
  EXPECT_EQ(std::get<Instruction>(body[0]).modifiers[0], "shared::cta");
  EXPECT_EQ(std::get<Instruction>(body[0]).modifiers[1], "L1::evict_last");
  EXPECT_EQ(std::get<Instruction>(body[1]).operands[1].name, "%tid.x");
}

TEST(Parser, ReadsPredicatePairsAndNegation) {
  const Module module = parse_body("setp.lt.and.s32 %p1|%p2, %r1, -5, !%p3;");
  const Instruction& instruction = only_instruction(module);
  EXPECT_EQ(instruction.operands[0].name, "%p1");
  EXPECT_EQ(instruction.operands[0].second, "%p2");
  EXPECT_EQ(instruction.operands[2].literal.bits, static_cast<std::uint64_t>(-5));
  EXPECT_TRUE(instruction.operands[3].negated);
  EXPECT_EQ(instruction.operands[3].name, "%p3");
}

struct LiteralCase {
  const char* text;
  Literal::Kind kind;
  std::uint64_t bits;
};

class Literals : public testing::TestWithParam<LiteralCase> {};

TEST_P(Literals, HaveTheirValue) {
  const Module module = parse_body(std::string("mov.u64 %rd1, ") + GetParam().text + ";");
  const Operand& operand = only_instruction(module).operands.at(1);
  EXPECT_EQ(operand.kind, Operand::Kind::literal);
  EXPECT_EQ(operand.literal.kind, GetParam().kind);
  EXPECT_EQ(operand.literal.bits, GetParam().bits);
}

INSTANTIATE_TEST_SUITE_P(
    All, Literals,
    testing::Values(LiteralCase{"0", Literal::Kind::integer, 0},
                    LiteralCase{"42U", Literal::Kind::integer, 42},
                    LiteralCase{"-1", Literal::Kind::integer, ~std::uint64_t{0}},
                    LiteralCase{"0x1fU", Literal::Kind::integer, 31},
                    LiteralCase{"017", Literal::Kind::integer, 15},
                    LiteralCase{"0b101", Literal::Kind::integer, 5},
                    LiteralCase{"18446744073709551615", Literal::Kind::integer, ~std::uint64_t{0}},
                    LiteralCase{"0f3F800000", Literal::Kind::f32, 0x3f800000},
                    LiteralCase{"0F3f800000", Literal::Kind::f32, 0x3f800000},
                    LiteralCase{".5", Literal::Kind::f64, 0x3fe0000000000000},
                    LiteralCase{"0d3FF0000000000000", Literal::Kind::f64, 0x3ff0000000000000},
                    LiteralCase{"1.5", Literal::Kind::f64, 0x3ff8000000000000},
                    LiteralCase{"25e-1", Literal::Kind::f64, 0x4004000000000000}));

std::string as_initial_value(const std::string& expression) {
  return ".const .b64 c[1] = {" + expression + "};";
}

struct ConstantCase {
  const char* expression;
  std::int64_t value;
};

class IntegerConstants : public testing::TestWithParam<ConstantCase> {};

/// As an initial value and as an operand.
TEST_P(IntegerConstants, HaveTheirValue) {
  const auto expected = static_cast<std::uint64_t>(GetParam().value);
  const Module variable = parse(as_initial_value(GetParam().expression), "t.ptx");
  const Literal& initial = variable.variables.at(0).initial.value().elements.at(0).literal;
  EXPECT_EQ(initial.kind, Literal::Kind::integer);
  EXPECT_EQ(initial.bits, expected);
  const Module module = parse_body(std::string("mov.u64 %rd1, ") + GetParam().expression + ";");
  EXPECT_EQ(only_instruction(module).operands.at(1).literal.bits, expected);
}

// The values are those that ptxas 13.0 puts into a .const variable, but for the three that say so.
INSTANTIATE_TEST_SUITE_P(
    All, IntegerConstants,
    testing::Values(
        ConstantCase{"(1<<3)|2", 10}, ConstantCase{"2+3*4", 14}, ConstantCase{"(2+3)*4", 20},
        ConstantCase{"10-4-3", 3}, ConstantCase{"64/4/2", 8}, ConstantCase{"1<<2+3", 32},
        ConstantCase{"1 | 2 ^ 3 & 4", 3}, ConstantCase{"1<2<3", 1}, ConstantCase{"1 < 2 == 1", 1},
        ConstantCase{"1||0&&0", 1}, ConstantCase{"2||0", 1}, ConstantCase{"4&&2", 1},
        ConstantCase{"1!=1", 0}, ConstantCase{"3>=3", 1}, ConstantCase{"3<=2", 0},
        ConstantCase{"1 /* c */ + // d\n 2", 3}, ConstantCase{"+5", 5}, ConstantCase{"- -42", 42},
        ConstantCase{"-(-42)", 42}, ConstantCase{"!0", 1}, ConstantCase{"!5", 0},
        ConstantCase{"!!5", 1}, ConstantCase{"-~5", 6}, ConstantCase{"~-5", 4},
        ConstantCase{"WARP_SZ*2", 64}, ConstantCase{"7 % WARP_SZ", 7},
        // Signed, unless an operand is not; the remainder never is.
        ConstantCase{"-7/2", -3}, ConstantCase{"-7 % 3", 0}, ConstantCase{"7%3", 1},
        ConstantCase{"-1>>1", -1}, ConstantCase{"-1U>>1", 0x7fffffffffffffff},
        ConstantCase{"~0>>1", 0x7fffffffffffffff}, ConstantCase{"~0/2", 0x7fffffffffffffff},
        ConstantCase{"(.s64)~0 >> 1", -1}, ConstantCase{"(.u64)-1 >> 1", 0x7fffffffffffffff},
        ConstantCase{"( .u64 )(.s64)-1 < 0", 0}, ConstantCase{"!(.u64)5", 0},
        ConstantCase{"(-1&-1)/2", 0}, ConstantCase{"(-1^0)>>1", -1}, ConstantCase{"(-1|0U)>>63", 1},
        ConstantCase{"-1<0", 1}, ConstantCase{"-1<0U", 0}, ConstantCase{"-(1U)<0", 0},
        ConstantCase{"(1<<1U)-3<0", 1}, ConstantCase{"-9223372036854775808<0", 0},
        ConstantCase{"0x8000000000000000/(-1)", 0}, ConstantCase{"1==1U", 1},
        ConstantCase{"1<<65", 2}, ConstantCase{"-1>>100", -1},
        ConstantCase{"0xFFFFFFFFFFFFFFFFU + 1", 0}, ConstantCase{"(1<2)?3:4", 3},
        ConstantCase{"1 ? 2 : 3 ? 4 : 5", 2}, ConstantCase{"0?2:0?3:4", 4},
        ConstantCase{"1.0<2.0", 1}, ConstantCase{"1.0==1.5", 0},
        // ptxas ends with a signal.
        ConstantCase{"(.s64)0x8000000000000000/(.s64)-1", INT64_MIN},
        // The ISA: a remainder is .s64, and both sides of ?: get one type. Not so ptxas.
        ConstantCase{"(7 % -3) - 9 < 0", 1}, ConstantCase{"(1?-1:1U)<0", 0}));

TEST(Parser, ComputesFloatingPointConstantsInDoublePrecision) {
  const auto value = [](const std::string& expression) {
    const Module module = parse_body("mov.f64 %d1, " + expression + ";");
    const Literal& literal = only_instruction(module).operands.at(1).literal;
    EXPECT_EQ(literal.kind, Literal::Kind::f64);
    return std::bit_cast<double>(literal.bits);
  };
  EXPECT_EQ(value("1.0+2.0*.5"), 2.0);
  EXPECT_EQ(value("-(1.5 - 4e0)/2.0"), 1.25);
  EXPECT_EQ(value("0d3ff0000000000000*3.0"), 3.0);
  EXPECT_EQ(value("1.0 < 2.0 ? 0.1 : 2.5"), 0.1);
  EXPECT_EQ(value("1e308*10.0"), std::numeric_limits<double>::infinity());
  const Module module = parse_body("mov.f32 %f1, (0f3f800000);");
  EXPECT_EQ(only_instruction(module).operands.at(1).literal.kind, Literal::Kind::f32);
}

TEST(Parser, TakesConstantExpressionsWhereverAConstantStands) {
  const Module module = parse(
      ".global .align 4*(1+1) .b32 g[2*3][WARP_SZ] = {1<<1, {-(2)}, 3};\n"
      ".global .u64 p[3] = {g+4*2, generic(g)+16-(1<<3), g-4+8};\n"
      ".entry k() .maxntid 16*2, (2) .minnctapersm 1+1 {\n"
      ".reg .b32 %r<2*3>;\n"
      "st.global.v2.u32 [g-4+(8)-1], {1+2, 3*4};\n"
      "ld.u32 %r1, [%rd1+4<<2];\n"
      "call (%r1), f, ((1+2)*3, (4), %r2);\n"
      "bar.sync 1+1, 2*WARP_SZ; }",
      "t.ptx");
  const Variable& g = module.variables.at(0);
  EXPECT_EQ(g.align, 8u);
  EXPECT_EQ(g.dimensions, (std::vector<std::uint64_t>{6, 32}));
  EXPECT_EQ(g.initial.value().elements.at(1).elements.at(0).literal.bits, ~std::uint64_t{1});
  const std::vector<Initialiser>& pointers = module.variables.at(1).initial.value().elements;
  EXPECT_EQ(pointers.at(0).literal.bits, 8u);
  EXPECT_EQ(pointers.at(1).literal.bits, 8u);
  EXPECT_EQ(pointers.at(2).literal.bits, 4u);
  const Function& k = module.functions.at(0);
  EXPECT_EQ(k.max_block, (std::array<std::uint32_t, 3>{32, 2, 1}));
  EXPECT_EQ(k.min_blocks, 2u);
  EXPECT_EQ(std::get<Variable>(k.body.at(0)).range, 6u);
  const auto operands = [&](std::size_t i) { return std::get<Instruction>(k.body.at(i)).operands; };
  EXPECT_EQ(operands(1).at(0).literal.bits, 3u);
  EXPECT_EQ(operands(1).at(1).elements.at(1).literal.bits, 12u);
  EXPECT_EQ(operands(2).at(1).literal.bits, 16u);
  EXPECT_EQ(operands(3).at(2).kind, Operand::Kind::list);
  EXPECT_EQ(operands(3).at(2).elements.at(0).literal.bits, 9u);
  EXPECT_EQ(operands(3).at(2).elements.at(1).literal.bits, 4u);
  EXPECT_EQ(operands(4).at(1).literal.bits, 64u);
}

struct BadConstant {
  const char* expression;
  const char* message;
};

class BadConstants : public testing::TestWithParam<BadConstant> {};

TEST_P(BadConstants, AreErrorsOfTheirLine) {
  EXPECT_EQ(error_of("\n" + as_initial_value(GetParam().expression)),
            std::string("t.ptx:2: ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadConstants,
    testing::Values(
        BadConstant{"1/0", "division by zero in a constant expression"},
        BadConstant{"1 % (2-2)", "division by zero in a constant expression"},
        BadConstant{"1.0/0.0", "division by zero in a constant expression"},
        BadConstant{"0 ? 1/0 : 5", "division by zero in a constant expression"},
        BadConstant{"1+1.0",
                    "'+' of an integer and a floating-point constant, which no cast of PTX makes "
                    "equal"},
        BadConstant{"1.0 % 2.0", "'%' is for integers, not for floating-point constants"},
        BadConstant{"1.0 || 2.0", "'||' is for integers, not for floating-point constants"},
        BadConstant{"~1.0", "'~' is for integers, not for floating-point constants"},
        BadConstant{"!1.0", "'!' is for integers, not for floating-point constants"},
        BadConstant{"(.u64)1.0", "'(.u64)' is for integers, not for floating-point constants"},
        BadConstant{"1.5 ? 1 : 2", "'?:' is for integers, not for floating-point constants"},
        BadConstant{"1 ? 1 : 2.5", "'?:' chooses between an integer and a floating-point constant"},
        BadConstant{"-0f3f800000",
                    "a single-precision literal (0f...) stands alone, it is no operand of '-'"},
        BadConstant{"0f3f800000+1.0",
                    "a single-precision literal (0f...) stands alone, it is no operand of '+'"},
        BadConstant{"(.s32)5", "a constant is cast to .s64 or .u64 only, found '.s32)5};'"},
        BadConstant{"1 ? 2", "expected ':', found '};'"},
        BadConstant{"(1", "expected ')', found '};'"},
        BadConstant{"1 +", "expected a constant, found '};'"},
        BadConstant{"2*(3+)", "expected a constant, found ')};'"},
        BadConstant{"1 << g", "expected a constant, found 'g};'"}));

TEST(Parser, CountsAreIntegersThatAreNotNegative) {
  EXPECT_EQ(error_of(".global .b32 a[1-3];"), "t.ptx:1: -2 is negative");
  EXPECT_EQ(error_of(".global .b32 a[1.5];"),
            "t.ptx:1: expected an integer, not a floating-point constant");
  EXPECT_EQ(error_of(".global .align 1+2 .b32 a;"), "t.ptx:1: alignment must be a power of two");
  EXPECT_EQ(error_of(".global .align 1<<32 .b32 a;"), "t.ptx:1: '4294967296' is too large");
  EXPECT_EQ(error_of(".global .b32 WARP_SZ;"), "t.ptx:1: 'WARP_SZ' is predefined");
  EXPECT_EQ(error_of(".entry k() .maxntid -1 {}"), "t.ptx:1: -1 is negative");
  EXPECT_EQ(error_of(".entry k() {\nld.u32 %r1, [%rd1+1.5];\n}"),
            "t.ptx:2: expected an integer, not a floating-point constant");
}

TEST(Parser, ReadsVariablesWithInitialValues) {
  const Module module = parse(kHeader +
                                  ".visible .global .align 8 .b8 s[2][3] = {{1, 2}, {0x3}};\n"
                                  ".const .u64 q[] = {generic(s)+4, s-2, 0xFF00(s)};\n"
                                  ".extern .shared .align 16 .b8 dyn[];\n",
                              "t.ptx");
  ASSERT_EQ(module.variables.size(), 3u);
  const Variable& s = module.variables[0];
  EXPECT_EQ(s.space, "global");
  EXPECT_EQ(s.align, 8u);
  EXPECT_EQ(s.dimensions, (std::vector<std::uint64_t>{2, 3}));
  ASSERT_TRUE(s.initial.has_value());
  ASSERT_EQ(s.initial->elements.size(), 2u);
  EXPECT_EQ(s.initial->elements[0].elements.size(), 2u);
  const Initialiser& q = *module.variables[1].initial;
  ASSERT_EQ(q.elements.size(), 3u);
  EXPECT_TRUE(q.elements[0].generic);
  EXPECT_EQ(q.elements[0].literal.bits, 4u);
  EXPECT_EQ(q.elements[1].literal.bits, static_cast<std::uint64_t>(-2));
  EXPECT_EQ(q.elements[2].mask, std::optional<std::uint64_t>(0xff00));
  EXPECT_TRUE(module.variables[2].external);
  EXPECT_EQ(module.variables[2].dimensions, std::vector<std::uint64_t>{0});
}

TEST(Parser, ReadsFunctionsAndTheirLimits) {
  const Module module =
      parse(kHeader +
                ".func (.param .b32 r) f(.param .align 4 .b8 a[12], .reg .b64 b);\n"
                ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .f32 x)\n"
                ".maxntid 128, 2\n.minnctapersm 4\n.maxnreg 32\n{ ret; }\n",
            "t.ptx");
  ASSERT_EQ(module.functions.size(), 2u);
  const Function& f = module.functions[0];
  EXPECT_FALSE(f.entry);
  EXPECT_FALSE(f.has_body);
  EXPECT_EQ(f.returns.size(), 1u);
  ASSERT_EQ(f.params.size(), 2u);
  EXPECT_EQ(f.params[0].dimensions, std::vector<std::uint64_t>{12});
  EXPECT_EQ(f.params[1].space, "reg");
  const Function& k = module.functions[1];
  EXPECT_TRUE(k.entry);
  EXPECT_EQ(k.params.at(0).type, "u64");
  EXPECT_EQ(k.params.at(0).align, 0u) << "the alignment of what a pointer points to is not its own";
  EXPECT_EQ(k.max_block, (std::array<std::uint32_t, 3>{128, 2, 1}));
  EXPECT_EQ(k.max_registers, 32u);
  EXPECT_EQ(k.min_blocks, 4u);
}

TEST(Parser, SkipsDebugInformationAndComments) {
  const Module module = parse(kHeader +
                                  "/* a\n comment */ .file 1 \"x.cu\"\n.entry k() {\n"
                                  ".loc 1 3 4, function_name $L__info, inlined_at 1 2 3\n"
                                  ".pragma \"nounroll\";\nexit;\n}\n"
                                  ".section .debug_str\n{\n$L: .b8 1,2\n}\n",
                              "t.ptx");
  ASSERT_EQ(module.functions.size(), 1u);
  EXPECT_EQ(module.functions[0].body.size(), 1u);
}

TEST(Parser, ReadsLabelsScopesAndBranchTables) {
  const Module module =
      parse_body("$L1: { .reg .b32 a; }\nts: .branchtargets $L1, $L2;\n$L2: brx.idx %r1, ts;");
  const auto& body = module.functions.at(0).body;
  ASSERT_EQ(body.size(), 8u);
  EXPECT_EQ(std::get<Label>(body[0]).name, "$L1");
  EXPECT_TRUE(std::holds_alternative<ScopeBegin>(body[1]));
  EXPECT_TRUE(std::holds_alternative<ScopeEnd>(body[3]));
  EXPECT_EQ(std::get<BranchTargets>(body[5]).names.size(), 2u);
}

struct ErrorCase {
  const char* text;
  const char* message;
};

class SyntaxErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(SyntaxErrors, NameLineAndExpectation) {
  EXPECT_EQ(error_of(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, SyntaxErrors,
    testing::Values(
        ErrorCase{"hello",
                  "t.ptx:1: expected a directive, a function or a variable, found 'hello'"},
        ErrorCase{".entry k() {\nmov.u32 %r1, %r2\n}", "t.ptx:3: expected ',' or ';', found '}'"},
        ErrorCase{".entry k() {\nadd.u32 %r1, ;\n}", "t.ptx:2: expected an operand, found ';'"},
        ErrorCase{".entry k() {\nld.u32 %r1, [%rd1;\n}", "t.ptx:2: expected ']', found ';'"},
        ErrorCase{".entry k() {\n",
                  "t.ptx:2: expected an instruction, a declaration or '}', found "
                  "the end of the file"},
        ErrorCase{".entry k() {\n?\n}",
                  "t.ptx:2: expected an instruction, a declaration or '}', found '?'"},
        ErrorCase{".entry k(\n", "t.ptx:2: expected ')', found the end of the file"},
        ErrorCase{".entry {}", "t.ptx:1: expected a function name, found '{}'"},
        ErrorCase{".global .u32 x = ;", "t.ptx:1: expected an initial value, found ';'"},
        ErrorCase{".global .u32 x = {1,\n};", "t.ptx:2: expected an initial value, found '};'"},
        ErrorCase{".global .u32 x[3;", "t.ptx:1: expected an array size and ']', found ';'"},
        ErrorCase{".global .align x .u32 y;",
                  "t.ptx:1: expected an alignment in bytes, found 'x "
                  ".u32 y;'"},
        ErrorCase{".global .align 3 .u32 y;", "t.ptx:1: alignment must be a power of two"},
        ErrorCase{".global x;", "t.ptx:1: expected a type before 'x'"},
        ErrorCase{".global .u32 x", "t.ptx:1: expected ';', found the end of the file"},
        ErrorCase{"\n/* never closed", "t.ptx:2: comment without '*/', found the end of the file"},
        ErrorCase{".address_size 32",
                  "t.ptx:1: only 64-bit addresses are modelled, not "
                  ".address_size 32"},
        ErrorCase{".entry k() {\nmov.u32 %r1, 99999999999999999999;\n}",
                  "t.ptx:2: integer '99999999999999999999' does not fit 64 bits"},
        ErrorCase{".entry k() {\nmov.u32 %r1, 09;\n}", "t.ptx:2: '09' is not an integer"},
        ErrorCase{".entry k() .maxntid 0\n{}", "t.ptx:1: block dimensions must be 1 to 1024"},
        ErrorCase{".entry k()\n.maxnreg 16, 32\n{}", "t.ptx:2: expected one number after .maxnreg"},
        ErrorCase{".entry k() .minnctapersm\n{}",
                  "t.ptx:1: expected one number after .minnctapersm"},
        ErrorCase{".version new", "t.ptx:1: expected a version, as 7.8, found 'new'"},
        ErrorCase{".target ;", "t.ptx:1: expected an architecture, as sm_70, found ';'"},
        ErrorCase{".target sm_70,;", "t.ptx:1: expected an option of the target, found ';'"},
        ErrorCase{".section .debug_x {",
                  "t.ptx:1: section without '}', found the end of the file"}));

/// "line: text" of every warning.
std::vector<std::string> warnings_of(const std::string& text) {
  std::vector<std::string> warnings;
  for (const Warning& warning : parse(text, "t.ptx").warnings) {
    warnings.push_back(std::to_string(warning.line) + ": " + warning.text);
  }
  return warnings;
}

TEST(Parser, WarnsOnceOfWhatIsUnknownButChangesNothing) {
  using Warnings = std::vector<std::string>;
  for (const char* known :
       {".version 1.0 .target sm_10", ".version 6.5\n.target sm_70, debug", ".version 8.8",
        ".version 9.0\n.target sm_90a", ".target sm_120f, texmode_independent",
        ".version 7.0\n.func f() .noreturn { ret; }\n.entry k() .maxntid 32 { ret; }"}) {
    EXPECT_EQ(warnings_of(known), Warnings{}) << known;
  }
  EXPECT_EQ(warnings_of("// a comment\n.version 99.0\n.target sm_999"),
            (Warnings{"2: unknown .version 99.0 (known: 1.0 to 9.2); the file is read as 9.2",
                      "3: unknown .target sm_999 (known: sm_10 to sm_121); ignored, the simulated "
                      "GPU is what --gpu says"}));
  for (const char* version : {"0.9", "2.4", "7.9", "9.3", "10.0", "7.99999999999999999999"}) {
    EXPECT_EQ(warnings_of(std::string(".version ") + version).size(), 1U) << version;
  }
  for (const char* target : {"sm_71", "sm_70a", "sm_100b", "sm_", "compute_70", "fast"}) {
    EXPECT_EQ(warnings_of(std::string(".target ") + target).size(), 1U) << target;
  }
  EXPECT_EQ(warnings_of(".target sm_13, map_f64_to_f32"),
            (Warnings{"1: .target map_f64_to_f32 is not modelled; f64 keeps double precision"}));
  EXPECT_EQ(warnings_of(".entry a()\n.maxclusterrank 8\n{ ret; }\n.entry b() .maxclusterrank 4 {}"),
            (Warnings{"2: .maxclusterrank is not modelled and ignored"}));
}

TEST(Parser, RefusesEndlessNesting) {
  const std::string text = ".entry k() " + std::string(100000, '{');
  EXPECT_EQ(error_of(text), "t.ptx:1: nested too deeply");
  EXPECT_EQ(error_of(".global .u32 x = " + std::string(100000, '{')), "t.ptx:1: nested too deeply");
  std::string choices;
  std::string casts;
  for (int i = 0; i < 100000; ++i) {
    choices += "1?1:";
    casts += "(.u64)";
  }
  for (const std::string& prefix :
       {std::string(100000, '('), std::string(100000, '-'), choices, casts}) {
    EXPECT_EQ(error_of(as_initial_value(prefix + "1")), "t.ptx:1: nested too deeply");
  }
}

TEST(Parser, TakesNulBytesAsOrdinaryErrors) {
  const std::string text(".entry k() {\n\0 }", 16);
  EXPECT_EQ(error_of(text), "t.ptx:2: expected an instruction, a declaration or '}', found '? }'");
}

}  // namespace
}  // namespace paws::ptx
