// SPDX-License-Identifier: MIT
// The grammar of PTX, and what to say where a required part of it is missing.
#pragma once

#include <tao/pegtl.hpp>

namespace paws::ptx::grammar {

using namespace tao::pegtl;

// ---- separators -------------------------------------------------------------------------------
struct line_comment : seq<two<'/'>, until<eolf>> {};
struct block_comment_end : until<string<'*', '/'>> {};
struct block_comment : if_must<string<'/', '*'>, block_comment_end> {};
struct dwarf_line : seq<two<'@'>, until<eolf>> {};
struct sep : star<sor<plus<space>, line_comment, block_comment, dwarf_line>> {};

template <char C>
struct punctuation : seq<one<C>, sep> {};

// ---- names and numbers ------------------------------------------------------------------------
struct name_rest : sor<alnum, one<'_', '$'>> {};
struct name_text : seq<sor<alpha, one<'_', '$', '%'>>, star<name_rest>> {};
template <typename Name>
struct token : seq<Name, sep> {};

struct hex_digits : plus<xdigit> {};
struct f32_literal : seq<one<'0'>, one<'f', 'F'>, rep<8, xdigit>, not_at<name_rest>> {};
struct f64_literal : seq<one<'0'>, one<'d', 'D'>, rep<16, xdigit>, not_at<name_rest>> {};
struct exponent : seq<one<'e', 'E'>, opt<one<'+', '-'>>, plus<digit>> {};
struct whole_and_fraction
    : seq<plus<digit>, sor<seq<one<'.'>, star<digit>, opt<exponent>>, exponent>> {};
struct fraction : seq<one<'.'>, plus<digit>, opt<exponent>> {};
struct decimal_literal : seq<sor<whole_and_fraction, fraction>, not_at<name_rest>> {};
struct integer_literal : seq<sor<seq<one<'0'>, one<'x', 'X'>, hex_digits>,
                                 seq<one<'0'>, one<'b', 'B'>, plus<one<'0', '1'>>>, plus<digit>>,
                             opt<one<'U', 'u'>>, not_at<name_rest>> {};
/// `.word` as a whole: `.reg` is not a prefix of `.region`.
template <char... C>
struct directive : seq<one<'.'>, string<C...>, not_at<name_rest>, sep> {};

// ---- punctuation that must be there ------------------------------------------------------------
struct semicolon : punctuation<';'> {};
struct comma : punctuation<','> {};
struct close_paren : punctuation<')'> {};
struct close_bracket : punctuation<']'> {};
struct close_dimension : punctuation<']'> {};
struct close_vector : punctuation<'}'> {};
struct close_range : punctuation<'>'> {};

// ---- constant expressions ---------------------------------------------------------------------
// PTX ISA, "Constant Expressions": the operators of C, from the tightest to the loosest.
struct warp_size : seq<TAO_PEGTL_STRING("WARP_SZ"), not_at<name_rest>> {};
struct number : sor<f32_literal, f64_literal, decimal_literal, integer_literal, warp_size> {};

struct constant;
struct unary;
struct cast_type : seq<sor<TAO_PEGTL_STRING(".s64"), TAO_PEGTL_STRING(".u64")>, not_at<name_rest>> {
};
struct cast_type_required : token<cast_type> {};
struct cast
    : if_must<seq<one<'('>, sep, at<one<'.'>, alpha>>, cast_type_required, close_paren, unary> {};
struct unary_operator : one<'+', '-', '!', '~'> {};
struct unary_operation : if_must<token<unary_operator>, unary> {};
struct group_open : one<'('> {};
struct group : if_must<token<group_open>, constant, close_paren> {};
struct unary : sor<cast, unary_operation, group, token<number>> {};

template <typename Rule>
struct binary_operator : Rule {};
template <typename Operator, typename Operand>
struct binary_operation : if_must<token<binary_operator<Operator>>, Operand> {};
/// Operators of one precedence, which associate to the left.
template <typename Operand, typename Operator>
struct level : seq<Operand, star<binary_operation<Operator, Operand>>> {};

using product = level<unary, one<'*', '/', '%'>>;
using sum = level<product, one<'+', '-'>>;
using shifted = level<sum, sor<two<'<'>, two<'>'>>>;
using ordered = level<shifted, seq<one<'<', '>'>, opt<one<'='>>>>;
using equal = level<ordered, seq<one<'=', '!'>, one<'='>>>;
using bits_and = level<equal, seq<one<'&'>, not_at<one<'&'>>>>;
using bits_xor = level<bits_and, one<'^'>>;
using bits_or = level<bits_xor, seq<one<'|'>, not_at<one<'|'>>>>;
using logical_and = level<bits_or, two<'&'>>;
using logical_or = level<logical_and, two<'|'>>;

struct question : one<'?'> {};
struct colon : punctuation<':'> {};
struct choice : if_must<token<question>, constant, colon, constant> {};
struct constant : seq<logical_or, opt<choice>> {};
/// Looks ahead: no name begins so.
struct constant_start
    : at<star<sor<seq<one<'('>, sep, one<'.'>, alpha, star<name_rest>, sep, one<')'>>, one<'('>,
                  unary_operator>,
              sep>,
         sor<digit, seq<one<'.'>, digit>, warp_size>> {};

/// What is added to a symbol or a register.
struct added : if_must<punctuation<'+'>, constant> {};
struct subtracted : if_must<punctuation<'-'>, product> {};
struct addends : star<sor<added, subtracted>> {};

// ---- initialisers -----------------------------------------------------------------------------
struct initial_value;
struct initial_open : punctuation<'{'> {};
struct initial_close : punctuation<'}'> {};
struct initial_list
    : if_must<initial_open, seq<opt<list_must<initial_value, comma>>, initial_close>> {};
struct initial_symbol : name_text {};
struct initial_symbol_required : token<initial_symbol> {};
struct initial_generic : seq<string<'g', 'e', 'n', 'e', 'r', 'i', 'c'>, sep, one<'('>> {};
struct initial_generic_value
    : if_must<initial_generic, sep, initial_symbol_required, addends, close_paren, addends> {};
struct initial_symbol_value : seq<token<initial_symbol>, addends> {};
struct initial_mask : seq<integer_literal, at<sep, one<'('>>> {};
struct initial_masked_target : sor<initial_generic_value, initial_symbol_value> {};
struct initial_masked_value : if_must<seq<at<integer_literal, sep, one<'('>>, initial_mask>, sep,
                                      one<'('>, sep, initial_masked_target, close_paren> {};
struct initial_constant : if_must<constant_start, constant> {};
struct initial_value : sor<initial_list, initial_masked_value, initial_constant,
                           seq<at<initial_generic>, initial_generic_value>, initial_symbol_value> {
};
struct initial_value_required : initial_value {};

// ---- variables --------------------------------------------------------------------------------
struct linkage : seq<one<'.'>,
                     sor<TAO_PEGTL_STRING("visible"), TAO_PEGTL_STRING("extern"),
                         TAO_PEGTL_STRING("weak"), TAO_PEGTL_STRING("common")>,
                     not_at<name_rest>> {};
struct space_name
    : seq<sor<TAO_PEGTL_STRING("reg"), TAO_PEGTL_STRING("global"), TAO_PEGTL_STRING("shared"),
              TAO_PEGTL_STRING("const"), TAO_PEGTL_STRING("local"), TAO_PEGTL_STRING("param"),
              TAO_PEGTL_STRING("sreg"), TAO_PEGTL_STRING("tex")>,
          not_at<name_rest>> {};
struct bank : seq<one<'['>, sep, plus<digit>, sep, one<']'>, sep> {};
struct space_keyword : seq<one<'.'>, space_name, sep, opt<bank>> {};

struct align_required : seq<constant> {};
struct align_clause : if_must<directive<'a', 'l', 'i', 'g', 'n'>, align_required> {};
struct attribute_clause
    : if_must<seq<directive<'a', 't', 't', 'r', 'i', 'b', 'u', 't', 'e'>, one<'('>>,
              until<one<')'>>, sep> {};
struct pointer_clause : directive<'p', 't', 'r'> {};
struct type_word : plus<name_rest> {};
struct type_clause : seq<one<'.'>, type_word, sep> {};
struct declaration_clauses
    : star<sor<align_clause, attribute_clause, pointer_clause, type_clause>> {};

struct declared_name : name_text {};
struct declared_name_required : token<declared_name> {};
/// No constant: '>' ends it.
struct range_required : seq<sum> {};
struct range_clause : if_must<punctuation<'<'>, range_required, close_range> {};
struct dimension_value : if_must<constant_start, constant> {};
struct dimension_open : one<'['> {};
struct dimension : if_must<token<dimension_open>, opt<dimension_value>, close_dimension> {};
struct initial_clause : if_must<punctuation<'='>, initial_value_required> {};
struct declarator
    : seq<declared_name_required, opt<range_clause>, star<dimension>, opt<initial_clause>> {};
struct declarators : list_must<declarator, comma> {};
struct variable : if_must<space_keyword, declaration_clauses, declarators, semicolon> {};

// ---- instructions -----------------------------------------------------------------------------
struct operand;
struct operand_list : list_must<operand, comma> {};
struct vector_open : one<'{'> {};
struct vector_operand : if_must<token<vector_open>, opt<operand_list>, close_vector> {};
struct paren_open : one<'('> {};
struct list_operand : if_must<token<paren_open>, opt<operand_list>, close_paren> {};
struct address_open : one<'['> {};
struct address_content : operand_list {};
struct address_operand : if_must<token<address_open>, address_content, close_bracket> {};
struct negation : one<'!'> {};
struct operand_name : seq<name_text, star<one<'.'>, plus<name_rest>>> {};
struct operand_name_required : token<operand_name> {};
struct second_name : operand_name {};
struct second_required : token<second_name> {};
struct second_clause : if_must<punctuation<'|'>, second_required> {};
struct name_operand : seq<token<operand_name>, opt<second_clause>, addends> {};
struct constant_operand : if_must<constant_start, constant> {};
struct negated_operand : if_must<token<negation>, operand_name_required, opt<second_clause>> {};
struct operand
    : sor<constant_operand, name_operand, address_operand, vector_operand, negated_operand> {};
/// Only a call has lists; elsewhere parentheses are those of a constant.
struct call_operand : sor<list_operand, operand> {};

struct guard_not : one<'!'> {};
struct guard_name : name_text {};
struct guard_required : token<guard_name> {};
struct guard : if_must<punctuation<'@'>, opt<token<guard_not>>, guard_required> {};
struct root : seq<alpha, star<name_rest>> {};
struct modifier_word : plus<sor<name_rest, two<':'>>> {};
struct modifier : seq<one<'.'>, modifier_word> {};
struct opcode : seq<root, star<modifier>> {};
struct opcode_required : token<opcode> {};
struct instruction_end : punctuation<';'> {};
struct call_word : at<TAO_PEGTL_STRING("call"), not_at<name_rest>> {};
struct operation : sor<if_must<call_word, opcode_required, opt<list_must<call_operand, comma>>>,
                       if_must<token<opcode>, opt<operand_list>>> {};
struct operation_required : operation {};
struct instruction : sor<if_must<guard, operation_required, instruction_end>,
                         if_must<operation, instruction_end>> {};

// ---- statements -------------------------------------------------------------------------------
struct label_name : name_text {};
struct label : seq<at<name_text, sep, one<':'>>, token<label_name>, punctuation<':'>> {};
struct target_name : name_text {};
struct target_name_required : token<target_name> {};
struct branch_targets_word
    : directive<'b', 'r', 'a', 'n', 'c', 'h', 't', 'a', 'r', 'g', 'e', 't', 's'> {};
struct branch_targets
    : if_must<branch_targets_word, list_must<target_name_required, comma>, semicolon> {};
struct call_info_word
    : sor<directive<'c', 'a', 'l', 'l', 't', 'a', 'r', 'g', 'e', 't', 's'>,
          directive<'c', 'a', 'l', 'l', 'p', 'r', 'o', 't', 'o', 't', 'y', 'p', 'e'>> {};
struct to_semicolon : until<one<';'>> {};
struct call_info : if_must<call_info_word, to_semicolon, sep> {};
struct pragma : if_must<directive<'p', 'r', 'a', 'g', 'm', 'a'>, to_semicolon, sep> {};
struct source_loc : seq<directive<'l', 'o', 'c'>, until<at<eolf>>> {};
struct source_file : seq<directive<'f', 'i', 'l', 'e'>, until<at<eolf>>> {};
struct line_directive : seq<sor<source_loc, source_file>, sep> {};
struct to_brace : until<one<'}'>> {};
struct section : if_must<directive<'s', 'e', 'c', 't', 'i', 'o', 'n'>, to_brace, sep> {};

struct statement;
struct scope_open : one<'{'> {};
struct scope_close : one<'}'> {};
struct scope_close_required : token<scope_close> {};
struct scope : if_must<token<scope_open>, star<statement>, scope_close_required> {};
struct statement : sor<label, instruction, variable, scope, line_directive, branch_targets,
                       call_info, pragma, section, semicolon> {};

// ---- functions --------------------------------------------------------------------------------
struct entry_word : directive<'e', 'n', 't', 'r', 'y'> {};
struct func_word : directive<'f', 'u', 'n', 'c'> {};
struct parameter_name_required : declared_name_required {};
struct parameter
    : if_must<space_keyword, declaration_clauses, parameter_name_required, star<dimension>> {};
struct parameter_open : one<'('> {};
struct parameter_list
    : if_must<token<parameter_open>, opt<list_must<parameter, comma>>, close_paren> {};
struct return_list : parameter_list {};
struct function_name : name_text {};
struct function_name_required : token<function_name> {};
struct function_params : parameter_list {};
struct limit_word
    : seq<not_at<sor<TAO_PEGTL_STRING("pragma"), TAO_PEGTL_STRING("attribute")>>, plus<name_rest>> {
};
struct limit_value : seq<constant> {};
struct limit_values : if_must<constant_start, list_must<limit_value, comma>> {};
struct limit : seq<one<'.'>, limit_word, sep, opt<limit_values>> {};
struct function_body_open : one<'{'> {};
struct function_body_close : one<'}'> {};
struct function_body_close_required : token<function_body_close> {};
struct function_body
    : if_must<token<function_body_open>, star<statement>, function_body_close_required> {};
struct function_end : sor<semicolon, function_body> {};
struct function : if_must<sor<entry_word, func_word>, star<attribute_clause>,
                          star<directive<'n', 'o', 'r', 'e', 't', 'u', 'r', 'n'>>, opt<return_list>,
                          function_name_required, opt<function_params>,
                          star<sor<limit, pragma, attribute_clause>>, function_end> {};

// ---- modules ----------------------------------------------------------------------------------
struct version_number : seq<plus<digit>, one<'.'>, plus<digit>> {};
struct version_required : token<version_number> {};
struct version : if_must<directive<'v', 'e', 'r', 's', 'i', 'o', 'n'>, version_required> {};
struct target_word : plus<name_rest> {};
struct target_required : token<target_word> {};
struct target_words : list_must<target_required, comma> {};
struct target : if_must<directive<'t', 'a', 'r', 'g', 'e', 't'>, target_words> {};
struct address_size_value : plus<digit> {};
struct address_size : if_must<directive<'a', 'd', 'd', 'r', 'e', 's', 's', '_', 's', 'i', 'z', 'e'>,
                              token<address_size_value>> {};
struct alias_name : name_text {};
struct alias_target : name_text {};
struct alias : if_must<directive<'a', 'l', 'i', 'a', 's'>, token<alias_name>, comma,
                       token<alias_target>, semicolon> {};
struct declaration : seq<star<token<linkage>>, sor<function, variable>> {};
struct top_level : sor<declaration, version, target, address_size, alias, line_directive, section,
                       pragma, semicolon> {};
struct end_of_file : eof {};
struct file : must<sep, star<top_level>, end_of_file> {};

// ---- messages ---------------------------------------------------------------------------------
template <typename>
inline constexpr const char* message = nullptr;

template <>
inline constexpr auto message<block_comment_end> = "comment without '*/'";
template <>
inline constexpr auto message<semicolon> = "expected ';'";
template <>
inline constexpr auto message<comma> = "expected ','";
template <>
inline constexpr auto message<close_paren> = "expected ')'";
template <>
inline constexpr auto message<close_bracket> = "expected ']'";
template <>
inline constexpr auto message<close_dimension> = "expected an array size and ']'";
template <>
inline constexpr auto message<close_vector> = "expected '}'";
template <>
inline constexpr auto message<close_range> = "expected '>'";
inline constexpr auto kConstantExpected = "expected a constant";
template <>
inline constexpr auto message<constant> = kConstantExpected;
template <>
inline constexpr auto message<unary> = kConstantExpected;
template <typename Operand, typename Operator>
inline constexpr auto message<level<Operand, Operator>> = kConstantExpected;
template <>
inline constexpr auto message<cast_type_required> = "a constant is cast to .s64 or .u64 only";
template <>
inline constexpr auto message<colon> = "expected ':'";
template <>
inline constexpr auto message<limit_value> = kConstantExpected;
template <>
inline constexpr auto message<initial_close> = "expected ',' or '}'";
template <>
inline constexpr auto message<initial_value> = "expected an initial value";
template <>
inline constexpr auto message<initial_value_required> = "expected an initial value";
template <>
inline constexpr auto message<initial_symbol_required> = "expected a symbol";
template <>
inline constexpr auto message<initial_masked_target> = "expected a symbol";
template <>
inline constexpr auto message<align_required> = "expected an alignment in bytes";
template <>
inline constexpr auto message<declared_name_required> = "expected a name";
template <>
inline constexpr auto message<declarators> = "expected a type and a name";
template <>
inline constexpr auto message<declarator> = "expected a name";
template <>
inline constexpr auto message<range_required> = "expected a number of registers";
template <>
inline constexpr auto message<operand> = "expected an operand";
template <>
inline constexpr auto message<address_content> = "expected an address";
template <>
inline constexpr auto message<operand_name_required> = "expected a predicate register";
template <>
inline constexpr auto message<second_required> = "expected a register";
template <>
inline constexpr auto message<guard_required> = "expected a predicate register";
template <>
inline constexpr auto message<operation_required> = "expected an instruction";
template <>
inline constexpr auto message<opcode_required> = "expected an instruction";
template <>
inline constexpr auto message<instruction_end> = "expected ',' or ';'";
template <>
inline constexpr auto message<target_name_required> = "expected a label";
template <>
inline constexpr auto message<to_semicolon> = "expected ';'";
template <>
inline constexpr auto message<to_brace> = "section without '}'";
template <>
inline constexpr auto message<scope_close_required> =
    "expected an instruction, a declaration or '}'";
template <>
inline constexpr auto message<function_body_close_required> =
    "expected an instruction, a declaration or '}'";
template <>
inline constexpr auto message<parameter> = "expected a parameter";
template <>
inline constexpr auto message<parameter_name_required> = "expected a parameter name";
template <>
inline constexpr auto message<function_name_required> = "expected a function name";
template <>
inline constexpr auto message<function_end> = "expected '{' or ';'";
template <>
inline constexpr auto message<version_required> = "expected a version, as 7.8";
template <>
inline constexpr auto message<target_words> = "expected an architecture, as sm_70";
template <>
inline constexpr auto message<target_required> = "expected an option of the target";
template <>
inline constexpr auto message<end_of_file> = "expected a directive, a function or a variable";

template <>
inline constexpr auto message<call_operand> = "expected an operand";

struct errors {
  // Rules without words of their own are named by what the author of a file can act on.
  template <typename Rule>
  static constexpr const char* message =
      grammar::message<Rule> ? grammar::message<Rule> : "syntax error";
  template <typename Rule>
  static constexpr bool raise_on_failure = false;
};

template <typename Rule>
using control = must_if<errors>::control<Rule>;

}  // namespace paws::ptx::grammar
