"""The picker of tests, runs and their comparison, in a browser."""

import pytest
from conftest import programs


@pytest.fixture
def picker(studio, tmp_path):
    return studio("--programs", programs(), XDG_CACHE_HOME=str(tmp_path))


def test_from_single_fault_to_the_relationship_in_three_clicks(picker):
    page = picker.goto(picker.page(), "/tests")
    clicks = 0

    def click(locator):
        nonlocal clicks
        locator.click()
        clicks += 1

    click(page.get_by_role("button", name="SingleFault, one row at a time, recorded"))
    # There as soon as the run has ended.
    page.get_by_role("link", name="Open the recording in Instruments").wait_for()
    click(page.get_by_role("link", name="Open the recording in Instruments"))
    page.get_by_role("heading", name="Selfie.people is read one by one").wait_for()
    assert 'relationshipKeyPathsForPrefetching = ["people"]' in page.locator("#findings").inner_text()
    assert clicks <= 3
    # And from the list, of one that was recorded earlier.
    page = picker.goto(picker.page(), "/")
    page.get_by_role("link", name="Instruments", exact=True).click()
    page.locator("tbody th a").first.click()
    page.get_by_role("heading", name="Selfie.people is read one by one").wait_for()
    picker.looks(page.url.removeprefix(picker.base))
    picker.looks("/recordings")


def test_runs_without_and_with_an_index_are_compared(picker):
    page = picker.page()
    for name in ("Photos without an index", "Photos with an index"):
        picker.goto(page, "/tests")
        page.get_by_role("button", name=name).press("Enter")
        page.get_by_role("heading", name="Times").wait_for()
    picker.goto(page, "/tests")
    for box in page.get_by_role("checkbox", name="Compare Photos").all():
        box.press("Space")
    page.get_by_role("button", name="Compare the ticked runs").press("Enter")
    page.get_by_role("heading", name="Comparison of runs").wait_for()
    assert page.locator("svg g").count() == 10
    address = page.url.removeprefix(picker.base)
    page.get_by_role("link", name="Statements").click()
    page.get_by_role("heading", name="Statements").wait_for()
    picker.looks(address)
    picker.looks("/tests")
    picker.goto(page, "/tests")
    page.locator("#runs tbody th a").first.click()
    picker.looks(page.url.removeprefix(picker.base))


def test_a_run_is_stopped_from_its_page(picker):
    page = picker.goto(picker.page(), "/tests")
    page.get_by_label("Sightings (1 to 200000)").fill("200000")
    page.locator("form[action='/tests/sightings/run']").get_by_role("button", name="Run").click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("It was stopped.").wait_for()
