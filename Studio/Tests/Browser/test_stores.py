"""The pages of stores, in a browser; and clients that read slowly or go away."""

import socket
import time
import urllib.parse

from conftest import CORPUS, PATIENCE, multiplied


def test_the_overview_leads_everywhere(studio, sightings):
    store = sightings
    running = studio(store)
    running.looks(f"/stores/{store.name}", check=lambda page: page.get_by_role("heading", name=store.name).wait_for())
    running.looks(f"/stores/{store.name}/entities")
    page = running.page()
    running.goto(page, f"/stores/{store.name}")
    page.get_by_role("link", name="Sighting", exact=True).click()
    page.get_by_role("heading", name="Sighting").wait_for()


def test_verifying_goes_on_in_a_page_of_its_own(studio, sightings):
    store = sightings
    page = studio(store).page()
    page.get_by_role("button", name="Verify the store").click()
    # The page loads itself anew when the job has ended.
    page.get_by_text("The store is sound").wait_for()
    page.get_by_role("link", name="Back").click()
    page.get_by_role("heading", name=store.name).wait_for()


def test_history_of_a_store_of_apples_framework(studio, sample):
    store = sample(CORPUS / "stores/careKit/CareKitStore/CareKitStoreTests/CoreDataSchema/Migrations/SampleStore2.0.sqlite")
    before = {file.name: file.read_bytes() for file in store.parent.iterdir()}
    running = studio(store)
    running.looks(f"/stores/{store.name}")
    running.looks(f"/stores/{store.name}/history")
    assert {file.name: file.read_bytes() for file in store.parent.iterdir()} == before


def test_pages_that_are_not_there(studio, sightings):
    store = sightings
    studio(store).looks("/stores/nothing", 404, lambda page: page.get_by_role("alert").wait_for())


def test_reading_works_without_scripts(studio, sightings):
    store = sightings
    running = studio(store)
    page = running.page(scripts=False)
    running.goto(page, f"/stores/{store.name}/entities/Sighting")
    page.get_by_role("link", name="Next").click()
    page.get_by_text("101 to 200").wait_for()


def connection(running, path):
    """A socket that has asked for a page and reads as little as it wants."""
    parts = urllib.parse.urlsplit(running.address)
    key = urllib.parse.parse_qs(parts.query)["key"][0]
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(PATIENCE)
    client.connect((parts.hostname, parts.port))
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nCookie: studio={key}\r\n\r\n".encode())
    return client


def download(running, path):
    """Begins a download. When one has just gone away, the server may not have noticed yet, and refuses one more."""
    end = time.monotonic() + PATIENCE
    while True:
        client = connection(running, path)
        answer = b""
        while b"\r\n" not in answer and (more := client.recv(1024)):
            answer += more
        if b"200 OK" in answer:
            return client
        client.close()
        assert time.monotonic() < end, answer
        time.sleep(0.05)


def test_slow_clients_and_clients_that_go_away_harm_nobody(studio, sightings):
    store = multiplied(sightings, 200_000)
    running = studio(store)
    path = f"/stores/{store.name}/entities/Sighting/objects.csv"

    # More than there may be at a time, one after another: each that goes away makes room.
    for _ in range(15):
        download(running, path).close()

    slow = download(running, path)
    page = running.page()
    for _ in range(5):
        # While the slow one waits, and still gets what it asked for.
        running.goto(page, f"/stores/{store.name}/entities/Sighting")
        assert slow.recv(1024)
    with open(f"/proc/{running.process.pid}/status") as status:
        memory = int(next(line for line in status if line.startswith("VmRSS")).split()[1])
    # The file has some 20 MB; what waits for the slow one is not in memory.
    assert memory < 400_000, f"{memory} kB"
    slow.close()
