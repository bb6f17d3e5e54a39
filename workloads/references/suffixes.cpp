// SPDX-License-Identifier: MIT
// Suffixes of a text of the letters 0 to 3 with a letter 4 at its end.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "workloads/references/functions.h"
#include "workloads/references/random.h"

namespace paws::references {
namespace {

constexpr std::size_t kNodeValues = 8;
constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

void check_text(const Integers& text) {
  if (text.size() < 2 || text.back() != 4) throw std::invalid_argument("the text has no end");
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] < 0 || text[i] > 3) throw std::invalid_argument("a letter is not 0 to 3");
  }
}

struct Node {
  std::int64_t start, end;  ///< of the edge's letters; leaves have no end
  std::array<std::int64_t, 4> child{-1, -1, -1, -1};
  std::size_t link = 0;
};

/// Built letter by letter (Ukkonen, 1995). Without the end of the text, so that a suffix that
/// occurs elsewhere too may end within an edge.
class SuffixTree {
 public:
  explicit SuffixTree(const Integers& text) : text_(text) {
    for (std::int64_t i = 0; i + 1 < static_cast<std::int64_t>(text.size()); ++i) extend(i);
  }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

 private:
  [[nodiscard]] std::size_t letter(std::int64_t at) const {
    return static_cast<std::size_t>(text_[static_cast<std::size_t>(at)]);
  }

  std::int64_t add(std::int64_t start, std::int64_t end) {
    nodes_.push_back({start, end});
    return static_cast<std::int64_t>(nodes_.size()) - 1;
  }

  void link_last_to(std::size_t node) {
    if (last_ != 0) nodes_[last_].link = node;
    last_ = node;
  }

  /// Adds all suffixes that end with the letter at `end`: the longest first, `pending_` of them,
  /// until one is there already.
  void extend(std::int64_t end) {
    last_ = 0;
    for (++pending_; pending_ > 0;) {
      if (length_ == 0) edge_ = end;
      const std::int64_t below = nodes_[node_].child[letter(edge_)];
      if (below < 0) {
        const std::int64_t leaf = add(end, kNoEnd);
        nodes_[node_].child[letter(edge_)] = leaf;
        link_last_to(node_);
      } else {
        const Node next = nodes_[static_cast<std::size_t>(below)];
        const std::int64_t edge = std::min(next.end, end + 1) - next.start;
        if (length_ >= edge) {
          edge_ += edge;
          length_ -= edge;
          node_ = static_cast<std::size_t>(below);
          continue;
        }
        if (letter(next.start + length_) == letter(end)) {
          ++length_;
          link_last_to(node_);
          return;
        }
        link_last_to(split(below, end));
      }
      --pending_;
      if (node_ == 0 && length_ > 0) {
        --length_;
        edge_ = end - pending_ + 1;
      } else {
        node_ = nodes_[node_].link;
      }
    }
  }

  /// A node within the edge to `below`, and a leaf under it for the letter at `end`.
  std::size_t split(std::int64_t below, std::int64_t end) {
    const std::int64_t start = nodes_[static_cast<std::size_t>(below)].start;
    const auto between = static_cast<std::size_t>(add(start, start + length_));
    const std::int64_t leaf = add(end, kNoEnd);
    nodes_[node_].child[letter(edge_)] = static_cast<std::int64_t>(between);
    nodes_[between].child[letter(end)] = leaf;
    nodes_[between].child[letter(start + length_)] = below;
    nodes_[static_cast<std::size_t>(below)].start = start + length_;
    return between;
  }

  const Integers& text_;
  std::vector<Node> nodes_{{0, 0}};
  std::size_t node_ = 0;     ///< where the next suffix ends: at this node,
  std::int64_t edge_ = 0;    ///< on the edge that begins with the letter at this place,
  std::int64_t length_ = 0;  ///< so many letters down
  std::int64_t pending_ = 0;
  std::size_t last_ = 0;
};

/// The letters that two pieces have in common at their beginnings.
std::int64_t common(const std::int64_t* a, const std::int64_t* a_end, const std::int64_t* b,
                    const std::int64_t* b_end) {
  return std::mismatch(a, a_end, b, b_end).first - a;
}

/// The node that the first letters of a piece reach, or the one below their end.
std::int64_t node_below(const Integers& nodes, const std::int64_t* letters, std::int64_t length) {
  std::size_t node = 0;
  while (length > 0) {
    node =
        static_cast<std::size_t>(nodes.at(node * kNodeValues + static_cast<std::size_t>(*letters)));
    const std::int64_t edge = nodes.at(node * kNodeValues + 5);
    letters += std::min(edge, length);
    length -= edge;
  }
  return static_cast<std::int64_t>(node);
}

}  // namespace

// Eight integers per node, the root first; zeros follow up to twice the letters.
Output suffix_tree(const std::vector<Input>& inputs) {
  const auto& text = std::get<Integers>(inputs[0]);
  check_text(text);
  const auto end = static_cast<std::int64_t>(text.size());
  const SuffixTree tree(text);
  Integers out;
  for (const Node& node : tree.nodes()) {
    out.insert(out.end(), node.child.begin(), node.child.end());
    out.push_back(node.start);
    out.push_back(std::min(node.end, end) - node.start);
    out.push_back(static_cast<std::int64_t>(node.link));
    out.push_back(0);
  }
  out.resize(2 * kNodeValues * (text.size() - 1));
  return out;
}

// Pieces from random places of the text, of whose letters so many per cent are drawn anew.
Output text_samples(const std::vector<Input>& inputs) {
  const auto& text = std::get<Integers>(inputs[0]);
  const auto samples = dimension(inputs[1]);
  const auto length = dimension(inputs[2]);
  const double changed = static_cast<double>(std::get<std::int64_t>(inputs[3])) / 100;
  check_text(text);
  if (length >= text.size()) throw std::invalid_argument("a sample is longer than the text");
  Uniform uniform(std::get<std::int64_t>(inputs[4]));
  Integers out;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    const double places = static_cast<double>(text.size() - length);
    const auto start = static_cast<std::size_t>(uniform(0, places));
    for (std::size_t i = start; i < start + length; ++i) {
      const bool drawn = uniform(0, 1) < changed;
      out.push_back(drawn ? static_cast<std::int64_t>(uniform(0, 4)) : text[i]);
    }
  }
  return out;
}

// Node and length per query and start. The longest match is with a neighbour among the sorted
// suffixes; the tree, without its links, gives the node.
Output text_matches(const std::vector<Input>& inputs) {
  const auto& nodes = std::get<Integers>(inputs[0]);
  const auto& text = std::get<Integers>(inputs[1]);
  const auto& queries = std::get<Integers>(inputs[2]);
  const auto length = dimension(inputs[3]);
  const auto shortest = dimension(inputs[4]);
  check_text(text);
  if (shortest > length || queries.size() % length != 0) {
    throw std::invalid_argument("a query is too short");
  }
  const std::int64_t* const text_end = text.data() + text.size() - 1;
  std::vector<const std::int64_t*> suffixes(text.size() - 1);
  std::iota(suffixes.begin(), suffixes.end(), text.data());
  std::sort(suffixes.begin(), suffixes.end(), [&](const auto* a, const auto* b) {
    return std::lexicographical_compare(a, text_end, b, text_end);
  });
  Integers matches;
  for (std::size_t query = 0; query < queries.size(); query += length) {
    const std::int64_t* const end = queries.data() + query + length;
    for (const auto* piece = queries.data() + query; piece <= end - shortest; ++piece) {
      const auto above = std::lower_bound(
          suffixes.begin(), suffixes.end(), piece, [&](const auto* suffix, const auto* wanted) {
            return std::lexicographical_compare(suffix, text_end, wanted, end);
          });
      std::int64_t longest = 0;
      if (above != suffixes.end()) longest = common(piece, end, *above, text_end);
      if (above != suffixes.begin()) {
        longest = std::max(longest, common(piece, end, *(above - 1), text_end));
      }
      matches.push_back(node_below(nodes, piece, longest));
      matches.push_back(longest);
    }
  }
  return matches;
}

}  // namespace paws::references
