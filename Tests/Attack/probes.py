"""What a probe is, and how probes are played: each by itself, in bounded time, with one line that says how it went."""

import dataclasses
import importlib
import pathlib
import signal
import time
import traceback

# In the order in which they are played: what others need last is tried last.
AREAS = [
    path.stem for path in sorted((pathlib.Path(__file__).parent / "areas").glob("*.py")) if path.stem != "__init__"
]
LONGEST = 180  # seconds that one probe may take

probes = []


class Broken(Exception):
    """The promise was not held; the text is what was seen instead."""


class Unplayable(Exception):
    """The probe cannot be played here, such as without a network namespace; the text says why."""


@dataclasses.dataclass
class Probe:
    area: str
    name: str
    promise: str
    play: object


def probe(name, promise):
    """Registers a probe: a function of the ground that returns a figure in words, or raises Broken.

    name: what is tried. promise: the sentence of docs/site/reference/security.md that it shows.
    """

    def register(function):
        probes.append(Probe(function.__module__.rpartition(".")[2], name, promise, function))
        return function

    return register


def hold(condition, seen):
    """Raises Broken with what was seen unless the condition holds."""
    if not condition:
        raise Broken(seen)


def load():
    for area in AREAS:
        importlib.import_module(f"areas.{area}")


def _too_long(*_):
    raise Broken(f"not done after {LONGEST} s")


def play(probe, ground):
    """(held, what was seen, seconds); held is None where it could not be played."""
    begun = time.monotonic()
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LONGEST)
    try:
        return True, probe.play(ground) or "", time.monotonic() - begun
    except Broken as broken:
        return False, str(broken), time.monotonic() - begun
    except Unplayable as reason:
        return None, str(reason), time.monotonic() - begun
    except Exception as error:  # A probe that fails shows nothing, which is no reason to believe the promise.
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{pathlib.Path(place.filename).name}:{place.lineno}"
        return False, f"the probe failed: {type(error).__name__}: {error} ({where})", time.monotonic() - begun
    finally:
        signal.alarm(0)
        ground.tidy()
