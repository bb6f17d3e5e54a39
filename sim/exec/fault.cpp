// SPDX-License-Identifier: MIT
#include "sim/exec/fault.h"

#include <sstream>

#include "sim/exec/access_errors.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

const char* name_of(ir::Space space) {
  switch (space) {
    case ir::Space::global:
      return "global";
    case ir::Space::shared:
      return "shared";
    case ir::Space::local:
      return "local";
    case ir::Space::constant:
      return "constant";
    case ir::Space::param:
      return "parameter";
    default:
      return "generic";
  }
}

const char* name_of(ir::Op op) {
  switch (op) {
    case ir::Op::st:
      return "store";
    case ir::Op::atom:
      return "atomic";
    case ir::Op::red:
      return "reduction";
    case ir::Op::copy_async:
      return "asynchronous copy";
    case ir::Op::copy_bulk:
      return "bulk copy";
    case ir::Op::mbarrier:
      return "barrier operation";
    case ir::Op::ldmatrix:
      return "matrix load";
    case ir::Op::stmatrix:
      return "matrix store";
    case ir::Op::tex:
      return "texture fetch";
    case ir::Op::suld:
      return "surface load";
    case ir::Op::sust:
      return "surface store";
    default:
      return "load";
  }
}

std::string extent(const WarpContext& ctx, ir::Space space) {
  switch (space) {
    case ir::Space::shared:
      return "the block has " + std::to_string(ctx.shared_bytes) + " bytes of shared memory";
    case ir::Space::local:
      return "a thread has " + std::to_string(ctx.local_bytes) + " bytes of local memory";
    case ir::Space::constant:
      return "there are " + std::to_string(ctx.memory->constant_bytes()) +
             " bytes of constant memory";
    case ir::Space::param:
      return "the kernel has " + std::to_string(ctx.param_bytes) + " bytes of parameters";
    default:
      return "no such memory";
  }
}

std::string nearest_allocation(const DeviceMemory& memory, std::uint64_t address) {
  if (const DeviceMemory::Allocation* old = memory.released(address)) {
    std::ostringstream text;
    text << "'" << old->name << "' (" << old->bytes << " bytes) was there and has been freed";
    return text.str();
  }
  const DeviceMemory::Allocation* below = memory.nearest(address);
  if (below == nullptr) return "below every allocation";
  const std::uint64_t end = below->address + below->bytes;
  std::ostringstream text;
  if (address < end) {
    text << "runs over the end of '" << below->name << "' (" << below->bytes << " bytes)";
  } else {
    text << address - end << " bytes past the end of '" << below->name << "' (" << below->bytes
         << " bytes)";
  }
  return text.str();
}

/// A message about a warp (`lane` < 0) or one of its lanes, without the line.
std::string described(const WarpContext& ctx, int lane, const std::string& cause) {
  std::ostringstream text;
  text << "kernel '" << ctx.kernel->name << "', block (" << ctx.block.x << "," << ctx.block.y << ","
       << ctx.block.z << "), warp " << ctx.warp;
  if (lane >= 0) {
    const std::uint64_t thread = std::uint64_t{ctx.warp} * ir::kWarpSize + unsigned(lane);
    const Dim3& shape = ctx.block_shape;
    text << ", lane " << lane << ", thread (" << thread % shape.x << ","
         << thread / shape.x % shape.y << "," << thread / shape.x / shape.y << ")";
  }
  text << ": " << cause;
  return text.str();
}

std::string access_cause(const Decoded& in, const WarpContext& ctx, ir::Space space,
                         std::uint64_t address, unsigned bytes, unsigned alignment) {
  const bool writes = in.ir->op != ir::Op::ld;
  std::ostringstream text;
  text << bytes << "-byte " << name_of(in.ir->op) << " at " << name_of(space) << " address 0x"
       << std::hex << address << std::dec << ": ";
  if (writes && (space == ir::Space::constant || space == ir::Space::param)) {
    text << name_of(space) << " memory is read-only";
  } else if (address % alignment != 0) {
    text << "not a multiple of " << alignment;
  } else if (space == ir::Space::global) {
    text << nearest_allocation(*ctx.memory, address);
  } else {
    text << extent(ctx, space);
  }
  return text.str();
}

}  // namespace

void fault(const Decoded& in, const WarpContext& ctx, int lane, const std::string& cause) {
  throw InputError(ctx.kernel->file, in.ir->line, described(ctx, lane, cause));
}

void access_fault(const Decoded& in, const WarpContext& ctx, unsigned lane, ir::Space space,
                  std::uint64_t address, unsigned bytes, unsigned alignment) {
  fault(in, ctx, int(lane), access_cause(in, ctx, space, address, bytes, alignment));
}

void outside(const Decoded& in, const WarpContext& ctx, unsigned lane, ir::Space space,
             std::uint64_t address, unsigned bytes) {
  AccessErrors* const tolerated = ctx.memory->tolerated();
  if (tolerated == nullptr) access_fault(in, ctx, lane, space, address, bytes);
  tolerated->add(
      ctx.kernel->file, in.ir->line, {ctx.block.z, ctx.block.y, ctx.block.x, ctx.warp, lane}, [&] {
        return described(ctx, int(lane), access_cause(in, ctx, space, address, bytes, bytes));
      });
}

}  // namespace paws::exec
