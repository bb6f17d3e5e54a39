# SPDX-License-Identifier: MIT
"""docs/reference/kernels.md says what the fourteen kernels are: python3 test_kernels_page.py PAWS PTX_FOLDER."""

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


def rows() -> list[tuple]:
    """Workload, kernel, threads, blocks per core, shared bytes, barriers."""
    found = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE.read_text(), re.MULTILINE)
    return [(workload, kernel, *map(int, numbers)) for workload, kernel, *numbers in found]


def barriers(text: str, kernel: str) -> int:
    """In the kernel of this name, up to the next one."""
    bodies = re.split(r"^\.visible \.entry ", text, flags=re.MULTILINE)
    body, = (body for body in bodies if re.match(rf"_Z{len(kernel)}{kernel}\w*\(", body))
    return len(re.findall(r"\bbar(?:rier)?\.sync\b", body))


class Page(unittest.TestCase):
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
