# SPDX-License-Identifier: MIT
"""Every section of the report is drawn from made-up results, and says what they say."""

import pathlib
import tempfile
import unittest
from unittest import mock

from report import output, results_page, verdict
from lib.estimate import Estimate
from report.paws import build, committed, plan
from report.paws.data import Results
from report.paws.figures import claims, fetch_groups, phase_graph, phases, sensitivity, statements, tail
from report.section import Picture, Section, against
from tests.report import made_up


class Sections(unittest.TestCase):
    def check(self, sections: list[Section], figures: set[str]) -> None:
        """That they have these figures at least, each once, and say something."""
        drawn = made_up.figures(sections)
        self.assertEqual(len(drawn), len(set(drawn)), "a name twice")
        self.assertEqual(figures - set(drawn), set(), "a figure is lost")
        for section in sections:
            self.assertTrue(section.text)
            for part in section.parts:
                if isinstance(part, Picture):
                    self.assertTrue(part.svg.startswith("<svg"), part.name)
            self.assertNotRegex(" ".join(section.text), r"\bnan\b")

    def test_all_figures_are_there(self):
        self.check(made_up.report(2), made_up.FIGURES)

    def test_without_perturbations(self):
        sections = made_up.report(0)
        self.check(sections, made_up.FIGURES)
        for section in sections:
            with self.subTest(section.name):
                self.assertNotIn("±", " ".join(section.text))

    def test_sensitivity(self):
        for perturbed in (0, 2):
            with made_up.results():
                self.check([sensitivity.section(Results("small", perturbed))], made_up.SENSITIVITY_FIGURES)


class Failures(unittest.TestCase):
    """A kernel without results costs its rows, not the page."""

    def sections(self, kernel: str, modules) -> list[Section]:
        with made_up.results(failed=kernel), plan.without({kernel}):
            return [output.section(module.section, Results("small", 0)) for module in modules]

    def test_the_others_are_drawn(self):
        sections = self.sections("heartwall", [module for module in build.SECTIONS if module is not phase_graph])
        expected = {name for name in made_up.FIGURES if name not in ("fig6", "fig7")}
        self.assertEqual(expected - set(made_up.figures(sections)), set())
        self.assertFalse([section for section in sections if section.title.startswith("Without results")])
        self.assertIn("heartwall", plan.KERNELS)

    def test_a_section_that_needs_what_is_missing_says_so(self):
        section, judged = self.sections("lud", [tail, claims])
        self.assertEqual(section.title, "Without results: tail")
        self.assertRegex(section.text[0], "no results of m2090/lud/")
        self.assertEqual(section.parts, [])
        self.assertEqual(judged.name, "claims")


class Readings(unittest.TestCase):
    """What figures read off runs, by hand."""

    def test_against_a_number_in_three_words(self):
        words = (1, "more", "less")
        self.assertEqual(against(Estimate(1.1, 1.05, 1.15), *words), "more")
        self.assertEqual(against(Estimate(0.9, 0.85, 0.95), *words), "less")
        self.assertEqual(against(Estimate(1.1, 0.95, 1.25), *words), "cannot be told from noise")
        self.assertEqual(against(Estimate(1.1), *words), "more in the one run, noise not measured")
        self.assertEqual(against(Estimate(1.0), *words),
                         "neither more nor less in the one run, noise not measured")

    def test_the_tail_of_as_many_blocks_as_the_core_holds(self):
        # Four warps end and four others come, which are all places of the core; then two more.
        points = [(0, 4), (100, 2), (200, 4), (300, 2), (400, 4), (500, 2), (600, 4), (700, 1)]
        self.assertEqual(tail.counted(points), (0, 400))
        self.assertEqual(tail.tail(points), 200)
        # Two blocks of four end at once and one comes: the core is never full again.
        self.assertEqual(tail.tail([(0, 8), (100, 0), (200, 0), (300, 4), (400, 0)]), 200)

    def test_choice_of_a_fetch_group(self):
        def issues(*order: tuple[int, int]) -> dict[str, list[list[int]]]:
            """By warp, the first of each group: one issue for each (group, phase), in turn."""
            found = {}
            for cycle, (group, phase) in enumerate(order):
                found.setdefault(str(6 * (group - 1)), []).append([100 * cycle, phase])
            return found
        self.assertEqual(fetch_groups.choice(issues((1, 1), (2, 1), (3, 1), (1, 2), (4, 1))), (1, 2))
        self.assertEqual(fetch_groups.choice(issues((1, 1), (2, 1), (3, 1), (4, 1))), (4, 1))
        self.assertIsNone(fetch_groups.choice(issues((1, 1), (2, 1), (1, 2), (3, 1))))
        self.assertEqual(fetch_groups.exposed(issues((1, 1), (2, 1), (3, 1))), 196)
        self.assertEqual(fetch_groups.exposed({"0": [[0, 1], [3, 1]], "1": [[5, 1], [6, 1]]}), 1)

    def test_listing_of_a_kernel(self):
        output = ("_Z1k: 2 instructions, 2 phases\n\n"
                  "   pc   line block latency phase length distance  instruction\n"
                  "    0     24     0       1     1      5        5 *ld.global.f32 %f2, [%rd2]\n"
                  "    1     25     0       4     2      4        4  add.f32 %f3, %f1, %f2\n")
        with mock.patch.object(phases, "paws", lambda *words: output):
            self.assertEqual(phases.listing("vectoradd"), [
                phases.Instruction(1, 1, True, "ld.global.f32 %f2, [%rd2]"),
                phases.Instruction(4, 2, False, "add.f32 %f3, %f1, %f2")])

    def test_statements_on_phases(self):
        lengths = {"bp_k2": [9, 30], "dwt": [30, 9], "srad": [200, 20, 10, 300], "bt_k1": [10, 90, 90, 10], "bt_k2": [10, 90, 90],
                   "cfd": [100, 200], "lud": [90, 6], "bp_k1": [20, 266]}
        with (mock.patch.object(phases, "lengths", lambda kernel, rule: lengths[kernel]), plan.without(
                set(plan.KERNELS) - set(lengths)), mock.patch.object(statements, "_annotated", lambda kernel: 1.5)):
            told = {row.claim.partition(":")[0] + row.section: row.reading for row in statements.of_phases()}
        self.assertEqual(told["the shortest phase comes firstV-B1"].ours, "1 of 2; not: DWT")
        self.assertEqual(told["SRADV-B1"].verdict, verdict.HOLDS)
        self.assertEqual(told["B+TV-B1"].ours, "1 of 2; not: B+T-K2")
        self.assertEqual(told["CFDV-B2"], verdict.Reading("150", verdict.HOLDS))
        self.assertEqual(told["LUD, KM, BP-K1V-E"].ours, "1 of 2; not: BP-K1 (266)")
        self.assertEqual(told["the number of phases in a kernel varies from 3 to 45III-A"].verdict, verdict.FAILS)
        self.assertEqual((statements.near(15, 10), statements.near(21, 10), statements.near(4, 10)),
                         (verdict.HOLDS, verdict.LARGER, verdict.SMALLER))

    def test_many_phases_are_drawn_in_bands(self):
        bands = phase_graph._bands([{f"phase_{phase}": 0 for phase in range(1, 101)}])
        self.assertEqual(list(bands)[:2] + list(bands)[-1:], ["1–3", "4–6", "100"])
        self.assertEqual(bands["4–6"], ["phase_4", "phase_5", "phase_6"])

    def test_bands_are_filled_down_to_the_axis_where_they_rise_and_a_step_around(self):
        # Over 0, 0, 3, 3, 0: 5 from the third step to the fourth one.
        outline = phase_graph._filled([0, 1, 2, 3, 4, 5, 6], [0, 0, 0, 3, 3, 0], [0, 0, 5, 5, 3, 0])
        self.assertEqual(outline.vertices.tolist(), [[1, 0], [1, 0], [2, 0], [2, 5], [3, 5], [3, 5], [4, 5], [4, 3],
                                                     [5, 3], [5, 0], [1, 0]])
        nothing = phase_graph._filled([0, 1, 2], [2, 3], [2, 3])
        self.assertEqual(len(nothing.vertices), 1)

    def test_pictures_of_pages_before_are_removed(self):
        section = Section("s", "Section", ["text"], [
            Picture("new", "caption", "<svg></svg>", "what is seen"),
            Picture("report", "only there", "<svg></svg>", committed=False)], main=True, notes=["a note"])
        with tempfile.TemporaryDirectory() as folder:
            evidence = pathlib.Path(folder)
            old = evidence / "generated" / "results" / "old.svg"
            old.parent.mkdir(parents=True)
            old.touch()
            with mock.patch.multiple(results_page.paths, EVIDENCE=evidence, GENERATED=evidence / "generated"):
                page = results_page.write([section], committed.PAGE, 5)
            self.assertEqual(page, evidence / "results.md")
            self.assertEqual([file.name for file in old.parent.iterdir()], ["new.svg"])
            text = page.read_text()
        self.assertIn("![caption what is seen](generated/results/new.svg)", text)
        self.assertIn("```\n./scripts/reproduce --paper paws\n```\n", text)
        self.assertNotIn("only there", text)
        places = [text.index(words) for words in ("## Section\ntext", "![caption", "a note", "## Method")]
        self.assertEqual(places, sorted(places))

    def test_the_papers_grids_renew_the_page_of_default_sizes(self):
        made = []
        for there in (("default",), ()):
            with (made_up.results(there), mock.patch.object(build.output, "left_out", lambda runs, size: {}),
                  mock.patch.object(build, "_build", lambda size, which, runs, left: made.append(which))):
                build.build("full", "full")
        self.assertEqual(made, ["report", "full"])


if __name__ == "__main__":
    unittest.main()
