# SPDX-License-Identifier: MIT
"""Links, and names of documents and their sections, lead somewhere; the index has every page."""
import os
import pathlib
import re
import sys
import tempfile
import unittest
from unittest import mock

from written import ROOT, sources, study

sys.path.insert(0, str(ROOT / "scripts"))

from lib.places import DOCS, EVIDENCE, GENERATED, GUIDE, REFERENCE  # noqa: E402
from lib.project_commit import at_commit  # noqa: E402

FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1`*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`+[^`]*`+")
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.MULTILINE)
# A document by its path from the root, and behind it the start of a section's name in quotes:
# docs/guide/traces.md, "Waves".
NAMED = re.compile(r'(?<![\w./-])(?P<path>docs/[\w./-]*\w)(?:`?,? "(?P<section>[^"]+)")?')
PAGE = re.compile(r"(?<![\w./*<{}-])(?P<path>(?:\.\./)*[\w/-]*\w\.md)\b")
COMMENT = re.compile(r" *\n *(?:///?|#|\*)? *")  # where a sentence goes on in the next line


def prose(text):
    """A page without what is code."""
    return CODE.sub("", FENCE.sub("", text))


def anchors(text):
    """What a link to a section of this page can name: GitHub's rule."""
    found = []
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return found


def dead_links(page):
    """The links of a page that lead nowhere; those to other sites are not followed."""
    dead = []
    for target in LINK.findall(prose(page.read_text(encoding="utf-8"))):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
            dead.append(target)
    return dead


def unknown_documents(text, folder, names):
    """Documents and sections that `text`, of a file in `folder`, names and that do not exist. `names` are those of
    all pages, for a page that is named without its folder."""
    text = COMMENT.sub(" ", LINK.sub("]", text))
    unknown = []
    for match in NAMED.finditer(text):
        file, section = ROOT / match["path"], match["section"]
        if file.stem.isupper() and file.stem != "README":  # a placeholder
            continue
        if not file.exists():
            unknown.append(match["path"])
        elif section and not re.search(rf"^#+ {re.escape(section)}", file.read_text(encoding="utf-8"), re.MULTILINE):
            unknown.append(f'{match["path"]}, "{section}"')
    for match in PAGE.finditer(text):
        path = match["path"]
        known = (folder / path).exists() or (ROOT / path).exists() if "/" in path else path in names
        if not known and not path.startswith("docs/"):
            unknown.append(path)
    return unknown


def pages():
    return [path for path in sources() if path.suffix == ".md"]


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        self.assertGreater(len(pages()), 20)
        for page in pages():
            with self.subTest(page=str(page.relative_to(ROOT))):
                self.assertEqual(dead_links(page), [])

    def test_every_picture_is_shown(self):
        shown = {(page.parent / target).resolve() for page in pages()
                 for target in LINK.findall(prose(page.read_text(encoding="utf-8")))}
        pictures = {path for kind in ("svg", "png") for path in DOCS.rglob(f"*.{kind}")}
        self.assertEqual(sorted(map(str, pictures - shown)), [])

    def test_dead_links_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            page, other = (pathlib.Path(folder) / name for name in ("page.md", "other.md"))
            other.write_text("# A `b`, c!\n## Two\n```\n# no heading\n```\n## Two\n")
            page.write_text("# Top\n[a](gone.md) [b](other.md#gone) [c](#gone) ![d](gone.svg) [e](other.md#no-heading)\n")
            self.assertEqual(dead_links(page), ["gone.md", "other.md#gone", "#gone", "gone.svg", "other.md#no-heading"])
            page.write_text("# Top\n[a](other.md#a-b-c) [b](#top) [c](other.md#two-1) [d](https://example.org/gone)\n"
                            "`[e](gone.md)`\n```\n[f](gone.md)\n```\n")
            self.assertEqual(dead_links(page), [])


class Writers(unittest.TestCase):
    def test_a_page_has_the_studies_that_write_it(self):
        text = "".join(f"<!-- scripts/{command} writes from here -->\n<!-- to here -->\n" for command in
                       ("study codes", "study phase-keys", "study codes: shared", "check agreement --update"))
        self.assertEqual(study("page").studies_of(f"`scripts/study wakes`\n{text}"), ["codes", "phase-keys"])

    def test_all_studies_of_a_page_name_the_commit_of_the_first(self):
        with mock.patch.dict(os.environ, PAWS_COMMIT=", commit 1a2b3c4"):
            self.assertEqual(at_commit(), ", commit 1a2b3c4")


class Shape(unittest.TestCase):
    def test_the_front_page_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text(encoding="utf-8").split()), 700)

    def test_the_first_paragraph_says_for_whom_and_what_for(self):
        elsewhere = {REFERENCE / "statistics.md"}  # sim/ has its text
        for page in set(DOCS.rglob("*.md")) - elsewhere:
            with self.subTest(page=page.name):
                title, *paragraphs = re.split(r"\n+", re.sub("<!--.*?-->", "", page.read_text(encoding="utf-8")), maxsplit=1)
                self.assertRegex(paragraphs[0].split("\n\n")[0], r"\bis\s+for\b[^;]*;\s+after\s+it\s+you\s+can\b")

    def test_the_changelog_has_the_version(self):
        version = re.search(r"^project\(\w+ VERSION ([\d.]+) ", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
        self.assertIn(f"\n## {version}\n", (ROOT / "CHANGELOG.md").read_text())

    def test_a_page_begins_with_its_title(self):
        for page in pages():
            with self.subTest(page=str(page.relative_to(ROOT))):
                self.assertRegex(page.read_text(encoding="utf-8"), r"^# \S")


class Names(unittest.TestCase):
    def test_what_is_named_exists(self):
        names = {page.name for page in pages()}
        for path in sources():
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertEqual(unknown_documents(path.read_text(encoding="utf-8"), path.parent, names), [])

    def test_names_that_do_not_exist_are_found(self):
        text = 'see docs/gone.md; GONE.md,\n# docs/README.md, "No such\n# section"; gone/README.md'
        self.assertEqual(unknown_documents(text, ROOT, {"README.md"}),
                         ["docs/gone.md", 'docs/README.md, "No such section"', "GONE.md", "gone/README.md"])

    def test_names_that_exist_are_not(self):
        text = ('// docs/README.md (docs/reference/microarchitecture.md, "Age\n// limit"), workloads/README.md, README.md,\n'
                '// docs/NAME.csv')
        self.assertEqual(unknown_documents(text, ROOT, {"README.md"}), [])


class Index(unittest.TestCase):
    def test_the_index_has_every_page_once(self):
        linked = LINK.findall((DOCS / "README.md").read_text(encoding="utf-8"))
        for folder in (GUIDE, REFERENCE, EVIDENCE):
            for page in folder.glob("*.md"):
                self.assertEqual(linked.count(str(page.relative_to(DOCS))), 1, page.name)

    def test_a_document_is_of_one_kind(self):
        self.assertEqual({path.name for path in DOCS.iterdir()}, {"README.md", "tutorial", "guide", "reference", "evidence"})

    def test_what_commands_write_stands_apart(self):
        written = [path for path in EVIDENCE.iterdir() if path.is_file() and path.suffix != ".md"]
        self.assertEqual(written, [])
        self.assertEqual(list(GENERATED.rglob("*.md")), [])

    def test_the_index_says_what_writes_each_result(self):
        index = (DOCS / "README.md").read_text(encoding="utf-8")
        for path in GENERATED.iterdir():
            self.assertIn(f"`{path.name}{'/' if path.is_dir() else ''}`", index)


if __name__ == "__main__":
    unittest.main()
