"""Whether a failed build is the sources' fault, or that of what was built before."""
import os
import re

# What the package manager says at the end of a step that failed. A failed test is none.
FAILED_STEP = re.compile(r"^error: .*command failed (?:with exit code|due to signal)", re.MULTILINE)
CRASH = re.compile(
    r"command failed due to signal|PLEASE submit a bug report|^Stack dump:|LLVM ERROR|unable to execute command"
    r"|linker command failed due to signal|fatal error: malformed or corrupted|missing required module|collect2: fatal",
    re.MULTILINE)
ERROR = re.compile(r"^(/[^:\n]+):\d+(?::\d+)?: error:", re.MULTILINE)


def is_failed_build(log):
    return FAILED_STEP.search(log) is not None


def named(log, tree):
    """The files of the tree that an error names."""
    root = os.path.realpath(tree) + os.sep
    found = {os.path.realpath(path) for path in ERROR.findall(log)}
    return sorted(path[len(root):] for path in found if path.startswith(root))


def why_again(log, tree, changed):
    """Why a build over an older one is to be repeated from nothing, or nothing if its failure is an answer.

    `changed` has the names of the files that differ from the last tree whose run passed.
    """
    if not is_failed_build(log):
        return None
    if CRASH.search(log):
        return "the compiler or the linker crashed"
    files = named(log, tree)
    if not any(file in changed for file in files):
        return f"errors name only files that have not changed ({', '.join(files[:3])})" if files else "no error names a file"
    return None
