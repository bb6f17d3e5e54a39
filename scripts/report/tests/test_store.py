"""Results are found again only while nothing they depend on has changed, and what has is named."""

import contextlib
import pathlib
import tempfile
import unittest
from unittest import mock

from report import paths, plan, store

_RUN = plan.Run("m2090/km/test", "km", ("single:rr",))
_ROWS = [{"scheduler": "single:rr", "cycles": 5}]


@contextlib.contextmanager
def world(folder: pathlib.Path, program: str = "p", preset: str = "g", kernel: str = "k"):
    with (mock.patch.object(paths, "CACHE", folder), mock.patch.object(store, "_program", lambda: program),
          mock.patch.object(store, "_preset", lambda gpu: preset),
          mock.patch.object(store, "_workload", lambda name: kernel)):
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

    def test_what_has_changed_is_named(self):
        for change, name in (({"program": "q"}, "program"), ({"preset": "h"}, "GPU preset"),
                             ({"kernel": "l"}, "kernel")):
            with self.subTest(name), world(self.folder, **change):
                self.assertEqual(store.status(_RUN, "small"), store.Status("stale", (name,)))
                with self.assertRaises(FileNotFoundError):
                    store.read(_RUN, "small")

    def test_another_configuration_makes_it_stale(self):
        other = plan.Run(_RUN.name, _RUN.kernel, _RUN.schedulers, ("scheduler.ready=3",))
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
        longer = plan.Run(_RUN.name + "-2", "km", ("single:rr",))
        with world(self.folder):
            keep(longer)
            keep(_RUN)
            self.assertEqual(store.status(longer, "small").state, "fresh")


class Plan(unittest.TestCase):
    def test_names_are_unique_and_found(self):
        for name, runs in plan.SETS.items():
            with self.subTest(name):
                names = [run.name for run in runs()]
                self.assertEqual(len(names), len(set(names)))
        self.assertEqual(plan.find("m2090/km/ready6-order-static-0").engine, "rtl")

    def test_every_policy_of_every_machine_is_run_once(self):
        runs = [run for run in plan.quick_runs() if run.kernel == "km" and not run.sample]
        static = [(run.settings, name) for run in runs for name in run.schedulers
                  if "static" in run.name]
        self.assertEqual(len(static), len(set(static)))
        self.assertEqual(len(static), 6 + 3 + 2 * 2 - 1)  # two queues; PAWS alone under the other rule


if __name__ == "__main__":
    unittest.main()
