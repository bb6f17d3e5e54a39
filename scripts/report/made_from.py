"""What a page was made from, in words, from which it can be told later whether it is out of date."""

import pathlib
import re
import subprocess

from report import paths, store
from report.plan import Run


def _commit() -> str:
    """Of the git tree, where there is one; "-dirty" if files differ from it."""
    done = subprocess.run(["git", "-C", str(paths.ROOT), "describe", "--always", "--dirty",
                           "--exclude=*"], capture_output=True, text=True)
    return f", commit {done.stdout.strip()}" if done.returncode == 0 else ""


def words(runs: list[Run], size: str) -> str:
    """For the page that shows these runs."""
    return (f"Made from {len(runs)} runs, kernels of size {size}: results {store.digest(runs, size)}, "
            f"program {store.program()}{_commit()}.")


def is_of(page: pathlib.Path, runs: list[Run], size: str) -> bool:
    """Whether the page shows these runs as they are now."""
    found = re.search(r"\bresults ([0-9a-f]{12}), program", page.read_text())
    return bool(found) and found[1] == store.digest(runs, size)
