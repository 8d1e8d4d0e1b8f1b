import TestInstruments
import Testing

@testable import DrumsEngine

/// Files as programs, mail and time leave them. What is there is played: what is expected is what the whole file says.
@Suite("MIDI files that contradict themselves are played as far as they can be read")
struct MIDIFileOfTheWorldTests {
    typealias Bytes = MIDIFileBytes

    private static func notes(_ pitches: [UInt8], channel: UInt8 = 0) -> [UInt8] {
        pitches.flatMap { Bytes.note($0, channel: channel) }
    }

    private static let title: [UInt8] = [0] + Bytes.nameEvent(Array("Our walk".utf8))
    private static let tune = Bytes.track(
        title, Bytes.meter(4, power: 2), Bytes.tempo(500_000), notes(Array(60..<68)), Bytes.end)
    private static let drums = Bytes.track(notes([36, 38, 36, 38, 36, 38, 36, 38], channel: 9), Bytes.end)
    private static let good = Bytes.file(type: 1, tracks: tune, drums)

    private static func read(_ bytes: [UInt8]) throws(MIDIFileError) -> (song: Song, leftOut: MIDIFileError?) {
        try Song.readingMIDI(bytes, id: Array("s".utf8)) { _ in Array("A song".utf8) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        /// Whether something was left out, or could be.
        var isMended: Bool

        init(_ name: String, _ bytes: [UInt8], isMended: Bool = true) {
            (testDescription, self.bytes, self.isMended) = (name, bytes, isMended)
        }
    }

    /// A track with another length than it has.
    private static func lying(_ track: [UInt8], by difference: Int) -> [UInt8] {
        with(track, length: UInt32(track.count - 8 + difference))
    }

    private static func with(_ track: [UInt8], length: UInt32) -> [UInt8] {
        var lying = track
        for index in 0..<4 { lying[4 + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
        return lying
    }

    private static func promising(_ tracks: Int, type: Int = 1, _ chunks: [UInt8]...) -> [UInt8] {
        Bytes.header(type: type, tracks: tracks, division: 96) + chunks.flatMap { $0 }
    }

    private static let riff: [UInt8] = Array("RIFF\u{1}\u{2}\u{3}\u{0}RMIDdata\u{1}\u{2}\u{0}\u{0}".utf8)
    private static let vendor: [UInt8] = Array("XFIH".utf8) + [0, 0, 0, 4, 1, 2, 3, 4]
    private static let tag: [UInt8] = Array("TAG a song, 1998, by nobody".utf8)
    private static let mail: [UInt8] = Array("Content-Type: audio/midi\r\n\r\n".utf8)
    private static let download: [UInt8] = Array("HTTP/1.1 200 OK\r\nContent-Type: audio/midi\r\n\r\n".utf8)
    private static let zip: [UInt8] =
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 26) + Array("walk.mid".utf8)
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let zeros = [UInt8](repeating: 0, count: 128)

    static let cases: [Case] = [
        Case("as it should be", good, isMended: false),
        Case(
            "in a RIFF of type RMID", riff + good,
            isMended: false),
        Case("behind a MacBinary header", zeros + good, isMended: false),
        Case("behind a byte order mark", mark + good, isMended: false),
        Case("behind a mail's lines", mail + good, isMended: false),
        Case("the first track's length 7 too large", promising(2, lying(tune, by: 7), drums)),
        Case("the first track's length 4 too small", promising(2, lying(tune, by: -4), drums)),
        Case("the first track's length 1 too small", promising(2, lying(tune, by: -1), drums)),
        Case("the first track's length 0", promising(2, with(tune, length: 0), drums)),
        Case("the first track's length endless", promising(2, with(tune, length: .max), drums)),
        Case("the last track's length too large", promising(2, tune, lying(drums, by: 900))),
        Case("8 tracks promised", promising(8, tune, drums)),
        Case("1 track promised: the drums are there all the same", promising(1, tune, drums), isMended: false),
        Case("no track promised", promising(0, tune, drums)),
        Case("type 0 with two tracks", promising(2, type: 0, tune, drums)),
        Case(
            "a maker's own chunk counted as a track",
            promising(3, tune, vendor, drums)),
        Case("a header that calls itself empty", Array("MThd".utf8) + [0, 0, 0, 0] + good.dropFirst(8)),
        Case("a header that calls itself five bytes long", Array("MThd".utf8) + [0, 0, 0, 5] + good.dropFirst(8)),
        Case("behind the headers of a download", download + good, isMended: false),
        Case("in a ZIP that does not compress", zip + good + tag, isMended: false),
        Case("twice the same order of the bytes mark", mark + mark + good, isMended: false),
        Case("the last byte is missing", Array(good.dropLast())),
        Case("the last two bytes are missing", Array(good.dropLast(2))),
        Case(
            "no end of the last track, and its length without it",
            promising(2, tune, lying(Array(drums.dropLast(4)), by: 0)), isMended: false),
        Case("zeros behind the last track", good + zeros.prefix(9), isMended: false),
        Case("a tag behind the last track", good + tag, isMended: false),
    ]

    @Test("Every note is there", arguments: cases)
    func whole(example: Case) throws {
        let expected = try Self.read(Self.good)
        #expect(expected.leftOut == nil && expected.song.notes.count == 16)
        let read = try Self.read(example.bytes)
        #expect(read.song.notes == expected.song.notes)
        #expect(read.song.tempo == expected.song.tempo)
        #expect((read.leftOut != nil) == example.isMended, "\(read.leftOut as Any)")
    }

    @Test(
        "One odd event among the notes costs itself alone",
        arguments: [
            [0, 0xFF, 0x51, 3, 0, 0, 0], [0, 0xFF, 0x51, 1, 7], [0, 0xF2, 1, 1], [0, 0xF6], [0, 0xF8],
            [0, 0x9F], [0, 0xFF, 0x58, 1, 4], [0, 0xFF, 0x7F, 2, 1, 2], [0, 0xF0, 3, 1, 2, 0xF7],
            // System-exclusive messages as on the wire, with a length that lies, and in two parts (RP-001, "<sysex event>").
            [0, 0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0, 0xF0, 0x7F, 0x7E, 0xF7],
            [0, 0xF0, 3, 0x43, 0x12, 0, 0x48, 0xF7, 2, 1, 0xF7], [0, 0xFE], [0, 0xFF, 0x59, 2, 99, 9],
        ] as [[UInt8]])
    func oddEvent(event: [UInt8]) throws {
        let notes = Self.notes([60, 61, 62, 63])
        let more = Self.notes([64, 65, 66, 67])
        // A message that lacks its second data byte takes the next event's time, 0, for it.
        let bytes = Bytes.file(tracks: Bytes.track(notes, event, more, Bytes.end))
        let expected = try Self.read(Bytes.file(tracks: Bytes.track(notes, more, Bytes.end))).song
        #expect(try Self.read(bytes).song.notes.map(\.pitch) == expected.notes.map(\.pitch))
    }

    // RP-001: a track ends with its end-of-track, a number has four bytes at most, and a length ends within its track. Of the
    // first song of two files, of the notes before an end and of those behind an odd event nothing is lost.
    @Test(
        "An event whose length or time lies costs no note behind it",
        arguments: [
            [0, 0xF0, 0x90, 1, 0x41, 0x10], [0, 0xFF, 1, 0xFF, 0x7F, 0x61, 0x62],
            [0x81, 0x80, 0x80, 0x80, 0, 0xB0, 7, 100],
            [0xFF, 0xFF, 0xFF, 0x7F, 0xB0, 7, 100], [0, 0xF7, 0xFF, 0xFF, 0x7F],
        ] as [[UInt8]])
    func lyingEvent(event: [UInt8]) throws {
        let (notes, more) = (Self.notes([60, 61, 62, 63]), Self.notes(Array(64..<76)))
        let read = try Self.read(Bytes.file(tracks: Bytes.track(notes, event, more, Bytes.end)))
        let expected = try Self.read(Bytes.file(tracks: Bytes.track(notes, more, Bytes.end))).song
        #expect(read.song.notes.map(\.pitch) == expected.notes.map(\.pitch) && read.leftOut != nil)
    }

    @Test("What stands behind the end of a track, and a second file behind the first, is left out and said")
    func behindTheEnd() throws {
        let early = Bytes.track(Self.title, Self.notes(Array(60..<68)), Bytes.end, Self.notes([70, 71]), Bytes.end)
        let read = try Self.read(Bytes.file(tracks: early))
        #expect(read.song.notes.count == 8 && read.leftOut?.failure == .afterEnd)
        let filled = Bytes.track(Self.title, Self.notes(Array(60..<68)), Bytes.end, [0, 0, 0])
        #expect(try Self.read(Bytes.file(tracks: filled)).leftOut == nil)
        let two = try Self.read(Self.good + Bytes.file(type: 1, tracks: Self.drums, Self.tune))
        #expect(two.song.notes == (try Self.read(Self.good)).song.notes)
        #expect(two.leftOut?.failure == .secondFile && two.leftOut?.offset == Self.good.count)
    }

    @Test("Tracks without notes do not count, and the drums behind 64 of them are played")
    func emptyTracks() throws {
        let empty = Bytes.track([0] + Bytes.nameEvent(Array("t".utf8)), Bytes.end)
        let file = Self.promising(66, Self.tune + Array(repeating: empty, count: 64).flatMap { $0 }, Self.drums)
        let read = try Self.read(file)
        #expect(read.song.notes == (try Self.read(Self.good)).song.notes && read.leftOut == nil)
    }

    @Test("A stray data byte at the beginning costs itself alone")
    func strayByte() throws {
        let bytes = Bytes.file(tracks: Bytes.track([0, 60], Bytes.note(62), Bytes.note(64), Bytes.end))
        let read = try Self.read(bytes)
        #expect(read.song.notes.map(\.pitch) == [62, 64])
        #expect(read.leftOut?.failure == .noStatus && read.leftOut?.offset == 23)
    }

    @Test("Cut anywhere, it plays what came before, or says why it is no song", arguments: 0..<good.count)
    func cut(count: Int) {
        do throws(MIDIFileError) {
            let song = try Self.read(Array(Self.good.prefix(count))).song
            #expect(song.notes.count <= 16)
        } catch {
            #expect(error.offset <= count)
        }
    }

    @Test("Any change of any bytes is read, or refused", arguments: [1, 2, 3, 4] as [UInt64])
    func changed(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var bytes = Self.good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try? Self.read(bytes)
        }
    }

    // RP-001, "Time Signature"; MuseScore and others write an upbeat as a bar of its own: 1/4, then 4/4.
    @Test("The metre that holds longest is the song's, and what comes before its first bar is an upbeat")
    func upbeat() throws {
        let events =
            Bytes.meter(1, power: 2) + Bytes.tempo(600_000) + Bytes.note(67) + Bytes.meter(4, power: 2)
            + Self.notes(Array(60..<68))
        let song = try Self.read(Bytes.file(tracks: Bytes.track(events, Bytes.end))).song
        #expect(song.beatsPerBar == 4 && song.upbeatBeats == 1 && song.beats == 9)
        #expect(song.notes.first?.start == 0)
        #expect(song.notes.count == 9)
    }

    @Test(
        "Upbeats of several metres",
        arguments: [
            // Upper, power of the upbeat's; upper, power of the song's; beats in a bar, of the upbeat.
            (2, 2, 3, 2, 3, 2), (1, 2, 3, 2, 3, 1), (3, 3, 6, 3, 2, 1), (3, 2, 4, 2, 4, 3), (2, 2, 2, 2, 2, 0),
            // An upbeat that is no whole number of beats, such as an eighth before 6/8 or 3/4, begins after a rest.
            (1, 3, 6, 3, 2, 1), (1, 3, 3, 2, 3, 1), (1, 3, 4, 2, 4, 1), (3, 3, 3, 2, 3, 2), (1, 4, 2, 2, 2, 1),
        ] as [(UInt8, UInt8, UInt8, UInt8, Int, Int)])
    func upbeats(upper: UInt8, power: UInt8, songs: UInt8, songsPower: UInt8, bar: Int, upbeat: Int) throws {
        // Quarters of 96 ticks: the upbeat is one note as long as it is.
        let ticks = Int(upper) * 384 >> Int(power)
        let events =
            Bytes.meter(upper, power: power) + Bytes.note(67, ticks: ticks) + Bytes.meter(songs, power: songsPower)
            + Self.notes(Array(60..<72))
        let song = try Self.read(Bytes.file(tracks: Bytes.track(events, Bytes.end))).song
        #expect(Int(song.beatsPerBar) == bar && Int(song.upbeatBeats) == upbeat)
        // The second note begins the first bar, or the second one after a whole one.
        #expect(song.notes[1].start == UInt32(upbeat == 0 ? bar : upbeat) * 480)
    }

    @Test("An upbeat that is no whole number of beats sounds as long as the file says, in the first tempo")
    func shortUpbeat() throws {
        let events =
            Bytes.meter(1, power: 3) + Bytes.tempo(800_000) + Bytes.note(67, ticks: 48) + Bytes.meter(3, power: 2)
            + Self.notes(Array(60..<69))
        let song = try Self.read(Bytes.file(tracks: Bytes.track(events, Bytes.end))).song
        #expect(song.notes.prefix(2).map(\.start) == [240, 480] && song.notes[0].length == 240)
        #expect(song.tempo == [TempoChange(step: 0, microsecondsPerBeat: 800_000)])
        #expect(song.beats == 10)
    }

    /// Quarters of a tune in bars of three, with a loudness each; 0 is a rest.
    private static func quarters(_ loudness: [UInt8], bar: UInt8 = 3) throws -> Song {
        var (events, rest): ([UInt8], Int) = (Bytes.meter(bar, power: 2), 0)
        for (place, velocity) in loudness.enumerated() {
            if velocity > 0 { events += Bytes.note(UInt8(60 + place % 12), after: rest, velocity: velocity) }
            rest = velocity > 0 ? 0 : rest + 96
        }
        return try read(Bytes.file(tracks: Bytes.track(events, Bytes.end))).song
    }

    // abc2midi, doc/abcguide.txt, "%%MIDI beat": the first note of a bar 105, strong beats 95, others 80; its upbeat has no metre.
    @Test(
        "Bars that accents alone tell have their upbeat",
        arguments: [
            ([105, 105, 80, 80, 105, 80, 80, 105, 80, 80, 105, 80, 80], 3, 1),
            ([105, 80, 105, 80, 80, 105, 80, 80, 105, 80, 80, 105, 80, 80], 3, 2),
            ([80, 105, 80, 95, 80, 105, 80, 95, 80, 105, 0, 95, 80, 105, 0, 0, 0], 4, 1),
            ([80, 100, 60, 100, 60, 100, 60, 100, 60], 2, 1),
        ] as [([UInt8], UInt8, Int)])
    func accents(loudness: [UInt8], bar: UInt8, upbeat: Int) throws {
        #expect(Int(try Self.quarters(loudness, bar: bar).upbeatBeats) == upbeat)
    }

    @Test(
        "Loud notes that tell no bars move none",
        arguments: [
            // At the beginning of bars; all alike; too few; on two beats of a bar; one soft where a bar would begin.
            ([105, 80, 80, 105, 80, 80, 105, 80, 80, 105, 80, 80, 105], 3), ([80, 80, 80, 80, 80, 80, 80, 80, 80], 3),
            ([90, 105, 80, 80, 105, 80, 80, 105, 80, 80], 3),
            ([80, 105, 80, 105, 80, 105, 80, 105, 80, 105, 80, 105], 4),
            ([90, 105, 80, 80, 105, 80, 80, 105, 80, 80, 100, 80, 80, 105, 80, 80], 3),
            // The music begins after the first loud beat of a bar that is there.
            ([0, 0, 105, 80, 80, 105, 80, 80, 105, 80, 80, 105, 80, 80, 105], 3),
        ] as [([UInt8], UInt8)])
    func noAccents(loudness: [UInt8], bar: UInt8) throws {
        #expect(try Self.quarters(loudness, bar: bar).upbeatBeats == 0)
    }

    @Test("A metre that comes back counts together with its first time")
    func metreComesBack() throws {
        func bars(_ count: Int) -> [UInt8] { Self.notes([UInt8](repeating: 60, count: count)) }
        let events =
            Bytes.meter(4, power: 2) + bars(8) + Bytes.meter(3, power: 2) + bars(9) + Bytes.meter(4, power: 2) + bars(8)
        #expect(try Self.read(Bytes.file(tracks: Bytes.track(events, Bytes.end))).song.beatsPerBar == 4)
    }
}
