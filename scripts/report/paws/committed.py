# SPDX-License-Identifier: MIT
"""Its committed pages: docs/evidence/results.md and results-full.md."""

from report import paths
from report.paws import sizes
from report.results_page import Page


def of_size(size: str) -> Page:
    """That with kernels of this size."""
    return Page(paths.RESULTS[size], "The paper's results, reproduced",
                "This page compares the claims and the main figures of the PAWS paper with the results of this project's\n"
                "simulator. It is for readers of the paper; after it you can judge each claim. The kernels have "
                f"{sizes.NAMES[size]}.",
                "scripts/reproduce " + ("--paper paws" if size == "default" else f"--size {size}"), "report/paws.html")
