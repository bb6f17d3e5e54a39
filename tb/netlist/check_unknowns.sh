#!/bin/bash
# SPDX-License-Identifier: MIT
# Shows that what may be unknown at the ports stays without consequence (unknowns_tb.v), for netlists
# of both schedulers with every sorter and picker, quantized keys, held lengths and an age limit; and that X where an
# input does count is noticed.
#
# usage: check_unknowns.sh FOLDER
# Environment: YOSYS (default yosys), IVERILOG (default iverilog).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
rtl=$here/../../rtl
folder=$1
mkdir -p "$folder"
two_level_policies=$(/usr/bin/python3 -B "$here/../../scripts/lib/policies.py" all two-level)
single_level_policies=$(/usr/bin/python3 -B "$here/../../scripts/lib/policies.py" all single)
policy_w=$(sed -nE 's/.* POLICY_W = ([0-9]+);/\1/p' "$rtl/paws_pkg.sv")
mapfile -t sources < <(sed "s|^|$rtl/|" "$rtl/paws.f")

# A netlist of gates and plain flip-flops: an if whose condition is X would choose a side.
synthesize() {  # NAME TOP PARAMETER=VALUE...
  local name=$1 top=$2 parameters=()
  shift 2
  for setting in "$@"; do parameters+=(-chparam "${setting%%=*}" "${setting#*=}"); done
  "${YOSYS:-yosys}" -q -p "
    read_verilog -sv ${sources[*]}
    hierarchy -check -top $top ${parameters[*]}
    synth -flatten -top $top
    dfflegalize -cell \$_DFF_P_ x -cell \$_DLATCH_N_ x
    write_verilog -noattr $folder/$name.v"
}

simulate() {  # NAME MACRO...
  local name=$1
  shift
  "${IVERILOG:-iverilog}" -g2012 -o "$folder/$name.vvp" "$@" "$here/unknowns_tb.v" "$folder/$name.v"
  vvp -n "$folder/$name.vvp"
}

# The code of a policy in the package.
code() { sed -nE "s/.* $1 = [0-9]+'d([0-9]+);/\1/p" "$rtl/paws_pkg.sv"; }

check() {  # NAME TOP LIMITED HELD PARAMETER=VALUE...
  local name=$1 top=$2 macros=(-DWARPS=7 -DLENGTH_W=9 -DLIMITED="$3" -DHELD="$4" -DPOLICY_W="$policy_w")
  macros+=(-DCGGTY="$(code CGGTY)" -DSCA="$(code SCA)")
  local inputs=(LENGTHS) input
  shift 4
  synthesize "$name" "$top" WARPS=7 PHASE_W=6 LENGTH_W=9 "$@"
  if [ "$top" = paws_two_level ]; then
    macros+=(-DPAWS_TWO_LEVEL -DPOLICIES="$two_level_policies")
  else
    macros+=(-DPOLICIES="$single_level_policies")
    inputs+=(GROUPS YIELDS)
  fi
  echo "$name: $(simulate "$name" "${macros[@]}")"
  for input in "${inputs[@]}"; do
    if simulate "$name" "${macros[@]}" "-DPAWS_SPOIL_$input" > "$folder/$name.spoilt"; then
      echo "$name: X where an input counts is not noticed: $input" >&2
      exit 1
    fi
  done
}

check ranks paws_two_level 0 0 READY=2
check shift paws_two_level 0 0 READY=2 SORTER=0
check tree paws_two_level 0 0 READY=2 SORTER=1
check quantized paws_two_level 0 0 READY=2 PRECISION=2
check held paws_two_level 0 1 READY=2 HELD_LENGTH=1
check gates paws_two_level 0 0 READY=2 CLOCK_GATES=2
check oldest paws_two_level 0 0 READY=2 WAKE_OLDEST=1
check two_level_limit paws_two_level 1 0 READY=2 AGE_LIMIT=5
check matches paws_single_level 0 0
check elimination paws_single_level 0 0 PICKER=0
check single_level_gates paws_single_level 0 0 CLOCK_GATES=1
check single_level_limit paws_single_level 1 0 AGE_LIMIT=5
