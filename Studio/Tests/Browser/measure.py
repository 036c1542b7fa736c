"""Measures the studio with a store of a million objects: times of the server, times to paint, memory under 50 clients.

    python3 measure.py BINARY STORE [SECONDS]

STORE is a store of sightings (made by the import of sightings). It is copied first, and the copy is filled up to a million where it has
fewer, so that a run changes nothing and can be repeated. The binary should be a release build. Ends with 1 where a budget is missed.

“Page's own” is the time that the page says itself: the reading of the store, without the template and the way to the client.
"""

import http.client
import os
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from conftest import CHROMIUM, multiplied

ROWS = 1_000_000
CLIENTS = 50
FIRST_PAGE = 0.050
MEMORY = 64 << 10

PAGES = {
    "first page, by key": "",
    "first page, by an index": "?sort=identifier",
    "jump to the middle, by key": "?from=500000",
    "jump to the middle, by an index": "?sort=identifier&from=500000",
    "filter by an index": "?where=identifier%20%3D%3D%20%22copy-765432%22",
    "filter by an index, many found": "?where=shape%20%3D%3D%20%22disk%22",
    "filter without an index": "?where=duration%20%3D%3D%2077",
    "filter without an index, none found": "?where=place%20%3D%3D%20%22nowhere%20at%20all%22",
    "sort without an index": "?sort=duration",
}


class Server:
    def __init__(self, binary, store):
        self.process = subprocess.Popen([binary, "--no-browser", store], stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline()).group()
        parts = urllib.parse.urlsplit(self.address)
        self.place, self.key = parts.netloc, urllib.parse.parse_qs(parts.query)["key"][0]
        self.path = f"/stores/{urllib.parse.quote(store.split('/')[-1])}/entities/Sighting"

    def client(self):
        return http.client.HTTPConnection(self.place, timeout=120)

    def get(self, client, path):
        began = time.perf_counter()
        client.request("GET", path, headers={"Cookie": f"studio={self.key}"})
        answer = client.getresponse()
        self.body = answer.read()
        assert answer.status == 200, f"{path}: {answer.status} {self.body[:500]}"
        return time.perf_counter() - began

    def own(self):
        """The time that the last page says itself, in seconds."""
        found = re.search(r'<span class="soft">in ([0-9.]+) (ms|s)</span>', self.body.decode())
        assert found, "the page says no time"
        return float(found[1]) * (0.001 if found[2] == "ms" else 1)

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


def times(server):
    client, medians = server.client(), {}
    print(f"{'page (ms, medians of 7)':40} {'first':>8} {'again':>8} {'own':>8}")
    for name, query in PAGES.items():
        first, again, own = server.get(client, server.path + query), [], []
        for _ in range(7):
            again.append(server.get(client, server.path + query))
            own.append(server.own())
        medians[name] = statistics.median(again)
        print(f"{name:40} {first * 1000:8.1f} {medians[name] * 1000:8.1f} {statistics.median(own) * 1000:8.1f}")
    return medians


def paints(server):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.goto(server.address)
        for name, query in PAGES.items():
            found = []
            for _ in range(3):
                page.goto(f"http://{server.place}{server.path}{query}")
                paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
                while not (time_to_paint := page.evaluate(paint)):
                    page.wait_for_timeout(10)
                found.append(time_to_paint)
            print(f"{name:40} painted after {statistics.median(found):8.1f} ms (median of 3)")
        browser.close()


def scroll(server, seconds):
    """Clients that scroll without a pause, to places of their own."""
    end, durations, failures = time.monotonic() + seconds, [], []

    def one(number):
        choice, client = random.Random(number), server.client()
        try:
            while time.monotonic() < end:
                durations.append(server.get(client, f"{server.path}/rows?from={choice.randrange(ROWS - 100)}"))
        except Exception as error:
            failures.append(error)

    clients = [threading.Thread(target=one, args=(number,)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert not failures, failures
    return durations


def percentiles(durations):
    cuts = statistics.quantiles(durations, n=100, method="inclusive")
    return ", ".join(f"p{part} {cuts[part - 1] * 1000:.0f}" for part in (50, 90, 95, 99)) + f", most {max(durations) * 1000:.0f} ms"


def disturbed(server):
    """How long a page takes while 20 clients have asked for a page and do not read it, and 200 others have left before their answer."""

    def asked(path):
        one = socket.create_connection(server.place.rsplit(":", 1), timeout=30)
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.place}\r\nCookie: studio={server.key}\r\n\r\n".encode())
        return one

    slow = [asked(server.path + "?sort=duration") for _ in range(20)]
    for number in range(200):
        asked(f"{server.path}/rows?from={number * 4999}").close()
    client, page = server.client(), server.path + PAGES["filter by an index"]
    durations = [server.get(client, page) for _ in range(50)]
    for one in slow:
        assert one.recv(1), "a slow reader got nothing"
        one.close()
    assert server.process.poll() is None, "the server has ended"
    return durations


def main(binary, store, seconds=60):
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(store, folder)
        os.chmod(copy, 0o600)
        return measure(binary, multiplied(copy, ROWS), seconds)


def measure(binary, store, seconds):
    server = Server(binary, store)
    try:
        medians = times(server)
        paints(server)
        before = server.memory()
        durations = scroll(server, float(seconds))
        after = server.memory()
        print(f"{CLIENTS} clients: {len(durations)} places in {seconds} s, {percentiles(durations)}")
        print(f"a page beside slow readers and ones that left: {percentiles(disturbed(server))}")
        print(f"resident memory: {before} kB before, {after} kB after, {after - before} kB more")
        missed = [name for name in PAGES if name.startswith("first") and medians[name] > FIRST_PAGE]
        if after - before > MEMORY:
            missed.append("memory")
        print("missed: " + ", ".join(missed) if missed else "all budgets kept")
        return 1 if missed else 0
    finally:
        server.process.terminate()
        server.process.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
