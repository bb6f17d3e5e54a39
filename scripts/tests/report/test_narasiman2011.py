# SPDX-License-Identifier: MIT
"""The page on Narasiman et al.: its plan, its rules by hand, and the whole of it from made-up results."""

import contextlib
import itertools
import math
import re
import statistics
import unittest
from unittest import mock

from report import sets, store, verdict
from report.narasiman2011 import build, closed, controls, data, memory, paper, plan, setups, summary, toys
from report.narasiman2011.data import Results
from report.narasiman2011.figures import claims, exact, hardware
from report.narasiman2011.figures import controls as controls_figure
from tests.report import made_up_narasiman2011 as made_up
from tests.report import sections


@contextlib.contextmanager
def known(cycles, seeds: int = 2, **more):
    """Results whose cycles are a function of kernel, cell, scheduler and seed; `more` of a row likewise."""

    def rows(self, name):
        match = re.fullmatch(r"narasiman2011/(lwm_[^/]+)/(.+)-(\d+)", name)
        found = made_up.rows(name)
        if not match:
            return found
        return {scheduler: row | {"cycles": cycles(match[1], match[2], scheduler, int(match[3]))}
                | {key: value(match[1], match[2], scheduler, int(match[3])) for key, value in more.items()}
                for scheduler, row in found.items()}
    with mock.patch.object(Results, "_rows", rows):
        yield Results("small", seeds)


class Closed(unittest.TestCase):
    def test_figure_8_by_hand(self):
        expected = {(10, 100): ((427, 91), (355, 19), (427, 91)), (10, 60): ((387, 51), (336, 0), (387, 51)),
                    (20, 100): ((747, 91), (656, 0), (747, 91))}
        for (compute, later), cases in expected.items():
            for group, case in zip((16, 8, 4), cases):
                self.assertEqual(closed.figure_8(16, group, compute, later), case, (compute, later, group))

    def test_one_warp_alone(self):
        """Two instructions, seven cycles apart, and a load between them."""
        self.assertEqual(closed.figure_8(1, 1, 1, 100), (7 + 107 + 1, 112))

    def test_pipeline(self):
        for (warps, subwarps), expected in {(4, 1): 4 / 7, (1, 8): 8 / 14, (2, 16): 1, (2, 1): 2 / 7, (1, 32): 32 / 38}.items():
            self.assertAlmostEqual(closed.filled(warps, subwarps), expected)

    def test_random_masks_by_counting(self):
        """All masks of two rows and two columns."""
        for share in (0.0, 0.25, 1.0):
            mean = square = 0.0
            for mask in itertools.product((0, 1), repeat=4):
                odds = math.prod(share if bit else 1 - share for bit in mask)
                most = max(mask[0] + mask[1], mask[2] + mask[3])
                mean, square = mean + odds * most, square + odds * most ** 2
            found = closed.subwarps(2, share, 2)
            self.assertAlmostEqual(found[0], mean)
            self.assertAlmostEqual(found[1], math.sqrt(square - mean ** 2))

    def test_columns(self):
        self.assertEqual(closed.packed([0, 32, 64, 1, 33, 5]), 3)
        self.assertEqual(closed.packed([]), 0)
        self.assertEqual(closed.packed(range(0, 256, 2)), 8)

    def test_masks_that_are_drawn_are_about_binomial(self):
        for rows in (1, 8):
            mean, spread = closed.subwarps(rows, 0.25)
            masks = controls.TURNS * controls.THREADS // (32 * rows)
            self.assertLess(abs(controls.drawn_subwarps(rows, 250) - mean), 4 * spread / math.sqrt(masks) + 1e-9)
        self.assertEqual((controls.drawn_subwarps(8, 0), controls.drawn_subwarps(8, 1000)), (0, 8))


class Plan(unittest.TestCase):
    def test_every_setup_is_run_for_every_benchmark(self):
        runs = {run.name: run for run in plan.runs(1)}
        for kernel in plan.KERNELS:
            for name, (cell, scheduler) in setups.SETUPS.items():
                self.assertIn(scheduler, runs[plan.name_of(kernel, cell, 1)].schedulers, name)
                base, of = setups.base_of(cell)
                self.assertEqual(setups.CELLS[base].base, base)
                self.assertIn(of, runs[plan.name_of(kernel, base, 1)].schedulers, name)

    def test_names_are_those_of_files(self):
        names = [run.name for run in plan.runs(1)]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertRegex(name, r"^[\w./-]+$")

    def test_what_is_run_is_what_its_name_says(self):
        def words(name: str) -> list[str]:
            return store.arguments(sets.find("narasiman2011", f"narasiman2011/{name}"), "default")
        start = ["lwm_bfs", "--gpu", "lwm2011", "--engine", "model"]
        self.assertEqual(words("lwm_bfs/32-group4-2"),
                         [*start, "--set", "core.warp_rows=1", "--set", "scheduler.group=4", "--set", "noise.seed=2"])
        self.assertEqual(words("lwm_bfs/512-1"), [*start, "--set", "core.warp_rows=16", "--set", "scheduler.group=1", "--set",
                                                  "noise.seed=1", "--define", "threads=512"])
        self.assertIn("core.divergence=2", words("lwm_bfs/dwf-pdom-1"))
        self.assertIn("large.jump_once=false", words("lwm_bfs/by-rows-1"))
        self.assertIn("large.global_by_rows=true", words("lwm_bfs/by-rows-1"))

    def test_groups_divide_the_warps(self):
        for cell in setups.CELLS.values():
            if cell.group:
                self.assertEqual(setups.THREADS // setups.size(cell.rows) % cell.group, 0, cell.name)

    def test_a_large_warp_fits_its_block(self):
        for cell in setups.CELLS.values():
            self.assertLessEqual(setups.size(cell.rows), cell.block, cell.name)

    def test_names_mean_what_they_say(self):
        self.assertEqual(setups.SETUPS["LWM256+2Lev2"], ("256", setups.GROUP))
        self.assertEqual((setups.CELLS["256"].rows, setups.CELLS["256"].group), (8, 2))
        self.assertEqual(setups.SETUPS["2Lev8"], ("32", setups.GROUP))
        self.assertEqual(setups.base_of("512"), ("wide", setups.RR))
        for name in (*setups.SHORT.values(), *(name for its in setups.BEST_OF_ALL.values() for name in its)):
            self.assertIn(name, setups.SETUPS)

    def test_every_benchmark_and_control_has_its_workload(self):
        toys.write()
        for run in plan.runs(1):
            self.assertTrue(store.description(run.kernel).exists(), run.kernel)

    def test_long_programs_have_more_seeds(self):
        names = {run.name for run in plan.runs(2)}
        for cell in setups.CELLS.values():
            self.assertIn(plan.name_of("lwm_bfs", cell.name, 2), names)
            self.assertEqual(plan.name_of("lwm_bfs", cell.name, 6) in names, cell.long, cell.name)
            self.assertEqual(setups.CELLS[cell.base].times, cell.times, cell.name)
        with made_up.results():
            long = Results("small", 2).compare(["lwm_bfs"], "LWM, long", "baseline, long")
        self.assertEqual(len(plan.measured(2 * setups.LONGER)), 6)
        self.assertIsNotNone(long.low)

    def test_long_programs_have_the_size_full(self):
        words = store.arguments(sets.find("narasiman2011", "narasiman2011/lwm_reduction/long-256-1"), "default")
        self.assertEqual(words[-2:], ["--define", "n=16777216"])
        self.assertEqual(sets.find("narasiman2011", "narasiman2011/lwm_sort/long-32-1").definitions, ("elements=147456",))

    def test_groups_of_benchmarks(self):
        self.assertEqual({kernel for kernel, entry in paper.KERNELS.items() if entry["idle"] != "low"}, set(paper.GROUPS["idle"]))
        self.assertFalse(set(paper.GROUPS["idle"]) & set(paper.GROUPS["divergent"]))

    def test_the_other_memory_is_that_of_its_preset(self):
        words = dict(setting.split("=") for setting in memory.settings())
        self.assertEqual((words["l2.bytes"], words["core.clock_mhz"], words["l1.write_back"]), ("786432", "1300.0", "false"))
        self.assertNotIn("l1.array_bytes", words)


class Numbers(unittest.TestCase):
    ROW = {"cycles": 100, "retired_ipc": 10.5, **made_up.lanes({32: 10, 8: 30}, 100)}

    def test_lanes(self):
        self.assertEqual(data.lanes(self.ROW)[0], 60)
        self.assertAlmostEqual(data.idle(self.ROW), 0.6)
        self.assertAlmostEqual(data.active(self.ROW), 14)
        self.assertAlmostEqual(data.MEASURES["ipc"](self.ROW), 10.5)

    def test_every_number_of_lanes_is_in_one_bin(self):
        self.assertEqual([number for numbers in data.BINS.values() for number in numbers], list(range(33)))

    def test_bins(self):
        counts = {name: lambda *where, value=value: value for name, value in self.ROW.items() if name != "cycles"}
        with known(lambda *where: 100, **counts) as results:
            bins = results.bins("lwm_bfs", "LWM")
        self.assertAlmostEqual(bins["0"], 0.6)
        self.assertAlmostEqual(bins["8 to 15"], 0.3)
        self.assertAlmostEqual(bins["32"], 0.1)

    def test_classes(self):
        for active, kind in ((30.1, "low"), (30, "medium"), (20, "medium"), (19.9, "high")):
            self.assertEqual(paper.branch_class(active), kind)
        for idle, kind in ((0.19, "low"), (0.2, "medium"), (0.4, "medium"), (0.41, "high")):
            self.assertEqual(paper.idle_class(idle), kind)

    def test_speed_is_relative_to_the_baseline_with_the_same_blocks(self):
        cycles = {"32": 100, "256": 50, "wide": 400, "wide-256": 200, "512": 100}
        with known(lambda kernel, cell, scheduler, seed: cycles.get(cell, 100) * seed) as results:
            self.assertAlmostEqual(results.compare(plan.KERNELS, "LWM", "baseline").mean, 2)
            self.assertAlmostEqual(results.compare(plan.KERNELS, "LWM512", "baseline").mean, 4)
            self.assertAlmostEqual(results.compare(plan.KERNELS, "LWM512", "LWM").mean, 2)
            self.assertAlmostEqual(results.compare(plan.KERNELS, "LWM256, blocks of 512", "baseline").mean, 2)
            self.assertAlmostEqual(results.arithmetic(plan.KERNELS, "LWM512", "LWM").mean, 2)

    def test_another_memory_has_a_baseline_of_its_own(self):
        cycles = {"32": 100, "memory-32": 300, "memory-256": 200}
        with known(lambda kernel, cell, scheduler, seed: cycles.get(cell, 100)) as results:
            value = results.compare(plan.KERNELS, "LWM, other memory", "baseline, other memory")
        self.assertAlmostEqual(value.mean, 1.5)

    def test_the_better_priority_is_chosen_for_each_benchmark(self):
        cycles = {("lwm_bfs", "dwf-pdom"): 90, ("lwm_sort", "dwf-majority"): 80}
        with known(lambda kernel, cell, scheduler, seed: cycles.get((kernel, cell), 100)) as results:
            self.assertEqual(results.chosen("DWF", "lwm_bfs"), "DWF, PDOM")
            self.assertEqual(results.chosen("DWF", "lwm_sort"), "DWF, majority")
            self.assertAlmostEqual(results.compare(["lwm_sort"], "DWF", "baseline").mean, 1.25)

    def test_the_best_group_is_chosen_for_the_mean(self):
        with known(lambda kernel, cell, scheduler, seed: 80 if cell == "64-group8" else 100) as results:
            self.assertEqual(results.chosen("LWM64+2Lev"), "LWM64+2Lev8")
            self.assertAlmostEqual(results.compare(plan.KERNELS, "LWM64+2Lev", "baseline").mean, 1.25)


class Claims(unittest.TestCase):
    def read(self, results: Results, **claim) -> verdict.Reading:
        return claims.read(results, claim)

    def test_shares(self):
        for idle_cycles, told in ((950, verdict.HOLDS), (930, verdict.HOLDS), (900, verdict.FAILS)):
            counts = made_up.lanes({32: 1000 - idle_cycles}, 1000)
            shares = {name: lambda *where, value=value: value for name, value in counts.items()}
            with known(lambda *where: 1000, **shares) as results:
                self.assertEqual(self.read(results, **paper.CLAIMS["baseline"][0]).verdict, told, idle_cycles)

    def test_classes_are_those_of_table_2(self):
        counts = made_up.lanes({32: 900}, 1000)
        with known(lambda *where: 1000, **{name: lambda *where, value=value: value for name, value in counts.items()}) as results:
            reading = self.read(results, measure="class", **{"class": "idle"}, kernels="all", of="baseline")
        self.assertEqual(reading.verdict, verdict.FAILS)
        self.assertTrue(reading.ours.startswith("5 of 12; not: blackscholes (low), "), reading.ours)

    def test_orders_of_groups_lists_and_several_setups(self):
        fast = {"256": 90, "32": 100, "64": 95, "128": 110}
        with known(lambda kernel, cell, scheduler, seed: fast.get(cell, 100) + (5 if kernel == "lwm_sort" else 0)) as results:
            self.assertEqual(self.read(results, kernels="all", of="LWM", over="baseline").verdict, verdict.HOLDS)
            self.assertEqual(self.read(results, kernels="all", of="LWM", over="baseline", **{"is": "less"}).verdict,
                             verdict.REVERSE)
            self.assertEqual(self.read(results, kernels="all", of="LWM", over=["baseline", "LWM64", "LWM128"]).verdict,
                             verdict.HOLDS)
            self.assertEqual(self.read(results, kernels="all", of="LWM64", over=["baseline", "LWM"]).verdict, verdict.FAILS)
            self.assertEqual(self.read(results, kernels=["lwm_bfs", "lwm_sort"], of="LWM128", over="baseline",
                                       **{"is": "less"}).verdict, verdict.HOLDS)

    def test_the_same_cycles(self):
        with known(lambda kernel, cell, scheduler, seed: 101 if (kernel, cell) == ("lwm_sort", "256-group4") else 100) as results:
            reading = self.read(results, measure="same", kernels="all", of="LWM+2Lev4", over="LWM")
        self.assertEqual(reading, verdict.Reading("11 of 12; not: sort", verdict.FAILS))

    def test_without_results_a_claim_cannot_be_told(self):
        with made_up.results("lwm_bfs"):
            results = Results("small", 2, [kernel for kernel in plan.KERNELS if kernel != "lwm_bfs"])
            self.assertEqual(self.read(results, **paper.CLAIMS["baseline"][0]).verdict, verdict.UNKNOWN)
        with made_up.results("toys"):
            self.assertEqual(self.read(Results("small", 2), measure="jump"), verdict.Reading("no results", verdict.UNKNOWN))

    def test_every_claim_is_judged_and_counted(self):
        with made_up.results():
            results = Results("small", 2)
            found = claims.rows(results)
            self.assertEqual(set(found), set(claims._TITLES))
            self.assertEqual(sum(claims.counts(results).values()), sum(map(len, paper.CLAIMS.values())))
            self.assertTrue(all(row.reading.verdict in verdict.ALL for rows in found.values() for row in rows))

    def test_all_numbers_of_claims_are_there(self):
        numbers = {claim["id"] for its in paper.CLAIMS.values() for claim in its}
        self.assertEqual(numbers, {f"C{number}" for number in range(1, 19)})


class Exact(unittest.TestCase):
    def test_all_cases_agree(self):
        with made_up.results():
            results = Results("small", 2)
            self.assertTrue(all(reckoned == simulated for _, reckoned, simulated in exact.figure_8(results)))
            self.assertTrue(all(later == found for later, found in exact.loads(results)))
            self.assertEqual(exact.jump(results).verdict, verdict.HOLDS)

    def test_a_cycle_more_is_seen(self):
        name = toys.figure_8(10, 60, 8).name
        row = made_up.rows(name)[setups.GROUP]
        with (made_up.results(), mock.patch.dict(made_up.TOYS[name], {setups.GROUP: row | {"cycles": row["cycles"] + 1}})):
            made_up.rows.cache_clear()
            wrong = [case for case, reckoned, simulated in exact.figure_8(Results("small", 2)) if reckoned != simulated]
        made_up.rows.cache_clear()
        self.assertEqual(wrong, [(10, 60, 8)])

    def test_starvation(self):
        with made_up.results():
            results = Results("small", 2)
            self.assertAlmostEqual(exact.hidden(results, setups.GROUP), 0, places=2)
            self.assertGreater(exact.hidden(results, setups.RR), 0.5)
            self.assertEqual(exact.starvation(results).verdict, verdict.FAILS)

    def test_random_masks(self):
        with made_up.results():
            table, hits = controls_figure._random(Results("small", 2))
        self.assertEqual(hits, len(table))


class Hardware(unittest.TestCase):
    TABLE = (
        {"top": "paws_subwarp_packer", "LANES": "32", "ROWS": "8", "MODES": "7", "flipflops": "258", "ge": "4000",
         "fmax_mhz": "200"},
        {"top": "paws_branch_masks", "LANES": "32", "ROWS": "8", "BUFFERS": "1", "flipflops": "256", "ge": "2000",
         "fmax_mhz": "300"},
        {"top": "paws_branch_masks", "LANES": "32", "ROWS": "8", "BUFFERS": "2", "flipflops": "512", "ge": "3000",
         "fmax_mhz": "300"},
        {"top": "paws_fetch_group", "WARPS": "32", "GROUP": "8", "TIMEOUT": "", "flipflops": "6", "ge": "400", "fmax_mhz": "190"},
        {"top": "paws_single_level", "WARPS": "32", "POLICIES": "1", "AGE_LIMIT": "0", "flipflops": "6", "ge": "390",
         "fmax_mhz": "200"},
        {"top": "paws_single_level", "WARPS": "32", "POLICIES": "7", "AGE_LIMIT": "0", "flipflops": "9", "ge": "900",
         "fmax_mhz": "150"})

    def test_storage(self):
        with mock.patch.object(hardware, "_tables", lambda: self.TABLE):
            reading = hardware.storage(None)
            self.assertIn("256 bits of the branch masks are needless", reading.ours)
            self.assertIn("So 994 are needed", reading.ours)
            self.assertEqual(reading.verdict, verdict.FAILS)
            self.assertEqual(hardware.structures(None), verdict.Reading("258 + 512 flip-flops", verdict.HOLDS))
            self.assertEqual(hardware.group_storage(None).verdict, verdict.HOLDS)

    def test_without_synthesis_it_cannot_be_told(self):
        with mock.patch.object(hardware, "_tables", lambda: ()):
            self.assertEqual(hardware.storage(None).verdict, verdict.UNKNOWN)
            self.assertEqual(hardware.structures(None).verdict, verdict.UNKNOWN)
            self.assertEqual(hardware.group_storage(None).verdict, verdict.UNKNOWN)
            with made_up.results():
                section = hardware.section(Results("small", 2))
            self.assertEqual(len(section.parts), 1)

    def test_cycles_times_area(self):
        with (mock.patch.object(hardware, "_tables", lambda: self.TABLE),
              known(lambda kernel, cell, scheduler, seed: 50 if cell == "256" else 100) as results):
            rows = {row[0]: row for row in hardware._worth(results)}
        self.assertEqual(rows["baseline"][3:5], ["+0.00 %", "1.000"])
        self.assertEqual(rows["LWM"][1], "6,390")
        self.assertTrue(rows["LWM"][4].startswith("0.50"))


class Sections(sections.OfAPage, unittest.TestCase):
    made_up = made_up

    def test_summary_has_every_setup_and_benchmark(self):
        with made_up.results():
            found = summary.rows(Results("small", 2))
        for name in setups.SETUPS:
            if name != "baseline":
                self.assertTrue(any(row["of"] == name and row["kernel"] == "lwm_bfs" for row in found), name)
        self.assertTrue(all(row["low"] <= row["mean"] <= row["high"] for row in found))
        self.assertTrue(all(math.isfinite(row["mean"]) for row in found))

    def test_mean_over_benchmarks_and_runs(self):
        with known(lambda *where: 100, retired_ipc=lambda kernel, cell, scheduler, seed: 100 * len(kernel) * seed) as results:
            value = results.mean("ipc", plan.KERNELS, "LWM")
        self.assertAlmostEqual(value.mean, 150 * statistics.fmean(map(len, plan.KERNELS)))


class Pages(sections.OnDisk, unittest.TestCase):
    """The whole page from made-up results on disk."""

    made_up, build, failed = made_up, build, "lwm_sort"


if __name__ == "__main__":
    unittest.main()
