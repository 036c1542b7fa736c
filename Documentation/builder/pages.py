"""Pages of the repository as articles of the catalogue.

A text stands once, as Markdown that can be read where it lies. For the site, links to other pages become DocC's, names of
public types in code become links to them, numbers of deviations lead to their page, and comments go.
"""
import glob
import os
import re

from . import ROOT, Problem, markdown, read, write

# Pages besides those in Guides and Deviations: place in the repository, name on the site.
OTHERS = {
    "Guides/CocoaFoundation.md": "Predicates-alone",  # DocC has a module of that name.
    "README.md": "OpenCoreData",
    "Guides/README.md": "OpenCoreData",
    "Deviations/README.md": "Deviations",
    "Verification/README.md": "Verification",
    "Benchmarks/README.md": "Benchmarks",
    "Benchmarks/RESULTS.md": "Figures",
    "Tests/RESULTS.md": "Long-runs",
    "ARCHITECTURE.md": "Architecture",
    "CONTRIBUTING.md": "Contributing",
    "CHANGELOG.md": "Changelog",
    "SECURITY.md": "Security",
    "DEVIATIONS.md": "Deviations",
    "Documentation/README.md": "Making-this-site",
    "Guides/Pictures/README.md": "Pictures",
}
# The front page is written for the site: Documentation/Catalogue/OpenCoreData.md.
FRONT = {"README.md", "Guides/README.md", "DEVIATIONS.md"}


def places():
    """All pages: place in the repository, name on the site."""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "Guides", "*.md"))):
        found["Guides/" + os.path.basename(path)] = os.path.basename(path).removesuffix(".md")
    for path in sorted(glob.glob(os.path.join(ROOT, "Deviations", "*.md"))):
        found["Deviations/" + os.path.basename(path)] = "Deviations-" + os.path.basename(path).removesuffix(".md")
    for path in sorted(glob.glob(os.path.join(ROOT, "Examples", "*", "README.md"))):
        name = os.path.basename(os.path.dirname(path))
        found[f"Examples/{name}/README.md"] = f"Example-{name}"
    found |= {place: name for place, name in OTHERS.items() if os.path.exists(os.path.join(ROOT, place))}
    return found


class Pages:
    """Writes the pages for a catalogue, and tells what is wrong with them."""

    def __init__(self, types):
        """types: public types by name, with the module that they are documented in."""
        self.types, self.places, self.problems = types, places(), []
        self.texts = {place: read(place) for place in self.places}
        self.pictures = set()
        self.topics = {}
        for place, text in self.texts.items():
            code = re.search(r"\((D-[A-Z]{3,4})\)", text.split("\n")[0])
            if place.startswith("Deviations/") and code:
                self.topics[code.group(1)] = place

    def write(self, folder):
        for place, name in self.places.items():
            if place in FRONT:
                continue
            text = self.page(place)
            if place == "Deviations/README.md":
                children = sorted(name for place, name in self.places.items()
                                  if place.startswith("Deviations/") and name != "Deviations")
                text += "\n## Topics\n### Pages\n" + "".join(f"- <doc:{name}>\n" for name in children)
            write(os.path.join(folder, f"{name}.md"), text)
        return self.pictures

    def page(self, place):
        out, isFirst = [], True
        for line in markdown.lines(self.texts[place]):
            if line.kind == "comment":
                continue
            if line.kind != "text":
                out.append(line.text)
            elif line.text.startswith("# ") and isFirst:
                out.append(re.sub(r" \(D-[A-Z]+\)$", "", line.text).replace("`", ""))
                out.append("")
                isFirst = False
            elif line.text.startswith("#"):
                out.append(line.text)
            else:
                out.append(self.inline(place, line))
        return "\n".join(out)

    def inline(self, place, line):
        def replaced(match):
            if match.group("link"):
                return self.link(place, line, match)
            if match.group("number"):
                topic = self.topics.get(match.group("number")[:-3])
                if topic is None or topic == place:
                    return match.group()
                return f"[{match.group()}](doc:{self.places[topic]})"
            body, isDouble = match.group("body"), len(match.group("ticks")) == 2
            first = body.split("/")[0]
            if first in self.types and (isDouble or first == body):
                return f"``/{self.types[first]}/{body}``"
            if isDouble and re.match(r"^\w+(/\S+)?$", body):
                self.problems.append(f"{place}:{line.number}: there is no public type {first}")
            return match.group()

        return markdown.INLINE.sub(replaced, line.text)

    def link(self, place, line, match):
        words, target = match.group("words"), match.group("target")
        if re.match(r"^(https?|mailto|doc):", target):
            return match.group()
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(place), path)) if path else place
        if not os.path.exists(os.path.join(ROOT, path)):
            self.problems.append(f"{place}:{line.number}: {target} leads nowhere")
            return match.group()
        if match.group("image"):
            self.pictures.add(path)
            return f"![{words}]({os.path.basename(path).removesuffix('.svg')})"
        if path not in self.places:
            return f"{words} (`{path}` in the repository)" if words.strip("`") != path else f"`{path}`"
        found = ""
        if anchor:
            for _, heading in markdown.headings(self.texts[path]):
                if markdown.repository_anchor(heading) == anchor:
                    # The site's front page has headings of its own.
                    found = "" if path in FRONT else "#" + markdown.site_anchor(heading)
                    break
            else:
                self.problems.append(f"{place}:{line.number}: there is no heading {anchor} in {path}")
        return f"[{words}](doc:{self.places[path]}{found})"
