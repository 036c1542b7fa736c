"""Pictures: one file that follows the reader's system becomes two for the site, which has a switch of its own."""
import os
import re
import shutil

from . import write

# What a picture has for dark systems: one block of rules.
DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{((?:[^{}]|\{[^{}]*\})*)\}")


def adopt(path, folder):
    name = os.path.basename(path)
    if not name.endswith(".svg"):
        shutil.copy(path, os.path.join(folder, name))
        return
    with open(path, encoding="utf-8") as file:
        text = file.read()
    write(os.path.join(folder, name), DARK.sub("", text))
    if DARK.search(text):
        write(os.path.join(folder, name.replace(".svg", "~dark.svg")), DARK.sub(r"\1", text))
