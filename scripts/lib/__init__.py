# SPDX-License-Identifier: MIT
"""What commands of several groups share; `lib/group` runs and lists the commands."""
