"""The table of an entity's objects, in a browser: typed into, sorted, scrolled, gone back from."""

import sqlite3
import subprocess

import pytest

from conftest import axe, fits, multiplied, wait_until

PATH = "/stores/ufo.sqlite/entities/Sighting"


@pytest.fixture
def running(studio, sightings):
    return studio(sightings)


def test_the_table_in_every_look(running):
    running.looks(PATH)
    running.looks(PATH + "?where=shape%20%3D%3D%20%22disk%22&sort=-duration&columns=place,shape,tokens.%40count")
    running.looks(PATH + "?where=shape%20%3D%3D%20%22none%22", check=lambda page: page.get_by_text("No object matches").wait_for())
    running.looks(PATH + "?where=shape%20%3D%3D", 400)


def test_mistakes_are_shown_while_one_types(running):
    page = running.goto(running.page(), PATH)
    field = page.get_by_label("Predicate")
    field.click()
    page.keyboard.type("shpe == 'disk'")
    caret = page.locator("#mistake pre")
    caret.wait_for()
    first, second = caret.inner_text().split("\n")[:2]
    # The caret is below the first letter of the name that there is not.
    assert first.index("shpe") == second.index("^")
    for _ in "shpe == 'disk'":
        page.keyboard.press("Backspace")
    page.keyboard.type("shape == 'disk'")
    caret.wait_for(state="detached")
    axe(page)


def test_completion_by_keyboard_alone(running):
    page = running.goto(running.page(), PATH)
    field = page.get_by_label("Predicate")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "where":
            break
    page.keyboard.type("dur")
    page.get_by_role("option").filter(has_text="duration").first.wait_for()
    axe(page)
    page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == "suggestion-0"
    page.keyboard.press("Enter")
    assert field.input_value().strip() == "duration"
    page.keyboard.type("> 6")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_url("**where=*")
    assert page.get_by_label("Predicate").input_value() == "duration > 6"
    # With the keyboard, the table scrolls.
    grid = page.get_by_role("region", name="Objects of Sighting")
    grid.focus()
    page.keyboard.press("End")
    page.locator("tr[aria-rowindex='100']").wait_for()
    wait_until(page, "the table to scroll", lambda: page.evaluate("document.querySelector('.grid').scrollTop") > 0)


def test_sorting_and_going_back(running):
    page = running.goto(running.page(), PATH)
    page.locator("thead").get_by_role("link", name="duration").click()
    page.wait_for_url("**sort=duration*")
    page.locator("th[aria-sort=ascending]").wait_for()
    page.locator("thead").get_by_role("link", name="duration").click()
    page.locator("th[aria-sort=descending]").wait_for()
    page.reload()
    page.locator("th[aria-sort=descending]").wait_for()
    page.go_back()
    page.locator("th[aria-sort=ascending]").wait_for()
    page.go_back()
    assert page.locator("th[aria-sort]").count() == 0


def test_columns_are_chosen(running):
    page = running.goto(running.page(), PATH)
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("button", name="tokens.@count").click()
    page.get_by_role("button", name="shape").click()
    axe(page)
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url("**columns=*")
    assert page.locator("thead th").all_inner_texts() == ["Object", "tokens.@count", "shape"]


def test_a_long_table_scrolls_to_any_place_and_the_address_tells_it(studio, sightings):
    running = studio(multiplied(sightings, 300_000))
    page = running.goto(running.page(), PATH)
    page.evaluate("() => { const grid = document.querySelector('.grid'); grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2; }")
    page.wait_for_url("**from=*")
    place = int(page.url.split("from=")[1])
    assert abs(place - 150_000) < 1_000
    page.locator(f"tr[aria-rowindex='{place + 1}']").wait_for()
    page.reload()
    page.locator(f"tr[aria-rowindex='{place + 1}']").wait_for()
    assert str(place + 1) in page.locator("#range").inner_text().replace(",", "")
    page.get_by_role("region", name="Objects of Sighting").focus()
    page.keyboard.press("End")
    page.locator("tr[aria-rowindex='300000']").wait_for()
    page.keyboard.press("Home")
    page.locator("tr[aria-rowindex='1']").wait_for()


def test_from_a_slow_predicate_to_the_index_it_lacks_in_three_clicks(running):
    page = running.goto(running.page(), PATH + "?where=duration%20%3D%3D%2077")
    clicks = 0
    for role, name in [("link", "What the database does"), ("button", "What would this index do?")]:
        page.get_by_role(role, name=name).click()
        clicks += 1
    page.get_by_text("this was tried in a copy").wait_for()
    assert clicks <= 3
    axe(page)
    fits(page)


@pytest.fixture
def small_disk(tmp_path):
    """A folder for 256 kB, in memory."""
    folder = tmp_path / "small"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_an_index_that_finds_no_room_to_be_tried_is_told(studio, sightings, small_disk):
    running = studio(sightings, TMPDIR=str(small_disk))
    page = running.goto(running.page(), PATH + "/explain?where=duration%20%3D%3D%2077")
    page.get_by_role("button", name="What would this index do?").click()
    page.get_by_text("cannot be copied to a temporary folder").wait_for()
    # The copy is gone, and the studio goes on.
    assert not list(small_disk.iterdir())
    running.goto(page, PATH)
    page.get_by_text("5,000 objects").wait_for()


def test_the_explanation_in_every_look(running):
    running.looks(PATH + "/explain?where=duration%20%3D%3D%2077")
    running.looks(PATH + "/explain?where=identifier%20%3D%3D%20%22x%22")


HOSTILE = [
    "<script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "\"'><svg onload=window.ran=1>",
    "javascript:window.ran=1",
    "\u202egnp.exe\u2066",
    "a\x01\x7f\ufffe",
    "{{token}}{{{html}}}",
    "long" * 20_000,
    "</td></tr></table></main><h1>no</h1>",
]


def test_hostile_values_are_shown_and_do_nothing(studio, sightings):
    store = sightings
    with sqlite3.connect(store) as database:
        for key, text in enumerate(HOSTILE, 1):
            database.execute("UPDATE ZSIGHTING SET ZPLACE = ?, ZSHAPE = ? WHERE Z_PK = ?", (text, text, key))
    database.close()
    # A file's name is as hostile as a value.
    store = store.rename(store.with_name("<img src=x onerror='window.ran=1'>\"&.sqlite"))
    running = studio(store)
    base = running.page().url.removeprefix(running.base)
    pages = [base, f"{base}/entities", f"{base}/entities/Sighting"]
    pages += [f"{base}/objects/Sighting/p{key}" for key in range(1, len(HOSTILE) + 1)]
    for scheme, width in [("light", 1280), ("dark", 400)]:
        page = running.page(scheme, width)
        for path in pages:
            running.goto(page, path)
            assert page.evaluate("window.ran") is None, path
            assert page.locator("main img, main script, h1 >> text=no").count() == 0, path
            fits(page)
            axe(page)
    page = running.goto(running.page(), f"{base}/entities/Sighting")
    # As text, letter by letter.
    assert HOSTILE[0] in page.locator("tbody").inner_text()
