// SPDX-License-Identifier: MIT
// Sums over linked lists, the example of pointers in buffers, structures and symbols
// (docs/guide/launch.md).

struct Node {
  float value;
  const Node* next;
};
struct Lists {
  const Node* const* heads;
  int count;
};

__device__ const Node* fallback;  // taken for a list without a head

__global__ void sum_lists(Lists lists, float* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lists.count) return;
  float sum = 0;
  const Node* node = lists.heads[i] != nullptr ? lists.heads[i] : fallback;
  for (; node != nullptr; node = node->next) sum += node->value;
  sums[i] = sum;
}
