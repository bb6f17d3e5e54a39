#!/bin/bash
# SPDX-License-Identifier: MIT
# Prints the RTL module of a policy that is a module of its own.
#
# usage: policy_module.sh POLICIES
#   POLICIES  its bit: 16 for the first rtl_module of model/policies.toml, 17 for the next
set -euo pipefail

policies=$1
mapfile -t modules < <(sed -nE 's/^rtl_module *= *"(\w+)".*/\1/p' "$(dirname "$0")/../model/policies.toml")
for number in "${!modules[@]}"; do
  if ((policies == 1 << (16 + number))); then
    echo "${modules[number]}"
    exit
  fi
done
echo "policy_module.sh: error: no policy of model/policies.toml is $policies" >&2
exit 2
