// SPDX-License-Identifier: MIT
#include "sim/launch/datum.h"

#include <algorithm>
#include <cstring>

namespace paws {
namespace {

constexpr std::int64_t kMaxPadding = 4096;  // the size of a kernel's parameter block

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

void for_each_address(const Datum& datum, const std::function<void(const Datum&)>& visit) {
  if (datum.kind == Datum::Kind::address) visit(datum);
  for (const Datum& member : datum.members) for_each_address(member, visit);
}

std::string describe(const Datum& datum) {
  switch (datum.kind) {
    case Datum::Kind::address:
      return "buffer " + in_quotes(datum.buffer);
    case Datum::Kind::typed:
      return to_string(datum.type);
    case Datum::Kind::structure:
      return "struct";
    case Datum::Kind::padding:
      return "padding";
    case Datum::Kind::plain:
      break;
  }
  if (datum.bits) return "bits";
  const bool real = std::holds_alternative<double>(datum.number[0].value);
  return real ? "floating-point number" : "integer";
}

Extent extent(const Datum& datum, const Variables& variables) {
  switch (datum.kind) {
    case Datum::Kind::address:
      return {kPointerBytes, kPointerBytes};
    case Datum::Kind::typed:
      return {size_of(datum.type), size_of(datum.type)};
    case Datum::Kind::padding: {
      const auto& bytes = std::get<Expression>(datum.number[0].value);
      return {static_cast<std::uint64_t>(bytes.evaluate(variables, "\"pad\"", 1, kMaxPadding)), 1};
    }
    case Datum::Kind::structure: {
      Extent total;
      for (const Datum& member : datum.members) {
        const Extent each = extent(member, variables);
        total.bytes = aligned(total.bytes, each.alignment) + each.bytes;
        total.alignment = std::max(total.alignment, each.alignment);
      }
      total.bytes = aligned(total.bytes, total.alignment);
      return total;
    }
    case Datum::Kind::plain:
      break;
  }
  return {};
}

std::uint64_t address_of(const Datum& datum, const Variables& variables,
                         const BufferLookup& buffers) {
  const BufferAddress buffer = buffers(datum.buffer);
  const auto& offset = std::get<Expression>(datum.number[0].value);
  return buffer.address +
         static_cast<std::uint64_t>(offset.evaluate(
             variables, "\"offset\" in bytes into buffer " + in_quotes(datum.buffer), 0,
             static_cast<std::int64_t>(buffer.bytes)));
}

void write_datum(const Datum& datum, const Variables& variables, const BufferLookup& buffers,
                 std::byte* to) {
  switch (datum.kind) {
    case Datum::Kind::address: {
      const std::uint64_t address = address_of(datum, variables, buffers);
      std::memcpy(to, &address, sizeof(address));
      break;
    }
    case Datum::Kind::typed: {
      const std::string cause = datum.bits
                                    ? store_bits(datum.type, *datum.bits, to)
                                    : store(datum.type, datum.number[0].evaluate(variables), to);
      if (!cause.empty()) datum.where.fail(cause);
      break;
    }
    case Datum::Kind::structure: {
      std::uint64_t offset = 0;
      for (const Datum& member : datum.members) {
        const Extent each = extent(member, variables);
        offset = aligned(offset, each.alignment);
        write_datum(member, variables, buffers, to + offset);
        offset += each.bytes;
      }
      break;
    }
    case Datum::Kind::plain:
    case Datum::Kind::padding:
      break;
  }
}

}  // namespace paws
