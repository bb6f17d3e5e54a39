// The reference functions, one file per kind of problem. references.h describes the inputs.
#pragma once

#include "workloads/references/references.h"

namespace paws::references {

Output vectoradd(const std::vector<Input>& inputs);
Output saxpy(const std::vector<Input>& inputs);
Output sum(const std::vector<Input>& inputs);
Output matmul(const std::vector<Input>& inputs);
Output lu(const std::vector<Input>& inputs);
Output byte_histogram(const std::vector<Input>& inputs);
Output bfs_distance(const std::vector<Input>& inputs);
Output heat(const std::vector<Input>& inputs);

}  // namespace paws::references
