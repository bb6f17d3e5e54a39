// SPDX-License-Identifier: MIT
// What the workloads' kernels should compute, computed on the host: straight from the definitions,
// in double or wider precision, sharing nothing with the kernels.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace paws::references {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Input = std::variant<std::int64_t, double, Integers, Reals>;
using Output = std::variant<Integers, Reals>;

enum class Kind : std::uint8_t { integer, real, integers, reals };  ///< in the order of Input

struct Reference {
  std::string name;
  std::string usage;  ///< one line: inputs and result
  std::vector<Kind> inputs;
  /// Throws std::invalid_argument when the inputs' kinds or sizes do not suit.
  Output (*function)(const std::vector<Input>& inputs);
};

const std::vector<Reference>& all();
const Reference* find(const std::string& name);  ///< nullptr when unknown

}  // namespace paws::references
