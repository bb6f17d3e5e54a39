"""The paper's numbers (paper.toml)."""

import tomllib

from report import paths

_DATA = tomllib.loads((paths.SCRIPTS / "report" / "paper.toml").read_text())
KERNELS: dict[str, dict] = _DATA["kernels"]
AVERAGES: list[dict] = _DATA["average"]
CLOSENESS: list[dict] = _DATA["closeness"]
IDLE: list[dict] = _DATA["idle"]
FIGURE_4: dict = _DATA["figure_4"]
FIGURE_13: dict = _DATA["figure_13"]


def label(kernel: str) -> str:
    return KERNELS[kernel]["label"] if kernel in KERNELS else kernel


def group(kernel: str, level: str) -> str:
    """The kernel's type in Fig. 9: "A" or "B"."""
    return KERNELS[kernel]["single" if level == "single" else "two_level"]
