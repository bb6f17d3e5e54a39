# SPDX-License-Identifier: MIT
"""Reads coverage data of Verilator 5.006 and merges it over instances, runs and configurations.

A point is covered if one instance in one run of one configuration covers it:

* line: the line was executed; a generate block's first line, if a configuration elaborates it;
* branch: this way was taken (if, else, case item, either answer of a `?:`);
* toggle: the bit rose and fell, that is, it changed at least twice in the same instance. A bit is a
  signal, with the generate blocks that it stands in, and an index; bit 5 of a vector is one point,
  however wide the vector is elsewhere;
* functional: the cover property was met.
"""
import collections
import dataclasses
import re

KINDS = ("line", "branch", "toggle", "functional")


@dataclasses.dataclass(frozen=True, order=True)
class Point:
    module: str
    kind: str
    file: str
    line: int
    name: str  # what it is: the line's number, a branch, a signal's bit, a property


class Points:
    def __init__(self):
        self.hits = {}  # Point: covered

    def add(self, point, covered):
        self.hits[point] = self.hits.get(point, False) or covered

    def expect(self, generates, file):
        """Generate blocks, by module: those that nobody elaborates stay uncovered lines."""
        for module, lines in generates.items():
            for line in lines:
                self.add(Point(module, "line", file, line, f"line {line} (generate block)"), False)

    def read(self, path):
        """Adds one file of counts, written instance by instance."""
        with open(path, encoding="utf-8") as file:
            for text in file:
                if match := re.match(r"C '(.*)' (\d+)$", text):
                    fields = dict(each.split("\x02", 1) for each in match.group(1).split("\x01") if each)
                    self._add(fields, int(match.group(2)))

    def _add(self, fields, count):
        page, module = fields["page"].split("/", 1)
        module = module.split("__")[0]
        file, line = fields["f"].rsplit("/", 1)[-1], int(fields["l"])
        name = fields["o"]
        hierarchy = fields["h"].split(".")
        if module == "paws_cover_block":
            _, owner, number = hierarchy[-1].split("__")
            self.add(Point(owner, "line", owner + ".sv", int(number), f"line {number} (generate block)"), count > 0)
        elif module == "paws_cover_bits":
            _, owner, number, signal = hierarchy[-1].split("__", 3)
            scope = _generate_scope(hierarchy[:-1])
            self.add(Point(owner, "toggle", owner + ".sv", int(number), scope + signal + name.removeprefix("bits_i")),
                     count > 1)
        elif page == "v_user":
            self.add(Point(module, "functional", file, line, name), count > 0)
        elif not file.startswith("paws_") or module.endswith("_cover"):
            return  # the test bench
        elif page == "v_toggle":
            self.add(Point(module, "toggle", file, line, name), count > 1)
        else:
            if page == "v_branch" or name == "case":
                self.add(Point(module, "branch", file, line, f"line {line}, {name}, column {fields['n']}"), count > 0)
            for number in _lines(fields.get("S", "")):
                self.add(Point(module, "line", file, number, f"line {number}"), count > 0)


def _lines(ranges):
    """46-48,50 as 46, 47, 48, 50."""
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _generate_scope(hierarchy):
    """The generate blocks at the end of an instance path, as a prefix of a signal's name."""
    scope = []
    for part in reversed(hierarchy):
        if not part.startswith("gen_"):
            break
        scope.insert(0, part.replace("__BRA__", "[").replace("__KET__", "]") + ".")
    return "".join(scope)


def ranges(points):
    """The points as lines of text, bits of a vector that follow each other in one."""
    vectors = collections.defaultdict(list)
    for point in points:
        stem, index = point.name, None
        if point.kind == "toggle" and (match := re.fullmatch(r"(.*)\[(\d+)\]", point.name)):
            stem, index = match.group(1), int(match.group(2))
        vectors[point.module, point.kind, point.file, point.line, stem].append(index)
    for (module, kind, file, line, stem), indices in sorted(vectors.items(), key=lambda item: item[0]):
        text = "" if indices == [None] else "[" + _spans(sorted(indices)) + "]"
        yield f"{file}:{line}: {module} {kind} {stem}{text}"


def _spans(numbers):
    spans = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)
