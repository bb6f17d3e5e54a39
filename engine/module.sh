# SPDX-License-Identifier: MIT
# Sourced by what builds engines and waves: a scheduler's module with parameters, for Verilator and for the adapter.
#
# read_module ROOT MODULE NAME=VALUE...
#   MODULE  paws_two_level, paws_single_level, or a module that is one policy (rtl_module of model/policies.toml)
#   NAME    as in engine/parameters.def; those that the module does not have are not given to it, and those that are
#           missing here have the RTL's default
# Sets macros (-DPAWS_NAME=VALUE, and -DPAWS_<MODULE>), which both need, instance (PAWS_PARAMETERS, what stands between
# the brackets of the module's instance), and sources (the list of the module's files).
# shellcheck shell=bash disable=SC2034
read_module() {
  local root=$1 module=$2 setting name value kind
  shift 2
  declare -A values=()
  while read -r kind name value; do
    [[ ! $value =~ ^[0-9]+$ ]] || values[$name]=$value
  done < <(module_parameters "$root" "$module")
  for setting in "$@"; do
    values[${setting%%=*}]=${setting#*=}
  done
  macros=("-D${module^^}")
  for name in "${!values[@]}"; do
    macros+=("-DPAWS_$name=${values[$name]}")
  done
  instance=
  while read -r kind name value; do
    value=${values[$name]:-}
    [[ -n $value ]] || continue
    [[ $kind != bit ]] || value="1'b$value"
    instance+="${instance:+, }.$name($value)"
  done < <(module_parameters "$root" "$module")
  instance=-DPAWS_PARAMETERS=$instance
  sources=$root/rtl/$module.f
  [[ -f $sources ]] || sources=$root/rtl/paws.f
}

# The parameters that the RTL declares: kind (int or bit), name, default.
module_parameters() {
  sed -nE "/^module $2/,/^\)/s/^ *parameter (int|bit) (\w+) *= *(1'b)?([A-Za-z0-9_:]+).*/\1 \2 \4/p" "$1/rtl/$2.sv"
}
