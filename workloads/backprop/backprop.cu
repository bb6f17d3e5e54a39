// SPDX-License-Identifier: MIT
// Back-propagation, one training step of a network with one hidden layer of WIDTH units, from the
// algorithm of Rodinia's benchmark "backprop". Weights are row-major, one row per input unit and
// one column per hidden unit; row 0 and column 0 belong to the bias units. A block works on HEIGHT
// input units and all hidden units; threads (x, y) with x the hidden unit; the grid is a column of
// blocks.

#define HEIGHT 16
#define WIDTH 16
#define LEARNING_RATE 0.3f
#define MOMENTUM 0.3f

// Forward pass: partial[block * hidden + x] = sum of the block's inputs times their weights to
// hidden unit x + 1. The block's products, as the summation in pairs leaves them, replace the
// weights, as in the benchmark, whose host restores the weights before they are adjusted.
__global__ void __launch_bounds__(256, 6)
    layer_forward(const float* input, float* weights, float* partial, int hidden) {
  __shared__ float unit[HEIGHT];
  __shared__ float product[HEIGHT][WIDTH];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = HEIGHT * blockIdx.y + y + 1;
  const int here = row * (hidden + 1) + x + 1;

  if (x == 0) unit[y] = input[row];
  __syncthreads();
  product[y][x] = weights[here];
  __syncthreads();
  product[y][x] *= unit[y];
  __syncthreads();

  // The distance of a pair comes from the special function unit, as in the benchmark: this
  // arithmetic, with the remainder, is most of the kernel's work.
#pragma unroll 1
  for (int step = 1; step <= __log2f(HEIGHT); ++step) {
    const int distance = __powf(2.0f, step);
    if (y % distance == 0) product[y][x] += product[y + distance / 2][x];
    __syncthreads();
  }

  weights[here] = product[y][x];
  __syncthreads();
  if (x == 0) partial[blockIdx.y * hidden + y] = product[x][y];
}

// Backward pass: moves every weight along its gradient and a part of its last change. Block 0 moves
// the weights of the input layer's bias unit too.
__global__ void __launch_bounds__(256, 5)
    adjust_weights(const float* delta, const float* input, float* weights, float* last_change,
                   int hidden) {
  const int column = threadIdx.x + 1;
  const int row = HEIGHT * blockIdx.y + threadIdx.y + 1;
  const int here = row * (hidden + 1) + column;

  weights[here] += LEARNING_RATE * delta[column] * input[row] + MOMENTUM * last_change[here];
  last_change[here] = LEARNING_RATE * delta[column] * input[row] + MOMENTUM * last_change[here];
  __syncthreads();

  if (threadIdx.y == 0 && blockIdx.y == 0) {
    weights[column] += LEARNING_RATE * delta[column] + MOMENTUM * last_change[column];
    last_change[column] = LEARNING_RATE * delta[column] + MOMENTUM * last_change[column];
  }
}
