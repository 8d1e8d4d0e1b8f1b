"""Backups and archives that somebody else hands over: what is in them is compared before anything is moved."""

import os
import sqlite3
import subprocess
import zipfile

from hub import EMAIL, PASSWORD, tandem
from probes import hold, probe


def hub_and_backup(ground):
    folder = ground.folder_of("victim")
    tandem("user", "add", "--data", folder, "--name", "Tess", "--email", EMAIL, stdin=PASSWORD + "\n")
    file = folder.parent / "given.backup"
    file.unlink(missing_ok=True)
    tandem("backup", file, "--data", folder)
    return folder, file


def whole(folder):
    """The names below a folder, which a restore that is refused leaves as they are."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.name != "tandem.lock")


@probe("triggers, views, other CHECKs and paths in a backup", "A backup is compared with what a hub makes before anything is moved.")
def foreign_backup(ground):
    tried = [
        "CREATE TRIGGER evil AFTER UPDATE ON household BEGIN UPDATE person SET role = 'adult'; END",
        "CREATE VIEW evil AS SELECT * FROM person",
        "CREATE UNIQUE INDEX evil ON person(name)",
        "CREATE TABLE evil(x)",
        "ALTER TABLE person ADD COLUMN evil",
        "INSERT INTO backup_file VALUES ('../escaped', 493, x'00')",
        "INSERT INTO backup_file VALUES ('tandem.lock', 493, x'00')",
        "UPDATE person SET role = x'6164756C74'",
    ]
    for sql in tried:
        folder, file = hub_and_backup(ground)
        connection = sqlite3.connect(file)
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(sql)
        connection.commit()
        connection.close()
        before = whole(folder)
        said = tandem("restore", file, "--data", folder, check=False)
        hold(said.returncode == 1, f"taken: {sql}")
        hold("Nothing was changed" in said.stderr, f"not in words: {said.stderr[:200]}")
        hold(whole(folder) == before, f"something was moved for: {sql}")
        hold(not (folder.parent / "escaped").exists(), "a file was written beside the folder")
        hold(ground.app_in(folder).is_alive(), "the hub does not start")
    return f"{len(tried)} refused, each in words"


@probe("pipes, folders, devices and links for files", "What is no file ends in words, and nobody waits for it.")
def no_files(ground):
    folder, file = hub_and_backup(ground)
    place = folder.parent
    pipe, link = place / "pipe", place / "link"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    for path in (pipe, link, place):
        for command in (["restore"], ["backup", "--check"], ["import", "everything"]):
            rest = [] if "--check" in command else ["--data", place / "new"]
            try:
                said = tandem(*command, path, *rest, check=False, timeout=20)
            except subprocess.TimeoutExpired:
                hold(False, f"`tandem {command[0]}` waits for {path.name}")
            hold(said.returncode == 1 and "is a folder, a pipe or a device" in said.stderr, said.stderr[:200])
    archive = place / "given.zip"
    tandem("export", "everything", archive, "--data", folder)
    with zipfile.ZipFile(archive) as given, zipfile.ZipFile(place / "linked.zip", "w", zipfile.ZIP_STORED) as linked:
        for entry in given.infolist():
            entry.create_system, entry.external_attr = 3, (0o120777 if entry.filename == "README.md" else 0o100600) << 16
            linked.writestr(entry, given.read(entry))
    said = tandem("import", "everything", place / "linked.zip", "--data", place / "new", check=False)
    hold(said.returncode == 1 and "link" in said.stderr, f"a link in an archive: {said.stderr[:200]}")
    return "told at once, each in words"
