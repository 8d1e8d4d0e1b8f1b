"""A hub under load that is killed with SIGKILL at random points, again and again, also with its disk full and with writes that
fail. `make torture` plays a thousand rounds."""

import contextlib
import errno
import os
import pathlib
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

import pytest

from hub import Hub
from torture import Load

ROUNDS = int(os.environ.get("TANDEM_TORTURE_ROUNDS", "8"))
# Of the rounds with a disk that is full, or fails.
BAD_ROUNDS = max(4, ROUNDS // 4)
SEED = os.environ.get("TANDEM_TORTURE_SEED")


@pytest.fixture
def chance():
    seed = int(SEED) if SEED else random.SystemRandom().getrandbits(32)
    print(f"seed {seed}: TANDEM_TORTURE_SEED={seed} plays the same plan again")
    return random.Random(seed)


@pytest.mark.timeout(120 + 10 * ROUNDS)
def test_kill_9_under_load_keeps_every_acknowledged_message_qos_2_once_and_all_sessions(data, chance):
    hub = Hub(data).start().signed_in()
    load = Load(hub, chance)
    journaled = 0
    for round_ in range(ROUNDS):
        load.play(chance.randrange(1, 400))
        # In every eighth round many series are read at once, and what is killed is the journal of their readings.
        if round_ % 8 == 4:
            load.burst(chance.randrange(300, load.BURST))
        hub.kill()
        journaled += journaled_readings(data)
        load.drain()
        hub.start()
        load.check_kept(f"round {round_}")
        load.resume()
    load.finish("at the end")
    # A burst in eight rounds, and some are in their rows before the kill: few rounds may all miss.
    assert journaled or ROUNDS < 100, "no hub was killed with readings in its journal"
    print(f"{ROUNDS} kills: {load}")


def journaled_readings(data):
    """How many rows of readings wait in the journal of a hub that was killed. Asks a copy, so that nothing is mended."""
    with tempfile.TemporaryDirectory() as folder:
        for file in pathlib.Path(data).glob("tandem.sqlite*"):
            shutil.copy(file, folder)
        with contextlib.closing(sqlite3.connect(f"{folder}/tandem.sqlite")) as database:
            return database.execute("SELECT count(*) FROM reading_journal").fetchone()[0]


class FailingWrites:
    """The library that makes a hub's writes fail, and its switch."""

    def __init__(self, library, switch):
        self.switch = switch
        self.fail(0)
        self.wrapper = ["env", f"LD_PRELOAD={library}", f"FAILING_WRITES={switch}"]

    def fail(self, one_in, error=0):
        """One of so many writes fails from now on; none of zero."""
        with open(self.switch, "r+b" if self.switch.exists() else "wb") as file:
            file.write(struct.pack("=II", one_in, error))


@pytest.fixture
def failing(tmp_path):
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler or not sys.platform.startswith("linux"):
        pytest.skip("no C compiler, or no Linux")
    library = tmp_path / "failing_writes.so"
    source = pathlib.Path(__file__).parent / "failing_writes.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return FailingWrites(library, tmp_path / "switch")


def play_bad_rounds(hub, load, spoil, mend, play):
    """Under load its disk fails, and works again: every other time the hub dies with it, the other times it goes on."""
    for round_ in range(BAD_ROUNDS):
        spoil()
        play()
        dies = round_ % 2 == 0
        if dies:
            hub.kill()
        mend()
        if dies:
            load.drain()
            hub.start()
            load.resume()
        load.play(20, may_close=True)
        load.check_kept(f"round {round_}")
    load.come_back()
    load.finish("at the end")


@pytest.mark.timeout(120 + 20 * BAD_ROUNDS)
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC], ids=["errors", "no-space"])
def test_writes_that_fail_at_random_cost_connections_and_nothing_that_was_acknowledged(data, failing, chance, error):
    hub = Hub(data)
    hub.wrapper = failing.wrapper
    hub.start().signed_in()
    load = Load(hub, chance)
    play_bad_rounds(
        hub,
        load,
        spoil=lambda: failing.fail(chance.randrange(2, 60), error),
        mend=lambda: failing.fail(0),
        play=lambda: load.play(chance.randrange(1, 300), may_close=True, within=4),
    )
    assert "could not be stored" in hub.log, "no write failed"
    print(f"{BAD_ROUNDS} rounds of writes that fail: {load}")


@pytest.mark.timeout(120 + 20 * BAD_ROUNDS)
def test_a_disk_that_fills_up_costs_connections_and_nothing_that_was_acknowledged(prepared, small_disk, chance):
    data = small_disk / "data"
    shutil.copytree(prepared, data)
    hub = Hub(data).start().signed_in()
    load = Load(hub, chance)
    ballast = small_disk / "ballast"

    def fill():
        free = shutil.disk_usage(small_disk).free
        ballast.write_bytes(bytes(max(free - 4_096 * chance.randrange(1, 40), 0)))

    try:
        play_bad_rounds(
            hub,
            load,
            spoil=fill,
            mend=ballast.unlink,
            play=lambda: load.play(2_000, may_close=True, within=2),
        )
        assert "could not be stored" in hub.log, "the disk did not fill"
    finally:
        hub.close()
    print(f"{BAD_ROUNDS} rounds with a disk that fills up: {load}")
