// SPDX-License-Identifier: MIT
#include "sim/launch/arguments.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace paws {
namespace {

constexpr unsigned kPointerBytes = 8;
constexpr std::int64_t kMaxPadding = 4096;  // the size of a kernel's parameter block

std::string describe(const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::buffer:
      return "buffer " + in_quotes(argument.buffer);
    case Argument::Kind::typed:
      return to_string(argument.type);
    case Argument::Kind::structure:
      return "struct";
    case Argument::Kind::padding:
      return "padding";
    case Argument::Kind::plain:
      break;
  }
  const bool real = std::holds_alternative<double>(argument.number[0].value);
  return real ? "floating-point number" : "integer";
}

std::string describe(const ir::Param& param) {
  return "parameter " + in_quotes(param.name) + " (." + ir::to_string(param.type) + ", " +
         std::to_string(param.bytes) + " bytes)";
}

bool is_untyped(ir::Type type) {
  return type == ir::Type::b8 || type == ir::Type::b16 || type == ir::Type::b32 ||
         type == ir::Type::b64;
}

bool is_real(ir::Type type) { return type == ir::Type::f32 || type == ir::Type::f64; }

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// Size and alignment of an argument as C++ lays it out. Padding counts bytes without alignment.
struct Extent {
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;
};

Extent extent(const Argument& argument, const Variables& variables) {
  switch (argument.kind) {
    case Argument::Kind::buffer:
      return {kPointerBytes, kPointerBytes};
    case Argument::Kind::typed:
      return {size_of(argument.type), size_of(argument.type)};
    case Argument::Kind::padding: {
      const auto& bytes = std::get<Expression>(argument.number[0].value);
      return {static_cast<std::uint64_t>(bytes.evaluate(variables, "\"pad\"", 1, kMaxPadding)), 1};
    }
    case Argument::Kind::structure: {
      Extent total;
      for (const Argument& member : argument.members) {
        const Extent each = extent(member, variables);
        total.bytes = aligned(total.bytes, each.alignment) + each.bytes;
        total.alignment = std::max(total.alignment, each.alignment);
      }
      total.bytes = aligned(total.bytes, total.alignment);
      return total;
    }
    case Argument::Kind::plain:
      break;
  }
  return {};
}

/// Why `argument` cannot go to `param`; empty when it can. Structures are checked when their sizes
/// are known, in pack_arguments().
std::string mismatch(const Argument& argument, const ir::Param& param) {
  const bool scalar = param.bytes == ir::size_of(param.type);
  switch (argument.kind) {
    case Argument::Kind::buffer:
      if (param.bytes != kPointerBytes) return "an address has 8 bytes";
      if (!scalar || is_real(param.type)) return "an address does not go there";
      return "";
    case Argument::Kind::typed:
      if (param.bytes != size_of(argument.type)) {
        return to_string(argument.type) + " has " + std::to_string(size_of(argument.type)) +
               " bytes";
      }
      if (!is_untyped(param.type) && is_real(param.type) != is_float(argument.type)) {
        return "one is an integer, the other is floating-point";
      }
      return "";
    case Argument::Kind::plain:
      if (!scalar) return "give { struct = [...] }";
      if (std::holds_alternative<double>(argument.number[0].value) && !is_real(param.type)) {
        return is_untyped(param.type) ? "give the type, as in { f32 = 1.5 }"
                                      : "the parameter takes an integer";
      }
      return "";
    case Argument::Kind::structure:
    case Argument::Kind::padding:
      break;
  }
  return "";
}

class Packer {
 public:
  Packer(const Variables& variables, const BufferLookup& buffers)
      : variables_(variables), buffers_(buffers) {}

  /// Writes the argument at `to`. Plain numbers are not for structures and go through plain().
  void write(const Argument& argument, std::byte* to) const {
    switch (argument.kind) {
      case Argument::Kind::buffer: {
        const BufferAddress buffer = buffers_(argument.buffer);
        const auto& offset = std::get<Expression>(argument.number[0].value);
        const std::uint64_t address =
            buffer.address + static_cast<std::uint64_t>(offset.evaluate(
                                 variables_, "\"offset\" into buffer " + in_quotes(argument.buffer),
                                 0, static_cast<std::int64_t>(buffer.bytes) - 1));
        std::memcpy(to, &address, sizeof(address));
        break;
      }
      case Argument::Kind::typed: {
        const std::string cause = store(argument.type, argument.number[0].evaluate(variables_), to);
        if (!cause.empty()) argument.where.fail("argument: " + cause);
        break;
      }
      case Argument::Kind::structure: {
        std::uint64_t offset = 0;
        for (const Argument& member : argument.members) {
          const Extent each = extent(member, variables_);
          offset = aligned(offset, each.alignment);
          write(member, to + offset);
          offset += each.bytes;
        }
        break;
      }
      case Argument::Kind::plain:
      case Argument::Kind::padding:
        break;
    }
  }

  /// A plain number as the parameter's own type. PTX does not tell signed from unsigned: an
  /// integer may be anything that either reading holds.
  void plain(const Argument& argument, const ir::Param& param, std::byte* to) const {
    const Number number = argument.number[0].evaluate(variables_);
    if (is_real(param.type)) {
      const auto type = param.type == ir::Type::f32 ? ElementType::f32 : ElementType::f64;
      const std::string cause = store(type, number, to);
      if (!cause.empty()) argument.where.fail(describe(param) + ": " + cause);
      return;
    }
    const std::int64_t value = std::get<std::int64_t>(number);
    const unsigned bits = 8 * param.bytes;
    if (bits < 64 &&
        (value < -(std::int64_t{1} << (bits - 1)) || value >= (std::int64_t{1} << bits))) {
      argument.where.fail(std::to_string(value) + " does not fit " + describe(param));
    }
    std::memcpy(to, &value, param.bytes);
  }

 private:
  const Variables& variables_;
  const BufferLookup& buffers_;
};

}  // namespace

void check_arguments(const Launch& launch, const Location& where, const ir::Kernel& kernel) {
  if (launch.arguments.size() != kernel.params.size()) {
    where.fail("kernel " + in_quotes(launch.kernel) + " takes " +
               std::to_string(kernel.params.size()) + " arguments, \"args\" has " +
               std::to_string(launch.arguments.size()));
  }
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Argument& argument = launch.arguments[i];
    const std::string cause = mismatch(argument, kernel.params[i]);
    if (!cause.empty()) {
      argument.where.fail("kernel " + in_quotes(launch.kernel) + ": argument " +
                          std::to_string(i + 1) + ", " + describe(argument) + ", does not match " +
                          describe(kernel.params[i]) + ": " + cause);
    }
  }
}

std::vector<std::byte> pack_arguments(const Launch& launch, const ir::Kernel& kernel,
                                      const Variables& variables, const BufferLookup& buffers) {
  std::vector<std::byte> block(kernel.param_bytes);
  const Packer packer(variables, buffers);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const Argument& argument = launch.arguments[i];
    const ir::Param& param = kernel.params[i];
    std::byte* to = block.data() + param.offset;
    if (argument.kind == Argument::Kind::plain) {
      packer.plain(argument, param, to);
      continue;
    }
    const Extent size = extent(argument, variables);
    if (size.bytes != param.bytes) {
      argument.where.fail("kernel " + in_quotes(launch.kernel) + ": argument " +
                          std::to_string(i + 1) + ", " + describe(argument) + " of " +
                          std::to_string(size.bytes) + " bytes, does not match " + describe(param));
    }
    packer.write(argument, to);
  }
  return block;
}

}  // namespace paws
