// SPDX-License-Identifier: MIT
// Searches in B+ trees whose nodes are `order` consecutive keys.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

namespace {

class Tree {
 public:
  Tree(const Input& keys, const Input& child, const Input& order, const Input& height)
      : keys_(std::get<Integers>(keys)),
        child_(std::get<Integers>(child)),
        order_(dimension(order)),
        height_(dimension(height)) {
    if (keys_.size() != child_.size())
      throw std::invalid_argument("keys and child differ in length");
    if (keys_.size() < order_) throw std::invalid_argument("the root is incomplete");
  }

  /// The node whose keys' range the key falls into, as the place of its first key: a leaf, or the
  /// root if the key is below all others.
  [[nodiscard]] std::size_t node_of(std::int64_t key) const {
    std::size_t node = 0;
    for (std::size_t level = 1; level < height_; ++level) {
      const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(node);
      const auto above = std::upper_bound(begin, begin + static_cast<std::ptrdiff_t>(order_), key);
      if (above == begin) return 0;
      const std::int64_t below = child_[static_cast<std::size_t>(above - keys_.begin()) - 1];
      if (below < 0 || static_cast<std::size_t>(below) + order_ > keys_.size()) {
        throw std::invalid_argument("a child is outside of the tree");
      }
      node = static_cast<std::size_t>(below);
    }
    return node;
  }

  /// The number of the record with this key.
  [[nodiscard]] std::optional<std::int64_t> record_of(std::int64_t key) const {
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(node_of(key));
    const auto end = begin + static_cast<std::ptrdiff_t>(order_);
    const auto found = std::lower_bound(begin, end, key);
    if (found == end || *found != key) return std::nullopt;
    return child_[static_cast<std::size_t>(found - keys_.begin())];
  }

 private:
  const Integers& keys_;
  const Integers& child_;
  std::size_t order_, height_;
};

}  // namespace

// Structures of key, node, next node, value.
Output btree_values(const std::vector<Input>& inputs) {
  const Tree tree(inputs[0], inputs[1], inputs[2], inputs[3]);
  const auto& records = std::get<Integers>(inputs[4]);
  Integers queries = std::get<Integers>(inputs[5]);
  if (queries.size() % 4 != 0) throw std::invalid_argument("a query has 4 integers");
  for (std::size_t i = 0; i < queries.size(); i += 4) {
    const std::int64_t key = queries[i];
    queries[i + 1] = queries[i + 2] = static_cast<std::int64_t>(tree.node_of(key));
    if (const auto record = tree.record_of(key)) {
      queries[i + 3] = records.at(static_cast<std::size_t>(*record));
    }
  }
  return queries;
}

// Structures of first and last key, node and next node of the one and of the other, number of the
// record with the first key, records from that number to the one with the last key.
Output btree_ranges(const std::vector<Input>& inputs) {
  const Tree tree(inputs[0], inputs[1], inputs[2], inputs[3]);
  Integers queries = std::get<Integers>(inputs[4]);
  if (queries.size() % 8 != 0) throw std::invalid_argument("a query has 8 integers");
  for (std::size_t i = 0; i < queries.size(); i += 8) {
    const std::int64_t first = queries[i];
    const std::int64_t last = queries[i + 1];
    queries[i + 2] = queries[i + 3] = static_cast<std::int64_t>(tree.node_of(first));
    queries[i + 4] = queries[i + 5] = static_cast<std::int64_t>(tree.node_of(last));
    if (const auto record = tree.record_of(first)) queries[i + 6] = *record;
    if (const auto record = tree.record_of(last)) queries[i + 7] = *record - queries[i + 6] + 1;
  }
  return queries;
}

}  // namespace paws::references
