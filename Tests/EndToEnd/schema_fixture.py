"""Makes a fixture of the database as today's build writes it: one for each release that has changed the schema, for ever.

    .venv/bin/python Tests/EndToEnd/schema_fixture.py Tests/EndToEnd/schemas/<version>.sqlite.gz

A sample household with months of history, and a row of what a sample household lacks; thinned out, since the format is
what counts and not the amount. It says which tables have no row.
"""

import gzip
import pathlib
import secrets
import sqlite3
import sys
import tempfile
import time

import paho.mqtt.client as paho

import drums_blobs
from hub import PICTURE, Hub, Problem, eventually, tandem
from passkey import Passkey
from push_service import Phone

DEMO = {"email": "demo@tandem.local", "password": "tandem-demo"}
DAY = 86_400_000
BYTES = {"Content-Type": "application/octet-stream"}
SESSIONS = 20  # of each companion
BLOCKS = 6  # of sealed readings
SONG = """title: Quick
composer: Nobody
year: 1780
source: Made to be stored. Nobody has a right in it.
meter: 4/4
tempo: 150

| C4 E4 G4 E4 | C4 D4 E4 F4 | G4/1 |
"""


def fill(hub):
    """What the sample household has none of, through the hub's own interfaces."""
    hub.sign_in(**DEMO)
    people = hub.get("/api/people")
    child = next(person for person in people if person["role"] == "child")
    for client in ("iPhone SE", "iPad"):
        legacy(hub, client)
    device = hub.add_device("A sensor that speaks")
    keep_a_session(hub, device)
    accounts(hub, child)
    plants(hub, device)
    drums(hub, child["id"])
    toy(hub, child["id"])
    lab(hub)


def accounts(hub, child):
    hub.post("/api/invitations")
    hub.request("PATCH", f"/api/people/{child['id']}", {"timeZone": "Europe/Vienna"})
    hub.request(
        "POST", "/api/people", {"name": "Juna", "birthYear": 2019}, {"Idempotency-Key": '"a-key-of-the-fixture"'}
    )
    hub.put("/api/household/companions", {"slugs": ["plants", "brushing", "drums", "toy", "lab"]})
    tandem("integration", "add", "--data", hub.data, "--name", "Bridge", "--filter", "tandem/+/moisture")
    hub.post("/api/calendar-feeds", {"people": [child["id"]]})
    hub.post("/api/push/subscriptions", Phone().offer([child["id"]]))
    hub.put(f"/api/reminders/{child['id']}/rules", {"isQuiet": True, "quietFrom": 1260, "quietUntil": 420})
    made = Passkey(f"http://localhost:{hub.port}")
    here = {"Host": f"localhost:{hub.port}"}
    options = hub.request("POST", "/api/passkeys/challenge", {"password": DEMO["password"]}, here)[1]
    hub.request("POST", "/api/passkeys", {"name": "A phone", "credential": made.made(options)}, here)
    tandem("user", "reset", DEMO["email"], "--data", hub.data)
    try:
        hub.request("POST", "/api/session", {"email": DEMO["email"], "password": "not this one"})
    except Problem:
        pass  # a wrong password is written down


def plants(hub, device):
    plant = hub.get("/api/plants")["plants"][0]["id"]
    hub.post(f"/api/plants/{plant}/care", {"what": "repotted"})
    hub.request("POST", f"/api/plants/{plant}/photos", PICTURE, BYTES)
    hub.put(f"/api/plants/sensors/{device.id}/calibration", {"dry": 12, "wet": 88})


def drums(hub, child):
    person = f"/api/drums/people/{child}"
    hub.request("POST", "/api/drums/songs?name=song.txt", SONG.encode(), {"Content-Type": "text/plain"})
    hub.put(f"{person}/latency/screen", {"tenths": 500, "lowerTenths": 400, "upperTenths": 600, "taps": 12})
    hub.post(f"{person}/goals", {"text": "Cut my own bread"})
    hub.post(f"{person}/scores", {"measure": "boxAndBlock", "day": "2026-11-20", "side": "right", "value": 42})
    now, session = int(time.time() * 1000), secrets.token_bytes(16)
    hub.put(f"/api/drums/sessions/{session.hex()}/reports/before", {"person": child, "at": now, "effort": 2, "pain": 0})
    # One that goes on.
    recorded = drums_blobs.session(
        child, now - 60_000, 3, isFinished=False, identifier=session
    )
    hub.request("PATCH", f"/api/drums/active/{session.hex()}", recorded, BYTES | {"Upload-Offset": "0"})
    # One that two devices went on with.
    twice = secrets.token_bytes(16)
    apart = [(drums_blobs.OPENED, 3 * drums_blobs.BEAT, (now - DAY + 60_000).to_bytes(8, "little"))]
    for answered, more in ((3, [*apart, *drums_blobs.beat(3, due=30_000_000)]), (6, ())):
        hub.request(
            "POST", "/api/drums/sessions",
            drums_blobs.session(child, now - DAY, answered, isFinished=not more, identifier=twice, more=more), BYTES,
        )  # fmt: skip


def toy(hub, child):
    hub.put(f"/api/toy/people/{child}/settings", {"language": "en"})
    hub.post("/api/toy/pairing", {"name": "Owl"})


def lab(hub):
    recordings = hub.get("/api/lab/recordings")["recordings"]
    path = f"/api/lab/recordings/{recordings[0]['id']}"
    hub.request("PATCH", path, {"name": "Long pendulum"})
    start = hub.get(path)["streams"][0]["firstMicroseconds"]
    hub.post(f"{path}/annotations", {"atMicroseconds": start, "text": "a gust"})
    hub.request("DELETE", f"/api/lab/recordings/{recordings[-1]['id']}")
    hub.put("/api/lab/experiments/swing", {
        "tandemExperiment": 1, "slug": "swing", "title": "Our swing", "seconds": 20,
        "sensors": [{"sensor": "gyroscope"}], "plots": [{"title": "Rate", "y": ["gyroscope.x"]}],
    })  # fmt: skip
    made = hub.post("/api/lab/classes", {"name": "8b", "sensors": ["accelerometer"], "hertz": 100})
    hub.post("/api/lab/guest", {"code": made["code"], "name": "Kim"})


def client_of(hub, name, clean):
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, name, clean_session=clean)
    subscribed = []
    client.on_subscribe = lambda *_: subscribed.append(True)
    return client, subscribed


def legacy(hub, name):
    """A garden of the original app's."""
    client, _ = client_of(hub, name, True)
    client.connect("127.0.0.1", hub.mqtt_port)
    client.loop_start()
    request = f'ID:0;sender:{name};receiver:Host-RPI3B+;payload:Fern--["36"];operation:REQ_addNewPlant'
    client.publish("rpi/torpi", request, 1).wait_for_publish(10)
    client.disconnect()
    client.loop_stop()


def keep_a_session(hub, device):
    """A retained message, and a persistent session with a queue."""
    for round in ("subscribe", "publish"):
        client, subscribed = client_of(hub, "sensor" if round == "subscribe" else "another", round == "publish")
        client.username_pw_set(device.id, device.token)
        client.connect("127.0.0.1", hub.mqtt_port)
        client.loop_start()
        if round == "subscribe":
            client.subscribe(device.topic("note"), 1)
            eventually(lambda: subscribed, what="SUBACK")
        else:
            client.publish(device.topic("note"), "watered", 1, retain=True).wait_for_publish(10)
            client.publish(device.topic(), "41.5", 1).wait_for_publish(10)
        client.disconnect()
        client.loop_stop()


def thin(path):
    database = sqlite3.connect(path)
    newest = database.execute("SELECT max(at) FROM reading").fetchone()[0]
    database.execute("DELETE FROM reading WHERE at < ?", [newest - DAY // 4])
    database.execute("DELETE FROM rollup WHERE start < ?", [newest - DAY])
    database.execute(
        "DELETE FROM reading_block WHERE id NOT IN (SELECT id FROM reading_block ORDER BY id DESC LIMIT ?)", [BLOCKS]
    )
    for table in ("brushing_session", "drums_session"):
        database.execute(
            f"DELETE FROM {table} WHERE id NOT IN (SELECT id FROM {table} ORDER BY id LIMIT {SESSIONS})"
            " AND id NOT IN (SELECT session FROM brushing_award WHERE session IS NOT NULL)"
        )
    kept = "SELECT id FROM brushing_session UNION SELECT id FROM drums_session"
    database.execute(f"DELETE FROM session WHERE id NOT IN ({kept})")
    assert not database.execute("PRAGMA foreign_key_check").fetchall()
    database.commit()
    database.execute("PRAGMA journal_mode = DELETE")
    database.execute("VACUUM")
    names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    empty = [name for (name,) in names if not database.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone()]
    print("no row in", ", ".join(empty))
    database.close()


def main(target):
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(folder, command="demo", legacy=True)
        hub.start(within=180)
        try:
            fill(hub)
            eventually(lambda: hub.get("/api/hub")["readings"]["stored"] > 200_000, 120, "the history of the sample")
        finally:
            hub.terminate()
        tandem("seal", "--data", folder)
        path = pathlib.Path(folder) / "tandem.sqlite"
        thin(path)
        with gzip.GzipFile(target, "wb", mtime=0) as file:
            file.write(path.read_bytes())


if __name__ == "__main__":
    main(sys.argv[1])
