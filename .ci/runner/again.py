"""Runs each test that failed once more by itself, with the seed of the failure, and says which passed then.

    python3 .ci/runner/again.py swift FOLDER -- COMMAND...     FOLDER has NAME.events of 'swift test'
    python3 .ci/runner/again.py pytest FILE -- COMMAND...      FILE is pytest's --junitxml

COMMAND gets a filter that takes one test. Ends with 0 if each test passed the second time, and prints 'unsteady: TEST: MESSAGE'
for each, which the table of .ci/run names. A failure that .ci/unforgiven.txt names, a process that crashed, and more failures
than chance would make are not tried again.
"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from runner.events import Report  # noqa: E402

# More failures than these have a cause of their own.
MOST = 5
# What a process that a signal ended, and a sanitizer, leave in a message.
NEVER = re.compile(r"\bsignal(led)? \d|ended by (a )?signal|WARNING: ThreadSanitizer|Sanitizer:|core dumped|Fatal error", re.I)


def rules(path):
    """What is never forgiven: the names of tests that each pattern of the file takes."""
    with open(path, encoding="utf-8") as file:
        return [re.compile(line.split()[0]) for line in file if line.strip() and not line.startswith("#")]


class Failed:
    """A test that failed: its name, the filter that takes it alone, and the messages."""

    def __init__(self, name, arguments, messages, environment=None):
        self.name, self.arguments, self.messages, self.environment = name, arguments, messages, environment or {}

    @property
    def message(self):
        return " ".join(" ".join(self.messages[:1]).split())[:300] or "no message"


def of_swift(folder):
    """The failures of a run of 'swift test', and whether a process crashed."""
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".events")]
    report = Report()
    report.read_files(paths)
    found = {}
    for failure in report.failures:
        found.setdefault(failure.test, []).append(f"{failure.where}: " + " ".join(failure.messages))
    environment = {}
    seed = os.path.join(folder, "seed")
    if os.path.exists(seed):
        with open(seed, encoding="utf-8") as file:
            environment["RUN_SEED"] = file.read().strip()
    failures = []
    for test, messages in found.items():
        # A seed that the message states is the failure's own.
        own = re.search(r"\bSEED=(\d+)", " ".join(messages))
        failures.append(Failed(
            test, ["--filter", f"^{re.escape(test)}"], messages, {**environment, **({"SEED": own.group(1)} if own else {})}))
    return failures, bool(report.crashed) or not paths


def of_pytest(path):
    """The failures of a run of pytest, and whether it ended without a report."""
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (FileNotFoundError, xml.etree.ElementTree.ParseError):
        return [], True
    failures = []
    for case in root.iter("testcase"):
        problem = case.find("failure") if case.find("failure") is not None else case.find("error")
        if problem is not None:
            name = f"{case.get('classname')}::{case.get('name')}"
            arguments = [case.get("classname").replace(".", "/") + ".py::" + case.get("name")]
            failures.append(Failed(name, arguments, [problem.get("message") or problem.text or ""]))
    return failures, False


def refusal(failures, crashed, never):
    """Why nothing is tried again, or none."""
    if crashed:
        return "a process crashed"
    if not failures:
        return "no test failed, and yet the run did"
    if len(failures) > MOST:
        return f"{len(failures)} tests failed, which is not chance"
    for failure in failures:
        if any(rule.search(failure.name) for rule in never):
            return f"{failure.name} is never forgiven (.ci/unforgiven.txt)"
        if NEVER.search(" ".join(failure.messages)):
            return f"{failure.name} tells of a process that a signal or a sanitizer ended"
    return None


def passes(failure, command):
    """Whether the test passes by itself. A run in which none is found does not count."""
    with tempfile.TemporaryDirectory() as work:
        events = os.path.join(work, "again.events")
        if command[0] == "pytest":
            arguments = command[1:] + failure.arguments
        else:
            arguments = command[1:] + failure.arguments + ["--event-stream-output-path", events, "--event-stream-version", "0"]
        ended = subprocess.run(
            arguments, env={**os.environ, **failure.environment}, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # Indented, so that nobody takes its counts for those of the run.
        print("".join(f"    {line}\n" for line in ended.stdout.splitlines()), end="", flush=True)
        if ended.returncode != 0 or command[0] == "pytest":
            return ended.returncode == 0
        report = Report()
        report.read_files([events])
        return report.ran > 0 and not report.failures and not report.crashed


def main(kind, place, command):
    here = os.path.dirname(os.path.realpath(__file__))
    failures, crashed = of_swift(place) if kind == "swift" else of_pytest(place)
    reason = refusal(failures, crashed, rules(os.path.join(os.path.dirname(here), "unforgiven.txt")))
    if reason:
        print(f"Not tried again: {reason}.")
        return 1
    for failure in failures:
        seeds = " ".join(f"{key}={value}" for key, value in failure.environment.items())
        print(f"-- once more by itself: {failure.name} {seeds}", flush=True)
        if not passes(failure, [kind] + command):
            print(f"{failure.name} failed twice: {failure.message}")
            return 1
    for failure in failures:
        seeds = " ".join(f"{key}={value}" for key, value in failure.environment.items())
        print(f"unsteady: {failure.name}: {seeds + ': ' if seeds else ''}{failure.message}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 5 or sys.argv[1] not in ("swift", "pytest") or sys.argv[3] != "--":
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[4:]))
