// SPDX-License-Identifier: MIT
// Runs large_warp_front.sv from stdin to stdout for scripts/plot waves.
//
// A line of input is one cycle, all decimal: rst_ni issuable launch_valid launch_warp take, then
// for each of the four large warps the mode, the mask and the outcomes that it has whenever it is
// loaded. A line of output is what stands before the clock edge that ends the cycle, separated by
// '|': the large warp that is selected, the one that is loaded, lanes and rows of the sub-warp,
// last, busy, and with the last sub-warp the masks of both sides and whether they diverge. What is
// not there is empty.
#include <array>
#include <iostream>
#include <memory>
#include <string>

#include "Vtop.h"
#include "verilated.h"

namespace {

/// Rows of four lanes, lane 0 left.
std::string mask_text(unsigned mask) {
  std::string text;
  for (unsigned thread = 0; thread < 16; ++thread) {
    if (thread != 0 && thread % 4 == 0) text += ' ';
    text += (mask >> thread & 1U) != 0 ? '1' : '0';
  }
  return text;
}

std::string rows_text(unsigned lanes, unsigned rows) {
  std::string text;
  for (unsigned lane = 0; lane < 4; ++lane) {
    text += (lanes >> lane & 1U) != 0 ? std::to_string(rows >> (2 * lane) & 3U) : "-";
  }
  return text;
}

struct LargeWarp {
  unsigned mode, mask, outcomes;
};

}  // namespace

int main() {
  VerilatedContext context;
  const auto top = std::make_unique<Vtop>(&context);
  unsigned rst_n, issuable, launch_valid, launch_warp, take;
  while (std::cin >> rst_n >> issuable >> launch_valid >> launch_warp >> take) {
    std::array<LargeWarp, 4> warps{};
    for (LargeWarp& warp : warps) std::cin >> warp.mode >> warp.mask >> warp.outcomes;
    const LargeWarp& loaded = warps.at(top->load_warp_o);
    static unsigned outcomes = 0;
    if (top->load_valid_o) outcomes = loaded.outcomes;
    top->clk_i = 0;
    top->rst_ni = rst_n;
    top->issuable_i = issuable;
    top->launch_valid_i = launch_valid;
    top->launch_warp_i = launch_warp;
    top->load_mode_i = loaded.mode;
    top->load_mask_i = loaded.mask;
    top->take_i = take;
    top->outcome_i = outcomes;
    top->eval();
    const bool valid = top->valid_o != 0;
    const bool ends = valid && top->last_o != 0 && take != 0;
    std::cout << (top->issue_valid_o ? std::to_string(unsigned{top->issue_warp_o}) : "") << '|'
              << (top->load_valid_o ? std::to_string(unsigned{top->load_warp_o}) : "") << '|'
              << (top->load_valid_o ? mask_text(loaded.mask) : "") << '|'
              << (valid ? mask_text(top->mask_o).substr(0, 4) : "") << '|'
              << (valid ? rows_text(top->mask_o, top->row_o) : "") << '|' << unsigned{top->last_o}
              << '|' << unsigned{top->busy_o} << '|' << (ends ? mask_text(top->taken_o) : "") << '|'
              << (ends ? mask_text(top->fall_o) : "") << '|' << unsigned{top->diverged_o} << '\n';
    top->clk_i = 1;
    top->eval();
  }
}
