"""Runs the parts of a run in two lanes side by side, each lane one part after the other, with a log for each part."""
import os
import signal
import subprocess
import threading
import time

from . import judgement, table


class Part:
    """One part: its name in the table, and the function of .ci/part that it is."""

    def __init__(self, lane, name, function):
        self.lane, self.name, self.function = lane, name, function


# The debug lane builds in .build, the release lane in a folder of its own: the package manager lets one build at a time into a
# folder. The release build is one compiler on one core most of the time, so the debug lane has the other.
PARTS = [
    Part("debug", "debug build", "debug_build"),
    Part("debug", "tests", "tests"),
    Part("debug", "floors", "floors"),
    Part("debug", "static archive", "static_archive"),
    Part("debug", "clients in debug", "debug_clients"),
    Part("debug", "verification", "verification"),
    Part("debug", "documentation", "documentation"),
    Part("debug", "studio build", "studio_build"),
    Part("debug", "studio", "studio"),
    Part("release", "formatting", "formatting"),
    Part("release", "release build", "release_build"),
    Part("release", "small runs", "small_runs"),
    Part("release", "benchmark", "benchmark"),
    Part("release", "sanitizer build", "sanitizer_build"),
    Part("release", "thread sanitizer", "thread_sanitizer"),
]


class Run:
    """The parts of one run, their logs and what came of them.

    `command` makes the command of a part, so that tests run parts of their own. `lock` protects `rows`, `failed` and the
    processes; what is printed is printed under it, so that no part's output stands in another's.
    """

    def __init__(self, folder, parts, kind, changed, work, environment, command=None):
        self.folder, self.parts, self.changed, self.work = folder, parts, changed, work
        self.environment = environment
        self.command = command or (lambda part: ["bash", ".ci/part", part.function])
        self.built = {lane: kind for lane in ("debug", "release")}
        self.rows, self.failed, self.again = [], None, []
        self.processes = {}
        self.lock = threading.Lock()
        self.begin, self.told = time.monotonic(), 0

    def execute(self):
        """Runs all parts; returns whether all have passed."""
        threads = [threading.Thread(target=self.lane, args=(lane,)) for lane in self.built]
        for thread in threads:
            thread.start()
        for thread in threads:
            # In pieces, so that a signal is heard.
            while thread.is_alive():
                thread.join(1)
                self.progress()
        order = {part.name: number for number, part in enumerate(self.parts)}
        self.rows.sort(key=lambda row: order[row.name])
        # A lane that this program's own mistake has ended leaves parts out.
        missing = [part.name for part in self.parts if part.name not in {row.name for row in self.rows}]
        self.failed = self.failed or (f"{missing[0]}, which has not run" if missing else None)
        return self.failed is None

    def lane(self, lane):
        parts = [part for part in self.parts if part.lane == lane]
        number = 0
        while number < len(parts) and self.failed is None:
            part = parts[number]
            begin = time.monotonic()
            status, log = self.one(part)
            seconds = time.monotonic() - begin
            reason = None
            if status != 0 and self.built[lane] == "warm" and self.failed is None:
                reason = judgement.why_again(log, self.folder.tree, self.changed)
            with self.lock:
                if self.failed is None or status == 0:
                    self.tell(part, seconds, status, log)
                if reason:
                    print(f"== {part.name}: repeated from nothing, since {reason}", flush=True)
                    self.again.append(f"{part.name}: {reason}")
                    self.rows = [row for row in self.rows if row.name not in {other.name for other in parts}]
                elif status != 0:
                    words = "failed" if self.failed is None else "stopped"
                    self.rows.append(table.Row(part.name, seconds, self.built[lane], log, words))
                    if self.failed is None:
                        self.failed = part.name
                        self.stop()
                else:
                    unsteady = [line.split(": ")[1] for line in log.splitlines() if line.startswith("unsteady: ")]
                    words = f"unsteady: {', '.join(unsteady)}" if unsteady else ""
                    self.rows.append(table.Row(part.name, seconds, self.built[lane], log, words))
            if reason:
                self.folder.remove_builds(lane)
                self.built[lane] = "cold"
                number = 0
            else:
                number += 1

    def one(self, part):
        """Runs a part to its end; returns its status and what it printed."""
        path = os.path.join(self.work, f"{part.function}.txt")
        with open(path, "wb") as output:
            with self.lock:
                if self.failed is not None:
                    return 1, ""
                # In a process group of its own, which `stop` ends with all that the part has started.
                process = subprocess.Popen(
                    self.command(part), cwd=self.folder.tree, env=self.environment, stdin=subprocess.DEVNULL,
                    stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
                self.processes[part.name] = (process, time.monotonic(), path)
            status = process.wait()
        with self.lock:
            del self.processes[part.name]
        with open(path, encoding="utf-8", errors="replace") as file:
            return status, file.read()

    def tell(self, part, seconds, status, log):
        print(f"== {part.name}, {seconds / 60:.1f} minutes{'' if status == 0 else f', ended with {status}'}")
        print(log.rstrip("\n"), flush=True)

    def progress(self):
        """A line a minute of what is under way."""
        now = time.monotonic()
        minute = int((now - self.begin) / 60)
        if minute == self.told:
            return
        self.told = minute
        with self.lock:
            states = []
            for name, (_, begin, path) in self.processes.items():
                with open(path, "rb") as file:
                    file.seek(max(0, os.path.getsize(path) - 300))
                    last = file.read().decode(errors="replace").strip().splitlines()[-1:]
                states.append(f"{name} {(now - begin) / 60:.0f} min{': ' + last[0][:70] if last else ''}")
            if states:
                print(f"   {minute} min: " + "; ".join(states), flush=True)

    def stop(self):
        """Ends what is under way. To be called under the lock."""
        for process, _, _ in self.processes.values():
            try:
                os.killpg(process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass

    def interrupt(self):
        """Ends all, because this process is to end."""
        self.failed = self.failed or "interrupted"
        self.stop()
