// SPDX-License-Identifier: MIT
// Exact matching of many short queries with a reference text through its suffix tree, as the
// benchmark MUM of "Analyzing CUDA workloads using a detailed GPU simulator" (ISPASS 2009,
// MUMmerGPU) does it: a thread per query, one-dimensional blocks of 256 threads. For each place of
// the query where a match can start, the thread looks for the longest piece of the text that the
// query has there. It walks down from the root; after that the suffix link of the last node leads
// to the next start, and the letters that must match there are skipped. Every step depends on a
// load from a place of its own: the tree is irregular, and so is the number of steps.
//
// Letters are 0 to 3. The text has a letter 4 at its end, which is part of the edges of leaves and
// matches nothing. In the benchmark, tree and text are textures; here they are in global memory.

struct Node {
  int child[4];  // -1: none
  int start;     // of the letters of the edge that leads here
  int length;    // of that edge
  int link;      // the node without the first letter; the root's and a leaf's is 0
  int unused;
};

struct Match {
  int node;  // the node that the match reaches, or the one below its end
  int length;
};

__global__ void mum_match(Match* matches, const Node* nodes, const unsigned char* text,
                          const unsigned char* letters, int queries, int length, int shortest) {
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= queries) return;
  const unsigned char* const own = letters + query * length;
  const int starts = length - shortest + 1;

  int node = 0;
  int depth = 0;    // letters from the root to the node
  int matched = 0;  // letters that are known to match
#pragma unroll 1
  for (int start = 0; start < starts; ++start) {
    int reached = node;
#pragma unroll 1
    while (start + depth < length) {
      const int below = nodes[node].child[own[start + depth]];
      if (below < 0) break;
      const int edge = nodes[below].length;
      const int limit = min(edge, length - start - depth);
      const unsigned char* const expected = text + nodes[below].start;
      int i = min(matched - depth, limit);
#pragma unroll 1
      while (i < limit && expected[i] == own[start + depth + i]) ++i;
      matched = depth + i;
      reached = below;
      if (i < edge) break;
      node = below;
      depth += edge;
    }
    matches[query * starts + start] = {reached, matched};

    if (node != 0) {
      node = nodes[node].link;
      --depth;
    }
    matched = max(matched - 1, 0);
  }
}
