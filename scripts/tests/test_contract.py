# SPDX-License-Identifier: MIT
"""What the proofs of the whole two-level scheduler take of its sorter is what the sorter's own proofs show, and the
argument of docs/guide/verification.md ("The whole from a promise of its sorter") has no circle."""
import pathlib
import re
import subprocess
import sys
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from lib import rtl_files  # noqa: E402

SORTERS = {"0": "paws_sorter_shift", "2": "paws_sorter_rank"}


def cases(name):
    """The parameters of each case of the proofs with these letters in front of their names, and the proof."""
    for proof in tomllib.loads((ROOT / "tb" / "formal" / "proofs.toml").read_text())["proof"]:
        for case in proof["cases"]:
            if proof["name"].startswith(name):
                yield dict(word.split("=") for word in case.split() if "=" in word), proof


def inputs_of(module, outputs):
    """The inputs from which there is a path within a cycle to one of the outputs."""
    files = " ".join(str(path.relative_to(ROOT)) for path in rtl_files.sources(module, ROOT / "rtl"))
    chosen = " ".join([f"o:{outputs[0]}", *(f"o:{output} %u" for output in outputs[1:])])
    script = (f"read_verilog -sv {files}; hierarchy -top {module} -chparam WARPS 24 -chparam LATE_EXIT 1; proc; flatten; "
              f"opt_clean; select -assert-any t:$dff; select -list {chosen} %ci*:-$dff i:* %i")
    text = subprocess.run(["yosys", "-Q", "-p", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return set(re.findall(rf"^{module}/(\w+_i)$", text, re.MULTILINE))


class Contract(unittest.TestCase):
    def test_no_circle(self):
        whole = list(cases("two_level_contract"))
        self.assertGreater(len(whole), 2)
        for proof in {proof["name"]: proof for _, proof in whole}.values():
            instance, _, outputs = proof["cut"].partition("/")
            self.assertEqual(instance, "u_active")
            for module in SORTERS.values():
                with self.subTest(proof=proof["name"], module=module):
                    found = inputs_of(module, outputs.split())
                    self.assertIn("entrant_valid_i", found)
                    self.assertEqual(found & {"remove_i", "end_i", "behind_i"}, set())

    def test_what_is_taken_is_proved(self):
        for whole, proof in cases("two_level_contract"):
            wanted = {"WARPS": whole["WARPS"]}
            if whole["SORTER"] == "0":
                wanted["DEPTH"] = str(int(whole["WARPS"]) - int(whole["READY"]))
            if whole.get("LATE_EXIT") == "1":
                wanted["LATE_EXIT"] = "1"
            name = SORTERS[whole["SORTER"]].removeprefix("paws_")
            proved = [case for case, each in cases(name) if each["engine"] in ("induction", "step")]
            with self.subTest(proof=proof["name"], case=whole):
                self.assertTrue(any(wanted.items() <= case.items() for case in proved), f"{name} is not proved of {wanted}")

    def test_one_text(self):
        """The promise stands in sorter.svh alone, and both sorters include it."""
        formal = ROOT / "tb" / "formal"
        for module in SORTERS.values():
            self.assertIn('`include "sorter.svh"', (formal / f"{module}.svh").read_text())
        users = {path.name for path in formal.glob("*.svh") if re.search(r"`PAWS_PROMISE \(", path.read_text())}
        self.assertEqual(users, {"sorter.svh", "count.svh", "oldest.svh"})


if __name__ == "__main__":
    unittest.main()
