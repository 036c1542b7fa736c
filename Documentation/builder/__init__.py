"""What makes the documentation's site: ./docs uses it, Documentation/README.md describes it."""
import os

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


class Problem(Exception):
    """Something that whoever runs the program has to change: what was expected, what was found, where."""


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
