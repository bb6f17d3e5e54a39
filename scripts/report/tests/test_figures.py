"""Every section of the report is drawn from made-up results, and says what they say."""

import hashlib
import unittest
from unittest import mock

from report import plan
from report.data import Results
from report.figures import phases, sensitivity, speed
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


if __name__ == "__main__":
    unittest.main()
