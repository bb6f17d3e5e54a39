"""Every section of the report is drawn from made-up results, and says what they say."""

import csv
import hashlib
import pathlib
import tempfile
import unittest
from unittest import mock

from report import clocks, paper, plan, summary, time_study
from report.data import Results
from report.figures import phases, sensitivity, speed, time
from report.section import Picture


def _number(*words) -> int:
    """Made up, from 0 to 99, always the same."""
    return hashlib.sha256(repr(words).encode()).digest()[0] % 100


def made_up_rows(name: str) -> dict[str, dict]:
    rows = {}
    for scheduler in plan.SINGLE + plan.TWO_LEVEL:
        row = {"scheduler": scheduler, "cycles": 1000 + _number(name, scheduler), "idle_fraction": 0.5,
               "alu_load": 3.0, "memory_load": 2.0 + _number(name) / 100, "active_core_cycles": 4000,
               "scheduler_cycles": 1000, "load_latency": 700.0, "L1D_total_cache_miss_rate": 0.5,
               "L2_total_cache_miss_rate": 0.5, "L1I_total_cache_miss_rate": 0.1,
               "gpgpu_n_shmem_bkconflict": 10, "operand_conflict_cycles": 10,
               "Row_Buffer_Locality": 0.5}
        row |= {f"active_cycles_{part}": 1000 for part in ("compute_only", "memory_only", "both",
                                                          "neither")}
        row |= {f"scheduler_cycles_{state}": _number(name, scheduler, state) for state in
                ("no_instruction", "operand", "pipeline", "outside_ready")}
        lines = ["core,launch,cycle,warps,alu_in_flight,memory_in_flight,phase_1,phase_2"]
        lines += [f"0,{1 + cycle // 1500},{cycle},{warps},3,2,{warps // 2},{warps - warps // 2}"
                  for cycle, warps in zip(range(0, 6000, 100), [48, 40, 48, 20, 48] * 12)]
        row["samples"] = "\n".join(lines)
        row["issues"] = {str(warp): [[10 * warp + 300 * phase, phase] for phase in (1, 2, 3)]
                         for warp in range(24)}
        rows[scheduler] = row
    return rows


class Sections(unittest.TestCase):
    def setUp(self):
        self.enterContext(mock.patch.object(Results, "_rows", lambda self, name: made_up_rows(name)))
        self.enterContext(mock.patch.object(phases, "phases", lambda kernel, rule="order": {
            "phases": [{"length": 18}, {"length": 10}]}))

    def check(self, section, pictures: int) -> None:
        drawn = [part for part in section.parts if isinstance(part, Picture)]
        self.assertEqual(len(drawn), pictures)
        self.assertEqual(len({picture.name for picture in drawn}), pictures)
        for picture in drawn:
            self.assertTrue(picture.svg.startswith("<svg"), picture.name)
            self.assertNotIn("nan", " ".join(section.text))
        self.assertTrue(section.text)

    def test_each_is_drawn(self):
        from report import build
        pictures = {"claims": 0, "table2": 1, "fig5": 2, "fig6": 4, "fig9": 3, "fig10": 5, "fig13": 1,
                    "c2050": 1, "controls": 2}
        for module in build.SECTIONS:
            section = module.section(Results("small", 1))
            with self.subTest(section.name):
                if section.name in pictures:
                    self.check(section, pictures[section.name])

    def test_without_perturbations(self):
        self.check(speed.section(Results("small", 0)), 3)

    def test_sensitivity(self):
        self.check(sensitivity.section(Results("small", 1)), 2)

    def times(self, perturbed: int):
        """The section, from rows in which GTO takes 80 cycles for every 100 of the others and has half of
        their clock."""
        clock = {"gto": 650.0}
        self.enterContext(mock.patch.object(
            clocks, "build", lambda scheduler, ready: clocks.Build(
                dict.fromkeys(clocks.NOTIONS, clock.get(scheduler.partition(":")[2], 1300.0)), 1000.0)))
        self.enterContext(mock.patch.object(Results, "_rows", lambda self, name: {
            f"{level}:{policy}": {"cycles": 80 if policy == "gto" else 100}
            for level in plan.LEVELS for policy in plan.POLICIES}))
        return time.section(Results("small", perturbed))

    def test_times(self):
        section = self.times(2)
        self.check(section, 3)  # both notions give the same clocks: a picture for each level and queue
        self.assertEqual(section.text[0], (
            "Single, in time against RR with Fmax with the ports' budget or Fmax with registers at the ports: "
            "slower: GTO (−37.5 % ±0.0); cannot be told: PAWS (+0.0 % ±0.0), PAWS, cut at blocks (+0.0 % "
            "±0.0)."))
        means = section.parts[-2]
        self.assertEqual(means.rows[0][2:5], ["+25.0 % ±0.0", "650", "−37.5 % ±0.0 (0 faster, 14 slower)"])

    def test_times_without_perturbations(self):
        section = self.times(0)
        self.assertIn("noise not measured", section.text[0])
        self.assertIn("noise not measured", section.parts[-2].caption)

    def test_summary(self):
        rows = summary.of_report(Results("small", 2))
        self.assertLessEqual({"speed", "speed in time", "idle_fraction", "phases", "Fmax, MHz",
                              "area, gate equivalents"}, {row["measure"] for row in rows})
        for row in rows:
            self.assertEqual(tuple(row), summary.NAMES)
        which = [tuple(row[name] for name in summary.NAMES[:10]) for row in rows]
        self.assertEqual(len(which), len(set(which)))
        longest = [row for row in rows if (row["measure"], row["kernel"], row["phases"])
                   == ("longest phase, cycles", "km", "blocks")]
        self.assertEqual([(row["mean"], row["paper"]) for row in longest],
                         [(18, paper.KERNELS["km"]["longest"])])
        self.assertTrue(all(row["low"] <= row["mean"] <= row["high"]
                            for row in rows if row["measure"] == "speed"))
        self.assertTrue(summary.of_sensitivity(Results("small", 2)))

    def test_documents_of_the_time_study(self):
        with tempfile.TemporaryDirectory() as folder:
            docs = pathlib.Path(folder)
            (docs / "synthesis.md").write_text("before\n<!-- scripts/time-study writes from here -->\nold\n"
                                               "<!-- to here -->\nafter\n")
            time_study.write(Results("small"), "Made from nothing.", docs)
            page = (docs / "synthesis.md").read_text()
            with (docs / "time_study.csv").open(newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertTrue(page.startswith("before\n") and page.endswith("after\n"))
        self.assertNotIn("old", page)
        self.assertIn("Made from nothing.", page)
        self.assertEqual(sum(line.startswith("| two-level, ready queue 3 | PAWS") for line in
                             page.splitlines()), 3)  # two in the means, one in the areas
        self.assertEqual({row["seed"] for row in rows if row["reference"] == clocks.OWN}, set("12345"))
        self.assertEqual({row["seed"] for row in rows if row["reference"] == clocks.ONE}, {"0"})
        self.assertEqual({row["fmax"] for row in rows}, set(clocks.NOTIONS))


if __name__ == "__main__":
    unittest.main()
