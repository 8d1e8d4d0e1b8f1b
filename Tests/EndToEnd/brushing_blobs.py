"""Sessions of brushing as the phone sends them, made outside of the engine: the codec of Companions/Brushing/Engine."""

import secrets
import struct

ORIGINAL = [(0, 4, 30, True), (1, 1, 60, True), (2, 1, 30, True)]  # kind, repetitions, seconds, on
TICK, PAUSE, RESUME, STOP, FINISH, START = 0, 1, 2, 4, 5, 6
ENGINE = 1


def blob(person, start, events, claim=(0, 0, 0), flags=0, *, routine=ORIGINAL, identifier=None):
    """A session of these events, (kind, milliseconds since the start). The claim is that of a finish."""
    name = person.encode()
    out = b"TBR\x01" + struct.pack("<H", ENGINE) + (identifier or secrets.token_bytes(16))
    out += bytes([len(name)]) + name + struct.pack("<h", 0)
    out += bytes([len(routine)]) + b"".join(struct.pack("<BBhB", *step) for step in routine)
    for kind, moment in events:
        out += struct.pack("<Bqq", kind, start + moment, moment)
        if kind == FINISH:
            out += struct.pack("<iiiB", *claim, flags)
    return out


def session(person, start, seconds=210, *, claim=None, routine=ORIGINAL, end=FINISH, identifier=None):
    """A session that went on without a pause for so many seconds from start, UTC milliseconds. claim: what the phone
    says of it, (brush, floss, rinse) in milliseconds."""
    events = [(START, 0), (end, seconds * 1000)]
    return blob(person, start, events, claim or (120_000, 60_000, 30_000), 3, routine=routine, identifier=identifier)


def deliver(hub, person, start, seconds=210, **more):
    """Delivers one, and returns what the hub made of it."""
    blob = session(person, start, seconds, **more)
    return hub.request("POST", "/api/brushing/sessions", blob, {"Content-Type": "application/octet-stream"})[1]
