// SPDX-License-Identifier: MIT
// Speckle reducing anisotropic diffusion (Yu and Acton, 2002), the second kernel of a step, from
// the algorithm of Rodinia's benchmark "srad", version 1: the image moves along the divergence of
// the diffusion flow, that is of the coefficients times the derivatives. Column-major, `rows` rows.
// The neighbours below and to the right come from tables, which repeat the image's edge.

__global__ void __launch_bounds__(256, 6)
    diffuse(float step, int rows, int pixels, const int* below, const int* right,
            const float* north, const float* south, const float* east, const float* west,
            const float* coefficient, float* image) {
  const int here = blockIdx.x * blockDim.x + threadIdx.x;
  if (here >= pixels) return;
  const int row = here % rows;
  const int column = here / rows;

  const float c = coefficient[here];
  const float c_south = coefficient[below[row] + rows * column];
  const float c_east = coefficient[row + rows * right[column]];
  const float divergence =
      c * north[here] + c_south * south[here] + c * west[here] + c_east * east[here];
  image[here] += 0.25f * step * divergence;
}
