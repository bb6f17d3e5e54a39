# SPDX-License-Identifier: MIT
"""paws phases of binaries that clang makes: python3 test_phases.py PAWS."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PAWS = sys.argv[1]
SOURCE = """
int dot(const int *a, const int *b, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
double half(const double *x) { return x[0] / 2 + x[1]; }
void _start(void) { for (;;) ; }
"""


def phases(*arguments):
    return subprocess.run([PAWS, "phases", *map(str, arguments)], capture_output=True, text=True, check=False)


class Binaries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        (cls.work / "a.c").write_text(SOURCE, encoding="utf-8")
        for bits, march, abi in ((32, "rv32imafdc", "ilp32d"), (64, "rv64imafd", "lp64d")):
            cls.clang(bits, march, abi, "-nostdlib", "-fuse-ld=lld", "-Wl,-Ttext=0x10000", "-o", cls.work / f"a{bits}.elf")
        cls.clang(32, "rv32imafd", "ilp32d", "-c", "-ffunction-sections", "-o", cls.work / "a.o")

    @classmethod
    def clang(cls, bits, march, abi, *options):
        subprocess.run(["clang-14", f"--target=riscv{bits}", f"-march={march}", f"-mabi={abi}", "-O1", "-ffreestanding",
                        *options, cls.work / "a.c"], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_both_widths(self):
        for bits in (32, 64):
            with self.subTest(bits):
                out, image = self.work / "out.json", self.work / "out.hex"
                done = phases(self.work / f"a{bits}.elf", "--json", out, "--image", image)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                functions = {each["function"]: each for each in json.loads(out.read_text())}
                self.assertEqual(set(functions), {"dot", "half", "_start"})
                self.assertEqual([functions[name]["unknown"] for name in functions], [0, 0, 0])
                # The product waits for both loads at once, and so does the quotient for the first.
                self.assertEqual(len(functions["dot"]["phases"]), 2)
                self.assertIn(len(functions["half"]["phases"]), (2, 3))
                head, *entries = image.read_text().splitlines()
                size = 2 if bits == 32 else 4
                self.assertEqual(head, f"// base 0x10000, {size} bytes for each entry, {len(entries)} entries of 9 bits")
                self.assertEqual(int(entries[0], 16), functions["dot"]["phases"][0]["length"])

    def test_latencies_are_the_users(self):
        one, two = (phases(self.work / "a32.elf", "--kernel", "dot", "--set", f"latency.integer_mul={cycles}")
                    for cycles in (5, 45))
        self.assertIn("longest 24,", one.stdout)
        self.assertIn("longest 64,", two.stdout)

    def test_what_is_refused(self):
        for arguments, message in (
                ((self.work / "a.o", "--image", self.work / "x"), "have the address 0x0: link the file first"),
                (("/bin/true",), "is not RISC-V"),
                ((self.work / "a32.elf", "--kernel", "nothing"), "has no function 'nothing'"),
                ((self.work / "a32.elf", "--near", "x77"), "--near: 'x77' is no register"),
                (("vectoradd", "--image", self.work / "x"), "--image means nothing of a file that is no RISC-V binary")):
            with self.subTest(message):
                done = phases(*arguments)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(message, done.stderr)
                self.assertFalse((self.work / "x").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
