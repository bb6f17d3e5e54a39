# SPDX-License-Identifier: MIT
"""The paper's numbers (paper.toml)."""

import tomllib

from report import paths

_DATA = tomllib.loads((paths.SCRIPTS / "report" / "paws" / "paper.toml").read_text())
KERNELS: dict[str, dict] = _DATA["kernels"]
CLAIMS: dict[str, list[dict]] = _DATA["claims"]
BREAKDOWN: dict[str, dict] = _DATA["breakdown"]
FIGURE_4: dict = _DATA["figure_4"]
FIGURE_13: dict = _DATA["figure_13"]


def _fig9() -> list[dict]:
    """Of the averages those of one level, which Fig. 9 draws."""
    return [claim for claim in CLAIMS["averages"] if claim["level"] != "both"]


def _fig12() -> list[dict]:
    """Idle time against RR by level and type, in percent: GTO's and PAWS's."""
    entries: dict[tuple[str, str], dict] = {}
    for claim in CLAIMS["idle"]:
        level, kind = claim["level"], claim["kernels"]
        if "percent" in claim or claim.get("is") == "alike":
            entry = entries.setdefault((level, kind), {"level": level, "type": kind})
            entry[claim["policy"]] = claim.get("percent", 0.0)
    return list(entries.values())


AVERAGES = _fig9()
IDLE = _fig12()


def label(kernel: str) -> str:
    return KERNELS[kernel]["label"] if kernel in KERNELS else kernel


def group(kernel: str, level: str) -> str:
    """The kernel's type in Fig. 9: "A" or "B"."""
    return KERNELS[kernel]["single" if level == "single" else "two_level"]


def average(level: str, kind: str, policy: str) -> float:
    """Speed of GTO or PAWS relative to RR, of Fig. 9. For type B its text has speeds over GTO."""
    said = {(claim["policy"], claim["over"]): 1 + claim["percent"] / 100
            for claim in AVERAGES if (claim["level"], claim["kernels"]) == (level, kind)}
    if (policy, "rr") in said:
        return said[policy, "rr"]
    return said.get((policy, "gto"), 1) / said["rr", "gto"]
