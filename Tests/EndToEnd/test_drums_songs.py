"""Songs: those of the library, MIDI files by a writer that is not ours, text, recordings, and what is no song."""

import base64
import http.client
import io
import json
import struct
import subprocess

import mido
import pytest

from hub import Hub, Problem, eventually, tandem
from shared_hub import shared_hub

hub = shared_hub()

SONGS = "/api/drums/songs"
TEXT = "title: Walk\nmeter: 4/4\ntempo: 120\n| C4 D4 E4 F4 | G4/1 |\n"


def midi(type=1, ticks=480, tempo=500_000, bars=4, drums=False):
    """A file of mido's: a tune of quarters over a bass, and drums if wanted."""
    file = mido.MidiFile(type=type, ticks_per_beat=ticks)
    head, tune, bass = mido.MidiTrack(), mido.MidiTrack(), mido.MidiTrack()
    head.append(mido.MetaMessage("track_name", name="Häppy walk", time=0))
    head.append(mido.MetaMessage("time_signature", numerator=4, denominator=4, time=0))
    head.append(mido.MetaMessage("set_tempo", tempo=tempo, time=0))
    for pitch in [72, 74, 76, 77] * bars:
        tune.append(mido.Message("note_on", note=pitch, velocity=80, time=0))
        tune.append(mido.Message("note_off", note=pitch, velocity=0, time=ticks))
    if type == 0:
        head.extend(tune)
        file.tracks = [head]
    else:
        for _ in range(bars):
            bass.append(mido.Message("note_on", channel=1, note=40, velocity=70, time=0))
            bass.append(mido.Message("note_on", channel=1, note=40, velocity=0, time=ticks * 4))
        file.tracks = [head, tune, bass]
    if drums:
        kit = mido.MidiTrack()
        for _ in range(bars * 4):
            kit.append(mido.Message("note_on", channel=9, note=38, velocity=90, time=0))
            kit.append(mido.Message("note_on", channel=9, note=38, velocity=0, time=ticks))
        file.tracks.append(kit)
    return saved(file)


def saved(file):
    out = io.BytesIO()
    file.save(file=out)
    return out.getvalue()


def raw(*events, type=0, tracks=1, division=96):
    """A file with one track, as wrong as wanted."""
    content = b"".join(events)
    return struct.pack(">4sIHHH", b"MThd", 6, type, tracks, division) + struct.pack(">4sI", b"MTrk", len(content)) + content


NOTE = bytes([0, 0x90, 60, 90, 96, 0x80, 60, 0])


def add(hub, content, name="walk.mid"):
    return hub.request("POST", f"{SONGS}?name={name}", content, {"Content-Type": "application/octet-stream"})[1]


def own(hub):
    return [song for song in hub.get(SONGS)["songs"] if not song["isLibrary"]]


def refused(hub, content, path=f"{SONGS}?name=x.mid"):
    before = own(hub)
    with pytest.raises(Problem) as problem:
        hub.request("POST", path, content, {"Content-Type": "application/octet-stream"})
    assert own(hub) == before
    return problem.value.status, problem.value.body["detail"]


# Those of the library.


def test_the_house_brings_at_least_twelve_songs_with_four_levels_each(hub):
    songs = [song for song in hub.get(SONGS)["songs"] if song["isLibrary"]]
    assert len(songs) >= 12
    for song in songs:
        assert [level["level"] for level in song["levels"]] == [1, 2, 3, 4]
        assert song["composer"] and song["source"] and song["year"] < 1900
        assert base64.b64decode(song["bytes"]).startswith(b"TSG\x02")
    assert hub.get(f"{SONGS}/ode-to-joy")["title"] == "Ode to Joy"


# MIDI files by another writer.


@pytest.mark.parametrize("type", [0, 1])
@pytest.mark.parametrize("ticks", [96, 480, 220])
def test_a_midi_file_of_either_type_becomes_a_song(hub, type, ticks):
    song = add(hub, midi(type, ticks, tempo=600_000))
    assert song["title"] == "Häppy walk" and song["tempo"] == 100 and song["beats"] == 16
    assert song["milliseconds"] == 9_600
    assert [level["beats"] for level in song["levels"]] == [4, 8, 16, 31]
    assert song in own(hub)


def test_a_drum_part_makes_the_levels(hub):
    assert add(hub, midi(drums=True))["levels"][2]["beats"] == 16


def test_running_status_and_tempo_changes_by_mido(hub):
    track = mido.MidiTrack()
    for beat in range(8):
        track.append(mido.MetaMessage("set_tempo", tempo=500_000 + beat * 50_000, time=0))
        track.append(mido.Message("note_on", note=60, velocity=90, time=0))
        track.append(mido.Message("note_on", note=60, velocity=0, time=480))
    song = add(hub, saved(mido.MidiFile(type=0, ticks_per_beat=480, tracks=[track])))
    assert song["milliseconds"] == sum(500 + beat * 50 for beat in range(8))


# What abc2midi makes of tunes of the public domain: an upbeat by its accents alone, each note a tick late, repeats written out,
# triplets, voices, changes of the tempo. Expected are the score's bars and, of its length, mido's.

FREI = """X:1
T:Die Gedanken sind frei – geübt
M:3/4
L:1/4
Q:1/4=120
K:G
V:1
|: D/D/ | G2 B/G/ | F2 A/F/ | (3G/A/B/ (3c/B/A/ G | D2 :|[Q:1/4=80] D | A3- | A2 D | B2 D | c>B A | G3 |]
V:2
|: z | G,3 | D,3 | G,3 | G,2 :| z | D,3- | D,2 z | G,3 | A,2 D, | G,3 |]
"""
WASHERWOMAN = """X:2
T:The Irish Washerwoman (Ωδή)
M:6/8
L:1/8
Q:3/8=110
K:G
|: d/c/ | BGG DGG | BGB dcB | cAA EAA | cAc edc | BGG DGG | BGB dcB | cBc Adc | BGG G2 :|
"""
ODE = """X:3
T:Freude, schöner Götterfunken
M:4/4
L:1/4
Q:1/4=112
K:D
F F G A | A G F E | D D E F | F>E E2 | F F G A | A G F E | D D E F | E>D D2 |]
"""
PONT = """X:4
T:Sur le pont – l’après-midi
M:3/4
L:1/8
Q:1/4=96
K:C
G | c2 c2 e2 | d2 B2 G2 | (3cde (3fed c2 | G5 G | c2 e2 g2 | f2 d2 B2 | c6 | c5 |]
"""
BRIDGE = """X:5
T:Über die Brücke (Κάλαντα)
M:2/4
L:1/8
Q:1/4=100
K:D
A2 |: d2 f2 | e2 c2 | d2 A2 |1 B2 A2 :|2 d2 || A2 | f2 d2 | e2 c2 | d4 |]
"""
SLIP_JIG = """X:6
T:Slip jig
M:9/8
L:1/8
Q:3/8=110
K:G
|: B2E G2E F3 | B2E G2E FED | B2E G2E F3 | B2d d2B AFD :|
"""


@pytest.mark.parametrize(
    "abc, title, bar, upbeat, beats, silence",
    [
        (FREI, "Die Gedanken sind frei – geübt", 3, 1, 40, 0),
        # An upbeat of an eighth: two thirds of a beat, and half a beat, of silence come before it.
        (WASHERWOMAN, "The Irish Washerwoman (Ωδή)", 2, 1, 33, 60 / 110 * 2 / 3),
        (PONT, "Sur le pont – l’après-midi", 3, 1, 25, 60 / 96 / 2),
        (ODE, "Freude, schöner Götterfunken", 4, 0, 32, 0),
        # Two endings of a repeat, the second of which is the rest of the upbeat's bar.
        (BRIDGE, "Über die Brücke (Κάλαντα)", 2, 1, 23, 0),
        (SLIP_JIG, "Slip jig", 3, 0, 24, 0),
    ],
    ids=["frei", "washerwoman", "pont", "ode", "bridge", "slip-jig"],
)
def test_what_abc2midi_makes_of_a_tune_has_the_bars_of_its_score(hub, tmp_path, abc, title, bar, upbeat, beats, silence):
    source, file = tmp_path / "tune.abc", tmp_path / "tune.mid"
    source.write_text(abc, encoding="utf-8")
    subprocess.run(["abc2midi", source, "-o", file], check=True, capture_output=True)
    song = add(hub, file.read_bytes())
    assert (song["title"], song["beats"]) == (title, beats)
    assert "leftOut" not in song
    # To the last note, for abc2midi ends a track with a tempo change much later. The last bar is whole, where the upbeat has
    # taken its end from it.
    elapsed = length = silence
    for message in mido.MidiFile(file):
        elapsed += message.time
        if message.type == "note_off":
            length = elapsed
    assert length - 0.05 < song["milliseconds"] / 1000 < length + 0.7
    shown = hub.get(f"{SONGS}/{song['id']}")
    assert (shown["beatsPerBar"], shown["upbeatBeats"]) == (bar, upbeat)


# What is no song.

BOMBS = {
    "no_midi": (b"\x89PNG\r\n\x1a\n\0\0", "neither a MIDI file"),
    "frames_of_film": (raw(NOTE, division=0xE728), "Byte 12: It counts time in frames of film (SMPTE)"),
    "type_2": (raw(NOTE, type=2), "Byte 8: Type 2 holds several songs"),
    "no_ticks_in_a_beat": (raw(NOTE, division=0), "Byte 12: A beat has no ticks"),
    "65535_tracks": (raw(NOTE, type=1, tracks=65_535)[:14], "Byte 10: It says that it has 65,535 tracks"),
    "a_track_that_is_cut_off": (raw(NOTE)[:22], "Byte 18: The file ends before"),
    "a_track_of_4_gigabytes": (raw(NOTE)[:14] + b"MTrk\xff\xff\xff\xff", "Byte 18: The file ends before"),
    "an_endless_text": (raw(bytes([0, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0x7F])), "Byte 23: This goes on beyond"),
    "a_delta_of_2_to_the_28": (raw(bytes([0xFF, 0xFF, 0xFF, 0x7F]) + NOTE[1:]), "Byte 26: This note is later"),
    "tempo_0": (raw(bytes([0, 0xFF, 0x51, 3, 0, 0, 0])), "Byte 23: A tempo of no time at all"),
    "200000_events": (raw(bytes([0, 0xC0, 1]), bytes([0, 1]) * 220_000), "It has more than 200,000 events"),
    "data_without_a_status": (raw(bytes([0, 60, 90])), "Byte 23: Data without a message"),
    "no_notes": (raw(bytes([0, 0xFF, 0x2F, 0])), "It has no notes"),
    "a_bar_that_is_too_short": (TEXT.replace("| G4/1 |", "| G4/2 | G4/1 |").encode(), "Line 4, column 22: This bar has 2 beats"),
    "a_note_that_is_none": (TEXT.replace("D4", "H4").encode(), "Line 4, column 6: Notes are written as"),
    "a_text_of_100_kilobytes": (TEXT.encode() + b"#" * 100_000, "at most 65,536 bytes"),
    "nothing": (b"", "Line 1, column 1: The song needs a title"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_file_that_is_no_song_is_refused_with_the_place_and_nothing_is_stored(hub, name):
    content, words = BOMBS[name]
    status, detail = refused(hub, content)
    assert status == 422 and words in detail


def test_a_file_beyond_half_a_megabyte_is_refused(hub):
    status, detail = refused(hub, raw(NOTE) + bytes(600_000))
    assert status == 413 and "512 KB" in detail


# Wrong in one thing, with a note that is there all the same.
MENDED = {
    "65535_tracks": (raw(NOTE, type=1, tracks=65_535), "Byte 10: It says that it has 65,535 tracks"),
    "cut_off": (raw(NOTE)[:-3], "Byte 18: The file ends before"),
    "4_gigabytes": (raw(NOTE)[:14] + b"MTrk\xff\xff\xff\xff" + NOTE, "Byte 18: The file ends before"),
    "tempo_0": (raw(bytes([0, 0xFF, 0x51, 3, 0, 0, 0]), NOTE), "Byte 23: A tempo of no time at all"),
    "in_a_riff": (b"RIFF\x40\0\0\0RMIDdata\x30\0\0\0" + raw(NOTE), None),
}


@pytest.mark.parametrize("name", MENDED)
def test_a_file_that_is_wrong_in_one_thing_is_a_song_and_what_was_left_out_is_said(hub, name):
    content, words = MENDED[name]
    song = add(hub, content)
    assert song["levels"] and (words in song["leftOut"] if words else "leftOut" not in song), song


def test_a_hundred_bombs_cost_the_hub_no_memory(hub):
    add(hub, midi())
    songs, before = own(hub), hub.resident_bytes()
    for _ in range(5):
        for content, _words in BOMBS.values():
            with pytest.raises(Problem):
                add(hub, content)
    assert hub.resident_bytes() < before + 60_000_000
    assert own(hub) == songs


# The command.


def test_import_song_adds_a_midi_file_while_the_hub_runs(hub, tmp_path):
    file = tmp_path / "Happy walk.mid"
    file.write_bytes(midi())
    song = json.loads(tandem("import", "song", file, "--data", hub.data, "--json").stdout)
    assert song["title"] == "Häppy walk" and len(song["levels"]) == 4
    assert song in own(hub)


def test_import_song_adds_text_under_another_title_and_says_so(hub, tmp_path):
    file = tmp_path / "walk.txt"
    file.write_text(TEXT)
    said = tandem("import", "song", file, "--data", hub.data, "--title", "Evening walk").stdout
    assert "“Evening walk” is there to be played, at 120 beats a minute: Easy has " in said
    assert "Evening walk" in [one["title"] for one in own(hub)]


@pytest.mark.parametrize("name", ["frames_of_film", "tempo_0", "a_bar_that_is_too_short", "no_midi"])
def test_import_song_refuses_in_words_with_exit_code_65(data, tmp_path, name):
    content, words = BOMBS[name]
    file = tmp_path / "x.mid"
    file.write_bytes(content)
    result = tandem("import", "song", file, "--data", data, check=False)
    assert result.returncode == 65 and words in result.stderr and "Nothing was changed." in result.stderr


def test_import_song_without_a_file_ends_with_66(data, tmp_path):
    result = tandem("import", "song", tmp_path / "none.mid", "--data", data, check=False)
    assert result.returncode == 66 and "is not there" in result.stderr


def test_import_song_without_a_hub_says_where_it_looked(tmp_path):
    file = tmp_path / "walk.txt"
    file.write_text(TEXT)
    result = tandem("import", "song", file, "--data", tmp_path / "nowhere", check=False)
    assert result.returncode == 64 and "There is no hub in" in result.stderr
    assert not (tmp_path / "nowhere").exists()


# Recordings.

WAV = b"RIFF" + struct.pack("<I", 88_236) + b"WAVEfmt " + bytes(range(256)) * 344


def recordings(hub):
    folder = hub.data / "songs"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def begin_upload(hub, length, more=b""):
    """Sends the head of an upload and a little of it, and leaves the rest to the test. What is refused otherwise, ranges, and
    what is removed have `RecordingTests`."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20)
    connection.putrequest("POST", f"{SONGS}/audio?name=Our%20song.wav")
    connection.putheader("Authorization", f"Bearer {hub.token}")
    connection.putheader("Content-Type", "application/octet-stream")
    connection.putheader("Content-Length", str(length))
    connection.endheaders()
    if more:
        connection.send(more)
    return connection


def upload(hub, content=WAV):
    return hub.request(
        "POST", f"{SONGS}/audio?name=Our%20song.wav", content, {"Content-Type": "application/octet-stream"}
    )[1]


def test_a_recording_is_played_once_its_tempo_is_known(hub):
    song = upload(hub)
    assert song["title"] == "Our song" and song["levels"] == [] and "bytes" not in song
    assert song["audio"]["type"] == "audio/wav" and song["audio"]["bytes"] == len(WAV)
    tapped = {"microsecondsPerBeat": 500_000, "offsetMilliseconds": 812, "milliseconds": 60_000, "beatsPerBar": 4}
    song = hub.request("PUT", f"{SONGS}/{song['id']}", tapped)[1]
    assert song["tempo"] == 120 and len(song["levels"]) == 4 and song["audio"]["offsetMilliseconds"] == 812
    assert hub.request("GET", song["audio"]["path"])[1] == WAV


def test_a_recording_of_200_megabytes_is_refused_before_it_is_sent(hub):
    before = recordings(hub), own(hub)
    connection = begin_upload(hub, 200 << 20)
    answer = connection.getresponse()  # nothing of the body was sent
    body = json.loads(answer.read())
    assert answer.status == 413 and "at most 30 MB" in body["detail"] and "Nothing was stored" in body["detail"]
    connection.close()
    assert (recordings(hub), own(hub)) == before


def test_a_recording_of_200_megabytes_that_is_sent_all_the_same_costs_neither_memory_nor_disk(hub):
    stored, before = (recordings(hub), own(hub)), hub.resident_bytes()
    connection = begin_upload(hub, 200 << 20)
    chunk = WAV[:65_536].ljust(65_536, b"\0")
    try:
        for _ in range(200 << 4):
            connection.send(chunk)
    except OSError:
        pass  # hung up on, which is as well
    assert hub.resident_bytes() < before + 60_000_000
    assert (recordings(hub), own(hub)) == stored


def test_an_upload_that_breaks_off_leaves_nothing_behind(hub):
    def parts():
        return sorted((hub.data / "tandem.parts").glob("*"))

    stored, before, nothing = own(hub), recordings(hub), parts()
    connection = begin_upload(hub, len(WAV), WAV[:40_000])
    eventually(lambda: parts() != nothing, what="the beginning of the file")
    connection.close()
    eventually(lambda: parts() == nothing, what="the file’s end")
    assert (recordings(hub), own(hub)) == (before, stored)


@pytest.mark.own_hub
def test_a_recording_that_was_acknowledged_survives_a_kill(hub):
    song = upload(hub)
    hub.kill()
    again = Hub(hub.data).start().signed_in()
    try:
        assert again.request("GET", song["audio"]["path"])[1] == WAV
        assert own(again)[0]["id"] == song["id"]
    finally:
        again.close()
