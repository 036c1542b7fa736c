"""Blocks of code in pages, tutorials and doc comments, with what an invisible comment above each says of it.

    <!-- new -->                     begins a program; other blocks of Swift continue the one before them on the page
    <!-- with library -->            begins one that has `container` and `context` of the library of these pages
    <!-- with library, statements --> and prints the statements that it sends
    <!-- with library, checked -->   and runs with COREDATA_CONCURRENCYDEBUG=1
    <!-- manifest -->                a Package.swift: it is evaluated, and names products that exist
    <!-- model Diary -->             a block of XML: the model that this page's programs import as Model
    <!-- file Item.swift, rewriter, model Shop -->   a file of a target with the plugins, and that model
    <!-- test -->                    a file of a test target; `test, continued` has the types of the program before it
    <!-- server -->                  begins a program that needs a server of PostgreSQL's
    <!-- stored -->                  in a doc comment: at `url` there is a store with the library's objects
    <!-- prints -->                  a block of text: what the program prints next; "..." stands for any lines, "…" for any words
    <!-- ends: words -->             the program stops there, and says so
    <!-- not run: reason -->         is compiled only
    <!-- not compiled: reason -->    is neither
"""
import glob
import os
import re

from . import ROOT, Problem, markdown, read

WORDS = {"new", "with library", "statements", "manifest", "test", "server", "prints", "rewriter", "continued", "checked", "stored"}
PATTERNS = (r"model \w+", r"file [\w+.]+")
REASONS = ("ends:", "not run:", "not compiled:")


class Block:
    def __init__(self, place, number, language, text, marks):
        """number: the line in the file of the first line of code."""
        self.place, self.number, self.language, self.text = place, number, language, text
        self.marks, self.reasons = set(), {}
        for mark in marks:
            self._take(mark)

    def _take(self, comment):
        for reason in REASONS:
            if comment.startswith(reason):
                words = comment.removeprefix(reason).strip()
                if not words:
                    raise Problem(f"{self.where}: '{reason}' needs words behind it")
                self.reasons[reason[:-1]] = words
                return
        for word in (word.strip() for word in comment.split(",")):
            if word not in WORDS and not any(re.fullmatch(pattern, word) for pattern in PATTERNS):
                raise Problem(f"{self.where}: there is no mark '{word}'; Documentation/builder/blocks.py has those that are")
            self.marks.add(word)

    @property
    def where(self):
        return f"{self.place}:{self.number}"

    def named(self, mark):
        """What stands behind a mark, as Diary in `model Diary`."""
        return next((word.removeprefix(mark + " ") for word in self.marks if word.startswith(mark + " ")), None)


def of_page(place, text=None, offset=0):
    """The blocks of a page that have a language or a mark. Comments that are no mark begin with another word."""
    found, marks, start = [], [], None
    for line in markdown.lines(read(place) if text is None else text):
        number = line.number + offset
        if start is not None:
            if line.kind == "fence":
                if start[1] or marks:
                    found.append(Block(place, start[0], start[1], "\n".join(start[2]) + "\n", marks))
                start, marks = None, []
            else:
                start[2].append(line.text)
        elif line.kind == "fence":
            language = markdown.FENCE.match(line.text).group(3).strip()
            start = (number + 1, language, [])
        elif line.kind == "comment":
            match = re.fullmatch(r"\s*<!-- (.*?) -->\s*", line.text)
            if match and is_mark(match.group(1)):
                marks.append(match.group(1))
        elif line.text.strip() and marks:
            raise Problem(f"{place}:{number}: no block of code follows the mark '{marks[0]}'")
    if marks:
        raise Problem(f"{place}: no block of code follows the mark '{marks[0]}'")
    return found


def is_mark(comment):
    first = comment.split(",")[0].split(" ")[0]
    return any(comment.startswith(reason) for reason in REASONS) or first in {
        "new", "with", "statements", "manifest", "test", "server", "prints", "rewriter", "model", "file", "stored"}


def of_comments(place):
    """The blocks of Swift in a source file's doc comments, fenced or indented, and not those of other languages."""
    comment, begin, found = [], 0, []
    for number, line in enumerate(read(place).split("\n") + [""], 1):
        match = re.match(r"^\s*///(?: (.*)|$)", line)
        if match:
            if not comment:
                begin = number
            comment.append(match.group(1) or "")
        elif comment:
            text = "\n".join(comment)
            if "```" in text:
                found += [block for block in of_page(place, text, begin - 1) if block.language == "swift"]
            found += indented(place, comment, begin)
            comment = []
    return found


def indented(place, comment, begin):
    found, block = [], []
    for index, line in enumerate(markdown.lines("\n".join(comment) + "\n")):
        if line.kind == "code" and line.text.startswith("    ") and not in_fence(comment, index):
            block.append(line.text[4:])
        elif block and line.kind == "text" and not line.text.strip() and any(
                following.startswith("    ") for following in comment[index + 1:index + 2]):
            block.append("")
        elif block:
            found.append(Block(place, begin + index - len(block), "swift", "\n".join(block) + "\n", []))
            block = []
    return found


def in_fence(comment, index):
    return sum(1 for line in comment[:index] if markdown.FENCE.match(line)) % 2 == 1


def of_tutorials(folder):
    """The files that steps of tutorials show: place, name, section of each in order."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.tutorial"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        section = 0
        for number, line in enumerate(text.split("\n"), 1):
            section += "@Section(" in line
            match = re.search(r'@Code\(name: "([^"]+)", file: "?([^",)]+)"?', line)
            if match:
                found.append((os.path.relpath(path, ROOT), number, section, match.group(1), match.group(2)))
    return found
