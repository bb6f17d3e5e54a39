// SPDX-License-Identifier: MIT
// Graphs.
#include <cstddef>
#include <queue>
#include <stdexcept>

#include "workloads/references/functions.h"

namespace paws::references {

Output bfs_distance(const std::vector<Input>& inputs) {
  const auto& first_edge = std::get<Integers>(inputs[0]);
  const auto& degree = std::get<Integers>(inputs[1]);
  const auto& edges = std::get<Integers>(inputs[2]);
  const std::int64_t source = std::get<std::int64_t>(inputs[3]);
  const auto vertices = static_cast<std::int64_t>(first_edge.size());
  if (degree.size() != first_edge.size()) {
    throw std::invalid_argument("first_edge and degree differ in length");
  }
  const auto check = [](std::int64_t index, std::int64_t size, const char* message) {
    if (index < 0 || index >= size) throw std::invalid_argument(message);
    return static_cast<std::size_t>(index);
  };

  Integers distance(first_edge.size(), -1);
  std::queue<std::size_t> reached;
  reached.push(check(source, vertices, "the source is not a vertex"));
  distance[reached.front()] = 0;
  while (!reached.empty()) {
    const std::size_t vertex = reached.front();
    reached.pop();
    for (std::int64_t i = 0; i < degree[vertex]; ++i) {
      const std::size_t edge = check(first_edge[vertex] + i,
                                     static_cast<std::int64_t>(edges.size()), "an edge is missing");
      const std::size_t next = check(edges[edge], vertices, "an edge leads to no vertex");
      if (distance[next] >= 0) continue;
      distance[next] = distance[vertex] + 1;
      reached.push(next);
    }
  }
  return distance;
}

}  // namespace paws::references
