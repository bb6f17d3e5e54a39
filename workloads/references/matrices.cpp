// SPDX-License-Identifier: MIT
// Dense matrices, row-major.
#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

// Doolittle's rule, row by row: each element of L and U from the elements before it. The other
// columns keep what is left of them when the first `columns` have been eliminated.
void eliminate(Reals& m, std::size_t n, std::size_t columns) {
  if (m.size() != n * n) throw std::invalid_argument("the matrix is not n x n");
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < std::min(row, columns); ++k) {
      const double factor = m[row * n + k] / m[k * n + k];
      m[row * n + k] = factor;
      for (std::size_t column = k + 1; column < n; ++column) {
        m[row * n + column] -= factor * m[k * n + column];
      }
    }
    if (row < columns && m[row * n + row] == 0) throw std::invalid_argument("a pivot is zero");
  }
}

}  // namespace

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

Output lu(const std::vector<Input>& inputs) {
  Reals m = std::get<Reals>(inputs[0]);
  const auto n = dimension(inputs[1]);
  eliminate(m, n, n);
  return m;
}

Output partial_lu(const std::vector<Input>& inputs) {
  Reals m = std::get<Reals>(inputs[0]);
  const auto n = dimension(inputs[1]);
  const auto columns = dimension(inputs[2]);
  if (columns > n) throw std::invalid_argument("the matrix has fewer columns");
  eliminate(m, n, columns);
  return m;
}

}  // namespace paws::references
