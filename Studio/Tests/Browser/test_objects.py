"""The pages of one object, in a browser."""

from conftest import CORPUS

BASE = "/stores/ufo.sqlite/objects"


def test_an_object_in_every_look(studio, sightings):
    running = studio(sightings)
    running.looks(f"{BASE}/Sighting/p1")
    running.looks(f"{BASE}/Sighting/p1/members/tokens")
    running.looks(f"{BASE}/Sighting/p1/referrers")
    running.looks(f"{BASE}/Sighting/p99999999", 404)


def test_dates_are_in_utc_and_in_the_readers_zone(studio, sightings):
    running = studio(sightings)
    page = running.goto(running.page(timezone_id="Pacific/Auckland"), f"{BASE}/Sighting/p1")
    time = page.locator("time[data-local]").first
    assert time.inner_text().endswith("Z")
    assert "(Pacific/Auckland)" in time.locator("xpath=following-sibling::span").inner_text()


def test_from_object_to_object(studio, sightings):
    running = studio(sightings)
    page = running.goto(running.page(), f"{BASE}/Sighting/p1/members/tokens")
    token = page.locator(".links-list a").first
    name = token.inner_text()
    token.click()
    page.get_by_role("heading", name=name, exact=True).wait_for()
    page.get_by_role("link", name="What points to it").click()
    page.locator(".links-list a").first.wait_for()


def test_bytes_in_stores_of_apples_framework(studio, sample):
    """Pictures as pictures, other bytes as hexadecimal: whatever objects of the collection have bytes."""
    store = sample(CORPUS / "stores/careKit/CareKitStore/CareKitStoreTests/CoreDataSchema/Migrations/SampleStore2.0.sqlite")
    running = studio(store)
    page = running.page()
    entities = page.locator("tbody th a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    seen = 0
    for entity in entities:
        running.goto(page, entity)
        first = page.locator("tbody th a").first
        if first.count() == 0:
            continue
        first.click()
        page.get_by_role("heading", name="Values").wait_for()
        for bytes_shown in page.locator("details:has(pre.hex)").all():
            bytes_shown.locator("summary").first.click()
            assert bytes_shown.locator("pre.hex").inner_text().startswith("000000  ")
            seen += 1
    assert seen > 0
