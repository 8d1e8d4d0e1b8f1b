"""Updates over the air in QEMU: the sensor's image by the real hub, with what can go wrong on the way."""

import base64
import importlib.util
import struct

import pytest

import improv
from board import IMAGES, ROOT
from hub import Problem, eventually

specification = importlib.util.spec_from_file_location("firmware_image", ROOT / "scripts/firmware-image.py")
firmware_image = importlib.util.module_from_spec(specification)
specification.loader.exec_module(firmware_image)

#: Where an image's vector table lies (Firmware/Boards/MPS2AN386/slot.ld).
TABLE = 0x8200


def image(version, change=lambda payload: payload, kind=b"plant-sensor"):
    """The sensor's image as another version, changed."""
    payload = change((IMAGES / "PlantSensor-MPS2AN386.image").read_bytes()[64:])
    return firmware_image.header(b"mps2-an386", kind, version, payload) + payload


def cannot_connect(payload):
    """Its command to open a connection is one that no module knows."""
    assert payload.count(b"AT+CIPSTART") == 1
    return payload.replace(b"AT+CIPSTART", b"AT+CIPSPART")


def hangs(payload):
    """Its first instruction is a branch to itself."""
    place = payload.index(b"\xfe\xe7")
    while place % 2:
        place = payload.index(b"\xfe\xe7", place + 1)
    return payload[:4] + struct.pack("<I", TABLE + place + 1) + payload[8:]


def add(hub, file):
    """Adds an image's file, as the page does it."""
    return hub.request("POST", "/api/firmware/images", file, {"Content-Type": "application/octet-stream"})[1]["id"]


class Sensor:
    """A sensor of the hub's, set up with its key unless it is to have none."""

    def __init__(self, hub, device, key=None):
        self.hub, self.known = hub, hub.add_device("Fern")
        self.key = base64.b64decode(hub.get("/api/firmware")["key"]) if key is None else key
        self.board = device("PlantSensor", ports={8080: ("127.0.0.1", hub.port)})
        self.board.console.send(improv.hub_command("127.0.0.1", hub.mqtt_port, self.known.id, self.known.token, self.key))
        self.board.console.send(improv.wifi_command())
        self.board.console.expect(improv.PROVISIONED, 30)
        eventually(lambda: self.state, 60, "what it runs")

    @property
    def state(self):
        return next((one for one in self.hub.get("/api/firmware")["devices"] if one["id"] == self.known.id), None)

    def update(self, file):
        """One tap."""
        self.hub.put(f"/api/firmware/devices/{self.known.id}/update", {"image": add(self.hub, file)})

    def until(self, condition, within=120, what="the update"):
        """Lets hours pass."""
        for _ in range(within):
            state = self.state
            if condition(state):
                return state
            self.board.bench.put_forward(600_000)
            try:
                self.board.bench.is_asleep(2)
            except AssertionError:
                pass
        raise AssertionError(f"{what} did not happen: {self.state}; starts {self.board.bench.starts}")


def test_a_sensor_is_updated_with_one_tap_and_measures_on(hub, device):
    sensor = Sensor(hub, device)
    assert (sensor.state["board"], sensor.state["kind"], sensor.state["version"]) == ("mps2-an386", "plant-sensor", "1.0.0")
    sensor.update(image("1.2.0"))
    assert sensor.state["update"]["version"] == "1.2.0"
    state = sensor.until(lambda state: state["version"] == "1.2.0" and not state.get("update"))
    assert state["outcome"] == {"result": "updated", "version": "1.2.0"}
    # It goes on measuring, and stays what it is when the power comes back.
    before = len(sensor.known.readings("capacitance"))
    sensor.until(lambda _: len(sensor.known.readings("capacitance")) > before, what="a reading")
    sensor.board.cut_power()
    sensor.board.switch_on()
    eventually(lambda: sensor.state["reportedAt"] > state["reportedAt"], 60, "signing in again")
    assert sensor.state["version"] == "1.2.0"


def test_an_image_that_never_signs_in_is_rolled_back_and_not_taken_again(hub, device):
    sensor = Sensor(hub, device)
    sensor.update(image("1.3.0", cannot_connect))
    state = sensor.until(lambda state: state.get("outcome"))
    assert state["outcome"] == {"result": "wentBack", "version": "1.3.0", "reason": "notSignedIn"}
    assert state["version"] == "1.0.0" and not state.get("update")
    # What mends it is taken.
    sensor.update(image("1.3.1"))
    sensor.until(lambda state: state["version"] == "1.3.1")


def test_an_image_that_hangs_is_bitten_by_the_watchdog_and_rolled_back(hub, device):
    sensor = Sensor(hub, device)
    sensor.update(image("1.4.0", hangs))
    state = sensor.until(lambda state: state.get("outcome"))
    assert state["outcome"] == {"result": "wentBack", "version": "1.4.0", "reason": "stoodStill"}
    assert state["version"] == "1.0.0"


def test_an_image_that_is_signed_with_another_key_is_refused(hub, device):
    sensor = Sensor(hub, device, key=bytes(range(32)))
    sensor.update(image("1.2.0"))
    state = sensor.until(lambda state: state.get("outcome"))
    assert state["outcome"] == {"result": "refused", "version": "1.2.0", "reason": "signature"}
    assert state["version"] == "1.0.0"
    assert sensor.board.bench.starts == ["power"]


def test_a_sensor_that_knows_no_key_says_so_and_is_offered_nothing(hub, device):
    sensor = Sensor(hub, device, key=b"")
    assert sensor.state["hasKey"] is False
    with pytest.raises(Problem) as refused:
        sensor.update(image("1.2.0"))
    assert refused.value.status == 409 and "Write it by cable: tandem flash" in str(refused.value)


def test_the_power_cut_at_a_write_of_an_update_boots_the_old_image_or_the_new_one(hub, device):
    sensor = Sensor(hub, device)
    flash = sensor.board.flash
    length = len(image("2.0.0")) + 64
    versions = []
    # The first bytes, the ends of pages, the end, and the records after it. The unit tests cut at many more.
    cuts = [1, 40, 300, 4_097, 4_130, length // 2, length - 20, length + 13 * 40, length + 14 * 38]
    for number, cut in enumerate(cuts):
        flash.cut_after(cut)
        sensor.update(image(f"2.0.{number}"))
        starts = len(sensor.board.bench.starts)
        state = sensor.until(lambda state: state["version"] == f"2.0.{number}" and not state.get("update"))
        versions.append(state["version"])
        if not flash.word(0):
            assert "power cut" in sensor.board.bench.starts[starts - 1 :]
    assert versions[-1] == f"2.0.{len(cuts) - 1}"
