"""The original Plant-Tracker app's protocol, which has no sign-in."""

import struct

from mqtt import Wire, connect_packet, packet, text
from probes import hold, probe

HOST = "Host-RPI3B+"


def app(hub_app):
    """An anonymous client that hears the answers."""
    wire = Wire(hub_app, connect=False)
    wire.send(connect_packet())
    hold(wire.exactly(4) == b"\x20\x02\x00\x00", "the original app is not let in")
    wire.send(packet(0x82, struct.pack("!H", 1) + text("rpi/fromrpi") + b"\x00"))
    wire.exactly(5)
    return wire


def say(wire, sender, operation, payload="all"):
    message = f"ID:0;sender:{sender};receiver:{HOST};payload:{payload};operation:{operation}"
    wire.send(packet(0x30, text("rpi/torpi") + message.encode()))


def hear(wire):
    """The payload of the next PUBLISH."""
    head = wire.exactly(1)[0]
    length, shift = 0, 0
    while True:
        digit = wire.exactly(1)[0]
        length |= (digit & 0x7F) << shift
        shift += 7
        if digit < 0x80:
            break
    body = wire.exactly(length)
    hold(head & 0xF0 == 0x30, f"heard {head:#x}")
    return body[2 + int.from_bytes(body[:2], "big") :].decode()


def clients(hub_app):
    return {one["client"]: one for one in hub_app.tess.ask("GET", "/api/plants/legacy").json["clients"]}


@probe("deleting a plant that the household has adopted", "What was adopted can only be removed by a person.")
def adopted(ground):
    hub_app = ground.app()
    wire = app(hub_app)
    say(wire, "phone", "REQ_addNewPlant", 'Fern--["36"]')
    say(wire, "phone", "REQ_numPlants")
    hear(wire)
    answer = hub_app.tess.ask("POST", "/api/plants/legacy/phone/adopt")
    hold(answer.status == 200, f"adopting is answered with {answer.status}")
    before = {plant["id"]: plant["name"] for plant in hub_app.get("/api/plants")["plants"]}
    stranger = app(hub_app)
    for operation, payload in (("REQ_deletePlant", "Fern"), ("REQ_editPlant", "Fern,Stolen"), ("REQ_deletePlant", "Stolen"), ("REQ_deletePlant", "Fern")):
        say(stranger, "phone", operation, payload)
    say(stranger, "phone", "REQ_numPlants")
    hear(stranger)
    after = {plant["id"]: plant["name"] for plant in hub_app.get("/api/plants")["plants"]}
    hold("Fern" in before.values() and set(before) <= set(after), f"{before} became {after}")
    return f"{', '.join(after.values())} stayed"


@probe("300 senders that nobody has", "Legacy clients are bounded, listed, and can be removed.")
def senders(ground):
    hub_app = ground.app()
    wire = app(hub_app)
    for number in range(300):
        # The original kicks who says much in a short time; a new connection is somebody else.
        if number % 10 == 9:
            wire.close()
            wire = app(hub_app)
        say(wire, f"invented {number}", "REQ_addNewPlant", 'Fern--["36"]')
    say(wire, "invented 0", "REQ_numPlants")
    hear(wire)
    listed = clients(hub_app)
    hold(len(listed) <= 250, f"{len(listed)} are kept")
    name = sorted(listed)[0]
    removed = hub_app.tess.ask("DELETE", f"/api/plants/legacy/{name.replace(' ', '%20')}")
    hold(removed.status in (200, 204), f"removing one is answered with {removed.status}")
    hold(name not in clients(hub_app), "it is still there")
    # There is room for a real one again, by itself or once one is removed.
    say(app(hub_app), "real", "REQ_addNewPlant", 'Basil--["37"]')
    from hub import eventually

    eventually(lambda: "real" in clients(hub_app), 5, "room for a real one")
    return f"{len(listed)} kept, one removed, a real one has room"


@probe("legacy beyond its two topics", "The legacy protocol reaches its two topics alone.")
def beyond(ground):
    hub_app = ground.home
    device, hearing = hub_app.add_device("Fern’s sensor"), app(hub_app)
    for topic in (f"tandem/{device.id}/moisture", "rpi/fromrpi", "rpi/other", "$SYS/x"):
        wire = app(hub_app)
        wire.send(packet(0x32, text(topic) + b"\x00\x01" + b"1"))
        # It is put aside: MQTT 3.1.1 has no other word for that [MQTT-3.3.5-2].
        wire.acknowledgement()
    hearing.send(packet(0xC0, b""))
    hold(hearing.exactly(2) == b"\xd0\x00", "another app was told")
    hold(device.show()["series"] == [], "a device has readings")
    wire = app(hub_app)
    for name in ("#", "rpi/#", "rpi/torpi", "tandem/#"):
        wire.send(packet(0x82, struct.pack("!H", 2) + text(name) + b"\x00"))
        hold(wire.exactly(5)[4] == 0x80, f"SUBSCRIBE to {name} was granted")
    return "4 topics and 4 filters, each refused"
