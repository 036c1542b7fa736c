"""All code of README, the guides, the tutorial and doc comments: compiled without warnings, run, and what it prints compared."""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import tempfile

from . import ROOT, Problem, blocks, programs, read, server, symbols
from .package import EXAMPLES, Package, products_of

TUTORIALS = os.path.join(ROOT, "Documentation", "Catalogue", "Tutorials")
# The doc comments of these have a checker of their own, .ci/comment-examples.
ELSEWHERE = {"OpenCoreData", "OpenCocoaFoundation"}
COMMENTED = [module for module in symbols.DOCUMENTED if module not in ELSEWHERE]


def pages():
    found = ["README.md"]
    for pattern in ("Guides/*.md", "Examples/*/README.md", "Deviations/*.md", "Documentation/Catalogue/*.md"):
        found += sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, pattern)))
    return found


class Examples:
    def __init__(self, folder, scratch, traits, jobs, only):
        self.package = Package(os.path.join(folder, "Pages"), scratch, traits, jobs)
        self.folder, self.traits, self.only = folder, traits, only
        self.programs, self.manifests, self.counted, self.left_out = [], [], 0, []
        self.steps = []

    # MARK: Taking in

    def take_pages(self):
        known = {"tutorial", "comments"}
        for place in pages():
            name = re.sub(r"\W", "_", place.removesuffix(".md").removesuffix("/README").split("/")[-1])
            known.add(name)
            if not self.only or name in self.only:
                self.take(name, blocks.of_page(place))
        for name in self.only:
            if name not in known:
                raise Problem(f"There is no page {name}. There are {', '.join(sorted(known))}.")

    def take(self, name, found):
        self.counted += sum(block.language == "swift" for block in found)
        parts, others = programs.of_page(name, found)
        model = None
        for block in others:
            named = block.named("model")
            if "not compiled" in block.reasons:
                self.left_out.append(f"{block.where}: not compiled: {block.reasons['not compiled']}")
            elif block.language == "xml":
                model = f"Model_{name}"
                self.package.model(model, named, block.text)
            elif "manifest" in block.marks:
                self.manifests.append((f"{name}_{block.number}", block))
            elif "test" in block.marks:
                self.test(name, block)
            else:
                self.rewritten(name, block, block.named("file"), named)
        for part in parts:
            if part.needsServer and "PostgreSQL" not in self.traits:
                self.left_out.append(f"{part.where}: not compiled: this machine has no libpq")
                continue
            self.package.program(part, model)
            self.programs.append(part)

    def test(self, name, block):
        module = f"Tests_{name}_{block.number}"
        self.package.file(f"{module}/Tests.swift", getattr(block, "before", "") + "\n"
                          + f'#sourceLocation(file: "{os.path.join(ROOT, block.place)}", line: {block.number})\n{block.text}')
        self.package.target(module, re.findall(r"import (CoreDataTesting|StoreConformance|CoreData)\b",
                                                getattr(block, "before", "") + block.text),
                            ["Library"], kind="testTarget")

    def rewritten(self, name, block, file, model):
        module = f"Files_{name}"
        self.package.file(f"{module}/{file}", block.text)
        self.package.file(f"{module}/Listed.swift", "")
        with open(os.path.join(EXAMPLES, f"{model}.contents"), encoding="utf-8") as contents:
            self.package.file(f"{module}/{model}.xcdatamodeld/{model}.xcdatamodel/contents", contents.read())
        self.package.target(module, ["CoreData"], plugins=["CoreDataCodegen", "CoreDataRewriter"],
                            rest=', sources: ["Listed.swift"]')

    def take_tutorials(self):
        """Each file that a step shows, as a program of its own; the model is the last one that a step before it shows."""
        last, store = None, None
        for place, number, section, shown, file in blocks.of_tutorials(TUTORIALS):
            found = glob.glob(os.path.join(TUTORIALS, "**", glob.escape(file)), recursive=True)
            if len(found) != 1:
                raise Problem(f"{place}:{number}: there are {len(found)} files {file}")
            path, stem = os.path.relpath(found[0], ROOT), re.sub(r"\W", "_", os.path.splitext(file)[0])
            text = read(path)
            if shown == "Package.swift":
                self.counted += 1
                self.manifests.append((stem, blocks.Block(path, 1, "swift", text, ["manifest"])))
            elif shown.endswith(".xcdatamodel/contents"):
                last, name = f"Model_{stem}", shown.split("/")[-2].removesuffix(".xcdatamodel")
                self.package.model(last, f"{name}_{stem}", text)
                store = (name, f"{name}_{stem}")
            elif shown.endswith(".swift"):
                self.counted += 1
                first = text.split("\n")[0]
                marks = [first.removeprefix("// ")] if blocks.is_mark(first.removeprefix("// ")) else []
                # Versions of one model, which a program finds by its name, have names of their own here.
                block = blocks.Block(path, 1, "swift", text.replace(f'(name: "{store[0]}")', f'(name: "{store[1]}")'), marks)
                part = programs.Program(f"Tutorial_{stem}", [block])
                part.store = store[1]
                self.package.program(part, last)
                self.steps.append(part)

    def take_comments(self):
        """The blocks of doc comments, which are functions of one module."""
        for module in COMMENTED:
            for path in sorted(glob.glob(os.path.join(ROOT, "Sources", module, "**", "*.swift"), recursive=True)):
                place = os.path.relpath(path, ROOT)
                stem = re.sub(r"\W", "_", os.path.basename(path).removesuffix(".swift"))
                for block in blocks.of_comments(place):
                    self.counted += 1
                    if "not compiled" in block.reasons:
                        self.left_out.append(f"{block.where}: not compiled: {block.reasons['not compiled']}")
                    elif "test" in block.marks:
                        block.before = ("import CoreData\nimport CoreDataTesting\nimport Library\nimport StoreConformance\n"
                                        "import Testing\n")
                        self.test(stem, block)
                    else:
                        part = programs.Program(f"{stem}_{block.number}", [block], isComment=True)
                        self.package.comment(part)
                        self.programs.append(part)

    # MARK: Trying

    def check_manifests(self):
        known = {product["name"] for product in json.loads(subprocess.run(
            ["swift", "package", "dump-package"], cwd=ROOT, text=True, capture_output=True, check=True).stdout)["products"]}
        for name, block in self.manifests:
            if '"../OpenCoreData"' not in block.text:
                raise Problem(f'{block.where}: the manifest does not depend on "../OpenCoreData"')
            missing = products_of(block.text, os.path.join(self.folder, "manifests"), name) - known
            if missing:
                raise Problem(f"{block.where}: this package has no product {', '.join(sorted(missing))}")

    def run(self):
        problems, ran = [], 0
        with tempfile.TemporaryDirectory() as home, server.Server() as database:
            def one(program):
                if program.reason:
                    return f"not run: {program.reason}", None
                environment = {"COREDATA_CONCURRENCYDEBUG": "1"} if "checked" in program.blocks[0].marks else {}
                if program.needsServer:
                    if not database.start():
                        return "not run: this machine has no server of PostgreSQL's", None
                    environment = database.environment
                result = self.package.run(program, home, environment)
                return None, judged(program, result)

            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                for program, (left_out, problem) in zip(self.programs, pool.map(one, self.programs)):
                    if left_out:
                        self.left_out.append(f"{program.where}: {left_out}")
                    else:
                        ran += 1
                    if problem:
                        problems.append(problem)
            for step in self.steps:
                ran += 1
                problems += filter(None, [self.run_step(step, home)])
        if problems:
            raise Problem("\n".join(problems))
        return ran

    def run_step(self, step, home):
        """A step of the tutorial, over what the steps before it have saved."""
        for path in glob.glob(os.path.join(home, "tutorial", "**", "*.sqlite*"), recursive=True):
            folder, name = os.path.split(path)
            os.rename(path, os.path.join(folder, step.store + name[name.index(".sqlite"):]))
        return judged(step, self.package.run(step, home, {"XDG_DATA_HOME": os.path.join(home, "tutorial")}))


def judged(program, result):
    """What is wrong with a run."""
    said = f"It printed:\n{result.stdout}\n{result.stderr.partition('Current stack trace')[0][-3000:]}"
    if program.ending:
        if result.returncode == 0:
            return f"{program.where}: the program went on, where it was to end with '{program.ending}'. {said}"
        pattern = ".*".join(re.escape(part) for part in program.ending.split("…"))
        if not re.search(pattern, result.stdout + result.stderr):
            return f"{program.where}: the program ended, and not with '{program.ending}'. {said}"
    elif result.returncode:
        return f"{program.where}: the program ended with {result.returncode}. {said}"
    return programs.misprint(program, result.stdout)
