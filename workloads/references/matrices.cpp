// SPDX-License-Identifier: MIT
// Dense matrices, row-major.
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

Output matmul(const std::vector<Input>& inputs) {
  const auto& a = std::get<Reals>(inputs[0]);
  const auto& b = std::get<Reals>(inputs[1]);
  const auto rows = dimension(inputs[2]);
  const auto inner = dimension(inputs[3]);
  const auto columns = dimension(inputs[4]);
  if (a.size() != rows * inner || b.size() != inner * columns) {
    throw std::invalid_argument("a is not rows x inner, or b not inner x columns");
  }
  Reals c(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < inner; ++k) {
      for (std::size_t column = 0; column < columns; ++column) {
        c[row * columns + column] += a[row * inner + k] * b[k * columns + column];
      }
    }
  }
  return c;
}

// Doolittle's rule, row by row: each element of L and U from the elements before it.
Output lu(const std::vector<Input>& inputs) {
  Reals m = std::get<Reals>(inputs[0]);
  const auto n = dimension(inputs[1]);
  if (m.size() != n * n) throw std::invalid_argument("the matrix is not n x n");
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < row; ++k) {
      const double factor = m[row * n + k] / m[k * n + k];
      m[row * n + k] = factor;
      for (std::size_t column = k + 1; column < n; ++column) {
        m[row * n + column] -= factor * m[k * n + column];
      }
    }
    if (m[row * n + row] == 0) throw std::invalid_argument("a pivot is zero");
  }
  return m;
}

}  // namespace paws::references
