# SPDX-License-Identifier: MIT
"""A checkout whose path has a space is configured, and engines and workloads are built in it."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from written import ROOT

# What passes names of files to a tool: Verilator, the engines' scripts and the compiler of kernels.
TARGETS = ("paws_support", "paws_hosts_rtl", "engine/two_level_24_6_9_policies_rr.o", "workloads/vectoradd.ptx")


class Space(unittest.TestCase):
    def test_in_the_path_of_a_checkout(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=False)
        if listed.returncode != 0:
            self.skipTest("no checkout of git")
        with tempfile.TemporaryDirectory(prefix="a space ") as folder:
            for name in filter(None, listed.stdout.split("\0")):
                copy = pathlib.Path(folder) / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                if (ROOT / name).is_file():
                    shutil.copy(ROOT / name, copy)
            done = subprocess.run([f"{folder}/scripts/build", "release", *TARGETS], capture_output=True, text=True,
                                  check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
