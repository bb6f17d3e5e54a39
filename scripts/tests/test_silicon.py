# SPDX-License-Identifier: MIT
"""What scripts/study silicon reads, joins and says, from figures that are made up."""
import pathlib
import subprocess
import tempfile
import unittest

from written import ROOT, study

silicon = study("silicon")
traces = study("traces")
shoc = study("shoc")
Pair, Row = silicon.Pair, silicon.Row
PLACE = pathlib.Path("card.csv")
DEVICE = "device,Some GPU,1410,MHz"
HEAD = "quantity,x,value,unit"


class Tables(unittest.TestCase):
    def test_a_table_of_a_card(self):
        device, rows = silicon.rows_of(PLACE, [HEAD, DEVICE, "latency,64,36,cycles", "launch,,-3,cycles per launch"])
        self.assertEqual(device, "Some GPU, 1410 MHz")
        self.assertEqual(rows, [Row("latency", "64", 36, "cycles"), Row("launch", "", -3, "cycles per launch")])

    def test_what_is_wrong_has_its_line_and_cause(self):
        for lines, said in (([], "card.csv:1: the head must be quantity,x,value,unit"), ([HEAD, DEVICE, "fma,,6"],
                            "card.csv:3: 3 fields, expected 4"), ([HEAD, "fma,,six,x"], "card.csv:2: 'six' is no value"),
                            ([HEAD, "fma,,nan,x"], "card.csv:2: 'nan' is no value"),
                            ([HEAD, DEVICE, "fms,,6,x"], "card.csv:3: there is no quantity 'fms'"),
                            ([HEAD, "fma,,6,x"], "card.csv: no row 'device'")):
            with self.subTest(said=said), self.assertRaises(silicon.BadTable) as raised:
                silicon.rows_of(PLACE, lines)
            self.assertTrue(str(raised.exception).startswith(said), raised.exception)

    def test_the_public_figures(self):
        """Each has a quantity that the program measures with --small, a value and a source."""
        rows = silicon.public()["a100"]
        self.assertGreater(len(rows), 20)
        program = (ROOT / "workloads/programs/card.cu").read_text()
        for row in rows:
            self.assertIn(f'{{"{row.quantity}", &Card::', program)
            self.assertGreater(row.value, 0)
            self.assertTrue(row.gpu and row.source, row)

    def test_every_quantity_of_the_program_has_its_line(self):
        program = (ROOT / "workloads/programs/card.cu").read_text()
        named = [line.split('"')[1] for line in program.splitlines() if ", &Card::" in line]
        self.assertEqual({*named, "kernel"}, set(silicon.QUANTITIES))

    def test_a_card_is_kept_by_preset_and_device(self):
        with tempfile.TemporaryDirectory() as folder:
            silicon.CARDS = pathlib.Path(folder) / "silicon"
            file = pathlib.Path(folder) / "mine.csv"
            file.write_text(f"{HEAD}\n{DEVICE}\nfma,,63,results per cycle and core\n")
            self.assertEqual(silicon.keep_card(file, "a100").name, "a100.some-gpu.csv")
            self.assertEqual(silicon.cards(), [("a100", "Some GPU, 1410 MHz",
                                                [Row("fma", "", 63, "results per cycle and core")])])


class Traces(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def add(self, name: str, **files: str) -> None:
        (self.folder / name).mkdir()
        for file, text in files.items():
            (self.folder / name / file.replace("_", ".")).write_text(text)

    def test_lists_with_measured_cycles(self):
        self.add("b", gt="120\n", kernelslist_g="", INFO="Title: b\nDeviceName: Some GPU\n")
        self.add("a", gt="80", kernelslist_g="")
        self.add("c", kernelslist_g="")
        found = traces.traced_in(self.folder)
        self.assertEqual([(trace.file.parent.name, *trace[1:]) for trace in found],
                         [("a", 80, "not named"), ("b", 120, "Some GPU")])
        self.assertIn("| b | Some GPU | 120 | 150 | 1.25 |", traces.table(found, [80, 150]))

    def test_what_is_wrong_has_its_file_and_cause(self):
        for files, said in (({}, "no file 'gt'"), ({"gt": "80"}, "no kernelslist.g beside it"),
                            ({"gt": "8.5", "kernelslist_g": ""}, "'8.5' is no number of cycles")):
            with self.subTest(said=said), self.assertRaises(traces.BadTrace) as raised:
                self.add(said, **files)
                traces.traced_in(self.folder / said)
            self.assertIn(said, str(raised.exception))


class Shoc(unittest.TestCase):
    def test_measured_rates_are_those_of_the_card_without_ecc(self):
        with tempfile.TemporaryDirectory() as temporary:
            suite = pathlib.Path(temporary)
            (suite / "data").mkdir()
            columns = [column for program in shoc.PROGRAMS.values() for column in program.rates.values()]
            lines = [",".join(["device", "platform", *columns])]
            lines += [",".join([device, toolkit, *[rate] * len(columns)])
                      for device, toolkit, rate in (("c2050noecc", "cuda32", "1"), ("c2050noecc", "cuda40", "2"),
                                                    ("m2090", "cuda41", "9"))]
            (suite / "data/results.csv").write_text("\n".join(lines))
            with self.assertRaisesRegex(shoc.Failed, "results.csv: no row of c2050noecc with cuda41"):
                shoc.published(suite)
            (suite / "data/results.csv").write_text("\n".join([*lines, lines[1].replace("cuda32", "cuda41").replace(",1", ",4")]))
            self.assertEqual(shoc.published(suite)["scan_dp"], [1, 2, 4])
            (suite / "data/results.csv").write_text("\n".join([*lines, lines[1].replace("cuda32", "cuda41").replace(",1", ",")]))
            with self.assertRaisesRegex(shoc.Failed, "results.csv: no number in column reduction of c2050noecc"):
                shoc.published(suite)

    def test_rates_come_from_the_median_of_their_line(self):
        printed = "Scan_PCIe\t8items\tGB/s\t7\t7\nScan\t8items\tGB/s\t32.5\t9\nScan-DP\t4items\tGB/s\t3e1\t9\n"
        self.assertEqual(shoc.rates(printed, shoc.PROGRAMS["scan"]), {"Scan": ("8items", 32.5), "Scan-DP": ("4items", 30.0)})
        with self.assertRaisesRegex(shoc.Failed, "no line 'Scan-DP'"):
            shoc.rates(printed.replace("Scan-DP", "Scan-XP"), shoc.PROGRAMS["scan"])


class Findings(unittest.TestCase):
    def setUp(self):
        self.rows = [Row("latency", "64", 36, "cycles", "A", "one"), Row("latency", "128", 99, "cycles", "A", "one"),
                     Row("fma", "", 60, "results per cycle and core", "B", "two"),
                     Row("dram_read", "64", 100, "GB/s", "A", "two"), Row("launch", "", 10, "cycles", "A", "two")]
        self.ours = {("latency", "64"): 36, ("fma", ""): 60, ("dram_read", "64"): 800, ("launch", ""): -1,
                     ("dram_read", "512"): 900}
        self.pairs = silicon.pairs(self.rows, self.ours)

    def test_what_both_sides_have_is_compared(self):
        self.assertEqual([(pair.row.key, pair.ratio) for pair in self.pairs],
                         [(("latency", "64"), 1), (("fma", ""), 1), (("dram_read", "64"), 8)])

    def test_a_factor_counts_on_both_sides(self):
        slow, fast = (Pair(Row("launch", "", value, "cycles"), 10) for value in (5, 20))
        self.assertEqual((slow.factor, fast.factor), (2, 2))
        self.assertEqual([pair.row.faster(pair.ours) for pair in (slow, fast)], [False, True])
        self.assertTrue(self.pairs[2].row.faster(800))  # a rate

    def test_the_mean_and_the_worst(self):
        self.assertEqual(silicon.summary(self.pairs),
                         "3 figures: ours is off by a factor of 2.00 in the geometric mean and of 1.00 in the median; 2 are "
                         'within 25 %. The worst is "DRAM read, blocks of 64 threads": 800 instead of 100 GB/s.')

    def test_the_furthest_quantity_comes_first(self):
        lines = silicon.by_quantity(self.pairs).splitlines()
        self.assertTrue(lines[2].startswith("| dram_read | 1 | 8.00 | faster |"), lines[2])
        self.assertEqual(len(lines), 5)
        self.assertIn("| as fast |", lines[3])

    def test_every_figure_has_its_source(self):
        self.assertEqual(silicon.table(self.pairs).splitlines()[2:],
                         ["| load-to-use latency, 64 KB | 36 | 36 | cycles | 1.00 | A | [1] |",
                          "| FMA | 60 | 60 | results per cycle and core | 1.00 | B | [2] |",
                          "| DRAM read, blocks of 64 threads | 100 | 800 | GB/s | 8.00 | A | [2] |",
                          "", "* [1] one", "* [2] two"])

    def test_a_card_has_a_part_of_its_own(self):
        part = silicon.card_part("a100", "Some GPU, 1410 MHz", [Row(*row[:4]) for row in self.rows], self.ours)
        self.assertTrue(part.startswith("### Some GPU, 1410 MHz, against preset a100\n\n3 figures"), part)
        self.assertIn("2 further figures of its table were not simulated.", part)
        self.assertNotIn("source", part)

    def test_what_is_simulated(self):
        rows = [*self.rows, Row("kernel", "jacobi: relax", 5, "cycles")]
        self.assertEqual([str(what) for _, what in silicon.wanted_of({"a100": rows})],
                         ["launch", "dram_read", "fma", "latency", "jacobi"])

    def test_textures_on_both_presets(self):
        ours = {preset: {("fma", ""): 60, ("texture_latency", "12"): 212, ("texture_latency", "13"): cycles}
                for preset, cycles in zip(silicon.TEXTURES, (477.4, 38), strict=True)}
        self.assertEqual(silicon.textures(ours).splitlines()[2:], ["| 12 | 212 | 212 |", "| 13 | 477 | 38 |"])

    def test_a_card_needs_its_preset(self):
        done = subprocess.run([str(ROOT / "scripts/study"), "silicon", "--card", "card.csv"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--card and --gpu: a card's table needs the preset", done.stderr)


if __name__ == "__main__":
    unittest.main()
