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


def concerned(what: str, kernel: str) -> bool:
    """Whether a kernel is of a kind that something can change: "" any, 2D, odd (two-dimensional, and an odd number of blocks
    fits), launches (of several launches of a kernel)."""
    entry = KERNELS[kernel]
    return {"": True, "2D": two_dimensional(kernel), "odd": two_dimensional(kernel) and entry["t_max"] % 2 == 1,
            "launches": entry.get("repeats", False)}[what]


def group(name: str, kernels: tuple[str, ...]) -> list[str]:
    """Those of the kernels that are in a group of paper.toml."""
    if name == "all":
        return list(kernels)
    if name in ("2D", "odd", "launches"):
        return [kernel for kernel in kernels if concerned(name, kernel)]
    return [kernel for kernel in kernels if KERNELS[kernel]["type"] in name.split("+")]
