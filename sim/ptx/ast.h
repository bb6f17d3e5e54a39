// SPDX-License-Identifier: MIT
// PTX as it is written: modules, functions, variables and statements, names unresolved.
// Names are views into Module::text, which outlives them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/ir/source_lines.h"

namespace paws::ptx {

struct Literal {
  enum class Kind : std::uint8_t { integer, f32, f64 };
  Kind kind = Kind::integer;
  std::uint64_t bits = 0;  ///< integers in two's complement; floats as IEEE bits of their kind
};

/// An instruction's operand.
struct Operand {
  enum class Kind : std::uint8_t {
    name,  ///< register, special register or symbol, with an optional constant added
    literal,
    vector,   ///< {a, b, ...}
    address,  ///< [name + constant], [constant]; with several elements what textures use
    list      ///< (a, b, ...) of a call
  };
  Kind kind = Kind::name;
  bool negated = false;             ///< !name
  std::string_view name{};          ///< also the base of an address; empty when it has none
  std::string_view second{};        ///< q of p|q
  Literal literal{};                ///< the literal, or the constant added to `name`
  std::vector<Operand> elements{};  ///< of vector, list and address
};

struct Instruction {
  std::uint32_t line = 0;
  std::string_view guard{};  ///< predicate register of @p; empty when unconditional
  bool guard_negated = false;
  std::string_view root{};                    ///< "ld" of ld.global.f32
  std::vector<std::string_view> modifiers{};  ///< "global", "f32"
  std::vector<Operand> operands{};
  std::string_view text{};  ///< opcode as written
};

struct Initialiser {
  enum class Kind : std::uint8_t { literal, symbol, list };
  Kind kind = Kind::literal;
  Literal literal{};  ///< the literal, or the constant added to the symbol
  std::string_view symbol{};
  bool generic = false;                 ///< generic(symbol)
  std::optional<std::uint64_t> mask{};  ///< 0xFF00(symbol): these bits, moved to the lowest byte
  std::vector<Initialiser> elements{};
};

/// A declared name of any state space, .reg included.
struct Variable {
  std::uint32_t line = 0;
  std::string_view space{};  ///< "reg", "global", "shared", "const", "local", "param"
  std::string_view type{};   ///< "b32", "pred", "texref", ...
  unsigned vector = 1;       ///< elements of .v2, .v4
  std::uint64_t align = 0;   ///< bytes; 0 when not given
  bool external = false;     ///< .extern
  std::string_view name{};
  std::optional<std::uint64_t> range{};   ///< N of name<N>
  std::vector<std::uint64_t> dimensions;  ///< 0 for []
  std::optional<Initialiser> initial{};
};

struct Label {
  std::uint32_t line = 0;
  std::string_view name{};
};

/// .branchtargets of the label before it.
struct BranchTargets {
  std::vector<std::string_view> names;
};

/// .calltargets or .callprototype of the label before it.
struct CallInfo {};

struct ScopeBegin {};
struct ScopeEnd {};

using Statement =
    std::variant<Instruction, Variable, Label, BranchTargets, CallInfo, ScopeBegin, ScopeEnd>;

struct Function {
  std::uint32_t line = 0;
  bool entry = false;
  bool external = false;
  bool has_body = false;
  std::string_view name{};
  std::vector<Variable> returns;
  std::vector<Variable> params;
  std::array<std::uint32_t, 3> max_block{0, 0, 0};       ///< .maxntid, 0 when absent
  std::array<std::uint32_t, 3> required_block{0, 0, 0};  ///< .reqntid, 0 when absent
  std::uint32_t max_registers = 0;                       ///< .maxnreg, 0 when absent
  std::uint32_t min_blocks = 0;                          ///< .minnctapersm, 0 when absent
  std::vector<Statement> body;
};

struct Alias {
  std::uint32_t line = 0;
  std::string_view name{};
  std::string_view target{};
};

/// About something that is read, but not known or not modelled.
struct Warning {
  std::uint32_t line = 0;
  std::string text;
};

struct Module {
  std::string file;
  std::shared_ptr<const std::string> text;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Alias> aliases;
  std::shared_ptr<ir::SourceLines> source_lines;  ///< never null after parse()
  std::vector<Warning> warnings;                  ///< no text twice
};

}  // namespace paws::ptx
