# SPDX-License-Identifier: MIT
"""Waivers: points that need not be covered, each with its reason, from waivers.toml."""
import re
import tomllib

from points import KINDS

KEYS = {"module": str, "kind": str, "point": str, "points": int, "reason": str}


class WaiverError(Exception):
    """waivers.toml is not as it must be; says which entry and why."""


def load(path):
    with open(path, "rb") as file:
        try:
            entries = tomllib.load(file).get("waiver", [])
        except tomllib.TOMLDecodeError as error:
            raise WaiverError(f"{path}: {error}") from error
    for number, entry in enumerate(entries, 1):
        where = f"{path}: waiver {number}"
        if {key: type(value) for key, value in entry.items()} != KEYS:
            raise WaiverError(f"{where} must have " + ", ".join(f"{key} ({kind.__name__})" for key, kind in KEYS.items()))
        if entry["kind"] not in KINDS:
            raise WaiverError(f"{where}: kind must be one of {', '.join(KINDS)}")
        if not entry["reason"].strip():
            raise WaiverError(f"{where} gives no reason")
        try:
            re.compile(entry["point"])
        except re.error as error:
            raise WaiverError(f"{where}: point is no regular expression: {error}") from error
    return entries


def of_unused_code_bits(module, codes, width):
    """A waiver for those of the `width` bits of policy_i that none of a module's policy codes has, if there are any."""
    bits = [str(bit) for bit in range(width) if not any(code >> bit & 1 for code in codes)]
    if not bits:
        return []
    return [{"module": module, "kind": "toggle", "point": rf"policy_i\[({'|'.join(bits)})\]", "points": len(bits),
             "reason": "No policy of the level has a code with this bit: constant 0."}]


def apply(entries, uncovered):
    """The points that are not waived, and the number of points that each entry waives."""
    left, used = [], [0] * len(entries)
    for point in uncovered:
        matches = [number for number, entry in enumerate(entries)
                   if entry["module"] == point.module and entry["kind"] == point.kind
                   and re.fullmatch(entry["point"], point.name)]
        for number in matches:
            used[number] += 1
        if not matches:
            left.append(point)
    return left, used
