// SPDX-License-Identifier: MIT
// Runs the random programs of a shared library, for scripts/check fuzz-exec:
//   run_programs LIBRARY INPUT_SEED
// Prints "NAME: what differs" for each program that fails, then a line of totals. Exits with 1 when
// one fails.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "sim/support/error.h"
#include "sim/tests/differential/compare.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: run_programs LIBRARY INPUT_SEED\n");
    return 2;
  }
  void* const library = dlopen(argv[1], RTLD_NOW);
  void* const entry = library == nullptr ? nullptr : dlsym(library, "paws_differential_programs");
  if (entry == nullptr) {
    fmt::print(stderr, "run_programs: {}\n", dlerror());
    return 2;
  }
  const auto programs = reinterpret_cast<decltype(&paws_differential_programs)>(entry)();
  std::size_t failed = 0;
  std::size_t instructions = 0;
  for (std::size_t i = 0; i < programs.count; ++i) {
    const paws::differential::Program& program = programs.list[i];
    instructions += program.instructions;
    std::string found;
    try {
      found = difference(program, std::strtoull(argv[2], nullptr, 0));
    } catch (const paws::InputError& error) {
      found = error.what();
    }
    if (found.empty()) continue;
    ++failed;
    fmt::print("{}: {}\n", program.name, found);
  }
  fmt::print("{} programs, {} instructions, {} failed\n", programs.count, instructions, failed);
  return failed == 0 ? 0 : 1;
}
