// SPDX-License-Identifier: MIT
// European options by the formula of Black and Scholes.
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

namespace {

enum class Right { to_buy, to_sell };

Reals values(const std::vector<Input>& inputs, Right right) {
  const auto& price = std::get<Reals>(inputs[0]);
  const auto& strike = std::get<Reals>(inputs[1]);
  const auto& years = std::get<Reals>(inputs[2]);
  const double rate = std::get<double>(inputs[3]);
  const double volatility = std::get<double>(inputs[4]);
  if (strike.size() != price.size() || years.size() != price.size()) {
    throw std::invalid_argument("price, strike and years differ in length");
  }
  const auto normal = [](double d) { return std::erfc(-d / std::numbers::sqrt2) / 2; };

  Reals out;
  for (std::size_t i = 0; i < price.size(); ++i) {
    // The strike is paid at the end; the price's logarithm has this deviation then.
    const double present = strike[i] * std::exp(-rate * years[i]);
    const double deviation = volatility * std::sqrt(years[i]);
    const double d1 = std::log(price[i] / present) / deviation + deviation / 2;
    const double d2 = d1 - deviation;
    out.push_back(right == Right::to_buy ? price[i] * normal(d1) - present * normal(d2)
                                         : present * normal(-d2) - price[i] * normal(-d1));
  }
  return out;
}

}  // namespace

Output call_values(const std::vector<Input>& inputs) { return values(inputs, Right::to_buy); }

Output put_values(const std::vector<Input>& inputs) { return values(inputs, Right::to_sell); }

}  // namespace paws::references
