// SPDX-License-Identifier: MIT
#include "tb/engine/testing/broken_rtl.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace paws::testing_rtl {

namespace fs = std::filesystem;

namespace {

// The slot after the last one goes first: the fault lets the last one itself be first.
constexpr const char* kFile = "rtl/paws_rotate_pick.sv";
const std::string kSound = "INDEX_W'(r) > after_i";
const std::string kBroken = "INDEX_W'(r) >= after_i";

}  // namespace

void copy_with_fault(const fs::path& copy) {
  const fs::path original = PAWS_SOURCE_DIR;
  for (const char* folder : {"rtl", "engine"}) {
    fs::create_directories((copy / folder).parent_path());
    fs::copy(original / folder, copy / folder, fs::copy_options::recursive);
  }
  fs::create_directories(copy / "model");
  for (const char* name : {"model/affinity.h", "model/policies.toml", "model/scheduler.h"}) {
    fs::copy(original / name, copy / name);
  }
  std::string source = content(copy / kFile);
  const std::size_t place = source.find(kSound);
  if (place == std::string::npos) throw std::runtime_error(kFile + (" has no " + kSound));
  source.replace(place, kSound.size(), kBroken);
  std::ofstream(copy / kFile) << source;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string line_after(const std::string& text, const std::string& label) {
  const std::size_t place = text.find(label);
  if (place == std::string::npos) return {};
  const std::size_t begin = place + label.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace paws::testing_rtl
