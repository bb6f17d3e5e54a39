# SPDX-License-Identifier: MIT
"""docs/reference/kernels.md says what the kernels of the PAWS paper are, and those for large warps, which diverge as their
paper's do: python3 test_kernels_page.py PAWS PTX_FOLDER."""

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
PAGE = ROOT / "docs" / "reference" / "kernels.md"
PAPER = ROOT / "scripts" / "report" / "paws" / "paper.toml"
DIVERGENT = {"lwm_blackjack": "high", "lwm_sort": "high", "lwm_bfs": "high", "lwm_viterbi": "medium", "lwm_kmeans": "medium"}


def rows() -> list[tuple]:
    """Workload, kernel, threads, blocks per core, shared bytes, barriers."""
    found = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE.read_text(), re.MULTILINE)
    return [(workload, kernel, *map(int, numbers)) for workload, kernel, *numbers in found]


def barriers(text: str, kernel: str) -> int:
    """In the kernel of this name, up to the next one."""
    bodies = re.split(r"^\.visible \.entry ", text, flags=re.MULTILINE)
    body, = (body for body in bodies if re.match(rf"_Z{len(kernel)}{kernel}\w*\(", body))
    return len(re.findall(r"\bbar(?:rier)?\.sync\b", body))


def large_warp_rows() -> dict[str, list[str]]:
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


class Paws(unittest.TestCase):
    def test_it_has_the_papers_kernels(self):
        paper = tomllib.loads(PAPER.read_text())["kernels"]
        self.assertEqual([row[0] for row in rows()], list(paper))
        for workload, _, threads, per_core, *_ in rows():
            with self.subTest(workload):
                self.assertEqual((threads, per_core), (paper[workload]["threads"], paper[workload]["per_core"]))

    def test_its_numbers_are_the_programs(self):
        for workload, kernel, *numbers in rows():
            with self.subTest(workload), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "result.json"
                subprocess.run([PAWS, "run", workload, "--size", "small", "--timing", "off", "--json", file],
                               check=True, capture_output=True)
                ours, = (entry for entry in json.loads(file.read_text())["kernels"]
                         if entry["kernel"].startswith(f"_Z{len(kernel)}{kernel}"))
                ptx = tomllib.loads((ROOT / "workloads" / workload / f"{workload}.toml").read_text())["ptx"]
                self.assertEqual(numbers, [ours["threads_per_block"], ours["blocks_per_core"], ours["shared_bytes"],
                                           barriers((pathlib.Path(PTX) / ptx).read_text(), kernel)])


class LargeWarps(unittest.TestCase):
    def test_it_has_the_twelve_benchmarks(self):
        folders = {path.name for path in (ROOT / "workloads").glob("lwm_*")}
        self.assertEqual(set(large_warp_rows()), folders)
        self.assertEqual(len(folders), 12)

    def test_its_numbers_are_the_programs_and_the_class_is_the_papers(self):
        for workload, fields in large_warp_rows().items():
            with self.subTest(workload):
                self.assertEqual(fields, measured(workload))

    def test_the_papers_divergent_benchmarks_are_the_divergent_ones(self):
        classes = {workload: fields[-1] for workload, fields in large_warp_rows().items()}
        self.assertEqual({workload: found for workload, found in classes.items() if found != "low"}, DIVERGENT)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
