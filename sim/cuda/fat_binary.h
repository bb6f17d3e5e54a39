// SPDX-License-Identifier: MIT
// The PTX in a fat binary, the container in which compilers embed device code in host programs.
//
// A container is a header (magic 0xBA55ED50) and entries, each of them PTX or machine code for one
// architecture, plain or compressed. There is no public specification: the layout here is what the
// tools of CUDA 11 to 13 write.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace paws::cuda {

struct PtxImage {
  unsigned architecture = 0;  ///< 75 of compute_75
  std::string text;
};

struct FatBinary {
  std::vector<PtxImage> ptx;
  std::vector<unsigned> machine_code;  ///< architectures, 75 of sm_75
};

/// Bytes of the container that starts at `data`, its header included; 0: not a container.
std::size_t fat_binary_bytes(const std::byte* data);

/// Reads a whole container. `name` stands for it in messages. Throws InputError for one that is
/// damaged, or compressed in a way that is not known.
FatBinary read_fat_binary(std::span<const std::byte> container, const std::string& name);

/// The PTX for a device of `capability` (75: 7.5): of those for devices that are not newer the
/// newest, else the oldest of all. Null when there is none.
const PtxImage* choose_ptx(const FatBinary& binary, unsigned capability);

}  // namespace paws::cuda
