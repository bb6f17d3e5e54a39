"""Every section of the report is drawn from made-up results, and says what they say."""

import unittest

from report.data import Results
from report.figures import sensitivity
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


if __name__ == "__main__":
    unittest.main()
