# SPDX-License-Identifier: MIT
# The runs of a sweep that are missing, one job each. scripts/sweep --profile starts it (docs/guide/sweep.md).
import json
import os
import sys

sys.dont_write_bytecode = True
SCRIPTS = os.path.dirname(workflow.basedir)
PLAN = os.path.abspath("plan.json")
with open(PLAN) as file:
    JOB = json.load(file)
PAWS = JOB["paws"]
PYTHON = "PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -P"


rule all:
    input: [f"{key}.json" for key in JOB["runs"]]

rule simulate:
    output: "{key}.json"
    wildcard_constraints: key="[0-9a-f]{24}"
    shell: "PAWS={PAWS:q} PYTHONPATH={SCRIPTS:q} {PYTHON} -m lib.sweep_runs {PLAN:q} {wildcards.key}"
