"""Backups of a hub that runs, and the way back, by the commands that people type and on the page."""

import os
import re
import signal
import subprocess
import threading

from playwright.sync_api import expect

from hub import TANDEM, Hub, eventually, tandem
from mqtt import Client
from pages import PHONE, browser, new_page, sign_in  # noqa: F401


def backup(hub, file):
    return tandem("backup", file, "--data", hub.data).stdout


def restore(hub, file, check=True):
    return subprocess.run(
        [TANDEM, "restore", file, "--data", hub.data], capture_output=True, text=True, check=check
    )


def test_what_was_backed_up_while_readings_came_is_there_after_the_restore(device, tmp_path):
    hub = device.hub
    file = tmp_path / "linden.backup"
    over = threading.Event()

    def measure():
        with Client.of(device) as sensor:
            number = 0
            while not over.is_set():
                sensor.publish(device.topic(), str(20 + number % 50))
                number += 1

    sensor = threading.Thread(target=measure)
    sensor.start()
    try:
        eventually(lambda: device.value() is not None, what="the first reading")
        assert "is whole" in backup(hub, file)
    finally:
        over.set()
        sensor.join()
    assert "is whole" in tandem("backup", "--check", file).stdout
    plant = hub.post("/api/people", {"name": "Somebody later"})["id"]
    said = restore(hub, file).stdout
    assert "lies ready" in said and "start it again" in said
    assert hub.request("GET", "/api/people")[0] == 200  # it runs on with what it has
    hub.kill()
    hub.start()
    assert plant not in [one["id"] for one in hub.get("/api/people")]
    assert device.id in [one["id"] for one in hub.get("/api/devices")]
    assert any(name.startswith("replaced-") for name in os.listdir(hub.data))


def test_a_backup_that_is_killed_leaves_no_half_of_one(device, tmp_path):
    file = tmp_path / "linden.backup"
    for delay in (0, 0.02, 0.05):
        process = subprocess.Popen([TANDEM, "backup", file, "--data", device.hub.data], stdout=subprocess.PIPE)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        if file.exists():
            assert "is whole" in tandem("backup", "--check", file).stdout
            file.unlink()
    assert "is whole" in backup(device.hub, file)


def test_a_file_that_is_no_backup_changes_nothing_and_is_told_why(tmp_path):
    data = tmp_path / "none"
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ines, this is a letter and not a backup, however long it is.")
    result = subprocess.run([TANDEM, "restore", file, "--data", data], capture_output=True, text=True)
    assert result.returncode == 1
    assert "is no backup of Tandem’s" in result.stderr and "Nothing was changed" in result.stderr
    assert not data.exists()


def test_a_stopped_hub_is_what_it_was_at_once(data, web, tmp_path):
    hub = Hub(data, web=web).start().signed_in()
    file = tmp_path / "linden.backup"
    backup(hub, file)
    hub.post("/api/people", {"name": "Somebody later"})
    hub.close()
    assert "is as it was on" in restore(hub, file).stdout
    hub = Hub(data, web=web).start()
    try:
        hub.sign_in()
        assert "Somebody later" not in [one["name"] for one in hub.get("/api/people")]
    finally:
        hub.close()


def test_the_page_makes_one_and_says_how_it_is_put_back(data, web, browser):  # noqa: F811
    hub = Hub(data, web=web).start().signed_in()
    page = new_page(hub, browser, (PHONE, "light"))
    try:
        sign_in(page)
        page.goto("/settings")
        section = page.get_by_role("region", name="Backups")
        expect(section.get_by_text("There is no backup yet.", exact=False)).to_be_visible()
        section.get_by_role("button", name="Back up now").click()
        expect(section.get_by_text("everything in one file")).to_be_visible()
        section.get_by_text("How to put one back").click()
        command = section.get_by_text(re.compile("^tandem restore "))
        expect(command).to_be_visible()
        file = command.inner_text().split()[2]
        assert "is whole" in tandem("backup", "--check", file).stdout
    finally:
        page.context.close()
        hub.close()
