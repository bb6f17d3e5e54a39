# SPDX-License-Identifier: MIT
# For shell commands to source: answers --help with the command's own header.
if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  sed -n '/^#!/d;/SPDX-License-Identifier/d;/^#/!q;s/^# \{0,1\}//p' "$0"
  exit
fi
