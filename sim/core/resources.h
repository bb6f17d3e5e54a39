// SPDX-License-Identifier: MIT
// What a core has to share among thread blocks, and what a block takes of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace paws::core {

enum class Resource : std::uint8_t { block_slots, warps, threads, registers, shared_memory };
inline constexpr std::array kResources{Resource::block_slots, Resource::warps, Resource::threads,
                                       Resource::registers, Resource::shared_memory};

/// As messages name it.
constexpr const char* name_of(Resource resource) {
  constexpr std::array<const char*, kResources.size()> names{"block slots", "warps", "threads",
                                                             "registers", "shared memory"};
  return names[static_cast<std::size_t>(resource)];
}

/// An amount of every resource: threads count whole warps, registers have 32 bits, shared memory is
/// in bytes; registers and shared memory come in granules.
class Resources {
 public:
  std::uint64_t& operator[](Resource resource) {
    return amounts_[static_cast<std::size_t>(resource)];
  }
  std::uint64_t operator[](Resource resource) const {
    return amounts_[static_cast<std::size_t>(resource)];
  }

  /// The first resource of which there is less than `needs` says.
  [[nodiscard]] std::optional<Resource> lacking(const Resources& needs) const {
    for (const Resource resource : kResources) {
      if ((*this)[resource] < needs[resource]) return resource;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool hold(const Resources& needs) const { return !lacking(needs); }
  /// How many blocks with these needs fit, and the first resource that allows no more. A block
  /// needs at least a block slot.
  struct Count {
    unsigned blocks = 0;
    Resource limit = Resource::block_slots;
  };
  [[nodiscard]] Count count(const Resources& needs) const {
    std::uint64_t blocks = UINT64_MAX;
    Resource limit = Resource::block_slots;
    for (const Resource resource : kResources) {
      if (needs[resource] == 0 || (*this)[resource] / needs[resource] >= blocks) continue;
      blocks = (*this)[resource] / needs[resource];
      limit = resource;
    }
    return {static_cast<unsigned>(blocks), limit};
  }

  Resources& operator+=(const Resources& given) {
    for (const Resource resource : kResources) (*this)[resource] += given[resource];
    return *this;
  }
  /// `taken` must be there.
  Resources& operator-=(const Resources& taken) {
    for (const Resource resource : kResources) (*this)[resource] -= taken[resource];
    return *this;
  }
  bool operator==(const Resources&) const = default;

 private:
  std::array<std::uint64_t, kResources.size()> amounts_{};
};

}  // namespace paws::core
