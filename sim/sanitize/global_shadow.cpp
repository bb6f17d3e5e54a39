// SPDX-License-Identifier: MIT
#include "sim/sanitize/global_shadow.h"

#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

namespace paws::sanitize {

std::uint32_t GlobalShadow::add(const Stretch& stretch) {
  if (stretches_.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("more than 2^32 stretches of warps in a checked launch");
  }
  stretches_.push_back(stretch);
  return static_cast<std::uint32_t>(stretches_.size() - 1);
}

std::pair<std::span<GlobalShadow::Cell>, unsigned> GlobalShadow::cells(const Range& range) {
  const std::uint64_t number = range.address / kPageBytes;
  if (last_ == nullptr || number != last_number_) {
    last_ = &pages_[number];
    last_number_ = number;
  }
  Page& page = *last_;
  const auto wanted = static_cast<unsigned>(std::countr_zero(range.element));
  if (page.cells.empty()) {
    page.shift = wanted;
    page.cells.resize(kPageBytes >> wanted);
  } else if (wanted < page.shift) {
    std::vector<Cell> narrow(kPageBytes >> wanted);
    const unsigned parts = page.shift - wanted;
    for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = page.cells[i >> parts];
    page.cells = std::move(narrow);
    page.shift = wanted;
  }
  const std::uint64_t offset = range.address % kPageBytes;
  return {std::span(page.cells).subspan(offset >> page.shift, range.bytes >> page.shift),
          page.shift};
}

bool GlobalShadow::same_warp(GlobalSite one, GlobalSite other) const {
  if (one.stretch == other.stretch) return true;
  const Stretch& first = stretches_[one.stretch];
  const Stretch& second = stretches_[other.stretch];
  return first.block == second.block && first.warp == second.warp;
}

bool GlobalShadow::apart(GlobalSite first, GlobalSite by, const View& view) const {
  if (first.stretch == 0 || first.stretch == by.stretch) return false;
  if (first.strong && by.strong) return false;
  const Stretch& stretch = stretches_[first.stretch];
  if (stretch.published < view.acquired) return false;
  return stretch.block != view.block ||
         !view.clocks.ordered(stretch.warp, stretch.period, view.warp);
}

/// A reader that comes before `by` is not needed any more: what comes behind `by` comes behind it.
void GlobalShadow::keep(Cell& cell, GlobalSite by, const View& view) const {
  for (GlobalSite& reader : cell.readers) {
    if (reader.stretch != 0 && !same_warp(reader, by)) continue;
    reader = by;
    return;
  }
  cell.readers[apart(cell.readers[0], by, view) ? 1 : 0] = by;
}

void GlobalShadow::read(GlobalSite by, const Range& range, const View& view,
                        std::vector<Meeting>& met) {
  const auto [cells, shift] = this->cells(range);
  std::uint64_t address = range.address;
  for (Cell& cell : cells) {
    if (apart(cell.writer, by, view)) met.push_back({cell.writer, true, address, 1U << shift});
    // A thread that waits for a flag reads it without end.
    if (!by.strong) keep(cell, by, view);
    address += std::uint64_t{1} << shift;
  }
}

void GlobalShadow::write(GlobalSite by, const Range& range, const View& view,
                         std::vector<Meeting>& met) {
  const auto [cells, shift] = this->cells(range);
  std::uint64_t address = range.address;
  for (Cell& cell : cells) {
    if (apart(cell.writer, by, view)) met.push_back({cell.writer, true, address, 1U << shift});
    for (const GlobalSite reader : cell.readers) {
      if (apart(reader, by, view)) met.push_back({reader, false, address, 1U << shift});
    }
    cell = {by, {}};
    address += std::uint64_t{1} << shift;
  }
}

}  // namespace paws::sanitize
