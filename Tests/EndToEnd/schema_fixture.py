"""Makes a fixture of the database as today's build writes it: one for each schema, kept for ever.

    .venv/bin/python Tests/EndToEnd/schema_fixture.py Tests/EndToEnd/schemas/<date>.sqlite.gz

A sample household with months of history, and a row of what a sample household lacks; thinned out, since the format is
what counts and not the amount.
"""

import gzip
import pathlib
import sqlite3
import sys
import tempfile

import paho.mqtt.client as paho

from hub import Hub, eventually, tandem

DEMO = {"email": "demo@tandem.local", "password": "tandem-demo"}
DAY = 86_400_000
SESSIONS = 20  # of each companion
BLOCKS = 6  # of sealed readings


def fill(hub):
    """What the sample household has none of, through the hub's own interfaces."""
    hub.sign_in(**DEMO)
    child = next(person for person in hub.get("/api/people") if person["role"] == "child")
    hub.post("/api/invitations")
    hub.request("PATCH", f"/api/people/{child['id']}", {"timeZone": "Europe/Vienna"})
    hub.request(
        "POST", "/api/people", {"name": "Juna", "birthYear": 2019}, {"Idempotency-Key": '"a-key-of-the-fixture"'}
    )
    for client in ("iPhone SE", "iPad"):
        legacy(hub, client)
    device = hub.add_device("A sensor that speaks")
    keep_a_session(hub, device)


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
