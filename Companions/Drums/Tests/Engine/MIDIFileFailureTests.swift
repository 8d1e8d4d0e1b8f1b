import Testing

@testable import DrumsEngine

@Suite("Files without a note that could be read say why, and at which byte")
struct MIDIFileFailureTests {
    typealias Bytes = MIDIFileBytes

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var offset: Int
        var failure: MIDIFileFailure

        init(_ name: String, _ bytes: [UInt8], _ offset: Int, _ failure: MIDIFileFailure) {
            (testDescription, self.bytes, self.offset, self.failure) = (name, bytes, offset, failure)
        }
    }

    private static func track(_ events: [UInt8]) -> [UInt8] { Bytes.file(tracks: Bytes.track(events)) }

    static let cases = [
        Case("nothing", [], 0, .notMIDI),
        Case("a picture", [0x89, 0x50, 0x4E, 0x47], 0, .notMIDI),
        Case("a RIFF with MIDI in it", Array("RIFF....RMID".utf8), 0, .notMIDI),
        Case("a header that is cut off", Array("MThd".utf8) + [0, 0], 8, .cutOff).at(4),
        Case("a header of five bytes", Array("MThd".utf8) + [0, 0, 0, 5, 0, 0, 0, 1, 0], 4, .header),
        Case("a header of four thousand million", Array("MThd".utf8) + [255, 255, 255, 255, 0, 0], 4, .cutOff),
        Case("type 2", Bytes.header(type: 2, tracks: 1, division: 96), 8, .type(2)),
        Case("type 7", Bytes.header(type: 7, tracks: 1, division: 96), 8, .type(7)),
        Case("no tracks", Bytes.header(type: 1, tracks: 0, division: 96), 10, .tracks(0)),
        Case("65,535 tracks", Bytes.header(type: 1, tracks: 65_535, division: 96), 10, .tracks(65_535)),
        Case("two tracks in type 0", Bytes.header(type: 0, tracks: 2, division: 96), 10, .tracks(2)),
        Case("frames of film", Bytes.header(type: 0, tracks: 1, division: 0xE728), 12, .smpte),
        Case("no ticks in a beat", Bytes.header(type: 0, tracks: 1, division: 0), 12, .division),
        Case("no track after the header", Bytes.header(type: 0, tracks: 1, division: 96), 14, .missingTracks),
        Case(
            "a track of 2^32 - 1 bytes",
            Bytes.header(type: 0, tracks: 1, division: 96) + Array("MTrk".utf8) + [255, 255, 255, 255], 18, .cutOff),
        Case("data without a status", track([0, 60, 90]), 23, .noStatus),
        Case("a number of five bytes", track([0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x90, 60, 90]), 22, .number),
        Case("an event beyond its track", track([0, 0x90, 60]), 25, .beyondTrack),
        Case("a system message of the wire", track([0, 0xF2, 1, 1]), 23, .status(0xF2)),
        Case("a status in the data", track([0, 0x90, 60, 0x91]), 25, .status(0x91)),
        Case("a text longer than its track", track([0, 0xFF, 1, 100, 0x61]), 23, .beyondTrack),
        Case(
            "a system-exclusive message of 2^28 bytes", track([0, 0xF0, 0xFF, 0xFF, 0xFF, 0x7F, 1]), 23, .beyondTrack),
        Case("tempo 0, and no notes", track([0, 0xFF, 0x51, 3, 0, 0, 0]), 23, .tempo),
        Case("a tempo of one byte, and no notes", track([0, 0xFF, 0x51, 1, 7]), 23, .tempo),
        Case("no notes", track(Bytes.end), 26, .noNotes),
        Case("a note after 2^28 ticks", track([0xFF, 0xFF, 0xFF, 0x7F, 0x90, 60, 90]), 26, .tooLong),
    ]

    @Test("Wrong files are refused where they are wrong", arguments: cases)
    func rejection(example: Case) {
        let error = MIDIFileTests.failure(example.bytes)
        #expect(error == MIDIFileError(offset: example.offset, failure: example.failure))
    }

    @Test("A file of more than 512 KB is refused before it is read")
    func tooLarge() {
        let bytes = Bytes.file(tracks: Bytes.track(Bytes.note(60), [UInt8](repeating: 0, count: 600_000)))
        #expect(MIDIFileTests.failure(bytes) == MIDIFileError(offset: 0, failure: .tooLarge))
    }

    @Test("Events beyond 200,000 are not read")
    func tooManyEvents() {
        // Running status: two bytes an event.
        var events: [UInt8] = [0, 0xC0, 1]
        for _ in 0..<210_000 { events += [0, 1] }
        #expect(MIDIFileTests.failure(Self.track(events))?.failure == .tooManyEvents)
    }

    @Test("A tune of more notes than a song holds is refused")
    func tooManyNotes() {
        var events: [UInt8] = [0, 0x90, 60, 90]
        for index in 0..<9_000 { events += [1, 60 + UInt8(index % 12), 90] }
        #expect(MIDIFileTests.failure(Self.track(events))?.failure == .tooManyNotes)
    }

    @Test("Four hours of music are refused")
    func tooLong() {
        let notes = (0..<4_000).flatMap { _ in Bytes.note(60, ticks: 96 * 8) }
        let error = MIDIFileTests.failure(Self.track(notes))
        #expect(error?.failure == .tooLong || error?.failure == .song(.beats))
    }

    @Test("A tempo slower than a song's becomes the slowest")
    func slowTempo() throws {
        let song = try MIDIFileTests.song(Self.track(Bytes.tempo(16_777_215) + Bytes.note(60)))
        #expect(song.tempo == [TempoChange(step: 0, microsecondsPerBeat: 3_000_000)])
    }

    @Test("An end of a track after 2^28 ticks adds nothing to the song")
    func lateEnd() throws {
        let song = try MIDIFileTests.song(Self.track(Bytes.note(60) + [0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0x2F, 0]))
        #expect(song.beats == 4)
    }

    @Test("A note that never ends sounds for a bar at most")
    func endlessNote() throws {
        let song = try MIDIFileTests.song(Self.track([0, 0x90, 60, 90, 0x87, 0x68, 0xFF, 0x2F, 0]))
        #expect(song.notes.map(\.length) == [1_920])
    }
}

extension MIDIFileFailureTests.Case {
    func at(_ offset: Int) -> Self {
        var copy = self
        copy.offset = offset
        return copy
    }
}
