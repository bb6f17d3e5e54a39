# SPDX-License-Identifier: MIT
"""Its committed page: docs/evidence/results.md."""

from report import paths
from report.results_page import Page

PAGE = Page(paths.COMMITTED["report", "default"], "The PAWS paper's results, reproduced",
            "This page compares the claims and the figures of the PAWS paper with the results of this project's\n"
            "simulator. It is for readers of the paper; after it you can judge each claim. Kernels have default sizes;\n"
            "verdicts also stand for the paper's grids, where `scripts/reproduce --size full` has been run.",
            "scripts/reproduce --paper paws", "report/paws.html")
