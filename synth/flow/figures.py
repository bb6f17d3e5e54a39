# SPDX-License-Identifier: MIT
"""The figures that the tables and plots are made of, from the stored results."""

import dataclasses

from flow.configurations import Configuration
from flow.library import Library


@dataclasses.dataclass(frozen=True)
class Figures:
    """Of the best mapping of a configuration; the spreads are of all mapping targets."""

    cells: int
    flipflops: int
    area_um2: float
    kge: float
    period_ns: float
    limit: str  # the kind of path that sets the period
    paths: dict[str, dict | None]
    fmax_spread: float  # (highest - lowest) / highest over the sweep
    area_spread: float  # (largest - smallest) / smallest
    target: str

    @property
    def fmax_mhz(self) -> float:
        """Under the budget for inputs and outputs."""
        return 1000 / self.period_ns

    @property
    def register_fmax_mhz(self) -> float | None:
        """Of the paths between registers alone, where there are any."""
        path = self.paths["reg_reg"]
        return 1000 / path["ns"] if path else None

    @property
    def area_time(self) -> float:
        """kGE x ns."""
        return self.kge * self.period_ns


def of_mapping(result: dict, library: Library) -> Figures:
    """Of the best run of a sweep."""
    runs = result["runs"]
    best = runs[result["best"]]
    periods = [run["period_ns"] for run in runs]
    areas = [run["area_um2"] for run in runs]
    return Figures(
        cells=best["cells"], flipflops=best["flipflops"], area_um2=best["area_um2"],
        kge=best["area_um2"] / library.gate_area / 1000, period_ns=best["period_ns"],
        limit=best["limit"], paths=best["paths"], fmax_spread=1 - min(periods) / max(periods),
        area_spread=max(areas) / min(areas) - 1, target=best["target"])


@dataclasses.dataclass
class Results:
    """Everything that has been measured on one library."""

    library: Library
    mapped: dict[Configuration, Figures]
    parts: dict[Configuration, dict]
    fpga: dict[Configuration, dict]
    power: dict[Configuration, dict]
