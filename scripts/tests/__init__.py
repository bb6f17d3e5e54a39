# SPDX-License-Identifier: MIT
"""Tests of scripts/."""
