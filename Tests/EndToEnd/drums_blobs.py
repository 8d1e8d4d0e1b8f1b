"""Drum sessions as a page sends them, made outside of the engine: the codec of Companions/Drums/Engine/Session."""

import secrets
import struct

START, CUE, MESSAGE, STRIKE, PAUSE, RESUME, LOST, BACK, OPENED, STOP, FINISH = range(1, 12)
ENGINE = 1
SCREEN, KEYBOARD, BLUETOOTH, WIFI = range(4)
BEAT = 500_000  # microseconds


def setup(person, identifier, *, beats=8, link=BLUETOOTH, latency=0, title="Ode to Joy", drums=0b0001, mode=0):
    """A song of so many beats at 120 a minute. With one drum active, it is always that one that is asked for.
    `latency`: what tapping found of the link, tenths of a millisecond."""
    out = identifier
    for text in (person,):
        out += bytes([len(text)]) + text.encode()
    out += struct.pack("<h", 0)
    for text in ("ode-to-joy", title):
        out += bytes([len(text.encode())]) + text.encode()
    out += struct.pack("<BBBBIBHB", 1, mode, 0, drums, 7, link, latency, 0)
    out += struct.pack("<hHH", 0, 200, 600) + struct.pack("<IBB", 0, 0, 10)
    out += struct.pack("<BB", 1, 1) + struct.pack("<HI", 0, BEAT)
    steps = bytearray((beats + 7) // 8)
    for step in range(beats):
        steps[step // 8] |= 1 << step % 8
    return out + struct.pack("<H", beats) + bytes(steps) + bytes([100])


def head(person, *, identifier=None, engine=ENGINE, **more):
    return b"TDR\x01" + struct.pack("<H", engine) + setup(person, identifier or secrets.token_bytes(16), **more)


def body(events):
    out, before = b"", 0
    for kind, moment, rest in events:
        out += struct.pack("<BI", kind, moment - before) + rest
        before = moment
    return out


def blob(person, events, **more):
    """A session of these events: (kind, microseconds since the start, what goes with it)."""
    return head(person, **more) + body(events)


def start(at):
    return (START, 0, struct.pack("<q", at))


def message(text, moment):
    data = text if isinstance(text, bytes) else text.encode()
    return (MESSAGE, moment, bytes([len(data)]) + data)


def beat(step, text="0 400 3.20", *, due=None):
    """A cue, the kit's answer to it in one notification and a NUL, and its END. Before the first step there is a breath
    of one."""
    due = (step + 1) * BEAT + 2_000 if due is None else due
    return [(CUE, due, struct.pack("<H", step)), message(text + "\0", due + 420_000), message("END", due + 421_000)]


def finish(moment, right, answered, median=4_000):
    return (FINISH, moment, struct.pack("<HHI", right, answered, median))


def session(person, at, answered=8, *, beats=8, isFinished=True, claim=None, identifier=None, more=(), **setup):
    """A session whose first beats were answered in 400 ms each; then what more there is."""
    events = [start(at)]
    for step in range(answered):
        events += beat(step)
    events += list(more)
    if isFinished:
        events.append(finish(events[-1][1] + 300_000, *(claim or (answered, answered))))
    return blob(person, events, beats=beats, identifier=identifier, **setup)
