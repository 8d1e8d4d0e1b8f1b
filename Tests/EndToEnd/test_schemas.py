"""A database of each schema that was released is opened by today's build, which keeps every byte of what was in it."""

import gzip
import pathlib
import sqlite3

import pytest

from hub import tandem

# One for each release that changed the schema, as that release wrote it: schema_fixture.py makes the next.
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


@pytest.fixture(params=SCHEMAS, ids=lambda path: path.name.removesuffix(".sqlite.gz"))
def stored(request, tmp_path):
    """The database of a release in a folder of its own."""
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "tandem.sqlite"
    path.write_bytes(gzip.decompress(request.param.read_bytes()))
    return path


def test_a_database_of_a_released_schema_opens_and_keeps_every_row(stored):
    before = rows(stored)
    assert tandem("device", "list", "--data", stored.parent).stdout.count("\n") >= 6
    assert_nothing_is_lost(before, rows(stored))


def test_a_backup_of_a_released_schema_is_put_back_and_keeps_every_row(stored, tmp_path):
    before = rows(stored)
    backup, home = tmp_path / "hub.backup", tmp_path / "home"
    # A backup only reads: what is backed up is of the earlier schema, and stays so.
    tandem("backup", backup, "--data", stored.parent)
    assert "is whole" in tandem("backup", "--check", backup).stdout
    assert rows(stored) == before
    assert set(rows(backup)) >= set(before)
    tandem("restore", backup, "--data", home)
    assert tandem("device", "list", "--data", home).stdout.count("\n") >= 6
    after = rows(home / "tandem.sqlite")
    assert_nothing_is_lost(before, after)
    assert not [table for table in after if table.startswith("backup_")]


def test_a_database_of_a_build_from_before_the_first_release_is_refused_in_words_and_stays_as_it_is(stored, tmp_path):
    with sqlite3.connect(stored) as database:
        database.execute("DELETE FROM grdb_migrations")
        database.executemany("INSERT INTO grdb_migrations VALUES (?)", [["hub-001"], ["hub-002"], ["plants-001"]])
    database.close()
    before = rows(stored)
    refused = tandem("serve", "--data", stored.parent, "--port", 0, "--mqtt-port", 0, check=False)
    assert refused.returncode != 0
    assert "before 0.1.0" in refused.stderr and "--data" in refused.stderr
    assert rows(stored) == before


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
