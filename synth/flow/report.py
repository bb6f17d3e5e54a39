"""Figures of a mapping result, and the tables for people."""

import dataclasses

from flow import timing
from flow.configurations import Configuration
from flow.library import Library


@dataclasses.dataclass(frozen=True)
class Figures:
    """What the tables say of a configuration; the spreads are of all mapping targets."""

    cells: int
    flipflops: int
    area_um2: float
    kge: float
    period_ns: float
    fmax_mhz: float
    limit: str
    register_fmax_mhz: float
    paths: dict[str, dict | None]
    fmax_spread: float  # (highest - lowest) / highest over the sweep
    area_spread: float  # (largest - smallest) / smallest
    target: str

    @property
    def area_time(self) -> float:
        """kGE x ns."""
        return self.kge * self.period_ns


def figures(result: dict, library: Library) -> Figures:
    """Of the best run of a sweep."""
    runs = result["runs"]
    best = runs[result["best"]]
    periods = [run["period_ns"] for run in runs]
    areas = [run["area_um2"] for run in runs]
    return Figures(
        cells=best["cells"], flipflops=best["flipflops"], area_um2=best["area_um2"],
        kge=best["area_um2"] / library.gate_area / 1000, period_ns=best["period_ns"],
        fmax_mhz=1000 / best["period_ns"], limit=best["limit"],
        register_fmax_mhz=1000 / best["paths"]["reg_reg"]["ns"], paths=best["paths"],
        fmax_spread=1 - min(periods) / max(periods), area_spread=max(areas) / min(areas) - 1,
        target=best["target"])


HEADER = ["configuration", "cells", "FF", "um2", "kGE", "Fmax MHz", "limit", "reg-reg MHz", "reg→reg ns",
          "in→reg ns", "reg→out ns", "in→out ns", "kGE·ns", "Fmax spread", "area spread"]


def row(configuration: Configuration, result: dict, library: Library) -> list[str]:
    """One line of a table, in the order of HEADER."""
    f = figures(result, library)
    delays = [f"{path['ns']:.2f}" if (path := f.paths[kind]) else "–" for kind in timing.SHARES]
    return [configuration.name, f"{f.cells}", f"{f.flipflops}", f"{f.area_um2:,.0f}", f"{f.kge:.2f}",
            f"{f.fmax_mhz:.0f}", timing.TITLES[f.limit], f"{f.register_fmax_mhz:.0f}", *delays,
            f"{f.area_time:.1f}", f"{f.fmax_spread:.0%}", f"{f.area_spread:.0%}"]


def text_table(name: str, members: list[Configuration], results: dict[Configuration, dict],
               library: Library) -> str:
    """A set for the terminal, with the slowest paths by name if there are few."""
    rows = [HEADER] + [row(member, results[member], library) for member in members]
    widths = [max(len(r[column]) for r in rows) for column in range(len(HEADER))]
    lines = [f"{name} ({library.title})"]
    for r in rows:
        lines.append("  ".join(text.ljust(width) if column == 0 else text.rjust(width)
                               for column, (text, width) in enumerate(zip(r, widths))))
    if len(members) <= 2:
        for member in members:
            lines.append(f"\n{member.name}, mapping target '{figures(results[member], library).target}':")
            for kind, path in figures(results[member], library).paths.items():
                if path:
                    lines.append(f"  {timing.TITLES[kind]:8} {path['ns']:6.2f} ns  {path['start']} → {path['end']}")
    return "\n".join(lines) + "\n"
