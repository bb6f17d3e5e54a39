#!/bin/bash
# SPDX-License-Identifier: MIT
# Synthesizes one module to Yosys's generic gates and writes it as Verilog, for the test that
# Yosys and Verilator understand the RTL alike.
#
# usage: synthesize.sh OUTPUT TOP [PARAMETER=VALUE...]
#   PARAMETER  those that TOP does not have are left out
# Environment: YOSYS (default yosys).
set -euo pipefail

output=$1 top=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
rtl=$root/rtl
. "$root/engine/module.sh"
list=$rtl/$top.f
[[ -f $list ]] || list=$rtl/paws.f
sources=()
while read -r source; do
  sources+=("$rtl/$source")
done <"$list"
parameters=()
for setting in "$@"; do
  grep -q "^int ${setting%%=*} \|^bit ${setting%%=*} " < <(module_parameters "$root" "$top") || continue
  parameters+=(-chparam "${setting%%=*}" "${setting#*=}")
done

# The three warnings mean that Yosys has understood something else than what is written.
"${YOSYS:-yosys}" -q -e 'implicitly declared|is assigned in a block|out of bounds' -p "
  read_verilog -sv ${sources[*]}
  hierarchy -check -top $top ${parameters[*]}
  proc
  # The only latches are those of clock gates.
  select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr %u %u paws_clock_gate/* %d
  synth -flatten -top $top
  check -assert
  write_verilog -noattr $output"
