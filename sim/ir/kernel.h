// SPDX-License-Identifier: MIT
// A kernel as the simulator runs it: PTX after parsing, inlining and symbol resolution, one flat
// list of instructions over virtual registers. The front-end fills it, functional execution and
// the core read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/ir/operations.h"
#include "sim/ir/source_lines.h"
#include "sim/ir/texture.h"

namespace paws::ir {

inline constexpr unsigned kWarpSize = 32;

/// PTX fundamental types (PTX ISA, "Fundamental Types").
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,  ///< an f32 whose low 13 bits of the fraction are zero or do not count
  f32,
  f64
};
unsigned size_of(Type type);  ///< bytes; 0 for none and pred
/// 32-bit machine registers that a virtual register of the type takes; predicates take none.
unsigned machine_registers(Type type);
bool is_signed(Type type);
bool is_float(Type type);
std::string to_string(Type type);

enum class Space : std::uint8_t { none, generic, global, shared, local, constant, param };

/// Generic address windows. A global address is its generic address; shared, local, constant and
/// param addresses are offsets into their window.
inline constexpr std::uint64_t kSharedWindow = 0x0100'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x0200'0000'0000;
inline constexpr std::uint64_t kConstWindow = 0x0300'0000'0000;
inline constexpr std::uint64_t kParamWindow = 0x0400'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0100'0000'0000;
/// A variable of type .texref holds what the handle of a texture object points to
/// (sim/exec/image_descriptor.h), so that its address is a handle.
inline constexpr std::uint64_t kTextureReferenceBytes = 512;
/// Addresses of functions: no memory is there. One for every function of a file, in their order.
inline constexpr std::uint64_t kFunctionBase = 0x0600'0000'0000;
inline constexpr std::uint64_t kFunctionBytes = 16;
/// What kernels allocate with malloc; its lock comes first (sim/exec/device_heap.h).
inline constexpr std::uint64_t kHeapBase = 0x0700'0000'0000;
inline constexpr std::uint64_t kGlobalBase = 0x7f00'0000'0000;  ///< first module variable

enum class Cmp : std::uint8_t {
  none,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
enum class BoolOp : std::uint8_t { none, and_, or_, xor_ };
enum class Round : std::uint8_t {
  none,
  rn,
  rna,  ///< to nearest, ties away from zero
  rz,
  rm,
  rp,  ///< floating-point results
  rni,
  rzi,
  rmi,
  rpi  ///< to integral values
};
enum class MulPart : std::uint8_t { lo, hi, wide };
enum class AtomOp : std::uint8_t {
  none,
  add,
  min,
  max,
  exch,
  cas,
  and_,
  or_,
  xor_,
  inc,
  dec,
  allocate,  ///< malloc: src[1] bytes; gives the address
  release    ///< free: src[1] the address
};
enum class ShflMode : std::uint8_t { up, down, bfly, idx };
enum class VoteMode : std::uint8_t { all, any, uni, ballot };
enum class MatchMode : std::uint8_t { any, all };
enum class ShiftMode : std::uint8_t { wrap, clamp };
enum class PrmtMode : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class TestpMode : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };
enum class TrapCause : std::uint8_t {
  none,        ///< trap, brkpt
  assertion,   ///< __assertfail
  no_function  ///< a call through a pointer to none of the functions that can be meant
};
/// Operations on a barrier object in shared memory (PTX ISA, "mbarrier").
enum class MbarrierMode : std::uint8_t {
  init,
  inval,
  arrive,
  arrive_drop,
  arrive_expect_tx,
  expect_arrival,  ///< one more in this phase
  expect_tx,
  complete_tx,
  test,         ///< test_wait and try_wait of a state
  test_parity,  ///< the same of a phase's parity
  pending_count
};
/// What a warp's asynchronous copies are counted as.
enum class CopyKind : std::uint8_t {
  simple,      ///< copy_async
  bulk_load,   ///< copy_bulk to shared memory
  bulk_store,  ///< copy_bulk to global memory
  bulk_read    ///< the same, done when shared memory has been read
};
inline constexpr unsigned kCopyKinds = 4;
/// Byte or half of a 32-bit operand of a scalar video instruction; none: all of it.
enum class Selector : std::uint8_t { none, b0, b1, b2, b3, h0, h1 };
inline constexpr std::array<std::string_view, 7> kSelectorNames{"",   "b0", "b1", "b2",
                                                                "b3", "h0", "h1"};
enum class BarMode : std::uint8_t { sync, arrive, red_popc, red_and, red_or };

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  dynamic_smem_size,
  total_smem_size
};

/// Whether it tells the time.
constexpr bool is_clock(Special special) {
  return special == Special::clock || special == Special::clock_hi || special == Special::clock64 ||
         special == Special::globaltimer;
}

using RegId = std::uint16_t;
inline constexpr RegId kNoReg = 0xffff;

struct Operand {
  enum class Kind : std::uint8_t { none, reg, imm, special };
  Kind kind = Kind::none;
  bool negated = false;   ///< predicate operand written !%p
  RegId reg = kNoReg;     ///< Kind::reg: index into Kernel::registers
  Special special{};      ///< Kind::special
  std::uint64_t imm = 0;  ///< Kind::imm: raw bits at the operation's width (f32 in the low half)
};

inline constexpr unsigned kMaxDst = 4;
inline constexpr unsigned kMaxSrc = 10;

/// One machine-like instruction.
///
/// Operand order is PTX's. Memory operations: src[0] is the base address (reg, or imm 0 when the
/// address is a constant), `offset` is added to it; st, atom and red have their data from src[1] on
/// (vector elements in order; cas: compare, swap). setp: dst[0] p, dst[1] q (kNoReg if absent),
/// src[2] the predicate combined by bool_op. shfl: dst[1] the predicate. Carry chains: add.cc
/// writes the carry register in dst[1]; addc reads it in src[2] (madc: src[3]).
/// bar: src[0] barrier id, src[1] thread count or none, src[2] the predicate of a reduction.
/// brx: src[0] the index, targets in `table`.
/// call, ret: src[0] where the stack of calls ends, in local memory. call: `target` the function,
/// `reconverge` the pc behind the call, `offset` where the stack may end at most, `other_offset`
/// the place of the function's name in Kernel::called. ret: in `table` the pcs behind its calls.
/// copy_async: src[0] the source in global memory, src[1] the destination in shared memory (b32, at
/// `other_offset`), src[2] the bytes that are read, if not all; `vector` elements of b32.
/// copy_bulk: src[0] and src[1] as of copy_async, src[2] the bytes; `copies` says which way.
/// copy_commit: ends a group of the `copies`. copy_wait: `groups` of their youngest groups may be
/// under way. ldmatrix: `vector` results.
/// stmatrix: src[1..vector] data. mma: registers of a (src_type), b (other_type) and c (type).
/// mbarrier: src[0] its address; src[1], src[2] what the operation takes, dst[0] what it gives.
/// With `after_copies` it takes effect when copies are there, and the warp goes on: arrive waits
/// for all that the warp has issued, complete_tx for the bulk copy before it; neither has a result.
/// trap: of an assertion that has failed, src[0] to src[3] are message, file, line and function.
/// print: src[0] the format, src[1] its arguments; generic addresses. tex, suld, sust, image_query:
/// src[0] the handle, which is the address of an image descriptor (sim/exec/image_descriptor.h);
/// then the layer's number and the coordinates (src_type), as image.shape has them; then of tex
/// level or derivatives (f32), of sust `vector` values.
/// vadd, vsub, vabsdiff, vmin, vmax (scalar video): asel and bsel choose a part of src[0]
/// (src_type) and src[1] (other_type). src[2] is there if `atom` is the second operation, done with
/// it, or if the result replaces the part dsel of it.
struct Instruction {
  Op op = Op::nop;
  Type type = Type::none;      ///< operation type; ld/st: element type; cvt: destination type
  Type src_type = Type::none;  ///< cvt, set, slct, dp4a second type: source type
  Space space = Space::none;   ///< ld, st, atom, red, cvta, isspacep
  Cmp cmp = Cmp::none;
  BoolOp bool_op = BoolOp::none;
  Round round = Round::none;
  MulPart part = MulPart::lo;
  AtomOp atom = AtomOp::none;
  ShflMode shfl{};
  VoteMode vote{};
  MatchMode match{};
  ShiftMode shift{};
  PrmtMode prmt{};
  TestpMode testp{};
  BarMode bar{};
  MbarrierMode mbarrier{};
  CopyKind copies{};
  ImageAccess image{};
  TrapCause trap{};
  Type other_type = Type::none;     ///< mma, scalar video: of b
  Selector dsel{}, asel{}, bsel{};  ///< scalar video
  struct Shape {
    std::uint8_t m = 0, n = 0, k = 0;
  };
  Shape shape{};  ///< mma: d has m rows and n columns, a has k columns
  bool ftz = false, sat = false, approx = false, full = false;
  bool relu = false;     ///< negative results become +0
  bool nan = false;      ///< min, max: a NaN operand gives NaN
  bool xorsign = false;  ///< min, max: of the magnitudes, with the product's sign
  bool carry_in = false, carry_out = false;
  bool after_copies = false;     ///< mbarrier
  bool cvta_to = false;          ///< cvta.to.space (generic to space)
  bool transposed = false;       ///< ldmatrix, stmatrix: .trans
  bool shift_right = false;      ///< shf.r
  bool shift_amount = false;     ///< bfind.shiftamt
  bool uniform = false;          ///< .uni
  bool volatile_access = false;  ///< .volatile, or memory ordering beyond .relaxed on an atomic:
                                 ///< no other access may pass
  bool orders = false;           ///< ld, st, atom, red: .acquire, .release or beyond
  bool read_only = false;        ///< ld.nc, ldu: no thread writes the data while the kernel runs
  bool cache_global = false;     ///< .cg/.cv or relaxed/acquire at gpu scope: bypasses the L1
  std::uint8_t lut = 0;          ///< lop3 immediate
  std::uint8_t vector = 1;       ///< elements of ld, st, pack, unpack, tex, suld, sust
  std::uint8_t groups = 0;       ///< copy_wait

  RegId guard = kNoReg;  ///< predicate register of @p, @!p
  bool guard_negated = false;

  std::array<RegId, kMaxDst> dst{kNoReg, kNoReg, kNoReg, kNoReg};
  std::array<Operand, kMaxSrc> src{};
  std::int64_t offset = 0;
  std::int32_t other_offset = 0;

  std::uint32_t target = 0;          ///< bra, call: pc of the target
  std::vector<std::uint32_t> table;  ///< brx, ret: pcs of the targets
  std::uint32_t reconverge = 0;      ///< bra, brx: pc of the immediate post-dominator, or
                                     ///< Kernel::code.size() when it is the kernel's end
  std::uint32_t line = 0;            ///< line in the PTX file
  std::uint32_t block = 0;           ///< basic block

  // --- set by the front-end's last step (sim/frontend/phases.h) ---
  /// A long-latency operation: a load or a returning atomic of global or local memory (generic
  /// counts as global), and of shared memory under PhaseRule::shared_loads_long.
  bool long_op = false;
  std::uint16_t latency = 1;        ///< cycles, from the GPU's latency table
  std::uint32_t phase = 0;          ///< index into Kernel::phases
  std::uint32_t distance = 0;       ///< cycles from here to the end of the phase, this one included
  std::uint16_t distance_code = 0;  ///< its code (sim/frontend/phase_codes.h), if there are codes
};

struct Register {
  Type type = Type::none;  ///< as declared; pred for predicates and carries
  std::string name;
  /// First of its 32-bit machine registers (sim/frontend/machine_registers.h); kNoReg: none.
  std::uint16_t machine = kNoReg;
};

struct Phase {
  std::uint32_t first = 0;   ///< pc
  std::uint32_t last = 0;    ///< pc, inclusive
  std::uint32_t length = 0;  ///< cycles: distance of the first instruction
  std::uint16_t code = 0;    ///< of the length, if there are codes
};

struct Param {
  std::string name;
  Type type = Type::none;    ///< element type
  std::uint32_t offset = 0;  ///< in the parameter block, aligned as PTX lays it out
  std::uint32_t bytes = 0;
  std::uint32_t align = 1;
};

/// Says that a kernel is the same one as before. No other kernel has its number; a copy, which may
/// be changed, has none, that is 0.
class KernelNumber {
 public:
  KernelNumber() = default;
  KernelNumber(const KernelNumber&) noexcept {}
  KernelNumber(KernelNumber&& other) noexcept : value_(std::exchange(other.value_, 0)) {}
  KernelNumber& operator=(const KernelNumber&) noexcept {
    value_ = 0;
    return *this;
  }
  KernelNumber& operator=(KernelNumber&& other) noexcept {
    value_ = std::exchange(other.value_, 0);
    return *this;
  }
  ~KernelNumber() = default;

  /// Of a kernel whose code is complete.
  static KernelNumber next();
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

struct Kernel {
  KernelNumber number;
  std::string name;
  std::string file;                                 ///< PTX file, for messages
  std::shared_ptr<const SourceLines> source_lines;  ///< of the PTX file; null: none known
  std::uint32_t line = 0;                           ///< of its .entry
  std::vector<Instruction> code;                    ///< in issue order; pc is the index
  std::vector<Register> registers;
  std::vector<Param> params;
  std::uint32_t param_bytes = 0;
  std::uint32_t shared_bytes = 0;          ///< static; dynamic shared memory starts at this offset
  std::uint32_t local_bytes = 0;           ///< per thread
  std::uint32_t registers_per_thread = 0;  ///< 32-bit machine registers, estimated or overridden
  std::uint32_t spilled_registers = 0;     ///< by which the estimate exceeds what it was capped at
  std::string register_bound;              ///< what capped it; empty when nothing is spilled
  bool registers_given = false;            ///< overridden, not estimated
  bool cooperative = false;                ///< its blocks wait for each other: all must be resident
  std::array<std::uint32_t, 3> required_block{0, 0, 0};  ///< .reqntid, 0 when absent
  std::uint32_t max_threads = 0;                         ///< .maxntid product, 0 when absent
  std::vector<std::string> called;                       ///< functions that are not inlined
  std::vector<Phase> phases;                             ///< in program order
  /// Of machine code, what stands at each pc; empty: disassemble() says it in PTX.
  std::vector<std::string> listing;
};

/// A module-scope variable. Global ones have their final address; constant ones an offset into the
/// constant window.
struct Variable {
  std::string name;
  Space space = Space::global;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::vector<std::byte> initial;  ///< empty: zeros; else `bytes` long
};

struct Module {
  std::string file;
  std::vector<Kernel> kernels;        ///< those that were asked for
  std::vector<std::string> entries;   ///< names of all kernels of the file
  std::vector<std::string> warnings;  ///< "file:line: warning: ..." about what was read
  std::vector<Variable> variables;
  // Extents from kGlobalBase and from the start of the constant window, over the variables of this
  // module and of those laid out before it.
  std::uint64_t global_bytes = 0;
  std::uint64_t constant_bytes = 0;

  [[nodiscard]] const Kernel* find(const std::string& kernel) const;
};

}  // namespace paws::ir
