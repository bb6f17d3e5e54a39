#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes one engine of a module of large warps: verilates its RTL with frozen parameters and compiles it
# together with the adapter.
#
# usage: build_large_warp.sh OUTPUT WORK_DIR NAME MODULE LANES ROWS VARIANT CHECKED OPT [NETLIST]
#   OUTPUT    *.o with entry point paws_NAME
#   WORK_DIR  scratch folder of this engine alone; emptied first
#   MODULE    subwarp_packer or branch_masks
#   LANES, ROWS  as in SubwarpPackerConfig and BranchMasksConfig, numbers
#   VARIANT   modes of a packer, buffers of branch masks
#   CHECKED   1: with contract assertions
#   OPT       the C++ compiler's optimization option
#   NETLIST   Verilog of the same module with the same parameters, to take instead of the RTL
# Environment: CXX (default c++), CXX_LAUNCHER (for example ccache), VERILATOR (default verilator), VERILATOR_FILES
# (its root folder; default: what it says).
set -euo pipefail

output=$(realpath -m "$1") work=$(realpath -m "$2") name=$3 module=$4 lanes=$5 rows=$6 variant=$7 checked=$8 opt=$9
netlist=${10:-}
[[ -z $netlist ]] || netlist=$(realpath "$netlist")
# Names from here on are those of the project, wherever it is: messages have them, and a compiler cache serves another
# copy of the project.
cd "$(dirname "$0")/../.."
verilator=${VERILATOR:-verilator}
verilator_root=${VERILATOR_FILES:-$("$verilator" --getenv VERILATOR_ROOT)}

macros=("-DPAWS_LANES=$lanes" "-DPAWS_ROWS=$rows")
if [[ -n $netlist ]]; then
  # Warnings are about what a netlist is, not about our source.
  options=(-Wno-fatal -Wno-lint -Wno-style "$netlist")
else
  parameter=MODES
  [[ $module == subwarp_packer ]] || parameter=BUFFERS
  options=("-GLANES=$lanes" "-GROWS=$rows" "-G$parameter=$variant" -F "rtl/paws_$module.f")
fi
if [[ $checked == 1 ]]; then
  macros+=(-DPAWS_ASSERT)
  options+=(-DPAWS_ASSERT --assert --x-initial unique)
else
  options+=(--noassert --x-initial fast)
fi

rm -rf "$work"
mkdir -p "$work"
"$verilator" --cc -O3 --x-assign fast --no-timing --prefix "V$name" --top-module "paws_$module" \
  --Mdir "$work" "${options[@]}"

# One translation unit: the compiler sees the whole engine at once.
unit=$work/$name.cpp
{
  for generated in "$work"/V*.cpp; do
    echo "#include \"$(basename "$generated")\""
  done
  echo "#include \"engine/large_warp/verilated_$module.cpp\""
} >"$unit"

# Generated code is not held to our warnings.
# shellcheck disable=SC2086  # a launcher may be several words
${CXX_LAUNCHER:-} "${CXX:-c++}" -std=c++20 "$opt" -fPIC -w -DPAWS_TOP="V$name" -DPAWS_ENTRY="paws_$name" "${macros[@]}" \
  -I . -I "$work" -isystem "$verilator_root/include" -isystem "$verilator_root/include/vltstd" -c "$unit" -o "$output"
