"""Improv Wi-Fi over a serial line (improv-wifi.com/serial), and the command that names a hub."""


def packet(kind, data):
    body = b"IMPROV" + bytes([1, kind, len(data)]) + data
    return body + bytes([sum(body) & 0xFF]) + b"\n"


def texts(number, *words):
    data = b"".join(bytes([len(word)]) + word for word in words)
    return packet(3, bytes([number, len(data)]) + data)


def hub_command(host, port, device, token, key=None):
    words = [host.encode(), str(port).encode(), device.encode(), token.encode()]
    return texts(0xE0, *words, *([key] if key else []))


def wifi_command(ssid=b"House", password=b"sesame open"):
    return texts(1, ssid, password)


#: What a device answers: it joins, it is set up, and the result of the command.
PROVISIONING, PROVISIONED = packet(1, b"\x03"), packet(1, b"\x04")
ASK_STATE, READY = packet(3, b"\x02\x00"), packet(1, b"\x02")
INVALID = packet(2, b"\x01")
