# SPDX-License-Identifier: MIT
"""Faults put into the elaborated RTL by the hundred, and what becomes of each."""
