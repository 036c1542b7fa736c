"""A program that listens, looked into in a browser."""

import os
import subprocess

import pytest
from conftest import PATIENCE, programs, wait_until


@pytest.fixture
def program(tmp_path):
    """A program that listens. It saves for longer than any test takes."""
    program = subprocess.Popen(
        [programs() / "MultiThread", "--count", "100000000", "--store", tmp_path / "saves.sqlite", "--listen"],
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield program
    program.kill()
    program.wait()


def pause(page):
    """Waits for events, and keeps the page as it is while it is looked at, or a part of its tree is pressed."""
    page.locator("#running-events tr").first.wait_for()
    page.get_by_role("button", name="Pause").click()


def test_a_program_is_looked_into(studio, program, tmp_path):
    running = studio(XDG_CACHE_HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path))
    page = running.page()
    listed = page.get_by_role("link", name="MultiThread")
    wait_until(page, "the program", lambda: running.goto(page, "/running") and listed.count())
    running.looks("/running")
    listed.click()
    # Saves come as they happen.
    page.locator("#running-events .kind.save").first.wait_for()
    page.locator(".node.store").first.wait_for()
    running.looks(f"/running/{program.pid}", check=pause)
    # The tree is made anew every two seconds. On a busy machine each is gone before its link can be pressed.
    pause(page)
    # The page of a context that is busy, as those that save are, leaves out what it has registered.
    page.locator(".node.context", has_text="main queue").locator("a").first.click()
    page.get_by_role("heading", name="Registered objects").wait_for()
    running.looks(page.url.removeprefix(running.base))
    running.goto(page, f"/running/{program.pid}")
    pause(page)
    page.get_by_role("button", name="Record", exact=True).click()
    page.get_by_text("being recorded").wait_for()
    page.get_by_role("button", name="Stop the recording").click()
    page.get_by_text("until it was stopped").wait_for()
    running.goto(page, f"/running/{program.pid}")
    program.kill()
    page.get_by_text("The program has ended").wait_for()


def test_the_studio_ends_while_pages_listen(studio, program, tmp_path):
    running = studio("--programs", programs(), XDG_CACHE_HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path))
    page = running.page()
    listed = page.get_by_role("link", name="MultiThread")
    wait_until(page, "the program", lambda: running.goto(page, "/running") and listed.count())
    listed.click()
    page.locator("#running-events tr").first.wait_for()
    # A job's page listens, too.
    job = running.goto(running.page(), "/tests")
    job.get_by_label("Sightings (1 to 200000)").fill("200000")
    job.locator("form[action='/tests/sightings/run']").get_by_role("button", name="Run").click()
    job.get_by_role("button", name="Stop").wait_for()
    running.process.terminate()
    assert running.process.wait(PATIENCE) == 0
