# SPDX-License-Identifier: MIT
"""What is known of every fault, kept between runs and as a table."""

import csv
import dataclasses
import hashlib
import json
import pathlib

from .faults import Fault
from .tools import ROOT


@dataclasses.dataclass(frozen=True)
class Result:
    verdict: str  # killed, missed (outputs differ, but not in the ordinary run), equivalent, explained, unresolved
    evidence: str


def fingerprint(*files: pathlib.Path, text: str = "") -> str:
    """Of everything that a result depends on."""
    digest = hashlib.sha256(text.encode())
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def hosts() -> list[pathlib.Path]:
    """What makes the stimulus, and what it is compared with."""
    folders = ("tb/random", "tb/model", "engine/lockstep", "engine", "tb/mutation", "model", "model/two_level",
               "model/single_level")
    return [file for folder in folders for file in (ROOT / folder).iterdir()
            if file.suffix in (".cpp", ".h", ".sh", ".sv")]


class Notes:
    """Facts by fault, in a file; those of another fingerprint are forgotten."""

    def __init__(self, file: pathlib.Path, key: str):
        self._file, self._key = file, key
        kept = json.loads(file.read_text()) if file.exists() else {}
        self._facts: dict[str, dict[str, str]] = kept["facts"] if kept.get("key") == key else {}

    def get(self, fault: int, fact: str) -> str | None:
        return self._facts.get(str(fault), {}).get(fact)

    def put(self, fault: int, fact: str, value: str) -> None:
        self._facts.setdefault(str(fault), {})[fact] = value

    def save(self) -> None:
        self._file.write_text(json.dumps({"key": self._key, "facts": self._facts}, indent=1))


def _title(faults: list[Fault]) -> str:
    """The first line of a table: just these faults have it."""
    listed = "\n".join(f"{fault.id},{fault.source},{fault.what},{fault.net}" for fault in faults)
    return f"# {len(faults)} faults, {fingerprint(text=listed)[:12]}: those that are not killed\n"


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
