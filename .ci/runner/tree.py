"""Lays a checkout's files at another place by content: only files whose bytes differ are written, so that what was built there
from the others is still newer than they are."""
import hashlib
import os
import shutil
import subprocess


def listed(checkout):
    """The files and links that git tracks or would track, as they are in the checkout now."""
    output = subprocess.run(
        ["git", "-C", checkout, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, stdout=subprocess.PIPE).stdout
    names = {os.fsdecode(name) for name in output.split(b"\0") if name}
    return sorted(name for name in names if os.path.lexists(os.path.join(checkout, name)))


def below(folder):
    """All files and links below a folder, for one that git does not know."""
    found = []
    for base, folders, names in os.walk(folder):
        names += [name for name in folders if os.path.islink(os.path.join(base, name))]
        found += [os.path.relpath(os.path.join(base, name), folder) for name in names]
    return sorted(found)


def is_build(name):
    """Whether a folder of that name holds what was built, and stays."""
    return name == ".build" or name.startswith(".build-")


def is_same(source, target):
    """Whether both are links to the same, or files of the same bytes and the same right to be executed."""
    if os.path.islink(source) or os.path.islink(target):
        return os.path.islink(source) and os.path.islink(target) and os.readlink(source) == os.readlink(target)
    try:
        one, other = os.stat(source), os.stat(target)
    except (FileNotFoundError, NotADirectoryError):
        return False
    if not os.path.isfile(target) or one.st_size != other.st_size or (one.st_mode ^ other.st_mode) & 0o111:
        return False
    with open(source, "rb") as first, open(target, "rb") as second:
        return first.read() == second.read()


def discard(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def remove_others(place, names):
    """Removes what is below the place and not among the names, but for what was built there; returns what it was."""
    kept, parents = set(names), {os.path.dirname(name) for name in names}
    for name in list(parents):
        while name := os.path.dirname(name):
            parents.add(name)
    removed = []
    for base, children, files in os.walk(place):
        for name in list(children) + files:
            path = os.path.join(base, name)
            relative = os.path.relpath(path, place)
            is_folder = name in children and not os.path.islink(path)
            if is_folder and is_build(name):
                children.remove(name)
            elif relative not in (parents if is_folder else kept):
                discard(path)
                removed.append(relative)
                if name in children:
                    children.remove(name)
    return removed


def lay(source, place, names):
    """Makes the files at the place those of the source; returns the names that were written and those that were removed."""
    os.makedirs(place, exist_ok=True)
    removed = remove_others(place, names)
    written = []
    for name in names:
        one, other = os.path.join(source, name), os.path.join(place, name)
        if is_same(one, other):
            continue
        discard(other)
        os.makedirs(os.path.dirname(other), exist_ok=True)
        # With the date of now: the source's may be older than what was built here from the file before.
        shutil.copyfile(one, other, follow_symlinks=False)
        if not os.path.islink(other):
            # Writable, also where the source is not: the next run may have to write it again.
            os.chmod(other, os.stat(one).st_mode & 0o777 | 0o600)
        written.append(name)
    return written, removed


def digests(place, names):
    """The SHA-256 of each file, of a link that of the path it holds."""
    result = {}
    for name in names:
        path = os.path.join(place, name)
        if os.path.islink(path):
            content = b"link " + os.fsencode(os.readlink(path))
        else:
            with open(path, "rb") as file:
                content = file.read()
        result[name] = hashlib.sha256(content).hexdigest()
    return result
