# SPDX-License-Identifier: MIT
"""Opens the report in headless Chromium, on a desktop, on a phone and printed: every figure is drawn,
nothing is cut off and the console stays silent.

PYTHONPATH=scripts /usr/bin/python3 -B -m unittest report.tests.test_page looks at a page of all sections with
made-up results, at report/index.html if it is there, and at broken pages, which must not pass.
"""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Iterable, Iterator

from report import page, paths
from report.section import Picture, Section, Table
from report.tests import made_up

DESKTOP, PHONE = 1200, 390  # pixels
PAPER = 703                 # of an A4 page, 210 mm, between margins of 12 mm
# What the page looks like to the browser: figures with a picture that has a size; boxes that hide a part of
# what they hold; the smallest letters of a figure, pixels.
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
  parent.postMessage(JSON.stringify({drawn, repeated: ids.filter((id, i) => ids.indexOf(id) != i),
    remote: [...document.querySelectorAll("[src], link[href]")].length,
    hidden: [...document.querySelectorAll("figure, .table")].filter(
      box => box.scrollWidth > box.clientWidth + 1).map(box => box.id || box.innerText.slice(0, 60)),
    letters: Math.min(...letters),
    wide: document.documentElement.scrollWidth > innerWidth}), "*");
});
</script>"""
# A frame, because a window of headless Chromium is not as narrow as a phone.
_FRAME = """<iframe src="page.html" width="%d" height="900" style="border: 0"></iframe>
<script>addEventListener("message", event => { document.title = event.data; });</script>"""


def chromium(folder: str, *words: str) -> subprocess.CompletedProcess:
    """Without a network."""
    return subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
         f"--user-data-dir={folder}/profile", "--window-size=1300,1000",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=10000", *words],
        capture_output=True, text=True, timeout=180)


def look(text: str, width: int = DESKTOP) -> tuple[dict, list[str]]:
    """What the probe saw in a window of this width, and what the console said."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "page.html").write_text(text.replace("</body>", _PROBE + "</body>"))
        frame = pathlib.Path(folder) / "frame.html"
        frame.write_text(_FRAME % width)
        done = chromium(folder, "--dump-dom", frame.as_uri())
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    if not title or not title[1].startswith("{"):
        raise AssertionError(f"Chromium showed no page:\n{done.stderr[-2000:]}")
    said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(title[1]), said


def printed(text: str) -> list[str]:
    """The text of each sheet of the page printed to PDF."""
    with tempfile.TemporaryDirectory() as folder:
        file, pdf = (pathlib.Path(folder) / name for name in ("page.html", "page.pdf"))
        file.write_text(text)
        done = chromium(folder, "--no-pdf-header-footer", f"--print-to-pdf={pdf}", file.as_uri())
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
        yield from (section.title, *section.text)
        for part in section.parts:
            yield part.caption
            if isinstance(part, Table):
                yield from (cell for row in (part.head, *part.rows) for cell in row)


_SVG = '<svg viewBox="0 0 400 200"><path d="M0 0h400v200z"/><text style="font: 9px sans">a</text></svg>'


def _page(*pictures: Picture, columns: int = 2) -> str:
    table = Table(["a"] * columns, [["<two words>"] * columns])
    return page.html([Section("s", "Section", ["text"], [*pictures, table])], "small", 5, "numbers")


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
                self.assertGreater(seen["letters"], 6 if name == "paper" else 7, "letters too small")
                if name != "phone":  # on which a figure or table scrolls sideways in its own box
                    self.assertEqual(seen["hidden"], [], "cut off")
                self.assertEqual(said, [])

    def test_all_sections(self):
        self.check(page.html(made_up.report(2), "small", 2, "numbers"), made_up.FIGURES)

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

    def test_known_figures_are_seen(self):
        self.check(_page(Picture("one", "caption", _SVG), Picture("two", "caption", _SVG)), {"one", "two"})

    def test_a_lost_figure_is_noticed(self):
        with self.assertRaisesRegex(AssertionError, "a figure is lost"):
            self.check(_page(Picture("one", "caption", _SVG)), {"one", "two"})

    def test_an_empty_figure_is_noticed(self):
        self.assertEqual(look(_page(Picture("one", "caption", "<svg></svg>")))[0]["drawn"], [])

    def test_an_error_on_the_console_is_noticed(self):
        broken = _page(Picture("one", "caption", _SVG))
        self.assertTrue(look(broken.replace("<nav>", "<script>nonsense()</script><nav>"))[1])

    def test_a_table_that_is_cut_is_noticed(self):
        self.assertTrue(look(_page(Picture("one", "caption", _SVG), columns=100))[0]["hidden"])

    @unittest.skipUnless((paths.REPORT / "index.html").exists(), "no report: scripts/reproduce")
    def test_the_report(self):
        self.check((paths.REPORT / "index.html").read_text(), made_up.FIGURES)


if __name__ == "__main__":
    unittest.main()
