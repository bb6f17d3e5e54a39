# SPDX-License-Identifier: MIT
"""The figures that the tables and plots are made of, from the stored results."""

import dataclasses
from collections.abc import Iterable

from flow.configurations import Configuration
from flow.cell_library import Library


@dataclasses.dataclass(frozen=True)
class Mapping:
    """One mapping of a configuration."""

    target: str
    period_ns: float
    area_um2: float


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
    mappings: tuple[Mapping, ...]
    one_clock_ns: float | None  # the period at which areas are compared

    @property
    def one_clock_um2(self) -> float | None:
        """The least area that reaches the one clock, None if none does or there is no such clock."""
        return least_area(self.mappings, self.one_clock_ns)

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


def least_area(found: Iterable[Mapping], period_ns: float | None) -> float | None:
    """The smallest area of the mappings that are fast enough."""
    return min((m.area_um2 for m in found if m.period_ns <= period_ns), default=None) if period_ns else None


def mappings(result: dict) -> tuple[Mapping, ...]:
    """Of every run of a stored result."""
    return tuple(Mapping(run["target"], run["period_ns"], run["area_um2"]) for run in result["runs"])


def smallest(result: dict, period_ns: float | None) -> int:
    """The index of the smallest mapping that is fast enough, of the fastest if none is."""
    enough = [n for n, run in enumerate(result["runs"]) if period_ns and run["period_ns"] <= period_ns]
    return min(enough, key=lambda n: result["runs"][n]["area_um2"], default=result["best"])


def of_mapping(result: dict, library: Library, one_clock_ns: float | None = None) -> Figures:
    """Of the best run of a sweep."""
    runs = result["runs"]
    best = runs[result["best"]]
    periods = [run["period_ns"] for run in runs]
    areas = [run["area_um2"] for run in runs]
    return Figures(
        cells=best["cells"], flipflops=best["flipflops"], area_um2=best["area_um2"],
        kge=best["area_um2"] / library.gate_area / 1000, period_ns=best["period_ns"],
        limit=best["limit"], paths=best["paths"], fmax_spread=1 - min(periods) / max(periods),
        area_spread=max(areas) / min(areas) - 1, target=best["target"], mappings=mappings(result),
        one_clock_ns=one_clock_ns)


@dataclasses.dataclass
class Results:
    """Everything that has been measured on one library."""

    cell_library: Library
    mapped: dict[Configuration, Figures]
    parts: dict[Configuration, dict]
    fpga: dict[Configuration, dict]
    power: dict[Configuration, dict]
    candidates: dict[Configuration, tuple[Mapping, ...]] = dataclasses.field(default_factory=dict)
    layouts: dict[tuple[Configuration, str], list[dict]] = dataclasses.field(default_factory=dict)  # by edges; of each seed
    energies: dict[tuple[Configuration, str], list[dict]] = dataclasses.field(default_factory=dict)  # the same
    wires: dict[tuple[Configuration, str], list[dict]] = dataclasses.field(default_factory=dict)  # the same, WireFigures
