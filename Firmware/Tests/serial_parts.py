"""The modules on the serial lines: Espressif's ESP8266 with its AT firmware, and the EMIC 2 that speaks."""

import re
import socket
import threading


class Module:
    def __init__(self, line):
        self.line = line
        self.pending = bytearray()
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        line.listener = self.take
        with line.changed:
            early = bytes(line.received)
        if early:
            self.take(early)

    def say(self, data):
        try:
            self.line.send(data if isinstance(data, bytes) else data.encode("latin1"))
        except OSError:
            pass

    def wait_for(self, condition, within=30.0, what="it"):
        with self.changed:
            assert self.changed.wait_for(condition, within), f"{what} did not happen within {within} s: {vars(self)}"
            return condition()


class ESP8266(Module):
    """The AT commands that our driver uses (ESP8266 AT Instruction Set, version 3.0). Its network is this machine's."""

    def __init__(self, line, ssid=b"House", password=b"sesame open", ports=None):
        self.ssid, self.password = ssid, password
        #: Where a connection to a port leads instead.
        self.ports = ports or {}
        self.commands, self.opened, self.sent = [], [], bytearray()
        self.is_joined, self.connection, self.payload_left = False, None, 0
        self.payload = bytearray()
        self.echoes = True
        self.has_no_access_point = False
        self.resets_in_answer_to = None
        self.visitor = None
        self.is_access_point = False
        super().__init__(line)

    def take(self, piece):
        with self.changed:
            self.pending += piece
            while self.pending:
                if self.payload_left:
                    taken = bytes(self.pending[: self.payload_left])
                    del self.pending[: len(taken)]
                    self.payload += taken
                    self.payload_left -= len(taken)
                    if not self.payload_left:
                        self.forward(bytes(self.payload))
                        self.payload.clear()
                    continue
                end = self.pending.find(b"\n")
                if end < 0:
                    break
                line = bytes(self.pending[:end]).rstrip(b"\r")
                del self.pending[: end + 1]
                if self.echoes:
                    self.say(line + b"\r\r\n")
                self.obey(line)
            self.changed.notify_all()

    def obey(self, line):
        self.commands.append(line)
        if self.resets_in_answer_to and line.startswith(self.resets_in_answer_to):
            # The supply dips in the middle of the answer.
            self.resets_in_answer_to = None
            self.say(b"\r\nO")
            return self.restart()
        if line == b"AT+RST":
            self.say("\r\nOK\r\n")
            return self.restart()
        if line == b"ATE0":
            self.echoes = False
        if line.startswith(b"AT+CWMODE_CUR="):
            self.is_access_point = line[-1:] in b"23"
        if line in (b"AT", b"ATE0") or line.startswith((b"AT+CWMODE_CUR=", b"AT+CWSAP_CUR=")):
            return self.say("\r\nOK\r\n")
        if line == b"AT+CWLIF":
            visitor = f"{self.visitor[0]},5c:cf:7f:01:02:03\r\n" if self.visitor and self.is_access_point else ""
            return self.say(f"{visitor}\r\nOK\r\n")
        if line.startswith(b"AT+CWJAP_CUR="):
            ssid, password = (re.sub(rb"\\(.)", rb"\1", word) for word in re.findall(rb'"((?:[^"\\]|\\.)*)"', line)[:2])
            if self.has_no_access_point or ssid != self.ssid:
                return self.say("+CWJAP:3\r\n\r\nFAIL\r\n")
            if password != self.password:
                return self.say("+CWJAP:2\r\n\r\nFAIL\r\n")
            self.is_joined = True
            return self.say("WIFI CONNECTED\r\nWIFI GOT IP\r\n\r\nOK\r\n")
        if line.startswith(b'AT+CIPSTART="TCP",'):
            return self.open(line)
        if line.startswith(b"AT+CIPSEND="):
            if not self.connection:
                return self.say("link is not valid\r\n\r\nERROR\r\n")
            self.payload_left = int(line[11:])
            return self.say("\r\nOK\r\n> ")
        if line == b"AT+CIPCLOSE":
            if not self.connection:
                return self.say("\r\nERROR\r\n")
            self.hang_up()
            return self.say("CLOSED\r\n\r\nOK\r\n")
        self.say("\r\nERROR\r\n")

    def power_on(self):
        """The supply comes on: what was begun is forgotten."""
        with self.lock:
            self.pending.clear()
            self.restart()

    def restart(self):
        """The module starts anew, by command or by itself."""
        with self.lock:
            self.hang_up()
            self.is_joined, self.echoes, self.payload_left = False, True, 0
            self.payload.clear()
            self.say("\r\n ets Jan  8 2013,rst cause:2\r\n\r\nready\r\n")

    def open(self, line):
        host, port = re.search(rb'"TCP","([^"]*)",(\d+)', line).groups()
        host, port = host.decode(), int(port)
        is_visitor = self.visitor and host == self.visitor[0]
        self.opened.append((host, port))
        if not self.is_joined and not is_visitor:
            return self.say("no ip\r\n\r\nERROR\r\n")
        address = self.visitor[1] if is_visitor else self.ports.get(port, (host, port))
        try:
            connection = socket.create_connection(address, timeout=10)
        except OSError:
            return self.say("\r\nERROR\r\nCLOSED\r\n")
        connection.settimeout(None)
        self.connection = connection
        self.say("CONNECT\r\n\r\nOK\r\n")
        threading.Thread(target=self.relay, args=(connection,), daemon=True).start()

    def relay(self, connection):
        while True:
            try:
                piece = connection.recv(1460)
            except OSError:
                piece = b""
            with self.changed:
                if connection is not self.connection:
                    return
                if not piece:
                    self.hang_up()
                    self.say("CLOSED\r\n")
                    self.changed.notify_all()
                    return
                self.say(b"\r\n+IPD,%d:" % len(piece) + piece)

    def forward(self, payload):
        self.say(f"Recv {len(payload)} bytes\r\n")
        self.sent += payload
        try:
            self.connection.sendall(payload)
            self.say("\r\nSEND OK\r\n")
        except (OSError, AttributeError):
            self.say("\r\nSEND FAIL\r\n")

    def hang_up(self):
        connection, self.connection = self.connection, None
        if connection:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()


class EMIC2(Module):
    """Grand Idea Studio's EMIC 2 (#30016, version 1.2): a colon when it is ready, a full stop when it was stopped."""

    def __init__(self, line):
        self.spoken, self.settings, self.unknown = [], {}, []
        self.is_speaking = False
        #: Whether each text is at its end as soon as it was said.
        self.is_quick = False
        super().__init__(line)
        self.say(":")

    def take(self, piece):
        with self.changed:
            self.pending += piece
            while (end := self.pending.find(b"\n")) >= 0:
                line = bytes(self.pending[:end]).strip(b"\r")
                del self.pending[: end + 1]
                self.obey(line)
            self.changed.notify_all()

    def obey(self, line):
        kind, rest = line[:1], line[1:]
        if self.is_speaking:
            if kind == b"X":
                self.is_speaking = False
                self.say(".:")
            return
        if kind == b"S" and len(rest) <= 1023:
            self.spoken.append(rest.decode("latin1"))
            if not self.is_quick:
                self.is_speaking = True
                return
        if kind in (b"N", b"V", b"W", b"L", b"P"):
            self.settings[kind] = int(rest)
        elif line:
            self.unknown.append(line)
            return self.say("?:")
        self.say(":")

    def fall_silent(self):
        """The text was spoken to its end."""
        with self.lock:
            if self.is_speaking:
                self.is_speaking = False
                self.say(":")
