"""Lays the checkout where its builds are kept, and runs all parts there: .ci/run [--clean] [PART ...]

  --clean   builds from nothing
  PART      runs these parts alone, by their names in the table; the run does not count as a green one then
"""
import argparse
import datetime
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from runner import fingerprint, folders, lanes, leftovers, table, tree  # noqa: E402

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# What the parts need besides the toolchain. Without one of these its tests are skipped, and say so.
PROGRAMS = ["libpq-dev", "sqlite3", "chromium", "graphviz", "python3-venv", "postgresql", "pgbouncer", "valgrind"]


def prerequisites():
    """Installs what is missing, before two lanes can want the package manager at once; returns what was said."""
    script = os.path.join(CHECKOUT, ".ci", "prerequisites")
    wanted = [name for name in PROGRAMS if not (
        name == "postgresql" and os.path.isdir("/usr/lib/postgresql") or name == "pgbouncer" and os.path.exists("/usr/sbin/pgbouncer"))]
    said = subprocess.run([script], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if said.returncode != 0:
        sys.exit(said.stdout)
    for name in wanted:
        said.stdout += subprocess.run([script, name], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    return said.stdout


def lay(checkout, folder):
    """Lays the checkout and what lies beside it; returns the digests of the tree."""
    names = tree.listed(checkout)
    written, removed = tree.lay(checkout, folder.tree, names)
    beside = os.path.join(os.path.dirname(checkout), "shared")
    if os.path.isdir(beside):
        tree.lay(beside, folder.shared, tree.below(beside))
    else:
        tree.discard(folder.shared)
    return tree.digests(folder.tree, names), written, removed


def why_cold(folder, options, now):
    """Why nothing that was built before is used, or none."""
    if options.clean:
        return "--clean"
    if not any(os.path.isdir(path) for paths in folder.builds.values() for path in paths):
        return "nothing was built there before"
    differing = fingerprint.changes(folder.read("built"), now)
    if differing:
        return f"changed: {', '.join(differing[:3])}{f' and {len(differing) - 3} more' if len(differing) > 3 else ''}"
    return None


def results_lines(rows, logs):
    """The lines for Tests/RESULTS.md, for the tests that passed the second time."""
    date = datetime.date.today().isoformat()
    for row in rows:
        for line in logs.get(row.name, "").splitlines():
            if line.startswith("unsteady: "):
                _, test, message = line.split(": ", 2)
                yield f"| {date} | unsteady in CI: `{test}` | in the part {row.name} | - | {message.replace('|', '/')}; passed by itself |"


def main():
    parser = argparse.ArgumentParser(prog=".ci/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clean", action="store_true")
    parser.add_argument("--cache", default=folders.default_cache())
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    unknown = set(options.parts) - {part.name for part in lanes.PARTS}
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are: {', '.join(part.name for part in lanes.PARTS)}")

    begin = time.monotonic()
    said = prerequisites()
    os.makedirs(options.cache, exist_ok=True)
    folder = folders.take(options.cache, folders.key())
    removed_folders = folders.make_room(options.cache, folder)
    digests, written, removed = lay(CHECKOUT, folder)
    now = {**fingerprint.of_tree(digests), **fingerprint.of_machine()}
    green = folder.read("green")
    changed = {name for name in green.keys() | digests.keys() if green.get(name) != digests.get(name)}
    reason = why_cold(folder, options, now)
    kind = "cold" if reason else "warm"
    if reason:
        folder.remove_builds()
        print(f"== from nothing ({reason}), in {folder.path}")
    else:
        print(f"== over what was built before, in {folder.path}: "
              f"{len(written)} files written, {len(removed)} removed, {len(changed)} differ from the last tree that passed")
    for path in removed_folders:
        print(f"   removed for room: {path}")
    print(said, end="", flush=True)
    folder.note("built", now)

    work, temporary = tempfile.mkdtemp(prefix="opencoredata-ci-"), leftovers.temporary_folder()
    has_libpq = bool(now["the system's libpq"])
    environment = {
        **os.environ, "CI_WORK": work, "TMPDIR": temporary, "CI_RELEASE": folder.release_build,
        "CI_TRAITS": "SwiftLog,PostgreSQL" if has_libpq else "SwiftLog"}
    parts = [part for part in lanes.PARTS if not options.parts or part.name in options.parts]
    run = lanes.Run(folder, parts, kind, changed, work, environment)

    def interrupted(number, _):
        run.interrupt()
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGINT, interrupted)
    passed = False
    try:
        passed = run.execute()
    finally:
        logs = {}
        for part in parts:
            path = os.path.join(work, f"{part.function}.txt")
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    logs[part.name] = file.read()
        kinds = set(run.built.values())
        print()
        limits = table.budgets(table.contributing(folder.tree), kind)
        print("\n".join(table.lines(run.rows, time.monotonic() - begin, kind if kinds == {kind} else "mixed", limits)))
        for line in run.again:
            print(f"repeated from nothing: {line}")
        unsteady = list(results_lines(run.rows, logs))
        if unsteady:
            print("Unsteady tests; the next commit adds these lines to Tests/RESULTS.md:")
            print("\n".join(unsteady))
        leftovers.end_processes("CI_WORK", work)
        leftovers.remove(work)
        leftovers.remove(temporary)
    if not passed:
        print(f"== failed: {run.failed}")
        return 1
    if not options.parts:
        folder.note("green", digests)
    ran = sum(row.tests[0] for row in run.rows if row.tests)
    skipped = sum(row.tests[1] for row in run.rows if row.tests)
    print(f"tests: {ran} passed, 0 failed, {skipped} skipped")
    print("== all passed")
    return 0


sys.exit(main())
