# SPDX-License-Identifier: MIT
"""From RTL to tables: area, timing, power and FPGA size of the schedulers."""
