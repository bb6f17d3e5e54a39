// SPDX-License-Identifier: MIT
#include "sim/frontend/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "sim/frontend/decode_warp_data.h"
#include "sim/ir/operand_types.h"
#include "sim/support/error.h"

namespace paws::frontend {
namespace {

using ir::Op;
using ir::Type;
using Pseudo = Decoded::Pseudo;

// ---- sets of types ----------------------------------------------------------------------------
constexpr std::uint32_t types(std::initializer_list<Type> list) {
  std::uint32_t set = 0;
  for (const Type type : list) set |= 1u << static_cast<unsigned>(type);
  return set;
}
constexpr std::uint32_t kPred = types({Type::pred});
constexpr std::uint32_t kB16To64 = types({Type::b16, Type::b32, Type::b64});
constexpr std::uint32_t kB32To64 = types({Type::b32, Type::b64});
constexpr std::uint32_t kU32 = types({Type::u32});
constexpr std::uint32_t kS32 = types({Type::s32});
constexpr std::uint32_t kI32 = kU32 | kS32;
constexpr std::uint32_t kI32To64 = kI32 | types({Type::u64, Type::s64});
constexpr std::uint32_t kS16To64 = types({Type::s16, Type::s32, Type::s64});
constexpr std::uint32_t kI16To32 = kI32 | types({Type::u16, Type::s16});
constexpr std::uint32_t kI16To64 = kI32To64 | types({Type::u16, Type::s16});
constexpr std::uint32_t kF32 = types({Type::f32});
constexpr std::uint32_t kF = types({Type::f32, Type::f64});
constexpr std::uint32_t kSmall = types({Type::f16, Type::f16x2, Type::bf16, Type::bf16x2});
constexpr std::uint32_t kData = types({Type::b8, Type::u8, Type::s8}) | kB16To64 | kI16To64 | kF;

constexpr std::uint32_t kConverted = kData | types({Type::f16, Type::bf16, Type::tf32});

// ---- groups of modifiers ----------------------------------------------------------------------
enum Group : std::uint32_t {
  kRound = 1u << 0,  // .rn .rz .rm .rp .rni .rzi .rmi .rpi
  kFtz = 1u << 1,
  kSat = 1u << 2,
  kApprox = 1u << 3,  // .approx .full
  kPart = 1u << 4,    // .lo .hi .wide
  kCarry = 1u << 5,   // .cc
  kUni = 1u << 6,
  kSpace = 1u << 7,
  kCmp = 1u << 8,
  kBool = 1u << 9,
  kAtomOp = 1u << 10,
  kOrder = 1u << 11,   // .volatile, memory semantics and scopes
  kCache = 1u << 12,   // .ca .nc .L1::... .L2::...
  kVector = 1u << 13,  // .v2 .v4
  kShfl = 1u << 14,
  kVote = 1u << 15,
  kMatch = 1u << 16,
  kShift = 1u << 17,  // .l .r .wrap .clamp
  kPrmt = 1u << 18,
  kTestp = 1u << 19,
  kTo = 1u << 20,    // .to
  kSync = 1u << 21,  // .sync .aligned
  kShiftAmount = 1u << 22,
  kBarMode = 1u << 23,
  kMask = 1u << 24,  // .wrap .clamp of szext, bmsk
  kRelu = 1u << 25,
  kExtreme = 1u << 26,  // .NaN .xorsign.abs
  kSecond = 1u << 27,   // .add .min .max of scalar video
};

struct Root {
  std::string_view name;
  Op op;
  std::uint32_t groups;
  std::uint32_t types;  // allowed for the operation type; 0: takes none
  std::uint8_t destinations;
  std::uint8_t min_sources;
  std::uint8_t max_sources;
  std::uint8_t type_count = 1;
  Pseudo pseudo = Pseudo::none;
};

constexpr std::uint32_t kFloatGroups = kRound | kFtz | kSat;
constexpr std::uint32_t kMemory = kSpace | kOrder | kCache | kVector;
constexpr std::uint32_t kAtomic = kSpace | kOrder | kCache | kAtomOp;

constexpr auto kRoots = std::to_array<Root>({
    {"add", Op::add, kFloatGroups | kCarry, kI16To64 | kF | kSmall, 1, 2, 2},
    {"addc", Op::add, kCarry, kI32To64, 1, 2, 2},
    {"sub", Op::sub, kFloatGroups | kCarry, kI16To64 | kF | kSmall, 1, 2, 2},
    {"subc", Op::sub, kCarry, kI32To64, 1, 2, 2},
    {"mul", Op::mul, kFloatGroups | kPart, kI16To64 | kF | kSmall, 1, 2, 2},
    {"mad", Op::mad, kFloatGroups | kPart | kCarry, kI16To64 | kF, 1, 3, 3},
    {"madc", Op::mad, kPart | kCarry, kI32To64, 1, 3, 3},
    {"mul24", Op::mul24, kPart, kI32, 1, 2, 2},
    {"mad24", Op::mad24, kPart | kSat, kI32, 1, 3, 3},
    {"fma", Op::fma, kFloatGroups | kRelu, kF | kSmall, 1, 3, 3},
    {"div", Op::div, kRound | kFtz | kApprox, kI16To64 | kF, 1, 2, 2},
    {"rem", Op::rem, 0, kI16To64, 1, 2, 2},
    {"neg", Op::neg, kFtz, kS16To64 | kF | kSmall, 1, 1, 1},
    {"abs", Op::abs, kFtz, kS16To64 | kF | kSmall, 1, 1, 1},
    {"min", Op::min, kFtz | kRelu | kExtreme, kI16To64 | kF | kSmall, 1, 2, 2},
    {"max", Op::max, kFtz | kRelu | kExtreme, kI16To64 | kF | kSmall, 1, 2, 2},
    {"sad", Op::sad, 0, kI16To64, 1, 3, 3},
    {"and", Op::and_, 0, kB16To64 | kPred, 1, 2, 2},
    {"or", Op::or_, 0, kB16To64 | kPred, 1, 2, 2},
    {"xor", Op::xor_, 0, kB16To64 | kPred, 1, 2, 2},
    {"not", Op::not_, 0, kB16To64 | kPred, 1, 1, 1},
    {"cnot", Op::cnot, 0, kB16To64, 1, 1, 1},
    {"lop3", Op::lop3, kBool, types({Type::b32}), 1, 4, 5},
    {"shl", Op::shl, 0, kB16To64, 1, 2, 2},
    {"shr", Op::shr, 0, kB16To64 | kI16To64, 1, 2, 2},
    {"shf", Op::shf, kShift, types({Type::b32}), 1, 3, 3},
    {"bfe", Op::bfe, 0, kI32To64, 1, 3, 3},
    {"bfi", Op::bfi, 0, kB32To64, 1, 4, 4},
    {"bfind", Op::bfind, kShiftAmount, kI32To64, 1, 1, 1},
    {"brev", Op::brev, 0, kB32To64, 1, 1, 1},
    {"popc", Op::popc, 0, kB32To64, 1, 1, 1},
    {"clz", Op::clz, 0, kB32To64, 1, 1, 1},
    {"prmt", Op::prmt, kPrmt, types({Type::b32}), 1, 3, 3},
    {"fns", Op::fns, 0, types({Type::b32}), 1, 3, 3},
    {"bmsk", Op::bmsk, kMask, types({Type::b32}), 1, 2, 2},
    {"szext", Op::szext, kMask, kI32, 1, 2, 2},
    {"dp4a", Op::dp4a, 0, kI32, 1, 3, 3, 2},
    {"dp2a", Op::dp2a, kPart, kI32, 1, 3, 3, 2},
    {"vadd", Op::vadd, kSat | kSecond, kI32, 1, 2, 3, 3},
    {"vsub", Op::vsub, kSat | kSecond, kI32, 1, 2, 3, 3},
    {"vabsdiff", Op::vabsdiff, kSat | kSecond, kI32, 1, 2, 3, 3},
    {"vmin", Op::vmin, kSat | kSecond, kI32, 1, 2, 3, 3},
    {"vmax", Op::vmax, kSat | kSecond, kI32, 1, 2, 3, 3},
    {"setp", Op::setp, kCmp | kBool | kFtz, kB16To64 | kI16To64 | kF | kSmall, 1, 2, 3},
    {"set", Op::set, kCmp | kBool | kFtz, kI16To32 | kF32 | kSmall, 1, 2, 3, 2},
    {"selp", Op::selp, 0, kB16To64 | kI16To64 | kF, 1, 3, 3},
    {"slct", Op::slct, kFtz, kB16To64 | kI16To64 | kF, 1, 3, 3, 2},
    {"mov", Op::mov, 0, kB16To64 | kI16To64 | kF | kPred, 1, 1, 1},
    {"cvt", Op::cvt, kRound | kFtz | kSat | kRelu, kConverted, 1, 1, 1, 2},
    {"cvta", Op::cvta, kSpace | kTo, types({Type::u32, Type::u64}), 1, 1, 1},
    {"isspacep", Op::isspacep, kSpace, 0, 1, 1, 1, 0},
    {"ld", Op::ld, kMemory, kData, 1, 1, 1},
    {"ldu", Op::ld, kMemory, kData, 1, 1, 1},
    {"st", Op::st, kMemory, kData, 0, 2, 2},
    {"atom", Op::atom, kAtomic, kB16To64 | kI32To64 | kF | kSmall, 1, 2, 3},
    {"red", Op::red, kAtomic, kB32To64 | kI32To64 | kF | kSmall, 0, 2, 2},
    {"prefetch", Op::prefetch, kSpace | kCache, 0, 0, 1, 1, 0},
    {"prefetchu", Op::prefetch, kCache, 0, 0, 1, 1, 0},
    {"membar", Op::membar, kOrder, 0, 0, 0, 0, 0},
    {"fence", Op::membar, kOrder, 0, 0, 0, 0, 0},
    {"rcp", Op::rcp, kRound | kFtz | kApprox, kF, 1, 1, 1},
    {"sqrt", Op::sqrt, kRound | kFtz | kApprox, kF, 1, 1, 1},
    {"rsqrt", Op::rsqrt, kFtz | kApprox, kF, 1, 1, 1},
    {"ex2", Op::ex2, kFtz | kApprox, kF32 | kSmall, 1, 1, 1},
    {"lg2", Op::lg2, kFtz | kApprox, kF32, 1, 1, 1},
    {"sin", Op::sin, kFtz | kApprox, kF32, 1, 1, 1},
    {"cos", Op::cos, kFtz | kApprox, kF32, 1, 1, 1},
    {"tanh", Op::tanh, kApprox, kF32 | kSmall, 1, 1, 1},
    {"copysign", Op::copysign, 0, kF, 1, 2, 2},
    {"testp", Op::testp, kTestp, kF, 1, 1, 1},
    {"shfl", Op::shfl, kSync | kShfl, types({Type::b32, Type::u32, Type::s32, Type::f32}), 1, 3, 4},
    {"vote", Op::vote, kSync | kVote, types({Type::pred, Type::b32}), 1, 1, 2},
    {"activemask", Op::activemask, 0, types({Type::b32}), 1, 0, 0},
    {"match", Op::match, kSync | kMatch, kB32To64, 1, 2, 2},
    {"redux", Op::redux, kSync | kAtomOp, types({Type::b32}) | kI32, 1, 2, 2},
    {"elect", Op::nop, kSync, 0, 1, 1, 1, 0, Pseudo::elect},
    {"bar", Op::bar, kSync | kBarMode, kU32 | kPred, 0, 0, 3},
    {"barrier", Op::bar, kSync | kBarMode, kU32 | kPred, 0, 0, 3},
    {"bra", Op::bra, kUni, 0, 0, 1, 1, 0},
    {"brx", Op::brx, kUni, 0, 0, 2, 2, 0},
    {"call", Op::nop, kUni, 0, 0, 1, 4, 0, Pseudo::call},
    {"ret", Op::exit, kUni, 0, 0, 0, 0, 0, Pseudo::ret},
    {"exit", Op::exit, 0, 0, 0, 0, 0, 0},
    {"trap", Op::trap, 0, 0, 0, 0, 0, 0},
    {"brkpt", Op::trap, 0, 0, 0, 0, 0, 0},
    {"nanosleep", Op::nop, 0, kU32, 0, 1, 1},
    {"pmevent", Op::nop, 0, 0, 0, 1, 1, 0},
});

/// What stays out, by prefix of the root.
struct Missing {
  std::string_view prefix;
  std::string_view what;
};
constexpr auto kMissing = std::to_array<Missing>({
    {"sured", "reductions on surfaces are not modelled"},
    {"istypep", "texture and surface references are not modelled"},
    {"wgmma", "matrix instructions are not modelled"},
    {"tcgen05", "matrix instructions are not modelled"},
    {"multimem", "multi-GPU memory is not modelled"},
    {"tensormap", "tensor maps are not modelled"},
    {"mapa", "thread block clusters are not modelled"},
    {"getctarank", "thread block clusters are not modelled"},
    {"clusterlaunchcontrol", "thread block clusters are not modelled"},
    {"alloca", "allocation on the stack at run time is not modelled"},
    {"stacksave", "allocation on the stack at run time is not modelled"},
    {"stackrestore", "allocation on the stack at run time is not modelled"},
    {"vshl", "scalar video shifts are not modelled"},
    {"vshr", "scalar video shifts are not modelled"},
    {"vmad", "scalar video multiplications are not modelled"},
    {"vset", "scalar video comparisons are not modelled"},
});

template <typename Enum>
struct Named {
  std::string_view name;
  Enum value;
};

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<Named<Enum>, N>& table, std::string_view name) {
  for (const Named<Enum>& row : table) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

constexpr auto kTypeNames = std::to_array<Named<Type>>({
    {"pred", Type::pred},     {"b8", Type::b8},     {"b16", Type::b16},     {"b32", Type::b32},
    {"b64", Type::b64},       {"u8", Type::u8},     {"u16", Type::u16},     {"u32", Type::u32},
    {"u64", Type::u64},       {"s8", Type::s8},     {"s16", Type::s16},     {"s32", Type::s32},
    {"s64", Type::s64},       {"f16", Type::f16},   {"f16x2", Type::f16x2}, {"bf16", Type::bf16},
    {"bf16x2", Type::bf16x2}, {"tf32", Type::tf32}, {"f32", Type::f32},     {"f64", Type::f64},
});
constexpr auto kRounds = std::to_array<Named<ir::Round>>({
    {"rn", ir::Round::rn},
    {"rna", ir::Round::rna},
    {"rz", ir::Round::rz},
    {"rm", ir::Round::rm},
    {"rp", ir::Round::rp},
    {"rni", ir::Round::rni},
    {"rzi", ir::Round::rzi},
    {"rmi", ir::Round::rmi},
    {"rpi", ir::Round::rpi},
});
constexpr auto kParts = std::to_array<Named<ir::MulPart>>(
    {{"lo", ir::MulPart::lo}, {"hi", ir::MulPart::hi}, {"wide", ir::MulPart::wide}});
constexpr auto kSpaces = std::to_array<Named<ir::Space>>({
    {"global", ir::Space::global},
    {"shared", ir::Space::shared},
    {"shared::cta", ir::Space::shared},
    {"local", ir::Space::local},
    {"const", ir::Space::constant},
    {"param", ir::Space::param},
    {"param::entry", ir::Space::param},
    {"param::func", ir::Space::param},
});
constexpr auto kCmps = std::to_array<Named<ir::Cmp>>({
    {"eq", ir::Cmp::eq},
    {"ne", ir::Cmp::ne},
    {"lt", ir::Cmp::lt},
    {"le", ir::Cmp::le},
    {"gt", ir::Cmp::gt},
    {"ge", ir::Cmp::ge},
    {"lo", ir::Cmp::lo},
    {"ls", ir::Cmp::ls},
    {"hi", ir::Cmp::hi},
    {"hs", ir::Cmp::hs},
    {"equ", ir::Cmp::equ},
    {"neu", ir::Cmp::neu},
    {"ltu", ir::Cmp::ltu},
    {"leu", ir::Cmp::leu},
    {"gtu", ir::Cmp::gtu},
    {"geu", ir::Cmp::geu},
    {"num", ir::Cmp::num},
    {"nan", ir::Cmp::nan},
});
constexpr auto kBools = std::to_array<Named<ir::BoolOp>>(
    {{"and", ir::BoolOp::and_}, {"or", ir::BoolOp::or_}, {"xor", ir::BoolOp::xor_}});
constexpr auto kAtoms = std::to_array<Named<ir::AtomOp>>({
    {"add", ir::AtomOp::add},
    {"min", ir::AtomOp::min},
    {"max", ir::AtomOp::max},
    {"exch", ir::AtomOp::exch},
    {"cas", ir::AtomOp::cas},
    {"and", ir::AtomOp::and_},
    {"or", ir::AtomOp::or_},
    {"xor", ir::AtomOp::xor_},
    {"inc", ir::AtomOp::inc},
    {"dec", ir::AtomOp::dec},
});
constexpr auto kSeconds = std::to_array<Named<ir::AtomOp>>(
    {{"add", ir::AtomOp::add}, {"min", ir::AtomOp::min}, {"max", ir::AtomOp::max}});
constexpr auto kShfls = std::to_array<Named<ir::ShflMode>>({{"up", ir::ShflMode::up},
                                                            {"down", ir::ShflMode::down},
                                                            {"bfly", ir::ShflMode::bfly},
                                                            {"idx", ir::ShflMode::idx}});
constexpr auto kVotes = std::to_array<Named<ir::VoteMode>>({{"all", ir::VoteMode::all},
                                                            {"any", ir::VoteMode::any},
                                                            {"uni", ir::VoteMode::uni},
                                                            {"ballot", ir::VoteMode::ballot}});
constexpr auto kMatches =
    std::to_array<Named<ir::MatchMode>>({{"any", ir::MatchMode::any}, {"all", ir::MatchMode::all}});
constexpr auto kShifts = std::to_array<Named<ir::ShiftMode>>(
    {{"wrap", ir::ShiftMode::wrap}, {"clamp", ir::ShiftMode::clamp}});
constexpr auto kPrmts = std::to_array<Named<ir::PrmtMode>>({{"f4e", ir::PrmtMode::f4e},
                                                            {"b4e", ir::PrmtMode::b4e},
                                                            {"rc8", ir::PrmtMode::rc8},
                                                            {"ecl", ir::PrmtMode::ecl},
                                                            {"ecr", ir::PrmtMode::ecr},
                                                            {"rc16", ir::PrmtMode::rc16}});
constexpr auto kTestps = std::to_array<Named<ir::TestpMode>>({
    {"finite", ir::TestpMode::finite},
    {"infinite", ir::TestpMode::infinite},
    {"number", ir::TestpMode::number},
    {"notanumber", ir::TestpMode::notanumber},
    {"normal", ir::TestpMode::normal},
    {"subnormal", ir::TestpMode::subnormal},
});

/// Types that PTX has and the simulator has not, with the reason.
std::string_view missing_type(std::string_view name) {
  if (name.starts_with("e4m3") || name.starts_with("e5m2") || name.starts_with("e2m") ||
      name.starts_with("e3m2") || name.starts_with("ue8m0")) {
    return "narrow floating-point formats are not modelled";
  }
  if (name == "f32x2" || name == "u16x2" || name == "s16x2" || name == "b1024") {
    return "packed arithmetic is not modelled";
  }
  if (name == "b128") return "128-bit operands are not modelled";
  if (name == "samplerref" || name == "surfref") {
    return "surface references and samplers are not modelled";
  }
  return {};
}

class Decoder {
 public:
  Decoder(const ptx::Instruction& source, const std::string& file) : source_(source), file_(file) {}

  Decoded run() {
    const Root& root = find_root();
    groups_ = root.groups;
    decoded_.pseudo = root.pseudo;
    decoded_.destinations = root.destinations;
    decoded_.min_sources = root.min_sources;
    decoded_.max_sources = root.max_sources;
    decoded_.combines = (root.groups & kBool) != 0;
    instruction_.op = root.op;
    instruction_.line = source_.line;
    std::size_t first = 0;
    if (root.op == Op::bar) first = decode_bar();
    for (std::size_t i = first; i < source_.modifiers.size(); ++i) modifier(source_.modifiers[i]);
    if (pair_ != Type::none) {
      // A pair is two conversions.
      types_.insert(types_.begin(), pair_);
      decoded_.pseudo = Pseudo::cvt_pair;
      ++decoded_.min_sources;
      ++decoded_.max_sources;
    }

    take_types(root);
    refine(root);
    decoded_.instruction = std::move(instruction_);
    return std::move(decoded_);
  }

 private:
  [[noreturn]] void unsupported(const std::string& cause) const {
    throw InputError(file_, source_.line,
                     fmt::format("unsupported instruction '{}': {}", source_.text, cause));
  }

  const Root& find_root() const {
    for (const Root& root : kRoots) {
      if (root.name == source_.root) return root;
    }
    for (const Missing& missing : kMissing) {
      if (source_.root.starts_with(missing.prefix)) unsupported(std::string(missing.what));
    }
    unsupported(fmt::format("'{}' is not a PTX instruction", source_.root));
  }

  /// bar and barrier have an operation before their other modifiers; returns how many were read.
  std::size_t decode_bar() {
    std::size_t i = 0;
    const auto next = [&]() -> std::string_view {
      return i < source_.modifiers.size() ? source_.modifiers[i] : std::string_view{};
    };
    if (next() == "cluster") unsupported("thread block clusters are not modelled");
    if (next() == "cta") ++i;
    if (next() == "warp") {
      instruction_.op = Op::bar_warp;
      ++i;
    } else if (next() == "arrive") {
      instruction_.bar = ir::BarMode::arrive;
      ++i;
    } else if (next() == "red") {
      ++i;
      if (next() == "popc") {
        instruction_.bar = ir::BarMode::red_popc;
      } else if (next() == "and") {
        instruction_.bar = ir::BarMode::red_and;
      } else if (next() == "or") {
        instruction_.bar = ir::BarMode::red_or;
      } else {
        unsupported("expected .popc, .and or .or");
      }
      ++i;
    } else if (next() != "sync") {
      unsupported("expected .sync, .arrive, .red or .warp");
    }
    return i;
  }

  bool in(Group group) const { return (groups_ & group) != 0; }

  template <typename Enum, std::size_t N>
  bool take(Group group, const std::array<Named<Enum>, N>& table, std::string_view name,
            Enum& field) {
    if (!in(group)) return false;
    const auto hit = find(table, name);
    if (!hit) return false;
    // Given twice, the modifiers of one group contradict each other.
    if ((seen_ & group) != 0 && field != *hit) unsupported("contradicting modifiers");
    seen_ |= group;
    field = *hit;
    return true;
  }

  bool flag(Group group, std::string_view name, std::string_view wanted, bool& field) {
    if (!in(group) || name != wanted) return false;
    field = true;
    return true;
  }

  void modifier(std::string_view name) {
    ir::Instruction& i = instruction_;
    if (take(kSpace, kSpaces, name, i.space) || take(kCmp, kCmps, name, i.cmp) ||
        take(kBool, kBools, name, i.bool_op) || take(kAtomOp, kAtoms, name, i.atom) ||
        take(kSecond, kSeconds, name, i.atom) || take(kPart, kParts, name, i.part) ||
        take(kRound, kRounds, name, i.round) || take(kShfl, kShfls, name, i.shfl) ||
        take(kVote, kVotes, name, i.vote) || take(kMatch, kMatches, name, i.match) ||
        take(kPrmt, kPrmts, name, i.prmt) || take(kTestp, kTestps, name, i.testp) ||
        take(kShift, kShifts, name, i.shift) || take(kMask, kShifts, name, i.shift) ||
        flag(kFtz, name, "ftz", i.ftz) || flag(kRelu, name, "relu", i.relu) ||
        flag(kExtreme, name, "NaN", i.nan) || flag(kExtreme, name, "xorsign", i.xorsign) ||
        flag(kExtreme, name, "abs", abs_) || flag(kSat, name, "sat", i.sat) ||
        flag(kApprox, name, "approx", i.approx) || flag(kApprox, name, "full", i.full) ||
        flag(kCarry, name, "cc", i.carry_out) || flag(kUni, name, "uni", i.uniform) ||
        flag(kTo, name, "to", i.cvta_to) || flag(kShift, name, "r", i.shift_right) ||
        flag(kShift, name, "l", left_) || flag(kShiftAmount, name, "shiftamt", i.shift_amount) ||
        flag(kSync, name, "sync", sync_) || flag(kSync, name, "aligned", aligned_) ||
        memory_modifier(name)) {
      return;
    }
    if (i.op == Op::brx && name == "idx") return;
    if (i.op == Op::cvt && types_.empty() && (name == "f16x2" || name == "bf16x2")) {
      pair_ = name == "f16x2" ? Type::f16 : Type::bf16;
      return;
    }
    if (const Type type = type_named(name); type != Type::none) {
      types_.push_back(type);
      return;
    }
    if (const std::string_view why = missing_type(name); !why.empty())
      unsupported(std::string(why));
    if (name == "shared::cluster" || name == "cluster") {
      unsupported("thread block clusters are not modelled");
    }
    unsupported(fmt::format("modifier '.{}' is not modelled for '{}'", name, source_.root));
  }

  bool memory_modifier(std::string_view name) {
    ir::Instruction& i = instruction_;
    // All accesses go the same way, and a cluster is one block: such a fence is as good as any.
    if (i.op == Op::membar && (name == "proxy" || name == "alias" || name.starts_with("async") ||
                               name == "mbarrier_init" || name == "cluster" || name == "global" ||
                               name == "shared::cta" || name == "shared::cluster")) {
      return true;
    }
    if (in(kVector) && (name == "v2" || name == "v4")) {
      i.vector = static_cast<std::uint8_t>(name[1] - '0');
      return true;
    }
    if (in(kOrder)) {
      if (name == "volatile" || name == "mmio") {
        i.volatile_access = true;
        i.cache_global = true;
        return true;
      }
      if (name == "relaxed" || name == "acquire" || name == "release" || name == "acq_rel" ||
          name == "sc") {
        ordered_ = true;
        fences_ = fences_ || name != "relaxed";
        return true;
      }
      if (name == "gpu" || name == "sys" || name == "gl") {
        wide_scope_ = true;
        return true;
      }
      if (name == "cta" || name == "weak") return true;
    }
    if (in(kCache)) {
      if (name == "cg" || name == "cv") {
        i.cache_global = true;
        return true;
      }
      if (name == "ca" || name == "cs" || name == "lu" || name == "wb" || name == "wt" ||
          name == "nc") {
        if (name == "nc") i.read_only = true;
        return true;
      }
      if (name == "L2::cache_hint") {
        decoded_.cache_hint = true;
        return true;
      }
      if (name == "L1" || name == "L2" || name.starts_with("L1::") || name.starts_with("L2::") ||
          name.starts_with("evict_")) {
        return true;
      }
    }
    if (!in(kAtomOp) || name != "noftz") return false;
    noftz_ = true;
    return true;
  }

  void take_types(const Root& root) {
    std::size_t wanted = root.type_count;
    if (instruction_.op == Op::bar_warp ||
        (instruction_.op == Op::bar &&
         (instruction_.bar == ir::BarMode::sync || instruction_.bar == ir::BarMode::arrive))) {
      wanted = 0;
    }
    const bool optional = instruction_.op == Op::nop;  // nanosleep's type says nothing
    if (types_.size() != wanted && !(optional && types_.empty())) {
      unsupported(wanted == 0 ? "takes no type"
                              : fmt::format("expected {} type{}, found {}", wanted,
                                            wanted == 1 ? "" : "s", types_.size()));
    }
    if (types_.empty()) return;
    instruction_.type = types_[0];
    if (types_.size() > 1) instruction_.src_type = types_[1];
    check_type(root, types_[0], root.types);
    if (types_.size() > 1) {
      std::uint32_t sources = root.types;
      if (root.op == Op::set) sources = kB16To64 | kI16To64 | kF | kSmall;
      if (root.op == Op::slct) sources = kS32 | kF32;
      check_type(root, types_[1], sources);
    }
    if (types_.size() > 2) {
      instruction_.other_type = types_[2];
      check_type(root, types_[2], root.types);
    }
  }

  void check_type(const Root& root, Type type, std::uint32_t allowed) const {
    if ((allowed >> static_cast<unsigned>(type) & 1u) != 0) return;
    const std::string name = ir::to_string(type);
    if (const std::string_view why = missing_type(name); !why.empty())
      unsupported(std::string(why));
    unsupported(fmt::format("'{}' does not take .{}", root.name, name));
  }

  /// What a modifier may say depends on the operation and its type.
  void refine(const Root& root) {
    ir::Instruction& i = instruction_;
    const bool is_float = ir::is_float(i.type);
    switch (i.op) {
      case Op::add:
      case Op::sub:
        i.carry_in = root.name.back() == 'c';
        forbid_on_integers(is_float, i.sat && i.type != Type::s32);
        break;
      case Op::mul:
      case Op::mad:
        i.carry_in = root.name == "madc";
        refine_multiplication(is_float);
        break;
      case Op::mul24:
      case Op::mad24:
      case Op::dp2a:
        if ((seen_ & kPart) == 0 || i.part == ir::MulPart::wide) unsupported("expected .lo or .hi");
        break;
      case Op::div:
        if (!is_float && (i.approx || i.full || i.ftz || i.round != ir::Round::none)) {
          unsupported("not for integers");
        }
        break;
      case Op::shf:
        if (i.shift_right == left_) unsupported("expected .l or .r");
        require_seen(kShift, "expected .wrap or .clamp");
        break;
      case Op::lop3:
        if (i.bool_op == ir::BoolOp::xor_) unsupported("expected .and or .or");
        break;
      case Op::setp:
      case Op::set:
        refine_comparison();
        break;
      case Op::cvt:
        refine_cvt();
        break;
      case Op::cvta:
      case Op::isspacep:
        if (i.space == ir::Space::none) unsupported("expected a state space");
        if (i.op == Op::isspacep) i.type = Type::u64;
        break;
      case Op::ld:
      case Op::st:
      case Op::atom:
      case Op::red:
      case Op::prefetch:
        refine_memory(root);
        break;
      case Op::testp:
        require_seen(kTestp, "expected a property");
        break;
      default:
        refine_exchange();
        break;
    }
    if (is_float && i.round >= ir::Round::rni && i.op != Op::cvt) {
      unsupported("integer rounding is for cvt");
    }
    refine_small(is_float);
    if (i.type == Type::f64 && i.op != Op::cvt) refine_double();
  }

  /// Double precision knows approximation and flushing of reciprocals only. ptxas takes, and has no
  /// use for, the .ftz of a rounded one. That of slct is of its .f32 operand.
  void refine_double() const {
    const ir::Instruction& i = instruction_;
    const bool reciprocal = i.op == Op::rcp || i.op == Op::rsqrt;
    if ((i.approx || i.full) && !reciprocal) unsupported("approximations are not for .f64");
    if (i.ftz && !reciprocal && i.op != Op::slct) unsupported(".ftz is not for .f64");
    if (i.op == Op::rcp && i.approx && !i.ftz) unsupported("expected .ftz");
  }

  /// What only some floating-point types take.
  void refine_small(bool is_float) const {
    const ir::Instruction& i = instruction_;
    const bool brain = i.type == Type::bf16 || i.type == Type::bf16x2;
    const bool small = brain || i.type == Type::f16 || i.type == Type::f16x2;
    if (i.round == ir::Round::rna && i.type != Type::tf32) unsupported(".rna is for .tf32");
    if ((i.relu || i.nan || i.xorsign) && !is_float) unsupported("not for integers");
    if (i.xorsign != abs_) unsupported("expected .xorsign.abs");
    if (i.op == Op::cvt) return;
    if (i.relu && !small) unsupported(".relu is for types of 16 bits");
    if (!small) return;
    if (i.round != ir::Round::none && i.round != ir::Round::rn) {
      unsupported(fmt::format(".{} rounds to nearest even only", ir::to_string(i.type)));
    }
    const bool flushes = !brain || i.op == Op::ex2;
    if ((i.ftz && !flushes) || (i.sat && brain)) {
      unsupported(fmt::format("not for .{}", ir::to_string(i.type)));
    }
    const bool approximate = i.op == Op::ex2 || i.op == Op::tanh;
    if (approximate && !i.approx) unsupported("expected .approx");
  }

  void refine_multiplication(bool is_float) {
    ir::Instruction& i = instruction_;
    if (is_float) {
      if ((seen_ & kPart) != 0 || i.carry_out) unsupported("not for floating point");
      if (i.op == Op::mad) i.op = Op::fma;
    } else {
      require_seen(kPart, "expected .lo, .hi or .wide");
      if (i.part == ir::MulPart::wide && ir::widened(i.type) == Type::none) {
        unsupported("there is no wider type");
      }
      if (i.part == ir::MulPart::wide && (i.carry_in || i.carry_out)) {
        unsupported(".wide has no carry");
      }
      forbid_on_integers(is_float, i.sat && i.part != ir::MulPart::hi);
    }
    if (i.op == Op::fma && i.round == ir::Round::none) i.round = ir::Round::rn;
  }

  void refine_comparison() const {
    const ir::Instruction& i = instruction_;
    if (i.cmp == ir::Cmp::none) unsupported("expected a comparison");
    const Type compared = i.op == Op::set ? i.src_type : i.type;
    const bool unsigned_only = i.cmp >= ir::Cmp::lo && i.cmp <= ir::Cmp::hs;
    const bool float_only = i.cmp >= ir::Cmp::equ;
    if (ir::is_float(compared) ? unsigned_only : float_only) {
      unsupported(fmt::format("this comparison is not for .{}", ir::to_string(compared)));
    }
  }

  /// Instructions by which threads of a warp or a block exchange values or wait for each other.
  void refine_exchange() {
    const ir::Instruction& i = instruction_;
    switch (i.op) {
      case Op::shfl:
        require_seen(kShfl, "expected .up, .down, .bfly or .idx");
        set_mask_operand(4, 3);
        break;
      case Op::vote:
        require_seen(kVote, "expected .all, .any, .uni or .ballot");
        if ((i.vote == ir::VoteMode::ballot) != (i.type == Type::b32)) unsupported("wrong type");
        set_mask_operand(2, 1);
        break;
      case Op::match:
        require_seen(kMatch, "expected .any or .all");
        break;
      case Op::redux:
        if (i.atom == ir::AtomOp::none || i.atom == ir::AtomOp::exch || i.atom == ir::AtomOp::cas ||
            i.atom == ir::AtomOp::inc || i.atom == ir::AtomOp::dec) {
          unsupported("expected .add, .min, .max, .and, .or or .xor");
        }
        break;
      case Op::bar:
        refine_bar();
        break;
      case Op::bar_warp:
        decoded_.min_sources = decoded_.max_sources = 1;
        break;
      default:
        break;
    }
  }

  void forbid_on_integers(bool is_float, bool bad_saturation) const {
    if (is_float) {
      if (instruction_.carry_out || instruction_.carry_in) unsupported("not for floating point");
    } else if (instruction_.ftz || instruction_.round != ir::Round::none || bad_saturation) {
      unsupported("not for integers");
    }
  }

  void require_seen(Group group, const char* cause) const {
    if ((seen_ & group) == 0) unsupported(cause);
  }

  /// Forms with .sync have a member mask, older ones do not.
  void set_mask_operand(unsigned with, unsigned without) {
    decoded_.min_sources = decoded_.max_sources = sync_ ? with : without;
  }

  void refine_cvt() {
    ir::Instruction& i = instruction_;
    const bool to_float = ir::is_float(i.type);
    const bool from_float = ir::is_float(i.src_type);
    const bool integral = i.round >= ir::Round::rni;
    if (integral && !from_float) unsupported("integer rounding needs a floating-point source");
    if (!integral && i.round != ir::Round::none && !to_float) {
      unsupported("floating-point rounding needs a floating-point result");
    }
    if (from_float && !to_float && i.round == ir::Round::none) {
      unsupported("expected a rounding modifier");
    }
    if (i.type == Type::tf32) {
      const bool nearest = i.round == ir::Round::rna || i.round == ir::Round::rn;
      if (i.src_type != Type::f32 || !nearest) unsupported("expected .rn or .rna and .f32");
    }
    if (i.src_type == Type::tf32) unsupported("'cvt' does not take .tf32");
    if (i.relu && (i.type == Type::f32 || i.type == Type::f64 || !to_float || !from_float)) {
      unsupported(".relu is for narrower floating-point results");
    }
    const bool narrows = to_float && from_float && ir::size_of(i.type) < ir::size_of(i.src_type);
    const bool from_integer = to_float && !from_float;
    if ((narrows || from_integer) && i.round == ir::Round::none) {
      unsupported("expected a rounding modifier");
    }
  }

  void refine_memory(const Root& root) {
    ir::Instruction& i = instruction_;
    if (i.space == ir::Space::none) i.space = ir::Space::generic;
    if (root.name == "ldu") i.read_only = true;
    if (ordered_ && wide_scope_ && (i.op == Op::ld || i.op == Op::st)) i.cache_global = true;
    i.orders = fences_;
    // Ordered accesses stay where they are, as volatile ones do.
    if (ordered_ && (i.op == Op::ld || i.op == Op::st)) i.volatile_access = true;
    if (i.op == Op::st && i.space == ir::Space::constant)
      unsupported("constant memory is read-only");
    if (unsigned{i.vector} * ir::size_of(i.type) > 16) {
      unsupported("accesses of more than 16 bytes are not modelled");
    }
    if (i.op != Op::atom && i.op != Op::red) return;
    i.volatile_access = fences_;
    if (i.space == ir::Space::constant || i.space == ir::Space::param ||
        i.space == ir::Space::local) {
      unsupported("atomics are for global and shared memory");
    }
    if (i.atom == ir::AtomOp::none) unsupported("expected an operation");
    const bool swap = i.atom == ir::AtomOp::exch || i.atom == ir::AtomOp::cas;
    if (i.op == Op::red && swap) unsupported("red has no result to exchange");
    if (i.op == Op::atom) {
      decoded_.min_sources = decoded_.max_sources = i.atom == ir::AtomOp::cas ? 3 : 2;
    }
    if (ir::is_float(i.type) && i.atom != ir::AtomOp::add) unsupported("floats can only be added");
    if ((types({i.type}) & kSmall) != 0 && !noftz_) unsupported("expected .noftz");
    if (i.type == Type::b16 && i.atom != ir::AtomOp::cas) unsupported(".b16 is for .cas");
    const bool counts = i.atom == ir::AtomOp::inc || i.atom == ir::AtomOp::dec;
    if (counts && i.type != Type::u32) unsupported("expected .u32");
    const bool untyped = i.type == Type::b32 || i.type == Type::b64;
    const bool arithmetic =
        i.atom == ir::AtomOp::add || i.atom == ir::AtomOp::min || i.atom == ir::AtomOp::max;
    if (untyped && arithmetic) unsupported("expected an arithmetic type");
  }

  void refine_bar() {
    ir::Instruction& i = instruction_;
    switch (i.bar) {
      case ir::BarMode::sync:
        decoded_.min_sources = 1;
        decoded_.max_sources = 2;
        break;
      case ir::BarMode::arrive:
        decoded_.min_sources = decoded_.max_sources = 2;
        break;
      default:
        decoded_.destinations = 1;
        decoded_.min_sources = 2;
        decoded_.max_sources = 3;
        if ((i.bar == ir::BarMode::red_popc) != (i.type == Type::u32)) unsupported("wrong type");
        break;
    }
  }

  const ptx::Instruction& source_;
  const std::string& file_;
  Decoded decoded_;
  ir::Instruction instruction_;
  std::uint32_t groups_ = 0;
  std::uint32_t seen_ = 0;
  std::vector<Type> types_;
  bool left_ = false, abs_ = false, sync_ = false, aligned_ = false, ordered_ = false,
       noftz_ = false, fences_ = false, wide_scope_ = false;
  Type pair_ = Type::none;
};

}  // namespace

ir::Type type_named(std::string_view name) { return find(kTypeNames, name).value_or(Type::none); }

Decoded decode(const ptx::Instruction& instruction, const std::string& file) {
  for (const auto& family :
       {decode_matrix, decode_asynchronous, decode_texture, decode_packed, decode_hint}) {
    if (std::optional<Decoded> decoded = family(instruction, file)) return *std::move(decoded);
  }
  return Decoder(instruction, file).run();
}

}  // namespace paws::frontend
