# SPDX-License-Identifier: MIT
"""Every fault that a mutation list puts into a source still applies: its text stands there once."""
import pathlib
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(text):
    """The faults of a list in blocks of lines: name, file and text that is replaced."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for block in filter(None, (part.strip("\n") for part in lines.split("\n\n"))):
        name, where, body = block.split("\n", 2)
        yield name, where.split()[1], body.partition("\n+ ")[0].removeprefix("- ")


def faults():
    """(list, name, file, text) of every fault that is written by hand."""
    for listed, folder in (("sim/tests/faults.txt", "sim"), ("tb/mutation/faults.txt", "rtl")):
        for name, file, text in blocks((ROOT / listed).read_text()):
            yield listed, name, f"{folder}/{file}", text
    proofs = "tb/formal/faults.toml"
    for fault in tomllib.loads((ROOT / proofs).read_text())["fault"]:
        yield proofs, fault["what"], f"rtl/{fault['file']}", fault["from"]


class Faults(unittest.TestCase):
    def test_each_stands_once_in_its_source(self):
        found = list(faults())
        self.assertGreater(len(found), 300)
        for listed, name, file, text in found:
            with self.subTest(list=listed, fault=name):
                self.assertEqual((ROOT / file).read_text().count(text), 1, file)


if __name__ == "__main__":
    unittest.main()
