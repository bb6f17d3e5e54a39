# SPDX-License-Identifier: MIT
"""The page on Lee et al.: its plan, its rules by hand, and the whole of it from made-up results."""

import html
import contextlib
import itertools
import json
import math
import pathlib
import re
import tempfile
import unittest
from unittest import mock

from report import command, index_page, papers, paths, sets, store, timelines, verdict
from report.lee2014 import build, paper, plan, setups, summary, types
from report.lee2014.data import Results
from report.lee2014.figures import beyond, claims, concurrent, hardware
from report.narasiman2011 import build as narasiman2011_build
from report.paws import committed
from report.section import Section, Table
from tests.report import made_up_lee2014, sections


@contextlib.contextmanager
def known(cycles, seeds: int = 2, **more):
    """Results whose cycles are a function of kernel, cell, scheduler and seed; `more` of a row likewise."""

    def rows(self, name):
        kernel, cell, seed = re.fullmatch(r"lee2014/([^/]+)/(.+)-(\d+)", name).groups()
        found = {}
        for scheduler, row in made_up_lee2014.rows(name).items():
            where = kernel, cell, scheduler, int(seed)
            found[scheduler] = row | {"cycles": cycles(*where)} | {key: value(*where) for key, value in more.items()}
        return found
    with mock.patch.object(Results, "_rows", rows):
        yield Results("small", seeds)


def limits(*numbers: int) -> list[dict]:
    """per_launch of launches with these limits."""
    return [{"block_limits": [{"limit": number}]} for number in numbers]


class Types(unittest.TestCase):
    def test_each_type(self):
        for speeds, kind, opt in (([0.5, 0.8, 1.0], "I", 3), ([0.5, 0.99, 1.0], "II", 2), ([1.2, 1.1, 1.0], "III", 1),
                                  ([0.9, 1.1, 1.0], "IV", 2), ([0.99, 1.0, 1.01], "flat", 1), ([0.5, 1.0], "I", 2)):
            with self.subTest(kind):
                self.assertEqual((types.kind(speeds), types.opt(speeds)), (kind, opt))


class Plan(unittest.TestCase):
    def test_kernels_are_run_for_every_limit_and_setup(self):
        runs = {run.name: run for run in plan.runs(1)}
        for kernel, entry in paper.KERNELS.items():
            needed = [setups.find(name, kernel) for name in (*setups.SETUPS, *setups.BEST, "1 block")]
            needed += [setups.with_limit(kernel, limit) for limit in range(1, entry["t_max"] + 1)]
            for cell, scheduler in needed:
                self.assertIn(scheduler, runs[plan.name_of(kernel, cell, 1)].schedulers, (kernel, cell))
        for name, (cell, scheduler) in setups.ABLATIONS.items():
            for kernel in paper.group(setups.CELLS[cell].only, plan.KERNELS):
                self.assertIn(scheduler, runs[plan.name_of(kernel, cell, 1)].schedulers, (kernel, name))
        for pair in paper.PAIRS:
            for name in ("CKE", "mCKE", "mCKE, T of ours", "mCKE, the rest taken"):
                self.assertIn(plan.name_of(pair, setups.find(name, pair)[0], 1), runs)

    def test_blocks_without_threads_in_y_are_never_paired(self):
        for run in plan.runs(1):
            if run.kernel in paper.KERNELS and not paper.two_dimensional(run.kernel):
                self.assertNotIn("bcs", run.blocks)
        self.assertEqual(setups.find("LCS+BCS", "km"), ("lcs", setups.GTO))
        self.assertEqual(setups.find("LCS+BCS", "lps"), ("lcs+bcs", setups.SCA))

    def test_what_is_run_is_what_its_name_says(self):
        run = sets.find("lee2014", "lee2014/matmul/limit-2-1")
        words = store.arguments(run, "default")
        self.assertEqual(words, ["matmul", "--gpu", "lee28", "--engine", "model", "--set", "noise.seed=1", "--define", "rows=432",
                                 "--define", "columns=512", "--define", "inner=96", "--blocks", "limit:2"])
        self.assertEqual(store.arguments(sets.find("lee2014", "lee2014/km/ccws-2"), "default")[-2:], ["--throttle", "ccws"])
        self.assertEqual(sets.find("lee2014", "lee2014/cp_lps/mcke-1").blocks, "mcke:3,5")
        self.assertEqual(sets.find("lee2014", "lee2014/kmn_srad/mcke-ours-1").blocks, "mcke:5,3")

    def test_ablations_run_where_they_can_change_something(self):
        self.assertEqual(paper.group("odd", plan.KERNELS), ["matmul", "bp_k2"])
        self.assertEqual(paper.group("launches", plan.KERNELS), ["bfs"])

    def test_random_choices_differ_from_run_to_run(self):
        drawn = {run.settings for run in plan.runs(3) if run.name.startswith("lee2014/lps/random-limit")}
        self.assertEqual(len(drawn), 3)

    def test_every_kernel_and_pair_has_its_workload(self):
        for kernel in (*paper.KERNELS, *paper.PAIRS):
            self.assertTrue(store.description(kernel).exists(), kernel)

    def test_every_perturbed_run_has_work(self):
        self.assertTrue(all(run.work > 0 for run in plan.runs(1)))


class Numbers(unittest.TestCase):
    def test_speed_is_the_others_cycles_over_its_own(self):
        with known(lambda kernel, cell, scheduler, seed: (80 if cell == "lcs" else 100) * seed) as results:
            value = results.compare(["km", "lps"], "LCS", "GTO")
        self.assertAlmostEqual(value.mean, 1.25)
        self.assertAlmostEqual(value.low, 1.25)

    def test_the_best_limit(self):
        slow = {"limit-1": 200, "limit-2": 80, "limit-3": 100}
        with known(lambda kernel, cell, scheduler, seed: slow.get(cell, 100)) as results:
            self.assertEqual(results.sweep("mum", 1), [0.5, 1.25, 1, 1])
            self.assertEqual(results.best("mum")[0], 2)
            self.assertEqual(results.opt("mum"), 2)
            self.assertEqual(results.kinds("mum"), ["IV", "IV"])
            self.assertAlmostEqual(results.best_speed(["mum"]).mean, 1.25)

    def test_limits_that_do_not_fit_the_plan_are_an_error(self):
        with (known(lambda *where: 100, kernels=lambda *where: [{"blocks_per_core": 7}]) as results,
              self.assertRaisesRegex(ValueError, "mum has t_max 4, but 7 blocks fit")):
            results.t_max("mum")

    def test_a_measure_that_is_zero_for_both_is_the_same(self):
        with known(lambda *where: 100, L1D_total_cache_miss_rate=lambda *where: 0) as results:
            self.assertEqual(results.compare(["cp"], "BCS+SCA", "GTO", "l1_misses").mean, 1)


class Claims(unittest.TestCase):
    def read(self, results: Results, **claim) -> verdict.Reading:
        return claims.read(results, claim)

    def test_types(self):
        fall = {"limit-1": 50, "limit-2": 60, "limit-3": 70}
        with known(lambda kernel, cell, scheduler, seed: fall.get(cell, 100) if seed == 1 or kernel == "mum" else 100) as results:
            def told(kernel: str, kind: str) -> str:
                return self.read(results, measure="type", kernels=[kernel], **{"is": kind}).verdict
            self.assertEqual(told("mum", "III"), verdict.HOLDS)
            self.assertEqual(told("mum", "I"), verdict.FAILS)
            self.assertEqual(told("fdtd", "III"), verdict.UNKNOWN)  # under one perturbation of two
            self.assertEqual(told("mum", "falls"), verdict.HOLDS)

    def test_limits(self):
        per_launch = {"lcs": limits(2, 2), "lcs+bcs": limits(3, 3)}
        with known(lambda *where: 100, per_launch=lambda kernel, cell, *rest: per_launch.get(cell, [])) as results:
            def told(relation: str, **more) -> str:
                return self.read(results, measure="limit", of=more.pop("of", "LCS"), kernels=["matmul"], **{"is": relation},
                                 **more).verdict
            self.assertEqual(told("equal", limit=2), verdict.HOLDS)
            self.assertEqual(told("equal", limit=3), verdict.FAILS)
            self.assertEqual(told("whole"), verdict.FAILS)  # T_max is 3
            self.assertEqual(told("near"), verdict.HOLDS)   # flat: 1 is the fewest of the best
            self.assertEqual(told("higher", of="LCS+BCS", over="LCS"), verdict.HOLDS)
            self.assertEqual(told("higher", of="LCS", over="LCS+BCS"), verdict.FAILS)

    def test_groups_and_orders(self):
        fast = {"lps": 50, "km": 200}
        with known(lambda kernel, cell, scheduler, seed: fast.get(kernel, 100) if cell in ("bcs", "lcs") else 100) as results:
            common = {"of": "BCS+SCA", "over": "GTO"}
            self.assertEqual(self.read(results, kernels="2D", **common).verdict, verdict.HOLDS)
            self.assertEqual(self.read(results, kernels="2D", **common, **{"is": "less"}).verdict, verdict.REVERSE)
            most = self.read(results, kernels="most", **common, **{"is": "reaches"}, percent=170.0)
            self.assertEqual((most.ours[:3], most.verdict), ("LPS", verdict.HOLDS))
            each = self.read(results, kernels=["lps", "conv"], **common)
            self.assertEqual(each.verdict, verdict.UNKNOWN)  # CONV is as fast
            self.assertEqual(self.read(results, kernels=["km"], of="LCS", over="GTO").verdict, verdict.REVERSE)

    def test_blocks_that_start_at_once(self):
        with known(lambda *where: 100, blocks=lambda *where: 196) as results:
            claim = {"measure": "wave", "kernels": ["mum"]}
            self.assertEqual(self.read(results, **claim, percent=57), verdict.Reading("57 %", verdict.HOLDS))
            self.assertEqual(self.read(results, **claim, percent=58).verdict, verdict.FAILS)

    def test_what_is_not_modelled(self):
        with known(lambda *where: 100) as results:
            self.assertEqual(self.read(results, measure="energy", kernels="all", of="LCS", over="GTO").verdict,
                             verdict.UNMODELLED)

    def test_at_most(self):
        with known(lambda *where: 100, L1D_total_cache_miss_rate=lambda kernel, cell, *rest: 0.3 if cell == "bcs" else 0.5
                   ) as results:
            claim = {"measure": "l1_misses", "kernels": ["matmul"], "of": "BCS+SCA", "over": "GTO", "is": "at most"}
            self.assertEqual(self.read(results, **claim, percent=70.0).verdict, verdict.HOLDS)
            self.assertEqual(self.read(results, **claim, percent=50.0).verdict, verdict.FAILS)

    def test_without_results_of_its_kernels_a_claim_cannot_be_told(self):
        with made_up_lee2014.results("lps"):
            results = Results("small", 2, [kernel for kernel in plan.KERNELS if kernel != "lps"])
            self.assertEqual(self.read(results, measure="limit", kernels=["lps"], of="LCS", limit=3, **{"is": "equal"}),
                             verdict.Reading("no results", verdict.UNKNOWN))

    def test_every_claim_is_judged_and_counted(self):
        with made_up_lee2014.results():
            results = Results("small", 2)
            found = claims.rows(results)
            self.assertEqual(set(found), set(claims._TITLES))
            self.assertEqual(sum(claims.counts(results).values()), sum(map(len, paper.CLAIMS.values())))
            self.assertTrue(all(row.reading.verdict in verdict.ALL for rows in found.values() for row in rows))


class Timelines(unittest.TestCase):
    """A core with two warp slots: block 4 in the first one, then block 6; block 5 in the second one."""

    def setUp(self):
        names = {1: "scheduler 0 warp 0", 2: "scheduler 0 warp 0 state", 3: "scheduler 1 warp 0", 4: "scheduler 1 warp 0 state",
                 5: "block from slot 0"}
        events = [{"ph": "M", "name": "thread_name", "pid": 0, "tid": number, "args": {"name": name}}
                  for number, name in names.items()]

        def add(track: int, name: str, start: int, length: int, core: int = 0) -> None:
            events.append({"ph": "X", "name": name, "pid": core, "tid": track, "ts": start, "dur": length})
        for track, block, start, end in ((1, 4, 0, 900), (3, 5, 2, 2000), (1, 6, 950, 1900)):
            add(track, f"block {block} warp 0", start, end - start)
            add(5, f"block {block}", start, end - start)
        for track, times in ((2, (10, 20, 600, 960)), (4, (30, 899, 1200))):
            for time in times:
                add(track, "issue", time, 1)
        add(5, "block 7", 1, 5, core=1)
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.file = pathlib.Path(folder) / "timeline.json"
        self.file.write_text(json.dumps({"traceEvents": events}))

    def test_places(self):
        self.assertEqual(timelines.places(self.file), {"0": [4, 5, 6], "1": [7]})

    def test_counts_until_the_first_block_ends(self):
        self.assertEqual(timelines.STEP, 500)
        self.assertEqual(timelines.counts(self.file), {"4": [0, 2, 3], "5": [0, 1, 2]})


class Sections(sections.OfAPage, unittest.TestCase):
    made_up = made_up_lee2014

    def test_limits_that_moved_are_named(self):
        with made_up_lee2014.results():
            results = Results("small", 2)
            notes = build.sweep.section(results).notes
            moved = [kernel for kernel in plan.KERNELS if results.opt(kernel) != paper.KERNELS[kernel]["opt"]]
        self.assertTrue(moved)
        self.assertTrue(all(paper.label(kernel) in notes[-1] for kernel in moved))

    def test_pairs_that_are_missing_leave_the_others(self):
        with made_up_lee2014.results("cp_lps"):
            results = Results("small", 2, pairs=[pair for pair in plan.PAIRS if pair != "cp_lps"])
            table = next(part for part in concurrent.section(results).parts if isinstance(part, Table))
        self.assertEqual(len(table.rows), len(plan.PAIRS) - 1)

    def test_phase_awareness_is_answered(self):
        gain = {"single:paws": 80}
        with known(lambda kernel, cell, scheduler, seed: gain.get(scheduler, 100)) as results:
            self.assertIn("with the best number of each kernel it is +25.0 % ±0.0 (a gain)", beyond.section(results).text[0])

    def test_hardware_has_the_monitor(self):
        with made_up_lee2014.results():
            table = hardware.section(Results("small", 2)).parts[0]
        row = next(row for row in table.rows if row[0].startswith("block monitor"))
        self.assertGreater(float(row[2].replace(",", "")), 1000)
        areas = {row[0]: float(row[2].replace(",", "")) for row in table.rows[:-2]}
        self.assertGreater(areas["`single:sca`"], areas["`single:gto`"])

    def test_summary_has_every_setup_and_kernel(self):
        with made_up_lee2014.results():
            found = summary.rows(Results("small", 2))
        for name in (*setups.SETUPS, *setups.BEST):
            if name != "GTO":
                self.assertTrue(any(row["of"] == name and row["kernel"] == "km" for row in found), name)
        self.assertTrue(all(row["low"] <= row["mean"] <= row["high"] for row in found))
        self.assertTrue(all(math.isfinite(row["mean"]) for row in found))


class Pages(sections.OnDisk, unittest.TestCase):
    """The whole page from made-up results on disk."""

    made_up, build, failed = made_up_lee2014, build, "tran"

    def test_the_index_keeps_what_other_papers_said(self):
        paths.REPORT.mkdir()
        for each in (papers.PAWS, papers.LEE2014):
            (paths.REPORT / f"{each.page}.html").write_text("")
        index_page.write(papers.PAWS, Section("answer", "A", ["PAWS says one."]), "made")
        index_page.write(papers.LEE2014, Section("answer", "A", ["Lee says two."]), "made")
        text = (paths.REPORT / "index.html").read_text()
        self.assertLess(text.index("PAWS says one."), text.index("Lee says two."))
        # What is said comes before what the paper is about, and only pages that are there are linked.
        self.assertLess(text.index("Lee says two."), html.unescape(text).index(papers.LEE2014.about))
        self.assertEqual(re.findall(r'href="([^"]+)"', text), [f"{paper.page}.html" for paper in (papers.PAWS, papers.LEE2014)])

    def test_each_committed_page_has_a_command_of_its_own(self):
        commands = {committed.PAGE.command, build.REPORT.committed.command,
                    narasiman2011_build.REPORT.committed.command}
        self.assertEqual(len(commands), 3)


class CommandLine(unittest.TestCase):
    def chosen(self, *words: str) -> list[str]:
        with mock.patch("sys.argv", ["reproduce", *words]):
            return [each.name for each in command.chosen(command.parse())]

    def test_papers(self):
        self.assertEqual(self.chosen(), ["paws", "lee2014", "narasiman2011"])
        for name in ("lee2014", "narasiman2011"):
            self.assertEqual(self.chosen("--paper", name, "--quick"), [name])
        self.assertEqual(self.chosen("--size", "full"), ["paws"])
        self.assertEqual(self.chosen("--sensitivity"), ["paws"])

    def test_what_a_paper_does_not_have_is_refused(self):
        for paper_name, words in itertools.product(("lee2014", "narasiman2011"),
                                                   (["--size", "full"], ["--time"], ["--sensitivity"])):
            with (self.subTest(words), mock.patch("sys.stderr"), self.assertRaises(SystemExit) as refused):
                self.chosen("--paper", paper_name, *words)
            self.assertEqual(refused.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
