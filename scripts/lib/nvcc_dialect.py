# SPDX-License-Identifier: MIT
"""What nvcc takes and clang does not, in the text of CUDA sources (scripts/cuda++)."""

import json
import os
import pathlib
import re

# White space, also across the lines of a macro.
GAP = r"(?:\s|\\\n)*"
COMMENT = r"//(?:\\\n|[^\n])*|/\*.*?\*/"
STRING = r'\b(?:u8|[uUL])?R"(?P<end>[^()\\\s"]*)\(.*?\)(?P=end)"|"(?:[^"\\\n]|\\.)*"'
CHARACTER = r"'(?:[^'\\\n]|\\.)+'"
# A number may have quotes.
TOKEN = re.compile(rf"""(?P<linkage>\bextern\s*"C")(?=_)
    |(?P<other>{COMMENT}|{STRING}|{CHARACTER}|\b\d(?:'?[\w.])*|\boperator\s*<<?)
    |^[ \t]*\#[ \t]*define[ \t]+(?P<macro>\w+)[ \t]+\#[ \t]*pragma[ \t]+(?P<pragma>[^\n]*)
    |\b(?:asm|__asm|__asm__)\b{GAP}(?:(?:volatile|__volatile__)\b{GAP})?(?P<asm>\()
    |(?P<opening><\s*<\s*<)(?P<launch>[^;]*?)(?P<closing>>\s*>\s*>)(?=\s*\()
    |(?P<shared>(?:\b(?:static|extern)\s+)?\b__shared__)(?P<gap>\s+)(?P<alignment>alignas\s*\((?:[^()]|\([^()]*\))*\))
    """, re.VERBOSE | re.DOTALL | re.MULTILINE)
INSIDE_ASM = re.compile(rf"(?P<comment>{COMMENT})|(?P<string>{STRING})|{CHARACTER}|(?P<name>[A-Za-z_]\w*)|[^\s\\]",
                        re.DOTALL)
# Of PTX, as %laneid. A letter and a digit are the compiler's.
REGISTER = re.compile(r"(?<!%)%(?=[A-Za-z_](?![0-9\[]))")
DECLARATOR = re.compile(r"(?P<kind>.*?)(?P<star>[*&\s]*)\b(?P<name>\w+)\s*(?P<sides>(?:\[[^]]*\]\s*)*)")
SHARED_START = re.compile(r"((?:static\s+|alignas\s*\((?:[^()]|\([^()]*\))*\)\s*)*)__shared__\b([^;{}]*)\Z")
SHARED_ERROR = re.compile(r"^(.+?):(\d+):(\d+): error: initialization is not supported for __shared__ variables", re.M)


def in_strings(text):
    """With % doubled in front of registers."""
    return re.sub(STRING, lambda string: REGISTER.sub("%%", string[0]), text, flags=re.DOTALL)


def asm_statement(text, start):
    """What stands in the parentheses of asm() from here on, as clang takes it; where it ends; macros of its template.

    clang wants %% for a % of PTX, and commas between operands."""
    depth, template, last, made, macros = 1, None, "", [], set()
    at = start
    for part in INSIDE_ASM.finditer(text, start):
        word = part[0]
        if part["comment"]:
            continue
        if template is None:
            if part["name"]:
                macros.add(word)
            elif word == ":" and depth == 1:
                template, at = in_strings(text[start:part.start()]), part.start()
        elif depth == 1 and last == ")" and (part["string"] or word == "["):
            made += [text[at:part.start()], ","]
            at = part.start()
        depth += (word == "(") - (word == ")")
        last = word
        if depth == 0:
            # Without operands, % is as good as any letter.
            if template is None:
                macros = set()
            return (template or "") + "".join(made) + text[at:part.start()], part.start(), macros
    return text[start:], len(text), set()


def in_place_of(text, word):
    """The word, with the white space that was in it: lines stay where they are."""
    return word + "".join(re.findall(r"\s", text))


def for_clang(text):
    """A source as clang takes it, with as many lines; and the macros that are texts of its asm()."""
    made, at, macros = [], 0, set()
    while found := TOKEN.search(text, at):
        made.append(text[at:found.start()])
        at, word = found.end(), found[0]
        if found["linkage"]:
            word += " "
        elif found["macro"]:
            quoted = re.sub(COMMENT, " ", found["pragma"]).strip().replace("\\", "\\\\").replace('"', '\\"')
            word = f'#define {found["macro"]} _Pragma("{quoted}")'
        elif found["asm"]:
            inside, at, names = asm_statement(text, at)
            macros |= names
            word += inside
        elif found["opening"]:
            # The first two may be lists in braces.
            launch = re.sub(r"((?:^|,)\s*)\{", r"\1dim3{", found["launch"])
            word = in_place_of(found["opening"], "<<<") + launch + in_place_of(found["closing"], ">>>")
        elif found["shared"]:
            # clang wants alignas() in front of all else.
            word = found["alignment"] + found["gap"] + found["shared"]
        made.append(word)
    return "".join(made) + text[at:], macros


def split_declarators(text):
    """At commas outside of brackets."""
    parts, depth, at = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0:
            parts.append(text[at:i])
            at = i + 1
    return [*parts, text[at:]]


def raw_shared(before, declaration):
    """Declarations of the same names that run no constructor: references to bytes. None if this cannot be said.

    before: the specifiers in front of __shared__; declaration: what is behind it, without the semicolon."""
    kind, made = "", []
    plain = " ".join(re.sub(rf"{COMMENT}|\bstatic\b", " ", declaration, flags=re.DOTALL).split())
    for declarator in split_declarators(plain):
        found = DECLARATOR.fullmatch(declarator)
        if not found or bool(found["kind"].strip()) == bool(kind):
            return None
        kind = kind or found["kind"]
        name = found["name"]
        made.append(f'typedef {kind}{found["star"]} paws_{name}{found["sides"]}; '
                    f"alignas(paws_{name}) {before}__shared__ unsigned char paws_{name}_bytes[sizeof(paws_{name})]; "
                    f"paws_{name} &{name} = reinterpret_cast<paws_{name} &>(paws_{name}_bytes)")
    return "; ".join(made) + "\n" * declaration.count("\n")


class Sources:
    """Changed copies of files. clang sees each copy in the place of its file (-ivfsoverlay), with as many lines, so
    messages name the file."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.originals, self.texts, self.macros = {}, {}, set()

    def add(self, paths):
        """Files that clang may read, if they exist."""
        for path in map(os.path.abspath, paths):
            if path in self.texts or not os.access(path, os.R_OK):
                continue
            self.originals[path] = pathlib.Path(path).read_text(encoding="latin-1")
            self.texts[path], macros = for_clang(self.originals[path])
            self.macros |= macros
        if self.macros:
            definition = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+(?:{'|'.join(self.macros)})\b(?:\\\n|[^\n])*", re.M)
            for path, text in self.texts.items():
                self.texts[path] = definition.sub(lambda macro: in_strings(macro[0]), text)

    def run_no_constructors(self, said):
        """Of the variables in shared memory whose constructors clang refuses: nvcc does not run them.

        Files and lines of what has been changed because of what the compiler said."""
        wrong = {}
        for path, line, column in SHARED_ERROR.findall(said):
            wrong.setdefault(os.path.abspath(path), set()).add((int(line), int(column)))
        changed = []
        for path, places in wrong.items():
            self.add([path])
            text = self.texts.get(path, "")
            starts = [0, *(end.end() for end in re.finditer("\n", text))]
            # From the last one on, so that what is in front stays where it is; one declaration may have several.
            done = len(text)
            for line, column in sorted(places, reverse=True):
                place = starts[line - 1] + column - 1
                start, end = SHARED_START.search(text, 0, place), text.find(";", place)
                if start is None or end < 0 or start.start() >= done:
                    continue
                declaration = raw_shared(start[1], start[2] + text[place:end])
                if declaration is None:
                    continue
                text = text[:start.start()] + declaration + text[end:]
                done = start.start()
                changed.append(f"{os.path.relpath(path)}:{text.count(chr(10), 0, done) + 1}")
            self.texts[path] = text
        return changed[::-1]

    def options(self):
        """Those with which clang sees the copies."""
        copies = []
        for number, (path, text) in enumerate(self.texts.items()):
            if text != self.originals[path]:
                copy = self.folder / f"source-{number}"
                copy.write_text(text, encoding="latin-1")
                copies.append({"name": path, "type": "file", "external-contents": str(copy)})
        if not copies:
            return []
        table = self.folder / "sources.json"
        table.write_text(json.dumps({"version": 0, "use-external-names": False, "roots": copies}))
        return ["-ivfsoverlay", str(table)]
