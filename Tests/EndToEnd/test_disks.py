"""Disks that lie, give no locks, or have lost a part of the database: what the hub and `tandem doctor` say, and do."""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import urllib.error
import urllib.request

import pytest
from hub import TANDEM, Hub, eventually, free_port, tandem
from mqtt import Client


@pytest.fixture(scope="session")
def preloaded(tmp_path_factory):
    """Gives what a command begins with, so that its disk is another one."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        pytest.skip("there is no C compiler")
    library = tmp_path_factory.mktemp("locks") / "lying_locks.so"
    source = pathlib.Path(__file__).parent / "lying_locks.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return lambda **settings: ["env", f"LD_PRELOAD={library}", *(f"{name}={value}" for name, value in settings.items())]


def findings(data, wrapper=()):
    result = subprocess.run(
        [*wrapper, TANDEM, "doctor", "--data", data, "--json", "--port", str(free_port()), "--mqtt-port", str(free_port())],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return {finding["check"]: finding for finding in json.loads(result.stdout)["findings"]}


def wrapped(data, wrapper):
    hub = Hub(data)
    hub.wrapper = [*hub.wrapper, *wrapper]
    return hub


def refused(data, wrapper=()):
    """What a second hub says that does not come in."""
    hub = wrapped(data, wrapper).launch()
    assert hub.wait(60) == 1, hub.log
    return hub.log


# Locks


def test_where_locks_are_given_to_everybody_a_second_hub_is_still_kept_out(data, preloaded):
    lie = preloaded(LOCKS="lie")
    first = wrapped(data, lie).start().signed_in()
    try:
        assert "Another hub is running on" in refused(data, lie)
        found = findings(data, lie)
        assert found["locks"]["grade"] == "fault" and "keep nobody out" in found["locks"]["sentence"], found["locks"]
        assert f"process {first.process.pid}" in found["locks"]["sentence"]
        assert first.get("/api/people")
    finally:
        first.close()
    # The mark of one that ended, in order or not, keeps nobody out.
    again = wrapped(data, lie).start()
    again.kill()
    wrapped(data, lie).start().close()


def test_a_disk_without_locks_is_not_taken_for_another_hub(data, preloaded):
    said = refused(data, preloaded(LOCKS="none"))
    assert "gives no locks" in said and "No locks available" in said and "Another hub" not in said, said
    found = findings(data, preloaded(LOCKS="none"))
    assert found["locks"]["grade"] == "fault" and "No locks available" in found["locks"]["sentence"]
    assert "locks" not in findings(data)


@pytest.mark.parametrize("number, name", [("6969", "nfs"), ("FF534D42", "cifs"), ("1021997", "9p")])
def test_a_network_disk_is_known_by_its_number_where_the_mounts_do_not_show_it(data, preloaded, number, name):
    found = findings(data, preloaded(FILE_SYSTEM=number))["disk-kind"]
    assert found["grade"] == "fault" and f"network disk ({name}" in found["sentence"]
    hub = wrapped(data, preloaded(FILE_SYSTEM=number)).start()
    try:
        assert f"network disk ({name}" in hub.log
    finally:
        hub.close()


def test_a_hub_on_another_machine_is_seen_by_its_mark_that_counts_on(data, preloaded):
    """Its locks are its own machine's; what both see is the file."""
    network = preloaded(FILE_SYSTEM="6969", LOCKS="lie")
    first = wrapped(data, network).start()
    try:
        lock = data / "tandem.lock"
        mark = json.loads(lock.read_text())
        eventually(lambda: json.loads(lock.read_text())["beat"] > mark["beat"], 20, "the next beat")
    finally:
        first.close()
    # Another machine's: it counts on from here, as its hub would.
    foreign = mark | {"boot": "another", "host": "oak", "isOver": False, "token": "theirs"}
    lock.write_text(json.dumps(foreign))
    second = wrapped(data, network).launch()

    def count_on():
        foreign["beat"] += 1
        lock.write_text(json.dumps(foreign))
        return second.process.poll() is not None

    eventually(count_on, 60, "the refusal")
    second.reader.join(2)
    assert "on the machine “oak”" in second.log, second.log
    # One that counts no more has ended.
    wrapped(data, network).start().close()


def test_a_hub_that_another_one_has_driven_out_ends_and_says_so(data, preloaded):
    first = wrapped(data, preloaded(FILE_SYSTEM="6969", LOCKS="lie")).start()
    lock = data / "tandem.lock"
    mark = json.loads(lock.read_text())
    lock.write_text(json.dumps(mark | {"token": "theirs", "host": "oak", "boot": "another"}))
    assert first.wait(30) == 1
    assert "Another hub has taken" in first.log, first.log


# Damage


def damage(data, table, bytes=2_048):
    """Overwrites the first page of a table, as a disk that wears out does."""
    connection = sqlite3.connect(data / "tandem.sqlite")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    [[root]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
    [[size]] = connection.execute("PRAGMA page_size")
    connection.close()
    with open(data / "tandem.sqlite", "r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xa5" * bytes)


def storage_fault(hub):
    return hub.get("/api/session")["hub"].get("storageFault")


@pytest.mark.parametrize("table", ["idempotency_key", "mqtt_retained", "mqtt_queue", "failed_sign_in", "outbound_call"])
def test_a_table_that_nobody_misses_is_made_anew_where_it_is_damaged(data, table):
    damage(data, table)
    hub = Hub(data).start().signed_in()
    try:
        assert "made anew" in hub.log and table in hub.log, hub.log
        device = hub.add_device()
        with Client.of(device) as client:
            client.publish(device.topic(), "41.5", retain=True)
        assert device.value() == 41.5
    finally:
        hub.close()
    found = findings(data)
    assert found["database"]["grade"] == "well", found["database"]
    connection = sqlite3.connect(data / "tandem.sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_damage_that_nobody_has_come_upon_is_found_after_the_start(data):
    damage(data, "reading_block")
    hub = Hub(data).start().signed_in()
    try:
        eventually(lambda: storage_fault(hub) == "damaged", 30, "the damage")
        assert "a part of the database is damaged" in hub.log and "reading_block" in hub.log, hub.log
        assert hub.request("GET", "/healthz")[0] == 200, "what can be stored is stored"
    finally:
        hub.close()


def test_a_database_cut_short_is_told_also_where_a_log_is_beside_it(data):
    hub = Hub(data).start()
    hub.kill()
    log = data / "tandem.sqlite-wal"
    assert log.exists()
    connection = sqlite3.connect(data / "tandem.sqlite")
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    kept = log.read_bytes()
    connection.close()
    log.write_bytes(kept[:32])
    database = data / "tandem.sqlite"
    with open(database, "r+b") as file:
        file.truncate(database.stat().st_size - 3 * 4096)
    assert "cut short" in refused(data)
    assert "cut short" in findings(data)["database-file"]["sentence"]


def test_a_database_that_was_emptied_is_no_new_hub_and_nothing_is_written_over_it(data):
    hub = Hub(data).start()
    hub.kill()
    log = data / "tandem.sqlite-wal"
    kept = log.read_bytes()
    (data / "tandem.sqlite").write_bytes(b"")
    assert "it is empty, though a hub was here" in refused(data)
    assert "it is empty" in findings(data)["database-file"]["sentence"]
    assert log.read_bytes() == kept and (data / "tandem.sqlite").stat().st_size == 0


@pytest.mark.parametrize("command", [["device", "list"], ["export", "everything", "/tmp/none.zip"], ["user", "list"]])
def test_a_command_on_a_damaged_database_says_what_to_do(data, command):
    for table in ("device", "person", "household"):
        damage(data, table)
    result = tandem(*command, "--data", data, check=False)
    assert result.returncode in (1, 64), result
    if result.returncode == 1:
        assert "is damaged" in result.stderr and "SQLite error 11" not in result.stderr, result.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["device", "list"],
        ["user", "add", "--name", "Ines", "--email", "ines@example.org"],
        ["export", "everything", "/tmp/none.zip"],
        ["seal"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_command_makes_no_new_database_of_an_emptied_one(data, command):
    hub = Hub(data).start()
    hub.kill()
    (data / "tandem.sqlite").write_bytes(b"")
    result = tandem(*command, "--data", data, check=False)
    assert result.returncode in (1, 64) and "empty" in result.stderr, result
    assert (data / "tandem.sqlite").stat().st_size == 0


# Health


def health(hub):
    try:
        with urllib.request.urlopen(f"{hub.url}/healthz", timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_health_is_503_while_nothing_can_be_stored_and_200_when_it_can(prepared, small_disk):
    data = small_disk / "data"
    shutil.copytree(prepared, data)
    hub = Hub(data).start()
    try:
        assert health(hub) == (200, {"status": "ok"})
        filler = small_disk / "filler"
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        status, said = eventually(lambda: (now := health(hub))[0] == 503 and now, 60, "503")
        assert "nothing is stored" in said["detail"], said
        words = subprocess.run([TANDEM, "health", "--port", str(hub.port)], capture_output=True, text=True)
        assert words.returncode == 1 and "nothing is stored" in words.stderr
        filler.unlink()
        eventually(lambda: health(hub)[0] == 200, 60, "200")
    finally:
        hub.close()
