"""A program that listens, looked into in a browser."""

import os
import subprocess

from conftest import programs, wait_until


def test_a_program_is_looked_into(studio, tmp_path):
    running = studio(XDG_CACHE_HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path))
    program = subprocess.Popen(
        [programs() / "MultiThread", "--count", "2000000", "--store", tmp_path / "saves.sqlite", "--listen"],
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        page = running.page()
        listed = page.get_by_role("link", name="MultiThread")
        wait_until(page, "the program", lambda: running.goto(page, "/running") and listed.count())
        running.looks("/running")
        listed.click()
        # Saves come as they happen.
        page.locator("#running-events .kind.save").first.wait_for()
        page.locator(".node.store").first.wait_for()
        running.looks(f"/running/{program.pid}", check=lambda page: page.locator("#running-events tr").first.wait_for())
        page.locator(".node.context a").first.click()
        page.get_by_role("heading", name="Registered objects").wait_for()
        running.looks(page.url.removeprefix(running.base))
        running.goto(page, f"/running/{program.pid}")
        page.get_by_role("button", name="Record", exact=True).click()
        page.get_by_text("being recorded").wait_for()
        page.get_by_role("button", name="Stop the recording").click()
        page.get_by_text("until it was stopped").wait_for()
        running.goto(page, f"/running/{program.pid}")
    finally:
        program.kill()
        program.wait()
    page.get_by_text("The program has ended").wait_for()
