// SPDX-License-Identifier: MIT
#include "sim/ir/kernel.h"

#include <algorithm>
#include <atomic>

namespace paws::ir {
namespace {

constexpr std::array kTypeNames = {"none",  "pred", "b8",     "b16",  "b32", "b64", "b128", "u8",
                                   "u16",   "u32",  "u64",    "s8",   "s16", "s32", "s64",  "f16",
                                   "f16x2", "bf16", "bf16x2", "tf32", "f32", "f64"};
static_assert(kTypeNames.size() == static_cast<std::size_t>(Type::f64) + 1);

}  // namespace

unsigned size_of(Type type) {
  switch (type) {
    case Type::none:
    case Type::pred:
      return 0;
    case Type::b8:
    case Type::u8:
    case Type::s8:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f16x2:
    case Type::bf16x2:
    case Type::tf32:
    case Type::f32:
      return 4;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return 8;
    case Type::b128:
      return 16;
  }
  return 0;
}

unsigned machine_registers(Type type) {
  if (type == Type::pred || type == Type::none) return 0;
  return std::max(1u, size_of(type) / 4);
}

bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

bool is_float(Type type) { return type >= Type::f16; }

std::string to_string(Type type) { return kTypeNames.at(static_cast<std::size_t>(type)); }

std::string to_string(Op op) { return facts(op).name; }

KernelNumber KernelNumber::next() {
  static std::atomic<std::uint64_t> last = 0;
  KernelNumber number;
  number.value_ = ++last;
  return number;
}

const Kernel* Module::find(const std::string& kernel) const {
  const auto hit = std::find_if(kernels.begin(), kernels.end(),
                                [&](const Kernel& candidate) { return candidate.name == kernel; });
  return hit == kernels.end() ? nullptr : &*hit;
}

}  // namespace paws::ir
