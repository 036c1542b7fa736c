"""Blocks put together into programs: a module for each, with one function that does what the page's statements do."""
import os
import re

from . import ROOT, Problem

# Functions without @MainActor do not see a program's variables, in main.swift neither.
DECLARATION = re.compile(r"^(?!@MainActor func)(?:@\w+(?:\([^)]*\))?\s+|public |open |internal |fileprivate |private |package |final |indirect "
                         r"|nonisolated )*(?:class|struct|enum|extension|protocol|actor|func)\b(?! func| var)")
SURROUNDINGS = "let container = try Library.container()\nlet context = container.viewContext\n_ = (container, context)\n"
COMMENTS = ("let model = container.managedObjectModel, coordinator = container.persistentStoreCoordinator\n"
            "let url = Library.newURL(), (author, book, tag) = try Library.samples(context)\n"
            "_ = (model, coordinator, url, author, book, tag)\n")
STORED = "_ = try Library.container(at: url)\n"
STATEMENTS = "Library.printStatements()\n"


class Program:
    """Blocks that continue one another. `isComment`: one of a doc comment, which has more around it."""

    def __init__(self, name, blocks, isComment=False):
        self.name, self.blocks, self.isComment = name, blocks, isComment
        self.module = "Comments" if isComment else f"Program_{name}"
        self.function = f"comment_{name}" if isComment else "program"
        self.outputs = []

    @property
    def where(self):
        return self.blocks[0].where

    @property
    def hasLibrary(self):
        return self.isComment or "with library" in self.blocks[0].marks

    @property
    def needsServer(self):
        return "server" in self.blocks[0].marks

    @property
    def needsCodegen(self):
        return any("@NSManaged" in block.text for block in self.blocks)

    @property
    def reason(self):
        """Why the program is not run."""
        return next((block.reasons["not run"] for block in self.blocks if "not run" in block.reasons), None)

    @property
    def ending(self):
        return next((block.reasons["ends"] for block in self.blocks if "ends" in block.reasons), None)

    def types(self):
        """The imports and types alone, for a test that goes on with them."""
        return "\n".join(line for block in self.blocks for kind, _, lines in chunks(block.text) if kind != "statement"
                         for line in lines)

    def source(self, model=None):
        """The file. Errors name the place on the page. model: the module that the page's programs call Model."""
        imports, types, statements = [], [], []
        # Comments share a module: their types stand in their functions, where they can.
        isNested = self.isComment and not re.search(r"^(extension|protocol|@objc|  @NSManaged)", self.blocks[0].text, re.M)
        for block in self.blocks:
            for kind, number, lines in chunks(block.text):
                place = f'#sourceLocation(file: "{os.path.join(ROOT, block.place)}", line: {block.number + number})'
                if kind == "import":
                    names = [re.sub(r"^import Model\b", f"import {model}" if model else "import Model", lines[0])]
                    imports += [place, *names]
                else:
                    (types if kind == "type" and not isNested else statements).extend([place, *lines])
        around = ("import CoreData\nimport Library\n" if self.hasLibrary else "")
        if self.needsServer:
            statements = [line.replace("@db.example.org/", "@/") for line in statements]
        before = SURROUNDINGS if self.hasLibrary else ""
        before += COMMENTS if self.isComment else ""
        before += STORED if "stored" in self.blocks[0].marks else ""
        before += STATEMENTS if "statements" in self.blocks[0].marks else ""
        end = ["#sourceLocation()"]
        body = "\n".join(statements + end * bool(statements))
        if self.isComment:
            # A name of its own may be one that is around it.
            body = f"do {{\n{body}\n}}"
        return "\n".join([
            around + "\n".join(imports + end * bool(imports) + types + end * bool(types)),
            f"@MainActor public func {self.function}() async throws {{", before + body, "}", ""])


def chunks(text):
    """A block's imports, declarations of types, and statements, each with the number of its first line."""
    lines, index, found = text.rstrip("\n").split("\n"), 0, []
    while index < len(lines):
        line, start = lines[index], index
        # Comments and attributes belong to what follows.
        ahead = index
        while ahead < len(lines) and re.match(r"^(//|@\w+(\([^)]*\))?\s*$)", lines[ahead]):
            ahead += 1
        if re.match(r"^(@\w+(\(\w+\))? )?import ", line):
            found.append(("import", index, [line]))
            index += 1
        elif ahead < len(lines) and DECLARATION.match(lines[ahead]):
            index = ahead
            if not re.search(r"\{.*\}\s*(//.*)?$", lines[index]):
                while index < len(lines) and not lines[index].startswith("}"):
                    index += 1
            index += 1
            found.append(("type", start, lines[start:index]))
        else:
            if found and found[-1][0] == "statement":
                found[-1][2].append(line)
            else:
                found.append(("statement", index, [line]))
            index += 1
    return found


def of_page(name, blocks):
    """A page's programs, and its blocks that are no part of one."""
    programs, others = [], []
    for block in blocks:
        if "continued" in block.marks:
            block.before = programs[-1].types()
        if "prints" in block.marks:
            if not programs:
                raise Problem(f"{block.where}: there is no program before it that could print")
            programs[-1].outputs.append(block)
        elif block.language != "swift":
            if any(mark.startswith("model ") for mark in block.marks):
                others.append(block)
        elif "not compiled" in block.reasons or {"manifest", "test"} & block.marks or block.named("file"):
            others.append(block)
        elif not programs or {"new", "with library", "server"} & block.marks:
            programs.append(Program(f"{name}_{len(programs) + 1}", [block]))
        else:
            programs[-1].blocks.append(block)
    return programs, others


def misprint(program, printed):
    """What is wrong with a page's blocks of output, beside what the program printed."""
    lines, at = printed.split("\n"), 0
    for block in program.outputs:
        expected = block.text.rstrip("\n").split("\n")
        found = next((end for start in range(at, len(lines) + 1)
                      if (end := match_lines(expected, lines, start)) is not None), None)
        if found is None:
            return (f"{block.where}: the program does not print this, behind what the page has before it:\n{block.text}\n"
                    f"It prints:\n" + "\n".join(lines[at:]))
        at = found
    return None


def match_lines(expected, lines, start):
    if not expected:
        return start
    if expected[0].strip() == "...":
        for next_start in range(start, len(lines) + 1):
            end = match_lines(expected[1:], lines, next_start)
            if end is not None:
                return end
        return None
    if start >= len(lines):
        return None
    pattern = ".*".join(re.escape(part) for part in expected[0].rstrip().split("…"))
    if not re.fullmatch(pattern, lines[start].rstrip()):
        return None
    return match_lines(expected[1:], lines, start + 1)
