# SPDX-License-Identifier: MIT
"""Which measurements a choice of sets needs, and their results."""

import dataclasses
import json
import pathlib
from collections.abc import Iterable

from flow import fpga, jobs, parts, power, recordings, store, sweep, targets, tools, wire_figures
from flow.configurations import Configuration, Set
from flow.figures import Figures, Results, mappings, of_mapping, smallest
from flow.jobs import Job
from flow.cell_library import Library
from flow.layout import energy, lay_out, technology
from flow.layout import job as layouts
from lib.store import digest

SEEDS = (1, 2, 3)  # of a layout's placement; their clocks give its interval


def mapping_job(configuration: Configuration, library: Library) -> Job:
    """Area and timing of a configuration on a library."""
    key = store.key("mapping", ["sweep.py", "targets.py"], library.digest, repr(configuration),
                    targets.digest(library), top=configuration.top)
    return Job(f"{library.key} {configuration.name}", key, sweep.measure, (configuration, library))


def candidates_job(configuration: Configuration, library: Library) -> Job:
    """Area and timing of a configuration with the recipes that are not part of the sweep."""
    key = store.key("candidates", ["sweep.py", "targets.py"], library.digest, repr(configuration),
                    repr(targets.candidates(library)), top=configuration.top)
    return Job(f"{library.key} {configuration.name}, other recipes", key, sweep.measure_candidates,
               (configuration, library))


def parts_job(configuration: Configuration, library: Library) -> Job:
    """The split of a configuration by part."""
    key = store.key("parts", ["parts.py", "targets.py"], library.digest, repr(configuration),
                    targets.digest(library), parts.digest(), top=configuration.top)
    return Job(f"{library.key} {configuration.name}, parts", key, parts.measure, (configuration, library))


def fpga_job(configuration: Configuration) -> Job:
    """A configuration on iCE40."""
    return Job(f"iCE40 {configuration.name}", store.key("fpga", ["fpga.py"], repr(configuration), top=configuration.top),
               fpga.measure, (configuration,))


def power_job(configuration: Configuration, library: Library, target: int) -> Job:
    """The power of a configuration, mapped with one target of the sweep."""
    recording = recordings.record(configuration)
    key = store.key("power", ["power.py", "activity.py", "clocks.py", "functions.py", "recordings.py", "targets.py"],
                    library.digest, repr(configuration), targets.digest(library), f"{target}",
                    digest(recording), top=configuration.top)
    return Job(f"{library.key} {configuration.name}, power", key, power.measure,
               (configuration, library, target, recording))


def layout_job(configuration: Configuration, library: Library, seed: int, edges: str) -> Job:
    """The layout of a configuration's fastest mapping with ports on these edges."""
    key = store.key("layout", ["sweep.py", "targets.py", "equivalence.py", "functions.py", "clocks.py",
                               *(f"layout/{name}" for name in layouts.DECIDES)],
                    library.digest, repr(configuration), targets.digest(library), json.dumps(tools.layout_versions()),
                    f"{seed} {edges}", top=configuration.top)
    return Job(f"{library.key} {configuration.name}, layout {seed} {edges}", key, layouts.measure,
               (configuration, library, seed, edges, key))


def layout_folders(configuration: Configuration, results: Results, edges: str) -> list[pathlib.Path]:
    """Where the files of a configuration's layouts are, one folder for each seed."""
    return [layouts.folder_of(layout_job(configuration, results.cell_library, seed, edges).key) for seed in SEEDS]


def saved_layout(configuration: Configuration, results: Results, edges: str, number: int = 1) -> lay_out.Saved:
    """A layout of a configuration, which results have; they count from 1."""
    folder = layout_folders(configuration, results, edges)[number - 1]
    return lay_out.restore(folder / "layout.json", technology.load(results.cell_library))


def energy_job(configuration: Configuration, library: Library, layout: str) -> Job:
    """The energy of the layout with this key over a recorded kernel."""
    recording = recordings.record(configuration)
    key = store.key("energy", ["power.py", "activity.py", "clocks.py", "functions.py", "recordings.py", "layout/delays.py",
                               "layout/energy.py"], layout, digest(recording), top=configuration.top)
    return Job(f"{library.key} {configuration.name}, energy", key, energy.measure, (configuration, library, layout, recording))


def _cost(job: Job) -> int:
    """Orders the jobs: the long ones first, so that none is left alone at the end."""
    return -job.arguments[0].parameters().get("WARPS", 0)


def map_all(members: Iterable[Configuration], library: Library, processes: int) -> dict[Configuration, Figures]:
    """Area and timing alone."""
    wanted = {member: mapping_job(member, library) for member in members}
    found = jobs.run(list(wanted.values()), processes)
    return {member: of_mapping(found[job.key], library, targets.one_clock_ns(member.top, library))
            for member, job in wanted.items()}


def measure(sets: list[Set], library: Library, processes: int) -> Results:
    """Measures, or finds, what the tables of these sets need."""
    mapping, split, routed, consumed, tried, laid = {}, {}, {}, {}, {}, {}
    for chosen in sets:
        for member in chosen.members:
            if chosen.fpga:
                routed[member] = fpga_job(member)
                continue
            mapping[member] = mapping_job(member, library)
            if chosen.layout:
                laid[member, chosen.layout] = [layout_job(member, library, seed, chosen.layout) for seed in SEEDS]
            if chosen.parts:
                split[member] = parts_job(member, library)
            if chosen.candidates:
                tried[member] = candidates_job(member, library)
    found = jobs.run(sorted([*mapping.values(), *split.values(), *routed.values(), *tried.values()], key=_cost), processes)
    found |= jobs.run(sorted((job for seeds in laid.values() for job in seeds), key=_cost), processes)
    # The power is that of the smallest mapping at the one clock, which is known only now.
    for chosen in sets:
        for member in chosen.members:
            if chosen.power:
                result = found[mapping[member].key]
                consumed[member] = power_job(member, library, smallest(result, targets.one_clock_ns(member.top, library)))
    found |= jobs.run(list(consumed.values()), processes)
    energies = {place: [energy_job(place[0], library, job.key) for job in seeds] for place, seeds in laid.items()
                if any(chosen.power and chosen.layout == place[1] and place[0] in chosen.members for chosen in sets)}
    found |= jobs.run([job for seeds in energies.values() for job in seeds], processes)
    cells = technology.load(library) if laid else None
    wires = {place: [dataclasses.asdict(wire_figures.of(lay_out.restore(layouts.folder_of(job.key) / "layout.json", cells),
                                                        cells.liberty)) for job in seeds] for place, seeds in laid.items()}
    return Results(
        library,
        {member: of_mapping(found[job.key], library, targets.one_clock_ns(member.top, library))
         for member, job in mapping.items()},
        {member: found[job.key] for member, job in split.items()},
        {member: found[job.key] for member, job in routed.items()},
        {member: found[job.key] for member, job in consumed.items()},
        {member: mappings(found[job.key]) for member, job in tried.items()},
        {place: [found[job.key] for job in seeds] for place, seeds in laid.items()},
        {place: [found[job.key] for job in seeds] for place, seeds in energies.items()}, wires)
