# SPDX-License-Identifier: MIT
"""The bound and the sizes of scripts/study ready by hand, its words for made-up cycles, and tables that it reads."""
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from written import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from lib.places import EVIDENCE  # noqa: E402
from report.parts import levels_in_hardware, ready_findings, ready_queue, synthesis_rows  # noqa: E402

GPU = {"core": {"issue_interval": 2, "pipeline_latency": 14, "shared_latency": 24, "schedulers": 2},
       "latency": {"integer": 4, "integer_mul": 5, "integer64": 6, "f64": 8, "special": 16, "conversion": 16}}


def cycles(of_size, single=100):
    """Of two kernels: by size under each two-level scheduler, and of the single level."""
    found = {(size, scheduler, kernel): of_size(size) for size in ready_queue.SIZES for scheduler in ready_queue.LEVEL
             for kernel in ("a", "b")}
    return found | {(None, scheduler, kernel): single for scheduler in (ready_queue.ONE, ready_queue.SINGLE_RR)
                    for kernel in ("a", "b")}


def findings(of_size, single=100):
    return ready_findings.Findings(GPU, ("a",), ("b",), cycles(of_size, single), {"a": 10, "b": 20},
                                   {"a": 0.1, "b": 0.2})


class Bound(unittest.TestCase):
    def test_a_chain_of_simple_instructions(self):
        self.assertEqual(ready_queue.chain_cycles(GPU, 4), 18)
        self.assertEqual([ready_queue.hidden_by(GPU, 18, chains) for chains in (1, 2, 4)], [9, 5, 3])
        self.assertAlmostEqual(ready_queue.issue_share(GPU, 18, 6), 2 / 3)
        self.assertEqual(ready_queue.issue_share(GPU, 18, 12), 1)

    def test_a_latency_ends_in_a_cycle_with_an_issue(self):
        self.assertEqual(ready_queue.chain_cycles(GPU, 5), 20)

    def test_an_instruction_keeps_its_warp(self):
        row = {"ready_occupancy": 0.5, "core_cycles": 1000, "warp_instructions": 100}
        self.assertEqual(ready_findings.cycles_in_ready(row, GPU), 10)


class Sizes(unittest.TestCase):
    def need(self, of_size):
        return ready_queue.need(cycles(of_size), "two-level:rr", "a")

    def test_the_first_within_a_percent(self):
        self.assertEqual(self.need(lambda size: 1000 if size >= 9 else 1011), 9)
        self.assertEqual(self.need(lambda size: 1000 if size >= 9 else 1009), 2)

    def test_more_warps_may_be_worse(self):
        self.assertEqual(self.need(lambda size: 1000 + 20 * abs(size - 4)), 4)

    def test_against_the_single_level(self):
        table = cycles(lambda size: 110 if size == 6 else 121)
        self.assertAlmostEqual(ready_queue.against_one(table, 6, "two-level:rr", ("a", "b")), 1.1)
        self.assertAlmostEqual(ready_queue.best_against_one(table, "two-level:rr", ("a", "b")), 1.1)
        self.assertEqual(ready_queue.best_for_all(table, "two-level:rr", ("a", "b")), 6)


class Words(unittest.TestCase):
    def test_of_a_ratio(self):
        self.assertEqual([ready_queue.more_or_fewer(ratio) for ratio in (1.05, 0.95, 1.0)],
                         ["5.0 % more", "5.0 % fewer", "0.0 % more"])
        self.assertEqual(ready_queue.change(0.9), "\u221210.0 %")

    def test_a_loss_and_a_gain(self):
        loss, gain = findings(lambda size: 110), findings(lambda size: 90)
        self.assertIn("10.0 % more cycles than `single:gto`", loss.words())
        self.assertIn("over 1 % more for 2 of 2 workloads", loss.words())
        self.assertIn("over 1 % more for 0 of 2 workloads", gain.words())

    def test_against_round_robin(self):
        for two, rr, words in ((90, 100, "improve on round robin and on GTO"),
                               (110, 120, "on round robin, but not on GTO"),
                               (110, 100, "neither on round robin nor on GTO"),
                               (95, 90, "on GTO, but not on round robin")):
            some = findings(lambda size, two=two: two)
            some.cycles.update({(None, ready_queue.SINGLE_RR, kernel): rr for kernel in ("a", "b")})
            self.assertIn(words, some.words())

    def test_without_other_workloads(self):
        some = findings(lambda size: 110)
        alone = ready_findings.Findings(some.gpu, ("a", "b"), (), some.cycles, some.in_ready, some.outside)
        self.assertIn("in the mean of the fourteen kernels. It takes", alone.words())

    def test_who_needs_more(self):
        self.assertIn("within 1 % of their best: a 12, b 12 warps.",
                      findings(lambda size: 100 if size >= 12 else 120).words())
        self.assertIn("within 1 % of their best: none.", findings(lambda size: 100).words())

    def test_every_table_has_its_rows(self):
        some = findings(lambda size: 100 + size)
        self.assertIn("| simple integer, single precision | 18 | 9 | 5 | 3 | 67 % |", some.bound())
        self.assertEqual(len(some.kernel_table().splitlines()), 4)


class Hardware(unittest.TestCase):
    def test_the_builds_of_the_study(self):
        builds = levels_in_hardware.builds()
        self.assertEqual([builds[0].scheduler, builds[0].ready], ["single:gto", None])
        self.assertIn(ready_queue.USUAL, [build.ready for build in builds])
        for build in builds:
            if build.ready == ready_queue.USUAL:
                self.assertEqual(levels_in_hardware.core_clock(build, "ports_mhz"), 1300)

    def test_words_follow_the_times(self):
        def times(two):
            return {(notion, build.ready, kernel): two if build.ready else 100 for build in levels_in_hardware.builds()
                    for notion in levels_in_hardware.NOTIONS for kernel in levels_in_hardware.KERNELS}
        self.assertIn("takes 10.0 % more time than `single:gto`", levels_in_hardware.words(times(110)))
        self.assertIn("takes 10.0 % less time than `single:gto`", levels_in_hardware.words(times(90)))
        self.assertIn("takes as much time as `single:gto`", levels_in_hardware.words(times(100)))

    def test_a_table_without_power_is_named(self):
        with (tempfile.TemporaryDirectory() as folder,
              mock.patch.object(synthesis_rows, "RESULTS", pathlib.Path(folder))):
            sections = [f"## {name}\n\n| configuration | {column} |\n| --- | --- |\n| x | 1 |\n"
                        for name, column in (("b", "area"), ("c", "dynamic mW at 100 MHz"))]
            (pathlib.Path(folder) / "a").with_suffix(".md").write_text("\n".join(["# a\n", *sections]))
            self.assertEqual(synthesis_rows.power("a", "c"), {"x": 1})
            with self.assertRaisesRegex(ValueError, "/a[.]md: no power of b"):
                synthesis_rows.power("a", "b")


class Pages(unittest.TestCase):
    def test_every_part_has_its_place(self):
        page = (EVIDENCE / "two_level.md").read_text(encoding="utf-8")
        for part in ("findings", "bound", "kernels", "hardware", "time"):
            self.assertEqual(page.count(f"<!-- scripts/study ready: {part} writes from here -->"), 1, part)


if __name__ == "__main__":
    unittest.main()
