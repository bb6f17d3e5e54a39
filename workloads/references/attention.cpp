// SPDX-License-Identifier: MIT
// Attention of language models, from its definition: softmax(q k / sqrt(head)) v. Several heads of
// queries (`group`) share one of keys and values.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {
namespace {

/// What one query gets of `count` positions; `row(i)` is where the keys and values of position i
/// begin.
template <typename Row>
void attend(const double* query, const Reals& keys, const Reals& values, std::size_t count,
            std::size_t head, Row row, double* out) {
  Reals weight(count);
  double largest = -HUGE_VAL;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    const double* const key = &keys[row(i)];
    for (std::size_t d = 0; d < head; ++d) sum += query[d] * key[d];
    weight[i] = sum / std::sqrt(static_cast<double>(head));
    largest = std::max(largest, weight[i]);
  }
  double total = 0;
  for (double& each : weight) total += each = std::exp(each - largest);
  for (std::size_t i = 0; i < count; ++i) {
    const double* const value = &values[row(i)];
    for (std::size_t d = 0; d < head; ++d) out[d] += weight[i] / total * value[d];
  }
}

}  // namespace

Output causal_attention(const std::vector<Input>& inputs) {
  const auto& query = std::get<Reals>(inputs[0]);
  const auto& key = std::get<Reals>(inputs[1]);
  const auto& value = std::get<Reals>(inputs[2]);
  const auto group = dimension(inputs[3]);
  const auto length = dimension(inputs[4]);
  const auto head = dimension(inputs[5]);
  const std::size_t heads = query.size() / (length * head);
  if (heads % group != 0 || query.size() != heads * length * head ||
      key.size() * group != query.size() || value.size() != key.size()) {
    throw std::invalid_argument("queries, keys and values are not of so many heads and positions");
  }
  Reals out(query.size());
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t at = (h * length + i) * head;
      attend(
          &query[at], key, value, i + 1, head,
          [&](std::size_t j) { return (h / group * length + j) * head; }, &out[at]);
    }
  }
  return out;
}

Output paged_attention(const std::vector<Input>& inputs) {
  const auto& query = std::get<Reals>(inputs[0]);
  const auto& key = std::get<Reals>(inputs[1]);
  const auto& value = std::get<Reals>(inputs[2]);
  const auto& table = std::get<Integers>(inputs[3]);
  const auto& lengths = std::get<Integers>(inputs[4]);
  const auto heads = dimension(inputs[5]);
  const auto group = dimension(inputs[6]);
  const auto head = dimension(inputs[7]);
  const auto page = dimension(inputs[8]);
  const std::size_t sequences = lengths.size();
  if (heads % group != 0 || sequences == 0 || query.size() != sequences * heads * head ||
      table.size() % sequences != 0 || value.size() != key.size()) {
    throw std::invalid_argument("queries, cache and table are not of so many heads");
  }
  const std::size_t of_page = heads / group * page * head;
  const std::size_t columns = table.size() / sequences;
  Reals out(query.size());
  for (std::size_t s = 0; s < sequences; ++s) {
    const auto count = static_cast<std::size_t>(lengths[s]);
    if (count > columns * page) throw std::invalid_argument("a sequence is longer than its table");
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t at = (s * heads + h) * head;
      attend(
          &query[at], key, value, count, head,
          [&](std::size_t i) {
            const auto number = static_cast<std::size_t>(table[s * columns + i / page]);
            return number * of_page + (h / group * page + i % page) * head;
          },
          &out[at]);
    }
  }
  return out;
}

}  // namespace paws::references
