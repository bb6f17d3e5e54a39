// SPDX-License-Identifier: MIT
#include "sim/ptx/parser.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "sim/ir/kernel.h"
#include "sim/ptx/constant.h"
#include "sim/ptx/grammar.h"
#include "sim/ptx/header.h"
#include "sim/support/error.h"

namespace paws::ptx {
namespace {

// Nesting beyond this is no compiler's output and would exhaust the host's stack.
constexpr unsigned kMaxDepth = 200;

/// Collects what the grammar's actions see. Frames of operands and initialisers nest as brackets
/// do.
struct Builder {
  Module module;
  Function function;
  bool in_function = false;
  bool external = false;
  unsigned depth = 0;

  Variable declaration;  // what the declarators of one declaration share
  bool pointer = false;  // after .ptr: the words that follow describe what it points to
  std::vector<Variable> declared;

  std::vector<Constant> constants;           // operands of the expression being read
  std::vector<std::string_view> operations;  // and the operators that wait for theirs
  std::uint64_t addend = 0;                  // what the symbol or register gets
  std::vector<std::vector<Initialiser>> initial_frames;
  std::uint64_t mask = 0;
  bool masked = false;

  Instruction instruction;
  std::vector<std::vector<Operand>> operand_frames{1};
  bool negated = false;
  bool guard_negated = false;
  std::string_view guard;

  std::vector<std::uint32_t> limits;
  std::string_view limit_word;
  std::vector<std::string_view> targets;
  Alias alias;

  std::vector<Operand>& operands() { return operand_frames.back(); }
};

using Iterator = tao::pegtl::internal::iterator;

[[noreturn]] void fail(const Builder& builder, const Iterator& at, const std::string& cause) {
  throw InputError(builder.module.file, at.line, cause);
}

/// Keeps a warning, each text once; no text is no warning.
void warn(Builder& builder, const Iterator& at, const std::string& text) {
  std::vector<Warning>& warnings = builder.module.warnings;
  const bool known = std::any_of(warnings.begin(), warnings.end(),
                                 [&](const Warning& warning) { return warning.text == text; });
  if (text.empty() || known) return;
  warnings.push_back({static_cast<std::uint32_t>(at.line), text});
}

std::uint64_t parse_integer(const Builder& builder, const Iterator& at, std::string_view text) {
  if (text.back() == 'U' || text.back() == 'u') text.remove_suffix(1);
  int base = 10;
  std::string_view digits = text;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    digits.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
    base = 2;
    digits.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    digits.remove_prefix(1);
  }
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error == std::errc::result_out_of_range) {
    fail(builder, at, "integer '" + std::string(text) + "' does not fit 64 bits");
  }
  if (error != std::errc() || stop != end) {
    fail(builder, at, "'" + std::string(text) + "' is not an integer");
  }
  return value;
}

/// What `value` computes; an operand it does not take is an error of this line.
template <typename Compute>
auto computed(const Builder& builder, const Iterator& at, const Compute& value) {
  try {
    return value();
  } catch (const std::invalid_argument& error) {
    fail(builder, at, error.what());
  }
}

template <typename Value>
Value take_last(std::vector<Value>& values) {
  const Value last = values.back();
  values.pop_back();
  return last;
}

/// The constant just read, an integer.
std::uint64_t take_integer(Builder& builder, const Iterator& at) {
  const Constant value = take_last(builder.constants);
  return computed(builder, at, [&] { return integer_of(value); });
}

/// The constant just read, a count of something.
std::uint64_t take_count(Builder& builder, const Iterator& at,
                         std::uint64_t largest = std::numeric_limits<std::uint64_t>::max()) {
  const Constant::Type type = builder.constants.back().type;
  const std::uint64_t value = take_integer(builder, at);
  if (type == Constant::Type::s64 && static_cast<std::int64_t>(value) < 0) {
    fail(builder, at, std::to_string(static_cast<std::int64_t>(value)) + " is negative");
  }
  if (value > largest) fail(builder, at, "'" + std::to_string(value) + "' is too large");
  return value;
}

std::uint32_t take_word(Builder& builder, const Iterator& at) {
  return static_cast<std::uint32_t>(
      take_count(builder, at, std::numeric_limits<std::uint32_t>::max()));
}

void enter(Builder& builder, const Iterator& at) {
  if (++builder.depth > kMaxDepth) fail(builder, at, "nested too deeply");
}

template <typename Rule>
struct Action : tao::pegtl::nothing<Rule> {};

// An action sees the text and position of its rule.
#define PAWS_PTX_ACTION(rule)                                               \
  template <>                                                               \
  struct Action<grammar::rule> {                                            \
    template <typename Input>                                               \
    static void apply(const Input& in, Builder& b) {                        \
      run(std::string_view(in.begin(), in.size()), in.iterator(), b);       \
    }                                                                       \
    static void run(std::string_view text, const Iterator& at, Builder& b); \
  };                                                                        \
  void Action<grammar::rule>::run([[maybe_unused]] std::string_view text,   \
                                  [[maybe_unused]] const Iterator& at, Builder& b)

// ---- constants --------------------------------------------------------------------------------
PAWS_PTX_ACTION(integer_literal) {
  const std::uint64_t value = parse_integer(b, at, text);
  const bool is_unsigned = text.back() == 'U' || text.back() == 'u' ||
                           value > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  b.constants.push_back({is_unsigned ? Constant::Type::u64 : Constant::Type::s64, value});
}
PAWS_PTX_ACTION(warp_size) { b.constants.push_back({Constant::Type::s64, ir::kWarpSize}); }
std::uint64_t exact_bits(std::string_view text) {
  std::uint64_t bits = 0;
  std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
  return bits;
}
PAWS_PTX_ACTION(f32_literal) { b.constants.push_back({Constant::Type::f32, exact_bits(text)}); }
PAWS_PTX_ACTION(f64_literal) { b.constants.push_back({Constant::Type::f64, exact_bits(text)}); }
PAWS_PTX_ACTION(decimal_literal) {
  double value = 0;
  const char* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, value).ec != std::errc()) {
    fail(b, at, "'" + std::string(text) + "' is not a double");
  }
  b.constants.push_back({Constant::Type::f64, std::bit_cast<std::uint64_t>(value)});
}
PAWS_PTX_ACTION(group_open) { enter(b, at); }
PAWS_PTX_ACTION(group) { --b.depth; }
PAWS_PTX_ACTION(cast_type) {
  enter(b, at);
  b.operations.push_back(text);
}
PAWS_PTX_ACTION(cast) {
  --b.depth;
  Constant& value = b.constants.back();
  value = computed(b, at, [&] { return apply_cast(take_last(b.operations), value); });
}
PAWS_PTX_ACTION(unary_operator) {
  enter(b, at);
  b.operations.push_back(text);
}
PAWS_PTX_ACTION(unary_operation) {
  --b.depth;
  Constant& value = b.constants.back();
  value = computed(b, at, [&] { return apply_unary(take_last(b.operations), value); });
}
template <typename Rule>
struct Action<grammar::binary_operator<Rule>> {
  template <typename Input>
  static void apply(const Input& in, Builder& b) {
    b.operations.push_back(std::string_view(in.begin(), in.size()));
  }
};
template <typename Operator, typename Operand>
struct Action<grammar::binary_operation<Operator, Operand>> {
  template <typename Input>
  static void apply(const Input& in, Builder& b) {
    const Constant right = take_last(b.constants);
    Constant& left = b.constants.back();
    left = computed(b, in.iterator(),
                    [&] { return apply_binary(take_last(b.operations), left, right); });
  }
};
PAWS_PTX_ACTION(question) { enter(b, at); }
PAWS_PTX_ACTION(choice) {
  --b.depth;
  const Constant if_false = take_last(b.constants);
  const Constant if_true = take_last(b.constants);
  Constant& condition = b.constants.back();
  condition = computed(b, at, [&] { return choose(condition, if_true, if_false); });
}
PAWS_PTX_ACTION(added) { b.addend += take_integer(b, at); }
PAWS_PTX_ACTION(subtracted) { b.addend -= take_integer(b, at); }

// ---- initialisers -----------------------------------------------------------------------------
Initialiser& last_initialiser(Builder& b) { return b.initial_frames.back().back(); }

void push_initialiser(Builder& b, Initialiser value) {
  if (b.initial_frames.empty()) b.initial_frames.emplace_back();
  if (std::exchange(b.masked, false)) value.mask = b.mask;
  b.initial_frames.back().push_back(std::move(value));
}

PAWS_PTX_ACTION(initial_open) {
  enter(b, at);
  if (b.initial_frames.empty()) b.initial_frames.emplace_back();
  b.initial_frames.emplace_back();
}
PAWS_PTX_ACTION(initial_close) {
  --b.depth;
  Initialiser list{.kind = Initialiser::Kind::list};
  list.elements = std::move(b.initial_frames.back());
  b.initial_frames.pop_back();
  b.initial_frames.back().push_back(std::move(list));
}
PAWS_PTX_ACTION(initial_constant) {
  const Literal literal = literal_of(take_last(b.constants));
  push_initialiser(b, {.kind = Initialiser::Kind::literal, .literal = literal});
}
PAWS_PTX_ACTION(initial_mask) {
  b.mask = take_integer(b, at);
  b.masked = true;
}
PAWS_PTX_ACTION(initial_symbol) {
  push_initialiser(b, {.kind = Initialiser::Kind::symbol, .symbol = text});
}
PAWS_PTX_ACTION(initial_generic_value) {
  last_initialiser(b).generic = true;
  last_initialiser(b).literal.bits = std::exchange(b.addend, 0);
}
PAWS_PTX_ACTION(initial_symbol_value) {
  last_initialiser(b).literal.bits = std::exchange(b.addend, 0);
}

// ---- declarations -----------------------------------------------------------------------------
PAWS_PTX_ACTION(linkage) { b.external = b.external || text == ".extern"; }
PAWS_PTX_ACTION(space_name) {
  b.declaration = {};
  b.declaration.space = text;
  b.declaration.line = static_cast<std::uint32_t>(at.line);
  b.pointer = false;
}
PAWS_PTX_ACTION(align_required) {
  const std::uint32_t align = take_word(b, at);
  if (!std::has_single_bit(align)) fail(b, at, "alignment must be a power of two");
  if (!b.pointer) b.declaration.align = align;
}
PAWS_PTX_ACTION(pointer_clause) { b.pointer = true; }
PAWS_PTX_ACTION(type_word) {
  if (b.pointer) return;
  if (text == "v2" || text == "v4") {
    b.declaration.vector = static_cast<unsigned>(text[1] - '0');
  } else {
    b.declaration.type = text;
  }
}
PAWS_PTX_ACTION(declared_name) {
  if (text == "WARP_SZ") fail(b, at, "'WARP_SZ' is predefined");
  if (b.declaration.type.empty()) {
    fail(b, at, "expected a type before '" + std::string(text) + "'");
  }
  b.declared.push_back(b.declaration);
  b.declared.back().name = text;
  b.declared.back().external = b.external;
}
PAWS_PTX_ACTION(range_required) { b.declared.back().range = take_count(b, at); }
PAWS_PTX_ACTION(dimension_open) { b.declared.back().dimensions.push_back(0); }
PAWS_PTX_ACTION(dimension_value) { b.declared.back().dimensions.back() = take_count(b, at); }
PAWS_PTX_ACTION(initial_clause) {
  b.declared.back().initial = std::move(b.initial_frames.back().back());
  b.initial_frames.clear();
}
PAWS_PTX_ACTION(variable) {
  for (Variable& variable : b.declared) {
    if (b.in_function) {
      b.function.body.emplace_back(std::move(variable));
    } else {
      b.module.variables.push_back(std::move(variable));
    }
  }
  b.declared.clear();
  b.external = false;
}

// ---- instructions -----------------------------------------------------------------------------
void open_operands(Builder& b, const Iterator& at) {
  enter(b, at);
  b.operand_frames.emplace_back();
}

std::vector<Operand> close_operands(Builder& b) {
  --b.depth;
  std::vector<Operand> elements = std::move(b.operand_frames.back());
  b.operand_frames.pop_back();
  return elements;
}

PAWS_PTX_ACTION(vector_open) { open_operands(b, at); }
PAWS_PTX_ACTION(close_vector) {
  std::vector<Operand> elements = close_operands(b);
  b.operands().push_back({.kind = Operand::Kind::vector, .elements = std::move(elements)});
}
PAWS_PTX_ACTION(paren_open) { open_operands(b, at); }
PAWS_PTX_ACTION(list_operand) {
  std::vector<Operand> elements = close_operands(b);
  b.operands().push_back({.kind = Operand::Kind::list, .elements = std::move(elements)});
}
PAWS_PTX_ACTION(address_open) { open_operands(b, at); }
PAWS_PTX_ACTION(close_bracket) {
  std::vector<Operand> elements = close_operands(b);
  Operand address{.kind = Operand::Kind::address};
  if (elements.size() == 1 && elements[0].elements.empty() && elements[0].second.empty()) {
    address.name = elements[0].name;
    address.literal = elements[0].literal;
  }
  address.elements = std::move(elements);
  b.operands().push_back(std::move(address));
}
PAWS_PTX_ACTION(negation) { b.negated = true; }
PAWS_PTX_ACTION(operand_name) {
  b.operands().push_back(
      {.kind = Operand::Kind::name, .negated = std::exchange(b.negated, false), .name = text});
}
PAWS_PTX_ACTION(second_name) { b.operands().back().second = text; }
PAWS_PTX_ACTION(name_operand) { b.operands().back().literal.bits = std::exchange(b.addend, 0); }
PAWS_PTX_ACTION(constant_operand) {
  const Literal literal = literal_of(take_last(b.constants));
  b.operands().push_back({.kind = Operand::Kind::literal, .literal = literal});
}
PAWS_PTX_ACTION(guard_not) { b.guard_negated = true; }
PAWS_PTX_ACTION(guard_name) { b.guard = text; }
PAWS_PTX_ACTION(root) {
  b.instruction = {};
  b.instruction.line = static_cast<std::uint32_t>(at.line);
  b.instruction.guard = std::exchange(b.guard, {});
  b.instruction.guard_negated = std::exchange(b.guard_negated, false);
  b.instruction.root = text;
}
PAWS_PTX_ACTION(modifier_word) { b.instruction.modifiers.push_back(text); }
PAWS_PTX_ACTION(opcode) { b.instruction.text = text; }
PAWS_PTX_ACTION(instruction_end) {
  b.instruction.operands = std::exchange(b.operands(), {});
  b.function.body.emplace_back(std::move(b.instruction));
}

// ---- statements -------------------------------------------------------------------------------
PAWS_PTX_ACTION(label_name) {
  b.function.body.emplace_back(Label{static_cast<std::uint32_t>(at.line), text});
}
PAWS_PTX_ACTION(target_name) { b.targets.push_back(text); }
PAWS_PTX_ACTION(branch_targets) {
  b.function.body.emplace_back(BranchTargets{std::exchange(b.targets, {})});
}
/// ".loc file line column ..." and ".file number "path"" name where instructions come from. What is
/// not of this form says nothing, and no more depends on it.
PAWS_PTX_ACTION(source_loc) {
  std::istringstream words{std::string(text)};
  std::string directive;
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  if (words >> directive >> file >> line) {
    b.module.source_lines->start(static_cast<std::uint32_t>(at.line), file, line);
  }
}
PAWS_PTX_ACTION(source_file) {
  std::istringstream words{std::string(text)};
  std::string directive;
  std::uint32_t number = 0;
  std::string path;
  if (words >> directive >> number >> std::quoted(path)) {
    b.module.source_lines->name_file(number, std::move(path));
  }
}
PAWS_PTX_ACTION(call_info) { b.function.body.emplace_back(CallInfo{}); }
PAWS_PTX_ACTION(scope_open) {
  enter(b, at);
  b.function.body.emplace_back(ScopeBegin{});
}
PAWS_PTX_ACTION(scope_close) {
  --b.depth;
  b.function.body.emplace_back(ScopeEnd{});
}

// ---- functions and modules --------------------------------------------------------------------
void begin_function(Builder& b, const Iterator& at, bool entry) {
  b.function = {};
  b.function.line = static_cast<std::uint32_t>(at.line);
  b.function.entry = entry;
  b.function.external = std::exchange(b.external, false);
}

PAWS_PTX_ACTION(entry_word) { begin_function(b, at, true); }
PAWS_PTX_ACTION(func_word) { begin_function(b, at, false); }
PAWS_PTX_ACTION(function_name) {
  b.function.name = text;
  b.function.returns = std::exchange(b.declared, {});
}
PAWS_PTX_ACTION(function_params) { b.function.params = std::exchange(b.declared, {}); }
PAWS_PTX_ACTION(limit_word) { b.limit_word = text; }
PAWS_PTX_ACTION(limit_value) { b.limits.push_back(take_word(b, at)); }
PAWS_PTX_ACTION(limit) {
  const std::vector<std::uint32_t> values = std::exchange(b.limits, {});
  // .maxnctapersm is the older name of .minnctapersm, with the same meaning (PTX ISA).
  const bool min_blocks = b.limit_word == "minnctapersm" || b.limit_word == "maxnctapersm";
  if (min_blocks || b.limit_word == "maxnreg") {
    if (values.size() != 1) fail(b, at, "expected one number after ." + std::string(b.limit_word));
    (min_blocks ? b.function.min_blocks : b.function.max_registers) = values[0];
    return;
  }
  const bool max_block = b.limit_word == "maxntid";
  if (!max_block && b.limit_word != "reqntid") {
    warn(b, at, directive_warning(b.limit_word));
    return;
  }
  if (values.empty() || values.size() > 3) fail(b, at, "expected one to three block dimensions");
  auto& block = max_block ? b.function.max_block : b.function.required_block;
  block = {1, 1, 1};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0 || values[i] > 1024) fail(b, at, "block dimensions must be 1 to 1024");
    block[i] = values[i];
  }
}
PAWS_PTX_ACTION(function_body_open) {
  b.module.source_lines->forget(static_cast<std::uint32_t>(at.line));
  b.in_function = true;
  b.function.has_body = true;
}
PAWS_PTX_ACTION(function_body_close) { b.in_function = false; }
PAWS_PTX_ACTION(function) { b.module.functions.push_back(std::move(b.function)); }
PAWS_PTX_ACTION(version_number) { warn(b, at, version_warning(text)); }
PAWS_PTX_ACTION(target_word) { warn(b, at, target_warning(text)); }
PAWS_PTX_ACTION(address_size_value) {
  if (text != "64") {
    fail(b, at, "only 64-bit addresses are modelled, not .address_size " + std::string(text));
  }
}
PAWS_PTX_ACTION(alias_name) { b.alias = {static_cast<std::uint32_t>(at.line), text, {}}; }
PAWS_PTX_ACTION(alias_target) {
  b.alias.target = text;
  b.module.aliases.push_back(b.alias);
}

#undef PAWS_PTX_ACTION

/// What stands at `at`, for "expected ..., found ...".
std::string found_at(const char* at, const char* end) {
  if (at == end) return "the end of the file";
  const char* stop = at;
  while (stop != end && *stop != '\n' && *stop != '\r' && stop - at < 24) ++stop;
  std::string shown;
  for (const char* c = at; c != stop; ++c) {
    shown += static_cast<unsigned char>(*c) >= 0x20 && *c != 0x7f ? *c : '?';
  }
  return shown.empty() ? "the end of the line" : "'" + shown + "'";
}

}  // namespace

Module parse(std::string text, const std::string& file) {
  Builder builder;
  builder.module.file = file;
  builder.module.source_lines = std::make_shared<ir::SourceLines>();
  builder.module.text = std::make_shared<const std::string>(std::move(text));
  const std::string& source = *builder.module.text;
  tao::pegtl::memory_input<> input(source.data(), source.data() + source.size(), file);
  try {
    tao::pegtl::parse<grammar::file, Action, grammar::control>(input, builder);
  } catch (const tao::pegtl::parse_error& error) {
    const tao::pegtl::position& where = error.positions().front();
    throw InputError(file, where.line,
                     std::string(error.message()) + ", found " +
                         found_at(source.data() + where.byte, source.data() + source.size()));
  }
  return std::move(builder.module);
}

}  // namespace paws::ptx
