// SPDX-License-Identifier: MIT
#include "sim/launch/arguments.h"

#include <cstring>
#include <optional>

namespace paws {
namespace {

std::string describe(const ir::Param& param) {
  return "parameter " + in_quotes(param.name) + " (." + ir::to_string(param.type) + ", " +
         std::to_string(param.bytes) + " bytes)";
}

bool is_untyped(ir::Type type) {
  return type == ir::Type::b8 || type == ir::Type::b16 || type == ir::Type::b32 ||
         type == ir::Type::b64;
}

/// The floating-point type of a parameter; nothing when it has none.
std::optional<ElementType> real_type(ir::Type type) {
  switch (type) {
    case ir::Type::f16:
      return ElementType::f16;
    case ir::Type::f32:
      return ElementType::f32;
    case ir::Type::f64:
      return ElementType::f64;
    default:
      return std::nullopt;
  }
}

/// Why a number of `type` cannot go to `param`; empty when it can.
std::string typed_mismatch(ElementType type, const ir::Param& param) {
  if (param.bytes != size_of(type)) {
    return to_string(type) + " has " + std::to_string(size_of(type)) + " bytes";
  }
  if (is_untyped(param.type)) return "";
  const std::optional<ElementType> real = real_type(param.type);
  if (real.has_value() != is_float(type)) {
    return "one is an integer, the other is floating-point";
  }
  return real && *real != type ? "the formats differ" : "";
}

/// Why `argument` cannot go to `param`; empty when it can. Structures are checked when their sizes
/// are known, in pack_arguments().
std::string mismatch(const Datum& argument, const ir::Param& param) {
  const bool scalar = param.bytes == ir::size_of(param.type);
  switch (argument.kind) {
    case Datum::Kind::address:
      if (param.bytes != kPointerBytes) return "an address has 8 bytes";
      if (!scalar || real_type(param.type)) return "an address does not go there";
      return "";
    case Datum::Kind::typed:
      return typed_mismatch(argument.type, param);
    case Datum::Kind::plain:
      if (!scalar) return "give { struct = [...] }";
      if (argument.bits) return "";
      if (std::holds_alternative<double>(argument.number[0].value) && !real_type(param.type)) {
        return is_untyped(param.type) ? "give the type, as in { f32 = 1.5 }"
                                      : "the parameter takes an integer";
      }
      return "";
    case Datum::Kind::structure:
    case Datum::Kind::padding:
      break;
  }
  return "";
}

/// A plain number as the parameter's own type, or its raw bits. PTX does not tell signed from
/// unsigned: an integer may be anything that either reading holds.
void write_plain(const Datum& argument, const ir::Param& param, const Variables& variables,
                 std::byte* to) {
  const unsigned bits = 8 * param.bytes;
  if (argument.bits) {
    if (bits < 64 && *argument.bits >> bits != 0) {
      argument.where.fail(format_bits(*argument.bits) + " does not fit " + describe(param));
    }
    std::memcpy(to, &*argument.bits, param.bytes);
    return;
  }
  const Number number = argument.number[0].evaluate(variables);
  if (const auto type = real_type(param.type)) {
    const std::string cause = store(*type, number, to);
    if (!cause.empty()) argument.where.fail(describe(param) + ": " + cause);
    return;
  }
  const std::int64_t value = std::get<std::int64_t>(number);
  if (bits < 64 &&
      (value < -(std::int64_t{1} << (bits - 1)) || value >= (std::int64_t{1} << bits))) {
    argument.where.fail(std::to_string(value) + " does not fit " + describe(param));
  }
  std::memcpy(to, &value, param.bytes);
}

}  // namespace

void check_arguments(const LaunchStep& launch, const Location& where, const ir::Kernel& kernel) {
  if (launch.arguments.size() != kernel.params.size()) {
    where.fail("kernel " + in_quotes(launch.kernel) + " takes " +
               std::to_string(kernel.params.size()) + " arguments, \"args\" has " +
               std::to_string(launch.arguments.size()));
  }
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Datum& argument = launch.arguments[i];
    const std::string cause = mismatch(argument, kernel.params[i]);
    if (!cause.empty()) {
      argument.where.fail("kernel " + in_quotes(launch.kernel) + ": argument " +
                          std::to_string(i + 1) + ", " + describe(argument) + ", does not match " +
                          describe(kernel.params[i]) + ": " + cause);
    }
  }
}

std::vector<std::byte> pack_arguments(const LaunchStep& launch, const ir::Kernel& kernel,
                                      const Variables& variables, const BufferLookup& buffers) {
  std::vector<std::byte> block(kernel.param_bytes);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Datum& argument = launch.arguments[i];
    const ir::Param& param = kernel.params[i];
    std::byte* to = block.data() + param.offset;
    if (argument.kind == Datum::Kind::plain) {
      write_plain(argument, param, variables, to);
      continue;
    }
    const Extent size = extent(argument, variables);
    if (size.bytes != param.bytes) {
      argument.where.fail("kernel " + in_quotes(launch.kernel) + ": argument " +
                          std::to_string(i + 1) + ", " + describe(argument) + " of " +
                          std::to_string(size.bytes) + " bytes, does not match " + describe(param));
    }
    write_datum(argument, variables, buffers, to);
  }
  return block;
}

}  // namespace paws
