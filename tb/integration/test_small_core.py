# SPDX-License-Identifier: MIT
"""rtl/example/run: the core runs its programs under every level, its test bench notices mistakes of integration, and a
front end that breaks the promise of progress is named.

    python3 tb/integration/test_small_core.py Class...   # Runs, Promise, Faults or Input; default: all
"""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "rtl" / "example"
TRACES = sorted((EXAMPLE / "traces").glob("*.trace"))


def run(*arguments, cwd=None):
    return subprocess.run([EXAMPLE / "run", *arguments], cwd=cwd, capture_output=True, text=True, check=False)


class Runs(unittest.TestCase):
    def expect_pass(self, *arguments):
        done = run("BLOCKS=2", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual([line.split(":")[1].strip() for line in done.stdout.splitlines()],
                         [trace.stem for trace in TRACES])
        self.assertEqual(done.stdout.count("passed: "), len(TRACES))

    def test_gto_on_a_single_level(self):
        self.expect_pass("LEVEL=0", "POLICY=1", "--no-credits")

    def test_paws_on_a_single_level(self):
        self.expect_pass("LEVEL=0", "WARPS=2")

    def test_ordered_paws(self):
        self.expect_pass("LEVEL=2", "WARPS=5")

    def test_two_levels(self):
        self.expect_pass("LEVEL=1", "READY=3", "WARPS=7")


class Promise(unittest.TestCase):
    """Two levels behind a front end that serves every warp."""

    def test_an_assertion_names_what_is_broken(self):
        done = run("--no-credits", "READY=3")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, "u_scheduler.ready_is_served: host: ready silent for 2000 cycles while a warp "
                                      "outside can issue: ready [01]{8}, outside [01]{8}. Serve the warps of ready")
        self.assertIn("failed", done.stderr)

    def test_it_goes_on_if_a_warp_without_an_instruction_waits(self):
        done = run("--no-credits", "--empty-waits", "READY=3")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


FAULTS = {
    # old, new, what is said. Only expressions: all faults are in one build, and a plusarg chooses one.
    "fetch_takes_no_credit": ("fetch & credits_i", "1'b0", "leaves an i-buffer that is empty"),
    "the_second_place_is_lost": ("pushed[w] & valid_q[w] & !taken[w]", "1'b0", "not the warp's next instruction"),
    "a_pending_source_is_not_checked": ("!pending_q[next[7:4]]", "1'b1", "issuable_excludes_waits"),
    "adds_are_not_pending": ("taken[w] & !next[13]", "taken[w] & !next[13] & next[12]", "operand is wrong"),
    "a_barrier_holds_nobody": ("(barrier_q[w] & !opens)", "1'b0", "past a barrier"),
    "fetch_goes_on_behind_an_exit": ("(pushed[w] & (decode_code_q[13:12] == EXIT))", "1'b0",
                                     "(behind the exit|not the warp's next instruction)"),
    "ends_never_come": ("issue_valid_o & (issue_op == EXIT)", "1'b0", "ready silent .* report each end"),
    "the_memory_is_never_busy": ("load_q & (issue_op == LOAD)", "1'b0", "a load right behind another"),
}


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        work = pathlib.Path(cls.folder.name)
        core = (EXAMPLE / "small_core.sv").read_text(encoding="utf-8")
        for number, (old, new, _) in enumerate(FAULTS.values(), 1):
            assert core.count(old) == 1, old
            operand = old.rstrip(";&").rstrip()
            chosen = f"(small_core_tb.fault == {number} ? ({new.rstrip(';&').rstrip()}) : ({operand}))"
            core = core.replace(old, chosen + old[len(operand):])
        bench = (EXAMPLE / "small_core_tb.sv").read_text(encoding="utf-8")
        bench = bench.replace("  initial begin\n", "  int fault;\n  initial begin\n"
                              "    if (!$value$plusargs(\"fault=%d\", fault)) fault = 0;\n", 1)
        (work / "small_core.sv").write_text(core, encoding="utf-8")
        (work / "small_core_tb.sv").write_text(bench, encoding="utf-8")
        for trace in TRACES:
            image = subprocess.run([EXAMPLE / "assemble", trace], capture_output=True, text=True, check=True).stdout
            (work / f"{trace.stem}.hex").write_text(image, encoding="utf-8")
        subprocess.run([shutil.which("verilator"), "--binary", "--timing", "--assert", "+define+PAWS_ASSERT",
                        "+define+PAWS_SILENCE=2000", "-CFLAGS", "-O0", "--top-module", "small_core_tb", "-GREADY=3", "-GBLOCKS=2",
                        "-Mdir", work, "-o", "tb", "-F", ROOT / "rtl" / "paws_core_adapter.f", work / "small_core.sv",
                        work / "small_core_tb.sv"], capture_output=True, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_with(self, fault):
        """What the runs of all programs say, up to the first that fails."""
        text = ""
        for trace in TRACES:
            done = subprocess.run([f"{self.folder.name}/tb", f"+program={self.folder.name}/{trace.stem}.hex",
                                   f"+fault={fault}"], capture_output=True, text=True, check=False)
            text += done.stdout + done.stderr
            if done.returncode != 0:
                return True, text
        return False, text

    def test_without_a_fault(self):
        failed, text = self.run_with(0)
        self.assertFalse(failed, text)

    def test_faults(self):
        for number, (name, (_, _, said)) in enumerate(FAULTS.items(), 1):
            with self.subTest(name):
                failed, text = self.run_with(number)
                self.assertTrue(failed, "not noticed")
                self.assertRegex(text, said)


class Input(unittest.TestCase):
    def refuse(self, program, message):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.trace"
            path.write_text(program, encoding="utf-8")
            done = subprocess.run([EXAMPLE / "assemble", path], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, f"{path}:{message}\n")

    def test_programs(self):
        self.refuse("add r1 r2\nexit\n", "1: add has 3 registers, not 2")
        self.refuse("jump r1\n", "1: 'jump' is none of add, load, barrier, repeat, end, exit")
        self.refuse("# first\nload r16 r1\nexit\n", "2: 'r16' is no register, r0 to r15")
        self.refuse("repeat 0\nend\nexit\n", "1: repeat has a number from 1 to 9999")
        self.refuse("repeat 2\nadd r1 r1 r1\nexit\n", "3: a repeat without an end")
        self.refuse("end\n", "1: end without a repeat")
        self.refuse("repeat 2000\nadd r1 r1 r1\nend\nexit\n", "3: more than 1024 instructions")
        self.refuse("exit\nadd r1 r1 r1\n", "2: the program does not end with its only exit")

    def test_lengths(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.trace"
            path.write_text("add r1 r1 r1\nload r2 r1\nadd r3 r1 r1\nadd r4 r2 r0\nbarrier\nexit\n", encoding="utf-8")
            for options, wanted in (((), [9, 9, 9, 5, 5, 1]), (("--distances",), [9, 5, 4, 5, 1, 1])):
                image = subprocess.run([EXAMPLE / "assemble", *options, path], capture_output=True, text=True, check=True)
                self.assertEqual([int(line[:4], 16) for line in image.stdout.split()], wanted)

    def test_arguments(self):
        for arguments, message in ((["--credit"], "unknown argument: --credit"), (["WARPZ=4"], "WARPZ"),
                                   (["nowhere.trace"], "nowhere.trace")):
            done = run(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)

    def test_a_wave(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--wave", "BLOCKS=1", str(TRACES[-1]), cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            wave = (pathlib.Path(folder) / "small_core.vcd").read_text(encoding="utf-8")
        saved = (EXAMPLE / "small_core.gtkw").read_text(encoding="utf-8")
        names = {line.split(".")[-1].split("[")[0] for line in saved.splitlines() if line.startswith("small_core_tb.")}
        self.assertEqual([name for name in sorted(names) if f" {name} " not in wave], [])


if __name__ == "__main__":
    unittest.main()
