// SPDX-License-Identifier: MIT
// Empty: paws_cuda.h, included before every source, declares what kernels use of this header.
