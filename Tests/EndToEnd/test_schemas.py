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
    path = tmp_path / "data" / "tandem.sqlite"
    path.parent.mkdir()
    path.write_bytes(gzip.decompress(fixture.read_bytes()))
    before = rows(path)
    assert tandem("device", "list", "--data", path.parent).stdout.count("\n") >= 6
    after = rows(path)
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
