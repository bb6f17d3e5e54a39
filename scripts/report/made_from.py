# SPDX-License-Identifier: MIT
"""What a page was made from, in words, from which it can be told later whether it is out of date."""

import pathlib
import re

from lib.project_commit import at_commit
from report import store
from report.run import Run


def words(runs: list[Run], size: str) -> str:
    """For the page that shows these runs."""
    return (f"Made from {len(runs)} runs, kernels of size {size}: results {store.digest(runs, size)}, "
            f"program {store.program()}{at_commit()}.")


def is_of(page: pathlib.Path, runs: list[Run], size: str) -> bool:
    """Whether the page shows these runs as they are now."""
    return store.digest(runs, size) in re.findall(r"\bresults ([0-9a-f]{12}), program", page.read_text())
