"""Values changed, objects made and deleted, in a browser."""

import sqlite3

STORE = "/stores/ufo.sqlite"
OBJECT = f"{STORE}/objects/Sighting/p1"


def places(store):
    with sqlite3.connect(store) as database:
        return dict(database.execute("SELECT Z_PK, ZPLACE FROM ZSIGHTING"))


def test_the_pages_in_every_look(studio, sightings):
    running = studio(sightings, "--write")
    running.looks(f"{OBJECT}/edit")
    running.looks(f"{OBJECT}/delete")
    running.looks(f"{STORE}/entities/Sighting/new")
    running.looks(f"{STORE}/changes")
    page = running.goto(running.page(), f"{OBJECT}/edit")
    page.get_by_label("place", exact=False).first.fill("Elsewhere")
    page.get_by_role("button", name="Apply").click()
    running.looks(f"{STORE}/changes")


def test_a_value_is_changed_undone_made_again_and_saved(studio, sightings):
    store = sightings
    before = places(store)
    running = studio(store, "--write")
    page = running.goto(running.page(), OBJECT)
    page.get_by_role("link", name="Edit").first.click()
    page.locator("[name='v:place']").fill("Elsewhere")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("status").get_by_text("not saved yet").wait_for()
    assert places(store) == before
    page.get_by_role("link", name="1 unsaved").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("There are no unsaved changes").wait_for()
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("status").get_by_text("Saved, in one transaction").wait_for()
    assert places(store) == {**before, 1: "Elsewhere"}
    running.goto(page, OBJECT)
    page.get_by_text("Elsewhere", exact=True).first.wait_for()


def test_a_mistake_stands_beside_its_field_with_what_was_typed(studio, sightings):
    store = sightings
    before = places(store)
    running = studio(store, "--write")
    page = running.goto(running.page(), f"{OBJECT}/edit")
    page.locator("[name='v:place']").fill("Elsewhere")
    page.locator("[name='v:duration']").fill("long")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("alert").wait_for()
    field = page.locator("[name='v:duration']")
    assert field.get_attribute("aria-invalid") == "true" and field.input_value() == "long"
    assert page.locator(f"#{field.get_attribute('id')}-problem").inner_text() != ""
    assert page.locator("[name='v:place']").input_value() == "Elsewhere"
    assert places(store) == before


def test_with_the_keyboard_alone(studio, sightings):
    store = sightings
    running = studio(store, "--write")
    page = running.goto(running.page(), f"{OBJECT}/edit")

    def to(condition):
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate(f"() => {{ const here = document.activeElement; return {condition}; }}"):
                return
        raise AssertionError(f"Tab does not lead to where {condition}")

    to("here.name === 'v:place'")
    page.keyboard.press("Control+A")
    page.keyboard.type("By keys")
    to("here.tagName === 'BUTTON' && here.textContent === 'Apply'")
    page.keyboard.press("Enter")
    page.get_by_role("status").wait_for()
    to("here.textContent === '1 unsaved'")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Unsaved changes").wait_for()
    to("here.tagName === 'BUTTON' && here.textContent.startsWith('Save')")
    page.keyboard.press("Enter")
    page.get_by_text("Saved, in one transaction").wait_for()
    assert places(store)[1] == "By keys"


def test_what_a_deletion_takes_along_is_shown_first(studio, sightings):
    store = sightings
    running = studio(store, "--write")
    page = running.goto(running.page(), f"{OBJECT}/edit")
    page.get_by_role("link", name="Delete", exact=True).click()
    page.get_by_role("heading", name="Delete Sighting/p1").wait_for()
    page.get_by_role("button", name="Delete").click()
    page.goto(running.base + f"{STORE}/changes")
    assert 1 in places(store)
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved, in one transaction").wait_for()
    assert 1 not in places(store)


def test_another_programs_version_is_shown_and_one_is_chosen(studio, sightings):
    store = sightings
    running = studio(store, "--write")
    page = running.goto(running.page(), f"{OBJECT}/edit")
    page.locator("[name='v:place']").fill("Mine")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("status").wait_for()
    with sqlite3.connect(store) as database:
        database.execute("UPDATE ZSIGHTING SET ZPLACE = 'Theirs', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
    database.close()
    running.goto(page, f"{STORE}/changes")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Conflict").wait_for()
    assert places(store)[1] == "Theirs"
    running.looks(f"{STORE}/changes/conflict")
    page.get_by_label("place: mine, Mine").check()
    for contested in page.locator("input[type=radio][value=mine]").all():
        contested.check()
    page.get_by_role("button", name="Save what is chosen").click()
    page.get_by_text("Saved, in one transaction").wait_for()
    assert places(store)[1] == "Mine"


def test_without_write_nothing_leads_to_a_form(studio, sightings):
    running = studio(sightings)
    page = running.goto(running.page(), OBJECT)
    assert page.get_by_role("link", name="Edit").count() == 0
    running.goto(page, f"{OBJECT}/edit", 403)
