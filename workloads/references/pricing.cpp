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

struct Option {
  double price, strike, rate, volatility, years;
};

double value(const Option& option, Right right) {
  const auto normal = [](double d) { return std::erfc(-d / std::numbers::sqrt2) / 2; };
  // The strike is paid at the end; the price's logarithm has this deviation then.
  const double present = option.strike * std::exp(-option.rate * option.years);
  const double deviation = option.volatility * std::sqrt(option.years);
  const double d1 = std::log(option.price / present) / deviation + deviation / 2;
  const double d2 = d1 - deviation;
  return right == Right::to_buy ? option.price * normal(d1) - present * normal(d2)
                                : present * normal(-d2) - option.price * normal(-d1);
}

Reals values(const std::vector<Input>& inputs, Right right) {
  const auto& price = std::get<Reals>(inputs[0]);
  const auto& strike = std::get<Reals>(inputs[1]);
  const auto& years = std::get<Reals>(inputs[2]);
  const double rate = std::get<double>(inputs[3]);
  const double volatility = std::get<double>(inputs[4]);
  if (strike.size() != price.size() || years.size() != price.size()) {
    throw std::invalid_argument("price, strike and years differ in length");
  }
  Reals out;
  for (std::size_t i = 0; i < price.size(); ++i) {
    out.push_back(value({price[i], strike[i], rate, volatility, years[i]}, right));
  }
  return out;
}

}  // namespace

Output call_values(const std::vector<Input>& inputs) { return values(inputs, Right::to_buy); }

Output put_values(const std::vector<Input>& inputs) { return values(inputs, Right::to_sell); }

Output option_values(const std::vector<Input>& inputs) {
  const auto& price = std::get<Reals>(inputs[0]);
  const auto& put = std::get<Integers>(inputs[5]);
  for (std::size_t i = 1; i < 5; ++i) {
    if (std::get<Reals>(inputs[i]).size() != price.size() || put.size() != price.size()) {
      throw std::invalid_argument("the options' data differ in length");
    }
  }
  const auto of = [&](std::size_t input, std::size_t i) {
    return std::get<Reals>(inputs[input])[i];
  };
  Reals out;
  for (std::size_t i = 0; i < price.size(); ++i) {
    out.push_back(value({price[i], of(1, i), of(2, i), of(3, i), of(4, i)},
                        put[i] != 0 ? Right::to_sell : Right::to_buy));
  }
  return out;
}

}  // namespace paws::references
