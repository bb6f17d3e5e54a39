# SPDX-License-Identifier: MIT
"""Where documents and committed results are. Commands that write or read them take the folders from here."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDE = DOCS / "guide"  # how do I
REFERENCE = DOCS / "reference"  # what is
EVIDENCE = DOCS / "evidence"  # what was measured, when, by which command
GENERATED = EVIDENCE / "generated"  # tables, figures and lists that commands write, and that pages show or checks read
TABLES = ROOT / "build" / "tables"  # every run of a study, which its command makes again
