# SPDX-License-Identifier: MIT
"""scripts/card with a compiler, a driver and a profiler that are made up."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from written import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from lib.card_programs import MEASURED, base_name  # noqa: E402

TABLE = "quantity,x,value,unit\ndevice,Some GPU,1410,MHz\nfma,,63,results per cycle and core\n"
# Makes programs that print the table; the last word of its line is where.
NVCC = """for word; do out=$word; done
echo "$*" >> {folder}/compiled
cat > $out <<'end'
#!/bin/sh
echo "$0 $*" >> {folder}/ran
case $0 in */card) printf '{table}' ;; *) echo all results are right ;; esac
end
chmod +x $out
"""
NCU = """cat <<'end'
==PROF== Connected to process 1
all results are right
"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","1","void multiply<(bool)1>(const float *, int)","gpc__cycles_elapsed.max","cycle","1,200"
"1","1","void multiply<(bool)0>(const float *, int)","gpc__cycles_elapsed.max","cycle","300"
"1","1","void multiply<(bool)0>(const float *, int)","another.sum","","7"
"2","1","relax(const float *, float *)","gpc__cycles_elapsed.max","cycle","41.5"
end
"""


class Card(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.table = self.folder / "card.csv"
        self.tool("nvcc", NVCC.replace("{folder}", str(self.folder)).replace("{table}", TABLE.replace("\n", "\\n")))
        self.tool("nvidia-smi", "echo 8.0")

    def tool(self, name, text):
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def card(self, *words, status=0):
        done = subprocess.run([str(ROOT / "scripts/card"), "-o", str(self.table), *words], capture_output=True, text=True,
                              check=False, env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin",
                                                "CUDA_HOME": str(self.folder / "none")})
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        return done.stderr

    def lines(self, name):
        return (self.folder / name).read_text().splitlines()

    def test_without_ncu_the_table_is_that_of_the_program(self):
        self.assertIn("ncu was not found", self.card())
        self.assertEqual(self.table.read_text(), TABLE)
        self.assertIn("-gencode=arch=compute_80,code=sm_80", self.lines("compiled")[0])
        self.assertEqual([line.rpartition("/")[2] for line in self.lines("ran")], ["card "])

    def test_with_ncu_the_cycles_of_kernels_follow(self):
        self.tool("ncu", NCU)
        self.card()
        added = self.table.read_text().removeprefix(TABLE).splitlines()
        self.assertEqual(added, [f"kernel,{each}: {name},{value},cycles" for each in MEASURED
                                 for name, value in (("multiply", "1500"), ("relax", "41.5"))])
        self.assertEqual([line.rpartition("/")[2].strip() for line in self.lines("ran")], ["card", *map(str, MEASURED)])

    def test_old_cards_have_no_tensor_cores(self):
        self.tool("ncu", NCU)
        self.tool("nvidia-smi", "echo 7.5")
        self.card()
        self.assertNotIn("gemm", self.table.read_text())
        self.assertIn("jacobi", self.table.read_text())

    def test_an_old_driver_does_not_know_the_capability(self):
        self.tool("nvidia-smi", "echo 'Field \"compute_cap\" is not a valid field to query.'; exit 2")
        self.card()
        self.assertNotIn("-gencode", self.lines("compiled")[0])

    def test_counters_that_may_not_be_read_are_told(self):
        self.tool("ncu", "echo '==ERROR== ERR_NVGPUCTRPERM - no permission'; exit 1")
        said = self.card()
        self.assertIn("ncu measured nothing of jacobi (the driver lets only an administrator read the counters)", said)
        self.assertEqual(self.table.read_text(), TABLE)

    def test_some_quantities(self):
        self.tool("ncu", NCU)
        self.card("fma", "launch")
        self.assertEqual([line.rpartition("/")[2] for line in self.lines("ran")], ["card fma launch"])

    def test_what_is_missing_is_named(self):
        (self.folder / "nvcc").unlink()
        self.assertIn("card: nvcc was not found: install NVIDIA's CUDA toolkit", self.card(status=1))
        self.assertIn("card: other was not found", self.card("--nvcc", "other", status=1))
        self.tool("nvcc", "exit 0")
        self.tool("nvidia-smi", "echo 'No devices were found'; exit 6")
        self.assertIn("card: nvidia-smi finds no card: No devices were found", self.card(status=1))
        (self.folder / "nvidia-smi").unlink()
        self.assertIn("card: nvidia-smi was not found: NVIDIA's driver is not installed", self.card(status=1))
        self.assertFalse(self.table.exists())

    def test_what_fails_is_shown(self):
        self.tool("nvcc", "echo 'card.cu(3): error'; exit 4")
        self.assertRegex(self.card(status=1), r"card: .*/nvcc .*card.cu -o .* ended with status 4:\ncard.cu\(3\): error\n")

    def test_names_of_kernels(self):
        for said, name in (("relax(const float *, float *)", "relax"), ("relax", "relax"),
                           ("void (anonymous namespace)::step<(int)3, pair<int, int>>(int)", "step")):
            self.assertEqual(base_name(said), name)


if __name__ == "__main__":
    unittest.main()
