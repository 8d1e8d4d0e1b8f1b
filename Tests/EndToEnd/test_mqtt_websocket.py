"""MQTT over WebSocket (MQTT 5.0, section 6) at /mqtt: Paho's client, and frames by hand where it is too polite."""

import select
import socket
import struct

import paho.mqtt.client as paho
import pytest
import websocket

import tls
from hub import Hub, eventually
from mqtt import Client, Wire, connect_packet, packet, publish_packet, text
from shared import shared_hub

hub = shared_hub()

CONNACK = b"\x20\x02\x00\x00"
HANDSHAKE = (
    "GET /mqtt HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{fields}\r\n"
)


class WebClient(Client):
    """Paho's, over WebSocket; over TLS with a certificate authority's file."""

    def __init__(self, device, client_id="", version=paho.MQTTv311, ca=None, clean=True):
        super().__init__(device.hub)
        callbacks = {name: getattr(self.paho, name) for name in (
            "on_connect", "on_disconnect", "on_message", "on_subscribe", "on_publish")}  # fmt: skip
        session = {} if version == paho.MQTTv5 else {"clean_session": clean}
        self.paho = paho.Client(
            paho.CallbackAPIVersion.VERSION2, client_id=client_id, protocol=version, transport="websockets",
            reconnect_on_failure=False, **session,
        )  # fmt: skip
        self.paho.username_pw_set(device.id, device.token)
        if ca:
            self.paho.tls_set(ca_certs=str(ca))
        self.port = device.hub.https_port if ca else device.hub.port
        for name, callback in callbacks.items():
            setattr(self.paho, name, callback)

    def connect(self, expect=0, keepalive=60):
        self.paho.connect("localhost", self.port, keepalive)
        self.paho.loop_start()
        code, self.session_present = self.connected.get(timeout=10)
        assert code == expect, f"CONNACK said {code}"
        return self


def handshake(hub, *fields):
    """The head of what the hub answers to a handshake, and the socket."""
    client = socket.create_connection(("127.0.0.1", hub.port), timeout=10)
    client.sendall(HANDSHAKE.format(port=hub.port, fields="".join(f"{field}\r\n" for field in fields)).encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = client.recv(4096)
        assert part, answer
        answer += part
    return answer, client


def frames(hub, **options):
    """A WebSocket whose frames a test writes by itself."""
    return websocket.create_connection(
        f"ws://127.0.0.1:{hub.port}/mqtt", subprotocols=["mqtt"], suppress_origin=True, timeout=10, **options
    )


def signed_in(device):
    wire = frames(device.hub)
    wire.send_binary(connect_packet(device.id, device.token))
    assert wire.recv() == CONNACK
    return wire


def close_code(wire):
    """Reads until the hub closes; the code that it gives."""
    while True:
        code, data = wire.recv_data()
        if code == websocket.ABNF.OPCODE_CLOSE:
            return struct.unpack("!H", data[:2])[0]


@pytest.mark.parametrize("version", [paho.MQTTv311, paho.MQTTv5], ids=["3.1.1", "5"])
def test_paho_over_websocket_publishes_and_hears_at_each_quality(device, version):
    with WebClient(device, "web", version) as client:
        client.subscribe(device.topic("note"), 2)
        for quality in (0, 1, 2):
            client.publish(device.topic("note"), str(quality), quality)
        assert [client.next()[1] for _ in range(3)] == [b"0", b"1", b"2"]
        client.publish(device.topic(), '{"value": 41.5, "at": 1795220639132}')
    eventually(lambda: [value for _, value in device.readings()] == [41.5], what="the reading")


@pytest.mark.parametrize("version", [paho.MQTTv311, paho.MQTTv5], ids=["3.1.1", "5"])
def test_paho_over_websocket_and_tls(data, tmp_path, version):
    hub = Hub(data, lan="linden").start().signed_in()
    try:
        device = hub.add_device()
        with WebClient(device, "web", version, ca=tls.authority(hub, tmp_path)) as client:
            client.publish(device.topic(), "41.5")
        eventually(lambda: [value for _, value in device.readings()] == [41.5], what="the reading")
    finally:
        hub.close()


def test_a_session_begun_over_websocket_goes_on_over_tcp(device):
    with WebClient(device, "both", clean=False) as client:
        client.subscribe(device.topic("note"), 1)
    with Client.of(device, client_id="speaker") as speaker:
        speaker.publish(device.topic("note"), "7")
    with Client.of(device, client_id="both", clean=False) as client:
        assert client.session_present
        assert client.next()[1] == b"7"


def test_a_client_over_websocket_takes_over_the_session_of_one_over_tcp(device):
    first = Client.of(device, client_id="one").connect()
    with WebClient(device, "one"):
        first.closed.get(timeout=10)
    first.paho.loop_stop()


def test_a_wrong_token_is_refused_with_the_connack_of_tcp(device):
    wire = frames(device.hub)
    wire.send_binary(connect_packet(device.id, "wrong"))
    assert wire.recv() == b"\x20\x02\x00\x04"
    assert close_code(wire) == 1000


def test_nobody_without_a_name_is_let_in(device):
    wire = frames(device.hub)
    wire.send_binary(connect_packet())
    assert wire.recv() == b"\x20\x02\x00\x05"


def test_a_text_frame_closes_the_connection_and_publishes_the_will(device):
    with Client.of(device, client_id="listener") as listener:
        listener.subscribe(device.topic("gone"))
        wire = frames(device.hub)
        body = text("MQTT") + bytes([4, 0xC6]) + struct.pack("!H", 60) + text("w") + text(device.topic("gone"))
        wire.send_binary(packet(0x10, body + text("yes") + text(device.id) + text(device.token)))
        assert wire.recv() == CONNACK
        wire.send(publish_packet(device.topic("note"), b"1").decode("latin-1"))
        assert close_code(wire) == 1003  # Unsupported data: RFC 6455, 7.4.1.
        assert listener.next()[1] == b"yes"


def test_a_handshake_without_the_subprotocol_is_refused_in_words(hub):
    for fields in ([], ["Sec-WebSocket-Protocol: chat, mqttv3.1"]):
        answer, client = handshake(hub, *fields)
        with client:
            answer += tls.rest(client)
        assert answer.startswith(b"HTTP/1.1 400") and "subprotocol “mqtt”".encode() in answer


def test_the_subprotocol_is_named_in_the_answer(hub):
    answer, client = handshake(hub, "Sec-WebSocket-Protocol: mqttv3.1, mqtt")
    client.close()
    assert answer.startswith(b"HTTP/1.1 101") and b"sec-websocket-protocol: mqtt\r\n" in answer.lower()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_page_of_another_origin_is_refused(hub, origin):
    answer, client = handshake(hub, f"Origin: {origin}", "Sec-WebSocket-Protocol: mqtt")
    client.close()
    assert answer.startswith(b"HTTP/1.1 403")


def test_a_page_of_the_hub_itself_is_let_in(hub):
    answer, client = handshake(hub, f"Origin: {hub.url}", "Sec-WebSocket-Protocol: mqtt")
    client.close()
    assert answer.startswith(b"HTTP/1.1 101")


def test_packets_cross_frames_and_frames_hold_several_packets(device):
    wire = frames(device.hub)
    stream = connect_packet(device.id, device.token)
    # A byte a frame, then a message in three fragments, then two packets in one frame.
    for byte in stream:
        wire.send_binary(bytes([byte]))
    assert wire.recv() == CONNACK
    publish = publish_packet(device.topic(), b"41.5", 1)
    for opcode, part, fin in [(2, publish[:3], 0), (0, publish[3:7], 0), (0, publish[7:], 1)]:
        wire.send_frame(websocket.ABNF(fin, 0, 0, 0, opcode, 1, part))
    assert wire.recv() == b"\x40\x02\x00\x01"
    wire.send_binary(publish_packet(device.topic(), b"42.5", 2) + publish_packet(device.topic(), b"43.5", 3))
    answers = b""
    while len(answers) < 8:
        answers += wire.recv()
    assert answers == b"\x40\x02\x00\x02\x40\x02\x00\x03"
    wire.close()
    eventually(lambda: [value for _, value in device.readings()] == [41.5, 42.5, 43.5], what="the readings")


def test_the_longest_packet_fits_in_a_frame(device):
    with Client.of(device, client_id="listener") as listener:
        listener.subscribe(device.topic("note"))
        wire = signed_in(device)
        room = 262_144 - 2 - len(device.topic("note")) - 2
        wire.send_binary(publish_packet(device.topic("note"), b"x" * room, 1))
        assert wire.recv() == b"\x40\x02\x00\x01"
        assert len(listener.next()[1]) == room


def test_a_frame_too_large_closes_the_connection(device):
    wire = signed_in(device)
    wire.sock.sendall(bytes([0x82, 0xFF]) + struct.pack("!Q", 262_150) + bytes(4))
    assert close_code(wire) == 1009  # Message too big.


def test_who_has_not_signed_in_may_not_begin_a_long_frame(device):
    wire = frames(device.hub)
    wire.sock.sendall(bytes([0x82, 0xFF]) + struct.pack("!Q", 250_000) + bytes(4))
    sent = 0
    while not select.select([wire.sock], [], [], 0.05)[0]:
        wire.sock.sendall(b"x" * 12_000)
        sent += 12_000
        assert sent < 100_000, "a CONNECT has 16,384 bytes at most"
    assert close_code(wire) == 1009


def test_a_frame_without_a_mask_is_a_protocol_error(device):
    wire = signed_in(device)
    wire.sock.sendall(bytes([0x82, 2]) + b"\xc0\x00")
    assert close_code(wire) == 1002


def test_a_ping_of_the_websocket_is_answered_and_disconnect_closes_in_order(device):
    wire = signed_in(device)
    wire.ping(b"there?")
    assert wire.recv_data_frame(control_frame=True)[1].data == b"there?"
    wire.send_binary(b"\xe0\x00")
    assert close_code(wire) == 1000


def test_a_client_that_goes_right_after_its_last_packet_is_heard(device):
    wire = signed_in(device)
    wire.send_binary(publish_packet(device.topic(), b"41.5"))
    wire.sock.close()
    eventually(lambda: [value for _, value in device.readings()] == [41.5], what="the reading")


def test_a_hub_that_stops_says_so_to_clients_over_websocket(device):
    wire = signed_in(device)
    assert device.hub.terminate() == 0
    assert close_code(wire) == 1000


def test_a_subscriber_over_websocket_that_reads_nothing_holds_up_nobody(device):
    slow = signed_in(device)
    slow.send_binary(packet(0x82, b"\x00\x01" + text(device.topic("note")) + b"\x00"))
    assert slow.recv()[:1] == b"\x90"
    before = device.hub.resident_bytes()
    with Client.of(device, client_id="speaker") as speaker:
        for _ in range(400):
            speaker.publish(device.topic("note"), b"x" * 100_000)
    assert device.hub.resident_bytes() - before < 64 << 20
    with Client.of(device, client_id="other") as other:
        other.publish(device.topic(), "41.5")
    slow.sock.close()


def test_a_thousand_readings_over_websocket_are_acknowledged_in_order(device):
    wire = signed_in(device)
    for number in range(1, 1001):
        wire.send_binary(publish_packet(device.topic(), b"41.5", number))
    heard = b""
    while len(heard) < 4_000:
        heard += wire.recv()
    assert heard == b"".join(b"\x40\x02" + struct.pack("!H", number) for number in range(1, 1001))
    wire.close()


def test_tcp_is_spoken_beside_it(device):
    wire = Wire(device.hub, device.id, device.token)
    wire.send(publish_packet(device.topic(), b"41.5", 9))
    assert wire.acknowledgement() == 9
    wire.close()
