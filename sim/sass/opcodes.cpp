// SPDX-License-Identifier: MIT
#include "sim/sass/opcodes.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "sim/sass/matrix_opcodes.h"
#include "sim/support/suggestion.h"

namespace paws::sass {
namespace {

using ir::Op;
using ir::Space;
using ir::Type;

struct Family {
  Op op = Op::nop;
  Type type = Type::none;
  Type src_type = Type::none;
  Space space = Space::none;
  bool approx = false;
};

using Families = std::map<std::string_view, Family>;

/// Gives all of `names` the same family.
void add(Families& to, std::initializer_list<std::string_view> names, const Family& family) {
  for (const std::string_view name : names) to.emplace(name, family);
}

void add_arithmetic(Families& to) {
  add(to, {"FADD", "FADD32I", "FSWZADD", "RRO"}, {Op::add, Type::f32});
  add(to, {"FMUL", "FMUL32I"}, {Op::mul, Type::f32});
  add(to, {"FFMA", "FFMA32I"}, {Op::fma, Type::f32});
  add(to, {"FMNMX", "FMNMX3"}, {Op::min, Type::f32});
  add(to, {"FSETP", "FCHK"}, {Op::setp, Type::f32});
  add(to, {"FSET"}, {Op::set, Type::f32, Type::f32});
  add(to, {"FSEL"}, {Op::selp, Type::f32});
  add(to, {"FCMP"}, {Op::slct, Type::f32});
  add(to, {"MUFU"}, {Op::ex2, Type::f32, Type::none, Space::none, true});
  add(to, {"HADD2", "HADD2_32I"}, {Op::add, Type::f16x2});
  add(to, {"HMUL2", "HMUL2_32I"}, {Op::mul, Type::f16x2});
  add(to, {"HFMA2", "HFMA2_32I"}, {Op::fma, Type::f16x2});
  add(to, {"HMNMX2"}, {Op::min, Type::f16x2});
  add(to, {"HSETP2"}, {Op::setp, Type::f16x2});
  add(to, {"HSET2"}, {Op::set, Type::f16x2, Type::f16x2});
  add(to, {"DADD"}, {Op::add, Type::f64});
  add(to, {"DMUL"}, {Op::mul, Type::f64});
  add(to, {"DFMA"}, {Op::fma, Type::f64});
  add(to, {"DMNMX"}, {Op::min, Type::f64});
  add(to, {"DSETP"}, {Op::setp, Type::f64});
  add(to, {"DSET"}, {Op::set, Type::u32, Type::f64});
  add(to,
      {"IADD", "IADD3", "IADD32I", "UIADD3", "ISCADD", "ISCADD32I", "LEA", "ULEA", "UCLEA", "VIADD",
       "UVIADD"},
      {Op::add, Type::s32});
  add(to, {"IMAD", "IMAD32I", "UIMAD", "IMUL", "IMUL32I", "XMAD"}, {Op::mad, Type::s32});
  add(to, {"IDP", "IDP4A"}, {Op::dp4a, Type::s32, Type::s32});
  add(to, {"IABS"}, {Op::abs, Type::s32});
  add(to, {"IMNMX", "UIMNMX", "VIMNMX", "UVIMNMX", "VIMNMX3", "VIADDMNMX"}, {Op::min, Type::s32});
  add(to, {"ISETP", "UISETP"}, {Op::setp, Type::s32});
  add(to, {"ISET"}, {Op::set, Type::u32, Type::s32});
  add(to, {"ICMP"}, {Op::slct, Type::b32, Type::s32});
  add(to, {"SEL", "USEL"}, {Op::selp, Type::b32});
  add(to, {"VABSDIFF", "VABSDIFF4"}, {Op::sad, Type::s32});
}

void add_bits_and_moves(Families& to) {
  add(to, {"LOP", "LOP3", "LOP32I", "ULOP", "ULOP3", "ULOP32I"}, {Op::lop3, Type::b32});
  add(to, {"PLOP3", "UPLOP3", "PSETP", "UPSETP", "PSET"}, {Op::and_, Type::pred});
  add(to, {"SHF", "SHL", "SHR", "USHF", "USHL", "USHR"}, {Op::shf, Type::b32});
  add(to, {"BFE", "SGXT", "USGXT"}, {Op::bfe, Type::s32});
  add(to, {"BFI"}, {Op::bfi, Type::b32});
  add(to, {"BMSK", "UBMSK"}, {Op::bmsk, Type::b32});
  add(to, {"BREV", "UBREV"}, {Op::brev, Type::b32});
  add(to, {"FLO", "UFLO"}, {Op::bfind, Type::u32});
  add(to, {"POPC", "UPOPC"}, {Op::popc, Type::b32});
  add(to, {"PRMT", "UPRMT"}, {Op::prmt, Type::b32});
  add(to, {"F2F", "F2FP", "UF2FP", "F2I", "F2IP", "FRND", "I2F", "I2FP"},
      {Op::cvt, Type::f32, Type::f32});
  add(to, {"I2I", "I2IP"}, {Op::cvt, Type::s32, Type::s32});
  add(to, {"MOV",   "MOV32I",      "UMOV",        "S2R",      "S2UR",    "CS2R",  "R2UR", "CS2UR",
           "UR2UP", "UP2UR",       "P2R",         "R2P",      "B2R",     "R2B",   "BMOV", "RPCMOV",
           "LEPC",  "GETLMEMBASE", "SETLMEMBASE", "SETCTAID", "CSMTEST", "PMTRIG"},
      {Op::mov, Type::b32});
  add(to, {"QSPC"}, {Op::isspacep, Type::u32});
  add(to, {"SHFL"}, {Op::shfl, Type::b32});
  add(to, {"VOTE", "VOTEU", "VOTE_VTG", "ELECT"}, {Op::vote, Type::b32});
  add(to, {"MATCH"}, {Op::match, Type::b32});
  add(to, {"REDUX", "CREDUX"}, {Op::redux, Type::s32});
}

void add_memory(Families& to) {
  const auto space = [](Op op, Space of) { return Family{op, Type::none, Type::none, of}; };
  add(to, {"LD"}, space(Op::ld, Space::generic));
  add(to, {"LDG"}, space(Op::ld, Space::global));
  add(to, {"LDL"}, space(Op::ld, Space::local));
  add(to, {"LDS"}, space(Op::ld, Space::shared));
  add(to, {"LDSM"}, space(Op::ldmatrix, Space::shared));
  // Constants come from the constant cache, at a fixed latency. So do textures here: their
  // addresses are not in a trace.
  add(to,
      {"LDC", "ULDC", "TEX", "TEXS", "TLD", "TLDS", "TLD4", "TLD4S", "TXD", "TXQ", "TMML",
       "SUQUERY"},
      space(Op::ld, Space::constant));
  add(to, {"ST"}, space(Op::st, Space::generic));
  add(to, {"STG"}, space(Op::st, Space::global));
  add(to, {"STL"}, space(Op::st, Space::local));
  add(to, {"STS"}, space(Op::st, Space::shared));
  add(to, {"STSM"}, space(Op::stmatrix, Space::shared));
  add(to, {"LDGSTS"}, space(Op::copy_async, Space::global));
  add(to, {"ATOM"}, space(Op::atom, Space::generic));
  add(to, {"ATOMG"}, space(Op::atom, Space::global));
  add(to, {"ATOMS"}, space(Op::atom, Space::shared));
  add(to, {"RED"}, space(Op::red, Space::generic));
  add(to, {"REDG"}, space(Op::red, Space::global));
  add(to, {"CCTL", "CCTLL", "CCTLT", "ERRBAR"}, {Op::prefetch});
  add(to, {"MEMBAR", "FENCE"}, {Op::membar});
  add(to, {"LDGDEPBAR"}, {Op::copy_commit});
  add(to, {"DEPBAR"}, {Op::copy_wait});
}

void add_matrices(Families& to) {
  add(to, {"HMMA", "IMMA", "DMMA", "BMMA"}, {Op::mma});
  add(to, {"MOVM"}, {Op::movmatrix, Type::b32});
}

void add_control(Families& to) {
  add(to, {"BRA", "JMP", "CALL", "CAL", "JCAL", "RET", "SYNC", "BSYNC", "BRK", "CONT", "RTT"},
      {Op::bra});
  add(to, {"BRX", "BRXU", "JMX", "JMXU"}, {Op::brx});
  add(to, {"EXIT", "KILL"}, {Op::exit});
  add(to, {"BPT"}, {Op::trap});
  add(to, {"BAR"}, {Op::bar});
  add(to, {"WARPSYNC"}, {Op::bar_warp});
  add(to,
      {"NOP", "ENDCOLLECTIVE", "BSSY", "SSY", "PBK", "PCNT", "PRET", "BREAK", "YIELD", "NANOSLEEP"},
      {Op::nop});
}

const Families& families() {
  static const Families all = [] {
    Families made;
    add_arithmetic(made);
    add_bits_and_moves(made);
    add_memory(made);
    add_matrices(made);
    add_control(made);
    return made;
  }();
  return all;
}

/// Why an opcode that machines have cannot be timed; empty: it is not one of these.
std::string_view refusal(std::string_view base) {
  static const std::map<std::string_view, std::string_view> refused = [] {
    std::map<std::string_view, std::string_view> made;
    for (const char* name :
         {"QMMA", "OMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA", "UTCHMMA", "UTCIMMA", "UTCQMMA"}) {
      made[name] = "a tensor instruction of later machines, which is not modelled";
    }
    for (const char* name : {"UTMALDG", "UTMASTG", "UTMAREDG", "UTMAPF", "UTMACMDFLUSH", "UBLKCP",
                             "UBLKPF", "UBLKRED"}) {
      made[name] = "a bulk copy, whose barrier object no trace holds";
    }
    for (const char* name : {"SYNCS", "ARRIVES"}) {
      made[name] = "an operation on a barrier object, whose state no trace holds";
    }
    for (const char* name : {"SULD", "SUST", "SUATOM", "SURED"}) {
      made[name] = "a surface access, whose addresses no trace holds";
    }
    return made;
  }();
  const auto found = refused.find(base);
  return found == refused.end() ? std::string_view{} : found->second;
}

/// Bytes that a lane accesses, from the modifiers; 4 if none of them says.
unsigned access_bytes(const Opcode& opcode) {
  static const std::map<std::string_view, unsigned> widths{
      {"8", 1},   {"U8", 1},  {"S8", 1},  {"16", 2},  {"U16", 2},   {"S16", 2},
      {"32", 4},  {"U32", 4}, {"S32", 4}, {"F32", 4}, {"F16x2", 4}, {"64", 8},
      {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}};
  for (const std::string_view word : opcode.words()) {
    const auto found = widths.find(word);
    if (found != widths.end()) return found->second;
  }
  return 4;
}

Type type_of_bytes(unsigned bytes) {
  switch (bytes) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 8:
      return Type::b64;
    case 16:
      return Type::b128;
    default:
      return Type::b32;
  }
}

/// The 64-bit form of an integer or untyped operation.
Type widened(Type type) {
  switch (type) {
    case Type::s32:
      return Type::s64;
    case Type::u32:
      return Type::u64;
    default:
      return Type::b64;
  }
}

void refine_memory(ir::Instruction& operation, const Opcode& opcode) {
  if (operation.space == Space::constant) {
    if (opcode.has("PARAM")) operation.space = Space::param;
    if (opcode.has("F64")) {
      operation.type = Type::f64;
    } else {
      operation.type = opcode.has("64") ? Type::b64 : Type::b32;
    }
    return;
  }
  // Written for STSM (rows_opcode()).
  const bool rows = opcode.has("M88") || opcode.has("MT88");
  if (opcode.base() == "STS" && rows) operation.op = Op::stmatrix;
  if (operation.op == Op::ldmatrix || operation.op == Op::stmatrix) {
    refine_rows(operation, opcode);
    return;
  }
  if (opcode.base() == "ATOMS" && opcode.has("RED")) operation.op = Op::red;
  operation.type = type_of_bytes(access_bytes(opcode));
  operation.cache_global = opcode.has("CG") || opcode.has("CV") || opcode.has("BYPASS") ||
                           (opcode.has("STRONG") && (opcode.has("GPU") || opcode.has("SYS")));
}

/// Subroutines of machine code that are one instruction of ours: `.DIV`, `.RCP`, `.SQRT`, `.RSQRT`
/// behind an opcode of the same type and unit. Says whether it is one.
bool refine_subroutine(ir::Instruction& operation, const Opcode& opcode) {
  const bool host = opcode.base() == "FCHK" || opcode.base() == "DFMA" || opcode.base() == "IMAD";
  if (!host) return false;
  if (opcode.has("DIV")) {
    operation.op = Op::div;
  } else if (opcode.has("RCP")) {
    operation.op = Op::rcp;
  } else if (opcode.has("SQRT")) {
    operation.op = Op::sqrt;
  } else if (opcode.has("RSQRT")) {
    operation.op = Op::rsqrt;
  } else {
    return false;
  }
  operation.approx = opcode.has("APPROX");
  return true;
}

/// What modifiers change about an operation that is no access to memory.
void refine(ir::Instruction& operation, const Opcode& opcode) {
  if (refine_subroutine(operation, opcode)) {
    if (opcode.has("64")) operation.type = widened(operation.type);
    return;
  }
  switch (operation.op) {
    case Op::cvt:
      if (opcode.has("F64")) operation.type = Type::f64;
      if (opcode.has("64") || opcode.has("S64") || opcode.has("U64")) {
        operation.type = widened(operation.type);
      }
      return;
    case Op::add:
      // Written for what machines do by a sign or another mode of the addition; the lanes of
      // sub-cores tell them apart.
      if (opcode.has("NEG")) operation.op = Op::neg;
      if (opcode.has("ABS")) operation.op = Op::abs;
      if (opcode.has("CPSGN")) operation.op = Op::copysign;
      if (opcode.has("MNMX")) operation.op = Op::min;
      break;
    case Op::mad:
      // Moves, additions and shifts that the machine does in the multiplier.
      if (opcode.has("MOV")) {
        operation.op = Op::mov;
        operation.type = Type::b32;
      } else if (opcode.has("IADD")) {
        operation.op = Op::add;
      } else if (opcode.has("SHL")) {
        operation.op = Op::shf;
        operation.type = Type::b32;
      }
      break;
    case Op::vote:
      if (opcode.has("ACTIVEMASK")) operation.op = Op::activemask;
      break;
    case Op::setp:
      // A result in a register, not in a predicate: an integer or 1.0.
      if (operation.type == Type::f64 && opcode.has("SET")) {
        operation.op = Op::set;
        operation.src_type = Type::f64;
        operation.type = opcode.has("F32") ? Type::f32 : Type::u32;
        return;
      }
      break;
    case Op::mov:
      if (opcode.has("F64")) {
        operation.type = Type::f64;
        return;
      }
      break;
    case Op::bar:
      if (opcode.has("ARV")) operation.bar = ir::BarMode::arrive;
      if (opcode.has("RED")) operation.bar = ir::BarMode::red_popc;
      return;
    case Op::mma:
      refine_product(operation, opcode);
      return;
    default:
      break;
  }
  const bool whole = operation.type != Type::none && !ir::is_float(operation.type);
  if (whole && opcode.has("64")) operation.type = widened(operation.type);
}

// --- opcodes of our own instructions ---

bool is_f64(const ir::Instruction& in) { return in.type == Type::f64 || in.src_type == Type::f64; }

/// `.64` behind an integer operation on 64 bits.
std::string sized(const std::string& base, Type type) {
  return ir::size_of(type) == 8 && !ir::is_float(type) ? base + ".64" : base;
}

/// Of an operation that integers, half, single and double precision have.
std::string by_type(Type type, const char* whole, const char* half, const char* single,
                    const char* twice) {
  if (type == Type::f64) return twice;
  if (type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2) {
    return half;
  }
  if (type == Type::f32) return single;
  return sized(whole, type);
}

std::string move_of(const ir::Instruction& in) {
  return is_f64(in) ? "MOV.F64" : sized("MOV", in.type);
}

std::string conversion_of(const ir::Instruction& in) {
  const bool to_float = ir::is_float(in.type);
  const bool from_float = ir::is_float(in.src_type);
  std::string base = to_float ? "I2F" : "I2I";
  if (from_float) base = to_float ? "F2F" : "F2I";
  if (is_f64(in)) return base + ".F64";
  const bool wide = ir::size_of(in.type) == 8 || ir::size_of(in.src_type) == 8;
  return !to_float && !from_float && wide ? base + ".64" : base;
}

std::string division_of(const ir::Instruction& in) {
  if (in.type == Type::f64) return "DFMA.DIV";
  if (in.approx || in.full) return "MUFU.DIV";
  return by_type(in.type, "IMAD.DIV", "FCHK.DIV", "FCHK.DIV", "DFMA.DIV");
}

std::string root_of(const ir::Instruction& in) {
  const bool reciprocal = in.op == Op::rcp;
  if (in.type == Type::f64) {
    return std::string(reciprocal ? "DFMA.RCP" : "DFMA.SQRT") + (in.approx ? ".APPROX" : "");
  }
  if (in.approx) return reciprocal ? "MUFU.RCP" : "MUFU.SQRT";
  return reciprocal ? "FCHK.RCP" : "FCHK.SQRT";
}

std::string special_of(const ir::Instruction& in) {
  if (is_f64(in)) return "DFMA.RSQRT.APPROX";
  switch (in.op) {
    case Op::lg2:
      return "MUFU.LG2";
    case Op::sin:
      return "MUFU.SIN";
    case Op::cos:
      return "MUFU.COS";
    case Op::tanh:
      return "MUFU.TANH";
    case Op::rsqrt:
      return "MUFU.RSQ";
    default:
      return "MUFU.EX2";
  }
}

std::string compare_and_set_of(const ir::Instruction& in) {
  if (is_f64(in)) return in.type == Type::f32 ? "DSETP.SET.F32" : "DSETP.SET";
  return by_type(in.type, "SEL", "HSET2", "FSET", "DSETP.SET");
}

const char* name_of(ir::AtomOp op) {
  switch (op) {
    case ir::AtomOp::min:
      return ".MIN";
    case ir::AtomOp::max:
      return ".MAX";
    case ir::AtomOp::exch:
      return ".EXCH";
    case ir::AtomOp::cas:
      return ".CAS";
    case ir::AtomOp::and_:
      return ".AND";
    case ir::AtomOp::or_:
      return ".OR";
    case ir::AtomOp::xor_:
      return ".XOR";
    case ir::AtomOp::inc:
      return ".INC";
    case ir::AtomOp::dec:
      return ".DEC";
    default:
      return ".ADD";
  }
}

const char* width_of(unsigned bytes) {
  switch (bytes) {
    case 1:
      return ".U8";
    case 2:
      return ".U16";
    case 8:
      return ".64";
    case 16:
      return ".128";
    default:
      return "";
  }
}

const char* memory_base(Op op, Space space) {
  const auto choose = [space](const char* generic, const char* global, const char* shared,
                              const char* local) {
    if (space == Space::global) return global;
    if (space == Space::shared) return shared;
    return space == Space::local ? local : generic;
  };
  switch (op) {
    case Op::ld:
      return choose("LD", "LDG", "LDS", "LDL");
    case Op::st:
      return choose("ST", "STG", "STS", "STL");
    case Op::atom:
      return choose("ATOM", "ATOMG", "ATOMS", "ATOM");
    default:
      return choose("RED", "RED", "ATOMS.RED", "RED");
  }
}

std::string memory_opcode(const ir::Instruction& in) {
  if (in.space == Space::param || in.space == Space::constant) {
    std::string text = in.space == Space::param ? "LDC.PARAM" : "LDC";
    if (in.type == Type::f64) return text + ".F64";
    return sized(text, in.type);
  }
  std::string text = memory_base(in.op, in.space);
  if (in.space == Space::global || in.space == Space::generic) text += ".E";
  if (in.op == Op::atom || in.op == Op::red) text += name_of(in.atom);
  text += width_of(in.vector * ir::size_of(in.type));
  if (in.cache_global || in.volatile_access) text += ".STRONG.GPU";
  return text;
}

std::string copy_opcode(const ir::Instruction& in) {
  return std::string("LDGSTS.E") + (in.cache_global ? ".BYPASS" : "") + width_of(lane_bytes(in));
}

}  // namespace

Opcode::Opcode(std::string_view text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    words_.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

bool Opcode::has(std::string_view modifier) const {
  return std::find(words_.begin() + 1, words_.end(), modifier) != words_.end();
}

ir::Instruction operation_of(const Opcode& opcode) {
  const std::string_view base = opcode.base();
  const auto found = families().find(base);
  if (found == families().end()) {
    if (const std::string_view why = refusal(base); !why.empty()) {
      throw std::invalid_argument("opcode " + std::string(base) + " is " + std::string(why));
    }
    std::vector<std::string> known;
    for (const auto& [name, family] : families()) known.emplace_back(name);
    const std::string hint = suggestion(base, known);
    throw std::invalid_argument("opcode '" + std::string(base) + "' is not known" +
                                (hint.find("mean") == std::string::npos ? "" : hint));
  }
  const Family& family = found->second;
  ir::Instruction operation;
  operation.op = family.op;
  operation.type = family.type;
  operation.src_type = family.src_type;
  operation.space = family.space;
  operation.approx = family.approx;
  if (operation.space == Space::none) {
    refine(operation, opcode);
  } else {
    refine_memory(operation, opcode);
  }
  return operation;
}

bool has_addresses(const ir::Instruction& operation) {
  switch (operation.op) {
    case Op::ld:
    case Op::st:
    case Op::atom:
    case Op::red:
      return operation.space != Space::constant && operation.space != Space::param;
    case Op::copy_async:
    case Op::ldmatrix:
    case Op::stmatrix:
      return true;
    default:
      return false;
  }
}

unsigned lane_bytes(const ir::Instruction& operation) {
  constexpr unsigned kRowBytes = 16;  // of a matrix, which each lane names one of
  const bool rows = operation.op == Op::ldmatrix || operation.op == Op::stmatrix;
  return rows ? kRowBytes : operation.vector * ir::size_of(operation.type);
}

bool ends_lanes(const ir::Instruction& operation) { return operation.op == Op::exit; }

std::string opcode_of(const ir::Instruction& in) {
  if (in.atom == ir::AtomOp::allocate || in.atom == ir::AtomOp::release) return "";
  switch (in.op) {
    case Op::add:
    case Op::sub:
      return by_type(in.type, "IADD3", "HADD2", "FADD", "DADD");
    case Op::neg:
      return by_type(in.type, "IADD3", "HADD2.NEG", "FADD.NEG", "DADD");
    case Op::abs:
      return by_type(in.type, "IABS", "HADD2.ABS", "FADD.ABS", "DADD");
    case Op::copysign:
      return by_type(in.type, "LOP3", "HADD2.CPSGN", "FADD.CPSGN", "DADD");
    case Op::min:
    case Op::max:
      return by_type(in.type, "IMNMX", "HADD2.MNMX", "FMNMX", "DADD.MNMX");
    case Op::mul:
    case Op::mul24:
      return by_type(in.type, "IMAD", "HMUL2", "FMUL", "DMUL");
    case Op::mad:
    case Op::mad24:
      return by_type(in.type, "IMAD", "HFMA2", "FFMA", "DFMA");
    case Op::fma:
      return by_type(in.type, "IADD3", "HFMA2", "FFMA", "DFMA");
    case Op::div:
    case Op::rem:
      return division_of(in);
    case Op::rcp:
    case Op::sqrt:
      return root_of(in);
    case Op::rsqrt:
    case Op::ex2:
    case Op::lg2:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
      return special_of(in);
    case Op::setp:
    case Op::testp:
      return by_type(in.type, "ISETP", "HSETP2", "FSETP", "DSETP");
    case Op::set:
      return compare_and_set_of(in);
    case Op::selp:
    case Op::slct:
      return by_type(in.type, "SEL", "FSEL", "FSEL", "DADD.SEL");
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::not_:
    case Op::cnot:
    case Op::lop3:
      return in.type == Type::pred ? "PLOP3" : sized("LOP3", in.type);
    case Op::isspacep:
      return sized("QSPC", in.type);
    case Op::sad:
    case Op::vadd:
    case Op::vsub:
    case Op::vabsdiff:
    case Op::vmin:
    case Op::vmax:
      return sized("VABSDIFF", in.type);
    case Op::shl:
    case Op::shr:
    case Op::shf:
      return sized("SHF", in.type);
    case Op::bfe:
    case Op::szext:
      return sized("SGXT", in.type);
    case Op::bfi:
      return sized("SHF.BFI", in.type);
    case Op::bfind:
    case Op::clz:
      return sized("FLO", in.type);
    case Op::brev:
      return sized("BREV", in.type);
    case Op::popc:
      return sized("POPC", in.type);
    case Op::prmt:
      return sized("PRMT", in.type);
    case Op::fns:
      return sized("POPC.FNS", in.type);
    case Op::bmsk:
      return sized("BMSK", in.type);
    case Op::dp4a:
    case Op::dp2a:
      return sized("IDP", in.type);
    case Op::mov:
    case Op::cvta:
    case Op::pack:
    case Op::unpack:
      return move_of(in);
    case Op::cvt:
      return conversion_of(in);
    case Op::shfl:
      return sized("SHFL", in.type);
    case Op::vote:
      return sized("VOTE", in.type);
    case Op::activemask:
      return sized("VOTE.ACTIVEMASK", in.type);
    case Op::match:
      return sized("MATCH", in.type);
    case Op::redux:
      return sized("REDUX", in.type);
    case Op::ld:
    case Op::st:
    case Op::atom:
    case Op::red:
      return memory_opcode(in);
    case Op::prefetch:
      return "CCTL.PF";
    case Op::membar:
      return "MEMBAR.SC.GPU";
    case Op::bar_warp:
      return "WARPSYNC";
    case Op::bra:
      return "BRA";
    case Op::brx:
      return "BRX";
    case Op::exit:
      return "EXIT";
    case Op::trap:
      return "BPT.TRAP";
    case Op::nop:
      return "NOP";
    case Op::bar:
      if (in.bar == ir::BarMode::sync) return "BAR.SYNC";
      return in.bar == ir::BarMode::arrive ? "BAR.ARV" : "BAR.RED";
    case Op::copy_async:
      return copy_opcode(in);
    case Op::copy_commit:
      return in.copies == ir::CopyKind::simple ? "LDGDEPBAR" : "";
    case Op::copy_wait:
      return in.copies == ir::CopyKind::simple ? "DEPBAR.LE" : "";
    case Op::ldmatrix:
    case Op::stmatrix:
      return rows_opcode(in);
    case Op::movmatrix:
      return "MOVM.16.MT88";
    case Op::mma:
      return product_opcode(in);
    case Op::copy_bulk:
    case Op::mbarrier:
    case Op::print:
    case Op::tex:
    case Op::suld:
    case Op::sust:
    case Op::image_query:
    case Op::call:
    case Op::ret:
      return "";
  }
  throw std::logic_error("an operation without an opcode");
}

}  // namespace paws::sass
