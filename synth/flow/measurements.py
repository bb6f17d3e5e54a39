# SPDX-License-Identifier: MIT
"""Which measurements a choice of sets needs, and their results."""

import hashlib
from collections.abc import Iterable

from flow import fpga, jobs, parts, power, recordings, store, sweep, targets
from flow.configurations import Configuration, Set
from flow.figures import Figures, Results, of_mapping
from flow.jobs import Job
from flow.library import Library


def mapping_job(configuration: Configuration, library: Library) -> Job:
    """Area and timing of a configuration on a library."""
    key = store.key("mapping", ["sweep.py", "targets.py"], library.digest, repr(configuration), targets.digest(library))
    return Job(f"{library.key} {configuration.name}", key, sweep.measure, (configuration, library))


def parts_job(configuration: Configuration, library: Library) -> Job:
    """The split of a configuration by part."""
    key = store.key("parts", ["parts.py", "targets.py"], library.digest, repr(configuration),
                    targets.digest(library), parts.digest())
    return Job(f"{library.key} {configuration.name}, parts", key, parts.measure, (configuration, library))


def fpga_job(configuration: Configuration) -> Job:
    """A configuration on iCE40."""
    return Job(f"iCE40 {configuration.name}", store.key("fpga", ["fpga.py"], repr(configuration)),
               fpga.measure, (configuration,))


def power_job(configuration: Configuration, library: Library, target: int) -> Job:
    """The power of a configuration, mapped with one target of the sweep."""
    recording = recordings.record(configuration)
    key = store.key("power", ["power.py", "activity.py", "clocks.py", "functions.py", "recordings.py", "targets.py"],
                    library.digest, repr(configuration), targets.digest(library), f"{target}",
                    hashlib.sha256(recording.read_bytes()).hexdigest())
    return Job(f"{library.key} {configuration.name}, power", key, power.measure,
               (configuration, library, target, recording))


def _cost(job: Job) -> int:
    """Orders the jobs: the long ones first, so that none is left alone at the end."""
    return -job.arguments[0].parameters().get("WARPS", 0)


def map_all(members: Iterable[Configuration], library: Library, processes: int) -> dict[Configuration, Figures]:
    """Area and timing alone."""
    wanted = {member: mapping_job(member, library) for member in members}
    found = jobs.run(list(wanted.values()), processes)
    return {member: of_mapping(found[job.key], library) for member, job in wanted.items()}


def measure(sets: list[Set], library: Library, processes: int) -> Results:
    """Measures, or finds, what the tables of these sets need."""
    mapping, split, routed, consumed = {}, {}, {}, {}
    for chosen in sets:
        for member in chosen.members:
            if chosen.fpga:
                routed[member] = fpga_job(member)
                continue
            mapping[member] = mapping_job(member, library)
            if chosen.parts:
                split[member] = parts_job(member, library)
    found = jobs.run(sorted([*mapping.values(), *split.values(), *routed.values()], key=_cost), processes)
    # The power is that of the best mapping, which is known only now.
    for chosen in sets:
        for member in chosen.members:
            if chosen.power:
                consumed[member] = power_job(member, library, found[mapping[member].key]["best"])
    found |= jobs.run(list(consumed.values()), processes)
    return Results(
        library,
        {member: of_mapping(found[job.key], library) for member, job in mapping.items()},
        {member: found[job.key] for member, job in split.items()},
        {member: found[job.key] for member, job in routed.items()},
        {member: found[job.key] for member, job in consumed.items()})
