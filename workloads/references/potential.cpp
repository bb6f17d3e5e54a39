// SPDX-License-Identifier: MIT
// Electrostatics.
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

// Point (column, row) of the slice is at (column, row) x spacing.
Output coulomb_potential(const std::vector<Input>& inputs) {
  Reals potential = std::get<Reals>(inputs[0]);
  const auto& atoms = std::get<Reals>(inputs[1]);
  const std::size_t columns = dimension(inputs[2]);
  const double spacing = std::get<double>(inputs[3]);
  if (potential.size() % columns != 0) throw std::invalid_argument("the last row is incomplete");
  if (atoms.size() % 4 != 0) throw std::invalid_argument("the last atom is not whole");

  for (std::size_t i = 0; i < potential.size(); ++i) {
    const std::size_t row = i / columns;
    const double x = spacing * static_cast<double>(i % columns);
    const double y = spacing * static_cast<double>(row);
    for (std::size_t atom = 0; atom < atoms.size(); atom += 4) {
      const double distance = std::sqrt(std::pow(x - atoms[atom], 2) +
                                        std::pow(y - atoms[atom + 1], 2) + atoms[atom + 2]);
      potential[i] += atoms[atom + 3] / distance;
    }
  }
  return potential;
}

}  // namespace paws::references
