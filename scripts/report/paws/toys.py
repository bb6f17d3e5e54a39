# SPDX-License-Identifier: MIT
"""The two toy kernels of Fig. 5: workloads/examples/toys, which says how their phases were chosen."""

MEDIUM, SHORT, LONG = 6, 1, 35  # instructions of a phase's two chains, each
TOYS = {"short_in_the_middle": (MEDIUM, SHORT, LONG), "long_in_the_middle": (MEDIUM, LONG, SHORT)}


def description(name: str) -> str:
    """The launch description's path from the root, as a Run names it."""
    return f"workloads/examples/toys/{name}.toml"
