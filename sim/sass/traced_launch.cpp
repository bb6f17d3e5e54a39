// SPDX-License-Identifier: MIT
#include "sim/sass/traced_launch.h"

#include <bit>

#include "sim/sass/opcodes.h"
#include "sim/sass/traced_block.h"
#include "sim/support/error.h"

namespace paws::sass {
namespace {

/// Row r of matrix q of an access to rows is where lane 8 * q + r says. The other lanes' addresses
/// count for nothing; they become those of lanes that count.
void repeat_rows(const ir::Instruction& operation,
                 std::array<std::uint64_t, ir::kWarpSize>& addresses) {
  if (operation.op != ir::Op::ldmatrix && operation.op != ir::Op::stmatrix) return;
  constexpr unsigned kRows = 8;
  const unsigned used = kRows * operation.vector;
  for (unsigned lane = used; lane < ir::kWarpSize; ++lane) {
    addresses[lane] = addresses[lane % used];
  }
}

}  // namespace

TracedLaunch::TracedLaunch(const std::filesystem::path& file, const TracedCode& code,
                           const std::function<bool()>& interrupted) {
  TraceReader reader(file);
  const Header& header = reader.header();
  grid_ = header.grid;
  warps_ = static_cast<std::uint32_t>(header.warps());
  ranges_.resize(grid_.count() * warps_);
  Details details;
  Range* range = nullptr;
  for (auto event = reader.next(); event != TraceReader::Event::end; event = reader.next()) {
    if (event == TraceReader::Event::block) {
      if (interrupted && interrupted()) {
        throw Interrupted("interrupted while reading " + file.string());
      }
      continue;
    }
    if (event == TraceReader::Event::warp) {
      range = &ranges_[reader.block() * warps_ + reader.warp()];
      *range = {steps_.size(), steps_.size() + reader.warp_instructions()};
      continue;
    }
    reader.details(details);
    const Record& record = reader.record();
    const TracedCode::Entry* const known = code.find(record.pc);
    if (known == nullptr) reader.fail("the file has changed since it was read first");
    const TracedCode::Entry& entry = *known;
    if (entries_.size() <= entry.index) entries_.resize(entry.index + 1);
    entries_[entry.index] = &entry;
    if (reader.same_again()) {
      --range->end;
    } else {
      steps_.push_back({entry.index, record.mask, kNone});
    }
    Step& step = steps_.back();
    if (record.mask == 0 || !has_addresses(entry.operation)) continue;
    const ir::Space space =
        resolve(entry.operation.space, header.windows, record.mask, details.addresses);
    if (space == ir::Space::local) {
      for (std::uint64_t& address : details.addresses) address -= code.local_base();
    }
    if (record.mask == ~exec::LaneMask{0}) repeat_rows(entry.operation, details.addresses);
    add_access(step, space, details.addresses);
  }
}

void TracedLaunch::add_access(Step& step, ir::Space space,
                              const std::array<std::uint64_t, ir::kWarpSize>& addresses) {
  if (step.access != kNone) {
    if (accesses_.back().listed) addresses_.resize(accesses_.back().base);
    accesses_.pop_back();
  }
  Access access;
  access.space = space;
  std::uint64_t last = 0;
  unsigned count = 0;
  for (exec::LaneMask left = step.active; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
    if (count == 0) access.base = address;
    if (count == 1) access.stride = address - last;
    if (count > 1 && address - last != access.stride) access.listed = true;
    last = address;
    ++count;
  }
  if (access.listed) {
    access.base = addresses_.size();
    for (exec::LaneMask left = step.active; left != 0; left &= left - 1) {
      addresses_.push_back(addresses[static_cast<std::size_t>(std::countr_zero(left))]);
    }
  }
  if (accesses_.size() >= kNone) throw InputError("a launch with more than 2^32 accesses");
  step.access = static_cast<std::uint32_t>(accesses_.size());
  accesses_.push_back(access);
}

void TracedLaunch::addresses(const Step& step, std::array<std::uint64_t, ir::kWarpSize>& to) const {
  const Access& access = accesses_[step.access];
  std::uint64_t next = access.base;
  for (exec::LaneMask left = step.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    if (access.listed) {
      to[lane] = addresses_[next++];
    } else {
      to[lane] = next;
      next += access.stride;
    }
  }
}

std::unique_ptr<exec::ResidentBlock> TracedLaunch::make_block() const {
  return std::make_unique<TracedBlock>(*this);
}

}  // namespace paws::sass
