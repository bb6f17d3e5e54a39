# SPDX-License-Identifier: MIT
"""Where things are."""

from lib.places import EVIDENCE, GENERATED, ROOT

SCRIPTS = ROOT / "scripts"
PAWS = ROOT / "build" / "paws"
WORKLOADS = ROOT / "workloads"
PTX = ROOT / "build" / "workloads"
CACHE = ROOT / "build-report"
REPORT = ROOT / "report"
# Of the committed results of the PAWS paper, by the size of the kernels: a page of EVIDENCE and a folder of GENERATED.
RESULTS = {"default": "results", "full": "results-full"}
# By set of runs and size, the committed page that shows them.
COMMITTED = {("report", "default"): RESULTS["default"], ("full", "full"): RESULTS["full"],
             ("lee2014", "default"): "lee2014", ("narasiman2011", "default"): "narasiman2011"}
TIME_PAGE = EVIDENCE / "synthesis.md"  # with tables of scripts/study time
TIME_RESULTS = GENERATED  # its CSV file and its figures
