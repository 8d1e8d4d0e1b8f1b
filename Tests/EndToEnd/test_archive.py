"""All that a household has, out of one hub by the page and by the command, and into an empty one by the command."""

import re
import time
import zipfile

from fhir.resources.R4B.bundle import Bundle
from fhir.resources.R4B.careplan import CarePlan
from fhir.resources.R4B.observation import Observation
from fhir.resources.R4B.patient import Patient
from playwright.sync_api import expect

import brushing_blobs
import drums_blobs
from contract import Contract
from hub import EMAIL, PASSWORD, TANDEM, Hub, tandem
from mqtt import Client
from pages import PHONE, add_plant, assert_nothing_overflows, browser, new_page, sign_in  # noqa: F401

BYTES = {"Content-Type": "application/octet-stream"}
DAY = 86_400_000  # milliseconds


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


def practice(hub, child):
    """A brushing, a practice, a plan and a clinic's score of one child."""
    now = int(time.time() * 1000)
    brushing_blobs.deliver(hub, child, now - DAY)
    hub.request("POST", "/api/drums/sessions", drums_blobs.session(child, now - DAY, 6), BYTES)
    hub.post(f"/api/drums/people/{child}/scores", {"measure": "boxAndBlock", "day": "2026-11-20", "side": "right", "value": 42})
    plan = {"setBy": "Dr. Kaya", "minutesPerWeek": 60, "drums": [True] * 4, "songs": [], "isOnlySongs": False, "beats": 10}
    assert hub.request("PUT", f"/api/drums/people/{child}/plan", plan)[0] < 300


def test_what_is_kept_of_one_person_is_downloaded_and_read_by_a_program_for_health_records(data, web, browser, tmp_path):  # noqa: F811
    """The bundle is read by the package fhir.resources, which refuses what FHIR R4 does not know or misses."""
    hub = Hub(data, web=web).start().signed_in()
    juna, mila = (hub.post("/api/people", {"name": name, "birthYear": 2018})["id"] for name in ("Juna", "Mila"))
    practice(hub, juna)
    brushing_blobs.deliver(hub, mila, int(time.time() * 1000) - DAY)
    page = new_page(hub, browser, (PHONE, "light"))
    downloaded, commanded = tmp_path / "page.zip", tmp_path / "command.zip"
    try:
        sign_in(page, "/settings")
        page.get_by_role("button", name=re.compile("^Juna")).click()
        page.get_by_role("button", name="Download what is kept").click()
        sheet = page.get_by_role("dialog", name="What is kept of Juna")
        sheet.get_by_role("button", name="Make the file").click()
        with page.expect_download() as download:
            sheet.get_by_role("link", name="Download").click()
        download.value.save_as(downloaded)
        assert_nothing_overflows(page)
        assert "rows of Juna" in tandem("export", "person", "Juna", commanded, "--data", hub.data).stdout
        unknown = tandem("export", "person", "Nobody", tmp_path / "no.zip", "--data", hub.data, check=False)
        assert unknown.returncode == 1 and "Nobody here is called Nobody" in unknown.stderr
    finally:
        page.context.close()
        hub.close()
    for archive in (downloaded, commanded):
        with zipfile.ZipFile(archive) as files:
            assert not any(mila.encode() in files.read(name) for name in files.namelist())
            bundle = Bundle.model_validate_json(files.read("fhir.json"))
        found = [entry.resource for entry in bundle.entry]
        titles = sorted(one.code.text for one in found if isinstance(one, Observation))
        assert titles == ["Box and Block Test", "Practice with the drums", "Tooth brushing"]
        [brushed] = [one for one in found if isinstance(one, Observation) and one.code.text == "Tooth brushing"]
        seconds = {part.code.text: float(part.valueQuantity.value) for part in brushed.component if part.valueQuantity}
        assert (seconds["Brushed"], seconds["Flossed"], seconds["Rinsed"]) == (120, 60, 30)  # as the routine has them
        [plan] = [one for one in found if isinstance(one, CarePlan)]
        assert plan.author.display == "Dr. Kaya" and plan.status == "active"
        references = {one.subject.reference for one in found if hasattr(one, "subject")}
        assert references == {entry.fullUrl for entry in bundle.entry if isinstance(entry.resource, Patient)}
