# SPDX-License-Identifier: MIT
"""docs/reference/lwm_kernels.md says what the benchmarks for large warps are, and they diverge as the paper's do:
python3 test_lwm_kernels_page.py PAWS PTX_FOLDER."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

sys.dont_write_bytecode = True
PAWS, PTX = sys.argv[1:3]
ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "reference" / "lwm_kernels.md"
DIVERGENT = {"lwm_blackjack": "high", "lwm_sort": "high", "lwm_bfs": "high", "lwm_viterbi": "medium", "lwm_kmeans": "medium"}


def rows() -> dict[str, list[str]]:
    """Launches, millions of instructions, threads per warp instruction, branches, selections, class; by workload."""
    found = re.findall(r"^\| `(lwm_\w+)` \| (\d+) \| ([\d.]+) M \| ([\d.]+) \| (\d+) \| (\d+) \| (\w+) \| \w+ \|$",
                       PAGE.read_text(), re.MULTILINE)
    return {workload: fields for workload, *fields in found}


def intensity(threads: float) -> str:
    """The paper's class of divergent branches (section 5)."""
    return "low" if threads > 30 else "medium" if threads >= 20 else "high"


def measured(workload: str) -> list[str]:
    """The same fields as a row, from a run and from the PTX file."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "result.json"
        text = subprocess.run([PAWS, "run", workload, "--engine", "model", "--scheduler", "single:rr", "--stats",
                               "--json", file], check=True, capture_output=True, text=True).stdout
        result = json.loads(file.read_text())
    assert result["verified"], workload
    issued = {int(lanes): int(count) for lanes, count in re.findall(r"\bW(\d+):(\d+)", text)}
    threads = sum(lanes * count for lanes, count in issued.items()) / sum(issued.values())
    description = tomllib.loads((ROOT / "workloads" / workload / f"{workload}.toml").read_text())
    code = (pathlib.Path(PTX) / description["ptx"]).read_text()
    return [str(result["launches"]), f"{result['instructions'] / 1e6:.2f}", f"{threads:.1f}",
            str(len(re.findall(r"^\s*@!?%p\d+ bra\b", code, re.MULTILINE))), str(len(re.findall(r"\bselp\.", code))),
            intensity(threads)]


class Page(unittest.TestCase):
    def test_it_has_the_twelve_benchmarks(self):
        folders = {path.name for path in (ROOT / "workloads").glob("lwm_*")}
        self.assertEqual(set(rows()), folders)
        self.assertEqual(len(folders), 12)

    def test_its_numbers_are_the_programs_and_the_class_is_the_papers(self):
        for workload, fields in rows().items():
            with self.subTest(workload):
                self.assertEqual(fields, measured(workload))

    def test_the_papers_divergent_benchmarks_are_the_divergent_ones(self):
        self.assertEqual({workload: fields[-1] for workload, fields in rows().items() if fields[-1] != "low"}, DIVERGENT)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
