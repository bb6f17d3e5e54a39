// SPDX-License-Identifier: MIT
// Finance.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

Output call_payoffs(const std::vector<Input>& inputs) {
  const auto& options = std::get<Reals>(inputs[0]);
  const auto& uniform = std::get<Reals>(inputs[1]);
  if (options.size() % 4 != 0) throw std::invalid_argument("the last option is not whole");
  if (uniform.size() % 2 != 0) throw std::invalid_argument("the number of samples is odd");

  // Box-Muller on a circle that begins at -pi.
  const std::size_t pairs = uniform.size() / 2;
  Reals normal(uniform.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    const double radius = std::sqrt(-2 * std::log(uniform[i]));
    const double angle = 2 * std::numbers::pi * uniform[i + pairs];
    normal[i] = -radius * std::cos(angle);
    normal[i + pairs] = -radius * std::sin(angle);
  }

  Reals values;
  for (std::size_t i = 0; i < options.size(); i += 4) {
    const double price = options[i];
    const double strike = options[i + 1];
    const double drift = options[i + 2];
    const double deviation = options[i + 3];
    double sum = 0;
    double square_sum = 0;
    for (const double sample : normal) {
      const double payoff = std::max(price * std::exp(drift + deviation * sample) - strike, 0.0);
      sum += payoff;
      square_sum += payoff * payoff;
    }
    values.push_back(sum);
    values.push_back(square_sum);
  }
  return values;
}

}  // namespace paws::references
