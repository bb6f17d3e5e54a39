// SPDX-License-Identifier: MIT
#include "sim/riscv/machine_code.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace paws::riscv {
namespace {

constexpr std::string_view kBlank = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// The first word of `text`, which it loses.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(kBlank), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

/// The number that the whole of `word` is.
std::optional<std::uint64_t> hexadecimal(std::string_view word) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, 16);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// What a mnemonic says.
struct Meaning {
  Kind kind;
  bool writes;  ///< its first register is the destination
};

/// Of the base, M and A, and Zicsr, with the names that LLVM gives to common cases.
std::optional<Meaning> integer_meaning(std::string_view name) {
  if (is_one_of(name, {"lb", "lh", "lw", "ld", "lbu", "lhu", "lwu"}))
    return Meaning{Kind::load, true};
  if (is_one_of(name, {"sb", "sh", "sw", "sd"})) return Meaning{Kind::store, false};
  if (name.starts_with("amo") || name.starts_with("lr.") || name.starts_with("sc."))
    return Meaning{Kind::atomic, true};
  if (is_one_of(name, {"beq",  "bne",   "blt",    "bge",  "bltu", "bgeu",  "beqz",
                       "bnez", "blez",  "bgez",   "bltz", "bgtz", "j",     "jr",
                       "ret",  "ecall", "ebreak", "mret", "sret", "unimp", "tail"})) {
    return Meaning{Kind::branch, false};
  }
  if (is_one_of(name, {"jal", "jalr", "call"})) return Meaning{Kind::branch, true};
  if (is_one_of(name, {"fence", "fence.i", "fence.tso", "wfi", "pause"}))
    return Meaning{Kind::barrier, false};
  if (is_one_of(name, {"mul", "mulh", "mulhu", "mulhsu", "mulw"}))
    return Meaning{Kind::integer_mul, true};
  if (is_one_of(name, {"div", "divu", "divw", "divuw", "rem", "remu", "remw", "remuw"}))
    return Meaning{Kind::integer_div, true};
  if (is_one_of(name, {"mv", "li", "lui", "auipc", "nop"}))
    return Meaning{Kind::move, name != "nop"};
  if (is_one_of(name, {"csrw", "csrs", "csrc", "csrwi", "csrsi", "csrci"}))
    return Meaning{Kind::move, false};
  if (name.starts_with("csrr") || name.starts_with("rd")) return Meaning{Kind::move, true};
  if (is_one_of(name, {"add",  "addi", "addw",  "addiw",  "sub",   "subw", "neg",   "negw",
                       "and",  "andi", "or",    "ori",    "xor",   "xori", "not",   "sll",
                       "slli", "sllw", "slliw", "srl",    "srli",  "srlw", "srliw", "sra",
                       "srai", "sraw", "sraiw", "slt",    "slti",  "sltu", "sltiu", "seqz",
                       "snez", "sltz", "sgtz",  "sext.w", "zext.b"})) {
    return Meaning{Kind::integer, true};
  }
  return std::nullopt;
}

/// Of F and D. The state of rounding and flags is not a register here.
std::optional<Meaning> float_meaning(std::string_view name) {
  if (is_one_of(name, {"flw", "fld"})) return Meaning{Kind::load, true};
  if (is_one_of(name, {"fsw", "fsd"})) return Meaning{Kind::store, false};
  if (is_one_of(name, {"frcsr", "frrm", "frflags"})) return Meaning{Kind::move, true};
  if (is_one_of(name, {"fscsr", "fsrm", "fsflags", "fsrmi", "fsflagsi"}))
    return Meaning{Kind::move, false};
  if (name.starts_with("fmv.")) return Meaning{Kind::move, true};
  if (name.starts_with("fcvt.")) return Meaning{Kind::conversion, true};
  if (!name.starts_with('f')) return std::nullopt;
  const bool single = name.ends_with(".s");
  if (!single && !name.ends_with(".d")) return std::nullopt;
  const std::string_view stem = name.substr(1, name.size() - 3);
  if (is_one_of(stem, {"div", "sqrt"}))
    return Meaning{single ? Kind::f32_div : Kind::f64_div, true};
  if (is_one_of(stem, {"add", "sub", "mul",  "madd",  "msub",  "nmadd", "nmsub",
                       "min", "max", "sgnj", "sgnjn", "sgnjx", "abs",   "neg",
                       "eq",  "lt",  "le",   "gt",    "ge",    "class"})) {
    return Meaning{single ? Kind::f32 : Kind::f64, true};
  }
  return std::nullopt;
}

/// Reads the operands: registers in their order, and that in parentheses, the base of an address.
void read_operands(std::string_view operands, bool writes, Instruction& instruction) {
  bool first = true;
  while (!operands.empty()) {
    const std::size_t end = std::min(operands.find(','), operands.size());
    const std::string_view operand = trimmed(operands.substr(0, end));
    operands = end < operands.size() ? operands.substr(end + 1) : std::string_view{};
    if (const std::size_t open = operand.find('('); open != std::string_view::npos) {
      const unsigned base = register_number(operand.substr(open + 1, operand.find(')') - open - 1));
      if (base < kRegisters) {
        instruction.base = static_cast<Register>(base);
        if (base != kNone) instruction.reads.push_back(static_cast<Register>(base));
      }
    } else if (const unsigned number = register_number(operand); number < kRegisters) {
      if (first && writes) {
        instruction.writes = static_cast<Register>(number);
      } else if (number != kNone) {
        instruction.reads.push_back(static_cast<Register>(number));
      }
    }
    first = false;
  }
}

constexpr Register kReturnAddress = 1;

Instruction read_instruction(std::uint64_t address, std::string_view text) {
  Instruction instruction;
  instruction.address = address;
  instruction.text = text;
  std::replace(instruction.text.begin(), instruction.text.end(), '\t', ' ');
  std::string_view rest = text;
  const std::string_view name = take_word(rest);
  // "0x22 <f+0x22>" is a target; its name is no operand.
  if (const std::size_t name_of_target = rest.find(" <");
      name_of_target != std::string_view::npos) {
    rest = rest.substr(0, name_of_target);
    instruction.target = hexadecimal(rest.substr(rest.rfind("0x") + 2));
  }
  std::optional<Meaning> meaning = integer_meaning(name);
  if (!meaning) meaning = float_meaning(name);
  // Of what is not known the first register is taken to be the destination, as nearly everywhere.
  const Meaning known = meaning.value_or(Meaning{Kind::other, true});
  instruction.kind = known.kind;
  if (name == "ret") {
    instruction.reads.push_back(kReturnAddress);
  } else if (is_one_of(name, {"jal", "jalr"}) && (rest.find(',') == std::string_view::npos)) {
    // One operand alone: ra gets the address of the next instruction.
    read_operands(rest, false, instruction);
    instruction.writes = kReturnAddress;
  } else {
    read_operands(rest, known.writes, instruction);
  }
  return instruction;
}

}  // namespace

unsigned register_number(std::string_view name) {
  static constexpr std::array<std::string_view, 32> kNames = {
      "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
      "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
      "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  if (const auto* const place = std::ranges::find(kNames, name); place != kNames.end()) {
    return static_cast<unsigned>(place - kNames.begin());
  }
  if (name.size() < 2 || (name[0] != 'x' && name[0] != 'f')) return kRegisters;
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number >= kRegisters / 2)
    return kRegisters;
  return name[0] == 'x' ? number : number + kRegisters / 2;
}

std::vector<Function> functions_of(std::string_view listing) {
  std::vector<Function> functions;
  while (!listing.empty()) {
    const std::size_t end = std::min(listing.find('\n'), listing.size());
    const std::string_view line = listing.substr(0, end);
    listing = listing.substr(std::min(end + 1, listing.size()));
    // "0000000000000028 <divs>:" begins a function, "      28:      \tld\tx12, 0(x10)" is an
    // instruction.
    if (line.ends_with(">:")) {
      const std::size_t open = line.find('<');
      functions.emplace_back().name = line.substr(open + 1, line.size() - open - 3);
      continue;
    }
    const std::size_t colon = line.find(':');
    if (functions.empty() || colon == std::string_view::npos) continue;
    const auto address = hexadecimal(trimmed(line.substr(0, colon)));
    const std::string_view text = trimmed(line.substr(colon + 1));
    if (address && !text.empty()) functions.back().code.push_back(read_instruction(*address, text));
  }
  std::erase_if(functions, [](const Function& function) { return function.code.empty(); });
  return functions;
}

}  // namespace paws::riscv
