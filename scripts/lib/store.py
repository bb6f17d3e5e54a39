# SPDX-License-Identifier: MIT
"""Results on disk, each under a hash of all that it depends on.

So what was interrupted goes on where it stopped, and a result is never taken for that of another program, design or
setting. Studies, reports, synthesis, proofs and campaigns keep theirs with it.
"""

import hashlib
import json
import os
import pathlib
import threading


def digest(*parts: str | pathlib.Path) -> str:
    """Of texts, and of the names and contents of files, in their order: 24 hexadecimal digits."""
    found = hashlib.sha256()
    for part in parts:
        texts = [part.encode()] if isinstance(part, str) else [part.name.encode(), part.read_bytes()]
        for text in texts:
            found.update(b"%d:" % len(text) + text)  # the border between two parts counts
    return found.hexdigest()[:24]


def write_bytes(file: pathlib.Path, contents: bytes) -> None:
    """A reader sees all of it or what was there before, whoever else writes it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}.partial")
    partial.write_bytes(contents)
    partial.replace(file)


def write(file: pathlib.Path, result: object) -> None:
    """The same as JSON."""
    write_bytes(file, f"{json.dumps(result)}\n".encode())


class Store:
    """The results in a folder, by key."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def file(self, key: str) -> pathlib.Path:
        return self.folder / f"{key}.json"

    def find(self, key: str) -> dict | None:
        """The result with this key, or None."""
        file = self.file(key)
        return json.loads(file.read_text()) if file.exists() else None

    def keep(self, key: str, result: dict) -> None:
        write(self.file(key), result)
