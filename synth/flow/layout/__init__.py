# SPDX-License-Identifier: MIT
"""From a mapped netlist to a routed block: placement, clock tree, optimisation, routing, extraction, sign-off."""
