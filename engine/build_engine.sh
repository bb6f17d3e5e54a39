#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes one engine: verilates the scheduler's RTL with frozen parameters and compiles it together
# with the adapter. Used by the build for the named matrix and by make_rtl() for every other
# combination, so both get the same engine.
#
# usage: build_engine.sh OUTPUT WORK_DIR NAME MODULE OPT [CHECKED=1] [NETLIST=FILE] [PARAMETER=VALUE...]
#   OUTPUT    *.o with entry point paws_engine_NAME, or *.so with Verilator's runtime inside too
#   WORK_DIR  scratch folder of this engine alone; emptied first
#   MODULE    of the RTL: paws_two_level, paws_single_level, or one that is a policy of its own
#   OPT       the C++ compiler's optimization option
#   CHECKED   1: with contract assertions
#   NETLIST   Verilog of the same module with the same parameters, to take instead of the RTL
#   PARAMETER  of the RTL (engine/parameters.def), with a number
# Environment: CXX (default c++), CXX_LAUNCHER (for example ccache), VERILATOR (default verilator), VERILATOR_FILES
# (its root folder; default: what it says); ENGINE_HEADERS, for a *.o: engine_headers.h beside its precompiled form, made
# with the same CXX and OPT;
# PAWS_INSTRUMENT, for a *.so: "coverage" counts what runs, "waves" can write FST waves (instrument.h).
set -euo pipefail

output=$(realpath -m "$1") work=$(realpath -m "$2") name=$3 module=$4 opt=$5
shift 5
checked=0 netlist="" settings=()
for setting in "$@"; do
  case $setting in
    CHECKED=*) checked=${setting#*=} ;;
    NETLIST=*) netlist=$(realpath "${setting#*=}") ;;
    *) settings+=("$setting") ;;
  esac
done
# Names from here on are those of the project, wherever it is: messages have them, and a compiler cache serves another
# copy of the project.
cd "$(dirname "$0")/.."
here=engine
verilator=${VERILATOR:-verilator}
verilator_root=${VERILATOR_FILES:-$("$verilator" --getenv VERILATOR_ROOT)}

. engine/module.sh
read_module . "$module" "${settings[@]}"
options=("${macros[@]}" "$instance")
# PAWS_CODE_<policy>, as the RTL has them.
mapfile -t -O "${#macros[@]}" macros < <(
  sed -nE "s/^ *localparam logic .* (\w+) = [0-9]+'d([0-9]+);/-DPAWS_CODE_\1=\2/p" rtl/paws_pkg.sv)
if [[ -n $netlist ]]; then
  macros+=(-DPAWS_NETLIST)
  # Warnings are about what a netlist is, not about our source.
  options+=(-DPAWS_NETLIST -Wno-fatal -Wno-lint -Wno-style rtl/paws_pkg.sv "$netlist")
else
  options+=(rtl/paws_public.vlt -F "$sources")
fi
if [[ $checked == 1 ]]; then
  macros+=(-DPAWS_ASSERT)
  options+=(-DPAWS_ASSERT --assert --x-initial unique)
else
  options+=(--noassert --x-initial fast)
fi

runtime=("$here/verilated_runtime.cpp" "$verilator_root/include/verilated.cpp"
  "$verilator_root/include/verilated_threads.cpp")
libraries=()
case ${PAWS_INSTRUMENT:-none} in
  none) ;;
  coverage)
    macros+=(-DPAWS_COVERAGE -DVM_COVERAGE=1)
    options+=(--coverage --coverage-max-width 4096)
    runtime+=("$verilator_root/include/verilated_cov.cpp")
    ;;
  waves)
    macros+=(-DPAWS_WAVES)
    options+=(--trace-fst --trace-structs --trace-max-array 64 --trace-max-width 2048
      --timescale 1ns/1ps)
    runtime+=("$verilator_root/include/verilated_fst_c.cpp")
    libraries+=(-lz)
    ;;
  *)
    echo "build_engine.sh: error: PAWS_INSTRUMENT must be coverage or waves: $PAWS_INSTRUMENT" >&2
    exit 2
    ;;
esac

rm -rf "$work"
mkdir -p "$work"
"$verilator" --cc -O3 --x-assign fast --no-timing --prefix "V$name" --top-module engine_top \
  --Mdir "$work" "${options[@]}" "$here/engine_top.sv"

# One translation unit: the compiler sees the whole engine at once.
unit=$work/engine_$name.cpp
{
  echo "#include \"V$name.h\""
  echo "#include \"V${name}___024root.h\""
  for generated in "$work"/V*.cpp; do
    echo "#include \"$(basename "$generated")\""
  done
  echo "#include \"$here/verilated_adapter.cpp\""
} >"$unit"

# Generated code is not held to our warnings.
# shellcheck disable=SC2206  # a launcher may be several words
compile=(${CXX_LAUNCHER:-} "${CXX:-c++}" -std=c++20 "$opt" -fPIC -w
  -DPAWS_TOP="V$name" -DPAWS_ENTRY="paws_engine_$name" "${macros[@]}"
  -I . -I "$work" -isystem "$verilator_root/include"
  -isystem "$verilator_root/include/vltstd")
case $output in
  *.o)
    headers=()
    [[ -z ${ENGINE_HEADERS:-} ]] || headers=(-fpch-preprocess -include "$ENGINE_HEADERS")
    "${compile[@]}" "${headers[@]}" -c "$unit" -o "$output"
    ;;
  *.so)
    objects=()
    for source in "$unit" "${runtime[@]}"; do
      object=$work/$(basename "$source" .cpp).object
      "${compile[@]}" -include "$here/verilated_runtime.h" -fvisibility=hidden -fno-gnu-unique \
        -c "$source" -o "$object"
      objects+=("$object")
    done
    "${CXX:-c++}" -shared -Wl,-Bsymbolic "${objects[@]}" "${libraries[@]}" -pthread -o "$output"
    ;;
  *)
    echo "build_engine.sh: error: OUTPUT must end in .o or .so: $output" >&2
    exit 2
    ;;
esac
