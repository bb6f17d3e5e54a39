# SPDX-License-Identifier: MIT
"""The paper's numbers (paper.toml), and the classes of its Table 2."""

import tomllib
from collections.abc import Sequence

from report import paths

_DATA = tomllib.loads((paths.SCRIPTS / "report" / "narasiman2011" / "paper.toml").read_text())
KERNELS: dict[str, dict] = _DATA["kernels"]  # Table 2, in its order
GROUPS: dict[str, list[str]] = _DATA["groups"]
CLAIMS: dict[str, list[dict]] = _DATA["claims"]


def label(kernel: str) -> str:
    return KERNELS[kernel]["label"] if kernel in KERNELS else kernel


def group(name: str, kernels: Sequence[str]) -> list[str]:
    """Those of the kernels that are in a group of paper.toml, or "all" of them."""
    return list(kernels) if name == "all" else [kernel for kernel in kernels if kernel in GROUPS[name]]


def branch_class(active: float) -> str:
    """Of the active threads of a warp that retires (Section 5)."""
    return "low" if active > 30 else "medium" if active >= 20 else "high"


def idle_class(share: float) -> str:
    """Of the share of cycles in which no lane is active (Section 5)."""
    return "low" if share < 0.2 else "medium" if share <= 0.4 else "high"
