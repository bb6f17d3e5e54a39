// SPDX-License-Identifier: MIT
#include "sim/sass/trace_reader.h"

#include <bit>
#include <functional>
#include <map>
#include <stdexcept>

#include "sim/sass/words.h"

namespace paws::sass {
namespace {

constexpr unsigned kMostOperands = 32;  ///< that a line may name, of each kind
/// As CUDA has them (CUDA C++ Programming Guide, technical specifications).
constexpr std::uint32_t kMostBlocksX = 0x7fff'ffff, kMostBlocksYz = 0xffff;
constexpr std::uint32_t kMostThreads = 1024;
/// More is no shared memory of any machine, and no register file.
constexpr std::uint32_t kMostShared = std::uint32_t{1} << 20, kMostRegisters = 512;
/// Bytes that a lane accesses at once; 32 since Blackwell.
constexpr unsigned kMostWidth = 32;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// "(4,1,1)", or "4,1,1".
exec::Dim3 parse_dim(std::string_view text) {
  std::string_view left = text;
  if (left.starts_with('(') && left.ends_with(')')) left = left.substr(1, left.size() - 2);
  std::array<std::uint32_t, 3> sizes{};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t comma = left.find(',');
    const bool last = i + 1 == sizes.size();
    const auto number = number_of<std::uint32_t>(left.substr(0, comma));
    if (!number || (comma == std::string_view::npos) != last) {
      throw std::invalid_argument("'" + std::string(text) + "' is not three numbers");
    }
    sizes[i] = *number;
    if (!last) left.remove_prefix(comma + 1);
  }
  return {sizes[0], sizes[1], sizes[2]};
}

std::uint32_t parse_bounded(std::string_view text, std::uint32_t most) {
  const auto number = number_of<std::uint32_t>(text);
  if (!number || *number > most) {
    throw std::invalid_argument("'" + std::string(text) + "' is not a number from 0 to " +
                                std::to_string(most));
  }
  return *number;
}

std::uint64_t parse_address(std::string_view text) {
  const auto number = number_of<std::uint64_t>(text, 16);
  if (!number) throw std::invalid_argument("'" + std::string(text) + "' is not an address");
  return *number;
}

/// The last number of a register of `file`.
std::uint32_t last_number(MachineRegister::File file, Numbers numbers) {
  if (numbers == Numbers::values) return ir::kNoReg * kRegisterNumbers - 1;
  const bool data =
      file == MachineRegister::File::general || file == MachineRegister::File::uniform;
  return data ? kRz : kPt;
}

MachineRegister parse_register(std::string_view word, Numbers numbers) {
  MachineRegister reg;
  std::string_view number = word;
  const bool uniform = number.starts_with('U');
  if (uniform) number.remove_prefix(1);
  const char file = number.empty() ? '\0' : number.front();
  if (!number.empty()) number.remove_prefix(1);
  const auto value = number_of<std::uint32_t>(number);
  if ((file != 'R' && file != 'P') || !value) {
    throw std::invalid_argument("'" + std::string(word) + "' is not a register");
  }
  if (file == 'R') {
    reg.file = uniform ? MachineRegister::File::uniform : MachineRegister::File::general;
  } else {
    reg.file =
        uniform ? MachineRegister::File::uniform_predicate : MachineRegister::File::predicate;
  }
  reg.number = *value;
  const std::uint32_t last = last_number(reg.file, numbers);
  if (*value > last) {
    const std::string_view name = word.substr(0, word.size() - number.size());
    throw std::invalid_argument("'" + std::string(word) +
                                "' is not a register: " + std::string(name) + "0 to " +
                                std::string(name) + std::to_string(last));
  }
  return reg;
}

/// Passes over a list of registers, "2 R4 R5"; gives them to `each`.
template <typename Each>
void registers(Words& words, const char* what, Each each) {
  const auto count = words.number<unsigned>(what);
  if (count > kMostOperands) {
    throw std::invalid_argument(std::to_string(count) + " registers of an instruction");
  }
  for (unsigned i = 0; i < count; ++i) each(words.take("a register"));
}

/// The addresses of a memory instruction, in one of the tracer's three forms.
void parse_addresses(Words& words, exec::LaneMask mask, Details& details) {
  enum class Form : unsigned { list = 0, stride = 1, deltas = 2 };
  const auto form = static_cast<Form>(words.number<unsigned>("the form of the addresses"));
  const auto each_lane = [mask](auto&& act) {
    for (exec::LaneMask left = mask; left != 0; left &= left - 1) {
      act(static_cast<std::size_t>(std::countr_zero(left)));
    }
  };
  std::uint64_t address = 0;
  switch (form) {
    case Form::list:
      each_lane([&](std::size_t lane) {
        details.addresses[lane] = words.number<std::uint64_t>("an address", 16);
      });
      return;
    case Form::stride: {
      const auto base = words.number<std::uint64_t>("an address", 16);
      const auto stride = words.number<std::int64_t>("a stride");
      const exec::LaneMask run = mask == 0 ? 0 : mask >> std::countr_zero(mask);
      if ((run & (run + 1)) != 0) {
        throw std::invalid_argument("a base and a stride for lanes that are not in one row");
      }
      address = base;
      each_lane([&](std::size_t lane) {
        details.addresses[lane] = address;
        address += static_cast<std::uint64_t>(stride);
      });
      return;
    }
    case Form::deltas: {
      address = words.number<std::uint64_t>("an address", 16);
      bool first = true;
      each_lane([&](std::size_t lane) {
        if (!first) {
          address += static_cast<std::uint64_t>(words.number<std::int64_t>("a difference"));
        }
        first = false;
        details.addresses[lane] = address;
      });
      return;
    }
  }
  throw std::invalid_argument("addresses in form " + std::to_string(static_cast<unsigned>(form)) +
                              "; 0, 1 and 2 are known");
}

/// Behind the addresses: an immediate since version 4 or 5, two since some time in version 5;
/// values of registers in version 6.
void parse_tail(Words& words, unsigned version, Details& details) {
  for (std::size_t i = 0; i < details.immediates.size() && !words.empty(); ++i) {
    if (version >= 6 && (words.rest().starts_with("NoVal") || words.rest().starts_with("Val"))) {
      break;
    }
    // The tracer prints what the operand holds, signed or not.
    const std::string_view word = words.take("an immediate");
    if (const auto value = number_of<std::int64_t>(word)) {
      details.immediates[i] = *value;
    } else if (const auto large = number_of<std::uint64_t>(word)) {
      details.immediates[i] = static_cast<std::int64_t>(*large);
    } else {
      throw std::invalid_argument("'" + std::string(word) + "' where an immediate should stand");
    }
  }
  if (words.empty()) return;
  if (version >= 6) {
    const std::string_view values = words.take("Val or NoVal");
    if (values == "Val" || (values == "NoVal" && words.empty())) return;
  }
  throw std::invalid_argument("'" + std::string(words.rest()) +
                              "' behind the end of the instruction");
}

}  // namespace

exec::LaneMask lanes_of(const exec::Dim3& block, std::uint64_t warp) {
  const std::uint64_t threads = block.count() - warp * ir::kWarpSize;
  return threads >= ir::kWarpSize ? ~exec::LaneMask{0} : (exec::LaneMask{1} << threads) - 1;
}

Definition parse_definition(std::string_view text, Numbers numbers) {
  Definition definition;
  Words words(text);
  registers(words, "the number of destinations", [&](std::string_view word) {
    definition.destinations.push_back(parse_register(word, numbers));
  });
  definition.opcode = words.take("an opcode");
  registers(words, "the number of sources", [&](std::string_view word) {
    definition.sources.push_back(parse_register(word, numbers));
  });
  return definition;
}

TraceReader::TraceReader(const std::filesystem::path& file) : lines_(file) {
  read_header();
  check_header();
  warps_.resize(header_.warps());
}

void TraceReader::read_header() {
  std::string_view line;
  while (lines_.next(line)) {
    if (trimmed(line).empty()) continue;
    if (line.front() == '#') {
      held_ = line;
      holds_ = true;
      return;
    }
    if (line.front() != '-') {
      fail("not a trace: a header line that begins with neither '-' nor '#'");
    }
    try {
      read_key(line.substr(1));
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
  }
  fail_at_end(keys_.empty() ? "not a trace: it has no header" : "the file ends in its header");
}

void TraceReader::read_key(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) throw std::invalid_argument("a header line without '='");
  const std::string key(trimmed(line.substr(0, equals)));
  const std::string_view value = trimmed(line.substr(equals + 1));
  if (key.starts_with("paws ")) {
    read_own_key(std::string_view(key).substr(5), value);
    return;
  }
  if (!keys_.insert(key).second) throw std::invalid_argument("a second '" + key + "'");
  if (key == "kernel name") {
    header_.kernel = value;
  } else if (key == "grid dim") {
    header_.grid = parse_dim(value);
  } else if (key == "block dim") {
    header_.block = parse_dim(value);
  } else if (key == "shmem") {
    header_.shared_bytes = parse_bounded(value, kMostShared);
  } else if (key == "nregs") {
    header_.registers = parse_bounded(value, kMostRegisters);
  } else if (key == "accelsim tracer version") {
    header_.version = parse_bounded(value, 1000);
  } else if (key == "enable lineinfo") {
    header_.line_numbers = parse_bounded(value, 1) != 0;
  } else if (key == "shmem base_addr") {
    header_.windows.shared = parse_address(value);
  } else if (key == "local mem base_addr") {
    header_.windows.local = parse_address(value);
  }
  // Others (kernel id, binary version, cuda stream id, nvbit version) change nothing here.
}

void TraceReader::read_own_key(std::string_view key, std::string_view value) {
  WholeCode& code = header_.code;
  if (key == "made by") return;  // for people
  if (key == "local bytes") {
    code.local_bytes = parse_bounded(value, kMostLocalBytes);
    return;
  }
  Words words(value);
  if (key == "code") {
    WholeCode::Line& line = code.lines.emplace_back();
    line.line = lines_.line();
    line.pc = words.number<std::uint32_t>("a pc", 16);
    const std::string_view definition = words.rest();
    line.definition = parse_definition(definition, Numbers::values);
    // Behind the definition, which has as many words as it says: two immediates.
    const std::size_t taken =
        3 + line.definition.destinations.size() + line.definition.sources.size();
    for (std::size_t i = 0; i < taken; ++i) words.take("a register");
    for (std::int64_t& immediate : line.immediates) {
      immediate = words.number<std::int64_t>("an immediate");
    }
    if (!words.empty()) throw std::invalid_argument("words behind the end of the instruction");
  } else if (key == "targets") {
    WholeCode::Targets& targets = code.targets.emplace_back();
    targets.line = lines_.line();
    targets.pc = words.number<std::uint32_t>("a pc", 16);
    while (!words.empty()) targets.to.push_back(words.number<std::uint32_t>("a pc", 16));
  } else if (key == "blocks") {
    while (!words.empty()) code.blocks.push_back(words.number<std::uint32_t>("a pc", 16));
  } else {
    throw std::invalid_argument("'-paws " + std::string(key) + "' is not known");
  }
}

void TraceReader::check_header() {
  for (const char* key :
       {"kernel name", "grid dim", "block dim", "shmem", "nregs", "accelsim tracer version"}) {
    if (!keys_.contains(key)) fail("the header does not say '-" + std::string(key) + " ='");
  }
  if (header_.version < kOldestVersion || header_.version > kNewestVersion) {
    fail("a trace of tracer version " + std::to_string(header_.version) + "; " +
         std::to_string(kOldestVersion) + " to " + std::to_string(kNewestVersion) + " are read");
  }
  if (header_.kernel.empty()) fail("the kernel has no name");
  const exec::Dim3& grid = header_.grid;
  const exec::Dim3& block = header_.block;
  if (grid.count() == 0 || grid.x > kMostBlocksX || grid.y > kMostBlocksYz ||
      grid.z > kMostBlocksYz) {
    fail("'grid dim' is no grid that can be launched");
  }
  for (const std::uint32_t size : {block.x, block.y, block.z}) {
    if (size == 0 || size > kMostThreads || block.count() > kMostThreads) {
      fail("'block dim' is no block that can be launched: 1 to " + std::to_string(kMostThreads) +
           " threads");
    }
  }
}

bool TraceReader::next_line(std::string_view& line) {
  if (holds_) {
    holds_ = false;
    line = held_;
    return true;
  }
  return lines_.next(line);
}

TraceReader::Event TraceReader::next() {
  std::string_view line;
  while (next_line(line)) {
    const std::string_view text = trimmed(line);
    if (text.empty()) continue;
    if (left_ > 0) {
      if (text.front() == '#' || text.find('=') != std::string_view::npos) {
        fail("warp " + std::to_string(warp_) + " says " + std::to_string(instructions_) +
             " instructions and has " + std::to_string(instructions_ - left_));
      }
      --left_;
      parse_record(text);
      return Event::instruction;
    }
    if (text == "#BEGIN_TB") {
      begin_block();
      return Event::block;
    }
    if (text == "#END_TB") {
      end_block();
      continue;
    }
    if (text.starts_with("#BEGIN") || text.starts_with("#END")) {
      fail("'" + std::string(text) + "' is not known");
    }
    if (text.front() == '#') continue;
    if (!in_block_) {
      fail("'" + std::string(text.substr(0, 40)) +
           "' outside of a thread block; the tracer's own files are put in blocks by "
           "post-traces-processing");
    }
    if (text.starts_with("cluster ")) continue;  // blocks do not know of each other here
    return begin_warp(text);
  }
  end_trace();
  return Event::end;
}

/// "thread block = 0,0,0" behind "#BEGIN_TB".
void TraceReader::begin_block() {
  if (in_block_) fail("'#BEGIN_TB' inside of a thread block");
  std::string_view line;
  do {
    if (!next_line(line)) fail_at_end("the file ends behind '#BEGIN_TB'");
  } while (trimmed(line).empty());
  const std::string_view text = trimmed(line);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trimmed(text.substr(0, equals)) != "thread block") {
    fail("'thread block = x,y,z' should stand here");
  }
  exec::Dim3 at;
  try {
    at = parse_dim(trimmed(text.substr(equals + 1)));
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
  const exec::Dim3& grid = header_.grid;
  const std::string name = "thread block (" + std::to_string(at.x) + "," + std::to_string(at.y) +
                           "," + std::to_string(at.z) + ")";
  if (at.x >= grid.x || at.y >= grid.y || at.z >= grid.z) fail(name + " is not in the grid");
  block_ = (std::uint64_t{at.z} * grid.y + at.y) * grid.x + at.x;
  if (!blocks_.insert(block_).second) fail(name + " a second time");
  in_block_ = true;
  warps_.assign(warps_.size(), false);
}

/// "warp = 0", and behind it "insts = 12".
TraceReader::Event TraceReader::begin_warp(std::string_view line) {
  const auto value_of = [this](std::string_view text, std::string_view key) {
    const std::size_t equals = text.find('=');
    std::optional<std::uint64_t> number;
    if (equals != std::string_view::npos && trimmed(text.substr(0, equals)) == key) {
      number = number_of<std::uint64_t>(trimmed(text.substr(equals + 1)));
    }
    if (!number) fail("'" + std::string(key) + " = number' should stand here");
    return *number;
  };
  const std::uint64_t warp = value_of(line, "warp");
  if (warp >= warps_.size()) {
    fail("warp " + std::to_string(warp) + ": a block has " + std::to_string(warps_.size()));
  }
  if (warps_[warp]) fail("warp " + std::to_string(warp) + " a second time");
  warps_[warp] = true;
  warp_ = static_cast<std::uint32_t>(warp);
  std::string_view behind;
  do {
    if (!next_line(behind)) fail_at_end("the file ends behind 'warp ='");
  } while (trimmed(behind).empty());
  instructions_ = value_of(trimmed(behind), "insts");
  if (instructions_ == 0) fail("warp " + std::to_string(warp) + " has no instructions");
  left_ = instructions_;
  copies_ = false;
  return Event::warp;
}

void TraceReader::end_block() {
  if (!in_block_) fail("'#END_TB' outside of a thread block");
  for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
    if (!warps_[warp]) fail("the block ends without warp " + std::to_string(warp));
  }
  in_block_ = false;
}

void TraceReader::end_trace() {
  if (left_ > 0) {
    fail_at_end("the file ends in warp " + std::to_string(warp_) + ", " + std::to_string(left_) +
                " instructions before the warp's end");
  }
  if (in_block_) fail_at_end("the file ends in a thread block");
  if (blocks_.size() != header_.grid.count()) {
    fail_at_end("the file has " + std::to_string(blocks_.size()) + " of the grid's " +
                std::to_string(header_.grid.count()) + " thread blocks");
  }
}

void TraceReader::fail_at_end(const std::string& what) const { fail(what); }

void TraceReader::parse_record(std::string_view line) {
  try {
    Words words(line);
    if (header_.line_numbers) words.number<std::int64_t>("the line of the source");
    const Record before = record_;
    const bool copied = copies_;
    record_.pc = words.number<std::uint32_t>("a pc", 16);
    record_.mask = words.number<std::uint32_t>("a mask", 16);
    const std::string_view from = words.rest();
    registers(words, "the number of destinations", [](std::string_view) {});
    copies_ = words.take("an opcode").starts_with("LDGSTS");
    // A warp that executes one instruction twice in turn, without a branch between, does so in
    // different lanes.
    same_again_ =
        copied && copies_ && !same_again_ && record_.pc == before.pc && record_.mask == before.mask;
    registers(words, "the number of sources", [](std::string_view) {});
    rest_ = words.rest();
    record_.definition = trimmed(from.substr(0, from.size() - rest_.size()));
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
}

Definition TraceReader::definition() const {
  try {
    return parse_definition(record_.definition, Numbers::machine);
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
}

void TraceReader::details(Details& details) const {
  details.immediates = {};
  try {
    Words words(rest_);
    details.width = words.number<unsigned>("the width of the access");
    if (details.width > kMostWidth) {
      throw std::invalid_argument("an access of " + std::to_string(details.width) +
                                  " bytes per lane; " + std::to_string(kMostWidth) +
                                  " are the most");
    }
    if (details.width > 0) parse_addresses(words, record_.mask, details);
    parse_tail(words, header_.version, details);
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
}

}  // namespace paws::sass
