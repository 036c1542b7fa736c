"""What the browser tests share: a studio that runs, a browser that looks at it, and what must hold on every page.

They need Debian's Chromium (apt: chromium) and three packages of PyPI (pytest, playwright, axe-playwright-python); without them
they are skipped. The studio's program must have been built: `swift build --package-path Studio`, or its path in STUDIO_BINARY.
"""

import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import threading
import time

import pytest

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright
except ImportError as missing:
    MISSING = f"the package {missing.name} of PyPI is missing"
else:
    MISSING = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHROMIUM = os.environ.get("STUDIO_CHROMIUM", "/usr/bin/chromium")
#: Stores and models that others wrote. They are not in the repository; tests that need them are skipped without.
CORPUS = ROOT.parent / "shared/corpus"

#: The programs of the test picker.
PROGRAMS = ("tune", "Photos", "MultiThread", "ConcurrencyModels", "UFOSightings")

#: How many seconds something that must come is waited for. On a busy machine it may take minutes.
PATIENCE = 900

#: What every page is looked at in: each scheme and each width once. Whether a page fits does not depend on the scheme, and its
#: contrast seldom on the width, so that two of the four say nearly as much in half the time; pictures are taken of all four.
LOOKS = [("light", 1280), ("dark", 400)]
if os.environ.get("STUDIO_SCREENSHOTS"):
    LOOKS += [("light", 400), ("dark", 1280)]


def binary():
    """The studio's program: STUDIO_BINARY, or where a build puts it."""
    named = os.environ.get("STUDIO_BINARY")
    places = [named] if named else [ROOT / ".build/debug/studio", ROOT / "Studio/.build/debug/studio"]
    found = [pathlib.Path(place) for place in places if os.access(place, os.X_OK)]
    if named and not found:
        pytest.fail(f"STUDIO_BINARY names no program: {named}")
    return found[0].resolve() if found else None


def programs():
    """The folder of the test programs: STUDIO_PROGRAMS, or the studio's own, where they are built beside it."""
    named = os.environ.get("STUDIO_PROGRAMS")
    folder = pathlib.Path(named) if named else binary() and binary().parent
    if folder is None or not all(os.access(folder / name, os.X_OK) for name in PROGRAMS):
        pytest.skip(f"the test programs are not built in {folder}: "
                    f"OPENCOREDATA_PRODUCTS={','.join(PROGRAMS)} swift build --package-path Studio")
    return folder


class Studio:
    """A studio that was started, and somebody with a browser."""

    def __init__(self, browser, arguments, environment):
        self.browser = browser
        self.errors = []
        self.contexts = []
        self.has_scripts = {}
        self.process = subprocess.Popen(
            [str(binary()), "--no-browser", "--port", "0", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **environment},
        )
        self.output = []
        self.address = None
        ready = threading.Event()
        threading.Thread(target=self._read, args=(ready,), daemon=True).start()
        if not ready.wait(PATIENCE) or self.address is None:
            self.stop()
            pytest.fail("The studio printed no address:\n" + "".join(self.output))
        self.base = self.address.split("/enter")[0]

    def _read(self, ready):
        # To the end, so that the program never waits for somebody to read what it prints.
        for line in self.process.stdout:
            self.output.append(line)
            if found := re.search(r"http://\S+/enter\?key=\S+", line):
                self.address = found.group()
                ready.set()
        ready.set()

    def page(self, scheme="light", width=1280, height=860, scripts=True, **options):
        """A browser's page that is let in. What its console complains of fails the test."""
        context = self.browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": height}, java_script_enabled=scripts, **options
        )
        self.contexts.append(context)
        self.has_scripts[context] = scripts
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(f"error in {page.url}: {error}"))
        page.on("console", lambda message: self._console(page, message))
        page.goto(self.address)
        return page

    def _console(self, page, message):
        # A page that answers 400 or 404 on purpose is named by the browser, too; tests look at those themselves.
        if message.type in ("error", "warning") and "the server responded with a status of" not in message.text:
            self.errors.append(f"{message.type} in {page.url}: {message.text}")

    def goto(self, page, path, status=200):
        """Opens a page of the studio, waits until its scripts have run, and gives the page."""
        answer = page.goto(self.base + path)
        assert answer.status == status, f"{path}: {answer.status}\n{answer.text()[:2000]}"
        if self.has_scripts.get(page.context, True):
            # Set by the last line of studio.js.
            # (`wait_for_function` may not be used: the pages' policy forbids it to evaluate texts.)
            page.locator("html[data-ready=yes]").wait_for(state="attached")
        return page

    def looks(self, path, status=200, check=None):
        """Opens a page in light and dark, wide and narrow, and checks what must hold for each page."""
        for scheme, width in LOOKS:
            page = self.page(scheme, width)
            self.goto(page, path, status)
            if check:
                check(page)
            name = re.sub(r"[^A-Za-z0-9]+", "-", path).strip("-")[:80]
            self.screenshot(page, f"{name}-{scheme}-{width}")
            fits(page)
            axe(page)
            page.context.close()

    @staticmethod
    def screenshot(page, name):
        """Keeps a picture in the folder that STUDIO_SCREENSHOTS names."""
        if folder := os.environ.get("STUDIO_SCREENSHOTS"):
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{folder}/{name}.png", full_page=True)

    def stop(self):
        for context in self.contexts:
            try:
                context.close()
            except Exception:
                pass  # Closed by the test.
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.errors.append("The studio did not end when it was asked to.")


def wait_until(page, what, condition):
    """Waits until a condition holds, and says what it waited for if it does not come to hold."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited for {what}"
        page.wait_for_timeout(50)


def axe(page):
    """No violation of the rules for accessible pages."""
    results = Axe().run(page)
    found = results.response["violations"]
    words = [
        f"{each['id']}: {each['help']}\n"
        + "\n".join(f"    {node['html'][:200]}\n    {node['failureSummary']}" for node in each["nodes"][:5])
        for each in found
    ]
    assert not found, f"{page.url}\n" + "\n".join(words)


def fits(page):
    """The page is not wider than its window: what is wide scrolls in a region of its own."""
    found = page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width) return [];
          return [...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > width + 1)
            .map((element) => `${element.tagName}.${element.className} ends at ${element.getBoundingClientRect().right}`);
        }"""
    )
    assert not found, f"{page.url} is wider than its window: " + "; ".join(found[:8])


@pytest.fixture(scope="session")
def browser():
    if MISSING:
        pytest.skip(MISSING)
    if not os.access(CHROMIUM, os.X_OK):
        pytest.skip(f"there is no Chromium at {CHROMIUM}")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=arguments, timeout=1000 * PATIENCE
        )
        yield browser
        browser.close()


@pytest.fixture
def studio(browser):
    """Starts studios: `studio(store, "--write")` gives one. They are stopped in the end; errors of their pages fail the test.

    Keywords are variables of the environment; `expects` are parts of messages of the console that the test provokes.
    """
    if binary() is None:
        pytest.skip("the studio is not built: swift build --package-path Studio")
    started = []
    expected = []

    def start(*arguments, expects=(), **environment):
        expected.extend(expects)
        started.append(Studio(browser, arguments, environment))
        return started[-1]

    yield start
    for each in started:
        each.stop()
    errors = [error for each in started for error in each.errors if not any(part in error for part in expected)]
    assert not errors, "\n".join(errors)


@pytest.fixture(scope="session")
def made_sightings(tmp_path_factory):
    """A store of 5,000 sightings, which the example makes; the same each time."""
    store = tmp_path_factory.mktemp("sightings") / "ufo.sqlite"
    subprocess.run(
        [programs() / "UFOSightings", "--count", "5000", "--make-seed", store, "--json"],
        check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL,
    )
    return store


@pytest.fixture
def sightings(made_sightings, sample):
    """A copy of the store of 5,000 sightings: `ufo.sqlite` in a folder of the test."""
    return sample(made_sightings)


@pytest.fixture
def sample(tmp_path):
    """Copies a store, with the files beside it, into a folder of the test: `sample(CORPUS / "stores/...")`."""

    def copy(store):
        store = pathlib.Path(store)
        if not store.exists():
            pytest.skip(f"there is no store {store}")
        for file in store.parent.glob(store.name + "*"):
            shutil.copy(file, tmp_path)
        return tmp_path / store.name

    return copy


def multiplied(store, rows):
    """Fills the table of sightings up to a number of rows, by copying those that there are. In the database, since a million is many."""
    with sqlite3.connect(store) as database:
        most = lambda: database.execute("SELECT max(Z_PK) FROM ZSIGHTING").fetchone()[0]
        columns = "Z_ENT, Z_OPT, ZDURATION, ZDATE, ZCANONICALPLACE, ZPLACE, ZSHAPE"
        while (last := most()) < rows:
            database.execute(
                f"INSERT INTO ZSIGHTING (Z_PK, ZIDENTIFIER, {columns}) SELECT Z_PK + ?1, 'copy-' || (Z_PK + ?1), {columns}"
                " FROM ZSIGHTING WHERE Z_PK + ?1 <= ?2",
                (last, rows),
            )
        database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'Sighting'", (most(),))
    database.close()
    return store
