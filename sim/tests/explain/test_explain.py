# SPDX-License-Identifier: MIT
"""`paws explain` from outside: its words, what it refuses, and its page in a browser: test_explain.py PAWS"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
from lib import browser  # noqa: E402

RUN = ["vectoradd", "--define", "n=4096", "--set", "cores=2", "--engine", "model"]
SINGLE = ("single:rr", "single:gto", "single:paws")
TWO_LEVEL = ("two-level:rr", "two-level:gto", "two-level:paws")
FROM, TO = 700, 1300
DESKTOP, PHONE = 1200, 390  # pixels
# Presses keys and buttons one after another, and posts what the page shows behind each.
_PROBE = """<script>
addEventListener("load", () => {
  const column = section => ({
    scheduler: section.querySelector("h2").textContent,
    decision: section.querySelector(".decision").textContent,
    reason: section.querySelector(".reason").textContent,
    moves: section.querySelector(".moves").textContent,
    queues: [...section.querySelectorAll("ol")].map(
      list => [...list.querySelectorAll(".chip")].map(chip => chip.title)),
    issues: section.querySelectorAll(".chip.issue").length,
    story: section.querySelector(".hint").textContent,
  });
  const byId = id => document.getElementById(id);
  const state = () => ({cycle: Number(byId("cycle").value), slider: Number(byId("slider").value),
                        said: byId("said").textContent, columns: [...document.querySelectorAll(".column")].map(column)});
  const change = (id, value) => { byId(id).value = value; byId(id).dispatchEvent(new Event("change")); };
  const press = (key, more = {}) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, ...more}));
  const seen = [];
  for (const act of %s) {
    if (act.startsWith("[")) document.querySelector(act).click();
    else if (act.startsWith("=")) change("cycle", act.slice(1));
    else if (act.startsWith("follow ")) change("follow", act.slice(7));
    else if (act.startsWith("Shift+")) press(act.slice(6), {shiftKey: true});
    else if (act !== "") press(act);
    seen.push(state());
  }
  const pixels = [...document.querySelectorAll("canvas")].map(canvas =>
    new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size);
  const wide = document.documentElement.scrollWidth > innerWidth;
  for (const slide of document.getAnimations()) slide.finish();
  parent.postMessage(JSON.stringify({seen, pixels, wide,
    remote: document.querySelectorAll("[src], link[href]").length,
    cut: [...document.querySelectorAll(".chip, .column, .controls")].filter(
      box => box.scrollWidth > box.clientWidth + 1).length}), "*");
});
</script>"""


def paws(*words: object) -> subprocess.CompletedProcess:
    return subprocess.run([PAWS, *map(str, words)], capture_output=True, text=True)


def explained(*words: object) -> str:
    done = paws("explain", *words)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name: str) -> pathlib.Path:
        return pathlib.Path(self.folder.name) / name


class Text(Folder):
    def test_a_trace_says_what_the_run_says(self):
        trace = self.file("a.dec")
        self.assertEqual(paws("run", *RUN, "--decisions", trace).returncode, 0)
        for window in (("--cycle", 900), ("--from", 880, "--to", 940), ("--warp", 3), ("--cycle", 901, "--scheduler-of-core", 1)):
            text = explained(trace, *window)
            self.assertEqual(text, explained(*RUN, *window))
            self.assertIn("two-level:paws, scheduler", text)

    def test_a_decision_is_that_of_the_listing(self):
        trace = self.file("a.dec")
        self.assertEqual(paws("run", *RUN, "--decisions", trace, "--scheduler", "single:gto").returncode, 0)
        listed = paws("decisions", trace, "--scheduler", 0, "--from", FROM, "--to", TO).stdout
        issues = re.findall(r"^ *(\d+) +0 issue warp (\d+) +(.*?) \| pc \d+ line (\d+): (.*?)(?: \| .*)?$", listed, re.MULTILINE)
        text = explained(trace, "--from", FROM, "--to", TO)
        said = re.findall(r"^Cycle (\d+): warp (\d+) issues (.*) \(line (\d+), phase \d+\)\. Reason: (.*)\.$", text, re.MULTILINE)
        self.assertGreater(len(issues), 50)
        self.assertEqual([(cycle, warp, reason, line, code) for cycle, warp, code, line, reason in said], issues)

    def test_equal_cycles_are_one(self):
        text = explained(*RUN, "--scheduler", "single:gto", "--from", 300, "--to", 310)
        self.assertEqual(text.count("Cycle"), 1)
        self.assertIn("Cycles 300 to 310: no warp issues. Reason: no warp issuable: ", text)

    def test_a_page_says_which_core_each_trace_is_of(self):
        page, traces = self.file("p.html"), [self.file(f"{core}.dec") for core in range(2)]
        for core, trace in enumerate(traces):
            self.assertEqual(paws("run", *RUN, "--trace-core", core, "--decisions", trace).returncode, 0)
        explained(*traces, "--html", page, "--to", 300)
        for core in range(2):
            self.assertIn(f"; scheduler 0 of core {core}", page.read_text())

    def test_what_is_refused(self):
        page, trace = self.file("p.html"), self.file("a.dec")
        self.assertEqual(paws("run", *RUN, "--decisions", trace).returncode, 0)
        before = sorted(pathlib.Path(self.folder.name).iterdir())
        for words, cause in (
                ([*RUN], "say what to explain: --cycle, --from and --to, --warp, or --html"),
                ([*RUN, "--cycle", 10 ** 9], "cycle 1000000000: there are "),
                ([*RUN, "--cycle", 3, "--to", 4], "--to means nothing with --cycle"),
                ([*RUN, "--from", 5, "--to", 4], "--from is behind --to"),
                ([*RUN, "--warp", 24], "--warp 24: a scheduler has warp slots 0 to 23"),
                ([*RUN, "--cycle", 3, "--core", 2], "--core 2: the GPU has cores 0 to 1"),
                ([trace, "--cycle", 3, "--core", 1], "core 1 is not in it"),
                ([*RUN, "--cycle", 3, "--scheduler-of-core", 2], "--scheduler-of-core 2: a core has 2 schedulers"),
                ([*RUN, "--cycle", 3, "--schedulers", "single:rr"], "--schedulers means nothing without --html"),
                ([*RUN, "--cycle", 3, "--set", "scheduler.affinity=finish"], "scheduler.affinity is "),
                (["matmul", *RUN, "--cycle", 3], "vectoradd: is a second workload"),
                ([trace, "--cycle", 3, "--gpu", "c2050"], "--gpu means nothing with a decision trace"),
                ([trace, trace, "--cycle", 3], "several decision traces need --html"),
                ([trace, "matmul", "--html", page], "matmul"),
                ([trace, "--html", trace], "a.dec: is an input"),
                ([*RUN, "--html", page, "--to", 5000], "--from 0 --to 5000: a page holds at most 5000 cycles"),
                ([*RUN, "--html", page, "--from", 10 ** 9], "cycle 1000000000: there are "),
                ([*RUN, "--html", page, "--cycle", 3], "--cycle means nothing with --html"),
                ([*RUN, "--html", page, "--schedulers", "single:newest"], "unknown scheduler 'single:newest'"),
                ([*RUN, "--html", self.file("none") / "p.html"], "cannot be written")):
            with self.subTest(cause):
                done = paws("explain", *words)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(cause, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(sorted(pathlib.Path(self.folder.name).iterdir()), before, "a page is left behind")


@unittest.skipUnless(shutil.which("chromium"), "Chromium is not installed (scripts/setup --report)")
class Page(Folder):
    def page(self, *words: object) -> str:
        file = self.file("p.html")
        explained(*words, "--html", file)
        return file.read_text()

    def look(self, text: str, acts: list[str], width: int = DESKTOP) -> dict:
        seen, said = browser.look(text, _PROBE % acts, width)
        self.assertEqual(said, [], "the console says something")
        return seen

    def check(self, state: dict, text: str, *words: object) -> None:
        """That a column shows what `paws explain` says of the same cycle."""
        for column in state["columns"]:
            said = explained(*words, "--scheduler", column["scheduler"], "--cycle", state["cycle"]).split("\n\n", 1)[1]
            decision, reason = re.search(r"^Cycle \d+: (.*)\. Reason: (.*)\.$", said, re.MULTILINE).groups()
            self.assertEqual((column["decision"], column["reason"]), (decision, reason))
            moves = re.search(r"At the end of the cycle: .*(?=\.$)", said, re.MULTILINE)
            self.assertEqual(column["moves"], moves[0] if moves else "")
            queues = [re.findall(r"^    (warp .*)$", part, re.MULTILINE) for part in re.split(r"\n  (?=[A-Z])", said)[1:]]
            self.assertEqual(column["queues"], queues[:len(column["queues"])])
            self.assertEqual(column["issues"], int(decision.startswith("warp ")))
            self.assertIn(f"{column['scheduler']}: {decision}: {reason}.", state["said"])
        self.assertEqual(len(state["columns"]), text.count('"scheduler":'))

    def test_keys_move_and_queues_are_those_of_the_text(self):
        acts = ["", "ArrowRight", "Shift+ArrowRight", "ArrowLeft", "Shift+ArrowLeft", "Home", "ArrowLeft", "End", "ArrowRight",
                "=1000", "[data-step=on]", "Shift+ArrowRight"]
        cycles = [FROM, FROM + 1, FROM + 11, FROM + 10, FROM, FROM, FROM, TO, TO, 1000, 1001, 1011]
        text = self.page(*RUN, "--from", FROM, "--to", TO, "--schedulers", ",".join(SINGLE + TWO_LEVEL))
        seen = self.look(text, acts)
        self.assertEqual([state["cycle"] for state in seen["seen"]], cycles)
        self.assertEqual([state["slider"] for state in seen["seen"]], cycles)
        self.assertEqual([column["scheduler"] for column in seen["seen"][0]["columns"]], [*SINGLE, *TWO_LEVEL])
        for number in (0, 2, 7, 11):
            self.check(seen["seen"][number], text, *RUN)
        self.assertGreater(min(seen["pixels"]), 2, "nothing is drawn")
        self.assertEqual((seen["wide"], seen["remote"], seen["cut"]), (False, 0, 0))

    def test_pages_of_changes_and_a_warp_to_follow(self):
        text = self.page(*RUN, "--from", 0, "--to", 999, "--schedulers", "single:gto")
        seen = self.look(text, ["PageDown", "PageDown", "PageUp", "follow 3", "End", "PageUp"])["seen"]
        starts = [int(number) for number in re.findall(r"^Cycles? (\d+)", explained(
            *RUN, "--scheduler", "single:gto", "--from", 0, "--to", 999), re.MULTILINE)]
        before_last = max(start for start in starts if start < 999)
        self.assertEqual([state["cycle"] for state in seen], [*starts[1:3], starts[1], starts[1], 999, before_last])
        self.assertEqual(seen[2]["columns"][0]["story"], "")
        self.assertRegex(seen[4]["columns"][0]["story"], r"^warp 3 \(")

    def test_a_phone_shows_all_in_its_width(self):
        text = self.page(*RUN, "--from", FROM, "--to", TO, "--schedulers", ",".join(SINGLE + TWO_LEVEL))
        seen = self.look(text, ["=1000"], PHONE)
        self.assertEqual((seen["wide"], seen["cut"]), (False, 0))

    def test_traces_are_columns(self):
        traces = [self.file(f"{name.replace(':', '_')}.dec") for name in SINGLE]
        for name, trace in zip(SINGLE, traces):
            self.assertEqual(paws("run", *RUN, "--scheduler", name, "--decisions", trace).returncode, 0)
        window = ("--from", FROM, "--to", TO)
        self.assertEqual(self.page(*traces, *window), self.page(*RUN, *window))

    def test_a_run_that_is_over_is_empty(self):
        refused = [paws("explain", *RUN, "--cycle", 10 ** 9, "--scheduler", name).stderr
                   for name in ("single:rr", "two-level:rr")]
        last, other = (int(re.search(r"there are (\d+)", text)[1]) for text in refused)
        self.assertNotEqual(last, other)
        window = ("--from", min(last, other) - 5, "--to", max(last, other) + 5)
        text = self.page(*RUN, *window, "--schedulers", "single:rr,two-level:rr")
        state = self.look(text, ["End"])["seen"][0]
        self.assertEqual(state["cycle"], max(last, other) - 1)
        over = state["columns"][0 if last < other else 1]
        self.assertEqual((over["decision"], over["queues"][0]), ("no launch runs on this core", []))


if __name__ == "__main__":
    PAWS = sys.argv.pop(1)
    unittest.main()
