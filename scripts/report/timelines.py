# SPDX-License-Identifier: MIT
"""Reading `paws run --timeline` files (docs/guide/traces.md)."""

import bisect
import collections
import json
import pathlib
import re


def issues(file: pathlib.Path, scheduler: int = 0) -> dict[str, list[list[int]]]:
    """By warp slot of core 0's scheduler: [cycle, phase] of every issue."""
    events = [event for event in json.loads(file.read_text())["traceEvents"] if event["pid"] == 0]
    tracks = {event["tid"]: event["args"]["name"] for event in events
              if event.get("name") == "thread_name"}
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
