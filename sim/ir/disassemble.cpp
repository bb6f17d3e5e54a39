// SPDX-License-Identifier: MIT
#include "sim/ir/disassemble.h"

#include <fmt/format.h>

#include <array>

#include "sim/ir/operand_types.h"

namespace paws::ir {
namespace {

constexpr std::array kSpaceNames = {"", "", "global", "shared", "local", "const", "param"};
constexpr std::array kCmpNames = {"",   "eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls", "hi",
                                  "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
constexpr std::array kBoolNames = {"", "and", "or", "xor"};
constexpr std::array kRoundNames = {"", "rn", "rna", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"};
constexpr std::array kPartNames = {"lo", "hi", "wide"};
constexpr std::array kAtomNames = {"",   "add", "min", "max", "exch",   "cas", "and",
                                   "or", "xor", "inc", "dec", "malloc", "free"};
constexpr std::array kShflNames = {"up", "down", "bfly", "idx"};
constexpr std::array kVoteNames = {"all", "any", "uni", "ballot"};
constexpr std::array kMatchNames = {"any", "all"};
constexpr std::array kShiftNames = {"wrap", "clamp"};
constexpr std::array kPrmtNames = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
constexpr std::array kTestpNames = {"finite",     "infinite", "number",
                                    "notanumber", "normal",   "subnormal"};
constexpr std::array kMbarrierNames = {
    "init",           "inval",     "arrive",      "arrive_drop", "arrive.expect_tx",
    "expect_arrival", "expect_tx", "complete_tx", "test_wait",   "test_wait.parity",
    "pending_count"};
constexpr std::array kCopyNames = {"", "load", "store", "read"};
constexpr std::array kBarNames = {"sync", "arrive", "red.popc", "red.and", "red.or"};
constexpr std::array kSpecialNames = {
    "%tid.x",          "%tid.y",       "%tid.z",       "%ntid.x",
    "%ntid.y",         "%ntid.z",      "%ctaid.x",     "%ctaid.y",
    "%ctaid.z",        "%nctaid.x",    "%nctaid.y",    "%nctaid.z",
    "%laneid",         "%warpid",      "%nwarpid",     "%smid",
    "%nsmid",          "%gridid",      "%lanemask_eq", "%lanemask_le",
    "%lanemask_lt",    "%lanemask_ge", "%lanemask_gt", "%clock",
    "%clock_hi",       "%clock64",     "%globaltimer", "%dynamic_smem_size",
    "%total_smem_size"};
static_assert(kSpecialNames.size() == static_cast<std::size_t>(Special::total_smem_size) + 1);

bool is_video(Op op) { return facts(op).sources == Sources::mixed; }
bool names_image(Op op) { return touches_texels(op) || op == Op::image_query; }

class Printer {
 public:
  explicit Printer(const Kernel& kernel) : kernel_(kernel) {}

  std::string run(const Instruction& i) {
    if (i.guard != kNoReg) {
      text_ += i.guard_negated ? "@!" : "@";
      text_ += fmt::format("{} ", kernel_.registers[i.guard].name);
    }
    opcode(i);
    destinations(i);
    sources(i);
    if (i.op == Op::bra || i.op == Op::call) operand(fmt::format("@{}", i.target));
    if (i.op == Op::brx) {
      std::string table;
      for (const std::uint32_t target : i.table) {
        table += fmt::format("{}@{}", table.empty() ? "" : ", ", target);
      }
      operand(fmt::format("{{{}}}", table));
    }
    return text_;
  }

 private:
  void modifier(const std::string& name) {
    if (!name.empty()) text_ += fmt::format(".{}", name);
  }
  void modifier(bool present, const char* name) {
    if (present) modifier(name);
  }
  template <typename Table, typename Enum>
  void modifier(const Table& table, Enum value) {
    modifier(table.at(static_cast<std::size_t>(value)));
  }

  void opcode(const Instruction& i) {
    if (i.op == Op::tex && i.image.mode == TexMode::gather) {
      text_ += fmt::format("tld4.{}", "rgba"[i.image.component]);
    } else if (i.op == Op::image_query && i.image.surface) {
      text_ += "suq";
    } else {
      text_ += to_string(i.op == Op::pack || i.op == Op::unpack ? Op::mov : i.op);
    }
    if (i.carry_in) text_ += "c";
    if (i.op == Op::brx) modifier("idx");
    if (i.op == Op::bar) modifier(kBarNames, i.bar);
    if (i.op == Op::bar_warp) modifier("sync");
    if (i.op == Op::shfl || i.op == Op::match || i.op == Op::vote || i.op == Op::redux) {
      modifier("sync");
    }
    modifier(i.cvta_to, "to");
    modifier(i.volatile_access, "volatile");
    if (!names_image(i.op)) modifier(kSpaceNames, i.space);
    modifier(!i.volatile_access && i.cache_global, "cg");
    modifier(i.read_only && i.op == Op::ld, "nc");
    modifier(kCmpNames, i.cmp);
    modifier(kBoolNames, i.bool_op);
    if (!is_video(i.op)) modifier(kAtomNames, i.atom);
    const bool integer = !is_float(i.type);
    if (integer && (i.op == Op::mul || i.op == Op::mad || i.op == Op::mul24 || i.op == Op::mad24 ||
                    i.op == Op::dp2a)) {
      modifier(kPartNames, i.part);
    }
    modifier(i.approx, "approx");
    modifier(i.full, "full");
    modifier(kRoundNames, i.round);
    modifier(i.ftz, "ftz");
    if (!is_video(i.op)) modifier(i.sat, "sat");
    modifier(i.relu, "relu");
    modifier(i.nan, "NaN");
    modifier(i.xorsign, "xorsign.abs");
    if (i.op == Op::mma) {
      modifier(fmt::format("m{}n{}k{}", i.shape.m, i.shape.n, i.shape.k));
    }
    if (i.op == Op::mbarrier) modifier(kMbarrierNames, i.mbarrier);
    modifier(i.after_copies, "after");
    modifier(kCopyNames, i.copies);
    image_modifiers(i);
    if (i.op == Op::ldmatrix || i.op == Op::stmatrix) {
      modifier(fmt::format("x{}", i.vector));
      modifier(i.transposed, "trans");
    }
    modifier(i.carry_out, "cc");
    modifier(i.uniform, "uni");
    modifier(i.shift_amount, "shiftamt");
    if (i.op == Op::shfl) modifier(kShflNames, i.shfl);
    if (i.op == Op::vote) modifier(kVoteNames, i.vote);
    if (i.op == Op::match) modifier(kMatchNames, i.match);
    if (i.op == Op::prmt) modifier(kPrmtNames, i.prmt);
    if (i.op == Op::testp) modifier(kTestpNames, i.testp);
    if (i.op == Op::shf) modifier(i.shift_right ? "r" : "l");
    if (i.op == Op::shf || i.op == Op::bmsk || i.op == Op::szext) modifier(kShiftNames, i.shift);
    if ((i.op == Op::ld || i.op == Op::st) && i.vector > 1) modifier(fmt::format("v{}", i.vector));
    if (i.type != Type::none && i.op != Op::isspacep) modifier(to_string(i.type));
    const bool surface = i.op == Op::suld || i.op == Op::sust;
    if (surface) modifier(to_string(i.image.edge));
    if (i.src_type != Type::none && !surface) modifier(to_string(i.src_type));
    if (i.other_type != Type::none) modifier(to_string(i.other_type));
    if (is_video(i.op)) {
      modifier(i.sat, "sat");
      modifier(kAtomNames, i.atom);
    }
  }

  void image_modifiers(const Instruction& i) {
    switch (i.op) {
      case Op::tex:
        modifier(to_string(i.image.mode));
        modifier(to_string(i.image.shape));
        modifier(fmt::format("v{}", i.vector));
        break;
      case Op::suld:
      case Op::sust:
        modifier("b");
        modifier(to_string(i.image.shape));
        if (i.vector > 1) modifier(fmt::format("v{}", i.vector));
        break;
      case Op::image_query:
        modifier(to_string(i.image.query));
        break;
      default:
        break;
    }
  }

  void operand(const std::string& shown) {
    text_ += first_ ? " " : ", ";
    text_ += shown;
    first_ = false;
  }

  std::string reg(RegId id) const { return id == kNoReg ? "_" : kernel_.registers[id].name; }

  static std::string selected(const std::string& operand, Selector selector) {
    if (selector == Selector::none) return operand;
    return fmt::format("{}.{}", operand, kSelectorNames.at(static_cast<std::size_t>(selector)));
  }

  static std::string number(std::uint64_t value, Type type) {
    const unsigned bytes = size_of(type);
    if (is_float(type))
      return bytes == 8 ? fmt::format("0d{:016X}", value) : fmt::format("0f{:08X}", value);
    if (bytes == 1) return std::to_string(value);
    auto shown = static_cast<std::int64_t>(value);
    if (bytes == 2) shown = static_cast<std::int16_t>(value);
    if (bytes == 4) shown = static_cast<std::int32_t>(value);
    return std::to_string(shown);
  }

  std::string shown(const Operand& o, Type type) const {
    switch (o.kind) {
      case Operand::Kind::reg:
        return fmt::format("{}{}", o.negated ? "!" : "", reg(o.reg));
      case Operand::Kind::imm:
        return number(o.imm, type);
      case Operand::Kind::special:
        return kSpecialNames.at(static_cast<std::size_t>(o.special));
      case Operand::Kind::none:
        break;
    }
    return "";
  }

  void destinations(const Instruction& i) {
    const bool vector =
        (i.op == Op::ld || i.op == Op::unpack || i.op == Op::tex || i.op == Op::suld) &&
        i.vector > 1;
    if (vector || i.op == Op::ldmatrix || i.op == Op::mma) {
      std::string list;
      for (unsigned e = 0; e < kMaxDst && dest_type(i, e) != Type::none; ++e)
        list += fmt::format("{}{}", e == 0 ? "" : ", ", reg(i.dst[e]));
      operand(fmt::format("{{{}}}", list));
      return;
    }
    if (dest_type(i, 0) == Type::none) return;
    const bool second = has_pair(i.op) && i.dst[1] != kNoReg;
    operand(second ? fmt::format("{}|{}", reg(i.dst[0]), reg(i.dst[1]))
                   : selected(reg(i.dst[0]), i.dsel));
  }

  /// [handle, {coordinates}], and what comes behind them.
  void image_sources(const Instruction& i) {
    const unsigned place = i.op == Op::image_query ? 0 : place_operands(i.image.shape);
    const auto list = [&](unsigned from, unsigned to) {
      std::string names;
      for (unsigned s = from; s < to && i.src[s].kind != Operand::Kind::none; ++s) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", shown(i.src[s], source_type(i, s)));
      }
      return names;
    };
    const std::string handle = shown(i.src[0], Type::u64);
    operand(place == 0 ? fmt::format("[{}]", handle)
                       : fmt::format("[{}, {{{}}}]", handle, list(1, 1 + place)));
    const std::string rest = list(1 + place, kMaxSrc);
    if (!rest.empty()) operand(fmt::format("{{{}}}", rest));
  }

  void sources(const Instruction& i) {
    if (names_image(i.op)) {
      image_sources(i);
      return;
    }
    unsigned first = 0;
    if (has_address(i.op)) {
      operand(address(i));
      first = 1;
    }
    const bool vector =
        (i.op == Op::st || i.op == Op::pack || i.op == Op::stmatrix) && i.vector > 1;
    std::string list;
    for (unsigned s = first; s < kMaxSrc; ++s) {
      if (i.src[s].kind == Operand::Kind::none) continue;
      const Selector selector = s == 0 ? i.asel : s == 1 ? i.bsel : Selector::none;
      const std::string one = selected(shown(i.src[s], source_type(i, s)), selector);
      if (vector) {
        list += fmt::format("{}{}", list.empty() ? "" : ", ", one);
      } else {
        operand(one);
      }
    }
    if (vector) operand(fmt::format("{{{}}}", list));
    if (i.op == Op::lop3) operand(std::to_string(i.lut));
    if (i.op == Op::copy_wait) operand(std::to_string(i.groups));
  }

  std::string address(const Instruction& i) const {
    if (i.src[0].kind == Operand::Kind::imm) {
      return fmt::format("[{:#x}]", i.src[0].imm + static_cast<std::uint64_t>(i.offset));
    }
    const std::string base = shown(i.src[0], Type::u64);
    return i.offset == 0 ? fmt::format("[{}]", base) : fmt::format("[{}{:+}]", base, i.offset);
  }

  const Kernel& kernel_;
  std::string text_;
  bool first_ = true;
};

}  // namespace

std::string disassemble(const Kernel& kernel, std::uint32_t pc) {
  if (!kernel.listing.empty()) return kernel.listing.at(pc);
  return Printer(kernel).run(kernel.code.at(pc));
}

}  // namespace paws::ir
