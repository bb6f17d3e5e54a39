# SPDX-License-Identifier: MIT
"""One configuration on one library: the fixed sweep of mapping targets, and the best of it."""

import dataclasses
import pathlib

from flow import targets, timing, yosys
from flow.configurations import Configuration
from flow.library import Library


def measure(configuration: Configuration, library: Library, folder: pathlib.Path) -> dict:
    """Area and timing of every target; `best` is the index of the one with the highest clock."""
    yosys.elaborate(configuration, folder)
    runs = []
    for number, target in enumerate(targets.read(library)):
        step = f"map{number}"
        mapped = yosys.map_cells(configuration, library, target.script, folder, step)
        paths = timing.slowest_paths(library, mapped, folder, step)
        period, limit = timing.period_ns(paths)
        runs.append({
            "target": target.name,
            "cells": len(mapped.cells()),
            "flipflops": mapped.flipflops(),
            "area_um2": round(mapped.area(), 2),
            "paths": {kind: dataclasses.asdict(path) if path else None for kind, path in paths.items()},
            "period_ns": round(period, 4),
            "limit": limit,
        })
    best = min(range(len(runs)), key=lambda n: (runs[n]["period_ns"], runs[n]["area_um2"]))
    return {"best": best, "runs": runs}
