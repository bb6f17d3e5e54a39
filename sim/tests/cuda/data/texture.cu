// SPDX-License-Identifier: MIT
// Calls what the runtime does not have.
#include "check.h"

extern "C" cudaError_t cudaCreateTextureObject(void*, void*, void*, void*);

int main() {
  cudaCreateTextureObject(nullptr, nullptr, nullptr, nullptr);
  return 0;
}
