// SPDX-License-Identifier: MIT
// Speckle reducing anisotropic diffusion (Yu and Acton, 2002), the first kernel of a step, from the
// algorithm of Rodinia's benchmark "srad", version 2: the image's derivatives in four directions,
// and the diffusion coefficient that follows from them. Row-major; beyond the image its edge
// repeats. A block works on 16 x 16 pixels.

#define TILE 16
#define AREA (TILE * TILE)

// Tiles for the neighbours in each direction, of which only the row or column next to the block's
// own pixels is read, and for the coefficients: where a thread has its element, from its pixel on.
enum { ABOVE = AREA, BELOW = 2 * AREA, LEFT = 3 * AREA, RIGHT = 4 * AREA, RESULT = 5 * AREA };

// As in the benchmark all threads load all tiles: first the rows above and below, then the columns
// to the left and to the right, then the block's own pixels, with barriers between.
__global__ void __launch_bounds__(AREA, 6)
    diffusion_coefficient(float* east, float* west, float* north, float* south, float* coefficient,
                          const float* image, int width, int height, float speckle) {
  __shared__ float tiles[6 * AREA];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  float* const own = tiles + TILE * y + x;
  const int left = TILE * blockIdx.x;
  const int top = TILE * blockIdx.y;
  const int column = min(left + x, width - 1);
  const int row_start = min(top + y, height - 1) * width;
  const int here = row_start + column;

  own[ABOVE] = image[max(top - 1, 0) * width + column];
  own[BELOW] = image[min(top + TILE, height - 1) * width + column];
  __syncthreads();
  own[LEFT] = image[row_start + max(left - 1, 0)];
  own[RIGHT] = image[row_start + min(left + TILE, width - 1)];
  __syncthreads();
  *own = image[here];
  __syncthreads();

  const float value = *own;
  const float n = own[y > 0 ? -TILE : ABOVE] - value;
  const float s = own[y < TILE - 1 ? TILE : BELOW] - value;
  const float w = own[x > 0 ? -1 : LEFT] - value;
  const float e = own[x < TILE - 1 ? 1 : RIGHT] - value;

  const float gradient = (n * n + s * s + w * w + e * e) / (value * value);
  const float laplacian = (n + s + w + e) / value;
  const float root = 1.0f + 0.25f * laplacian;
  const float variation = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (root * root);
  const float excess = (variation - speckle) / (speckle * (1.0f + speckle));
  own[RESULT] = fminf(fmaxf(1.0f / (1.0f + excess), 0.0f), 1.0f);
  __syncthreads();

  if (left + x < width && top + y < height) {
    coefficient[here] = own[RESULT];
    east[here] = e;
    west[here] = w;
    south[here] = s;
    north[here] = n;
  }
}
