// SPDX-License-Identifier: MIT
#include "sim/cuda/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/cuda/page_watch.h"
#include "sim/launch/compressed.h"
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
  std::optional<std::uint64_t> address;  ///< nothing: a variable of the module
  std::vector<std::byte> before;
  std::vector<std::byte> after;

  [[nodiscard]] bool changed() const { return before != after; }
};

/// Whether the kernel adds floating-point numbers in an order that the schedule decides.
bool adds_in_any_order(const ir::Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(), [](const ir::Instruction& in) {
    return (in.op == ir::Op::atom || in.op == ir::Op::red) && in.atom == ir::AtomOp::add &&
           ir::is_float(in.type);
  });
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
  Memory(const Function& function, const Heap& heap, DeviceMemory& memory) : memory_(memory) {
    std::vector<PageWatch::Area> areas;
    for (const auto& [address, block] : heap.blocks()) {
      if (block.mapped != 0) {
        areas.push_back({block.data, block.mapped});
        blocks_.push_back(block);
      } else {
        keep(memory.find(address, 0)->name, address, {block.data, block.bytes});
      }
    }
    for (const ir::Variable& variable : function.module->variables.variables) {
      std::byte* data = data_of(variable);
      if (data != nullptr && variable.bytes != 0) {
        keep(variable.name, std::nullopt, {data, variable.bytes});
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

}  // namespace

Capture::Capture(std::filesystem::path folder, std::string program)
    : folder_(std::move(folder)), program_(std::move(program)) {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw InputError(folder_.string(), "cannot make this folder");
}

std::filesystem::path Capture::launch(std::uint64_t number, const Function& function,
                                      const KernelLaunch& launch, const Heap& heap,
                                      DeviceMemory& memory, const std::function<void()>& run) {
  std::vector<Stretch> stretches;
  {
    Memory watched(function, heap, memory);
    run();
    stretches = watched.stretches();
  }
  const std::string name = fmt::format("{}-{}", program_, number);
  Writer writer(folder_, name);
  // One file of PTX for all launches of a module; '#' begins a comment in shells.
  std::string code = function.module->name;
  std::replace(code.begin(), code.end(), '#', '.');
  writer.add(code, function.module->text);

  const ir::Kernel& kernel = *launch.kernel;
  const bool any_order = adds_in_any_order(kernel);
  std::string text = fmt::format(
      "# Launch {} of {}, captured.\n"
      "name = \"{}\"\n\n[[module]]\nptx = \"{}\"\nglobal_offset = {}\nconstant_offset = {}\n",
      number, program_, name, code, function.module->taken.global_bytes,
      function.module->taken.constant_bytes);
  std::string expectations;
  for (const Stretch& stretch : stretches) {
    const std::size_t bytes = stretch.before.size();
    const bool floats = any_order && stretch.changed() && bytes % sizeof(float) == 0;
    text += fmt::format("\n{}[[{}]]\nname = \"{}\"\n",
                        stretch.comment.empty() ? "" : "# " + stretch.comment + "\n",
                        stretch.address ? "buffer" : "symbol", stretch.name);
    if (stretch.address) text += fmt::format("address = \"0x{:x}\"\n", *stretch.address);
    text += fmt::format("type = \"{}\"\ncount = {}\ninit = {{ raw = \"{}\" }}\n",
                        floats ? "f32" : "u8", floats ? bytes / sizeof(float) : bytes,
                        writer.add(stretch.name, "before", stretch.before));
    if (!stretch.changed()) continue;
    expectations += fmt::format("\n[[expect]]\nbuffer = \"{}\"\nraw = \"{}\"\n", stretch.name,
                                writer.add(stretch.name, "after", stretch.after));
    if (floats) {
      expectations +=
          "# The kernel adds floating-point numbers by atomics, in no order.\n"
          "tolerance = { relative = 1e-4, absolute = 1e-6 }\n";
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
