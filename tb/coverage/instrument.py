# SPDX-License-Identifier: MIT
"""Copies RTL for a coverage build and adds the points that Verilator 5.006 has none for.

Verilator counts no toggles of signals that are declared in generate blocks, and `?:` is no branch to it.
The copy behaves as the original and has the same line numbers:

* beside every such signal stands a paws_cover_bits, whose port is watched instead;
* in every generate block stands a paws_cover_block, which is there to be found: a block that no
  configuration elaborates would otherwise just be missing;
* before every statement with a `?:` stands an if with the same condition and two empty branches, so that
  both answers count as branches.

Elaboration-time constants (parameters, generate conditions) and what stands under PAWS_ASSERT or FORMAL
are no hardware and stay as they are.
"""
import re

COVER_BITS = "paws_cover_bits"
COVER_BLOCK = "paws_cover_block"


class InstrumentError(Exception):
    """The source is written in a way that this file does not know; says where."""


def instrument(name, text):
    """The instrumented text of the RTL file `name`, and the lines of its generate blocks by module."""
    lines = text.split("\n")
    blocks = []  # open blocks, True for generate: those alone have labels, which begin with gen_
    hidden = 0  # depth of `ifdef that is not built
    module = None
    clean = [re.sub(r"//.*", "", line).rstrip() for line in lines]
    generates = {}
    for number, line in enumerate(lines, 1):
        code = clean[number - 1]
        directive = re.match(r"\s*`(ifdef|ifndef|else|endif)\b\s*(\w*)", code)
        if directive:
            hidden = _conditional(hidden, directive.group(1), directive.group(2))
            continue
        if hidden:
            continue
        if match := re.match(r"\s*module\s+(\w+)", code):
            module, blocks = match.group(1), []
        declares = re.match(r"\s*(?:\(\*.*?\*\)\s*)?logic\b(.*);", code)
        if module and declares and True in blocks and False not in blocks:
            lines[number - 1] = line.replace(code, code + _watch(name, number, module, declares.group(1)))
        elif "?" in code and not re.match(r"\s*(localparam|parameter|for|if)\b", code):
            _choices(name, number, lines, clean)
        for word in re.finditer(r"\bbegin\b(?:\s*:\s*(gen_\w+))?|\bend\b", code):
            if word.group().startswith("begin"):
                blocks.append(word.group(1) is not None)
                # Illegal parameters are the business of scripts/check parameters.
                if word.group(1) and not word.group(1).startswith("gen_check_"):
                    generates.setdefault(module, []).append(number)
                    watch = f" {COVER_BLOCK} cover__{module}__{number} ();"
                    lines[number - 1] = lines[number - 1].replace(word.group(), word.group() + watch)
            elif blocks:
                blocks.pop()
    return f'`line 1 "{name}" 0\n' + "\n".join(lines), generates


def _conditional(hidden, word, macro):
    """How many `ifdef deep the text is hidden now; none of the macros is defined in a coverage build."""
    if word == "ifdef":
        return hidden + 1
    if word == "ifndef":
        return hidden + 1 if hidden else 0
    if word == "else":
        return 0 if hidden == 1 else hidden
    return max(hidden - 1, 0)


def _watch(name, number, module, declaration):
    """Instances that watch the signals of `[range] a, b, c`."""
    names = re.sub(r"\[[^\]]*\]", "", declaration, count=1) if declaration.strip().startswith("[") else declaration
    if "[" in names:
        raise InstrumentError(f"{name}:{number}: an array in a generate block has no toggle points yet")
    return "".join(
        f" {COVER_BITS} #(.WIDTH($bits({signal}))) cover__{module}__{number}__{signal} (.bits_i({signal}));"
        for signal in (each.strip() for each in names.split(",")))


def _choices(name, number, lines, clean):
    """Puts an if with two branches before the statement that holds the `?:` of a line, for each."""
    first = number - 1
    while not re.search(r"(;|\bbegin( *: *\w+)?|\bend|^)$", clean[first - 1]):
        first -= 1
    statement = clean[first].lstrip()
    item = re.match(r"(assign|always_ff)\b", statement) is not None
    if not item and not re.match(r"\w+(\[.*\])? *<?=", statement):
        raise InstrumentError(f"{name}:{number}: ?: in a statement that is neither an assignment nor alone")
    code, watches = clean[number - 1], ""
    for mark in (match.start() for match in re.finditer(r"\?", code)):
        start = _condition_start(code, mark)
        if start is None and number - 1 == first:
            raise InstrumentError(f"{name}:{number}: the condition of ?: is not understood")
        condition = code[start or 0:mark].strip()
        watches += f"{'always_comb ' if item else ''}if ({condition}) begin end else begin end "
    indent = len(lines[first]) - len(lines[first].lstrip())
    lines[first] = lines[first][:indent] + watches + lines[first][indent:]


def _condition_start(line, mark):
    """Where the condition that ends at `mark` begins, or None if that is not on this line."""
    depth = 0
    for at in range(mark - 1, -1, -1):
        letter = line[at]
        if letter in ")]}":
            depth += 1
        elif letter in "([{":
            if depth == 0:
                return at + 1
            depth -= 1
        elif depth == 0 and letter in ",;?:":
            return at + 1
        elif depth == 0 and letter == "=" and line[at - 1] not in "=!" and line[at + 1] != "=":
            return at + 1  # an assignment, = or <=
    return None
