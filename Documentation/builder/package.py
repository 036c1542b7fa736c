"""One package that has all programs of the pages, built once and over the framework that was built already."""
import glob
import json
import os
import re
import subprocess

from . import ROOT, Problem, write

EXAMPLES = os.path.join(ROOT, "Documentation", "Examples")
CORE = ["CoreData"]
PRODUCTS = re.compile(r"^(?:@\w+ )?import (CoreData|CocoaFoundation|CoreDataPostgreSQL|StoreConformance|CoreDataTesting"
                      r"|CoreDataLogging|CoreDataTools|PerformanceTuning)\b", re.M)
# What the framework's package makes a product of where OPENCOREDATA_PRODUCTS names it alone (its manifest says why).
NAMED = {"PerformanceTuning"}
# Of a variable that a page leaves for its reader: a program in main.swift would not be told either.
IGNORED = re.compile(r"was never used|never read")


class Package:
    def __init__(self, folder, scratch, traits, jobs):
        self.folder, self.scratch, self.traits, self.jobs = folder, scratch, traits, jobs
        self.targets, self.files, self.programs, self.commented = [], {}, [], set()
        self.named = set()

    def file(self, path, text):
        self.files[os.path.join(self.folder, path)] = text

    def target(self, name, products, modules=(), plugins=(), kind="target", rest=""):
        self.named |= NAMED & set(products)
        dependencies = [f'"{module}"' for module in modules]
        dependencies += [f'.product(name: "{product}", package: "OpenCoreData")' for product in sorted(set(products))]
        plugin = "".join(f', .plugin(name: "{name}", package: "OpenCoreData")' for name in plugins)[2:]
        self.targets.append(f'    .{kind}(name: "{name}", dependencies: [{", ".join(dependencies)}], path: "{name}"{rest}'
                            + (f", plugins: [{plugin}]" if plugins else "") + "),")

    def program(self, program, model=None):
        text = program.source(model)
        products = {name for name in PRODUCTS.findall(text)} or {"CoreData"}
        modules = (["Library"] if program.hasLibrary or "import Library" in text else [])
        modules += [model] if model and f"import {model}" in text else []
        self.file(f"{program.module}/Program.swift", text)
        self.target(program.module, products, modules, ["CoreDataCodegen"] if program.needsCodegen else [])
        self.programs.append(program)

    def comment(self, program):
        text = program.source()
        self.file(f"Comments/{program.name}.swift", text)
        self.commented.update(PRODUCTS.findall(text))
        self.programs.append(program)

    def model(self, module, name, contents):
        """A target with a model. Classes of several pages may have one name: each model means those of its own module."""
        contents = re.sub(r'(representedClassName=")(?=\w)', r"\1.", contents)
        self.file(f"{module}/{name}.xcdatamodeld/{name}.xcdatamodel/contents", contents)
        self.file(f"{module}/Empty.swift", "// The model's target needs a Swift file.\n")
        self.target(module, CORE, plugins=["CoreDataCodegen"])

    def write(self):
        for path in glob.glob(os.path.join(EXAMPLES, "Library", "**", "*"), recursive=True):
            if os.path.isfile(path):
                with open(path, encoding="utf-8") as file:
                    self.file("Library/" + os.path.relpath(path, os.path.join(EXAMPLES, "Library")), file.read())
        self.target("Library", CORE, plugins=["CoreDataCodegen"])
        if self.commented:
            self.target("Comments", self.commented, ["Library"])
        cases = "\n".join(f'  case "{program.name}": try await {program.module}.{program.function}()'
                          for program in self.programs)
        modules = sorted({program.module for program in self.programs})
        imports = "\n".join(f"import {module}" for module in modules)
        self.file("Pages/main.swift", MAIN.replace("IMPORTS", imports).replace("CASES", cases))
        self.target("Pages", [], modules, kind="executableTarget")
        names = ", ".join(f'"{name}"' for name in self.traits)
        self.file("Package.swift", MANIFEST.replace("ROOT", ROOT).replace("TRAITS", names)
                  .replace("TARGETS", "\n".join(self.targets)))
        # What has not changed keeps its date, and is not compiled anew.
        for path in glob.glob(os.path.join(self.folder, "**", "*"), recursive=True):
            if os.path.isfile(path) and path not in self.files and not path.endswith("Package.resolved"):
                os.remove(path)
        for path, folders, files in os.walk(self.folder, topdown=False):
            if not os.listdir(path) and path != self.folder:
                os.rmdir(path)
        for path, text in self.files.items():
            if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
                write(path, text)

    def swift(self, *arguments):
        return subprocess.run(["swift", *arguments, "--scratch-path", self.scratch], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "OPENCOREDATA_PRODUCTS": ",".join(sorted(self.named))})

    def build(self):
        result = self.swift("build", "--build-tests", *(["-j", str(self.jobs)] if self.jobs else []))
        said = [line for line in result.stdout.split("\n") if re.search(r"^[^ |].*\b(warning|error):", line)]
        kept = sorted({line for line in said if not IGNORED.search(line)})
        if kept or result.returncode:
            raise Problem("The code of the pages does not compile without warnings:\n"
                          + "\n".join(kept or [result.stdout]))
        self.bin = self.swift("build", "--show-bin-path").stdout.strip().split("\n")[-1]

    def run(self, program, home, environment):
        place = os.path.join(home, program.name)
        os.makedirs(place, exist_ok=True)
        try:
            return subprocess.run(
                [os.path.join(self.bin, "Pages"), program.name], text=True, capture_output=True, timeout=120, cwd=place,
                env={**os.environ, "XDG_DATA_HOME": place, "SWIFT_BACKTRACE": "enable=no", **environment})
        except subprocess.TimeoutExpired:
            raise Problem(f"{program.where}: the program did not end within two minutes") from None

    def run_tests(self):
        # Of some pages alone there may be none.
        if not any(".testTarget(" in target for target in self.targets):
            return
        found = glob.glob(os.path.join(self.bin, "PagesPackageTests.xctest"))
        result = subprocess.run([*found, "--testing-library", "swift-testing"], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=300)
        if not found or result.returncode:
            said = [line for line in result.stdout.split("\n") if re.search("recorded an issue|failed|error:", line)]
            raise Problem("The tests of the pages fail:\n" + "\n".join(said or [result.stdout]))


def products_of(manifest, folder, name):
    """Evaluates a manifest of a page; gives the products of this package that it names."""
    write(os.path.join(folder, name, "Package.swift"), manifest)
    result = subprocess.run(["swift", "package", "dump-package"], cwd=os.path.join(folder, name), text=True,
                            capture_output=True)
    if result.returncode:
        raise Problem(result.stderr)
    found = set()
    for target in json.loads(result.stdout)["targets"]:
        for part in target["dependencies"]:
            if "product" in part and part["product"][1] == "OpenCoreData":
                found.add(part["product"][0])
        for plugin in target.get("pluginUsages") or []:
            found.add(plugin["plugin"][0])
    return found


MAIN = """@preconcurrency import Foundation
IMPORTS

let standardOutput = stdout

// Lines come as they are printed, though a pipe takes them.
setvbuf(standardOutput, nil, Int32(_IOLBF), 0)
do {
  switch CommandLine.arguments.dropFirst().first {
CASES
  default: fatalError("no such program")
  }
} catch {
  print("error:", error)
  exit(1)
}
"""
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Pages",
  dependencies: [.package(name: "OpenCoreData", path: "ROOT", traits: [TRAITS])],
  targets: [
TARGETS
  ])
"""
