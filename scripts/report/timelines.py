# SPDX-License-Identifier: MIT
"""Reading `paws run --timeline` files (docs/guide/traces.md)."""

import bisect
import collections
import json
import pathlib
import re


def _tracks(events: list[dict], core: int) -> dict[int, str]:
    """Names of the tracks of a core."""
    return {event["tid"]: event["args"]["name"] for event in events
            if event["pid"] == core and event.get("name") == "thread_name"}


def issues(file: pathlib.Path, scheduler: int = 0) -> dict[str, list[list[int]]]:
    """By warp slot of core 0's scheduler: [cycle, phase] of every issue."""
    events = [event for event in json.loads(file.read_text())["traceEvents"] if event["pid"] == 0]
    tracks = _tracks(events, 0)
    phases, cycles = collections.defaultdict(list), collections.defaultdict(list)
    for event in events:
        match = event["ph"] == "X" and re.fullmatch(rf"scheduler {scheduler} warp (\d+)( state)?",
                                                    tracks[event["tid"]])
        if not match:
            continue
        if match[2] and event["name"] == "issue":
            cycles[match[1]].append(event["ts"])
        elif not match[2] and (phase := re.match(r"phase (\d+)", event["name"])):
            phases[match[1]].append((event["ts"], int(phase[1])))
    result = {}
    for warp, times in cycles.items():
        begun = sorted(phases[warp])
        starts = [start for start, _ in begun]
        result[warp] = [[time, begun[bisect.bisect_right(starts, time) - 1][1]]
                        for time in sorted(times)]
    return result


_SLOT = re.compile(r"(scheduler \d+ warp \d+)( state)?$")
_BLOCK = re.compile(r"block (\d+)( warp \d+)?$")


def places(file: pathlib.Path) -> dict[str, list[int]]:
    """By core: the blocks that started there, in the order of their starts."""
    events = json.loads(file.read_text())["traceEvents"]
    starts = collections.defaultdict(list)
    for event in events:
        match = event["ph"] == "X" and _BLOCK.match(event["name"])
        if match and not match[2]:
            starts[event["pid"]].append((event["ts"], int(match[1])))
    return {str(core): [block for _, block in sorted(its)] for core, its in sorted(starts.items())}


STEP = 500  # cycles between two counts


def counts(file: pathlib.Path) -> dict[str, list[int]]:
    """By block that started on core 0, in the order of their starts: the warp instructions that it had issued after
    each STEP cycles, from cycle 0 to the end of the first block that ended."""
    events = [event for event in json.loads(file.read_text())["traceEvents"] if event["pid"] == 0]
    tracks = _tracks(events, 0)
    stays, cycles, spans = collections.defaultdict(list), collections.defaultdict(list), {}
    for event in events:
        if event["ph"] != "X":
            continue
        block, slot = _BLOCK.match(event["name"]), _SLOT.match(tracks[event["tid"]])
        if block and not block[2]:
            spans[int(block[1])] = event["ts"], event["ts"] + event["dur"]
        elif block and slot:
            stays[slot[1]].append((event["ts"], int(block[1])))
        elif slot and slot[2] and event["name"] == "issue":
            cycles[slot[1]].append(event["ts"])
    end = min(last for _, last in spans.values())
    issued = collections.defaultdict(list)
    for slot, times in cycles.items():
        its = sorted(stays[slot])
        starts = [start for start, _ in its]
        for time in times:
            issued[its[bisect.bisect_right(starts, time) - 1][1]].append(time)
    resident = sorted((start, block) for block, (start, _) in spans.items() if start <= end)
    return {str(block): [sum(time <= until for time in issued[block]) for until in (*range(0, end, STEP), end)]
            for _, block in resident}


# By what a run keeps of its timeline: how that is read, and the cores that it is of.
READERS = {"issues": (issues, "0"), "places": (places, "all"), "counts": (counts, "0")}
