"""What 'swift test --event-stream-output-path' writes for one process, a JSON object a line: which tests ran, were skipped,
failed, and whether the process crashed."""
import collections
import json
import pathlib


def events(text):
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:  # A process that crashed may leave half a line.
            continue
        if record.get("kind") == "event":
            yield record["payload"]


def is_function(test):
    """Whether the identifier is a test's and not a suite's: 'Module.Suite/test()/File.swift:1:2'."""
    return ".swift:" in test.rsplit("/", 1)[-1]


def name(test):
    """A test's identifier without the place that ends it: 'Module.Suite/test()/File.swift:1:2' is 'Module.Suite/test()'."""
    return test.rsplit("/", 1)[0] if is_function(test) else test


# How many tests and lines of output to give of a process that crashed. All tests of a process start at once, and wait.
TESTS, LINES = 20, 100

Failure = collections.namedtuple("Failure", "test arguments where messages")


class Report:
    def __init__(self):
        self.ran = 0
        self.skipped = collections.Counter()
        self.failures = []
        self.crashed = []

    def read(self, text, output=""):
        under_way, has_begun, has_ended = {}, False, False
        for event in events(text):
            kind, test = event["kind"], event.get("testID")
            messages = [message["text"] for message in event.get("messages", [])]
            if kind == "runStarted":
                has_begun = True
            elif kind == "runEnded":
                has_ended = True
            elif kind == "testStarted":
                under_way[test] = True
            elif kind == "testEnded":
                under_way.pop(test, None)
                self.ran += is_function(test)
            # Each test of a suite that is skipped has an event of its own.
            elif kind == "testSkipped" and is_function(test):
                self.skipped[" ".join(event.get("_comments", [])) or "no reason is given"] += 1
            elif kind == "issueRecorded" and not event["issue"]["isKnown"]:
                place = event["issue"].get("sourceLocation") or {}
                where = f"{place['fileID']}:{place['line']}" if place else "no place"
                arguments = event.get("_testCase", {}).get("displayName")
                self.failures.append(Failure(name(test) if test else "no test", arguments, where, messages))
        if has_begun and not has_ended:
            tests = [name(test) for test in under_way if is_function(test)]
            more = [f"and {len(tests) - TESTS} others"] if len(tests) > TESTS else []
            self.crashed.append(tests[:TESTS] + more + ["", *output.splitlines()[-LINES:]])

    def read_files(self, paths):
        """Reads NAME.events, and beside each NAME.txt, which has the process's output."""
        for file in map(pathlib.Path, paths):
            output = file.with_suffix(".txt")
            self.read(file.read_text(errors="replace"), output.read_text(errors="replace") if output.exists() else "")

    def text(self):
        lines = []
        if self.skipped:
            lines.append("Not tested on this machine:")
            for reason, count in self.skipped.most_common():
                lines.append(f"{count:6} {'test: ' if count == 1 else 'tests:'}  {reason}")
        if self.failures:
            lines.append("Failed:")
            for test, arguments, where, messages in self.failures:
                lines.append(f"  {test}{f' with {arguments}' if arguments else ''}, {where}: " + "\n    ".join(messages))
        for description in self.crashed:
            lines += ["A process crashed, and these tests have not ended:"] + [f"  {line}" for line in description]
        return "\n".join(lines)

    def count(self):
        """The closing line that any reader of logs understands."""
        failed = len({failure.test for failure in self.failures})
        return f"tests: {self.ran - failed} passed, {failed} failed, {sum(self.skipped.values())} skipped"
