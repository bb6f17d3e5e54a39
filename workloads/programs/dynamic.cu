// SPDX-License-Identifier: MIT
// The heap of kernels, and functions that call themselves: results are those of the host. With the
// name of a mistake, the kernel makes it last.
#include <cstring>

#include "check.h"

// --- the heap ------------------------------------------------------------------------------------

struct Node {
  int value;
  Node* next;
  __device__ Node(int of, Node* before) : value(of), next(before) {}
  __device__ ~Node() { value = -1; }
};

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int of) : side(of) {}
  __device__ int area() const override { return side * side; }
};
struct Strip : Shape {
  int length;
  __device__ explicit Strip(int of) : length(of) {}
  __device__ int area() const override { return 2 * length; }
};

/// Each thread has a list, a shape and an array; some threads more than others.
__global__ void lists(int* sums, Node** kept) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  Node* list = nullptr;
  for (int i = 0; i <= thread % 5; ++i) list = new Node(thread + i, list);
  int* numbers = static_cast<int*>(malloc(sizeof(int) * (thread % 7 + 1)));
  for (int i = 0; i <= thread % 7; ++i) numbers[i] = i;
  int sum = reinterpret_cast<unsigned long long>(numbers) % 16 == 0 ? 0 : 1000000;
  for (int i = 0; i <= thread % 7; ++i) sum += numbers[i];
  free(numbers);
  free(nullptr);
  Shape* shape = nullptr;
  if (thread % 2 == 0) {
    shape = new Square(thread);
  } else {
    shape = new Strip(thread);
  }
  sum += shape->area();
  delete shape;
  char* const text = new char[thread % 3 + 1];
  text[thread % 3] = 'x';
  delete[] text;
  sums[thread] = sum;
  kept[thread] = list;
}

/// Blocks live on from launch to launch.
__global__ void drop(int* sums, Node** kept) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (Node* node = kept[thread]; node != nullptr;) {
    Node* const next = node->next;
    sums[thread] += node->value;
    delete node;
    node = next;
  }
}

/// How many blocks of so many bytes the heap has room for.
__global__ void exhaust(int bytes, int* count) {
  void* last = nullptr;
  *count = 0;
  while (void** const block = static_cast<void**>(malloc(bytes))) {
    *block = last;
    last = block;
    ++*count;
  }
  while (last != nullptr) {
    void* const before = *static_cast<void**>(last);
    free(last);
    last = before;
  }
}

__global__ void past_the_end(int* out) {
  volatile int* const numbers = static_cast<int*>(malloc(8));
  *out = numbers[2];
}
__global__ void freed(int* out) {
  int* const number = new int(1);
  delete number;
  *out = *number;
}
__global__ void twice(int* out) { free(out); }

static int blocks_of(int bytes, int* count) {
  exhaust<<<1, 1>>>(bytes, count);
  CHECK(cudaDeviceSynchronize());
  return *count;
}

static void heap(int* data) {
  constexpr int kThreads = 256;
  size_t bytes = 0;
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  EXPECT(bytes == 8 << 20);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  Node** kept = nullptr;
  CHECK(cudaMalloc(&kept, kThreads * sizeof(Node*)));
  lists<<<4, 64>>>(data, kept);
  drop<<<8, 32>>>(data, kept);
  CHECK(cudaDeviceSynchronize());
  for (int thread = 0; thread < kThreads; ++thread) {
    int sum = (thread % 7) * (thread % 7 + 1) / 2 + (thread % 2 == 0 ? thread : 2) * thread;
    for (int i = 0; i <= thread % 5; ++i) sum += thread + i;
    EXPECT(data[thread] == sum);
  }
  // All has been freed, and can be had again.
  const int blocks = blocks_of(100000, data);
  EXPECT(blocks >= 8 && blocks <= 10);
  EXPECT(blocks_of(100000, data) == blocks);
  EXPECT(blocks_of(2 << 20, data) == 0);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 << 20));
  CHECK(cudaFree(kept));
  cudaGetLastError();
}

// --- functions that call themselves --------------------------------------------------------------

struct Path {
  int a, b;
  long long c;
};

#define BOTH __host__ __device__ __noinline__
BOTH int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

BOTH int odd(int n);
BOTH int even(int n) { return n == 0 ? 1 : odd(n - 1) * 3 % 1000; }
BOTH int odd(int n) { return n == 0 ? 0 : even(n - 1) + n; }

/// Each activation has its own array, and gives and takes more than fits in a register.
BOTH Path walk(Path path, int depth) {
  if (depth == 0) return path;
  int local[4];
  for (int i = 0; i < 4; ++i) local[i] = path.a + i * depth;
  Path end = walk({path.b, local[depth & 3], path.c + depth}, depth - 1);
  end.a += local[(depth + 1) & 3];
  return end;
}

/// Works on an array of its caller.
BOTH void hanoi(int n, int from, int to, int by, int* moves) {
  if (n == 0) return;
  hanoi(n - 1, from, by, to, moves);
  moves[from * 3 + to] += n;
  hanoi(n - 1, by, to, from, moves);
}

BOTH unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

BOTH int deep(int n) { return n == 0 ? 1 : (deep(n - 1) * 3 + n) % 1000; }

/// Threads of a warp go to different depths, and some of them do not call at all.
BOTH int work(int i) {
  int moves[9] = {};
  hanoi(i % 6, 0, 1, 2, moves);
  const Path end = walk({i, 2 * i, 3}, i % 7);
  int sum = fibonacci(i % 11) + even(i % 9) + end.a + 31 * end.b + static_cast<int>(1001 * end.c);
  for (const int each : moves) sum = sum * 7 + each;
  return i % 3 == 0 ? sum + ackermann(2, i % 4) : sum;
}

__global__ void compute(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = work(i);
}

__global__ void descend(int depth, int* out) { *out = deep(depth); }

static void recursion(int* data) {
  compute<<<4, 64>>>(data);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) EXPECT(data[i] == work(i));
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10));
  descend<<<1, 1>>>(1000, data);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*data == deep(1000));
}

int main(int argc, char** argv) {
  int* data = nullptr;
  CHECK(cudaMallocManaged(&data, 256 * sizeof(int)));
  heap(data);
  recursion(data);
  const char* const mistake = argc > 1 ? argv[1] : "";
  if (std::strcmp(mistake, "past") == 0) past_the_end<<<1, 1>>>(data);
  if (std::strcmp(mistake, "freed") == 0) freed<<<1, 1>>>(data);
  if (std::strcmp(mistake, "twice") == 0) twice<<<1, 1>>>(data);
  if (std::strcmp(mistake, "deep") == 0) descend<<<1, 1>>>(1 << 20, data);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
