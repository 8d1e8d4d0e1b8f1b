"""MQTT clients for the tests: Paho's, mosquitto's two commands, and bare packets where a client is too polite."""

import queue
import socket
import struct
import subprocess

import paho.mqtt.client as paho


class Client:
    """Paho's client with its callbacks turned into queues that a test can wait on."""

    def __init__(self, hub, user=None, password=None, client_id="", clean=True):
        self.hub = hub
        self.paho = paho.Client(
            paho.CallbackAPIVersion.VERSION2, client_id=client_id, clean_session=clean, protocol=paho.MQTTv311,
            reconnect_on_failure=False,
        )  # fmt: skip
        if user is not None:
            self.paho.username_pw_set(user, password)
        self.messages, self.connected, self.closed = queue.Queue(), queue.Queue(), queue.Queue()
        self.granted, self.acknowledged = queue.Queue(), queue.Queue()
        self.paho.on_connect = lambda _, __, flags, code, ___: self.connected.put((code.value, flags.session_present))
        self.paho.on_disconnect = lambda _, __, ___, code, ____: self.closed.put(code)
        self.paho.on_message = lambda _, __, message: self.messages.put(message)
        self.paho.on_subscribe = lambda _, __, ___, codes, ____: self.granted.put([code.value for code in codes])
        self.paho.on_publish = lambda _, __, identifier, *___: self.acknowledged.put(identifier)

    @classmethod
    def of(cls, device, **options):
        return cls(device.hub, device.id, device.token, **options)

    def connect(self, expect=0, keepalive=60):
        self.paho.connect(getattr(self.hub, "mqtt_host", "127.0.0.1"), self.hub.mqtt_port, keepalive)
        self.paho.loop_start()
        code, self.session_present = self.connected.get(timeout=10)
        if expect is not None:
            assert code == expect, f"CONNACK said {code}"
        return self

    def subscribe(self, topic, quality=1):
        self.paho.subscribe(topic, quality)
        return self.granted.get(timeout=10)

    def publish(self, topic, payload, quality=1, retain=False):
        """Publishes; at QoS 1 returns after the PUBACK."""
        handle = self.paho.publish(topic, payload, quality, retain)
        if quality:
            # Paho tells of messages of QoS 0 here too, once they are sent.
            while self.acknowledged.get(timeout=10) != handle.mid:
                pass
        return self

    def next(self, within=10):
        message = self.messages.get(timeout=within)
        return message.topic, message.payload, message.retain

    def disconnect(self):
        self.paho.disconnect()
        self.paho.loop_stop()

    def vanish(self):
        """Breaks the connection without DISCONNECT, as a sensor out of reach does."""
        self.paho.socket().shutdown(socket.SHUT_RDWR)
        self.paho.loop_stop()

    def __enter__(self):
        return self.connect()

    def __exit__(self, *_):
        self.disconnect()


def mosquitto_pub(device, *arguments, token=None, check=True):
    result = subprocess.run(
        [
            "mosquitto_pub", "-h", "127.0.0.1", "-p", str(device.hub.mqtt_port), "-u", device.id,
            "-P", token or device.token, *arguments,
        ],
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    if check:
        assert result.returncode == 0, result.stderr
    return result


class mosquitto_sub:
    """The command, running; a context that gives its lines as they come."""

    def __init__(self, device, *arguments):
        self.command = [
            "stdbuf", "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", str(device.hub.mqtt_port), "-u", device.id,
            "-P", device.token, "-d", *arguments,
        ]  # fmt: skip

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.until("SUBACK")
        return self

    def until(self, text):
        """The next line that contains text, of the ones that the command prints about packets and messages."""
        for line in self.process.stdout:
            if text in line:
                return line.rstrip("\n")
        raise AssertionError(f"mosquitto_sub ended before it printed {text!r}")

    def __exit__(self, *_):
        # Asked, then ended: its handler of SIGTERM prints and disconnects, which waits for ever on a lock that the program
        # itself held when the signal came, in the middle of a packet (mosquitto 2.0.11, client/sub_client.c).
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)


# Bare packets.


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("!H", len(data)) + data


def packet(head, body):
    length, size = bytearray(), len(body)
    while True:
        digit, size = size % 128, size // 128
        length.append(digit | (0x80 if size else 0))
        if not size:
            return bytes([head]) + bytes(length) + body


def connect_packet(user=None, password=None, client_id="", keepalive=60, clean=True):
    flags, body = 2 if clean else 0, text(client_id)
    if user is not None:
        flags |= 0xC0
        body += text(user) + text(password)
    return packet(0x10, text("MQTT") + bytes([4, flags]) + struct.pack("!H", keepalive) + body)


def publish_packet(topic, payload, identifier=None, retain=False):
    if identifier is None:
        return packet(0x30 | retain, text(topic) + payload)
    return packet(0x32 | retain, text(topic) + struct.pack("!H", identifier) + payload)


class Wire:
    """A socket that speaks packets and keeps no promise of its own."""

    def __init__(self, hub, user=None, password=None, connect=True, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(10)
        self.socket.connect((getattr(hub, "mqtt_host", "127.0.0.1"), hub.mqtt_port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffered = b""
        if connect:
            self.send(connect_packet(user, password))
            assert self.exactly(4) == b"\x20\x02\x00\x00"

    def send(self, data):
        self.socket.sendall(data)

    def exactly(self, count):
        while len(self.buffered) < count:
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError("closed")
            self.buffered += data
        data, self.buffered = self.buffered[:count], self.buffered[count:]
        return data

    def acknowledgement(self):
        """The packet identifier of the next PUBACK."""
        data = self.exactly(4)
        assert data[:2] == b"\x40\x02", data
        return struct.unpack("!H", data[2:])[0]

    def is_closed_without_a_word(self):
        """Reads until the end; True if nothing came before it."""
        try:
            return self.socket.recv(65536) == b"" and not self.buffered
        except ConnectionResetError:
            return True

    def close(self):
        self.socket.close()
