// SPDX-License-Identifier: MIT
#include "sim/cuda/capture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "sim/cuda/page_watch.h"
#include "sim/launch/compressed.h"
#include "sim/launch/element.h"
#include "sim/support/error.h"

namespace paws::cuda {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw InputError(path.string(), "cannot write");
}

/// A stretch of memory with its contents before and after the launch.
struct Stretch {
  std::string name;
  std::string comment;
  std::optional<std::uint64_t> address;  ///< nothing: a variable of the kernel's module
  bool expected = true;                  ///< its contents after the launch count
  std::vector<std::byte> before;
  std::vector<std::byte> after;

  [[nodiscard]] bool changed() const { return before != after; }
};

/// Numbers that the kernel adds in an order that the schedule decides.
struct Sums {
  ElementType type;
  double relative;  ///< how far two orders may be apart
};

/// Of the first floating-point addition by an atomic. Nothing: the kernel has none.
std::optional<Sums> sums_in_any_order(const ir::Kernel& kernel) {
  for (const ir::Instruction& in : kernel.code) {
    if ((in.op != ir::Op::atom && in.op != ir::Op::red) || in.atom != ir::AtomOp::add) continue;
    switch (in.type) {
      case ir::Type::f64:
        return Sums{ElementType::f64, 1e-10};
      case ir::Type::f32:
        return Sums{ElementType::f32, 1e-4};
      case ir::Type::f16:
      case ir::Type::f16x2:
        return Sums{ElementType::f16, 2e-2};
      case ir::Type::bf16:
      case ir::Type::bf16x2:
        return Sums{ElementType::bf16, 1e-1};
      default:
        break;
    }
  }
  return std::nullopt;
}

/// Whether such sums may lie there. In a comparison any NaN equals any other; its bits are more
/// often those of integers, like small negative ones.
bool may_hold(const Stretch& stretch, const Sums& sums) {
  const std::size_t bytes = stretch.after.size();
  if (!stretch.changed() || bytes % size_of(sums.type) != 0) return false;
  const Values values = read_values(sums.type, stretch.after.data(), bytes / size_of(sums.type));
  const auto& reals = std::get<std::vector<double>>(values);
  return std::none_of(reals.begin(), reals.end(), [](double real) { return std::isnan(real); });
}

/// The elements as which a stretch is compared. All but sums are exact: the widest integers then,
/// since a replay keeps each element in eight bytes.
ElementType elements_of(const Stretch& stretch, const std::optional<Sums>& sums) {
  if (sums && may_hold(stretch, *sums)) return sums->type;
  return stretch.before.size() % size_of(ElementType::u64) == 0 ? ElementType::u64
                                                                : ElementType::u8;
}

/// Whether the kernel's code names an address of the variable.
bool names(const ir::Kernel& kernel, const ir::Variable& variable) {
  const auto inside = [&variable](std::uint64_t address) {
    return address - variable.address < variable.bytes;
  };
  return std::any_of(kernel.code.begin(), kernel.code.end(), [&](const ir::Instruction& in) {
    return std::any_of(std::begin(in.src), std::end(in.src), [&](const ir::Operand& operand) {
      return operand.kind == ir::Operand::Kind::imm &&
             (inside(operand.imm) || inside(operand.imm + static_cast<std::uint64_t>(in.offset)));
    });
  });
}

/// What may stand in a file's name and in a quoted text.
std::string plain(std::string name) {
  for (char& c : name) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      std::strchr("._-+", c) != nullptr;
    if (!kept) c = '_';
  }
  return name;
}

/// The bytes of a parameter as an argument of a launch description.
std::string argument(const ir::Param& param, const std::byte* bytes) {
  const auto number = [](const std::byte* at, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, size);
    return value;
  };
  if (param.bytes == ir::size_of(param.type)) {
    return fmt::format("{{ bits = \"0x{:x}\" }}", number(bytes, param.bytes));
  }
  std::string members;
  std::size_t at = 0;
  for (const std::size_t size : {8, 4, 2, 1}) {
    for (; at + size <= param.bytes; at += size) {
      members += fmt::format("{}{{ u{} = {{ bits = \"0x{:x}\" }} }}", at == 0 ? "" : ", ", 8 * size,
                             number(bytes + at, size));
    }
  }
  return fmt::format("{{ struct = [{}] }}", members);
}

std::string dimensions(const exec::Dim3& size) {
  return fmt::format("[{}, {}, {}]", size.x, size.y, size.z);
}

/// What a launch can touch: the pages of blocks, and whole variables and registered memory.
class Memory {
 public:
  Memory(const Module& own, const ir::Kernel& kernel, const Modules& modules, const Heap& heap,
         DeviceMemory& memory)
      : memory_(memory) {
    std::vector<PageWatch::Area> areas;
    for (const auto& [address, block] : heap.blocks()) {
      if (block.mapped != 0) {
        areas.push_back({block.data, block.mapped});
        blocks_.push_back(block);
      } else {
        keep(memory.find(address, 0)->name, address, {block.data, block.bytes});
      }
    }
    for (const Module& module : modules.all()) {
      for (const ir::Variable& variable : module.variables.variables) {
        keep_variable(variable, module, &module == &own ? &kernel : nullptr, modules);
      }
    }
    watch_.emplace(std::move(areas));
  }

  /// After the launch.
  std::vector<Stretch> stretches() {
    watch_->stop();
    std::vector<Stretch> out;
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      Stretch& stretch = whole_[i];
      stretch.after.assign(whole_data_[i].begin(), whole_data_[i].end());
      out.push_back(std::move(stretch));
    }
    for (const PageWatch::Run& run : watch_->touched()) {
      const Heap::Block& block = blocks_[run.area];
      const std::size_t end = std::min<std::size_t>(run.offset + run.bytes, block.bytes);
      if (end <= run.offset) continue;
      Stretch stretch;
      stretch.name = fmt::format("memory_{:x}", block.address + run.offset);
      stretch.comment = fmt::format("{}, from byte {} of {}", memory_.find(block.address, 0)->name,
                                    run.offset, block.bytes);
      stretch.address = block.address + run.offset;
      stretch.before.assign(run.before, run.before + (end - run.offset));
      stretch.after.assign(block.data + run.offset, block.data + end);
      out.push_back(std::move(stretch));
    }
    return out;
  }

 private:
  std::byte* data_of(const ir::Variable& variable) {
    return variable.space == ir::Space::constant
               ? memory_.constant(variable.address, variable.bytes)
               : memory_.at(variable.address, variable.bytes);
  }

  /// `kernel` is null for variables of another module, which it knows by their addresses alone.
  void keep_variable(const ir::Variable& variable, const Module& module, const ir::Kernel* kernel,
                     const Modules& modules) {
    std::byte* data = data_of(variable);
    if (data == nullptr || variable.bytes == 0) return;
    if (kernel != nullptr) {
      keep(variable.name, std::nullopt, {data, variable.bytes});
    } else if (variable.space == ir::Space::global) {
      keep(variable.name, variable.address, {data, variable.bytes});
    } else {
      return;
    }
    const std::uint64_t host = modules.host_address(module, variable.name);
    if (host == 0) return;
    // The same bytes under two addresses, which are two memories in a launch description. The
    // kernel changes the one that it knows.
    const bool named = kernel != nullptr && names(*kernel, variable);
    whole_.back().expected = named;
    keep(variable.name, host, {data, variable.bytes});
    whole_.back().expected = !named;
  }

  void keep(const std::string& name, std::optional<std::uint64_t> address,
            std::span<std::byte> data) {
    Stretch stretch;
    stretch.name = address ? fmt::format("memory_{:x}", *address) : name;
    stretch.comment = address ? name : "";
    stretch.address = address;
    stretch.before.assign(data.begin(), data.end());
    whole_.push_back(std::move(stretch));
    whole_data_.push_back(data);
  }

  DeviceMemory& memory_;
  std::vector<Heap::Block> blocks_;
  std::vector<Stretch> whole_;
  std::vector<std::span<std::byte>> whole_data_;
  std::optional<PageWatch> watch_;
};

/// Writes the files of one launch, all or none.
class Writer {
 public:
  Writer(fs::path folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    std::error_code ignored;
    for (const auto& [part, file] : files_) fs::remove(part, ignored);
  }

  /// Under a name of its own until finish().
  std::string add(const std::string& file, std::string_view bytes) {
    const fs::path part = folder_ / (file + ".part");
    files_.emplace_back(part, folder_ / file);
    write_file(part, bytes);
    return file;
  }

  std::string add(const std::string& stretch, const char* when, std::span<const std::byte> bytes) {
    return add(fmt::format("{}.{}.{}.zst", name_, stretch, when), compressed(bytes));
  }

  void finish() {
    // The description last: with it the capture is there.
    for (const auto& [part, file] : files_) fs::rename(part, file);
    files_.clear();
  }

 private:
  fs::path folder_;
  std::string name_;
  std::vector<std::pair<fs::path, fs::path>> files_;
};

/// Throws InputError for captures of another run, whose files those of this run would replace.
void check_none_is_there(const fs::path& folder, const std::string& name) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(name + "-") || !file.ends_with(".toml") ||
        file.find_first_not_of("0123456789", name.size() + 1) + std::strlen(".toml") !=
            file.size()) {
      continue;
    }
    throw InputError(entry.path().string(),
                     "is there already, of another run: capture into another folder (-o)");
  }
}

}  // namespace

Capture::Capture(std::filesystem::path folder, const std::string& program,
                 const ReportWriter& report, std::string made_by, bool independent_threads)
    : folder_(std::move(folder)),
      program_(plain(program)),
      report_(report),
      made_by_(std::move(made_by)),
      independent_threads_(independent_threads) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw InputError(folder_.string(), "cannot make this folder");
}

const std::string& Capture::name() {
  // A process that forks and goes on is another one.
  if (process_ != getpid()) {
    process_ = getpid();
    const unsigned count = report_.take_name(program_);
    name_ = count == 1 ? program_ : fmt::format("{}.{}", program_, count);
    check_none_is_there(folder_, name_);
  }
  return name_;
}

std::filesystem::path Capture::launch(std::uint64_t number, const Function& function,
                                      const KernelLaunch& launch, const Modules& modules,
                                      const Heap& heap, DeviceMemory& memory,
                                      const std::function<void()>& run) {
  std::vector<Stretch> stretches;
  {
    Memory watched(*function.module, *launch.kernel, modules, heap, memory);
    run();
    stretches = watched.stretches();
  }
  const std::string name = fmt::format("{}-{}", this->name(), number);
  Writer writer(folder_, name);
  // One file of PTX for all launches of a module; '#' begins a comment in shells.
  const std::string& module = function.module->name;
  const std::string code = this->name() + "." + module.substr(module.rfind('#') + 1);
  writer.add(code, function.module->text);

  const ir::Kernel& kernel = *launch.kernel;
  const std::optional<Sums> sums = sums_in_any_order(kernel);
  std::string text = fmt::format(
      "# Launch {} of {}, captured.\n{}"
      "name = \"{}\"\nindependent_threads = {}\n\n[[module]]\nptx = \"{}\"\nglobal_offset = "
      "{}\nconstant_offset = {}\n",
      number, program_, made_by_, name, independent_threads_, code,
      function.module->taken.global_bytes, function.module->taken.constant_bytes);
  std::string expectations;
  for (const Stretch& stretch : stretches) {
    // A buffer that is as before may have been written again, with the same values.
    const bool expected = stretch.expected && (stretch.changed() || stretch.address);
    const ElementType type = elements_of(stretch, sums);
    const std::string before = writer.add(stretch.name, "before", stretch.before);
    text += fmt::format("\n{}[[{}]]\nname = \"{}\"\n",
                        stretch.comment.empty() ? "" : "# " + stretch.comment + "\n",
                        stretch.address ? "buffer" : "symbol", stretch.name);
    if (stretch.address) text += fmt::format("address = \"0x{:x}\"\n", *stretch.address);
    text += fmt::format("type = \"{}\"\ncount = {}\ninit = {{ raw = \"{}\" }}\n", to_string(type),
                        stretch.before.size() / size_of(type), before);
    if (!expected) continue;
    const std::string after =
        stretch.changed() ? writer.add(stretch.name, "after", stretch.after) : before;
    expectations +=
        fmt::format("\n[[expect]]\nbuffer = \"{}\"\nraw = \"{}\"\n", stretch.name, after);
    if (sums && is_float(type)) {
      expectations += fmt::format(
          "# The kernel adds floating-point numbers by atomics, in no order.\n"
          "tolerance = {{ relative = {:.1e} }}\n",
          sums->relative);
    }
  }
  text += fmt::format("\n[[step]]\nkernel = \"{}\"\ngrid = {}\nblock = {}\nshared = {}\nargs = [",
                      function.name, dimensions(launch.shape.grid), dimensions(launch.shape.block),
                      launch.shape.dynamic_shared);
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    text += (i == 0 ? "" : ", ") +
            argument(kernel.params[i], launch.params.data() + kernel.params[i].offset);
  }
  text += "]\n" + expectations;
  writer.add(name + ".toml", text);
  writer.finish();
  return folder_ / (name + ".toml");
}

}  // namespace paws::cuda
