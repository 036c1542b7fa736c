"""What a build depends on besides its sources: where one of these has changed, nothing that was built before is used."""
import hashlib
import os
import shutil
import subprocess

from . import folders

LIBRARIES = ["sqlite3", "zlib", "libpq"]
# What the linker takes besides; asked for where Debian's package manager is.
PACKAGES = ["libc6-dev", "libstdc++-12-dev", "libgcc-12-dev", "libsqlite3-dev", "zlib1g-dev", "libpq-dev"]


def output(*command):
    try:
        return subprocess.run(command, text=True, capture_output=True).stdout.strip()
    except FileNotFoundError:
        return ""


def of_tree(digests):
    """The manifests and the plugins: {what it is: its digest}."""
    found = {name: digest for name, digest in digests.items() if os.path.basename(name) == "Package.swift"}
    plugins = sorted((name, digest) for name, digest in digests.items() if name.startswith("Plugins/"))
    found["the plugins"] = hashlib.sha256(repr(plugins).encode()).hexdigest()
    return found


def of_machine():
    """The toolchain and the system's libraries: {what it is: its version}."""
    found = {"the toolchain": folders.toolchain()[1]}
    for library in LIBRARIES:
        found[f"the system's {library}"] = output("pkg-config", "--modversion", library)
    if shutil.which("dpkg-query"):
        for package in PACKAGES:
            found[f"the package {package}"] = output("dpkg-query", "-W", "-f", "${Version}", package)
    return found


def changes(old, new):
    """What differs, in words."""
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
