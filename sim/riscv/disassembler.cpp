// SPDX-License-Identifier: MIT
#include "sim/riscv/disassembler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sim/support/error.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace paws::riscv {
namespace {

constexpr const char* kProgram = "llvm-objdump-14";
constexpr std::array<unsigned char, 4> kMagic = {0x7f, 'E', 'L', 'F'};
// Of the ELF header: its machine, two bytes, and which byte of them is first.
constexpr std::size_t kHeader = 20;
constexpr std::size_t kOrder = 5;
constexpr std::size_t kMachine = 18;
constexpr unsigned kRiscv = 243;

using Header = std::array<unsigned char, kHeader>;

/// The first bytes of a file; zeros for those that it does not have.
Header header_of(const std::string& path) {
  std::array<char, kHeader> bytes{};
  std::ifstream(path, std::ios::binary).read(bytes.data(), bytes.size());
  Header header{};
  std::memcpy(header.data(), bytes.data(), bytes.size());
  return header;
}

bool is_elf(const Header& header) {
  return std::memcmp(header.data(), kMagic.data(), kMagic.size()) == 0;
}

unsigned machine_of(const Header& header) {
  const bool little = header[kOrder] == 1;
  return header[kMachine + (little ? 1 : 0)] * 256U + header[kMachine + (little ? 0 : 1)];
}

/// Both ends of a pipe, closed at the latest with this.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  }
  ~Pipe() {
    close_writing();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int reading() const { return ends_[0]; }
  [[nodiscard]] int writing() const { return ends_[1]; }
  void close_writing() {
    if (std::exchange(open_, false)) close(ends_[1]);
  }

 private:
  std::array<int, 2> ends_{};
  bool open_ = true;
};

std::string all_of(int file) {
  std::string text;
  std::array<char, 65536> part{};
  ssize_t size = 0;
  while ((size = read(file, part.data(), part.size())) > 0)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

}  // namespace

bool is_elf(const std::string& path) {
  std::error_code none;  // what is no file, such as a pipe, is not opened
  return std::filesystem::is_regular_file(path, none) && is_elf(header_of(path));
}

std::string disassemble(const std::string& path) {
  const Header header = header_of(path);
  if (!is_elf(header)) throw InputError(path, "no ELF file");
  if (machine_of(header) != kRiscv) {
    throw InputError(path, "machine " + std::to_string(machine_of(header)) +
                               " of the ELF file is not RISC-V (243)");
  }
  Pipe output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output.writing(), STDOUT_FILENO);
  // A path that begins with "-" is no option.
  std::array<std::string, 6> words = {kProgram,
                                      "-d",
                                      "--no-show-raw-insn",
                                      "-Mnumeric",
                                      "--mattr=+m,+a,+f,+d,+c",
                                      path[0] == '-' ? "./" + path : path};
  std::array<char*, 7> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t child = 0;
  const int error = posix_spawnp(&child, kProgram, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw InputError(std::string(kProgram) + " cannot be started: " + std::strerror(error) +
                     " (Debian has it in the package llvm-14; scripts/setup installs it)");
  }
  output.close_writing();
  std::string text = all_of(output.reading());
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw InputError(path, std::string(kProgram) + " cannot read it");
  return text;
}

}  // namespace paws::riscv
