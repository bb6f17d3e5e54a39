# SPDX-License-Identifier: MIT
"""Results are found again only while nothing they depend on has changed, and what has is named."""

import contextlib
import pathlib
import re
import tempfile
import unittest
from unittest import mock

from lib import policies
from report import clocks, made_from, output, paths, progress, sets, simulate, store
from report.parts import synthesis_rows
from report.paws import plan, sizes
from report.run import Run

_RUN = Run("m2090/km/test", "km", ("single:rr",))
_ROWS = [{"scheduler": "single:rr", "cycles": 5}]


@contextlib.contextmanager
def world(folder: pathlib.Path, program: str = "p", preset: str = "g", kernel: str = "k",
          script: str = "s"):
    with (mock.patch.object(paths, "CACHE", folder), mock.patch.object(store, "program", lambda: program),
          mock.patch.object(store, "_preset", lambda gpu: preset),
          mock.patch.object(store, "_workload", lambda name: kernel),
          mock.patch.object(store, "_scripts", lambda: script)):
        yield


def keep(run: plan.Run, size: str = "small") -> None:
    store.keep(run, size, _ROWS, store.parts(run, size), store.path(run, size))


class Store(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)
        with world(self.folder):
            self.assertEqual(store.status(_RUN, "small"), store.Status("missing"))
            keep(_RUN)

    def test_what_is_kept_is_read_again(self):
        with world(self.folder):
            self.assertEqual(store.status(_RUN, "small"), store.Status("fresh"))
            self.assertEqual(store.read(_RUN, "small"), _ROWS)
            self.assertEqual(store.status(_RUN, "default"), store.Status("missing"))

    def test_a_size_is_shown_when_all_its_runs_are_there(self):
        with world(self.folder):
            self.assertIsNone(sizes.results("full"))
            plain, perturbed = (plan.claims_runs("full", seeds) for seeds in (0, plan.FULL_SEEDS))
            for run in plain[1:]:
                keep(run, "full")
            shared = len(set(plain[1:]) & set(perturbed))
            self.assertEqual(sizes.there("full"), (shared, len(perturbed)))
            self.assertIsNone(sizes.results("full"))
            keep(plain[0], "full")
            self.assertEqual(sizes.results("full").perturbed, 0)
            for run in perturbed:
                keep(run, "full")
            self.assertEqual(sizes.results("full").perturbed, plan.FULL_SEEDS)
            self.assertIsNone(sizes.results("default"))

    def test_what_has_changed_is_named(self):
        for change, name in (({"program": "q"}, "program"), ({"preset": "h"}, "GPU preset"),
                             ({"kernel": "l"}, "kernel"), ({"script": "t"}, "script")):
            with self.subTest(name), world(self.folder, **change):
                self.assertEqual(store.status(_RUN, "small"), store.Status("stale", (name,)))
                with self.assertRaises(store.Missing):
                    store.read(_RUN, "small")

    def test_why_a_run_failed_is_kept_until_it_is_tried_again(self):
        other = Run("m2090/lud/test", "lud", ("single:rr",))
        with world(self.folder):
            store.keep_failure(other, "small", "out of patience")
            self.assertEqual(store.failure(other, "small"), "out of patience")
            self.assertEqual(store.status(other, "small"), store.Status("missing"))
            with self.assertRaisesRegex(store.Missing, "m2090/lud/test: out of patience"):
                store.read(other, "small")
            self.assertEqual(output.left_out([_RUN, other], "small"), {"lud": "m2090/lud/test: out of patience"})
            keep(other)
            self.assertEqual(store.failure(other, "small"), "")
            self.assertEqual(output.left_out([_RUN, other], "small"), {})
            store.keep_failure(other, "small", "once more")
            store.forget_failures([other], "small")
            self.assertEqual(store.failure(other, "small"), "")

    def test_a_simulation_that_fails_is_told_from_one_that_is_interrupted(self):
        paws = self.folder / "paws"
        paws.write_text('#!/bin/sh\necho "paws: lud under single:rr: illegal access" >&2\nexit $STATUS\n')
        paws.chmod(0o755)
        with world(self.folder), mock.patch.object(paths, "PAWS", paws):
            for status, error in (("1", simulate.Failed), ("2", simulate.Failed), ("130", SystemExit)):
                with (self.subTest(status), mock.patch.dict("os.environ", STATUS=status),
                      self.assertRaisesRegex(error, "illegal access")):
                    simulate.simulate(_RUN, "small")

    def test_another_configuration_makes_it_stale(self):
        other = Run(_RUN.name, _RUN.kernel, _RUN.schedulers, ("scheduler.ready=3",))
        with world(self.folder):
            self.assertEqual(store.status(other, "small"), store.Status("stale", ("configuration",)))

    def test_new_results_replace_stale_ones(self):
        with world(self.folder, program="q"):
            keep(_RUN)
            self.assertEqual(store.status(_RUN, "small"), store.Status("fresh"))
        with world(self.folder):
            self.assertEqual(store.status(_RUN, "small").state, "stale")
        self.assertEqual(len(list(self.folder.rglob("*.json"))), 1)

    def test_runs_with_a_name_in_common_do_not_replace_each_other(self):
        longer = Run(_RUN.name + "-2", "km", ("single:rr",))
        with world(self.folder):
            keep(longer)
            keep(_RUN)
            self.assertEqual(store.status(longer, "small").state, "fresh")

    def test_a_page_is_of_its_results_alone(self):
        page = self.folder / "page.html"
        with world(self.folder):
            page.write_text(f"<p>{made_from.words([_RUN], 'small')}</p>")
            self.assertTrue(made_from.is_of(page, [_RUN], "small"))
            self.assertFalse(made_from.is_of(page, [_RUN], "default"))
        with world(self.folder, program="q"):
            self.assertFalse(made_from.is_of(page, [_RUN], "small"))
        page.write_text("<p>Made by hand.</p>")
        with world(self.folder):
            self.assertFalse(made_from.is_of(page, [_RUN], "small"))


class Plan(unittest.TestCase):
    def test_names_are_unique_and_found(self):
        for name, runs in sets.SETS.items():
            with self.subTest(name):
                names = [run.name for run in runs()]
                self.assertEqual(len(names), len(set(names)))
        self.assertEqual(sets.find("quick", "m2090/km/static-0").kernel, "km")

    def test_a_name_means_the_same_in_every_set(self):
        runs = {run for runs in sets.SETS.values() for run in runs()}
        self.assertEqual(len(runs), len({run.name for run in runs}))

    def test_every_policy_of_every_machine_is_run_once(self):
        runs = [run for run in plan.quick_runs() if run.kernel == "km" and not run.sample]
        static = [(run.settings, name) for run in runs for name in run.schedulers
                  if "static" in run.name]
        self.assertEqual(len(static), len(set(static)))
        self.assertEqual(len(static), 6)

    def test_times_are_run_at_the_clock_of_each_scheduler(self):
        with mock.patch.object(clocks, "build", lambda name, ready: clocks.Build(
                dict.fromkeys(("ports", "registered"), 150 if name == "two-level:paws" else 200), 1)):
            runs = plan.times(range(1, 3), plan.TIME_NOTIONS)
        # The other clocks are RR's, and both notions are the same.
        self.assertEqual(len(runs), 2 * len(plan.KERNELS))
        self.assertEqual({run.schedulers for run in runs}, {("two-level:paws",)})
        self.assertTrue(all("core.clock_mhz=975.0" in run.settings for run in runs))


class Clocks(unittest.TestCase):
    SCA = next(policy.bit for policy in policies.in_rtl("single") if policy.name == "sca")

    def read(self, *rows: str, header: str = "top,AGE_LIMIT,HELD_LENGTH,POLICIES,READY,WARPS,ge,fmax_mhz,reg_reg_ns,in_reg_ns,"
                                             "reg_out_ns,in_out_ns") -> dict:
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(synthesis_rows, "RESULTS", pathlib.Path(folder)):
            table = pathlib.Path(folder) / f"{clocks.LIBRARY}.csv"
            table.write_text("\n".join(["set," + header, *(f"some,{row}" for row in rows), f"other,{rows[0]}"]))
            return clocks.read_builds.__wrapped__("some")  # not kept for other tests

    def test_ready_queues_are_told_apart(self):
        builds = self.read("paws_two_level,0,0,2,6,24,700,250,4,2,2,1",
                           "paws_two_level,0,0,2,3,24,600,260,3,2,2,1",
                           "paws_two_level,0,0,2,6,32,900,240,4,2,2,1",
                           "paws_two_level,0,0,7,6,24,900,240,4,2,2,1",
                           "paws_two_level,64,0,2,6,24,900,240,4,2,2,1",
                           "paws_single_level,0,,1,,24,300,100,3,4,5,5")
        self.assertEqual(builds, {
            ("two-level:gto", 6): clocks.Build({"ports": 250, "registered": 250, "registers": 250}, 700),
            ("two-level:gto", 3): clocks.Build({"ports": 260, "registered": 1000 / 3,
                                                "registers": 1000 / 3}, 600),
            ("single:rr", None): clocks.Build({"ports": 100, "registered": 200, "registers": 1000 / 3},
                                              300)})

    def test_sca_has_the_pairs_of_eight_block_slots(self):
        builds = self.read(f"paws_single_level,{self.SCA},3,24,900,100,2,2,2,2",
                           f"paws_single_level,{self.SCA},5,24,950,100,2,2,2,2",
                           header="top,POLICIES,PAIR_W,WARPS,ge,fmax_mhz,reg_reg_ns,in_reg_ns,reg_out_ns,in_out_ns")
        self.assertEqual({which: build.gates for which, build in builds.items()}, {("single:sca", None): 900})

    def test_what_is_there_twice_or_missing_is_an_error(self):
        row = "paws_two_level,0,0,2,6,24,700,250,4,2,2,1"
        with self.assertRaisesRegex(SystemExit, "two-level:gto for 24 warps is there twice"):
            self.read(row, row)
        with mock.patch.object(clocks, "read_builds", lambda name: {}):
            with self.assertRaisesRegex(SystemExit, "ready queue 3, is missing"):
                clocks.build("two-level:gto", 3)

    def test_the_committed_table_has_all_machines(self):
        for scheduler in plan.SINGLE + plan.TWO_LEVEL:
            self.assertGreater(clocks.build(scheduler, plan.READY).gates, 0)
        self.assertEqual(clocks.core_clock("single:rr", 6, "ports"), clocks.nominal())


class Progress(unittest.TestCase):
    def test_default_sizes_weigh_what_the_page_of_workloads_says(self):
        page = (paths.ROOT / "workloads" / "README.md").read_text()
        listed = {name: float(millions) for name, millions in
                  re.findall(r"^\| `(\w+)` \|.*\| ([\d.]+) M \|$", page, re.MULTILINE)}
        self.assertEqual(progress._WEIGHT, {kernel: listed[kernel] for kernel in plan.KERNELS})

    def test_every_kernel_has_a_weight_with_the_papers_grid(self):
        self.assertEqual(set(progress._FULL), set(plan.KERNELS))


if __name__ == "__main__":
    unittest.main()
