// SPDX-License-Identifier: MIT
#include "sim/ptx/parser.h"

#include <gtest/gtest.h>

#include <string>

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
                    LiteralCase{"-0f3F800000", Literal::Kind::f32, 0xbf800000},
                    LiteralCase{"0d3FF0000000000000", Literal::Kind::f64, 0x3ff0000000000000},
                    LiteralCase{"1.5", Literal::Kind::f64, 0x3ff8000000000000},
                    LiteralCase{"25e-1", Literal::Kind::f64, 0x4004000000000000}));

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
}

TEST(Parser, TakesNulBytesAsOrdinaryErrors) {
  const std::string text(".entry k() {\n\0 }", 16);
  EXPECT_EQ(error_of(text), "t.ptx:2: expected an instruction, a declaration or '}', found '? }'");
}

}  // namespace
}  // namespace paws::ptx
