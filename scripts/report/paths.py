# SPDX-License-Identifier: MIT
"""Where things are."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "scripts"
PAWS = ROOT / "build" / "paws"
WORKLOADS = ROOT / "workloads"
PTX = ROOT / "build" / "workloads"
PRESETS = ROOT / "sim" / "presets"
CACHE = ROOT / "build-report"
REPORT = ROOT / "report"
DOCS = ROOT / "docs"
README = ROOT / "README.md"
