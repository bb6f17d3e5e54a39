# SPDX-License-Identifier: MIT
"""The paper's numbers and how its kernels are run (paper.toml)."""

import tomllib

from report import paths

_DATA = tomllib.loads((paths.SCRIPTS / "report" / "lee2014" / "paper.toml").read_text())
KERNELS: dict[str, dict] = _DATA["kernels"]  # Table 2, in its order
PAIRS: dict[str, dict] = _DATA["pairs"]      # Table 3
CLAIMS: dict[str, list[dict]] = _DATA["claims"]
TYPES = ("I", "II", "III", "IV")


def label(kernel: str) -> str:
    """Of a kernel or a pair."""
    return (KERNELS | PAIRS)[kernel]["label"]


def two_dimensional(kernel: str) -> bool:
    """Whether its blocks have threads in y, so that BCS pairs them."""
    return "×" in KERNELS[kernel]["shape"]


def group(name: str, kernels: tuple[str, ...]) -> list[str]:
    """Those of the kernels that are in a group of paper.toml."""
    if name == "all":
        return list(kernels)
    if name == "2D":
        return [kernel for kernel in kernels if two_dimensional(kernel)]
    return [kernel for kernel in kernels if KERNELS[kernel]["type"] in name.split("+")]
