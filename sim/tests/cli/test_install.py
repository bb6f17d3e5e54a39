#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cmake --install into an empty folder: what it puts there works from anywhere, and reads nothing but itself.

  test_install.py BUILD
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)
        cls.elsewhere = pathlib.Path(cls.folder.name) / "elsewhere"
        cls.elsewhere.mkdir()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_installed(self, program, *words, status=0):
        environment = {"HOME": str(self.elsewhere), "PATH": os.environ["PATH"]}
        done = subprocess.run([self.prefix / "bin" / program, *words], cwd=self.elsewhere, env=environment,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_presets_and_workloads_are_those_of_the_prefix(self):
        presets = self.prefix / "share/paws/sim/presets"
        shutil.copy(presets / "m2090.toml", presets / "mine.toml")
        workloads = self.prefix / "share/paws/workloads"
        shutil.copytree(workloads / "vectoradd", workloads / "mine")
        (workloads / "mine/vectoradd.toml").rename(workloads / "mine/mine.toml")
        self.assertRegex(self.run_installed("paws", "run", "mine", "--gpu", "mine", "--size", "small"), "results +PASS")

    def test_sets_are_those_of_the_prefix(self):
        sets = self.prefix / "share/paws/workloads/sets.toml"
        kept = sets.read_text()
        sets.write_text(kept.replace("[today", "[mine"))
        try:
            said = self.run_installed("paws", "compare", "--set", "mine", "--size", "small", "--schedulers", "single:gto")
        finally:
            sets.write_text(kept)
        self.assertRegex(said, "gemm_2_stages .* PASS")

    def test_engines_are_those_of_the_prefix(self):
        library = self.prefix / "lib/paws/engine/libpaws_engines.so"
        words = ["run", "lwm_matmul", "--size", "small", "--gpu", "lwm2011", "--set", "core.warp_rows=8"]
        self.assertRegex(self.run_installed("paws", *words), "results +PASS")
        away = library.rename(library.with_suffix(".away"))
        try:
            self.assertIn(f"{library} is not built", self.run_installed("paws", *words, status=2))
        finally:
            away.rename(library)

    def test_the_rtl_of_the_prefix_becomes_an_engine(self):
        words = ["run", "vectoradd", "--size", "small", "--set", "scheduler.ready=5", "--scheduler", "two-level:paws"]
        said = self.run_installed("paws", *words)
        self.assertIn("building RTL engine two_level_24_5_9", said)
        self.assertRegex(said, "results +PASS")

    def test_sweeps_run_the_program_of_the_prefix(self):
        said = self.run_installed("paws", "sweep", "vectoradd", "--define", "n=64", "--set", "cores=1,2", "--scheduler",
                                  "single:rr", "--engine", "model", "--csv", "runs.csv")
        self.assertIn("2 of 2 runs", said)
        self.assertEqual((self.elsewhere / "runs.csv").read_text().count("\nvectoradd,"), 2)

    def test_cuda_programs_are_built_and_run(self):
        (self.elsewhere / "one.cu").write_text("""#include <cstdio>
#include <cublas_v2.h>
__global__ void twice(int *x) { *x *= 2; }
int main() {
  int *x, y = 21;
  cudaMalloc(&x, sizeof y);
  cudaMemcpy(x, &y, sizeof y, cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(x);
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  cublasDestroy(handle);
  cudaMemcpy(&y, x, sizeof y, cudaMemcpyDeviceToHost);
  printf("answer %d\\n", y);
}
""")
        self.run_installed("cuda++", "one.cu", "-lcublas", "-o", "one")
        self.assertIn("answer 42", self.run_installed("paws", "cuda", "./one"))
        running, building = ("paws", "cuda", "./one"), ("cuda++", "one.cu", "-lcublas", "-o", "two")
        for name, commands in (("libcudart.so", (running, building)), ("libcublas.so", (building,))):
            library = self.prefix / "lib/paws/cuda" / name
            away = library.rename(library.with_suffix(".away"))
            try:
                for command in commands:
                    self.assertRegex(self.run_installed(*command, status=2), f"{re.escape(str(library))}.* not built")
            finally:
                away.rename(library)
        self.assertFalse((self.elsewhere / "two").exists())


if __name__ == "__main__":
    unittest.main()
