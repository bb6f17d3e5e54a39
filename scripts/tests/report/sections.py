# SPDX-License-Identifier: MIT
"""What holds of the sections of every page that a paper has, for results that are made up."""
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
