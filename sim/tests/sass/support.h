// SPDX-License-Identifier: MIT
// What the tests of traces share.
#pragma once

#include <gtest/gtest.h>
#include <lzma.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/ir/kernel.h"
#include "sim/support/error.h"
#include "sim/tests/support/temporary_folder.h"

namespace paws::sass {

/// An .xz file.
inline std::string compressed(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  const lzma_ret result = lzma_easy_buffer_encode(
      0, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
      reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  EXPECT_EQ(result, LZMA_OK);
  out.resize(size);
  return out;
}

/// The message of the InputError that `action` throws, behind the folder's path; empty: none.
template <typename Action>
std::string failure_in(const TemporaryFolder& folder, Action action) {
  try {
    action();
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
  return "";
}

/// A header of version 5 for one block of 32 threads; lines replace those with the same key.
inline std::string header_with(const std::string& replaced = "") {
  std::string text;
  for (const char* line :
       {"-kernel name = k", "-kernel id = 1", "-grid dim = (1,1,1)", "-block dim = (32,1,1)",
        "-shmem = 0", "-nregs = 8", "-binary version = 70", "-cuda stream id = 0",
        "-shmem base_addr = 0x7f0001000000", "-local mem base_addr = 0x7f0003000000",
        "-nvbit version = 1.7.1", "-accelsim tracer version = 5", "-enable lineinfo = 0"}) {
    const std::string whole = line;
    const std::string key = whole.substr(0, whole.find(" ="));
    text += replaced.starts_with(key + " =") ? replaced : whole;
    text += "\n";
  }
  return text + "\n#traces format = PC mask ...\n";
}

/// A trace of that block's only warp: the lines, each an instruction.
inline std::string trace_of(std::initializer_list<const char*> lines,
                            const std::string& replaced = "") {
  std::string text = header_with(replaced) + "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\n";
  text += "insts = " + std::to_string(lines.size()) + "\n";
  for (const char* line : lines) text += std::string(line) + "\n";
  return text + "\n#END_TB\n";
}

/// Registers of an instruction in a row: destinations, then sources.
inline std::string registers_at(const ir::Kernel& kernel, std::uint32_t pc) {
  std::string text;
  const ir::Instruction& in = kernel.code[pc];
  for (const ir::RegId reg : in.dst) {
    if (reg != ir::kNoReg) text += kernel.registers[reg].name + " ";
  }
  text += "<-";
  for (const ir::Operand& one : in.src) {
    if (one.kind == ir::Operand::Kind::reg) text += " " + kernel.registers[one.reg].name;
  }
  return text;
}

/// The text of a trace without what only our own traces say: one of a machine.
inline std::string without_our_own(const std::filesystem::path& trace) {
  std::ifstream in(trace);
  std::string bare;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("-paws")) bare += line + "\n";
  }
  return bare;
}

}  // namespace paws::sass
