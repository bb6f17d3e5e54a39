// SPDX-License-Identifier: MIT
// The heat equation on a grid of cells, explicit time steps, no flow through the edges.
#include <algorithm>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

Output heat(const std::vector<Input>& inputs) {
  Reals now = std::get<Reals>(inputs[0]);
  const auto& power = std::get<Reals>(inputs[1]);
  const auto width = static_cast<std::int64_t>(dimension(inputs[2]));
  const auto height = static_cast<std::int64_t>(dimension(inputs[3]));
  const std::int64_t steps = std::get<std::int64_t>(inputs[4]);
  const double flow = std::get<double>(inputs[5]);
  const double loss = std::get<double>(inputs[6]);
  const double ambient = std::get<double>(inputs[7]);
  const auto cells = static_cast<std::size_t>(width * height);
  if (now.size() != cells || power.size() != cells) {
    throw std::invalid_argument("temperature and power are not width x height");
  }

  Reals next(cells);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto at = [&](std::int64_t x, std::int64_t y) {
      return now[static_cast<std::size_t>(std::clamp<std::int64_t>(y, 0, height - 1) * width +
                                          std::clamp<std::int64_t>(x, 0, width - 1))];
    };
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const double here = at(x, y);
        const double inflow = (at(x - 1, y) - here) + (at(x + 1, y) - here) +
                              (at(x, y - 1) - here) + (at(x, y + 1) - here);
        const auto i = static_cast<std::size_t>(y * width + x);
        next[i] = here + flow * inflow + power[i] - loss * (here - ambient);
      }
    }
    now.swap(next);
  }
  return now;
}

}  // namespace paws::references
