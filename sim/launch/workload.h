// SPDX-License-Identifier: MIT
// A workload: buffers, kernel launches and expected results, as a launch description (TOML) says.
// docs/guide/launch.md describes the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/launch/element.h"
#include "sim/launch/expression.h"
#include "sim/support/location.h"

namespace paws {

/// A number: an integer expression, or a floating-point literal.
struct Scalar {
  std::variant<Expression, double> value;
  Location where;

  [[nodiscard]] Number evaluate(const Variables& variables) const;
};

/// Elements offset, offset + every, ..., `count` of them; without a count, to the buffer's end.
struct Selection {
  Expression offset, every;
  std::optional<Expression> count;
};

/// A call of one of the host's reference functions (workloads/references).
struct ReferenceCall {
  std::string function;
  std::vector<std::variant<std::string, Scalar>> inputs;  ///< buffers by name (initial contents)
};

/// A value as it lies in memory: a kernel argument, or what a buffer holds.
struct Datum {
  enum class Kind : std::uint8_t { plain, typed, address, structure, padding };
  Kind kind = Kind::plain;     ///< plain: of the type that the place has
  std::string buffer;          ///< address: of this buffer or symbol, `number` bytes further
  ElementType type{};          ///< typed
  std::vector<Scalar> number;  ///< plain, typed: one, unless `bits` are given; address: offset;
                               ///< padding: bytes
  std::optional<std::uint64_t> bits;  ///< plain, typed: raw bits instead of a number
  std::vector<Datum> members;         ///< structure
  Location where;
};

/// One layer of a buffer's contents.
struct Layer {
  enum class Kind : std::uint8_t { fill, range, random, values, raw, text, reference };
  Kind kind = Kind::fill;
  std::vector<Datum> data;     ///< fill: value; range: start, step; random: low, high; values
  std::filesystem::path file;  ///< raw, text
  std::optional<std::uint64_t> seed;  ///< random: its own seed
  Selection selection;
  Location where;
  ReferenceCall call{};  ///< reference: of buffers described before this one
};

enum class FileFormat : std::uint8_t { raw, text };

struct SaveFile {
  FileFormat format = FileFormat::raw;
  std::filesystem::path file;
};

/// A device allocation, or a variable of the module to be initialised.
struct Buffer {
  std::string name;
  ElementType type = ElementType::u8;
  std::uint64_t count = 0;               ///< elements; of a symbol 0: as many as the variable holds
  std::optional<std::uint64_t> address;  ///< where it lies; nothing: behind the one before
  std::vector<Layer> contents;           ///< in order; elements that no layer covers are 0
  std::optional<SaveFile> save;          ///< written after the run
  bool symbol = false;
  std::string variable;               ///< symbol: its name in the PTX file
  std::optional<std::size_t> module;  ///< symbol: as in LaunchStep
  Location where;

  [[nodiscard]] std::uint64_t bytes() const { return count * size_of(type); }
};

struct Step;

/// Threads of a block at most, in all three dimensions ("CUDA C++ Programming Guide", compute
/// capability 2.0 and later).
inline constexpr std::uint64_t kMaxBlockThreads = 1024;

struct LaunchStep {
  std::string kernel;                   ///< as written
  std::vector<Expression> grid, block;  ///< one to three each
  Expression shared;                    ///< dynamic shared memory, bytes
  Expression registers;                 ///< per thread; 0: what the front-end says
  std::vector<Datum> arguments;
  std::optional<std::size_t> module;  ///< in Workload::modules; nothing: the only one with it
};
/// Launches that start together and share the cores.
struct Concurrent {
  struct Launch {
    LaunchStep launch;
    Location where;
  };
  std::vector<Launch> launches;  ///< at least two
};
struct Fill {
  std::string buffer;
  Datum value;
  Selection selection;
};
struct Copy {
  std::string from, to;
  Expression offset, to_offset;  ///< elements
  std::optional<Expression> count;
};
struct Swap {
  std::string first, second;
};
struct Repeat {
  Expression count;
  std::string index;  ///< loop variable, from 0; empty: none
  std::vector<Step> steps;
};
/// Runs its steps until every element of `flag` is zero after them.
struct UntilClear {
  std::string flag;
  Expression max_iterations;
  std::string index;
  std::vector<Step> steps;
};

struct Step {
  std::variant<LaunchStep, Concurrent, Fill, Copy, Swap, Repeat, UntilClear> action;
  Location where;
};

/// An element passes when it is equal to the expected one, or within any bound that is given.
struct Tolerance {
  std::optional<double> absolute;
  std::optional<double> relative;    ///< of the magnitude of the expected value
  std::optional<std::uint64_t> ulp;  ///< representable numbers of the buffer's type apart
};

struct Expectation {
  std::string buffer;
  std::variant<ReferenceCall, std::vector<Layer>> expected;
  Tolerance tolerance;
  Location where;
};

/// A PTX file.
struct ModuleFile {
  std::string name;           ///< unique in the description
  std::filesystem::path ptx;  ///< found
  /// Bytes that other modules take of the memory for variables; nothing: those before it here.
  std::optional<std::uint64_t> global_offset{};
  std::optional<std::uint64_t> constant_offset{};
};

struct Workload {
  std::string name;
  std::string description;
  std::filesystem::path file;       ///< the launch description
  std::vector<ModuleFile> modules;  ///< at least one
  std::uint64_t seed = 1;
  /// Cycles after which a launch is taken to spin for ever, for launches that are long.
  std::optional<std::uint64_t> max_cycles;
  /// The kernels may wait for threads of their own warp: they are compiled for GPUs of compute
  /// capability 7.0 and more.
  bool independent_threads = false;
  std::string size;     ///< name of the chosen alternative; empty: the defaults
  Variables variables;  ///< the sizes
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  std::vector<Expectation> expectations;
};

struct LoadOptions {
  std::string size;     ///< a table [size.NAME]; empty: the defaults
  Variables variables;  ///< replace single sizes
  std::optional<std::uint64_t> seed;
  /// Files instead of the description's: "FILE", or "MODULE=FILE" for one of several modules.
  std::vector<std::string> ptx;
  std::vector<std::filesystem::path> ptx_directories;  ///< searched after the description's own
};

/// Reads and checks a launch description. Throws InputError "file:line: cause".
Workload load_workload(const std::filesystem::path& file, const LoadOptions& options = {});

/// The kernels that `workload` may launch from a module, as its description names them, each once.
std::set<std::string> launched_kernels(const Workload& workload, std::size_t module);

/// Of these names, the threads of the largest block that each is launched with, as far as the sizes
/// decide it: blocks that a loop's index changes do not count.
std::map<std::string, std::uint64_t> largest_blocks(const Workload& workload, std::size_t module);

/// The launch description that a user's word names: a file, or the name of a workload in
/// `directory` (name for directory/name/name.toml, family/name for directory/family/name.toml).
/// Throws InputError that lists the known names.
std::filesystem::path find_workload(const std::string& word,
                                    const std::filesystem::path& directory);

}  // namespace paws
