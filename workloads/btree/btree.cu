// SPDX-License-Identifier: MIT
// Searches in a B+ tree, a block per query and a thread per key of a node, from the algorithm of
// Rodinia's benchmark "b+tree".
//
// The levels of the tree lie one after the other, from the root to the leaves. The keys of a level
// lie in order; a node is `order` consecutive ones, and the next node's first key, or the largest
// integer after the last node of a level, bounds its last key. For an entry of an inner node,
// `child` holds where the child's keys start; for an entry of a leaf it holds the record's number.
// As in the benchmark, a query keeps the node that it has reached in global memory, where the one
// thread whose key leads on tells the others. All searches start at node 0, the root.

struct KeyQuery {
  int key;
  int node;   // where the search is
  int next;   // where it goes
  int value;  // of the record with the key; stays if there is none
};

__global__ void __launch_bounds__(256, 6)
    find_key(const int* keys, const int* child, int entries, int height, const int* records,
             KeyQuery* queries) {
  KeyQuery* query = queries + blockIdx.x;
  const int slot = threadIdx.x;

#pragma unroll 1
  for (int level = 1; level < height; ++level) {
    const int at = query->node + slot;
    if (keys[at] <= query->key && keys[at + 1] > query->key) {
      // A damaged tree must not lead outside of itself.
      const int below = child[query->next + slot];
      if (below < entries) query->next = below;
    }
    __syncthreads();
    if (slot == 0) query->node = query->next;
    __syncthreads();
  }

  const int at = query->node + slot;
  if (keys[at] == query->key) query->value = records[child[at]];
}

struct RangeQuery {
  int first_key, last_key;
  int first_node, first_next;
  int last_node, last_next;
  int first_record;  // with first_key; stays if there is none
  int length;        // records from first_record to the one with last_key; stays if there is none
};

__global__ void __launch_bounds__(256, 5)
    find_range(const int* keys, const int* child, int entries, int height, RangeQuery* queries) {
  RangeQuery* query = queries + blockIdx.x;
  const int slot = threadIdx.x;

#pragma unroll 1
  for (int level = 1; level < height; ++level) {
    const int at_first = query->first_node + slot;
    if (keys[at_first] <= query->first_key && keys[at_first + 1] > query->first_key) {
      const int below = child[at_first];
      if (below < entries) query->first_next = below;
    }
    const int at_last = query->last_node + slot;
    if (keys[at_last] <= query->last_key && keys[at_last + 1] > query->last_key) {
      const int below = child[at_last];
      if (below < entries) query->last_next = below;
    }
    __syncthreads();
    if (slot == 0) {
      query->first_node = query->first_next;
      query->last_node = query->last_next;
    }
    __syncthreads();
  }

  const int at_first = query->first_node + slot;
  if (keys[at_first] == query->first_key) query->first_record = child[at_first];
  __syncthreads();
  const int at_last = query->last_node + slot;
  if (keys[at_last] == query->last_key) query->length = child[at_last] - query->first_record + 1;
}
