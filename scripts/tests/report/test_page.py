# SPDX-License-Identifier: MIT
"""Opens the report in headless Chromium, on a desktop, on a phone and printed: every figure is drawn,
nothing is cut off and the console stays silent.

PYTHONPATH=scripts /usr/bin/python3 -B -m unittest tests.report.test_page looks at a page of all sections with
made-up results, at report/index.html if it is there, and at broken pages, which must not pass.
"""

import collections
import html
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Iterable, Iterator
from unittest import mock

from lib import browser
from report import index_page, page, papers, paths, verdict
from report.paws.data import Results
from report.paws.figures import answer, claims, phase_graph
from report.section import Picture, Section, Table
from tests.report import made_up, made_up_lee2014

DESKTOP, PHONE = 1200, 390  # pixels
PAPER = 703                 # of an A4 page, 210 mm, between margins of 12 mm
# What the page looks like to the browser: figures with a picture that has a size; boxes that hide a part of
# what they hold; the smallest letters of a figure, pixels, and those that lie outside of it.
_PROBE = """<script id="probe">
addEventListener("load", () => {
  const drawn = [...document.querySelectorAll("figure")].filter(figure => {
    const svg = figure.querySelector("svg");
    const box = svg && svg.getBoundingClientRect();
    return box && box.width > 100 && box.height > 50 && svg.querySelectorAll("path").length > 0;
  }).map(figure => figure.id);
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  const letters = [...document.querySelectorAll("svg text")].map(text => {
    const to = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(to.a, to.b);
  });
  const outside = [...document.querySelectorAll("svg text")].filter(text => {
    const own = text.getBoundingClientRect(), all = text.closest("svg").getBoundingClientRect();
    return own.left < all.left - 2 || own.right > all.right + 2 || own.top < all.top - 2 || own.bottom > all.bottom + 2;
  }).map(text => text.textContent);
  parent.postMessage(JSON.stringify({drawn, repeated: ids.filter((id, i) => ids.indexOf(id) != i),
    remote: [...document.querySelectorAll("[src], link[href]")].length,
    hidden: [...document.querySelectorAll("figure, .table")].filter(
      box => box.scrollWidth > box.clientWidth + 1).map(box => box.id || box.innerText.slice(0, 60)),
    letters: Math.min(...letters), outside,
    wide: document.documentElement.scrollWidth > innerWidth}), "*");
});
</script>"""


def look(text: str, width: int = DESKTOP) -> tuple[dict, list[str]]:
    """What the probe saw in a window of this width, and what the console said."""
    return browser.look(text, _PROBE, width)


def printed(text: str) -> list[str]:
    """The text of each sheet of the page printed to PDF."""
    with tempfile.TemporaryDirectory() as folder:
        file, pdf = (pathlib.Path(folder) / name for name in ("page.html", "page.pdf"))
        file.write_text(text)
        done = browser.chromium(folder, "--no-pdf-header-footer", f"--print-to-pdf={pdf}", file.as_uri())
        if not pdf.exists():
            raise AssertionError(f"Chromium printed nothing:\n{done.stderr[-2000:]}")
        # In reading order pdftotext takes a hyphen at the end of a line for one of hyphenation.
        return subprocess.run(["pdftotext", "-raw", str(pdf), "-"], capture_output=True, text=True,
                              check=True).stdout.split("\f")[:-1]


def words(texts: Iterable[str]) -> collections.Counter[str]:
    """How often each word is there; a line can end behind a hyphen, and a space before % is narrow."""
    return collections.Counter(word for text in texts for word in re.findall(r"%|[^\s%-]+", text))


def to_be_read(sections: list[Section]) -> Iterator[str]:
    """Titles, paragraphs, captions and cells."""
    for section in sections:
        yield from (section.title, *section.text, *section.notes)
        for part in section.parts:
            yield part.caption
            if isinstance(part, Table):
                yield from (str(cell) for row in (part.head, *part.rows) for cell in row)


_SVG = '<svg viewBox="0 0 400 200"><path d="M0 0h400v200z"/><text x="9" y="99" style="font: 9px sans">a</text></svg>'


def _page(*pictures: Picture, columns: int = 2) -> str:
    table = Table(["a"] * columns, [["<two words>"] * columns])
    return page.html([Section("s", "Section", ["text"], [*pictures, table])], "small", 5, "numbers")


def _plain(text: str) -> str:
    """Of HTML, what stands between its tags."""
    return html.unescape(re.sub(r"<[^>]*>", " ", text))


class Order(unittest.TestCase):
    """What a reader meets first, and how much is to be loaded."""

    def answer(self, there: tuple[str, ...] = ()) -> str:
        """The page up to the contents."""
        with made_up.results(there):
            sections = [module.section(Results("default", 2)) for module in (answer, claims)]
        text = page.html(sections, "default", 2, "numbers")
        return html.unescape(text[text.index("<body>"):text.index("<nav ")])

    def test_the_answer_comes_first(self):
        text = self.answer()
        self.assertEqual(re.findall(r"<(h\d|p|table|figure)\b", text),
                         ["h1", "p", "h2", "p", "p", "p", "p", "table", "figure"])
        self.assertIn("<h2>Does the paper hold?</h2>", text)
        sentences = [_plain(each) for each in re.findall(r"<p>(.*?)</p>", text, re.DOTALL)]
        self.assertEqual(len(sentences), 4)
        self.assertRegex(sentences[1], r"^It cannot be told: with kernels of default sizes, of the paper's 91 claims "
                         r"\d+ are [^.]+ \d+ not so, \d+ the opposite and \d+ open because of noise\.$")
        for sentence in sentences:
            self.assertEqual(sentence.count(". ") + sentence.count("."), 1 + len(re.findall(r"\d\.\d", sentence)))

    def test_how_far_the_paper_holds(self):
        for numbers, words in (((26, 26, 13, 10), "In part"), ((60, 5, 5, 5), "For the most part"),
                               ((10, 20, 30, 15), "Hardly"), ((30, 40, 3, 2), "It cannot be told")):
            told = (verdict.HOLDS, verdict.UNKNOWN, verdict.FAILS, verdict.REVERSE)
            self.assertEqual(verdict.how_far(dict(zip(told, numbers))), words)

    def test_the_verdicts_are_counted_at_both_sizes(self):
        rows = re.findall(r"<tr>.*?</tr>", self.answer(), re.DOTALL)
        self.assertEqual(len(rows), 1 + len(verdict.ALL))
        self.assertEqual(rows[1].count("<td"), 1 + 1 + 1)
        self.assertIn("There are no results of the paper's grids: ./scripts/reproduce --size full makes them", self.answer())
        with mock.patch("report.paws.sizes.there", lambda size, seeds=5: (7, 100)):
            self.assertIn("Of the paper's grids, 7 of 100 runs are there: ./scripts/reproduce --size full",
                          answer._counts({"full": None}).caption)
        both = self.answer(("full",))
        self.assertNotIn("There are no results", both)
        self.assertEqual(re.findall(r"<tr>.*?</tr>", both, re.DOTALL)[1].count("<td"), 1 + 1 + 1)
        self.assertIn("; with the paper's grids, ", both)
        counted = [int(number) for number in re.findall(r"</span> (\d+)</td>", both)]
        self.assertEqual(sum(counted), 2 * 91)

    def test_a_verdict_has_a_sign_a_colour_and_words(self):
        marked = {str(told): page.table(Table([], [[verdict.marked(told, told)]])) for told in verdict.ALL}
        self.assertEqual(len({re.search(r'<td class="(\w+)"', cell)[1] for cell in marked.values()}), len(verdict.ALL))
        self.assertEqual(len({re.search(r'aria-hidden="true">(.)<', cell)[1] for cell in marked.values()}),
                         len(verdict.ALL))
        for told, cell in marked.items():
            self.assertIn(f"</span> {told}</td>", cell)
            colour = re.search(r'<td class="(\w+)"', cell)[1]
            self.assertIn(f".{colour} {{ color: #", page._STYLE)

    def test_each_figure_is_described(self):
        text = page.html(made_up.report(2), "small", 2, "numbers")
        described = re.findall(r'<figure id="figure-[^"]+">\n<svg role="img" aria-label="([^"]{20,})"', text)
        self.assertEqual(len(described), text.count("<figure "))
        self.assertRegex(html.unescape(described[0]), r"single, type A, GTO: paper \+10\.0 %, .* [+\u2212]\d")

    def test_the_method_comes_last(self):
        text = page.html(made_up.report(2), "small", 2, "numbers")
        self.assertEqual(re.findall(r'<section id="(\w+)"', text)[-1], "method")
        for section in text.split("<section ")[1:-1]:
            notes = section.find("<h3>")
            last = max(section.rfind("<table"), section.rfind("<figure"))
            self.assertTrue(notes < 0 or notes > last, section[:60])

    def test_the_busiest_phase_graphs_leave_the_page_small(self):
        """Every core full, every warp in another of a hundred phases at each sample, on each machine."""
        names = [f"phase_{phase}" for phase in range(1, 101)]

        def busy(results, kernel, scheduler, machine=None, seed=0):
            samples = []
            for index in range(200):
                row = dict.fromkeys(names, 0)
                for warp in range(48):
                    row[names[made_up.number(scheduler, index, warp)]] += 1
                samples.append({"launch": 3, "cycle": 100 * index, "warps": 48, "alu_in_flight": index * 7 % 30,
                                "memory_in_flight": index * 11 % 60} | row)
            return samples
        sections = made_up.report(2)
        with made_up.results(), mock.patch.object(Results, "samples", busy):
            busiest = phase_graph.section(Results("small", 2))
        text = page.html([busiest if section.name == busiest.name else section for section in sections], "small", 2,
                         "numbers")
        self.assertLess(len(text.encode()), page.LIMIT)
        self.assertGreater(len(text.encode()), len(page.html(sections, "small", 2, "numbers").encode()))

    @unittest.skipUnless((paths.REPORT / "paws.html").exists(), "no report: scripts/reproduce")
    def test_the_report_is_small(self):
        self.assertLess((paths.REPORT / "paws.html").stat().st_size, page.LIMIT)


@unittest.skipUnless(shutil.which("chromium"), "Chromium is not installed (scripts/setup --report)")
class Page(unittest.TestCase):
    def check(self, text: str, figures: set[str]) -> None:
        """That a page has these figures at least and can be read on a desktop, a phone and paper."""
        asked = re.findall(r'<figure id="figure-([^"]+)"', text)
        self.assertEqual(figures - set(asked), set(), "a figure is lost")
        on_paper = text.replace("@media print", "@media all")
        for name, content, width in (("desktop", text, DESKTOP), ("phone", text, PHONE),
                                     ("paper", on_paper, PAPER)):
            with self.subTest(name):
                seen, said = look(content, width)
                self.assertEqual(seen["drawn"], [f"figure-{figure}" for figure in asked])
                self.assertEqual(seen["repeated"], [])
                self.assertEqual(seen["remote"], 0, "the page needs something outside itself")
                self.assertFalse(seen["wide"], "the page must scroll downwards only")
                if asked:
                    self.assertGreater(seen["letters"], 6 if name == "paper" else 7, "letters too small")
                    self.assertEqual(seen["outside"], [], "letters outside of a figure")
                if name != "phone":  # on which a figure or table scrolls sideways in its own box
                    self.assertEqual(seen["hidden"], [], "cut off")
                self.assertEqual(said, [])

    def test_all_sections(self):
        self.check(page.html(made_up.report(2), "small", 2, "numbers"), made_up.FIGURES)

    def test_all_sections_on_lee_2014(self):
        sections = made_up_lee2014.report(2)
        self.check(page.html(sections, "small", 2, "numbers", paper=papers.LEE2014), made_up_lee2014.FIGURES)

    def test_the_index(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "REPORT", pathlib.Path(folder)):
            for paper, report in ((papers.PAWS, made_up.report(2)), (papers.LEE2014, made_up_lee2014.report(2))):
                index = index_page.write(paper, report[0], "made")
            self.check(index.read_text(), set())

    @unittest.skipUnless(shutil.which("pdftotext"), "pdftotext is not installed (poppler-utils)")
    def test_nothing_is_lost_in_print(self):
        sections = made_up.report(2)
        sheets = printed(page.html(sections, "small", 2, "numbers"))
        self.assertGreater(len(sheets), len(sections))
        self.assertEqual(words(to_be_read(sections)) - words(sheets), {}, "not printed")

    @unittest.skipUnless(shutil.which("pdftotext"), "pdftotext is not installed (poppler-utils)")
    def test_what_is_cut_in_print_is_noticed(self):
        table = Section("s", "Section", [], [Table(["a"], [["word"]] * 3)])
        text = page.html([table], "small", 5, "numbers")
        cut = text.replace("<table>", '<table style="display: block; height: 4rem; overflow: hidden">')
        self.assertEqual(words(to_be_read([table])) - words(printed(text)), {})
        self.assertEqual(words(to_be_read([table])) - words(printed(cut)), {"word": 1})

    def test_rows_are_chosen_by_words_and_by_verdict(self):
        table = Table(["a", "b"], [[f"kernel {row}", verdict.marked(f"{told}: so", told)] for row, told in
                                   enumerate(4 * (verdict.HOLDS, verdict.UNKNOWN, verdict.FAILS, verdict.REVERSE))])
        text = page.html([Section("s", "S", ["text"], [table, Table(["a"], [["other"]])])], "small", 5, "numbers")
        self.assertNotIn(" hidden", text[text.index("<body>"):text.index("<script>")])
        choose = """<script>
          const form = document.querySelector(".filter"), shown = () => form.querySelector("output").textContent;
          const choose = (words, kind) => {
            form.querySelector("input").value = words;
            form.querySelector("select").value = kind;
            form.dispatchEvent(new Event("input"));
            return shown() + " " + document.querySelectorAll("tr[hidden]").length;
          };
          document.title = JSON.stringify([shown(), choose("KERNELS", ""), choose("kernel 1", ""),
                                           choose("kernel 1", "reverse"), choose("nothing", ""),
                                           document.querySelectorAll(".table[hidden]").length, choose("", "")]);
          </script></body>"""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.html"
            file.write_text(text.replace("</body>", choose))
            seen = re.search(r"<title>(.*?)</title>", browser.chromium(folder, "--dump-dom", file.as_uri()).stdout)[1]
        self.assertEqual(json.loads(seen), ["16 of 16 rows", "0 of 16 rows 16", "7 of 16 rows 9", "2 of 16 rows 14",
                                            "0 of 16 rows 16", 1, "16 of 16 rows 0"])

    def test_known_figures_are_seen(self):
        self.check(_page(Picture("one", "caption", _SVG), Picture("two", "caption", _SVG)), {"one", "two"})

    def test_a_lost_figure_is_noticed(self):
        with self.assertRaisesRegex(AssertionError, "a figure is lost"):
            self.check(_page(Picture("one", "caption", _SVG)), {"one", "two"})

    def test_an_empty_figure_is_noticed(self):
        self.assertEqual(look(_page(Picture("one", "caption", "<svg></svg>")))[0]["drawn"], [])

    def test_an_error_on_the_console_is_noticed(self):
        broken = _page(Picture("one", "caption", _SVG))
        self.assertTrue(look(broken.replace("<nav ", "<script>nonsense()</script><nav "))[1])

    def test_a_table_that_is_cut_is_noticed(self):
        self.assertTrue(look(_page(Picture("one", "caption", _SVG), columns=100))[0]["hidden"])

    @unittest.skipUnless((paths.REPORT / "paws.html").exists(), "no report: scripts/reproduce")
    def test_the_report(self):
        self.check((paths.REPORT / "paws.html").read_text(), made_up.FIGURES)


if __name__ == "__main__":
    unittest.main()
