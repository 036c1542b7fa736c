"""The pages of models, of two versions side by side, and of migrations, in a browser."""

import shutil
import urllib.parse

import pytest
from conftest import CORPUS, ROOT, axe, fits


def corpus_model(name):
    """The path of a model of the corpus; skips the test without it."""
    path = CORPUS / "models" / name
    if not path.exists():
        pytest.skip(f"there is no model {path}")
    return path


def next_version(folder):
    """The model of the sightings with an attribute more, in a folder of its own."""
    source = ROOT / "Examples/UFOSightings/UFOSightings.xcdatamodeld"
    model = folder / "Sightings.xcdatamodel"
    model.mkdir()
    text = (source / "UFOSightings.xcdatamodel/contents").read_text()
    place = text.index(">", text.index('<entity name="Sighting"')) + 1
    added = '<attribute name="credibility" attributeType="Integer 32" defaultValueString="5"/>'
    (model / "contents").write_text(text[:place] + added + text[place:])
    return model


def has_dot():
    return shutil.which("dot") is not None


@pytest.mark.parametrize("name", ["3Squared__PeakCoreData__001.xcdatamodel", "HalloAppInc__halloapp-ios-pub__001.xcdatamodel"])
def test_a_model_is_a_graph_and_words(studio, name):
    running = studio(corpus_model(name))

    def check(page):
        if has_dot():
            page.locator("svg.model-graph").wait_for()
            # Each entity is a link with a name, and its text stays in its box.
            wrong = page.evaluate(
                """() => [...document.querySelectorAll("svg.model-graph a.entity")].flatMap((entity) => {
                  const box = entity.querySelector("rect.box").getBBox();
                  return [...entity.querySelectorAll("text")]
                    .filter((text) => text.getBBox().x + text.getBBox().width > box.x + box.width + 1)
                    .map((text) => text.textContent);
                })"""
            )
            assert not wrong, wrong

    running.looks(f"/models/{name}", check=check)
    running.looks("/models")


def test_an_entity_of_the_graph_leads_to_its_words_by_keyboard(studio):
    if not has_dot():
        pytest.skip("Graphviz is not installed")
    name = "3Squared__PeakCoreData__001.xcdatamodel"
    running = studio(corpus_model(name))
    page = running.page()
    running.goto(page, f"/models/{name}")
    page.get_by_role("link", name="Entity Person").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#entity-*")
    page.get_by_role("heading", name="Person", exact=True).wait_for()


def test_two_versions_side_by_side(studio):
    first, second = "HalloAppInc__halloapp-ios-pub__001.xcdatamodel", "HalloAppInc__halloapp-ios-pub__002.xcdatamodel"
    running = studio(corpus_model(first), corpus_model(second))
    page = running.page()
    running.goto(page, "/models")
    # The second version is chosen as the newer one already.
    page.get_by_label("The older version").select_option(label=first.removesuffix(".xcdatamodel"))
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="What changed").wait_for()
    # They are models of two of the app's stores.
    page.get_by_text("No object would be taken along").wait_for()
    page.get_by_role("heading", name="What a migration does, step by step").wait_for()
    path = urllib.parse.urlsplit(page.url)
    running.looks(f"{path.path}?{path.query}")


def test_a_store_is_planned_rehearsed_and_migrated(studio, tmp_path, sightings):
    store, model = sightings, next_version(tmp_path)
    before = store.read_bytes()
    running = studio(store, model, "--write")
    base = f"/stores/{store.name}"
    running.looks(f"{base}/model")
    running.looks(f"{base}/migrate")
    page = running.page()
    running.goto(page, base)
    page.get_by_role("link", name="Migrate", exact=True).click()
    page.get_by_label("The version to migrate to").select_option(index=0)
    page.get_by_role("button", name="Show the plan").click()
    page.get_by_role("heading", name="The plan").wait_for()
    path = urllib.parse.urlsplit(page.url)
    running.looks(f"{path.path}?{path.query}")
    page.get_by_role("button", name="Rehearse").click()
    page.get_by_text("The rehearsal went well").wait_for()
    running.screenshot(page, "rehearsal")
    axe(page)
    fits(page)
    assert store.read_bytes() == before
    page.get_by_role("link", name="Migrate the store").click()
    page.get_by_role("heading", name=f"Migrate {store.name}?").wait_for()
    axe(page)
    running.screenshot(page, "confirm")
    page.get_by_role("button", name="Migrate the store").click()
    page.get_by_text("The store was migrated").wait_for()
    axe(page)
    page.get_by_role("link", name="To the store").click()
    page.get_by_role("heading", name=store.name).wait_for()
    assert store.with_name(f"{store.stem}-backup{store.suffix}").exists()
