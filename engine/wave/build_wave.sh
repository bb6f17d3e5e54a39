#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes the shared object behind make_wave_model(): verilates the schedulers of a core with tracing.
#
# usage: build_wave.sh OUTPUT WORK_DIR SCHEDULERS MODULE [PARAMETER=VALUE...]
#   OUTPUT    *.so with entry point paws_wave
#   WORK_DIR  scratch folder; emptied first
#   MODULE, PARAMETER  as of build_engine.sh
# Environment: CXX (default c++), VERILATOR (default verilator).
set -euo pipefail

output=$1 work=$2 schedulers=$3 module=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
verilator=${VERILATOR:-verilator}
verilator_root=$("$verilator" --getenv VERILATOR_ROOT)

. "$root/engine/module.sh"
read_module "$root" "$module" "$@"
options=("${macros[@]}" "$instance" "-GSCHEDULERS=$schedulers" --noassert)

rm -rf "$work"
mkdir -p "$work"
# Arrays over 32 entries and wide vectors are to be seen too. Warnings are about what waves are for:
# signals that nothing reads.
"$verilator" --cc -O3 --x-assign fast --x-initial fast --no-timing --trace-fst --trace-structs \
  --trace-max-array 64 --trace-max-width 2048 --timescale 1ns/1ps -Wno-fatal -Wno-lint -Wno-style \
  --prefix Vwave --top-module wave_top --Mdir "$work" "${options[@]}" \
  -F "$sources" "$here/wave_top.sv"

unit=$work/wave.cpp
{
  echo '#include "Vwave.h"'
  for generated in "$work"/V*.cpp; do
    echo "#include \"$generated\""
  done
  echo "#include \"$here/wave_adapter.cpp\""
} >"$unit"

# Generated code is not held to our warnings, and its speed is not what waves wait for.
compile=("${CXX:-c++}" -std=c++20 -O1 -fPIC -w -DPAWS_TOP=Vwave "-DPAWS_SCHEDULERS=$schedulers"
  -fvisibility=hidden -fno-gnu-unique -include "$root/engine/verilated_runtime.h"
  -I "$root" -I "$work" -isystem "$verilator_root/include"
  -isystem "$verilator_root/include/vltstd")
objects=()
for source in "$unit" "$root/engine/verilated_runtime.cpp" "$verilator_root/include/verilated.cpp" \
  "$verilator_root/include/verilated_threads.cpp" "$verilator_root/include/verilated_fst_c.cpp"; do
  object=$work/$(basename "$source" .cpp).object
  "${compile[@]}" -c "$source" -o "$object"
  objects+=("$object")
done
"${CXX:-c++}" -shared -Wl,-Bsymbolic "${objects[@]}" -pthread -lz -o "$output"
