// SPDX-License-Identifier: MIT
// Calls what the runtime does not have.
#include "check.h"

extern "C" cudaError_t cudaBindTexture(void*, void*, void*, void*, size_t);

int main() {
  cudaBindTexture(nullptr, nullptr, nullptr, nullptr, 0);
  return 0;
}
