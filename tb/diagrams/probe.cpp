// SPDX-License-Identifier: MIT
// Runs one scheduler from stdin to stdout for scripts/plot waves.
//
// A line of input is one cycle: rst_ni policy issue_en issuable waits long_outstanding exit
// launch_valid launch_warp, all decimal, then the WARPS phase lengths. A line of output is what
// stands before the clock edge that ends the cycle: issue_valid issue_warp quiet, then ready,
// active, collector and pending (single level: the last issued warp), separated by '|'. How the
// queues are read from the registers is said in rtl/paws_public.vlt.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "Vtop.h"
#include "Vtop___024root.h"
#include "verilated.h"

namespace {

std::string line_of(std::vector<std::pair<unsigned, unsigned>> place_and_warp) {
  std::sort(place_and_warp.begin(), place_and_warp.end());
  std::string line;
  for (const auto& [place, warp] : place_and_warp) {
    line += (line.empty() ? "" : " ") + std::to_string(warp);
  }
  return line;
}

#ifdef TWO_LEVEL
#define SIGNAL(name) top.rootp->paws_two_level__DOT__##name

// Number of warp `w` in an array of bit slices.
template <class Slices>
unsigned number_of(const Slices& slices, unsigned w) {
  unsigned number = 0;
  for (unsigned b = 0; b < std::size(slices.m_storage); ++b) number |= (slices[b] >> w & 1) << b;
  return number;
}

std::string queues(Vtop& top) {
  constexpr unsigned kReady = READY, kWarps = WARPS;
  std::vector<std::pair<unsigned, unsigned>> ready, active, collector, pending;
  for (unsigned k = 0; k < kReady; ++k) {
    if ((SIGNAL(u_ready__DOT__valid_q) >> k & 1) == 0) continue;
    unsigned place = 0;
    for (unsigned other = 0; other < kReady; ++other) {
      if (other == k || (SIGNAL(u_ready__DOT__valid_q) >> other & 1) == 0) continue;
      const unsigned i = std::min(k, other), j = std::max(k, other);
      const bool i_first =
          SIGNAL(u_ready__DOT__gen_order__DOT__first_q) >> (j * (j - 1) / 2 + i) & 1;
      place += i_first == (i == other);
    }
    ready.emplace_back(place, SIGNAL(u_ready__DOT__warp_q)[k]);
  }
#define ACTIVE(name) SIGNAL(gen_sorted__DOT__##name)
  const bool entrant = ACTIVE(u_entrant__DOT__valid_q);
  unsigned entrant_place = 0;
  for (unsigned w = 0; w < kWarps; ++w) {
    if (SIGNAL(pending_q) >> w & 1) pending.emplace_back(w, w);
    const unsigned place = number_of(SIGNAL(u_places__DOT__place_q), w);
    if (SIGNAL(u_collector__DOT__member_q) >> w & 1) {
      collector.emplace_back(place * kWarps + w, w);
    }
    if (ACTIVE(gen_rank__DOT__u_active__DOT__member_q) >> w & 1) {
      const bool moves = entrant && (ACTIVE(goes_before) >> w & 1);
      active.emplace_back(place + moves, w);
      entrant_place += !moves;
    }
  }
  for (unsigned w = 0; w < kWarps; ++w) {
    if (entrant && (ACTIVE(u_entrant__DOT__slot_q) >> w & 1)) active.emplace_back(entrant_place, w);
  }
#undef ACTIVE
  return line_of(ready) + '|' + line_of(active) + '|' + line_of(collector) + '|' + line_of(pending);
}
#else
std::string queues(Vtop& top) {
  if (!top.rootp->paws_single_level__DOT__gen_last__DOT__last_valid_q) return "";
  return std::to_string(top.rootp->paws_single_level__DOT__gen_last__DOT__last_warp_q);
}
#endif

}  // namespace

int main() {
  Vtop top;
  unsigned rst_n, policy, issue_en, launch_valid, launch_warp;
  std::uint64_t issuable, waits, long_outstanding, exits;
  while (std::cin >> rst_n >> policy >> issue_en >> issuable >> waits >> long_outstanding >>
         exits >> launch_valid >> launch_warp) {
    std::uint64_t lengths = 0;
    for (unsigned w = 0; w < WARPS; ++w) {
      std::uint64_t length;
      std::cin >> length;
      lengths |= length << (w * LENGTH_W);
    }
    top.clk_i = 0;
    top.rst_ni = rst_n;
    top.policy_i = policy;
    top.issue_en_i = issue_en;
    top.issuable_i = issuable;
    top.exit_i = exits;
    top.launch_valid_i = launch_valid;
    top.launch_warp_i = launch_warp;
#ifdef TWO_LEVEL
    top.waits_i = waits;
    top.long_outstanding_i = long_outstanding;
    top.length_i = lengths;
#else
    top.distance_i = lengths;
#endif
    top.eval();
    std::cout << unsigned{top.issue_valid_o} << '|' << unsigned{top.issue_warp_o} << '|'
              << unsigned{top.quiet_o} << '|' << queues(top) << '\n';
    top.clk_i = 1;
    top.eval();
  }
}
