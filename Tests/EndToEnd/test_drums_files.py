"""The original's sessiondata.plist in and out of the hub, with Python's plistlib as the other program."""

import csv
import datetime
import io
import json
import plistlib
import struct
import subprocess
import urllib.request

import pytest

import drums_blobs
from drums_page import me
from hub import EMAIL, TANDEM, Problem, tandem

BYTES = {"Content-Type": "application/octet-stream"}
FORMS = [plistlib.FMT_XML, plistlib.FMT_BINARY]
DATE = datetime.datetime(2016, 4, 20, 15, 30, 1)


def original(number=0, **changes):
    session = {
        "tempo": 120, "level": 1 + number % 3, "song_name": "Mary Had a Little Lamb", "drums": [1, 1, 0, 1],
        "beat_sequence": [1, 0, 1, 1], "hit_sequence": ["0 450 320.00", "", "0 1 3 1450 -1.00", ""],
        "date": DATE + datetime.timedelta(minutes=number),
    }  # fmt: skip
    session.update(changes)
    return session


def take(hub, data, person=None):
    return hub.request("POST", f"/api/drums/import?person={person or me(hub)}", data, BYTES)[1]


def file_of(hub, query):
    request = urllib.request.Request(
        f"{hub.url}/api/drums/export?person={me(hub)}&{query}", headers={"Authorization": f"Bearer {hub.token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read(), answer.headers


@pytest.mark.parametrize("form", FORMS)
def test_a_file_of_the_original_goes_in_and_comes_out_the_same(hub, form):
    sessions = [original(number) for number in range(40)]
    sessions.append(original(50, tempo=84, song_name="Für Elise & <mehr>", drums=[0, 1, 1, 1]))
    data = plistlib.dumps(sessions, fmt=form)
    assert take(hub, data) == {"sessions": 41, "stored": 41, "again": 0, "refused": []}
    assert take(hub, data) == {"sessions": 41, "stored": 0, "again": 41, "refused": []}
    for query, marks in (("format=plist", b"<?xml"), ("format=plist&binary=1", b"bplist00")):
        file, headers = file_of(hub, query)
        assert file.startswith(marks)
        assert headers["Content-Disposition"] == 'attachment; filename="sessiondata.plist"'
        assert plistlib.loads(file) == sessions
    # What came out is known when it comes in.
    assert take(hub, file)["again"] == 41


@pytest.mark.parametrize("form", FORMS)
def test_the_command_line_imports_and_exports_the_same(hub, tmp_path, form):
    sessions = [original(number) for number in range(5)]
    file = tmp_path / "sessiondata.plist"
    file.write_bytes(plistlib.dumps(sessions, fmt=form))
    loaded = tandem("import", "drums", file, "--person", EMAIL, "--data", hub.data)
    assert loaded.stdout == "5 of 5 sessions stored for Tess.\n" and loaded.stderr == ""
    again = tandem("import", "drums", file, "--person", EMAIL, "--data", hub.data)
    assert again.stdout == "0 of 5 sessions stored for Tess, 5 were here already.\n"
    flags = ["--binary"] if form == plistlib.FMT_BINARY else []
    # As bytes: a property list may be no text.
    made = subprocess.run(
        [TANDEM, "export", "drums", "--person", EMAIL, "--format", "plist", *flags, "--data", hub.data],
        capture_output=True, timeout=60, check=True).stdout  # fmt: skip
    assert plistlib.loads(made) == sessions and made.startswith(b"bplist" if flags else b"<?xml")


def test_good_sessions_are_taken_and_each_bad_one_is_told_with_its_number_and_key(hub, tmp_path):
    missing = original()
    del missing["tempo"]
    bad = [
        (original(tempo=-5), "tempo", "is −5"), (original(tempo="fast"), "tempo", "no whole number"),
        (missing, "tempo", "missing"), (original(level=9), "level", "9"), (original(drums=[1, 1]), "drums", "2"),
        (original(beat_sequence=[1, 1]), "hit_sequence", "one for each step"),
        (original(hit_sequence=[1, 2, 3, 4]), "hit_sequence", "entry 1"), (original(song_name=b"x"), "song_name", "no text"),
        (original(date="today"), "date", "no date"), (original(date=datetime.datetime(2001, 1, 1)), "date", "before 2016"),
        (original(song_name="x" * 5_000), "song_name", "5,000 bytes"),
        (original(beat_sequence=[1] * 100_000, hit_sequence=[""] * 100_000), "beat_sequence", "100,000 entries"),
    ]  # fmt: skip
    sessions = [original(1)] + [one for one, _, _ in bad] + [original(2), [1, 2, 3]]
    loaded = take(hub, plistlib.dumps(sessions, fmt=plistlib.FMT_BINARY))
    assert (loaded["sessions"], loaded["stored"], loaded["again"]) == (len(sessions), 2, 0)
    assert len(loaded["refused"]) == len(bad) + 1
    for number, ((_, key, words), refused) in enumerate(zip(bad, loaded["refused"]), start=2):
        assert refused["session"] == number and refused["key"] == key, refused
        assert refused["detail"].startswith(f"Session {number}, {key}: ") and words in refused["detail"], refused
    file = tmp_path / "some.plist"
    file.write_bytes(plistlib.dumps([original(tempo=-5), original(3)]))
    result = tandem("import", "drums", file, "--person", EMAIL, "--data", hub.data)
    assert "1 of 2 sessions stored" in result.stdout and "Session 1, tempo: it is −5" in result.stderr
    file.write_bytes(plistlib.dumps([original(tempo=-5)]))
    assert tandem("import", "drums", file, "--person", EMAIL, "--data", hub.data, check=False).returncode == 65


def bomb():
    """A binary property list of some hundred bytes whose arrays unfold to millions of millions of values."""
    objects = [bytes([0xAA]) + bytes([number + 1] * 10) for number in range(14)] + [b"\x10\x01"]
    out, offsets = b"bplist00", []
    for one in objects:
        offsets.append(len(out))
        out += one
    table = len(out)
    return out + bytes(offsets) + bytes(6) + b"\x01\x01" + struct.pack(">QQQ", len(objects), 0, table)


def test_a_file_that_is_none_is_refused_as_a_whole_and_the_hub_lives_on(hub, tmp_path):
    deep = b'<?xml version="1.0"?><plist version="1.0">' + b"<array>" * 100_000
    # The reader of Foundation goes as deep as these are nested: it ended the hub.
    nested = b"<plist>" * 200_000
    entities = b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><plist><string>&c;</string></plist>'
    cases = [
        b"", b"not a list", b"\x00" * 1_000, deep, nested, entities, bomb(), plistlib.dumps({"tempo": 120}),
        plistlib.dumps([original()], fmt=plistlib.FMT_BINARY)[:-11], plistlib.dumps([original()])[:-30],
        plistlib.dumps([plistlib.UID(7)], fmt=plistlib.FMT_BINARY), b'({tempo = 120; level = "1";})',
    ]  # fmt: skip
    for data in cases:
        with pytest.raises(Problem) as caught:
            take(hub, data)
        assert caught.value.status == 422 and caught.value.body["field"] == "file", caught.value.body
        file = tmp_path / "bad.plist"
        file.write_bytes(data)
        result = tandem("import", "drums", file, "--person", EMAIL, "--data", hub.data, check=False)
        begins = f"Error: {file}: " if data else f"Error: {file} is empty. "
        assert result.returncode == 65 and result.stderr.startswith(begins), result
    with pytest.raises(Problem) as caught:
        take(hub, b" " * (9 << 20))
    assert caught.value.status == 413 and "tandem import drums" in caught.value.body["detail"]
    missing = tandem("import", "drums", tmp_path / "none", "--person", EMAIL, "--data", hub.data, check=False)
    assert missing.returncode == 66 and "is not there" in missing.stderr
    assert hub.get("/healthz")["status"] == "ok"
    assert plistlib.loads(file_of(hub, "format=plist")[0]) == []


def test_what_was_played_here_is_read_by_the_original(hub):
    hub.request("POST", "/api/drums/sessions", drums_blobs.session(me(hub), 1_700_000_000_000), BYTES)
    [session] = plistlib.loads(file_of(hub, "format=plist")[0])
    assert session == {
        "tempo": 120, "level": 1, "song_name": "Ode to Joy", "drums": [1, 0, 0, 0], "beat_sequence": [1] * 8,
        "hit_sequence": ["0 400 3.20"] * 8, "date": datetime.datetime(2023, 11, 14, 22, 13, 20),
    }  # fmt: skip


def test_csv_has_a_row_a_beat_and_json_has_all(hub):
    take(hub, plistlib.dumps([original()]))
    hub.request("POST", "/api/drums/sessions", drums_blobs.session(me(hub), 1_700_000_000_000), BYTES)
    rows = list(csv.DictReader(io.StringIO(file_of(hub, "format=csv")[0].decode(), newline="")))
    assert len(rows) == 2 + 8
    assert rows[0]["reaction (ms)"] == "450" and rows[0]["force (no unit)"] == "320.00" and rows[0]["drum"] == "red"
    assert rows[1]["other drums first"] == "red orange" and rows[1]["verdict"] == "wrongFirst"
    assert rows[0]["started (UTC)"] == "2016-04-20T15:30:01Z" and rows[1]["position (s)"] == "1.000"
    text = tandem("export", "drums", "--person", EMAIL, "--format", "json", "--data", hub.data).stdout
    loaded = json.loads(text)
    assert loaded["version"] == 1 and loaded["companion"] == "drums" and loaded["person"]["name"] == "Tess"
    assert [len(one["beatList"]) for one in loaded["sessions"]] == [2, 8]
    assert json.loads(file_of(hub, "format=json")[0])["sessions"] == loaded["sessions"]
