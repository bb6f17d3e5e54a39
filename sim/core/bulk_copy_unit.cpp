// SPDX-License-Identifier: MIT
#include "sim/core/bulk_copy_unit.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "sim/memory/sectors.h"

namespace paws::core {
namespace {

constexpr std::uint64_t line_of(std::uint64_t address) {
  return address / memory::kLineBytes * memory::kLineBytes;
}

/// The request for the line in which [begin, end) begins.
memory::Request request_for(std::uint64_t begin, std::uint64_t end, bool loads) {
  memory::Request request;
  request.kind = loads ? memory::RequestKind::load : memory::RequestKind::store;
  request.line = line_of(begin);
  const std::uint64_t stop = std::min(end, request.line + memory::kLineBytes);
  const auto first = static_cast<unsigned>((begin - request.line) / memory::kSectorBytes);
  const auto last = static_cast<unsigned>((stop - 1 - request.line) / memory::kSectorBytes);
  request.sectors = 0;
  for (unsigned sector = first; sector <= last; ++sector) {
    request.sectors = static_cast<memory::SectorMask>(request.sectors | 1U << sector);
  }
  request.bytes = memory::bytes_of(request.sectors);
  return request;
}

}  // namespace

void BulkCopyUnit::push(memory::LineOwner warp, ir::CopyKind kind, std::uint32_t copy,
                        const exec::Outcome& outcome) {
  if (free_operations_.empty()) {
    free_operations_.push_back(static_cast<std::uint32_t>(operations_.size()));
    operations_.emplace_back();
  }
  const std::uint32_t number = free_operations_.back();
  Operation& operation = operations_[number];
  operation = {warp, kind, copy, 0};
  for (exec::LaneMask left = outcome.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (outcome.bulk_bytes[lane] == 0) continue;
    const std::uint64_t begin = outcome.addresses[lane];
    const std::uint64_t end = begin + outcome.bulk_bytes[lane];
    queue_.push_back({number, begin, end, false});
    operation.remaining +=
        static_cast<std::uint32_t>((line_of(end - 1) - line_of(begin)) / memory::kLineBytes + 1);
  }
  if (operation.remaining == 0) {  // no lane copies anything
    if (kind == ir::CopyKind::bulk_store) {
      client_.bulk_done(warp.warp_slot(), ir::CopyKind::bulk_read, copy);
    }
    client_.bulk_done(warp.warp_slot(), kind, copy);
    return;
  }
  queue_.back().last = true;
  free_operations_.pop_back();
}

std::uint64_t BulkCopyUnit::next_step(std::uint64_t cycle) const {
  if (queue_.empty()) return std::numeric_limits<std::uint64_t>::max();
  return std::max(free_, cycle + 1);
}

void BulkCopyUnit::serve(std::uint64_t cycle) {
  port_.listen(cycle);
  Stretch& stretch = queue_.front();
  const Operation& operation = operations_[stretch.operation];
  const bool loads = operation.kind == ir::CopyKind::bulk_load;
  memory::Request request = request_for(stretch.begin, stretch.end, loads);
  const bool has_room = port_.can_send(cycle);
  if (!has_room || port_.stopped(request.line)) {
    free_ = cycle + 1;
    if (has_room) ++statistics_.l2_stop_cycles;
    return;
  }
  free_ = cycle + interval_;
  request.tag = kFirstTag | stretch.operation;
  request.user = operation.warp;
  ++statistics_.requests;
  ++(loads ? statistics_.bypass_transactions : statistics_.store_transactions);
  ++(loads ? loads_ : stores_);
  const std::uint64_t next = request.line + memory::kLineBytes;
  port_.send(request, cycle);
  if (next < stretch.end) {
    stretch.begin = next;
    return;
  }
  const bool read = stretch.last && !loads;
  queue_.pop_front();
  if (read) {
    client_.bulk_done(operation.warp.warp_slot(), ir::CopyKind::bulk_read, operation.copy);
  }
}

void BulkCopyUnit::respond(const memory::Response& response) {
  ++statistics_.replies;
  const std::uint32_t number = response.tag & ~kTagMask;
  Operation& operation = operations_[number];
  --(operation.kind == ir::CopyKind::bulk_load ? loads_ : stores_);
  if (--operation.remaining > 0) return;
  free_operations_.push_back(number);
  client_.bulk_done(operation.warp.warp_slot(), operation.kind, operation.copy);
}

}  // namespace paws::core
