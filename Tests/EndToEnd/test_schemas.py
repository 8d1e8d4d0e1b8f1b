"""Databases that earlier builds wrote are opened by today's, and keep every byte of what was in them."""

import gzip
import pathlib
import sqlite3

import pytest

from hub import tandem

SCHEMAS = sorted(pathlib.Path(__file__).with_name("schemas").glob("*.sqlite.gz"))


def rows(path):
    """Every row of every table, by table: the columns, and their values as SQLite stores them."""
    database = sqlite3.connect(path)
    database.text_factory = bytes
    names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    found = {}
    for name in [name.decode() for (name,) in names]:
        cursor = database.execute(f'SELECT * FROM "{name}"')
        columns = [column[0] for column in cursor.description]
        found[name] = columns, cursor.fetchall()
    database.close()
    return found


@pytest.mark.parametrize("fixture", SCHEMAS, ids=lambda path: path.name.removesuffix(".sqlite.gz"))
def test_a_database_of_an_earlier_schema_opens_and_keeps_every_row(fixture, tmp_path):
    path = written(fixture, tmp_path / "data")
    before = rows(path)
    assert tandem("device", "list", "--data", path.parent).stdout.count("\n") >= 6
    assert_nothing_is_lost(before, rows(path))


@pytest.mark.parametrize("fixture", SCHEMAS, ids=lambda path: path.name.removesuffix(".sqlite.gz"))
def test_a_backup_of_an_earlier_schema_is_put_back_and_keeps_every_row(fixture, tmp_path):
    path = written(fixture, tmp_path / "data")
    before = rows(path)
    backup, home = tmp_path / "hub.backup", tmp_path / "home"
    # A backup only reads: what is backed up is of the earlier schema, and stays so.
    tandem("backup", backup, "--data", path.parent)
    assert "is whole" in tandem("backup", "--check", backup).stdout
    assert rows(path) == before
    assert set(rows(backup)) >= set(before)
    tandem("restore", backup, "--data", home)
    assert tandem("device", "list", "--data", home).stdout.count("\n") >= 6
    after = rows(home / "tandem.sqlite")
    assert_nothing_is_lost(before, after)
    assert not [table for table in after if table.startswith("backup_")]


def written(fixture, folder):
    folder.mkdir()
    path = folder / "tandem.sqlite"
    path.write_bytes(gzip.decompress(fixture.read_bytes()))
    return path


def assert_nothing_is_lost(before, after):
    for table, (columns, stored) in before.items():
        assert table in after, f"the table {table} is gone"
        place = {column: index for index, column in enumerate(after[table][0])}
        missing = [column for column in columns if column not in place]
        assert not missing, f"{table} lost the columns {missing}"
        now = {tuple(row[place[column]] for column in columns) for row in after[table][1]}
        lost = [row for row in stored if row not in now]
        assert not lost, f"{table} lost {len(lost)} of {len(stored)} rows, such as {lost[0]}"
        if table != "grdb_migrations":
            assert len(after[table][1]) == len(stored), f"{table} has {len(after[table][1])} rows in place of {len(stored)}"
