// The reference functions, one file per kind of problem. references.h describes the inputs.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "workloads/references/references.h"

namespace paws::references {

/// An integer input that counts something. Throws std::invalid_argument when it is not positive.
inline std::size_t dimension(const Input& input) {
  const std::int64_t value = std::get<std::int64_t>(input);
  if (value <= 0) throw std::invalid_argument("a dimension is not positive");
  return static_cast<std::size_t>(value);
}

Output vectoradd(const std::vector<Input>& inputs);
Output saxpy(const std::vector<Input>& inputs);
Output sum(const std::vector<Input>& inputs);
Output matmul(const std::vector<Input>& inputs);
Output lu(const std::vector<Input>& inputs);
Output byte_histogram(const std::vector<Input>& inputs);
Output bfs_distance(const std::vector<Input>& inputs);
Output heat(const std::vector<Input>& inputs);
Output walsh(const std::vector<Input>& inputs);
Output wavelet53(const std::vector<Input>& inputs);
Output call_payoffs(const std::vector<Input>& inputs);
Output dxt1_error(const std::vector<Input>& inputs);
Output tracked_rows(const std::vector<Input>& inputs);
Output tracked_columns(const std::vector<Input>& inputs);
Output tracking_scores(const std::vector<Input>& inputs);
Output tracking_templates(const std::vector<Input>& inputs);

}  // namespace paws::references
