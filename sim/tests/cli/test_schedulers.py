# SPDX-License-Identifier: MIT
"""What `paws list` shows of schedulers is what model/policies.toml says, read here once more: test_schedulers.py PAWS"""
import json
import pathlib
import subprocess
import sys
import tomllib
import unittest

CATALOGUE = pathlib.Path(__file__).resolve().parents[3] / "model/policies.toml"


class Schedulers(unittest.TestCase):
    def test_they_are_those_of_the_catalogue(self):
        listed = json.loads(subprocess.run([PAWS, "list", "--json"], capture_output=True, text=True, check=True).stdout)
        self.assertEqual([(scheduler["name"], scheduler["rtl"], scheduler["rule"], scheduler["parameters"])
                          for scheduler in listed["schedulers"]],
                         [(policy["scheduler"], bool({"rtl_code", "rtl_module"} & policy.keys()), policy["rule"],
                           policy.get("parameter", [])) for policy in tomllib.loads(CATALOGUE.read_text())["policy"]])

    def test_people_see_the_rules_and_the_parameters_too(self):
        listed = subprocess.run([PAWS, "list"], capture_output=True, text=True, check=True).stdout
        for policy in tomllib.loads(CATALOGUE.read_text())["policy"]:
            self.assertIn(f"  {policy['rule']}\n", listed)
            for parameter in policy.get("parameter", []):
                self.assertIn(f"policy.{parameter['name']} = {parameter['default']}, {parameter['smallest']} to "
                              f"{parameter['largest']}: {parameter['meaning']}\n", listed)


if __name__ == "__main__":
    PAWS = sys.argv.pop(1)
    unittest.main()
