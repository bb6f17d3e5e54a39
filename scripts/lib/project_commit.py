# SPDX-License-Identifier: MIT
"""Of which commit a result is, for the last lines of the checks. As a program it prints just that."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def at_commit() -> str:
    """", commit 1a2b3c4", with "-dirty" behind it if files differ from it; nothing where no git tree is. Of commands that a
    command calls one after the other, that is as it was before the first (PAWS_COMMIT)."""
    if "PAWS_COMMIT" in os.environ:
        return os.environ["PAWS_COMMIT"]
    try:
        described = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude", "*"],
                                   capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return f", commit {described.stdout.strip()}" if described.returncode == 0 else ""


if __name__ == "__main__":
    print(at_commit())
