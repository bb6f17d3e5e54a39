# SPDX-License-Identifier: MIT
"""Proofs that a fault changes nothing that can be seen at the ports.

Two schedulers, one with the fault, take the same inputs of a host that keeps its promises. A relation of
their states is proved to hold after reset and after every cycle, and while it holds outputs are equal.
As the flip-flops are ports, that is one question to a SAT solver for all cycles at once. Tried in turn:

  same      the states are equal
  unread    they are equal but for bits that nobody looks at before they are loaded again
  meaning   they mean the same, in whatever representation
  loose     the same, and the faulty one may also have ages that no scheduler without a fault has

In each, the scheduler without the fault is in a state that the invariant of tb/mutation/views admits; with
"meaning" the one with the fault is too, with "loose" it is in one that the looser invariant admits. That the invariant
is one is proved first. Registers hold the same after power-up in both, whatever it is, and reset may come in any cycle,
beside any inputs.
"""

import dataclasses
import pathlib
import re
from collections.abc import Iterator

from .configurations import Campaign
from .faults import Fault
from .netlist import MODULE, Interface, Port
from .tools import ROOT, yosys

RELATIONS = ("same", "unread", "meaning", "loose")
FAULTY = "faulty"
VIEWS = pathlib.Path(__file__).parent.parent / "views"
PORTION = 5  # questions per run of Yosys


@dataclasses.dataclass(frozen=True)
class _Register:
    """State ports that are words of one array, word 0 first."""

    name: str
    words: tuple[str, ...]
    width: int  # of all


def _registers(interface: Interface) -> list[_Register]:
    words: dict[str, dict[int, Port]] = {}
    for port in interface.state:
        name, word = re.fullmatch(r"(.*_q)(?:_(\d+))?", port.name).groups()
        words.setdefault(name, {})[int(word or 0)] = port
    return [_Register(name, tuple(ports[word].name for word in sorted(ports)),
                      sum(port.width for port in ports.values()))
            for name, ports in words.items()]


def relations(campaign: Campaign) -> tuple[str, ...]:
    """Those that its view has."""
    return RELATIONS if campaign.level == "two_level" else RELATIONS[:-1]


def _member_bits(campaign: Campaign) -> int:
    """Bits of pair, row and second of a warp less one: what SCA remembers of the last issuer's group."""
    return campaign.pair_bits + (campaign.warps - 1).bit_length() - 1


def _members_differ(campaign: Campaign) -> str:
    """An expression: under SCA no two live warps have the same pair_i, row_i and second_i."""
    codes = [policy.rtl_code for policy in campaign.policies if policy.name == "sca"]
    if campaign.level != "single_level" or not codes:
        return "1'b1"
    rows, pairs = (campaign.warps - 1).bit_length() - 1, campaign.pair_bits

    def member(warp: int) -> str:
        return f"{{pair_i[{warp * pairs}+:{pairs}], row_i[{warp * rows}+:{rows}], second_i[{warp}]}}"

    equal = " | ".join(f"(live[{v}] & live[{w}] & {member(v)} == {member(w)})"
                       for w in range(campaign.warps) for v in range(w))
    return f"(policy_i != {codes[0]} | ~({equal}))"


def _view(campaign: Campaign, loose: bool) -> tuple[str, str, int]:
    """Module, its parameters, width of the meaning."""
    warps = campaign.warps
    if campaign.level == "single_level":
        return ("single_level_view", f"#(.WARPS({warps}), .LIMIT({campaign.age_limit}))",
                warps * warps + 3 * warps + 16 + 3 + _member_bits(campaign))
    return ("two_level_view", f"#(.WARPS({warps}), .READY({campaign.ready}), "
            f".KEY_W({campaign.phase_bits}), .LIMIT({campaign.age_limit}), .LOOSE({int(loose)}))",
            4 * warps * warps + 7 * warps + 17 + warps * campaign.phase_bits)


def view_macros(campaign: Campaign) -> str:
    macros = {0: "-DPAWS_SHIFT", 1: "-DPAWS_TREE", 2: ""}[campaign.sorter]
    return macros + (" -DPAWS_LIMIT" if campaign.age_limit else "")


def _instance(module: str, name: str, connections: dict[str, str]) -> str:
    return f"  {module} {name} ({', '.join(f'.{p}({n})' for p, n in connections.items())});"


def _schedulers(campaign: Campaign, interface: Interface) -> list[str]:
    """Scheduler a and, with the fault, b: from states q_a_..., q_b_... to d_a_..., d_b_...; the host's
    promises (promised) and the warps that it takes for live (live, next_live)."""
    lines = []
    for side, module in (("a", MODULE), ("b", FAULTY)):
        connections = {port.name: port.name for port in interface.inputs}
        for port in interface.outputs:
            connections[port.name] = f"{side}_{port.name}"
            lines.append(f"  wire [{port.width - 1}:0] {side}_{port.name};")
        for register in _registers(interface):
            lines.append(f"  wire [{register.width - 1}:0] d_{side}_{register.name};")
            low = 0
            for word in register.words:
                width = register.width // len(register.words)
                for end in "qd":
                    connections[f"{end}_{word}"] = \
                        f"{end}_{side}_{register.name}[{low + width - 1}:{low}]"
                low += width
        lines.append(_instance(module, f"u_{side}", connections))
    warps = campaign.warps
    all_waits = "waits_i" if campaign.level == "two_level" else f"{warps}'d0"
    built = f"16'd{campaign.policy_mask} >> policy_i & 1'b1"
    lines += [f"  wire [{warps - 1}:0] launched = {{{warps}{{launch_valid_i}}}} & ({warps}'d1 << launch_warp_i);",
              f"  wire [{warps - 1}:0] ended = {{{warps}{{a_issue_valid_o}}}} & ({warps}'d1 << a_issue_warp_o)"
              " & exit_i;",
              f"  wire promised = ({built}) & ~|(issuable_i & {all_waits}) & ~|((issuable_i | {all_waits}) & ~live)"
              f" & (!launch_valid_i | (launch_warp_i < {warps} & ~|(launched & live)))"
              f" & {_members_differ(campaign)};",
              f"  wire [{warps - 1}:0] next_live = rst_ni ? (live | launched) & ~ended : {warps}'d0;",
              "  wire same_outputs = !rst_ni | (" +
              " & ".join(f"a_{p.name} == b_{p.name}" for p in interface.outputs) + ");"]
    return lines


def _policy_range(interface: Interface) -> str:
    """The range of a vector that holds a code of policy_i."""
    return f"[{next(port.width for port in interface.inputs if port.name == 'policy_i') - 1}:0]"


def step(campaign: Campaign, interface: Interface, question: str) -> str:
    """Verilog of module step_QUESTION, whose output ok is 1 for all inputs if the answer is yes.
    Questions are the relations and "invariant"."""
    registers = _registers(interface)
    meaning = _view(campaign, False)[2]
    ports = [f"input wire {port.declaration}" for port in interface.inputs]
    ports += [f"input wire [{campaign.warps - 1}:0] live", f"input wire {_policy_range(interface)} reset_policy",
              "output wire ok"]
    same_state = question in ("same", "invariant")
    for register in registers:
        ports.append(f"input wire [{register.width - 1}:0] q_a_{register.name}")
        if not same_state:
            # What nobody looks at may be anything; all else is the same net, which shortens the proof.
            free = "any" if question == "unread" else "q_b"
            ports.append(f"input wire [{register.width - 1}:0] {free}_{register.name}")
    lines = [f"module step_{question} (", ",\n".join(f"  {port}" for port in ports), ");"]
    if same_state:
        lines += [f"  wire [{r.width - 1}:0] q_b_{r.name} = q_a_{r.name};" for r in registers]
    if question == "unread":
        lines += [f"  wire [{r.width - 1}:0] care_q_a_{r.name};" for r in registers]
        lines += [f"  wire [{r.width - 1}:0] q_b_{r.name} = (q_a_{r.name} & care_q_a_{r.name}) |"
                  f" (any_{r.name} & ~care_q_a_{r.name});" for r in registers]
    lines += _schedulers(campaign, interface)
    # The policy may change with reset.
    lines.append(f"  wire {_policy_range(interface)} next_policy = rst_ni ? policy_i : reset_policy;")
    for side in "ab":
        module, parameters, _ = _view(campaign, question == "loose" and side == "b")
        for end, policy, live in (("q", "policy_i", "live"), ("d", "next_policy", "next_live")):
            view = f"{end}_{side}"
            connections = {"policy_i": policy, "live_i": live, "good_o": f"good_{view}",
                           "meaning_o": f"meaning_{view}"}
            lines += [f"  wire good_{view};", f"  wire [{meaning - 1}:0] meaning_{view};"]
            for r in registers:
                if (question, view) != ("unread", "q_a"):
                    lines.append(f"  wire [{r.width - 1}:0] care_{view}_{r.name};")
                connections |= {r.name: f"{view}_{r.name}", f"care_{r.name}": f"care_{view}_{r.name}"}
            lines.append(_instance(f"{module} {parameters}", f"u_view_{view}", connections))

    def equal(end: str) -> str:
        return " & ".join(f"({end}_a_{r.name} == {end}_b_{r.name})" for r in registers)

    unread = " & ".join(f"~|((d_a_{r.name} ^ d_b_{r.name}) & care_d_a_{r.name})" for r in registers)

    related = {"invariant": ("1'b1", "good_d_a"),
               "same": ("1'b1", equal("d")),
               "unread": ("1'b1", unread),
               "meaning": ("good_q_b & (meaning_q_a == meaning_q_b)",
                           "good_d_b & (meaning_d_a == meaning_d_b)")}
    related["loose"] = related["meaning"]
    before, after = related[question]
    lines += [f"  wire related = good_q_a & {before};",
              f"  wire powered = {equal('q')};",
              "  wire assumed = rst_ni ? related & promised : related | powered;",
              f"  assign ok = !assumed | (same_outputs & {after});", "endmodule", ""]
    return "\n".join(lines)


def _answers(printed: str) -> dict[int, str]:
    """By number of the question: proved, refuted, timeout, or how many cycles have been proved."""
    answers = {}
    number = 0
    for line in printed.splitlines():
        if line.startswith("QUESTION "):
            number = int(line.split()[1])
            answers[number] = "timeout"
        elif "no model found: SUCCESS!" in line:
            answers[number] = "proved"
        elif "model found" in line and "FAIL!" in line:
            answers[number] = "refuted"
        elif match := re.match(r"Base case for induction length (\d+) proven", line):
            answers[number] = str(int(match.group(1)) - 1)  # the first cycle is that of reset
    return answers


def bounded(campaign: Campaign, interface: Interface) -> str:
    """Verilog of module bounded: both schedulers from reset on, under a host that has kept its promises
    so far; its output ok is 1 as long as their outputs agree. The host is registers and inputs, and
    time is left to whoever unrolls it. State is 0 after power-up, and reset comes once."""
    registers = _registers(interface)
    warps, policy_range = campaign.warps, _policy_range(interface)
    ports = [f"input wire {port.declaration}" for port in interface.inputs
             if port.name not in ("rst_ni", "policy_i")]
    ports += ["input wire clk_i", f"input wire {policy_range} any_policy", "output wire ok"]
    lines = ["module bounded (", ",\n".join(f"  {port}" for port in ports), ");",
             "  reg started_q = 0, kept_q = 1;", f"  reg {policy_range} policy_q = 0;",
             f"  reg [{warps - 1}:0] live = 0;",
             "  wire rst_ni = started_q;", f"  wire {policy_range} policy_i = policy_q;"]
    for side in "ab":
        lines += [f"  reg [{r.width - 1}:0] q_{side}_{r.name} = 0;" for r in registers]
    lines += _schedulers(campaign, interface)
    lines += ["  wire kept = kept_q & (promised | !rst_ni);", "  assign ok = !kept | same_outputs;",
              "  always @(posedge clk_i) begin", "    started_q <= 1;", "    kept_q <= kept;",
              "    live <= next_live;", "    if (!started_q) policy_q <= any_policy;"]
    for side in "ab":
        lines += [f"    q_{side}_{r.name} <= d_{side}_{r.name};" for r in registers]
    return "\n".join([*lines, "  end", "endmodule", ""])


class Prover:
    """Asks one question about many faults."""

    def __init__(self, campaign: Campaign, interface: Interface, function: pathlib.Path,
                 work: pathlib.Path):
        self._campaign, self._interface, self._function = campaign, interface, function
        self._work = work

    def _prepare(self, question: str) -> pathlib.Path:
        """The design in which the question is asked."""
        prepared = self._work / f"{question}.il"
        source = self._work / f"{question}.v"
        if question == "bounded":
            top = "bounded"
            source.write_text(bounded(self._campaign, self._interface))
        else:
            top = f"step_{question}"
            source.write_text(step(self._campaign, self._interface, question))
        view = VIEWS / f"{self._campaign.level}_view.sv"
        # The schedulers stay as they are: the faults name their cells.
        yosys(f"""
            read_json {self._function}
            copy {MODULE} {FAULTY}
            read_verilog -sv {view_macros(self._campaign)} {ROOT / 'rtl/paws_pkg.sv'} {view}
            read_verilog -sv {source}
            hierarchy -check -top {top}
            proc
            select {top}
            flatten {top}/t:*_view*
            opt -full
            select -clear
            write_rtlil {prepared}
            """, errors="implicitly declared|out of bounds")
        return prepared

    def _ask(self, question: str, commands: dict[int, str], solve: str) -> Iterator[tuple[int, str]]:
        prepared = self._prepare(question)
        # In portions, so that an interrupted run has something to continue from.
        numbers = list(commands)
        for first in range(0, len(numbers), PORTION):
            script = [f"read_rtlil {prepared}", "design -save base"]
            for number in numbers[first:first + PORTION]:
                script += ["design -load base", f"log QUESTION {number}", commands[number], "flatten",
                           "opt -fast -full", solve]
            yield from _answers(yosys("\n".join(script) + "\n")).items()

    def invariant(self) -> bool:
        """Whether what the views call good holds after reset and after every cycle."""
        return dict(self._ask("invariant", {0: ""}, "sat -prove ok 1 -timeout 3600"))[0] == "proved"

    def equivalent(self, relation: str, faults: list[Fault], seconds: int) -> Iterator[tuple[int, str]]:
        """Whether `relation` shows that a fault changes nothing: proved, refuted or timeout."""
        commands = {fault.id: fault.command(module=FAULTY) for fault in faults}
        return self._ask(relation, commands, f"sat -prove ok 1 -timeout {seconds}")

    def equal_up_to(self, depth: int, faults: list[Fault], seconds: int) -> Iterator[tuple[int, str]]:
        """In how many of the `depth` cycles that follow reset outputs are equal, or refuted."""
        commands = {fault.id: fault.command(module=FAULTY) for fault in faults}
        return self._ask("bounded", commands,
                         f"sat -tempinduct -tempinduct-baseonly -maxsteps {depth + 1} -prove ok 1 "
                         f"-timeout {seconds}")
