#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes one engine: verilates the scheduler's RTL with frozen parameters and compiles it together
# with the adapter. Used by the build for the named matrix and by make_rtl() for every other
# combination, so both get the same engine.
#
# usage: build_engine.sh OUTPUT WORK_DIR NAME LEVEL WARPS READY PHASE_BITS KEY_PRECISION
#                        LENGTH_BITS POLICIES TIE OLDEST SORTER PICKER AGE_LIMIT HELD GATES PAIR
#                        GROUP TIMEOUT COMPARES LATE CHECKED OPT [NETLIST]
#   OUTPUT    *.o with entry point paws_engine_NAME, or *.so with Verilator's runtime inside too
#   WORK_DIR  scratch folder of this engine alone; emptied first
#   LEVEL     two_level or single_level
#   POLICIES  bit mask by policy code, the policies that are built; from bit 16 on one that is a module of its own, in
#             the order of model/policies.toml
#   TIE, OLDEST, SORTER, PICKER, AGE_LIMIT, HELD, GATES, PAIR, GROUP, TIMEOUT, COMPARES, LATE, CHECKED  numbers, as in EngineParameters
#   OPT       the C++ compiler's optimization option
#   NETLIST   Verilog of the same module with the same parameters, to take instead of the RTL
# Environment: CXX (default c++), CXX_LAUNCHER (for example ccache), VERILATOR (default verilator), VERILATOR_FILES
# (its root folder; default: what it says); ENGINE_HEADERS, for a *.o: engine_headers.h beside its precompiled form, made
# with the same CXX and OPT;
# PAWS_INSTRUMENT, for a *.so: "coverage" counts what runs, "waves" can write FST waves (instrument.h).
set -euo pipefail

output=$1 work=$2 name=$3 level=$4 warps=$5 ready=$6 phase_bits=$7 precision=$8 length_bits=$9
shift 9
policies=$1 tie=$2 oldest=$3 sorter=$4 picker=$5 limit=$6 held=$7 gates=$8 pair=$9
shift 9
group=$1 timeout=$2 compares=$3 late=$4 checked=$5 opt=$6 netlist=${7:-}
output=$(realpath -m "$output")
work=$(realpath -m "$work")
[[ -z $netlist ]] || netlist=$(realpath "$netlist")
# Names from here on are those of the project, wherever it is: messages have them, and a compiler cache serves another
# copy of the project.
cd "$(dirname "$0")/.."
here=engine
verilator=${VERILATOR:-verilator}
verilator_root=${VERILATOR_FILES:-$("$verilator" --getenv VERILATOR_ROOT)}

macros=("-DPAWS_WARPS=$warps" "-DPAWS_POLICIES=$policies" "-DPAWS_AGE_LIMIT=$limit")
# PAWS_CODE_<policy>, as the RTL has them.
mapfile -t -O "${#macros[@]}" macros < <(
  sed -nE "s/^ *localparam logic .* (\w+) = [0-9]+'d([0-9]+);/-DPAWS_CODE_\1=\2/p" rtl/paws_pkg.sv)
options=("-GWARPS=$warps" "-GPHASE_W=$phase_bits" "-GPRECISION=$precision"
  "-GLENGTH_W=$length_bits" "-GPOLICIES=$policies" "-GAGE_LIMIT=$limit"
  "-GCLOCK_GATES=$gates")
sources=rtl/paws.f
if [[ $level == two_level ]]; then
  macros+=(-DPAWS_TWO_LEVEL "-DPAWS_READY=$ready" "-DPAWS_TIE_ARRIVAL=$tie"
    "-DPAWS_WAKE_OLDEST=$oldest" "-DPAWS_SORTER=$sorter" "-DPAWS_HELD_LENGTH=$held")
  options+=(-DPAWS_TWO_LEVEL "-GREADY=$ready" "-GTIE_ARRIVAL=1'b$tie" "-GSORTER=$sorter"
    "-GWAKE_OLDEST=1'b$oldest" "-GHELD_LENGTH=1'b$held" "-GLATE_EXIT=1'b$late")
elif ((policies >= 1 << 16)); then
  module=$(engine/policy_module.sh "$policies")
  sources=rtl/$module.f
  macros+=("-D${module^^}" "-DPAWS_TIMEOUT=$timeout")
  options+=("-D${module^^}" "-GGROUP=$group" "-GTIMEOUT=$timeout" "-GCOMPARES=$compares" "-GLATE_EXIT=1'b$late")
else
  options+=("-GPICKER=$picker" "-GPAIR_W=$pair" "-GLATE_EXIT=1'b$late")
fi
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
