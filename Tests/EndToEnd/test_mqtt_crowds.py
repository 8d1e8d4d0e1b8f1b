"""What a crowd of MQTT connections, or a few clients that ask for everything, can take from everybody else."""

import contextlib
import socket
import struct
import threading

from hub import Hub
from mqtt import Wire, connect_packet, packet, publish_packet, text


def limited(data, files, *flags):
    """A hub that may open so many files."""
    hub = Hub(data, *flags)
    hub.wrapper = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh"]
    return hub


def test_twelve_hundred_silent_connections_end_neither_the_hub_nor_the_pages_nor_the_sensors(data):
    hub = limited(data, 1_024).start().signed_in()
    try:
        device = hub.add_device()
        with contextlib.ExitStack() as crowd:
            for count in range(1_200):
                crowd.enter_context(socket.create_connection(("127.0.0.1", hub.mqtt_port), timeout=10))
                if count % 100 == 99:
                    assert hub.request("GET", "/healthz")[0] == 200
            # A page that polls while they are all there.
            for _ in range(60):
                assert hub.get("/api/devices")
            # Paho's select(2) cannot see a socket beyond the first 1,024 of this process.
            sensor = crowd.enter_context(contextlib.closing(Wire(hub, device.id, device.token)))
            sensor.send(publish_packet(device.topic(), b"7", 1))
            assert sensor.acknowledgement() == 1
            assert device.value() == 7
        assert hub.terminate() == 0, hub.log
    finally:
        hub.close()
    assert "error" not in hub.log


def test_a_hub_that_may_open_too_few_files_says_so(data):
    hub = limited(data, 64).launch()
    assert hub.wait() == 1
    assert "needs at least" in hub.log and "ulimit" in hub.log


def subscribe_flood(packets, filters):
    body = b"".join(text("#") + b"\x00" for _ in range(filters))
    return b"".join(packet(0x82, struct.pack("!H", number + 1) + body) for number in range(packets))


def test_twenty_clients_that_flood_subscribe_hold_up_neither_another_client_nor_the_end(tmp_path):
    """Everybody may have everything here, as a program may that was granted it."""
    hub = Hub(tmp_path / "data", "--mqtt-open").start()
    stop = threading.Event()
    try:
        writer = Wire(hub)
        for number in range(2_000):
            writer.send(publish_packet(f"t/{number}", b"x", retain=True))
        writer.send(packet(0xC0, b""))
        assert writer.exactly(2) == b"\xd0\x00"

        flood = subscribe_flood(50, 100)
        flooders = [Wire(hub) for _ in range(20)]

        def pour(wire):
            with contextlib.suppress(OSError):
                while not stop.is_set():
                    wire.send(flood)

        threads = [threading.Thread(target=pour, args=(wire,), daemon=True) for wire in flooders]
        for thread in threads:
            thread.start()
        honest = Wire(hub, "honest", "x")
        for number in range(1, 51):
            honest.send(publish_packet("u", b"1", number))
            assert honest.acknowledgement() == number
        assert hub.request("GET", "/healthz")[0] == 200
        assert hub.terminate(within=10) == 0, hub.log
    finally:
        stop.set()
        hub.close()


def test_a_storm_and_connects_that_drip_cost_little_memory_and_end_while_a_sensor_is_heard(data):
    hub = Hub(data, "--mqtt-limit", "connectSeconds=3").start().signed_in()
    try:
        device = hub.add_device()
        sensor = Wire(hub, device.id, device.token)
        heard = iter(range(1, 1_000))

        def is_heard():
            identifier = next(heard)
            sensor.send(publish_packet(device.topic(), b"%d" % identifier, identifier))
            assert sensor.acknowledgement() == identifier

        is_heard()
        before = hub.resident_bytes()
        # A storm: each says who it is not, or nothing, or half of a packet, and goes.
        for number in range(3_000):
            with contextlib.closing(socket.create_connection(("127.0.0.1", hub.mqtt_port), timeout=10)) as one:
                one.sendall((connect_packet("nobody", "x"), b"", b"\x10\xff")[number % 3])
            if number % 500 == 499:
                is_heard()
        # CONNECTs of 16,000 bytes that come a hundred bytes at a time.
        start = b"\x10\x80\x7d" + text("MQTT") + b"\x04\x02\x00\x3c"
        dripping = [socket.create_connection(("127.0.0.1", hub.mqtt_port), timeout=10) for _ in range(400)]
        for one in dripping:
            one.sendall(start)
        for _ in range(20):
            for one in dripping:
                with contextlib.suppress(OSError):
                    one.sendall(b"x" * 100)
            is_heard()
        for one in dripping:
            with contextlib.suppress(ConnectionError):
                while one.recv(4_096):
                    pass
            one.close()
        is_heard()
        grown = hub.resident_bytes() - before
        assert grown < 64_000_000, f"the hub grew by {grown / 1e6:.0f} MB"
    finally:
        hub.close()


def test_a_stranger_cannot_fill_the_log(data):
    hub = Hub(data).start().signed_in()
    try:
        for _ in range(300):
            with socket.create_connection(("127.0.0.1", hub.mqtt_port), timeout=10) as client:
                client.sendall(connect_packet("nobody", "nothing"))
                assert client.recv(4) == b"\x20\x02\x00\x04"
        refused = [line for line in hub.lines if "A client was refused" in line]
        assert 0 < len(refused) <= 20, len(refused)
        assert "address" in refused[0]
    finally:
        hub.close()
