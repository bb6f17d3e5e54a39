# SPDX-License-Identifier: MIT
"""One configuration on one library: the fixed sweep of mapping targets, and the best of it."""

import dataclasses
import pathlib
import resource

from flow import store, targets, timing, yosys
from flow.configurations import Configuration
from flow.errors import FlowError
from flow.cell_library import Library
from flow.netlist import Netlist
from flow.targets import Target


def _key(configuration: Configuration, library: Library, target: Target) -> str:
    return store.key("mapped", ["sweep.py"], library.digest, repr(configuration), repr(target), top=configuration.top)


def _timed(mapped: Netlist, library: Library, target: Target, folder: pathlib.Path, step: str) -> dict:
    paths = timing.slowest_paths(library, mapped, folder, step)
    period, limit = timing.period_ns(paths)
    return {
        "target": target.name,
        "cells": len(mapped.cells()),
        "flipflops": mapped.flipflops(),
        "area_um2": round(mapped.area(), 2),
        "paths": {kind: dataclasses.asdict(path) if path else None for kind, path in paths.items()},
        "period_ns": round(period, 4),
        "limit": limit,
    }


def map_and_time(configuration: Configuration, library: Library, chosen: list[Target], folder: pathlib.Path) -> dict:
    """Area and timing of a configuration, mapped with each of these targets. Each is kept by itself, so that
    another choice of targets costs only what is new; `kept_seconds` is what those found have cost."""
    runs = {target: found for target in chosen if (found := store.find(_key(configuration, library, target)))}
    kept = sum(run["cpu_seconds"] for run in runs.values())
    new = {f"map{number}": target for number, target in enumerate(chosen) if target not in runs}
    if new:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        yosys.elaborate(configuration, folder)
        mapped = yosys.map_each(configuration, library, {step: target.script for step, target in new.items()}, folder)
        fresh = {target: _timed(mapped[step], library, target, folder, step) for step, target in new.items()}
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / len(new)
        if not store.rtl_is_as_before():
            raise FlowError("the RTL has changed since the command was started; start it again")
        for target, run in fresh.items():
            run["cpu_seconds"] = round(seconds, 2)
            store.keep(_key(configuration, library, target), run)
        runs |= fresh
    return {"kept_seconds": kept, "runs": [runs[target] for target in chosen]}


def measure(configuration: Configuration, library: Library, folder: pathlib.Path) -> dict:
    """Area and timing of every target; `best` is the index of the one with the highest clock."""
    result = map_and_time(configuration, library, targets.read(library), folder)
    runs = result["runs"]
    return result | {"best": min(range(len(runs)), key=lambda n: (runs[n]["period_ns"], runs[n]["area_um2"]))}


def measure_candidates(configuration: Configuration, library: Library, folder: pathlib.Path) -> dict:
    """Area and timing of the candidates, which are not part of the sweep."""
    return map_and_time(configuration, library, targets.candidates(library), folder)
