// SPDX-License-Identifier: MIT
#include "sim/cuda/program.h"

#include <elf.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "sim/support/error.h"

namespace paws::cuda {
namespace {

/// An ELF file in memory; every access outside it gives nothing.
class Elf {
 public:
  explicit Elf(std::string bytes) : bytes_(std::move(bytes)) {}

  template <typename Record>
  [[nodiscard]] std::optional<Record> read(std::uint64_t offset) const {
    if (offset > bytes_.size() || sizeof(Record) > bytes_.size() - offset) return std::nullopt;
    Record record;
    std::memcpy(&record, bytes_.data() + offset, sizeof(record));
    return record;
  }

  /// The zero-terminated text at an offset.
  [[nodiscard]] std::string_view text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::size_t end = bytes_.find('\0', offset);
    return std::string_view(bytes_).substr(offset, end - offset);
  }

 private:
  std::string bytes_;
};

std::vector<Elf64_Shdr> sections_of(const Elf& elf, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> sections;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section =
        elf.read<Elf64_Shdr>(header.e_shoff + std::uint64_t{i} * header.e_shentsize);
    if (!section) break;
    sections.push_back(*section);
  }
  return sections;
}

bool needs_runtime(const Elf& elf, const std::vector<Elf64_Shdr>& sections) {
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNAMIC || section.sh_link >= sections.size()) continue;
    const std::uint64_t names = sections[section.sh_link].sh_offset;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= section.sh_size; at += sizeof(Elf64_Dyn)) {
      const auto entry = elf.read<Elf64_Dyn>(section.sh_offset + at);
      if (!entry) break;
      if (entry->d_tag == DT_NEEDED &&
          elf.text(names + entry->d_un.d_val).starts_with("libcudart.so")) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::filesystem::path find_program(const std::string& word) {
  namespace fs = std::filesystem;
  const auto executable = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string::npos) {
    if (executable(word)) return word;
    throw InputError(word, "no program that can be executed");
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (executable(fs::path(folder) / word)) return fs::path(folder) / word;
  }
  throw InputError(word, "no program of this name (one in this folder is ./" + word + ")");
}

ProgramKind kind_of(const std::filesystem::path& program) {
  std::ifstream file(program, std::ios::binary);
  if (!file) throw InputError(program.string(), "cannot read");
  const Elf elf(std::string(std::istreambuf_iterator<char>(file), {}));
  const auto header = elf.read<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64) {
    return ProgramKind::other;
  }
  const std::vector<Elf64_Shdr> sections = sections_of(elf, *header);
  if (needs_runtime(elf, sections)) return ProgramKind::shared_runtime;
  if (header->e_shstrndx >= sections.size()) return ProgramKind::no_cuda;
  const std::uint64_t names = sections[header->e_shstrndx].sh_offset;
  for (const Elf64_Shdr& section : sections) {
    const std::string_view name = elf.text(names + section.sh_name);
    if (name == ".nv_fatbin" || name == ".nvFatBinSegment") return ProgramKind::static_runtime;
  }
  return ProgramKind::no_cuda;
}

}  // namespace paws::cuda
