#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes one engine of the block monitor: verilates its RTL with frozen parameters and compiles it
# together with the adapter.
#
# usage: build_monitor.sh OUTPUT WORK_DIR NAME SLOTS PORTS COUNT_BITS ROUNDING CHECKED OPT
#   OUTPUT    *.o with entry point paws_NAME
#   WORK_DIR  scratch folder of this engine alone; emptied first
#   SLOTS, PORTS, COUNT_BITS, ROUNDING  as in BlockMonitorConfig, numbers
#   CHECKED   1: with contract assertions
#   OPT       the C++ compiler's optimization option
# Environment: CXX (default c++), CXX_LAUNCHER (for example ccache), VERILATOR (default verilator), VERILATOR_FILES
# (its root folder; default: what it says).
set -euo pipefail

output=$(realpath -m "$1") work=$(realpath -m "$2") name=$3 slots=$4 ports=$5 count=$6 rounding=$7 checked=$8 opt=$9
# Names from here on are those of the project, wherever it is: messages have them, and a compiler cache serves another
# copy of the project.
cd "$(dirname "$0")/../.."
verilator=${VERILATOR:-verilator}
verilator_root=${VERILATOR_FILES:-$("$verilator" --getenv VERILATOR_ROOT)}

macros=("-DPAWS_SLOTS=$slots" "-DPAWS_PORTS=$ports")
options=("-GSLOTS=$slots" "-GPORTS=$ports" "-GCOUNT_W=$count" "-GROUNDING=$rounding")
if [[ $checked == 1 ]]; then
  macros+=(-DPAWS_ASSERT)
  options+=(-DPAWS_ASSERT --assert --x-initial unique)
else
  options+=(--noassert --x-initial fast)
fi

rm -rf "$work"
mkdir -p "$work"
"$verilator" --cc -O3 --x-assign fast --no-timing --prefix "V$name" --top-module paws_block_monitor \
  --Mdir "$work" "${options[@]}" rtl/paws_monitor_host_checks.sv rtl/paws_block_monitor.sv

# One translation unit: the compiler sees the whole engine at once.
unit=$work/$name.cpp
{
  for generated in "$work"/V*.cpp; do
    echo "#include \"$(basename "$generated")\""
  done
  echo '#include "engine/block_monitor/verilated_monitor.cpp"'
} >"$unit"

# Generated code is not held to our warnings.
# shellcheck disable=SC2086  # a launcher may be several words
${CXX_LAUNCHER:-} "${CXX:-c++}" -std=c++20 "$opt" -fPIC -w -DPAWS_TOP="V$name" -DPAWS_ENTRY="paws_$name" "${macros[@]}" \
  -I . -I "$work" -isystem "$verilator_root/include" -isystem "$verilator_root/include/vltstd" -c "$unit" -o "$output"
