"""Markdown as this repository writes it, taken apart into lines of text and lines of code."""
import re

FENCE = re.compile(r"^( *)(```+|~~~+)(.*)$")
# Code of one or two backticks; or a link, with an image's mark.
INLINE = re.compile(r"(?P<code>(?<!`)(?P<ticks>`{1,2})(?!`)(?P<body>[^`]+)(?P=ticks)(?!`))"
                    r"|(?P<link>(?P<image>!?)\[(?P<words>(?:[^\[\]]|`[^`]*`)*)\]\((?P<target>[^)\s]+(?:\([^)\s]*\)[^)\s]*)?)\))"
                    r"|(?P<number>\bD-[A-Z]{3,4}-[0-9]{2}\b)")


class Line:
    """A line with what it is: text, code (of a fenced or an indented block), fence, or comment."""

    def __init__(self, number, text, kind):
        self.number, self.text, self.kind = number, text, kind


def lines(text):
    """The lines of a page. Comments of HTML are lines of their own kind, wherever they end."""
    fence, isComment, wasBlank, isIndented = None, False, True, False
    for number, line in enumerate(text.split("\n"), 1):
        match = FENCE.match(line)
        if fence:
            kind = "code"
            if match and match.group(2).startswith(fence) and not match.group(3).strip():
                fence, kind = None, "fence"
        elif isComment:
            kind, isComment = "comment", "-->" not in line
        elif line.lstrip().startswith("<!--"):
            kind, isComment = "comment", "-->" not in line
        elif match:
            fence, kind = match.group(2), "fence"
        elif line.startswith("    ") and (wasBlank or isIndented):
            kind, isIndented = "code", True
        else:
            kind, isIndented = "text", isIndented and not line.strip()
        yield Line(number, line, kind)
        wasBlank = kind != "code" and (not line.strip() or kind in ("fence", "comment") or line.startswith("#"))


def headings(text):
    """The headings of a page: level, words."""
    for line in lines(text):
        match = re.match(r"^(#+) +(.*?) *$", line.text)
        if line.kind == "text" and match:
            yield len(match.group(1)), match.group(2)


def plain(words):
    """A heading's words without code and links."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words).replace("`", "")


def repository_anchor(words):
    """What a heading is called in a link within the repository, as .ci/documents has it."""
    return re.sub(r"[^a-z0-9 _-]", "", plain(words).lower()).replace(" ", "-")


def site_anchor(words):
    """What DocC calls a heading in a link."""
    words = re.sub(r"[\"'`“”‘’]", "", plain(words).strip())
    return re.sub(r"\s+", "-", words)
