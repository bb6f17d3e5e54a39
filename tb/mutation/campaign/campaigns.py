# SPDX-License-Identifier: MIT
"""One campaign from its faults to its results, the cheap means first."""

import collections
import dataclasses
import pathlib
import sys
import tomllib

from lib.project_commit import at_commit
from lib.store import digest

from . import faults as fault_lists
from . import netlist, results, simulation
from .configurations import Campaign
from .errors import CampaignError
from .faults import Fault
from .proof import RELATIONS, VIEWS, Prover, relations
from .results import Notes, Result
from .tools import ROOT

SEED = 1                # of the hosts, as in the ordinary run
SHORT_CYCLES = 2_000    # per policy
SUITE_CYCLES = 70_000   # kCycles of random_lockstep_test.cpp
LONG_CYCLES = 1_000_000
DEPTH = 6               # cycles after reset, for what nothing else resolves
EXPLAINED = ROOT / "tb" / "mutation" / "explained.toml"
SECONDS = {"same": 120, "unread": 300, "meaning": 600, "loose": 600, "bounded": 60}


class Run:
    def __init__(self, campaign: Campaign, seed: int, build: pathlib.Path, *, usual: bool = False):
        """usual: the faults are those that explained.toml knows."""
        self._campaign = campaign
        self._usual = usual
        self._program = (build / "tb" / "mutation" / "mutation_run").resolve()
        if not self._program.exists():
            raise CampaignError(f"{self._program} is not built (target mutation_run)")
        self._work = (build / "mutation" / f"{campaign.name}_{campaign.count}_{seed}").resolve()
        self._work.mkdir(parents=True, exist_ok=True)
        self._function = self._work / "function.json"
        self._interface = netlist.elaborate(campaign, self._function)
        self.faults = fault_lists.choose(self._function, campaign.count, seed)
        self._by_id = {fault.id: fault for fault in self.faults}
        design = (self._function, f"{campaign} {seed}")
        self._seen = Notes(self._work / "simulated", digest(*design, *results.hosts()))
        self._proved = Notes(self._work / "proved", digest(*design, *sorted(VIEWS.iterdir())))
        self._prover = Prover(campaign, self._interface, self._function, self._work)
        self._results: dict[int, Result] = {}

    def show(self, number: int) -> str:
        """A fault, with the line of the source."""
        if number not in self._by_id:
            raise CampaignError(f"--show: faults of {self._campaign.name} are 1 to {len(self.faults)}")
        fault = self._by_id[number]
        file, line = fault.place
        text = (ROOT / "rtl" / file).read_text().splitlines()[line - 1].strip()
        lines = [f"{self._campaign.name} {number}: {fault.what}", f"  rtl/{file}:{line}: {text}",
                 f"  instances and expression: {', '.join(fault.sources)}"]
        lines += [f"  net: {wire}" for wire in fault.wires]
        return "\n".join(lines)

    def simulate(self, cycles: int, candidates: list[Fault]) -> list[Fault]:
        """Those that so many cycles per policy leave."""
        todo = [fault for fault in candidates if self._seen.get(fault.id, str(cycles)) is None]
        if todo:
            self._say(f"{len(todo)} faults, {cycles} cycles per policy")
            library = simulation.build(self._campaign, self._interface, self._function, todo,
                                       self._work)
            for number, kill in simulation.run(self._program, library, self._campaign,
                                               [0, *(fault.id for fault in todo)], cycles, SEED):
                if number == 0 and kill is not None:
                    raise CampaignError("the function differs from the golden model without a fault")
                self._seen.put(number, str(cycles), "survived" if kill is None else
                               f"{kill.policy}, {kill.host}, {kill.cycle} cycles")
                self._seen.save()
        return [fault for fault in candidates
                if self._seen.get(fault.id, str(cycles)) == "survived"]

    def _ask(self, question: str, candidates: list[Fault]) -> list[Fault]:
        """Those for which `question` is not proved."""
        todo = [fault for fault in candidates if self._proved.get(fault.id, question) is None]
        if todo:
            self._say(f"{len(todo)} faults, proofs by \"{question}\"")
            asked = self._prover.equal_up_to(DEPTH, todo, SECONDS[question]) if question == "bounded" \
                else self._prover.equivalent(question, todo, SECONDS[question])
            for number, answer in asked:
                self._proved.put(number, question, answer)
                self._proved.save()
        return [fault for fault in candidates if self._proved.get(fault.id, question) != "proved"]

    def results(self) -> dict[int, Result]:
        left = self.simulate(SHORT_CYCLES, self.faults)
        left = self.simulate(SUITE_CYCLES, left)
        for relation in relations(self._campaign):
            left = self._ask(relation, left)
        left = self.simulate(LONG_CYCLES, left)
        self._ask("bounded", left)
        self._results = {fault.id: self._result(fault) for fault in self.faults}
        if any(result.verdict == "equivalent" for result in self._results.values()):
            if self._proved.get(0, "invariant") is None:
                self._say("the invariant")
                self._proved.put(0, "invariant", "proved" if self._prover.invariant() else "refuted")
                self._proved.save()
            if self._proved.get(0, "invariant") != "proved":
                raise CampaignError("what the views call good is no invariant: the proofs are void")
        if self._usual:
            self._explain()
        return self._results

    def _explain(self) -> None:
        """Settles the unresolved faults that explained.toml has. Raises CampaignError for an entry that fits none."""
        unresolved = {str(self._by_id[number]): number for number, result in self._results.items()
                      if result.verdict == "unresolved"}
        for entry in tomllib.loads(EXPLAINED.read_text())["explained"]:
            if entry["campaign"] != self._campaign.name:
                continue
            if entry["fault"] not in unresolved:
                raise CampaignError(f"{EXPLAINED.name}: no unresolved fault of {entry['campaign']}: {entry['fault']}")
            self._results[unresolved[entry["fault"]]] = Result("explained", entry["why"])

    def _result(self, fault: Fault) -> Result:
        for cycles, verdict in ((SHORT_CYCLES, "killed"), (SUITE_CYCLES, "killed"),
                                (LONG_CYCLES, "missed")):
            seen = self._seen.get(fault.id, str(cycles))
            if seen not in (None, "survived"):
                return Result(verdict, seen)
        for relation in RELATIONS:
            if self._proved.get(fault.id, relation) == "proved":
                return Result("equivalent", relation)
        bounded = self._proved.get(fault.id, "bounded")
        if bounded == "refuted":
            return Result("missed", f"differs within {DEPTH} cycles of reset")
        return Result("unresolved", f"equal for {bounded} cycles after reset, and for {LONG_CYCLES} "
                      "random cycles per policy")

    def report(self, *, survivors: bool) -> collections.Counter[str]:
        """Prints what became of the faults; how many have each verdict."""
        for fault in self.faults:
            result = self._results[fault.id]
            if result.verdict in ("missed", "explained", "unresolved") or \
                    survivors and result.verdict == "equivalent":
                print(f"  {fault.id} {fault.source} {fault.what}: {result.verdict}, {result.evidence}")
        counts = collections.Counter(result.verdict for result in self._results.values())
        print(f"{self._campaign.name}: {len(self.faults)} faults, {told(counts)}{at_commit()}")
        return counts

    def write(self, file: pathlib.Path) -> None:
        results.write(file, self.faults, self._results)

    def _say(self, text: str) -> None:
        print(f"{self._campaign.name}: {text}", file=sys.stderr, flush=True)


def told(counts: collections.Counter[str]) -> str:
    """How many faults have each verdict, in words."""
    return ", ".join(f"{counts[verdict]} {verdict}"
                     for verdict in ("killed", "equivalent", "explained", "missed", "unresolved"))


@dataclasses.dataclass(frozen=True)
class Sample:
    """What the ordinary run makes of some faults."""

    faults: int
    noticed: int
    compared: bool         # with the kept table; if not, that is of other faults
    differences: list[str]  # faults that the table calls killed and are not noticed, or the reverse


def sample(run: Run, count: int, table: pathlib.Path) -> Sample:
    """Puts `count` of the faults, evenly spread, to the ordinary run, and compares with `table`."""
    chosen = [run.faults[number * len(run.faults) // count] for number in range(count)]
    left = {fault.id for fault in
            run.simulate(SUITE_CYCLES, run.simulate(SHORT_CYCLES, chosen))}
    kept = results.kept(table, run.faults)
    differences = [] if kept is None else [
        f"{fault.id} {fault.source} {fault.what}: {'not ' if fault.id in left else ''}noticed, "
        f"but {kept[fault.id].verdict} by {table.name}"
        for fault in chosen if (kept[fault.id].verdict == "killed") == (fault.id in left)]
    return Sample(count, count - len(left), kept is not None, differences)
