"""The document of all routes: a valid one, and true of what the hub answers."""

import json
import time

import pytest
from openapi_spec_validator import validate

import brushing_blobs
import drums_blobs
from contract import Contract, Untrue
from hub import PICTURE, Hub, Problem, tandem
from live import Live
from schema_fixture import DEMO, legacy

YESTERDAY = int(time.time() * 1000) - 86_400_000
BYTES = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The sample household, with a month of brushing and drumming, and a garden of the original app."""
    hub = Hub(tmp_path_factory.mktemp("demo") / "data", command="demo", legacy=True).start(within=180)
    hub.sign_in(**DEMO)
    legacy(hub, "iPhone SE")
    yield hub
    hub.close()


@pytest.fixture(scope="module")
def contract(demo):
    return Contract(demo.get("/openapi.json"))


@pytest.fixture(scope="module")
def places(demo):
    """What stands for the names in paths."""
    people = demo.get("/api/people")
    child = next(person["id"] for person in people if person["role"] == "child")
    plant = demo.get("/api/plants")["plants"][0]["id"]
    return {"child": child, "plant": plant}


def asked(demo, places):
    """Every route that reads, with what it is asked for."""
    child, plant = places["child"], places["plant"]
    drummed = next(
        (one["id"] for person in demo.get("/api/people")
         for one in demo.get(f"/api/drums/sessions?person={person['id']}")["sessions"]), None)  # fmt: skip
    brushed = next(
        one["id"] for person in demo.get("/api/people")
        for day in demo.get(f"/api/brushing/people/{person['id']}/history")["days"] for one in day["sessions"])  # fmt: skip
    device = demo.get("/api/devices")[0]["id"]
    fact = demo.get(f"/api/toy/people/{child}/history")["plays"][0]["fact"]["id"]
    adult = next(one["id"] for one in demo.get("/api/people") if one["role"] == "adult")
    toy = demo.get("/api/toy/toys")["toys"][0]["id"]
    recorded = f"/api/lab/recordings/{demo.get('/api/lab/recordings')['recordings'][0]['id']}"
    soil = demo.add_device("Soil").id
    pictured = demo.request("POST", f"/api/plants/{plant}/photos", PICTURE, BYTES)[1]["id"]
    return {
        "/api/plants/sensors/{device}/calibration": [f"/api/plants/sensors/{soil}/calibration"],
        "/api/plants/{id}/photos/{entry}": [f"/api/plants/{plant}/photos/{pictured}"],
        "/api/plants/{id}": [f"/api/plants/{plant}"],
        "/api/plants/{id}/chart": [f"/api/plants/{plant}/chart?span={span}" for span in ("day", "week", "month", "year", "decade")]
        + [f"/api/plants/{plant}/chart?quantity=temperature&against=before&end={1_700_000_000_000}"],
        "/api/plants/{id}/care": [f"/api/plants/{plant}/care"],
        "/api/plants/{id}/waterings": [f"/api/plants/{plant}/waterings"],
        "/api/devices/{id}": [f"/api/devices/{device}"],
        "/api/devices/{id}/lines": [f"/api/devices/{device}/lines"],
        "/api/brushing/people/{person}/history": [f"/api/brushing/people/{child}/history"],
        "/api/brushing/people/{person}/statistics": [
            f"/api/brushing/people/{child}/statistics?by={by}" for by in ("day", "week", "month", "year")
        ],
        "/api/brushing/sessions/{id}": [f"/api/brushing/sessions/{brushed}"],
        "/api/reminders/{id}/events": [f"/api/reminders/{child}/events"],
        "/api/drums/data": [
            f"/api/drums/data?person={child}&span={span}&against=before" for span in ("week", "month", "year")
        ],
        "/api/drums/report": [f"/api/drums/report?person={child}"],
        "/api/drums/days": [f"/api/drums/days?person={child}"],
        "/api/drums/sessions": [f"/api/drums/sessions?person={child}"],
        "/api/drums/sessions/{id}": [f"/api/drums/sessions/{drummed}"] if drummed else [],
        "/api/drums/sessions/{id}/after": [f"/api/drums/sessions/{drummed}/after"] if drummed else [],
        "/api/drums/people/{person}/goals": [f"/api/drums/people/{child}/goals"],
        "/api/drums/people/{person}/scores": [f"/api/drums/people/{child}/scores"],
        "/api/drums/people/{person}/scores/file": [f"/api/drums/people/{child}/scores/file"],
        "/api/drums/songs/{id}": ["/api/drums/songs/ode-to-joy"],
        "/api/drums/export": [f"/api/drums/export?person={child}&format={form}" for form in ("json", "csv", "plist")],
        "/api/toy/facts/{id}": [f"/api/toy/facts/{fact}"],
        "/api/toy/facts/{id}/context": [f"/api/toy/facts/{fact}/context"],
        # By day or by night: the child's quiet hours are none of the adult's.
        "/api/toy/people/{person}/next": [f"/api/toy/people/{one}/next" for one in (child, adult)],
        "/api/toy/people/{person}/history": [
            f"/api/toy/people/{child}/history", f"/api/toy/people/{child}/history?search=a",
        ],
        "/api/toy/people/{person}/settings": [f"/api/toy/people/{child}/settings"],
        "/api/toy/people/{person}/rules": [f"/api/toy/people/{child}/rules"],
        "/api/toy/people/{person}/week": [f"/api/toy/people/{child}/week", f"/api/toy/people/{child}/week?weeksAgo=3"],
        "/api/lab/recordings/{id}": [recorded],
        "/api/lab/recordings/{id}/chart": [f"{recorded}/chart?sensor=accelerometer"],
        "/api/lab/recordings/{id}/export": [f"{recorded}/export?format={form}" for form in ("csv", "json", "zip")],
        "/api/lab/experiments/{slug}": ["/api/lab/experiments/pendulum"],
        "/api/people/{id}/archive": [f"/api/people/{child}/archive"],
        # Nothing of these is there: the answer is a problem, and of the document too.
        "/api/people/{id}/archive/file": [],
        "/api/archive/file": [],
        "/api/drums/songs/{id}/audio": [],
        "/api/drums/active/{id}": [],
        "/api/brushing/active/{id}": [],
        "/api/lab/classes/{id}": [],
        "/api/lab/classes/{id}/curves": [],
        "/api/lab/classes/{id}/export": [],
        "/api/lab/phones/{id}/altitude": [],
        # For guests of a class, who have no account.
        "/api/lab/guest": [],
        "/api/lab/guest/clock": [],
        "/api/toy/messages/{id}/audio": [],
        "/api/toy/toys/{id}/speech": [f"/api/toy/toys/{toy}/speech"],
        "/api/toy/speech/{id}": [],
        "/api/lab/active/{id}": [],
        "/calendar/{token}.ics": [],
        "/authority.crt": [],
        "/authority.pem": [],
        "/authority.mobileconfig": [],
    }


def test_the_document_is_valid_openapi(contract):
    validate(contract.document)


def test_the_command_writes_the_document_without_a_hub(contract):
    assert json.loads(tandem("openapi").stdout) == contract.document


def test_every_route_that_reads_answers_what_the_document_says(demo, contract, places):
    paths = asked(demo, places)
    for _, route in sorted(contract.routes("GET")):
        assert "{" not in route or route in paths, f"say what {route} is asked for"
        for path in paths.get(route, [route]):
            contract.check("GET", path, demo.request("GET", path))


@pytest.mark.parametrize("path", ["/api/plants/nobody", "/api/drums/active/nobody", "/calendar/nobody.ics"])
def test_what_is_refused_is_a_problem_of_the_document(demo, contract, path):
    with pytest.raises(Problem) as refused:
        demo.get(path)
    contract.validate(refused.value.body, {"$ref": "#/components/schemas/Hub.Problem.Details"})


def test_what_is_changed_answers_what_the_document_says(demo, contract, places):
    child, plant = places["child"], places["plant"]

    def ask(method, path, body=None, headers=None):
        return contract.check(method, path, demo.request(method, path, body, headers))

    watering = ask("POST", f"/api/plants/{plant}/waterings", {})
    ask("DELETE", f"/api/plants/{plant}/waterings/{watering['id']}")
    ask("POST", f"/api/plants/{plant}/waterings/{watering['id']}/restore", {})
    new = ask("POST", "/api/plants", {"name": "Contract mint", "virtual": True})
    ask("PATCH", f"/api/plants/{new['id']}", {"place": "Kitchen"})
    ask("POST", "/api/plants/update", {})
    ask("DELETE", f"/api/plants/{new['id']}")
    ask("POST", "/api/plants/legacy/iPhone%20SE/adopt")

    added = ask("POST", "/api/devices", {"kind": "plant-sensor", "name": "Sill"})
    ask("PATCH", f"/api/devices/{added['id']}", {"name": "Shelf"})
    ask("POST", f"/api/devices/{added['id']}/token")
    ask("DELETE", f"/api/devices/{added['id']}")

    person = ask("POST", "/api/people", {"name": "Juna", "birthYear": 2019})
    ask("PATCH", f"/api/people/{person['id']}", {"face": None})
    ask("DELETE", f"/api/people/{person['id']}")
    invitation = ask("POST", "/api/invitations")
    ask("POST", "/api/invitations/check", {"code": invitation["code"]})
    feed = ask("POST", "/api/calendar-feeds", {})
    contract.check("GET", f"/calendar/{feed['id']}.ics", demo.request("GET", feed["url"].replace(demo.url, "")))

    routine = f"/api/brushing/people/{child}"
    ask("PUT", f"{routine}/settings", {"cues": {"sound": False}, "isChildMode": None})
    ask("POST", f"{routine}/appointments", {"title": "Dentist", "day": time.strftime("%Y-%m-%d"), "minute": 900})
    ask("PUT", f"{routine}/brush-head", {"weeks": 10})
    ask("POST", "/api/brushing/sessions", brushing_blobs.session(child, YESTERDAY), BYTES)

    practice = f"/api/drums/people/{child}"
    ask("PUT", f"{practice}/settings", {"mode": "flow", "affectedSide": "left", "device": None})
    ask("PUT", f"{practice}/latency/screen", {"tenths": 500, "lowerTenths": 400, "upperTenths": 600, "taps": 12})
    ask("PUT", f"{practice}/plan", {"setBy": "Dr Weiss", "minutesPerWeek": 60})
    played = drums_blobs.session(child, YESTERDAY)
    ask("POST", "/api/drums/sessions", played, BYTES)
    ask("POST", "/api/drums/sessions", played, BYTES)
    ask("GET", "/api/drums")
    ask("GET", f"/api/drums/data?person={child}")

    listener = f"/api/toy/people/{child}"
    ask("PUT", f"{listener}/rules", {"hasQuietHours": False, "hasDailyLimit": False})  # of the sample, in its evenings
    fact = ask("GET", f"{listener}/next")["fact"]["id"]
    ask("POST", f"{listener}/plays", {"fact": fact, "ending": "finished"})
    ask("PUT", f"/api/toy/facts/{fact}/vote", {"vote": 1})
    ask("PUT", f"{listener}/settings", {"language": "en"})
    ask("PUT", f"{listener}/rules", {"dailyLimit": 12})
    ask("POST", "/api/toy/imports?format=csv", b"text\nThe hub has a fact of its own.\n,\n", BYTES)

    ask("PUT", f"/api/reminders/brushing/evening/{child}", {"isOn": True, "minute": 1200})
    ask("GET", "/api/reminders")
    ask("PUT", f"/api/reminders/{child}/rules", {"isQuiet": True, "quietFrom": 1260, "quietUntil": 420})
    ask("PUT", "/api/household/setup-step", {"step": "done"})


def test_what_the_live_socket_says_is_of_the_document(demo, contract, places):
    with Live(demo) as live:
        demo.post(f"/api/plants/{places['plant']}/waterings", {"at": YESTERDAY})
        contract.socket(live.until(lambda frame: frame["type"] == "changed"))
        live.socket.send(json.dumps({"type": "attach", "device": "nobody"}))
        contract.socket(live.until(lambda frame: frame["type"] == "refused"))
    contract.socket({"type": "attach", "device": "a"}, "page")


def test_the_check_finds_a_field_that_is_missing_and_one_that_nobody_said(demo, contract):
    status, body, headers = demo.request("GET", "/api/drums")
    for person in body["people"]:
        del person["name"]
    with pytest.raises(Untrue):
        contract.check("GET", "/api/drums", (status, body, headers))
    status, body, headers = demo.request("GET", "/api/drums")
    body["lastAt"] = 1
    with pytest.raises(Untrue):
        contract.check("GET", "/api/drums", (status, body, headers))
