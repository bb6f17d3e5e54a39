// SPDX-License-Identifier: MIT
// libFuzzer entry: any launch description either loads or ends in an InputError.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/launch/workload.h"
#include "sim/support/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("fuzz_launch." + std::to_string(::getpid()));
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  paws::LoadOptions options;
  options.ptx = {file.string()};  // exists; loading does not read it
  try {
    paws::load_workload(file, options);
  } catch (const paws::InputError&) {
    return 0;
  }
  return 0;
}
