"""Every section of the report is drawn from made-up results, and says what they say."""

import csv
import pathlib
import tempfile
import unittest
from unittest import mock

from report import plan
from report.data import Results
from report.figures import sensitivity, time
from report.section import Picture, Section
from report.tests import made_up


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

    def test_without_measured_times_it_says_so(self):
        with mock.patch.object(time, "_TABLE", pathlib.Path("/nonexistent")):
            section = time.section(Results("small"))
        self.check([section], set())
        self.assertIn("Not measured", section.text[0])

    def test_times(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "times.csv"
            study = time._study()
            with table.open("w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["reference", "fmax", "scheduler", "core_clock_mhz", "kernel",
                                 "seed", "nominal_cycles", "cycles", "microseconds"])
                for notion in study.NOTIONS:
                    for scheduler in study.SCHEDULERS:
                        for kernel in plan.KERNELS:
                            # GTO: a quarter faster in cycles, half as fast in time.
                            gto = scheduler.endswith("gto")
                            writer.writerow(["RR of its level", notion, scheduler, 1300, kernel, 0,
                                             80 if gto else 100, 1, 2.0 if gto else 1.0])
            builds = {scheduler: study.Build({}, 1000.0) for scheduler in study.SCHEDULERS}
            study.read_builds = lambda path: builds
            study.SYNTHESIS = table  # that it is there is all that is looked at
            with (mock.patch.object(time, "_TABLE", table),
                  mock.patch.object(time, "_study", lambda: study)):
                section = time.section(Results("small"))
        self.assertEqual(len(made_up.figures([section])), 2 * len(study.NOTIONS))
        self.assertIn("single, GTO against RR: −50.0 % in time with Fmax with the ports' budget, "
                      "+25.0 % in cycles", section.text[0])


if __name__ == "__main__":
    unittest.main()
