// SPDX-License-Identifier: MIT
// Sums of vectors and over vectors.
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

Output saxpy(const std::vector<Input>& inputs) {
  const double alpha = std::get<double>(inputs[0]);
  const auto& x = std::get<Reals>(inputs[1]);
  const auto& y = std::get<Reals>(inputs[2]);
  if (x.size() != y.size()) throw std::invalid_argument("the vectors differ in length");
  Reals out(x.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = alpha * x[i] + y[i];
  return out;
}

Output vectoradd(const std::vector<Input>& inputs) { return saxpy({1.0, inputs[0], inputs[1]}); }

Output sum(const std::vector<Input>& inputs) {
  long double total = 0;
  for (const double value : std::get<Reals>(inputs[0])) total += value;
  return Reals{static_cast<double>(total)};
}

}  // namespace paws::references
