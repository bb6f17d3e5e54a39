// SPDX-License-Identifier: MIT
// libFuzzer entry: any text either compiles or ends in an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/frontend/frontend.h"
#include "sim/support/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    paws::frontend::compile_text(std::string(data, data + size), "fuzz.ptx");
  } catch (const paws::InputError&) {
    return 0;
  }
  return 0;
}
