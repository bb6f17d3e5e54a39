# SPDX-License-Identifier: MIT
"""Where things are."""

from lib.places import EVIDENCE, GENERATED, ROOT

SCRIPTS = ROOT / "scripts"
PAWS = ROOT / "build" / "paws"
WORKLOADS = ROOT / "workloads"
PTX = ROOT / "build" / "workloads"
PRESETS = ROOT / "sim" / "presets"
CACHE = ROOT / "build-report"
REPORT = ROOT / "report"
RESULTS_PAGE = EVIDENCE / "results.md"
RESULTS_FIGURES = GENERATED / "results"
TIME_PAGE = EVIDENCE / "synthesis.md"  # with tables of scripts/study time
TIME_RESULTS = GENERATED  # its CSV file and its figures
README = ROOT / "README.md"
