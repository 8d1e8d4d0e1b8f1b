"""Backups and archives that somebody has changed, and restores that fail, by the commands that people type."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess

import pytest
from hub import TANDEM, Hub, eventually, tandem


@pytest.fixture
def backup(data, tmp_path):
    file = tmp_path / "linden.backup"
    tandem("backup", file, "--data", data)
    return file


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.name != "tandem.lock")


@pytest.mark.parametrize(
    "sql, said",
    [
        ("CREATE TRIGGER evil AFTER UPDATE ON household BEGIN DELETE FROM person; END", "the trigger “evil”"),
        ("CREATE VIEW evil AS SELECT 1", "the view “evil”"),
        ("CREATE INDEX evil ON person(upper(name))", "the index “evil”"),
    ],
)
def test_a_backup_with_what_no_hub_makes_is_refused_and_the_hub_starts_as_before(data, backup, sql, said):
    connection = sqlite3.connect(backup)
    connection.execute(sql)
    connection.commit()
    connection.close()
    before = names(data)
    result = tandem("restore", backup, "--data", data, check=False)
    assert result.returncode == 1 and said in result.stderr and "Nothing was changed" in result.stderr, result
    assert tandem("backup", "--check", backup, check=False).returncode == 1
    assert names(data) == before
    Hub(data).start().close()


def test_a_backup_of_a_database_that_somebody_added_to_says_so_and_how_to_remove_it(data, tmp_path):
    file = tmp_path / "mine.backup"
    connection = sqlite3.connect(data / "tandem.sqlite")
    connection.execute("CREATE INDEX mine ON person(name)")
    connection.commit()
    made = tandem("backup", file, "--data", data, check=False)
    assert made.returncode == 1 and file.exists(), made
    assert "the index “mine”" in made.stderr and 'DROP INDEX "mine"' in made.stderr, made
    assert 'DROP INDEX "mine"' in tandem("doctor", "--data", data, check=False).stdout
    refused = tandem("backup", "--check", file, check=False)
    assert refused.returncode == 1 and "or the database that it was made of" in refused.stderr, refused
    connection.execute('DROP INDEX "mine"')
    connection.commit()
    connection.close()
    assert "is whole" in tandem("backup", file, "--data", data).stdout


def test_a_backup_that_waits_and_is_damaged_meanwhile_stops_no_start(data, backup):
    (data / "notes").mkdir()
    (data / "notes/mine").write_text("kept")
    shutil.copy(backup, data / "tandem.restore")
    with open(data / "tandem.restore", "r+b") as file:
        file.seek(backup.stat().st_size // 2)
        file.write(b"\xa5" * 20_000)
    hub = Hub(data).start()
    try:
        assert "goes on with what it has" in hub.log and "is damaged" in hub.log, hub.log
        assert (data / "notes/mine").read_text() == "kept"
        assert not [name for name in os.listdir(data) if name.startswith(("tandem.restore", "replaced-"))]
    finally:
        hub.close()
    Hub(data).start().close()


@pytest.mark.parametrize("command", ["restore", "backup --check", "import everything"])
def test_a_pipe_in_place_of_a_file_ends_in_words(tmp_path, command):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    folder = [] if "check" in command else ["--data", tmp_path / "home"]
    result = tandem(*command.split(), pipe, *folder, check=False, timeout=20)
    assert result.returncode == 1 and "is a folder, a pipe or a device" in result.stderr, result


def test_a_pipe_in_place_of_the_database_ends_in_words(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    os.mkfifo(home / "tandem.sqlite")
    hub = Hub(home).launch()
    assert hub.wait(20) not in (0, None) and "is a folder, a pipe or a device" in hub.log, hub.log
    doctor = tandem("doctor", "--data", home, check=False, timeout=20)
    assert doctor.returncode == 1 and "is a folder, a pipe or a device" in doctor.stdout, doctor


def test_an_upload_that_a_kill_cuts_off_leaves_nothing_and_no_backup_has_it(data, tmp_path):
    hub = Hub(data).start().signed_in()
    body = b"ID3" + bytes(2_000_000)
    head = (
        f"POST /api/drums/songs/audio?name=x HTTP/1.1\r\nHost: localhost:{hub.port}\r\nAuthorization: Bearer {hub.token}\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {len(body)}\r\n\r\n"
    )

    def parts():
        return [path for path in data.rglob("*.part")]

    with socket.create_connection(("127.0.0.1", hub.port)) as upload:
        upload.sendall(head.encode() + body[:1_000_000])
        eventually(parts, what="the part of a file")
        assert all(part.parent.name == "tandem.parts" for part in parts())
        file = tmp_path / "linden.backup"
        tandem("backup", file, "--data", data)
        connection = sqlite3.connect(file)
        assert not [row for row in connection.execute("SELECT path FROM backup_file") if "part" in row[0]]
        connection.close()
        hub.process.send_signal(signal.SIGKILL)
        hub.process.wait()
    hub.start()
    try:
        assert parts() == []
    finally:
        hub.close()


def test_a_command_writes_over_nothing_but_files(tmp_path, data):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for command in ("backup",), ("export", "everything"):
        result = subprocess.run([TANDEM, *command, pipe, "--data", data], capture_output=True, text=True, timeout=20)
        assert result.returncode == 1 and "is a folder, a pipe or a device" in result.stderr
    assert pipe.is_fifo()
