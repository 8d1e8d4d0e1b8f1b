"""Sensors of another program's at the broker of the house: what 500 of them cost that change each second, and what 5,000
announcements take.

    .venv/bin/python Benchmarks/adopted.py

SENSORS are announced to mosquitto, of which the hub is a client, and adopted; each then has a new value each second for SECONDS.
Beside it, by turns: as many devices of the hub's own publish the same to its listener. What is measured is the hub's processor time a
second, and the same without any. Then ANNOUNCED announcements come, and the hub's resident memory is read before and after.
"""

import asyncio
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

import aiomqtt

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("TANDEM_BINARY", str(ROOT / ".build/release/tandem"))
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))

import hub as tandem_hub  # noqa: E402
from home_assistant import let_in  # noqa: E402
from house_broker import HouseBroker  # noqa: E402

SENSORS = int(os.environ.get("SENSORS", "500"))
ANNOUNCED = int(os.environ.get("ANNOUNCED", "5000"))
SECONDS = int(os.environ.get("SECONDS", "20"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
TICK = os.sysconf("SC_CLK_TCK")


def seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def announcement(number):
    return f"homeassistant/sensor/n{number}/moisture/config", json.dumps({
        "name": "Soil moisture", "state_topic": f"zigbee2mqtt/n{number}", "unique_id": f"n{number}_moisture",
        "unit_of_measurement": "%", "device_class": "moisture", "value_template": "{{ value_json.soil_moisture }}",
        "device": {"identifiers": [f"n{number}"], "name": f"Pot {number}", "manufacturer": "Tuya", "model": "TS0601"}})  # fmt: skip


async def play(publish, pid):
    """The hub's processor time a second while each sensor says something new each second."""
    before, began = seconds(pid), time.perf_counter()
    for second in range(SECONDS):
        for number in range(SENSORS):
            await publish(number, 20 + (number + second) % 50)
        await asyncio.sleep(max(0, began + second + 1 - time.perf_counter()))
    return (seconds(pid) - before) / (time.perf_counter() - began)


async def measure():
    with tempfile.TemporaryDirectory() as folder, HouseBroker(pathlib.Path(folder) / "broker") as broker:
        hub = tandem_hub.Hub(
            tandem_hub.prepare(pathlib.Path(folder) / "data"), "--mqtt-limit", "connectionsPerAddress=2000").start().sign_in()
        try:
            hub.put("/api/home-assistant/broker", {"url": broker.url, "user": broker.user, "password": broker.password})
            who = {"hostname": "127.0.0.1", "port": broker.port, "username": broker.user, "password": broker.password}
            async with aiomqtt.Client(**who) as house:
                for number in range(SENSORS):
                    await house.publish(*announcement(number), qos=1, retain=True)
                tandem_hub.eventually(lambda: len(hub.get("/api/found-devices")) == SENSORS, 60, "what was announced")
                for found in hub.get("/api/found-devices"):
                    hub.post(f"/api/found-devices/{found['id']}/adopt", {})
                user, token = let_in(hub, "tandem/#")
                own = [hub.add_device(f"Own {number}").id for number in range(SENSORS)]
                idle = await idling(hub.process.pid)
                figures = {"adopted": [], "own": []}
                async with aiomqtt.Client(
                    "127.0.0.1", hub.mqtt_port, username=user, password=token) as program:
                    for _ in range(ROUNDS):
                        figures["adopted"].append(await play(
                            lambda number, value: house.publish(
                                f"zigbee2mqtt/n{number}", json.dumps({"soil_moisture": value, "linkquality": 80}), qos=1),
                            hub.process.pid))
                        figures["own"].append(await play(
                            lambda number, value: program.publish(f"tandem/{own[number]}/moisture", str(value), qos=1),
                            hub.process.pid))
                adopted, mine = (statistics.median(figures[name]) for name in ("adopted", "own"))
                print(f"{SENSORS} sensors, a change each second: adopted {1000 * adopted:.0f} ms of processor time a second, as"
                      f" devices of the hub {1000 * mine:.0f}, none {1000 * idle:.0f}")  # fmt: skip
                before = hub.resident_bytes()
                for number in range(SENSORS, ANNOUNCED):
                    await house.publish(*announcement(number), qos=1)
                tandem_hub.eventually(
                    lambda: hub.get("/api/home-assistant")["found"] >= ANNOUNCED, 120, "all that was announced")
                after = hub.resident_bytes()
                print(f"{ANNOUNCED - SENSORS} more announcements: {(after - before) / 1e6:.1f} MB of memory,"
                      f" {(after - before) / (ANNOUNCED - SENSORS):.0f} bytes each")  # fmt: skip
        finally:
            hub.close()


async def idling(pid):
    before, began = seconds(pid), time.perf_counter()
    await asyncio.sleep(5)
    return (seconds(pid) - before) / (time.perf_counter() - began)


if __name__ == "__main__":
    asyncio.run(measure())
