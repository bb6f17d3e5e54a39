# SPDX-License-Identifier: MIT
"""Narasiman et al. (2011) reproduced: large warps and two-level round robin."""
