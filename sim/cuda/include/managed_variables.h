// SPDX-License-Identifier: MIT
// __managed__ variables for clang, which knows only __device__ ones: each has a variable of the
// same name in the host's program, whose bytes nobody uses. The runtime makes them the memory of
// the device's variable. It knows them by their section.
#pragma once

#define PAWS_MANAGED __attribute__((device)) __attribute__((section("paws_managed")))

#ifndef __CUDA_ARCH__
extern "C" {
// Ends of the section in a program or library, from the linker; null: it has no such section.
extern char paws_managed_begin[] __asm__("__start_paws_managed")
    __attribute__((weak, visibility("hidden")));
extern char paws_managed_end[] __asm__("__stop_paws_managed")
    __attribute__((weak, visibility("hidden")));
void __cudaRegisterManagedSection(void* begin, void* end);
}
/// Before the variables register themselves, which constructors without a number do.
__attribute__((constructor(101))) static void paws_register_managed_section() {
  if (paws_managed_begin != nullptr) {
    __cudaRegisterManagedSection(paws_managed_begin, paws_managed_end);
  }
}
#endif
