// SPDX-License-Identifier: MIT
#include "sim/profile/reason_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/profile/profile_table.h"
#include "sim/profile/profile_text.h"
#include "sim/support/html.h"

namespace paws::profile {
namespace {

using observe::kWaits;
using observe::LineCounts;
using observe::Wait;

/// "not_selected"
std::string class_of(Wait reason) {
  return column_of(reason).substr(column_of(reason).find('_') + 1);
}

/// In the order of the legend: what a kernel can be changed for comes first.
constexpr std::array<Wait, kWaits> kOrder{Wait::memory,       Wait::arithmetic, Wait::instruction,
                                          Wait::barrier,      Wait::unit,       Wait::disabled,
                                          Wait::not_selected, Wait::outside};

std::string piece(const std::string& kind, const std::string& name, std::uint64_t cycles) {
  if (cycles == 0) return "";
  return fmt::format("<span class=\"r {}\" style=\"flex:{}\" title=\"{}: {}\"></span>", kind,
                     cycles, name, cycles);
}

std::string bar(const LineCounts& counts, bool issues, std::uint64_t whole) {
  std::string text = fmt::format(
      "<div class=\"bar\" role=\"img\" aria-label=\"{}{}\" style=\"width:{:.2f}%\">",
      issues ? fmt::format("issues {:.0f} %, waits: ", percent(counts.issues, counts.warp_cycles()))
             : "",
      in_words(counts, kWaits), percent(issues ? counts.warp_cycles() : counts.waited(), whole));
  if (issues) text += piece("issue", "issues", counts.issues);
  for (const Wait reason : kOrder) {
    text += piece(class_of(reason), name_of(reason), counts.waited_for(reason));
  }
  return text + "</div>";
}

}  // namespace

std::string words(const LineCounts& counts, std::size_t most) {
  std::string text = in_words(counts, most);
  for (std::size_t at = 0; (at = text.find(" %", at)) != std::string::npos;) {
    text.replace(at, 1, "&nbsp;");
  }
  return text;
}

std::string reason_bar(const LineCounts& counts, std::uint64_t whole) {
  return bar(counts, false, whole);
}

std::string warp_cycle_bar(const LineCounts& counts, std::uint64_t whole) {
  return bar(counts, true, whole);
}

std::string reason_legend() {
  std::string text;
  for (const Wait reason : kOrder) {
    const auto column =
        std::find_if(profile_columns().begin(), profile_columns().end(),
                     [&](const ProfileColumn& each) { return each.name == column_of(reason); });
    text += fmt::format("<li><span class=\"r {}\"></span><span><b>{}</b>: {}</span></li>",
                        class_of(reason), name_of(reason), escaped(column->definition));
  }
  return text;
}

}  // namespace paws::profile
