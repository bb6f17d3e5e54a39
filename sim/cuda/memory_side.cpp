// SPDX-License-Identifier: MIT
#include "sim/cuda/memory_side.h"

#include "sim/ir/kernel.h"

namespace paws::cuda {

Side side_of(Runtime& runtime, const void* pointer, std::size_t bytes) {
  const std::uint64_t address = address_of(pointer);
  DeviceMemory& memory = runtime.memory();
  Side side;
  const DeviceMemory::Allocation* allocation = memory.nearest(address);
  if (allocation != nullptr && address - allocation->address < allocation->bytes) {
    const Heap::Block* block = runtime.heap().find(address);
    side.known = true;
    // Variables are no blocks of the heap, and managed ones lie in memory of the host.
    side.managed =
        block != nullptr ? block->kind == MemoryKind::managed : !runtime.heap().on_device(address);
    side.device = !side.managed && (block == nullptr || block->kind == MemoryKind::device);
    side.data = memory.at(address, bytes);
    // What kernels have allocated, the host cannot use.
    if (DeviceHeap::holds(address)) side.data = nullptr;
    side.bad = side.data == nullptr || (block != nullptr && is_opaque(block->kind));
    return side;
  }
  if (address >= ir::kConstWindow && address - ir::kConstWindow < memory.constant_bytes()) {
    side.known = side.device = true;
    side.data = memory.constant(address - ir::kConstWindow, bytes);
    side.bad = side.data == nullptr;
    return side;
  }
  if (runtime.heap().gives(address)) {
    if (const DeviceMemory::Allocation* old = memory.released(address)) {
      tell("copy or fill at an address in '" + old->name + "', which has been freed");
    }
    side.bad = true;
    return side;
  }
  side.data = static_cast<std::byte*>(const_cast<void*>(pointer));
  return side;
}

bool fits(const Side& side, bool on_device) {
  if (side.bad || side.data == nullptr) return false;
  return on_device ? side.known : !side.device;
}

cudaError_t check(const Side& to, const Side& from, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (kind == cudaMemcpyDefault) {
    return to.bad || from.bad || to.data == nullptr || from.data == nullptr ? cudaErrorInvalidValue
                                                                            : cudaSuccess;
  }
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return fits(to, to_device) && fits(from, from_device) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace paws::cuda
