"""Opens the report in headless Chromium: every figure is drawn and the console stays silent.

PYTHONPATH=scripts /usr/bin/python3 -B -m unittest report.tests.test_page looks at report/index.html if it
is there, and always at a page of known figures, which must pass, and at broken ones, which must not.
"""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from report import page, paths
from report.section import Picture, Section, Table

# What the page looks like to the browser: figures and the pictures in them that have a size.
_PROBE = """<script id="probe">
addEventListener("load", () => {
  const drawn = [...document.querySelectorAll("figure")].filter(figure => {
    const svg = figure.querySelector("svg");
    const box = svg && svg.getBoundingClientRect();
    return box && box.width > 100 && box.height > 50 && svg.querySelectorAll("path").length > 0;
  }).map(figure => figure.id);
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  document.title = JSON.stringify({drawn, repeated: ids.filter((id, i) => ids.indexOf(id) != i),
    remote: [...document.querySelectorAll("[src], link[href]")].length,
    wide: document.documentElement.scrollWidth > innerWidth});
});
</script>"""


def look(text: str, width: int = 1200) -> tuple[dict, list[str]]:
    """What the probe saw, and what the console said, without a network."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "page.html"
        file.write_text(text.replace("</body>", _PROBE + "</body>"))
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
             f"--user-data-dir={folder}/profile", f"--window-size={width},900",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=10000", "--dump-dom",
             file.as_uri()], capture_output=True, text=True, timeout=180)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    if not title or not title[1].startswith("{"):
        raise AssertionError(f"Chromium showed no page:\n{done.stderr[-2000:]}")
    said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(title[1]), said


_SVG = '<svg viewBox="0 0 400 200"><path d="M0 0h400v200z"/></svg>'


def _page(*pictures: Picture) -> str:
    table = Table(["a", "b"], [["1", "<2>"]])
    return page.html([Section("s", "Section", ["text"], [*pictures, table])], "small", 5, "numbers")


@unittest.skipUnless(shutil.which("chromium"), "Chromium is not installed (scripts/setup --report)")
class Page(unittest.TestCase):
    def check(self, text: str) -> None:
        expected = re.findall(r'<figure id="([^"]+)"', text)
        self.assertTrue(expected)
        seen, said = look(text)
        self.assertEqual(seen["drawn"], expected)
        self.assertEqual(seen["repeated"], [])
        self.assertEqual(seen["remote"], 0, "the page needs something outside itself")
        self.assertEqual(said, [])

    def test_known_figures_are_seen(self):
        self.check(_page(Picture("one", "caption", _SVG), Picture("two", "caption", _SVG)))

    def test_an_empty_figure_is_noticed(self):
        with self.assertRaises(AssertionError):
            self.check(_page(Picture("one", "caption", "<svg></svg>")))

    def test_an_error_on_the_console_is_noticed(self):
        broken = _page(Picture("one", "caption", _SVG))
        with self.assertRaises(AssertionError):
            self.check(broken.replace("<nav>", "<script>nonsense()</script><nav>"))

    @unittest.skipUnless((paths.REPORT / "index.html").exists(), "no report: scripts/reproduce")
    def test_the_report(self):
        text = (paths.REPORT / "index.html").read_text()
        self.check(text)
        narrow, _ = look(text, width=500)  # the narrowest window that headless Chromium makes
        self.assertFalse(narrow["wide"], "on a phone the page must scroll downwards only")


if __name__ == "__main__":
    unittest.main()
