"""The public symbols of the modules that programs import, as the compiler tells them.

Only the interfaces are compiled (-emit-module), in a folder of their own: no function's body, no client's build, and no build
folder that somebody else uses. Modules that exist to be re-exported get the name that programs import: what OpenCoreData
declares is documented as CoreData's.
"""
import concurrent.futures
import glob
import hashlib
import json
import os
import shutil
import subprocess

from . import ROOT, Problem

# In the order in which they are compiled: name, flags. Each imports those before it.
MODULES = [
    ("VersionHashing", []),
    ("XMLReading", []),
    ("OpenCocoaFoundation", []),
    ("CocoaFoundation", []),
    ("OpenCoreData", []),
    ("CoreData", []),
    ("CoreDataTesting", []),
    ("StoreConformance", []),
    ("Logging", []),
    ("CoreDataLogging", ["-D", "SwiftLog"]),
    ("CoreDataPostgreSQL", ["-D", "PostgreSQL"]),
    ("CommandSupport", []),
    ("InstrumentsAnalysis", []),
    ("CoreDataTools", ["-D", "PostgreSQL"]),
]
# Modules of packages that Package.swift names: where their sources are in a checkout.
FETCHED = {"Logging": "swift-log/Sources/Logging"}
# What is documented, by the name that programs import.
DOCUMENTED = {
    "OpenCoreData": "CoreData",
    "OpenCocoaFoundation": "CocoaFoundation",
    "CoreDataTesting": "CoreDataTesting",
    "StoreConformance": "StoreConformance",
    "CoreDataLogging": "CoreDataLogging",
    "CoreDataPostgreSQL": "CoreDataPostgreSQL",
    "CommandSupport": "CommandSupport",
    "InstrumentsAnalysis": "InstrumentsAnalysis",
    "CoreDataTools": "CoreDataTools",
}


def run(arguments, what):
    result = subprocess.run(arguments, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        raise Problem(f"{what} failed:\n{result.stdout}")
    return result.stdout


def folder(name):
    if name not in FETCHED:
        return os.path.join(ROOT, "Sources", name)
    found = os.path.join(ROOT, ".build", "checkouts", FETCHED[name])
    if not os.path.isdir(found):
        # Without the trait, swift-log is not fetched.
        run(["swift", "package", "resolve", "--traits", "SwiftLog"], "fetching the packages that Package.swift names")
    if not os.path.isdir(found):
        raise Problem(f"there is no {found} after 'swift package resolve --traits SwiftLog'")
    return found


def sources(name):
    return sorted(glob.glob(os.path.join(folder(name), "**", "*.swift"), recursive=True))


def fingerprint(files, *others):
    digest = hashlib.sha256(repr(others).encode())
    for name in files:
        digest.update(name.encode())
        with open(name, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


class Interfaces:
    """Compiles the modules' interfaces into a folder, unless they are there from the same sources."""

    def __init__(self, work, modules, tell):
        """modules: a folder with modules of a build; nil to compile them."""
        self.work, self.modules, self.tell = work, modules, tell
        os.makedirs(work, exist_ok=True)
        self.version = run(["swiftc", "--version"], "swiftc").strip()
        self.target = [line.split()[-1] for line in self.version.splitlines() if line.startswith("Target:")][0]
        flags = run(["pkg-config", "--cflags", "sqlite3", "zlib", "libpq"], "pkg-config sqlite3 zlib libpq").split()
        self.search = ["-I", modules or work]
        for name in ("CSQLite", "CZlib", "CPostgreSQL"):
            self.search += ["-I", os.path.join(ROOT, "Sources", name)]
        # The package manager makes such a map for a target of C.
        os.makedirs(os.path.join(work, "CRuntime"), exist_ok=True)
        header = os.path.join(ROOT, "Sources", "CRuntime", "include")
        with open(os.path.join(work, "CRuntime", "module.modulemap"), "w", encoding="utf-8") as file:
            file.write(f'module CRuntime {{\n  umbrella "{header}"\n  export *\n}}\n')
        self.search += ["-I", os.path.join(work, "CRuntime")]
        for flag in flags:
            self.search += ["-Xcc", flag]

    def compile(self):
        """Compiles what has changed; gives whether symbols have to be extracted."""
        if self.modules:
            return True
        below, compiled = "", []
        for name, flags in MODULES:
            files = sources(name)
            below = fingerprint(files, below, flags, self.version)
            stamp = os.path.join(self.work, f"{name}.stamp")
            if os.path.exists(stamp) and open(stamp, encoding="utf-8").read() == below:
                continue
            self.tell(f"interface of {name}, {len(files)} files")
            listed = os.path.join(self.work, f"{name}.files")
            with open(listed, "w", encoding="utf-8") as file:
                file.writelines(f'"{source}"\n' for source in files)
            # As a whole (-wmo): one process reads all files once, where each would have one of its own.
            run(["swiftc", "-emit-module", "-wmo", "-parse-as-library", "-module-name", name, "-package-name", "opencoredata",
                 "-swift-version", "6", "-suppress-warnings", "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies-without-types",
                 "-emit-module-path", os.path.join(self.work, f"{name}.swiftmodule"), *flags, *self.search, f"@{listed}"],
                f"compiling the interface of {name}")
            with open(stamp, "w", encoding="utf-8") as file:
                file.write(below)
            compiled.append(name)
        return bool(compiled)

    def extract(self, out):
        """Writes the symbol graphs of what is documented."""
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        raw = os.path.join(self.work, "graphs")
        shutil.rmtree(raw, ignore_errors=True)

        def one(name, blocks):
            place = os.path.join(raw, "blocks" if blocks else "plain", name)
            os.makedirs(place)
            run(["swift-symbolgraph-extract", "-module-name", name, "-target", self.target, "-output-dir", place,
                 "-minimum-access-level", "public", "-skip-synthesized-members", "-swift-version", "6",
                 "-emit-extension-block-symbols" if blocks else "-omit-extension-block-symbols", *self.search],
                f"extracting the symbols of {name}")
            return place

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            tasks = [(name, blocks, pool.submit(one, name, blocks)) for name in DOCUMENTED for blocks in (False, True)]
        for name, blocks, task in tasks:
            self._adopt(name, blocks, task.result(), out)

    def _adopt(self, name, blocks, place, out):
        """Takes a module's graphs over under the name that programs import.

        Members that a module adds to a type of another documented module stand on that type's page; those that it adds to
        a type of Foundation or of the standard library, on a page of that type under the module.
        """
        for path in glob.glob(os.path.join(place, "*.symbols.json")):
            module, _, extended = os.path.basename(path).removesuffix(".symbols.json").partition("@")
            isOurs = extended in DOCUMENTED or extended == ""
            if isOurs == blocks:
                continue
            with open(path, encoding="utf-8") as file:
                graph = json.load(file)
            graph["module"]["name"] = DOCUMENTED[module]
            if not graph["symbols"] and extended:
                continue
            shown = DOCUMENTED[module] + (f"@{DOCUMENTED.get(extended, extended)}" if extended else "")
            with open(os.path.join(out, f"{shown}.symbols.json"), "w", encoding="utf-8") as file:
                json.dump(graph, file)
