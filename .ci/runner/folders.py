"""Where builds are kept: a folder for each toolchain and processor below ~/.cache/opencoredata-ci, which one run has at a time."""
import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess

ROOM = 10 * 10**9


def default_cache():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "opencoredata-ci")


def toolchain():
    """The toolchain in words, and what tells it from all others."""
    version = subprocess.run(["swift", "--version"], check=True, text=True, capture_output=True).stdout
    compiler = os.path.realpath(shutil.which("swift"))
    frontend = os.path.join(os.path.dirname(compiler), "swift-frontend")
    state = os.stat(frontend if os.path.exists(frontend) else compiler)
    return version, f"{version} {compiler} {state.st_size} {state.st_mtime_ns}"


def key():
    """A name for the toolchain and the processor."""
    words, identity = toolchain()
    number = re.search(r"Swift version ([\w.]+)", words)
    digest = hashlib.sha256(identity.encode()).hexdigest()[:8]
    return f"swift-{number.group(1) if number else 'unknown'}-{platform.machine()}-{digest}"


class Folder:
    """One of the folders. A run that has it holds its lock, which the kernel lets go when the process ends."""

    def __init__(self, path):
        self.path = path
        self.tree = os.path.join(path, "OpenCoreData")
        self.shared = os.path.join(path, "shared")
        self.release_build = os.path.join(path, "release")
        self.lock = None

    @property
    def builds(self):
        """The folders that hold what was built, by the lane that builds there."""
        return {
            "debug": [os.path.join(self.tree, ".build")],
            "release": [self.release_build, os.path.join(self.tree, "Tests", "ThreadSanitizer", ".build")],
        }

    def take(self):
        """Takes the lock, if no other run has it."""
        os.makedirs(self.path, exist_ok=True)
        file = os.open(os.path.join(self.path, "lock"), os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        self.lock = file
        os.utime(file)
        return True

    def release(self):
        os.close(self.lock)
        self.lock = None

    def remove_builds(self, lane=None):
        for name, paths in self.builds.items():
            if lane in (None, name):
                for path in paths:
                    shutil.rmtree(path, ignore_errors=True)

    def read(self, name):
        """A dictionary that was noted under the name, or none."""
        try:
            with open(os.path.join(self.path, name + ".json"), encoding="utf-8") as file:
                return json.load(file)
        except (FileNotFoundError, ValueError):
            return {}

    def note(self, name, value):
        temporary = os.path.join(self.path, name + ".new")
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(value, file)
        os.replace(temporary, os.path.join(self.path, name + ".json"))


def take(cache, name):
    """The first folder of that name that no other run has: a second run at once has one of its own, and waits for nothing."""
    number = 1
    while True:
        folder = Folder(os.path.join(cache, name if number == 1 else f"{name}-{number}"))
        if folder.take():
            return folder
        number += 1


def make_room(cache, own, free=lambda path: shutil.disk_usage(path).free):
    """Removes the folders that were used longest ago, while there is less than 10 GB free; none that a run has. Returns them."""
    others = []
    for name in os.listdir(cache):
        lock = os.path.join(cache, name, "lock")
        if os.path.join(cache, name) != own.path and os.path.exists(lock):
            others.append((os.stat(lock).st_mtime, os.path.join(cache, name)))
    removed = []
    for _, path in sorted(others):
        if free(cache) >= ROOM:
            break
        other = Folder(path)
        if other.take():
            shutil.rmtree(path, ignore_errors=True)
            other.release()
            removed.append(path)
    return removed
