"""All that a household has, out of one hub by the page and by the command, and into an empty one by the command."""

import re

from playwright.sync_api import expect

from contract import Contract
from hub import EMAIL, PASSWORD, TANDEM, Hub, tandem
from mqtt import Client
from pages import PHONE, add_plant, browser, new_page, sign_in  # noqa: F401


def household(hub, device):
    """What somebody would look for."""
    return {
        "people": hub.get("/api/people"),
        "device": {key: device(hub)[key] for key in ("id", "name", "kind", "createdAt", "series")},
        "plants": [(one["id"], one["name"], one["moisture"]) for one in hub.get("/api/plants")["plants"]],
        "readings": sorted((one["series"], one["at"], one["value"]) for one in hub.export(device(hub)["id"])),
    }


def test_all_goes_from_the_page_and_by_the_command_into_an_empty_hub(data, web, browser, tmp_path):  # noqa: F811
    hub = Hub(data, web=web).start().signed_in()
    sensor = hub.add_device()
    hub.post("/api/people", {"name": "Juna", "birthYear": 2019})
    add_plant(hub, sensors=[sensor.id])
    with Client.of(sensor) as client:
        client.publish(sensor.topic("readings"), '{"moisture": 41.5, "temperature": 21.25}')
        client.publish(sensor.topic(), '{"value": 40.25, "at": 1795220639132}')
    before = household(hub, lambda hub: hub.get(f"/api/devices/{sensor.id}"))
    page = new_page(hub, browser, (PHONE, "light"))
    downloaded, commanded = tmp_path / "page.zip", tmp_path / "command.zip"
    try:
        sign_in(page, "/settings")
        section = page.get_by_role("region", name="Take everything with you")
        section.get_by_role("button", name="Make the file").click()
        with page.expect_download() as download:
            section.get_by_role("link", name="Download").click()
        download.value.save_as(downloaded)
        Contract(hub.get("/openapi.json")).check("GET", "/api/archive", hub.request("GET", "/api/archive"))
        assert "is whole" in tandem("export", "everything", commanded, "--data", hub.data).stdout
    finally:
        page.context.close()
        hub.close()
    for number, archive in enumerate((downloaded, commanded)):
        home = tmp_path / f"home{number}"
        assert "3 readings" in tandem("import", "everything", archive, "--data", home).stdout
        code = re.search(r"\b[A-Z0-9]{4}(?:-[A-Z0-9]{4}){2}\b", tandem("user", "reset", EMAIL, "--data", home).stdout)
        moved = Hub(home).start()
        try:
            moved.post("/api/password-reset", {"code": code[0], "password": PASSWORD})
            moved.sign_in()
            assert household(moved, lambda hub: hub.get(f"/api/devices/{sensor.id}")) == before
        finally:
            moved.close()
    # A hub that somebody lives in is no empty one.
    again = tandem("import", "everything", commanded, "--data", home, check=False)
    assert again.returncode == 1 and "has a household already" in again.stderr
