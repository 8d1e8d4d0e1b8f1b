"""The hub's own Bluetooth radio: BlueZ by python-dbusmock, with what sensors broadcast, and drums that a page plays by it."""

import pytest
from playwright.sync_api import expect

from bluetooth_radio import BTHOME, MI_BEACON, BluetoothRadio, RadioKit, short
from drums_links import chooser, current
from drums_page import add_song, browser, is_delivered, looks, open_songs, page, play, played, session, settings  # noqa: F401
from emulated_kit import MIDI, MIDI_MESSAGES, Firmware
from hub import Hub, Problem, eventually
from single_modules import web  # noqa: F401

# bthome.io/format: the page's own example, 25.00 degrees and 50.55 percent.
WARM = bytes.fromhex("40 02 C4 09 03 BF 13")
# bthome.io/encryption: the page's own example, with its key; 25.06 degrees and 50.55 percent.
KEY, SECRET_ADDRESS = "231d39c1d7cc1ab1aee224cd096db932", "54:48:E6:8F:80:A5"
SECRET = bytes.fromhex("41 A4 72 66 C9 5F 73 00 11 22 33 78 23 72 14")
FLORA = "C4:7C:8D:6A:3E:7A"


def soil(number, moisture, celsius=21.5, battery=88):
    """BTHome version 2: packet id 0x00, battery 0x01, temperature 0x02 by hundredths, moisture 0x2F."""
    return bytes([0x40, 0x00, number, 0x01, battery, 0x02, *round(celsius * 100).to_bytes(2, "little", signed=True), 0x2F, moisture])


def frame(count, kind, value):
    """MiBeacon of a Flower Care (product 0x0098): frame control 0x2071, counter, address, capability, one object."""
    return bytes.fromhex("71209800") + bytes([count]) + bytes.fromhex("7A3E6A8D7CC4") + bytes([0x0D]) + kind.to_bytes(
        2, "little") + bytes([len(value)]) + value


@pytest.fixture
def radio():
    radio = BluetoothRadio()
    yield radio
    radio.close()


@pytest.fixture
def hub(radio, data, web):
    hub = Hub(data, web=web, wrapper=radio.wrapper)
    hub.start().signed_in()
    yield hub
    hub.close()


def found(hub, name=None):
    return [one for one in hub.get("/api/found-devices") if name is None or name in one["name"]]


def adopted(hub, name):
    one = eventually(lambda: found(hub, name), 20, "what was found")[0]
    return hub.post(f"/api/found-devices/{one['id']}/adopt", {})["id"]


def readings(hub, device, quantity):
    return [row["value"] for row in hub.export(device) if row["series"].endswith(quantity)]


def is_listening(hub, radio):
    hub.get("/api/found-devices")
    eventually(lambda: hub.get("/api/bluetooth")["status"] == "listening", 20, "the radio")
    eventually(lambda: radio.called("StartDiscovery"), what="the search")


def test_a_machine_without_bluetooth_is_no_trouble(data):
    hub = Hub(data, wrapper=("env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere"))
    hub.start().signed_in()
    assert hub.get("/api/bluetooth") == {"status": "none", "devices": 0} and hub.get("/api/found-devices") == []
    assert "Bluetooth" not in hub.log
    hub.close()


def test_the_radio_listens_only_while_somebody_looks_or_has_a_device(hub, radio):
    radio.adapter()
    eventually(lambda: hub.get("/api/bluetooth")["status"] == "idle", 20, "the radio")
    assert not radio.called("StartDiscovery")
    is_listening(hub, radio)
    filters = radio.called("SetDiscoveryFilter")
    assert filters


def test_a_radio_that_is_off_is_told_and_used_once_it_is_on(hub, radio):
    radio.adapter(powered=False)
    hub.get("/api/found-devices")
    eventually(lambda: hub.get("/api/bluetooth")["status"] == "off", 20, "that it is off")
    radio.power(True)
    eventually(lambda: radio.called("StartDiscovery"), 20, "the search")


def test_a_sensor_that_broadcasts_is_a_plants_in_three_taps(hub, radio):
    radio.adapter()
    is_listening(hub, radio)
    radio.advertise("A4:C1:38:8D:18:B2", "Fern", {BTHOME: soil(1, 41)})
    [one] = eventually(lambda: found(hub), 20, "the sensor")
    assert one["source"] == "bluetooth" and one["kind"] == "plant-sensor" and one["isAdoptable"]
    assert {sensor["quantity"]: sensor["value"] for sensor in one["sensors"]} == {
        "moisture": 41, "temperature": 21.5, "battery": 88}
    device = hub.post(f"/api/found-devices/{one['id']}/adopt", {"name": "Fern"})["id"]
    eventually(lambda: readings(hub, device, "moisture") == [41], what="the first reading")
    assert found(hub)[0]["isAdopted"]
    with pytest.raises(Problem) as refused:
        hub.post(f"/api/found-devices/{one['id']}/adopt", {})
    assert refused.value.status == 409
    # Said again it is no second reading; and the hub is started anew and still hears it.
    radio.advertise("A4:C1:38:8D:18:B2", "Fern", {BTHOME: soil(1, 41)})
    hub.terminate()
    hub.start().signed_in()
    eventually(lambda: len(radio.called("StartDiscovery")) > 1, 20, "the search")
    radio.advertise("A4:C1:38:8D:18:B2", "Fern", {BTHOME: soil(2, 39)})
    eventually(lambda: readings(hub, device, "moisture") == [41, 39], 20, "the next reading")
    assert hub.get("/api/bluetooth") == {"status": "listening", "devices": 1}


def test_a_sensor_that_encrypts_wants_its_key(hub, radio):
    radio.adapter()
    is_listening(hub, radio)
    radio.advertise(SECRET_ADDRESS, "Shed", {BTHOME: SECRET})
    [one] = eventually(lambda: found(hub), 20, "the sensor")
    assert one["needsKey"] and not one["isAdoptable"] and not one["isKeyWrong"]
    with pytest.raises(Problem, match="A key has 32 digits"):
        hub.post(f"/api/found-devices/{one['id']}/key", {"key": "secret"})
    hub.post(f"/api/found-devices/{one['id']}/key", {"key": "00" * 16})
    radio.advertise(SECRET_ADDRESS, "Shed", {BTHOME: SECRET})
    eventually(lambda: found(hub)[0]["isKeyWrong"], what="that it is the wrong key")
    hub.post(f"/api/found-devices/{one['id']}/key", {"key": KEY.upper()})
    radio.advertise(SECRET_ADDRESS, "Shed", {BTHOME: SECRET})
    device = eventually(lambda: [one for one in found(hub) if one["isAdoptable"]], what="its values")[0]
    assert {sensor["quantity"]: sensor["value"] for sensor in device["sensors"]} == {"temperature": 25.06, "humidity": 50.55}
    assert KEY not in hub.log


def test_a_mi_floras_objects_are_one_sensor_and_its_memory_fills_an_absence(hub, radio):
    radio.adapter()
    is_listening(hub, radio)
    for count, (kind, value) in enumerate([(0x1004, (215).to_bytes(2, "little")), (0x1008, bytes([33])),
                                           (0x1009, (410).to_bytes(2, "little")), (0x1007, (1200).to_bytes(3, "little"))]):
        radio.advertise(FLORA, "Flower care", {MI_BEACON: frame(count, kind, value)})
    one = eventually(lambda: [one for one in found(hub) if len(one["sensors"]) == 4], 20, "all of it")[0]
    assert {sensor["quantity"]: sensor["value"] for sensor in one["sensors"]} == {
        "temperature": 21.5, "moisture": 33, "conductivity": 410, "light": 1200}
    # Its memory: an entry an hour (seconds of its own, tenths of a degree, lux, percent, microsiemens), the newest first.
    now = 100 * 3600
    def entry(hours, moisture):
        return (now - hours * 3600).to_bytes(4, "little") + (200).to_bytes(2, "little") + b"\0" + (500).to_bytes(
            4, "little") + bytes([moisture]) + (300).to_bytes(2, "little") + bytes(2)
    command, data, clock = short(0x1A10), short(0x1A11), short(0x1A12)
    radio.service(FLORA, short(0x1206), [
        {"uuid": short(0x1A02), "flags": ["read"], "value": (bytes([64, 0x28]) + b"3.2.1").hex()},
        {"uuid": command, "flags": ["write"], "answers": {
            "a00000": [data, (3).to_bytes(2, "little").hex()], **{
                (b"\xa1" + number.to_bytes(2, "little")).hex(): [data, entry(number + 1, 60 - number).hex()]
                for number in range(3)}}},
        {"uuid": data, "flags": ["read"]}, {"uuid": clock, "flags": ["read"], "value": now.to_bytes(4, "little").hex()},
    ])
    device = hub.post(f"/api/found-devices/{one['id']}/adopt", {})["id"]
    eventually(lambda: readings(hub, device, "moisture") == [33], what="the first reading")
    # The hub was away for a day: by a clock that is set on, so that nobody waits for it.
    hub.terminate()
    hub.wrapper = ["faketime", "-f", "+1d", *radio.wrapper]
    hub.start().signed_in()
    eventually(lambda: hub.get("/api/bluetooth")["status"] == "listening", 20, "the radio")
    radio.advertise(FLORA, "Flower care", {MI_BEACON: frame(9, 0x1008, bytes([20]))})
    eventually(lambda: readings(hub, device, "battery") == [64], 20, "its battery, which it does not broadcast")
    eventually(lambda: sorted(readings(hub, device, "moisture")) == [20, 33, 58, 59, 60], 20, "its memory")
    rows = sorted((row["at"], row["value"]) for row in hub.export(device) if row["series"].endswith("moisture"))
    assert [value for _, value in rows] == [33, 58, 59, 60, 20]
    assert radio.called("Disconnect")


def test_hostile_broadcasts_cost_nothing_good_beside_them(hub, radio):
    radio.adapter()
    is_listening(hub, radio)
    for number, data in enumerate([b"", b"\x40", b"\xff" * 200, bytes([0x40, 0x02, 0xC4]), bytes([0x41]) + bytes(3), bytes(31)]):
        radio.advertise(f"66:66:66:66:66:{number:02X}", "<b>x</b>" * 20, {BTHOME: data, MI_BEACON: data, short(0x181A): data})
    radio.advertise("66:66:66:66:66:99", "hot", {BTHOME: bytes([0x40, 0x02, 0xFF, 0x7F])})
    radio.advertise("A4:C1:38:8D:18:B2", "Good", {BTHOME: WARM})
    one = eventually(lambda: found(hub, "Good"), 20, "the good one")[0]
    assert {sensor["quantity"]: sensor["value"] for sensor in one["sensors"]} == {"temperature": 25, "humidity": 50.55}
    assert hub.is_running


def test_a_device_that_is_removed_is_let_go(hub, radio):
    radio.adapter()
    is_listening(hub, radio)
    kit = RadioKit(radio)
    device = adopted(hub, "BeeBop")
    eventually(lambda: kit.advertise() or hub.get(f"/api/devices/{device}")["connected"], 20, "the connection")
    hub.request("DELETE", f"/api/devices/{device}")
    eventually(lambda: radio.called("Disconnect"), 30, "that it was let go")
    assert not found(hub, "BeeBop")[0]["isAdopted"]


@pytest.mark.by_the_clock
@pytest.mark.timeout(240)
def test_a_song_is_played_on_the_original_kit_by_the_hubs_radio(hub, radio, page):  # noqa: F811
    radio.adapter()
    is_listening(hub, radio)
    settings(hub, level=2, drums=[True] * 4)
    add_song(hub)
    player = Firmware("--reaction-ms", "300", "--spread-percent", "10")
    kit = RadioKit(radio, player)
    device = adopted(hub, "BeeBop")
    eventually(lambda: kit.advertise() or hub.get(f"/api/devices/{device}")["connected"], 20, "the connection")
    open_songs(page)
    chooser(page)
    line = page.locator(".link-row").filter(has_text="BeeBop").filter(has_text="Connected to the hub")
    line.get_by_role("button", name="Connect").click()
    expect(line).to_contain_text("In use")
    page.get_by_role("button", name="Done").click()
    play(page)
    identifier = played(page)
    is_delivered(hub)
    data = session(hub, identifier)
    assert data["end"] == "finished" and data["link"] == "wifi" and data["answered"] > 3
    # The kit's own clock; and what the way to it and back took, as for every link with one.
    assert 200 <= data["reaction"]["median"] <= 500 and data["latency"]["n"] > 0
    player.close()


def test_electronic_drums_at_the_hubs_radio_strike_on_a_page(hub, radio, page):  # noqa: F811
    radio.adapter()
    is_listening(hub, radio)
    address = "09:09:09:09:09:0A"
    radio.advertise(address, "TD-1", services=[MIDI])
    radio.service(address, MIDI, [{"uuid": MIDI_MESSAGES, "flags": ["read", "write-without-response", "notify"]}])
    device = adopted(hub, "TD-1")
    eventually(lambda: radio.advertise(address, "TD-1", services=[MIDI]) or hub.get(f"/api/devices/{device}")["connected"], 20, "it")
    assert radio.called("ReadValue")  # RP-052: read once before anybody listens
    open_songs(page)
    chooser(page)
    line = page.locator(".link-row").filter(has_text="TD-1")
    line.get_by_role("button", name="Connect").click()
    expect(line).to_contain_text("In use")
    page.evaluate(current("(globalThis.struck = [], links.current.addEventListener('note', ({ detail }) => struck.push(detail.note)))"))
    # RP-052: header and timestamp with their top bits set, then note on, 38 (snare), velocity 100.
    radio.notify(address, MIDI_MESSAGES, bytes([0x80, 0x80, 0x99, 38, 100]))
    page.wait_for_function("() => struck.length === 1 && struck[0] === 38")
