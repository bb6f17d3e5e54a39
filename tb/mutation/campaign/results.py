# SPDX-License-Identifier: MIT
"""What is known of every fault, kept between runs and as a table."""

import csv
import dataclasses
import hashlib
import pathlib

from lib.store import Store

from .faults import Fault
from .tools import ROOT


@dataclasses.dataclass(frozen=True)
class Result:
    verdict: str  # killed, missed (outputs differ, but not in the ordinary run), equivalent, explained, unresolved
    evidence: str


def hosts() -> list[pathlib.Path]:
    """What makes the stimulus, and what it is compared with."""
    folders = ("tb/random", "tb/model", "engine/lockstep", "engine", "tb/mutation", "model", "model/two_level",
               "model/single_level")
    return [file for folder in folders for file in sorted((ROOT / folder).iterdir())
            if file.suffix in (".cpp", ".h", ".sh", ".sv")]


class Notes:
    """Facts by fault, kept under a hash of everything that they depend on."""

    def __init__(self, folder: pathlib.Path, key: str):
        self._store, self._key = Store(folder), key
        self._facts: dict[str, dict[str, str]] = self._store.find(key) or {}

    def get(self, fault: int, fact: str) -> str | None:
        return self._facts.get(str(fault), {}).get(fact)

    def put(self, fault: int, fact: str, value: str) -> None:
        self._facts.setdefault(str(fault), {})[fact] = value

    def save(self) -> None:
        self._store.keep(self._key, self._facts)


def _title(faults: list[Fault]) -> str:
    """The first line of a table: just these faults have it."""
    listed = "\n".join(f"{fault.id},{fault.source},{fault.what},{fault.net}" for fault in faults)
    return f"# {len(faults)} faults, {hashlib.sha256(listed.encode()).hexdigest()[:12]}: those that are not killed\n"


def kept(file: pathlib.Path, faults: list[Fault]) -> dict[int, Result] | None:
    """What write() has written, and killed for all others; None if it is not of just these faults."""
    if not file.exists():
        return None
    with file.open(newline="") as table:
        if table.readline() != _title(faults):
            return None
        rows = list(csv.DictReader(table))
    return {fault.id: Result("killed", "") for fault in faults} | {
        int(row["id"]): Result(row["result"], row["evidence"]) for row in rows}


def write(file: pathlib.Path, faults: list[Fault], results: dict[int, Result]) -> None:
    """A table of the faults that were not killed."""
    with file.open("w", newline="") as output:
        output.write(_title(faults))
        table = csv.writer(output, lineterminator="\n")
        table.writerow(["id", "source", "fault", "net", "result", "evidence"])
        for fault in faults:
            result = results[fault.id]
            if result.verdict != "killed":
                table.writerow([fault.id, fault.source, fault.what, fault.net, result.verdict, result.evidence])
