"""A recording that a program is writing, in a browser."""

import os
import subprocess

from conftest import programs, wait_until


def test_a_running_program_is_followed(studio, tmp_path):
    folder = tmp_path / "recordings"
    folder.mkdir()
    running = studio(folder, XDG_CACHE_HOME=str(tmp_path))
    environment = {**os.environ, "COREDATA_INSTRUMENTS": str(folder / "saves.cdrec")}
    program = subprocess.Popen(
        [programs() / "MultiThread", "--count", "2000000", "--store", tmp_path / "saves.sqlite"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        page = running.page()
        listed = page.get_by_role("link", name="saves.cdrec")
        wait_until(page, "the recording", lambda: running.goto(page, "/recordings") and listed.count())
        page.get_by_text("being written").wait_for()
        page.get_by_role("link", name="saves.cdrec").click()
        figure = page.locator("[data-figure='saves']")
        before = int(figure.get_attribute("data-value"))
        wait_until(page, "more saves", lambda: int(figure.get_attribute("data-value")) > before)
        page.get_by_role("button", name="Pause").press("Enter")
        page.get_by_text("Paused.").wait_for()
        page.get_by_role("button", name="Pause").press("Enter")
        page.get_by_text("the page follows").wait_for()
    finally:
        program.kill()
        program.wait()
    page.get_by_text("It is not written any more.").wait_for()
    page.get_by_text("the program was killed").wait_for()
    # The keyboard sorts tables.
    page.locator("#statements th button", has_text="Count").press("Enter")
    assert page.locator("#statements th[aria-sort=descending]").inner_text() == "Count"
    running.looks("/recordings/saves.cdrec")
