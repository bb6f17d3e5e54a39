# SPDX-License-Identifier: MIT
"""Where things are."""

from lib.places import EVIDENCE, GENERATED, ROOT

SCRIPTS = ROOT / "scripts"
PAWS = ROOT / "build" / "paws"
WORKLOADS = ROOT / "workloads"
PTX = ROOT / "build" / "workloads"
CACHE = ROOT / "build-report"
REPORT = ROOT / "report"
# By set of runs and size, the committed page that shows them.
COMMITTED = {("report", "default"): "results", ("lee2014", "default"): "lee2014", ("narasiman2011", "default"): "narasiman2011"}
TIME_PAGE = EVIDENCE / "synthesis.md"  # with tables of scripts/study time
TIME_RESULTS = GENERATED  # its CSV file and its figures
