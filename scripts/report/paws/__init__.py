# SPDX-License-Identifier: MIT
"""Awatramani et al. (PACT 2015) reproduced: phase aware warp scheduling."""
