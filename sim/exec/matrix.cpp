// SPDX-License-Identifier: MIT
#include "sim/ir/matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "sim/exec/access.h"
#include "sim/exec/families.h"
#include "sim/exec/fault.h"
#include "sim/support/small_float.h"

namespace paws::exec {
namespace {

constexpr unsigned kMostRows = 16;  ///< of a and d
constexpr unsigned kColumns = 8;    ///< of b and d
constexpr unsigned kMostK = 32;

/// A warp works on a matrix as a whole.
void expect_all_lanes(const Decoded& in, const WarpContext& ctx) {
  if (ctx.active == kAllLanes) return;
  fault(in, ctx, -1,
        "'" + ir::to_string(in.ir->op) + "' is executed by " +
            std::to_string(__builtin_popcount(ctx.active)) + " lanes of the warp; it needs all 32");
}

/// Every f16 number as a double.
const std::vector<double>& half_values() {
  static const std::vector<double> values = [] {
    std::vector<double> all(0x10000);
    for (std::uint32_t bits = 0; bits < all.size(); ++bits) {
      all[bits] = Float16{static_cast<std::uint16_t>(bits)}.widen();
    }
    return all;
  }();
  return values;
}

double widen_f32(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// Element `bits` of a matrix of numbers.
double number(ir::Type type, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  switch (type) {
    case ir::Type::f16:
      return half_values()[word & 0xffff];
    case ir::Type::bf16:
      return widen_f32(word << 16);
    case ir::Type::tf32:
      return widen_f32(word & ~std::uint32_t{0x1fff});
    case ir::Type::f32:
      return widen_f32(word);
    default:
      return std::bit_cast<double>(bits);
  }
}

std::int64_t integer(ir::Type type, std::uint64_t bits) {
  switch (type) {
    case ir::Type::s8:
      return static_cast<std::int8_t>(bits);
    case ir::Type::u8:
      return static_cast<std::uint8_t>(bits);
    default:
      return static_cast<std::int32_t>(bits);
  }
}

/// A matrix of at most 16 rows and 32 columns.
template <class T>
struct Matrix {
  std::array<std::array<T, kMostK>, kMostRows> rows;
};
/// b by its columns.
template <class T>
using Columns = std::array<std::array<T, kMostK>, kColumns>;

std::uint64_t lane_bits(const WarpContext& ctx, const Source& source, unsigned lane, bool wide) {
  return wide ? ctx.lanes<std::uint64_t>(source)[lane] : ctx.lanes<std::uint32_t>(source)[lane];
}

/// Calls each(lane, register, element, bits of the element) for `count` registers from src[first].
template <class Each>
void for_elements(const Decoded& in, const WarpContext& ctx, unsigned first, unsigned count,
                  ir::Type type, Each each) {
  const unsigned bits = ir::element_bits(type);
  const unsigned elements = std::max(1U, 32 / bits);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  for (unsigned r = 0; r < count; ++r) {
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      const std::uint64_t all = lane_bits(ctx, in.src[first + r], lane, bits == 64);
      for (unsigned e = 0; e < elements; ++e) each(lane, r, e, all >> (bits * e) & mask);
    }
  }
}

/// d = a * b + c. Of integers the sum is exact; of f64 each product is fused with the sum so far;
/// of shorter numbers products are exact and summed in double precision, c first, then by k. The
/// result is rounded once (docs/reference/simulator.md, "Tensor instructions").
template <class T>
T row_times_column(ir::Type type, const std::array<T, kMostK>& row,
                   const std::array<T, kMostK>& column, T sum, unsigned k) {
  if constexpr (std::is_same_v<T, double>) {
    if (type == ir::Type::f64) {
      for (unsigned i = 0; i < k; ++i) sum = std::fma(row[i], column[i], sum);
      return sum;
    }
  }
  for (unsigned i = 0; i < k; ++i) sum += row[i] * column[i];
  return sum;
}

std::uint64_t result_bits(const ir::Instruction& in, double sum) {
  const bool is_nan = sum != sum;
  switch (in.type) {
    case ir::Type::f16:
      return is_nan ? 0x7fff : Float16::round(sum).bits;
    case ir::Type::f32:
      return is_nan ? 0x7fffffff : std::bit_cast<std::uint32_t>(static_cast<float>(sum));
    default:
      return is_nan ? 0x7ff8000000000000 : std::bit_cast<std::uint64_t>(sum);
  }
}
std::uint64_t result_bits(const ir::Instruction& in, std::int64_t sum) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (in.sat) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
  return static_cast<std::uint32_t>(sum);
}

template <class T>
T element(ir::Type type, std::uint64_t bits) {
  if constexpr (std::is_same_v<T, double>) {
    return number(type, bits);
  } else {
    return integer(type, bits);
  }
}

template <class T>
void mma(const Decoded& in, WarpContext& ctx) {
  expect_all_lanes(in, ctx);
  const ir::Instruction& ir = *in.ir;
  const ir::MatrixRegisters registers = ir::registers_of(ir);
  Matrix<T> a;
  Columns<T> b;
  std::array<std::array<T, kColumns>, kMostRows> c;
  const unsigned a_bits = ir::element_bits(ir.src_type);
  for_elements(in, ctx, 0, registers.a, ir.src_type,
               [&](unsigned lane, unsigned r, unsigned e, std::uint64_t bits) {
                 const ir::Place at = ir::place_in_a(lane, r, e, a_bits);
                 a.rows[at.row][at.column] = element<T>(ir.src_type, bits);
               });
  for_elements(in, ctx, registers.a, registers.b, ir.other_type,
               [&](unsigned lane, unsigned r, unsigned e, std::uint64_t bits) {
                 const ir::Place at = ir::place_in_b(lane, r, e, a_bits);
                 b[at.column][at.row] = element<T>(ir.other_type, bits);
               });
  const unsigned c_bits = ir::element_bits(ir.type);
  for_elements(in, ctx, registers.a + registers.b, registers.c, ir.type,
               [&](unsigned lane, unsigned r, unsigned e, std::uint64_t bits) {
                 const ir::Place at = ir::place_in_c(lane, r, e, c_bits);
                 c[at.row][at.column] = element<T>(ir.type, bits);
               });
  for (unsigned row = 0; row < ir.shape.m; ++row) {
    for (unsigned column = 0; column < ir.shape.n; ++column) {
      T& sum = c[row][column];
      sum = row_times_column(ir.type, a.rows[row], b[column], sum, ir.shape.k);
    }
  }
  const unsigned elements = std::max(1U, 32 / c_bits);
  for (unsigned r = 0; r < registers.c; ++r) {
    if (in.dst[r] == kNoSlot) continue;
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      std::uint64_t all = 0;
      for (unsigned e = 0; e < elements; ++e) {
        const ir::Place at = ir::place_in_c(lane, r, e, c_bits);
        all |= result_bits(ir, c[at.row][at.column]) << (c_bits * e);
      }
      const std::size_t size = c_bits == 64 ? 8 : 4;
      std::memcpy(ctx.base[0] + in.dst[r] + size * lane, &all, size);
    }
  }
}

// Matrices of 8 x 8 elements of 16 bits: lane L has elements 2 * (L % 4) and the next one of row
// L / 4 in its register.
constexpr unsigned kSide = 8;
using Square = std::array<std::array<std::uint16_t, kSide>, kSide>;

std::uint32_t held(const Square& square, unsigned lane, bool transposed) {
  const unsigned row = lane / 4;
  const unsigned column = lane % 4 * 2;
  const std::uint32_t low = transposed ? square[column][row] : square[row][column];
  const std::uint32_t high = transposed ? square[column + 1][row] : square[row][column + 1];
  return high << 16 | low;
}
void put(Square& square, unsigned lane, std::uint32_t value, bool transposed) {
  const unsigned row = lane / 4;
  const unsigned column = lane % 4 * 2;
  (transposed ? square[column][row] : square[row][column]) = static_cast<std::uint16_t>(value);
  (transposed ? square[column + 1][row] : square[row][column + 1]) =
      static_cast<std::uint16_t>(value >> 16);
}

void movmatrix(const Decoded& in, WarpContext& ctx) {
  expect_all_lanes(in, ctx);
  Square square;
  for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
    put(square, lane, ctx.lanes<std::uint32_t>(in.src[0])[lane], false);
  }
  auto* out = reinterpret_cast<std::uint32_t*>(ctx.base[0] + in.dst[0]);
  for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) out[lane] = held(square, lane, true);
}

/// Host pointers to the rows of `vector` matrices: row r of matrix q is where lane 8 * q + r says.
/// The other lanes access what their matrix's lanes do.
std::array<std::byte*, ir::kWarpSize> locate_rows(const Decoded& in, WarpContext& ctx) {
  expect_all_lanes(in, ctx);
  constexpr unsigned kRowBytes = kSide * sizeof(std::uint16_t);
  Outcome& outcome = *ctx.outcome;
  addresses_of(in, ctx, outcome.addresses);
  const unsigned used = kSide * in.ir->vector;
  for (unsigned lane = used; lane < ir::kWarpSize; ++lane) {
    outcome.addresses[lane] = outcome.addresses[lane % used];
  }
  ir::Space space = in.ir->space;
  if (space == ir::Space::generic) space = resolve_generic(ctx, outcome.addresses);
  if (space != ir::Space::shared) fault(in, ctx, -1, "a matrix that is not in shared memory");
  outcome.memory = true;
  outcome.store = in.ir->op == ir::Op::stmatrix;
  outcome.space = space;
  outcome.bytes = kRowBytes;
  std::array<std::byte*, ir::kWarpSize> rows;
  resolve_lanes(in, ctx, space, kRowBytes, outcome.addresses, rows);
  return rows;
}

void ldmatrix(const Decoded& in, WarpContext& ctx) {
  const std::array<std::byte*, ir::kWarpSize> rows = locate_rows(in, ctx);
  for (unsigned q = 0; q < in.ir->vector; ++q) {
    if (in.dst[q] == kNoSlot) continue;
    Square square;
    for (unsigned r = 0; r < kSide; ++r) {
      std::memcpy(square[r].data(), rows[kSide * q + r], sizeof(square[r]));
    }
    auto* out = reinterpret_cast<std::uint32_t*>(ctx.base[0] + in.dst[q]);
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      out[lane] = held(square, lane, in.ir->transposed);
    }
  }
}

void stmatrix(const Decoded& in, WarpContext& ctx) {
  const std::array<std::byte*, ir::kWarpSize> rows = locate_rows(in, ctx);
  for (unsigned q = 0; q < in.ir->vector; ++q) {
    Square square;
    for (unsigned lane = 0; lane < ir::kWarpSize; ++lane) {
      put(square, lane, ctx.lanes<std::uint32_t>(in.src[1 + q])[lane], in.ir->transposed);
    }
    for (unsigned r = 0; r < kSide; ++r) {
      std::memcpy(rows[kSide * q + r], square[r].data(), sizeof(square[r]));
    }
  }
}

}  // namespace

Handler select_matrix(const ir::Instruction& in) {
  switch (in.op) {
    case ir::Op::mma:
      return in.type == ir::Type::s32 ? &mma<std::int64_t> : &mma<double>;
    case ir::Op::movmatrix:
      return &movmatrix;
    case ir::Op::ldmatrix:
      return &ldmatrix;
    case ir::Op::stmatrix:
      return &stmatrix;
    default:
      return nullptr;
  }
}

}  // namespace paws::exec
