# SPDX-License-Identifier: MIT
"""What holds of the sections of every page that a paper has, for results that are made up."""
import pathlib
import re
import tempfile
from unittest import mock

from report import page, paths, store
from report.section import Picture, Table


class OfAPage:
    """Beside unittest.TestCase. `made_up`: the module of the made-up results, with report() and FIGURES."""

    made_up = None

    def test_every_figure_is_there_once_with_and_without_noise(self):
        for perturbed in (0, 2):
            with self.subTest(perturbed):
                sections = self.made_up.report(perturbed)
                figures = [part.name for section in sections for part in section.parts if isinstance(part, Picture)]
                self.assertEqual(len(figures), len(set(figures)))
                self.assertEqual(set(figures), self.made_up.FIGURES)
                names = [section.name for section in sections]
                self.assertEqual(len(names), len(set(names)))
                self.assertTrue(all("nan" not in text for section in sections for text in section.text))

    def test_tables_are_rectangular(self):
        for section in self.made_up.report(2):
            for part in section.parts:
                if isinstance(part, Table):
                    self.assertEqual({len(row) for row in part.rows}, {len(part.head)}, part.caption)


class OnDisk:
    """Beside unittest.TestCase: folders for results and pages. `made_up` as above, `build` the module of
    the page, `failed` a kernel."""

    made_up = build = failed = None

    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        evidence = folder / "evidence"
        (evidence / "generated").mkdir(parents=True)
        self.enterContext(mock.patch.multiple(paths, CACHE=folder / "cache", REPORT=folder / "report", EVIDENCE=evidence,
                                              GENERATED=evidence / "generated"))
        self.enterContext(mock.patch.object(store, "parts", lambda run, size: {"run": run.name}))
        self.enterContext(mock.patch.object(store, "program", lambda: "p"))

    def keep(self, without: str = "") -> None:
        """Results of all runs but those of a kernel."""
        for run in self.build.REPORT.sets[self.build.REPORT.of.name]():
            if run.kernel != without:
                rows = [row for scheduler, row in self.made_up.rows(run.name).items() if scheduler in run.schedulers]
                store.keep(run, "default", rows, {"run": run.name}, store.path(run, "default"))

    def test_page_index_and_committed_page(self):
        self.keep()
        name = self.build.REPORT.of.name
        written = self.build.build("default", name)
        self.assertEqual(len(written), len(set(written)))
        for file in written:
            self.assertTrue(file.exists(), file)
        self.assertLess(len((paths.REPORT / f"{name}.html").read_text()), page.LIMIT)
        index = (paths.REPORT / "index.html").read_text()
        self.assertIn(f'<a href="{name}.html">', index)
        self.assertIn("There is no page yet: ./scripts/reproduce --paper paws makes it.", index)
        committed = (paths.EVIDENCE / f"{name}.md").read_text()
        self.assertIn(f"```\n./scripts/reproduce --paper {name}\n```", committed)
        for link in re.findall(r"\]\((generated/[^)]*)\)", committed):
            self.assertTrue((paths.EVIDENCE / link).exists(), link)

    def test_a_kernel_that_failed_is_named_and_nothing_is_committed(self):
        self.keep(without=self.failed)
        name = self.build.REPORT.of.name
        self.build.build("default", name)
        self.assertIn("Kernels without results", (paths.REPORT / f"{name}.html").read_text())
        self.assertFalse((paths.EVIDENCE / f"{name}.md").exists())
