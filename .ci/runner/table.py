"""The last table of a run: each part with its minutes beside its budget, how it was built, and what was tested."""
import os
import re

COUNT = re.compile(r"(\d+) (passed|failed|skipped)")


def budgets(contributing, kind):
    """The budget of each part, in minutes, out of the table in CONTRIBUTING.md: {part: minutes}."""
    column = 2 if kind == "cold" else 3
    found = {}
    with open(contributing, encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 4 and re.fullmatch(r"[\d.]+", cells[column]):
                found[cells[1]] = float(cells[column])
    return found


def counts(log):
    """How many tests a part's output says have run and were skipped, or none. A part may have several runners; what the
    second tries of failed tests print is indented, and does not count."""
    ran, skipped, is_counted = 0, 0, False
    for line in log.splitlines():
        found = {word: int(number) for number, word in COUNT.findall(line)}
        # 'tests: 5 passed, 0 failed, 1 skipped', and pytest's '5 passed, 1 skipped in 9.1s'.
        if "passed" in found and re.match(r"^(=+ )?(\w+: )?\d+ (passed|failed)", line):
            ran, skipped, is_counted = ran + found["passed"] + found.get("failed", 0), skipped + found.get("skipped", 0), True
    return (ran, skipped) if is_counted else None


class Row:
    """What came of one part."""

    def __init__(self, name, seconds, built, log, words=""):
        self.name, self.seconds, self.built, self.words = name, seconds, built, words
        self.tests = counts(log)


def lines(rows, seconds, kind, limits):
    """The table as lines of text."""
    result = [f"{'part':20} {'minutes':>7} {'budget':>6}  {'built':8} {'tests':>6} {'skipped':>7}"]
    for row in rows:
        limit = limits.get(row.name)
        ran, skipped = row.tests or ("", "")
        words = row.words or ("over" if limit is not None and row.seconds > 60 * limit else "")
        result.append(
            f"{row.name:20} {row.seconds / 60:7.1f} {'' if limit is None else limit:>6}  {row.built:8} {ran:>6} {skipped:>7}"
            f"  {words}".rstrip())
    limit = limits.get("in all")
    ran = sum(row.tests[0] for row in rows if row.tests)
    skipped = sum(row.tests[1] for row in rows if row.tests)
    words = "over" if limit is not None and seconds > 60 * limit else ""
    result.append(
        f"{'in all':20} {seconds / 60:7.1f} {'' if limit is None else limit:>6}  {kind:8} {ran:>6} {skipped:>7}  {words}".rstrip())
    return result


def contributing(tree):
    return os.path.join(tree, "CONTRIBUTING.md")
