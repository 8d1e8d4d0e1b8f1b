"""Acknowledged means stored: kill -9, a full disk, locks, damage, and a proper stop."""

import json
import os
import random
import re
import selectors
import shutil
import sqlite3
import subprocess
import time

import pytest

from hub import Hub, Problem, eventually, tandem
from live import Live
from mqtt import Client, Wire, publish_packet

ROUNDS = int(os.environ.get("TANDEM_KILL_ROUNDS", "100"))


def reading(device, at, value, identifier):
    return publish_packet(device.topic(), b'{"value": %d, "at": %d}' % (value, at), identifier)


@pytest.mark.timeout(600)
def test_kill_9_in_a_stream_of_readings_loses_nothing_acknowledged_and_stores_nothing_twice(data):
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    hub = Hub(data).start().signed_in()
    device = hub.add_device()
    base = int(time.time() * 1000) - 10_000_000
    sent, acknowledged, unacknowledged = {}, set(), []
    next_at = base
    for _ in range(ROUNDS):
        wire = Wire(hub, device.id, device.token)
        # What was not acknowledged before the last kill is sent again, as a sensor does.
        plan = list(unacknowledged)
        for _ in range(400):
            next_at += 1
            plan.append(next_at)
        for at in plan:
            sent[at] = at % 101
        stop_after = chance.randrange(1, 300)
        wire.send(b"".join(reading(device, at, at % 101, index + 1) for index, at in enumerate(plan)))
        count = 0
        try:
            while count < stop_after:
                identifier = wire.acknowledgement()
                count += 1
                assert identifier == count, "PUBACKs leave in the order of the PUBLISHes"
        finally:
            hub.kill()
        # What was on its way when the hub died counts as well.
        try:
            while True:
                identifier = wire.acknowledgement()
                count += 1
                assert identifier == count
        except (ConnectionError, TimeoutError):
            wire.close()
        acknowledged.update(plan[:count])
        unacknowledged = plan[count:]
        hub.start()
    stored = device.readings()
    assert hub.terminate() == 0
    times = [at for at, _ in stored]
    assert len(times) == len(set(times)), "stored twice"
    lost = acknowledged - set(times)
    assert not lost, f"{len(lost)} of {len(acknowledged)} acknowledged readings are lost"
    assert all(sent[at] == value for at, value in stored)
    assert len(acknowledged) >= ROUNDS


def test_sigterm_ends_everything_within_two_seconds_with_clients_and_pages_open(device):
    hub = device.hub
    wires = [Wire(hub, device.id, device.token) for _ in range(5)]
    with Live(hub) as live:
        closed = live.close_code()
        wires[0].send(b"".join(reading(device, 1795220639132 + n, n % 100, n + 1) for n in range(200)))
        assert wires[0].acknowledgement() == 1
        started = time.monotonic()
        assert hub.terminate(within=10) == 0
        assert time.monotonic() - started < 2
        assert closed() == 1001
    count = 1
    try:
        while True:
            wires[0].acknowledgement()
            count += 1
    except ConnectionError:
        pass
    assert len(device.readings()) >= count


def test_sigint_stops_as_cleanly(hub):
    hub.process.send_signal(2)
    assert hub.wait(5) == 0


def test_two_hubs_on_one_data_folder_are_one_too_many(hub):
    second = Hub(hub.data).launch()
    assert second.wait(20) != 0
    assert str(hub.data) in second.log and "another hub" in second.log.lower(), second.log
    assert hub.get("/healthz")["status"] == "ok"


@pytest.mark.parametrize("flag", ["--port", "--mqtt-port"])
def test_a_port_in_use_is_named_with_its_flag(hub, tmp_path, flag):
    second = Hub(tmp_path / "other")
    if flag == "--port":
        second.port = hub.port
    else:
        second.mqtt_port = hub.mqtt_port
    assert second.launch().wait(20) != 0
    port = second.port if flag == "--port" else second.mqtt_port
    lines = [line for line in second.lines if str(port) in line]
    assert len(lines) == 1 and f" {flag}." in lines[0] and "in use" in lines[0], second.log


def databases(folder):
    """The SQLite files of a data folder, the largest first."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.open("rb").read(15) == b"SQLite format 3"]
    return sorted(files, key=lambda file: -file.stat().st_size)


def test_a_locked_database_delays_or_refuses_but_never_acknowledges_what_is_not_stored(device):
    [database, *_] = databases(device.hub.data)
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    wire = Wire(device.hub, device.id, device.token)
    wire.send(reading(device, 1795220639132, 5, 1))
    wire.socket.settimeout(1)
    with pytest.raises((TimeoutError, ConnectionError)):
        wire.acknowledgement()
    holder.execute("ROLLBACK")
    holder.close()
    wire.socket.settimeout(10)
    try:
        wire.acknowledgement()
        assert device.readings() == [(1795220639132, 5.0)]
    except ConnectionError:
        pass
    with Client.of(device) as client:
        client.publish(device.topic(), '{"value": 6, "at": 1795220639133}')
    assert (1795220639133, 6.0) in device.readings()


def test_a_database_that_is_no_database_is_named_and_left_as_it_is(data):
    [database, *_] = databases(data)
    for extra in data.glob(database.name + "-*"):
        extra.unlink()
    garbage = b"this was a database once\n" * 400
    database.write_bytes(garbage)
    hub = Hub(data).launch()
    assert hub.wait(20) not in (0, -4, -5, -6, -11), hub.log
    assert str(database) in hub.log and "damaged" in hub.log and "restore" in hub.log, hub.log
    assert database.read_bytes() == garbage
    report = tandem("doctor", "--data", data, check=False)
    assert report.returncode != 0 and database.name in report.stdout + report.stderr


def test_doctor_finds_a_damaged_page(data):
    [database, *_] = databases(data)
    with open(database, "r+b") as file:
        for page in range(2, 12):
            file.seek(4096 * page)
            file.write(b"\xa5" * 4096)
    report = tandem("doctor", "--data", data, check=False)
    assert report.returncode != 0
    assert re.search(r"tandem\.sqlite is damaged", report.stdout + report.stderr), report


def test_a_full_disk_acknowledges_nothing_that_is_not_stored_and_recovers(prepared, small_disk):
    data = small_disk / "data"
    shutil.copytree(prepared, data)
    hub = Hub(data).start().signed_in()
    try:
        device = hub.add_device()
        acknowledged = fill(device, 100_000)
        assert len(acknowledged) < 100_000, "the disk did not fill"
        assert "disk" in hub.log.lower() or "full" in hub.log.lower(), hub.log[-2000:]
        with pytest.raises(Problem) as unwell:
            hub.get("/healthz")
        assert unwell.value.status == 503
        assert device.id in [one["id"] for one in hub.get("/api/devices")], "reading still works"

        subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)

        def works_again():
            try:
                with Client.of(device) as client:
                    client.publish(device.topic("temperature"), "20")
                return True
            except Exception:
                return False

        eventually(works_again, within=20, what="a reading after the disk had room again")
        for quantity in QUANTITIES:
            lost = acknowledged - {at for at, _ in device.readings(quantity)}
            assert not lost, f"{len(lost)} acknowledged readings of {quantity} are lost"
    finally:
        hub.close()


def test_a_disk_that_can_only_be_read_is_named_and_nothing_on_it_changes(prepared, small_disk):
    data = small_disk / "data"
    shutil.copytree(prepared, data)
    before = {file: file.read_bytes() for file in data.rglob("*") if file.is_file()}
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    hub = Hub(data).launch()
    assert hub.wait(20) not in (0, -4, -5, -6, -11), hub.log
    assert "can be read but not written" in hub.log and "remount,rw" in hub.log, hub.log
    assert {file: file.read_bytes() for file in data.rglob("*") if file.is_file()} == before
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    hub = Hub(data).start().signed_in()
    try:
        assert hub.get("/api/people")
    finally:
        hub.close()


QUANTITIES = ("moisture", "temperature", "humidity", "light", "conductivity", "battery", "capacitance", "sap-flow")


def fill(device, most):
    """Publishes until the hub closes the connection; returns the times that were acknowledged.

    Eight readings a message and minutes apart, so that each costs a row of the rollups as well.
    """
    wire = Wire(device.hub, device.id, device.token)
    wire.socket.setblocking(False)
    selector = selectors.DefaultSelector()
    selector.register(wire.socket, selectors.EVENT_READ | selectors.EVENT_WRITE)
    every = 3 * 60_000
    base, sent, count, out, received = 1_750_000_000_000, 0, 0, b"", b""

    def message(number):
        values = {quantity: 55 for quantity in QUANTITIES} | {"at": base + every * number}
        return publish_packet(device.topic("readings"), json.dumps(values).encode(), number % 60_000 + 1)

    while count < most:
        assert selector.select(30), "the hub neither took nor refused for half a minute"
        try:
            if not out and sent < most and sent - count < 2_000:
                out = b"".join(message(number) for number in range(sent, sent + 100))
                sent += 100
            if out:
                out = out[wire.socket.send(out) :]
        except BlockingIOError:
            pass
        except ConnectionError:
            break
        try:
            data = wire.socket.recv(65536)
            if not data:
                break
            received += data
            whole = len(received) // 4 * 4
            count += whole // 4
            received = received[whole:]
        except BlockingIOError:
            pass
        except ConnectionError:
            break
    wire.close()
    return {base + every * number for number in range(count)}
