// SPDX-License-Identifier: MIT
// One kernel launch as Accel-Sim's tracer wrote it (.traceg): a header, then the instructions of
// every warp of every block. docs/reference/sass_traces.md describes the format.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "sim/exec/resident_block.h"
#include "sim/sass/line_source.h"
#include "sim/support/location.h"

namespace paws::sass {

/// Local memory of a thread, at most, as CUDA has it: what spans more is no stack.
inline constexpr std::uint32_t kMostLocalBytes = std::uint32_t{512} << 10;

/// Numbers of general registers count modulo this for the register banks. Our own traces give every
/// value a number of its own, whose remainder is the machine register that it lies in.
inline constexpr unsigned kRegisterNumbers = 256;
/// Registers that always hold the same value: RZ, and URZ of later machines; URZ; PT and UPT.
inline constexpr std::uint32_t kRz = 255, kUrz = 63, kPt = 7;

/// A register of the machine as a trace names it: R4, UR4, P4, UP4.
struct MachineRegister {
  enum class File : std::uint8_t { general, uniform, predicate, uniform_predicate };
  File file = File::general;
  std::uint32_t number = 0;
  bool operator==(const MachineRegister&) const = default;
  bool operator<(const MachineRegister& other) const {
    return std::tie(file, number) < std::tie(other.file, other.number);
  }
};

/// What a line says of the instruction itself, whoever executes it.
struct Definition {
  std::string opcode;
  std::vector<MachineRegister> destinations, sources;
  bool operator==(const Definition&) const = default;
};

/// Addresses of the windows of shared and local memory in generic addresses. 0: not known.
struct Windows {
  /// Bytes of each; the same on every machine that is traced.
  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 24;
  std::uint64_t shared = 0, local = 0;
};

/// What only our own traces say (lines "-paws ..."), and Accel-Sim passes over. With it the code is
/// whole: every instruction, executed or not, with every register.
struct WholeCode {
  struct Line {
    std::uint32_t pc = 0;
    Definition definition;
    std::array<std::int64_t, 2> immediates{};
    std::uint64_t line = 0;  ///< of the file
  };
  struct Targets {
    std::uint32_t pc = 0;  ///< of the branch
    std::vector<std::uint32_t> to;
    std::uint64_t line = 0;
  };
  std::vector<Line> lines;            ///< empty: not such a trace
  std::vector<Targets> targets;       ///< of branches
  std::vector<std::uint32_t> blocks;  ///< first pcs of the basic blocks
  std::uint32_t local_bytes = 0;      ///< per thread
  [[nodiscard]] bool given() const { return !lines.empty(); }
};

struct Header {
  std::string kernel;
  exec::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< per block, static and dynamic
  std::uint32_t registers = 0;     ///< per thread
  unsigned version = 0;            ///< of the tracer
  bool line_numbers = false;       ///< instructions begin with the line of the source
  Windows windows;
  WholeCode code;
  [[nodiscard]] std::uint64_t warps() const {
    return (block.count() + ir::kWarpSize - 1) / ir::kWarpSize;
  }
};

/// The lanes that a warp of a block has.
exec::LaneMask lanes_of(const exec::Dim3& block, std::uint64_t warp);

/// One executed instruction, as far as it stands before its operands' values.
struct Record {
  std::uint32_t pc = 0;  ///< as traced: bytes from the kernel's start
  exec::LaneMask mask = 0;
  /// From the number of destinations to the last source: what definition_of() reads.
  std::string_view definition;
};

/// Its accesses and immediates.
struct Details {
  unsigned width = 0;  ///< bytes as the tracer saw them, 0: no access
  std::array<std::uint64_t, ir::kWarpSize> addresses{};  ///< of the active lanes
  std::array<std::int64_t, 2> immediates{};              ///< 0 where the line has none
};

class TraceReader {
 public:
  static constexpr unsigned kOldestVersion = 3, kNewestVersion = 6;

  /// Reads the header. Throws InputError "file:line: cause".
  explicit TraceReader(const std::filesystem::path& file);

  [[nodiscard]] const Header& header() const { return header_; }

  enum class Event : std::uint8_t { block, warp, instruction, end };
  /// The next piece of the trace. Blocks come in any order, each once; of a block all warps; of a
  /// warp as many instructions as it says. Throws InputError for everything else.
  Event next();

  /// Event::block and after: linear index, x fastest.
  [[nodiscard]] std::uint64_t block() const { return block_; }
  /// Event::warp and after: number in the block, and its instructions.
  [[nodiscard]] std::uint32_t warp() const { return warp_; }
  [[nodiscard]] std::uint64_t warp_instructions() const { return instructions_; }
  /// Event::instruction: the line is of the same instruction as the one before. Accel-Sim's tracer
  /// writes an LDGSTS twice, first with its addresses in shared memory, then in global memory. Our
  /// own traces have it once.
  [[nodiscard]] bool same_again() const { return same_again_; }
  /// Event::instruction: whether it is the last of its warp.
  [[nodiscard]] bool last_of_warp() const { return left_ == 0; }
  /// Event::instruction: valid until the next call of next().
  [[nodiscard]] const Record& record() const { return record_; }
  [[nodiscard]] Definition definition() const;
  /// Reads the rest of the instruction's line.
  void details(Details& details) const;

  /// Of the last line read.
  [[nodiscard]] Location where() const { return {lines_.name(), lines_.line()}; }
  [[noreturn]] void fail(const std::string& cause) const { where().fail(cause); }

 private:
  void read_header();
  void read_key(std::string_view line);
  void read_own_key(std::string_view key, std::string_view value);
  void check_header();
  bool next_line(std::string_view& line);
  void begin_block();
  Event begin_warp(std::string_view line);
  void end_block();
  void end_trace();
  void parse_record(std::string_view line);
  [[noreturn]] void fail_at_end(const std::string& what) const;

  LineSource lines_;
  Header header_;
  std::unordered_set<std::string> keys_;
  std::string held_;  ///< the line behind the header
  bool holds_ = false;
  bool in_block_ = false;
  std::uint64_t block_ = 0;
  std::unordered_set<std::uint64_t> blocks_;  ///< that have been read
  std::uint32_t warp_ = 0;
  std::vector<bool> warps_;  ///< of the block, that have been read
  std::uint64_t instructions_ = 0;
  std::uint64_t left_ = 0;  ///< instructions of the warp
  Record record_;
  bool copies_ = false;  ///< the record is of an LDGSTS
  bool same_again_ = false;
  std::string_view rest_;  ///< of the record's line, behind the definition
};

/// Which numbers registers may have: those of a machine, or those of our own lists of whole code.
enum class Numbers : std::uint8_t { machine, values };

/// "1 R4 LDG.E 1 R2". Throws std::invalid_argument that says what is wrong.
Definition parse_definition(std::string_view text, Numbers numbers);

}  // namespace paws::sass
