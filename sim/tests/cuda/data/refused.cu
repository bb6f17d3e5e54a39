// SPDX-License-Identifier: MIT
// Calls what the runtime does not have.
#include "check.h"

extern "C" cudaError_t cudaBindSurfaceToArray(void*, void*, void*);

int main() {
  cudaBindSurfaceToArray(nullptr, nullptr, nullptr);
  return 0;
}
