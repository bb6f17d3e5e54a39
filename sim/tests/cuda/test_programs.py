# SPDX-License-Identifier: MIT
"""CUDA programs with their kernels simulated, and captured launches: test_programs.py PAWS PROGRAMS"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest


def paws(*words, status=0):
    """Standard output and error of the program, which must end with this status."""
    done = subprocess.run([PAWS, *map(str, words)], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != status:
        raise AssertionError(f"{words}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def cuda(self, *words, status=0):
        """What `paws cuda --json` says of a program; its output; our own."""
        file = self.folder / "result.json"
        file.unlink(missing_ok=True)
        out, err = paws("cuda", "--json", file, *words, status=status)
        return json.loads(file.read_text()), out, err


class Programs(Case):
    def test_each_finds_its_own_results_right(self):
        for name, said in {"bfs": "600 vertices, 22 levels\n", "memory": "all copies are right\n",
                           "exchange": "all values are right\n", "textures": "all texels are right\n",
                           "cooperative": "sum 39985\n"}.items():
            out, err = paws("cuda", "--engine", "model", "--", PROGRAMS / name)
            self.assertEqual(out, said)
            self.assertIn(f"program       {name}\n", err)

    def test_events_tell_the_simulated_time(self):
        result, out, _ = self.cuda("--", PROGRAMS / "jacobi")
        steps, cycles = map(int, re.fullmatch(r"(\d+) steps, (\d+) cycles\n", out).groups())
        self.assertEqual(len(result["launches"]), steps)
        self.assertEqual(result["total"]["cycles"], cycles)
        self.assertEqual(sum(launch["cycles"] for launch in result["launches"]), cycles)
        self.assertEqual(result["not_freed"], [])

    def test_cycles_are_the_same_in_every_run_and_with_every_engine(self):
        results = [self.cuda("--engine", engine, "--threads", threads, "--", PROGRAMS / "bfs", 200)[0]
                   for engine, threads in (("rtl", 1), ("rtl", 2), ("model", 1), ("lockstep", 1))]
        for other in results[1:]:
            self.assertEqual(other["launches"], results[0]["launches"])

    def test_the_scheduler_and_the_machine_can_be_chosen(self):
        cycles = {self.cuda(*options, "--engine", "model", "--", PROGRAMS / "bfs", 200)[0]["total"]["cycles"]
                  for options in ((), ("--set", "l1.latency=90"), ("--gpu", "lee28"))}
        self.assertEqual(len(cycles), 3)
        _, err = paws("cuda", "--scheduler", "single:gto", "--", PROGRAMS / "bfs", 100)
        self.assertIn("scheduler     single:gto\n", err)

    def test_some_launches_are_timed(self):
        result, _, _ = self.cuda("--launches", "2,4-5", "--", PROGRAMS / "jacobi")
        self.assertEqual([launch["launch"] for launch in result["launches"] if launch["timed"]], [2, 4, 5])
        self.assertEqual(result["total"]["cycles"],
                         sum(launch["cycles"] for launch in result["launches"] if launch["timed"]))

    def test_functional(self):
        result, out, _ = self.cuda("--functional", "--", PROGRAMS / "bfs")
        self.assertEqual(out, "600 vertices, 22 levels\n")
        self.assertFalse(any(launch["timed"] for launch in result["launches"]))
        self.assertGreater(result["total"]["instructions"], 0)

    def test_a_program_runs_by_itself(self):
        done = subprocess.run([PROGRAMS / "bfs"], capture_output=True, text=True, check=True)
        self.assertEqual((done.stdout, done.stderr), ("600 vertices, 22 levels\n", ""))


@unittest.skipUnless(shutil.which("nvcc"), "nvcc is not installed")
class BuiltByNvcc(Case):
    def test_the_same_results(self):
        for name, said, launches in (("memory", "all copies are right\n", 4), ("textures", "all texels are right\n", 3)):
            source = pathlib.Path(__file__).resolve().parents[3] / f"workloads/programs/{name}.cu"
            program = self.folder / name
            subprocess.run(["nvcc", "-std=c++17", "-cudart", "shared", "-gencode", "arch=compute_75,code=compute_75",
                            source, "-o", program], check=True)
            result, out, _ = self.cuda("--engine", "model", "--", program)
            self.assertEqual(out, said)
            self.assertEqual(len(result["launches"]), launches)


class Errors(Case):
    def test_mistakes_have_the_codes_of_a_gpu(self):
        out, err = paws("cuda", "--", PROGRAMS / "errors", status=3)
        self.assertEqual(out, "all errors are the right ones\n")
        self.assertIn("a grid of (1,1,1) blocks of (2048,1,1) threads is not possible", err)
        self.assertRegex(err, r"paws: launch 3: errors#1.ptx:\d+: kernel '_Z4fillPii', block \(0,0,0\), warp \d, "
                              r"lane 0, thread \(\d+,0,0\): 4-byte store at global address 0x7f\w+: "
                              r"'cudaMalloc number 1' \(256 bytes\) was there and has been freed")
        paws("cuda", "--", PROGRAMS / "errors", "misaligned", status=3)

    def test_a_texture_that_has_been_destroyed_is_found(self):
        _, err = paws("cuda", "--", PROGRAMS / "textures", "destroyed", status=3)
        self.assertRegex(err, r"paws: launch 4: textures#1.ptx:\d+: kernel '_Z6soften\w+', block \(0,0,0\), warp 0, "
                              r"lane 0, thread \(0,0,0\): the texture object at address 0x7f\w+ "
                              r"\('cudaCreateTextureObject number \d+'\) has been destroyed")

    def test_a_crash_keeps_its_status_and_what_was_done_before(self):
        result, _, err = self.cuda("--", PROGRAMS / "crash", status=128 + 11)
        self.assertIn("paws: the program was ended by signal 11", err)
        self.assertEqual(len(result["launches"]), 1)
        self.assertIsNone(result["total"])

    def test_exit_in_the_middle(self):
        result, _, err = self.cuda("--", PROGRAMS / "leaver", status=7)
        self.assertEqual(result["total"]["launches"], 1)
        self.assertIn("not freed     cudaMalloc number 1, 128 bytes\n", err)

    def test_races_are_found(self):
        result, _, err = self.cuda("--check", "--", PROGRAMS / "racy")
        self.assertRegex(err, r"paws: racy#1\.ptx.*shared")
        self.assertEqual(result["total"]["check"]["findings"][0]["kind"], "shared-race")

    def test_an_unknown_call_is_named(self):
        _, err = paws("cuda", "--", PROGRAMS / "refused", status=2)
        self.assertIn("paws: cudaBindTexture() is not supported by this CUDA runtime", err)

    def test_a_program_without_ptx(self):
        _, err = paws("cuda", "--", PROGRAMS / "no_ptx", status=2)
        self.assertIn("no_ptx#1.ptx: the program has no PTX, only machine code (sm_90): build it with nvcc -gencode "
                      "arch=compute_75,code=compute_75", err)

    def test_a_program_with_the_static_runtime(self):
        program = self.folder / "static"
        shutil.copy(PROGRAMS / "no_ptx", program)
        empty = self.folder / "empty"
        empty.write_bytes(b"x")
        subprocess.run(["objcopy", "--add-section", f".nv_fatbin={empty}", shutil.which("true"), program], check=True)
        _, err = paws("cuda", "--", program, status=2)
        self.assertIn("the CUDA runtime is linked statically: build it with nvcc -cudart shared", err)

    def test_what_is_no_cuda_program(self):
        _, err = paws("cuda", "--", "true")
        self.assertIn("paws: the program has not loaded the CUDA runtime", err)
        _, err = paws("cuda", "--", self.folder / "missing", status=2)
        self.assertIn("missing: no program that can be executed", err)

    def test_options_are_checked_before_the_program_starts(self):
        for options, said in ((["--scheduler", "x"], "x"), (["--launches", "x"], "--launches x: expected numbers"),
                              (["--set", "core.warp=1"], "core.warp"),
                              (["--functional", "--launches", "1"], "none is timed")):
            out, err = paws("cuda", *options, "--", PROGRAMS / "bfs", status=2)
            self.assertEqual(out, "")
            self.assertIn(said, err)


class Captures(Case):
    def test_a_launch_is_replayed(self):
        captures = self.folder / "captures"
        live, _, _ = self.cuda("--launches", "1", "--", PROGRAMS / "jacobi")
        paws("capture", "-o", captures, "--launches", "1,3", "--", PROGRAMS / "jacobi")
        self.assertEqual(sorted(file.name for file in captures.glob("*.toml")), ["jacobi-1.toml", "jacobi-3.toml"])
        self.assertEqual(list(captures.glob("*.part")), [])
        replay = self.folder / "replay.json"
        paws("run", captures / "jacobi-1.toml", "--json", replay)
        result = json.loads(replay.read_text())
        self.assertTrue(result["verified"])
        self.assertEqual(result["cycles"], live["launches"][0]["cycles"])
        out, _ = paws("compare", captures / "jacobi-3.toml", "--engine", "model", "--schedulers",
                      "single:rr,two-level:paws")
        self.assertIn("two-level:paws", out)

    def test_textures_and_surfaces_are_captured_with_their_objects(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--", PROGRAMS / "textures")
        for number in (1, 2, 3):
            out, _ = paws("run", "--engine", "model", captures / f"textures-{number}.toml")
            self.assertIn("results             PASS", out)

    def test_what_the_program_computed_is_what_is_expected(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--", PROGRAMS / "cooperative")
        description = captures / "cooperative-1.toml"
        # The number of values, which the kernel reads: with another one the sum is another one.
        wrong = captures / "wrong.toml"
        wrong.write_text(description.read_text().replace('bits = "0x1388"', 'bits = "0x1387"'))
        paws("run", "--engine", "model", description)
        out, _ = paws("run", "--engine", "model", wrong, status=1)
        self.assertIn("results             FAIL", out)

    def test_a_damaged_file_is_named(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--launches", "2", "--", PROGRAMS / "bfs")
        broken = sorted(captures.glob("*.zst"))[0]
        broken.write_bytes(broken.read_bytes()[:-1])
        _, err = paws("run", captures / "bfs-2.toml", status=2)
        self.assertIn(f"{broken} is no file of Zstandard, or damaged", err)

    def test_addresses_of_buffers(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--launches", "1", "--", PROGRAMS / "exchange")
        text = (captures / "exchange-1.toml").read_text()
        address = re.search(r'address = "(0x7f\w+)"', text)[1]
        changed = captures / "changed.toml"
        for other, said in (("0x010000000000", "there is something else at its address, or no global memory"),
                            ("7f0000001000", '"address" must be hexadecimal digits in a string')):
            changed.write_text(text.replace(f'address = "{address}"', f'address = "{other}"'))
            _, err = paws("run", changed, status=2)
            self.assertRegex(err, rf"changed\.toml:\d+: .*{said}")
        again = text[text.index("[[buffer]]"):text.index("[[step]]")].replace('name = "', 'name = "again_')
        changed.write_text(text.replace("[[step]]", again + "[[step]]"))
        _, err = paws("run", changed, status=2)
        self.assertIn("there is something else at its address", err)

    def test_a_launch_that_fails_leaves_no_file(self):
        captures = self.folder / "captures"
        _, err = paws("capture", "-o", captures, "--launches", "3", "--", PROGRAMS / "errors", status=3)
        self.assertIn("paws: no launch was captured\n", err)
        self.assertEqual(list(captures.iterdir()), [])


if __name__ == "__main__":
    PAWS, PROGRAMS = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
