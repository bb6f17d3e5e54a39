// SPDX-License-Identifier: MIT
// Operation roots, and the facts that operations.def has about each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace paws::ir {

/// Operation roots. Types, modifiers and operands are fields of Instruction.
enum class Op : std::uint8_t {
#define PAWS_OP(op, ...) op,
#include "sim/ir/operations.def"
#undef PAWS_OP
};
inline constexpr std::size_t kOps = static_cast<std::size_t>(Op::nop) + 1;
std::string to_string(Op op);

/// Types of dst[0], dst[1], ...
enum class Results : std::uint8_t {
  none,
  value,            ///< the operation type
  arithmetic,       ///< the operation type, twice as wide with .wide; then a carry
  predicate,        ///< one
  predicates,       ///< two
  value_predicate,  ///< the operation type; then a predicate
  bits_predicate,   ///< b32; then, of MatchMode::all, a predicate
  combined,         ///< the operation type; then, with a BoolOp, a predicate
  bits,             ///< b32
  count,            ///< u32
  elements,         ///< `vector` of the operation type
  parts,            ///< `vector` equal parts of the operation type
  rows,             ///< `vector` of b32
  matrix,
  vote,      ///< by VoteMode
  mbarrier,  ///< by MbarrierMode
  barrier    ///< by BarMode
};

/// Whether what computes the operation writes dst[0] without asking whether it is there.
enum class First : std::uint8_t { needed, optional };

/// Types of src[0], src[1], ...
enum class Sources : std::uint8_t {
  value,          ///< the operation type
  carry,          ///< the operation type; third a predicate
  product,        ///< the operation type, third as wide as the result; fourth a predicate
  shift,          ///< the operation type; then u32
  funnel,         ///< the operation type; third u32
  insert,         ///< twice the operation type; then u32
  chosen,         ///< twice the operation type; then a predicate
  compared,       ///< twice the source type; then a predicate
  by_sign,        ///< twice the operation type; then the source type
  dot,            ///< the operation type; second the source type
  mixed,          ///< the source type, the other type, the operation type
  source,         ///< the source type
  parts,          ///< `vector` equal parts of the operation type
  address,        ///< u64
  address_value,  ///< u64; then the operation type
  address_bits,   ///< u64; then b32
  lanes,          ///< the operation type; then b32
  vote,           ///< a predicate; then b32
  bits,           ///< b32
  index,          ///< u32
  image,
  matrix,
  mbarrier,   ///< by MbarrierMode
  assertion,  ///< of trap
  barrier     ///< twice u32; then a predicate
};

/// In the column of sources that the operation has in any case, a predicate for a BoolOp not
/// counted: modifiers decide.
inline constexpr std::uint8_t by_form = 0xff;

/// Which sources may be constants in machine code, where one is known.
enum class Constants : std::uint8_t {
  none,
  any,
  second,   ///< those that are no predicates, if there are two or more: of one value it would have
            ///< been folded
  address,  ///< the first
  stored,   ///< the first; the others if they are 0
  not_first,  ///< all but the first
  zero        ///< those that are 0
};

/// Line of the GPU's table of latencies (keys frontend.latency.*).
enum class Latency : std::uint8_t {
  arithmetic,  ///< by type and width
  multiply,    ///< the same, with rows of their own for integers
  divide,
  root,  ///< of the divider, with .approx of the special function unit
  special,
  conversion,
  move,
  warp,
  matrix,
  load,
  store,
  branch,
  barrier
};

/// What a unit of the core does for it: decides unit and interval (sim/core/timed_kernel.cpp).
enum class Work : std::uint8_t {
  simple,
  add,  ///< also fma: in floating point the multiplier of a sub-core does it
  multiply,
  divide,
  special,
  conversion,
  half,   ///< at half the rate of simple ones
  count,  ///< the same, of a sub-core in the special function unit
  exchange,
  tensor,
  memory  ///< of the load/store unit, unless parameters or constants are meant
};

/// What it does at the address, or with the image, in src[0].
enum class Memory : std::uint8_t { none, load, store, atomic, hint, copy, fetch, put };

/// Whether more than its results shows that it has run.
enum class Effect : std::uint8_t { pure, acts };

/// What follows it: `order`: no access to memory passes it.
enum class Flow : std::uint8_t { next, order, branch, end, trap };

/// What it needs of the warp's other lanes: nothing; which are there (`seen`); the members of a
/// mask that is the first, second or fourth source; all.
enum class Lanes : std::uint8_t { own, seen, first, second, fourth, all };

struct OpFacts {
  const char* name;
  Results results;
  First first;
  Sources sources;
  std::uint8_t count;
  Constants constants;
  Latency latency;
  Work work;
  Memory memory;
  Effect effect;
  Flow flow;
  Lanes lanes;
};

inline constexpr std::array<OpFacts, kOps> kOpFacts{{
#define PAWS_OP(op, name, results, first, sources, count, constants, latency, work, memory, \
                effect, flow, lanes)                                                        \
  OpFacts{name,           Results::results,     First::first,     Sources::sources,         \
          count,          Constants::constants, Latency::latency, Work::work,               \
          Memory::memory, Effect::effect,       Flow::flow,       Lanes::lanes},
#include "sim/ir/operations.def"
#undef PAWS_OP
}};

constexpr const OpFacts& facts(Op op) { return kOpFacts[static_cast<std::size_t>(op)]; }

/// Whether the operation reads or writes texels of a texture or surface.
constexpr bool touches_texels(Op op) {
  return facts(op).memory == Memory::fetch || facts(op).memory == Memory::put;
}
/// Whether src[0] is the address of bytes of memory, to which Instruction::offset is added.
constexpr bool has_address(Op op) {
  return facts(op).memory != Memory::none && !touches_texels(op);
}
/// Whether it reads or writes memory itself, not by the way of a copy.
constexpr bool accesses_memory(Op op) {
  const Memory memory = facts(op).memory;
  return memory == Memory::load || memory == Memory::store || memory == Memory::atomic;
}
/// Whether what it gives comes from memory.
constexpr bool returns_data(Op op) {
  return facts(op).memory == Memory::load || facts(op).memory == Memory::fetch || op == Op::atom;
}
/// Whether it writes memory or texels and returns nothing; reductions are none of these.
constexpr bool stores_data(Op op) {
  return facts(op).memory == Memory::store || facts(op).memory == Memory::put;
}
/// Whether it may go on elsewhere than at the next instruction, or not at all.
constexpr bool transfers_control(Op op) {
  const Flow flow = facts(op).flow;
  return flow == Flow::branch || flow == Flow::end || flow == Flow::trap;
}
/// Whether lanes of a warp learn of each other by it.
constexpr bool exchanges_lanes(Op op) {
  return facts(op).lanes != Lanes::own && facts(op).flow != Flow::order;
}
/// Whether dst[1] is a second result that may be absent.
constexpr bool has_pair(Op op) {
  const Results results = facts(op).results;
  return results == Results::predicates || results == Results::value_predicate ||
         results == Results::bits_predicate || results == Results::combined;
}

}  // namespace paws::ir
