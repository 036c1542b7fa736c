"""The catalogue put together, made into a site by DocC, and looked through for links that lead nowhere."""
import glob
import json
import os
import re
import shutil
import subprocess
import urllib.parse

from . import ROOT, Problem, markdown, pictures, write
from .pages import Pages

CATALOGUE = os.path.join(ROOT, "Documentation", "Catalogue")
KINDS = {"swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias"}
NAME = "OpenCoreData"


def public_types(graphs):
    """Public types by name, with their module. Of one name in two modules, the one that needs no other's is taken."""
    found = {}
    for path in sorted(glob.glob(os.path.join(graphs, "*.symbols.json")), reverse=True):
        if "@" in os.path.basename(path):
            continue
        with open(path, encoding="utf-8") as file:
            graph = json.load(file)
        for symbol in graph["symbols"]:
            if len(symbol["pathComponents"]) == 1 and symbol["kind"]["identifier"] in KINDS:
                found[symbol["pathComponents"][0]] = graph["module"]["name"]
    return found


def assemble(graphs, folder):
    """Writes the catalogue; gives what is wrong with its pages."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CATALOGUE, folder)
    for name in glob.glob(os.path.join(folder, "*.md")):
        with open(name, encoding="utf-8") as file:
            kept = [line.text for line in markdown.lines(file.read()) if line.kind != "comment"]
        write(name, "\n".join(kept))
    pages = Pages(public_types(graphs))
    for path in sorted(pages.write(folder)):
        pictures.adopt(os.path.join(ROOT, path), folder)
    return pages.problems, set(pages.places.values())


def missing(out, names):
    """Pages that no list of topics has: DocC leaves them out without a word."""
    found = {name for name in names
             if os.path.exists(os.path.join(out, "data", "documentation", NAME.lower(), f"{name.lower()}.json"))}
    return [f"{name}: the page is under no Topics" for name in sorted(names - found - {NAME})]


def convert(catalogue, graphs, out, base):
    """Runs DocC; gives its warnings and errors, a line each."""
    diagnostics = f"{out}.diagnostics.json"
    arguments = ["docc", "convert", catalogue, "--additional-symbol-graph-dir", graphs, "--output-dir", out,
                 "--fallback-display-name", NAME, "--fallback-bundle-identifier", NAME,
                 "--diagnostics-file", diagnostics, "--transform-for-static-hosting"]
    if base:
        arguments += ["--hosting-base-path", base]
    shutil.rmtree(out, ignore_errors=True)
    result = subprocess.run(arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = []
    if os.path.exists(diagnostics):
        with open(diagnostics, encoding="utf-8") as file:
            for item in json.load(file)["diagnostics"]:
                place = urllib.parse.unquote(item.get("source", "").removeprefix("file://"))
                place = place.replace(catalogue + "/", "").replace(ROOT + "/", "")
                start = item.get("range", {}).get("start", {}).get("line")
                found.append(f"{place}{f':{start}' if start else ''}: {item['severity']}: {item['summary']}")
        os.remove(diagnostics)
    if result.returncode and not found:
        raise Problem(f"docc failed:\n{result.stdout}")
    return sorted(found)


def finish(out, base):
    """What the site needs besides: its root leads to the front page, as DocC's own one shows nothing."""
    front = f"{'/' + base.strip('/') if base else ''}/documentation/{NAME.lower()}/"
    write(os.path.join(out, "index.html"), f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{NAME}</title>
<meta http-equiv="refresh" content="0; url={front}">
<a href="{front}">{NAME}</a>
</html>
""")


def dead_links(out):
    """Follows each link of each page to a page, a heading or a file of the site; gives those that lead nowhere."""
    data = os.path.join(out, "data")
    anchors, pages, problems = {}, {}, []
    for path in glob.glob(os.path.join(glob.escape(data), "**", "*.json"), recursive=True):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        url = "/" + os.path.relpath(path, data).removesuffix(".json").lower()
        pages[url] = json.loads(text)
        anchors[url] = set(re.findall(r'"anchor":"((?:[^"\\]|\\.)*)"', text))
    for url, page in pages.items():
        for reference in page.get("references", {}).values():
            kind, target = reference.get("type"), reference.get("url")
            if kind in ("image", "video", "download"):
                for variant in reference.get("variants", []) or [reference]:
                    place = variant.get("url", "")
                    if not os.path.exists(os.path.join(out, urllib.parse.unquote(place.lstrip("/")))):
                        problems.append(f"{url}: there is no file {place}")
            elif target and target.startswith("/"):
                place, _, anchor = urllib.parse.unquote(target).partition("#")
                # A chapter has no page of its own; it stands on that of its tutorials, and nothing links to it.
                if pages.get(os.path.dirname(place).lower(), {}).get("kind") == "overview":
                    continue
                if place.lower() not in pages:
                    problems.append(f"{url}: there is no page {place}")
                elif anchor and anchor not in anchors[place.lower()]:
                    problems.append(f"{url}: there is no heading {anchor} in {place}")
    return sorted(set(problems)), len(pages)


def size(out):
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(out) for name in names)
