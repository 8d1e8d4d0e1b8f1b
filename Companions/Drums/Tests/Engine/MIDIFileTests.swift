import Testing

@testable import DrumsEngine

@Suite("Standard MIDI Files")
struct MIDIFileTests {
    typealias Bytes = MIDIFileBytes

    static func song(_ bytes: [UInt8]) throws(MIDIFileError) -> Song {
        try Song.fromMIDI(bytes, id: Array("s".utf8), title: Array("A song".utf8))
    }

    static func failure(_ bytes: [UInt8]) -> MIDIFileError? {
        do throws(MIDIFileError) {
            _ = try song(bytes)
            return nil
        } catch {
            return error
        }
    }

    /// Four quarters.
    private static let bar = [60, 62, 64, 65].map { Bytes.note($0) }.flatMap { $0 }

    @Test("Type 0 becomes a song at the file's tempo")
    func type0() throws {
        let song = try Self.song(Bytes.file(tracks: Bytes.track(Bytes.tempo(600_000), Self.bar, Bytes.end)))
        #expect(song.tempo == [TempoChange(step: 0, microsecondsPerBeat: 600_000)])
        #expect(song.notes.map(\.pitch) == [60, 62, 64, 65])
        #expect(song.notes.map(\.start) == [0, 480, 960, 1440])
        #expect(song.notes.allSatisfy { $0.length == 480 && $0.velocity == 90 && $0.voice == .melody })
        #expect(song.beats == 4)
        #expect(song.milliseconds == 2_400)
    }

    @Test("Without a tempo it is 120, RP-001, Set Tempo")
    func defaultTempo() throws {
        let song = try Self.song(Bytes.file(tracks: Bytes.track(Self.bar)))
        #expect(song.tempo == [TempoChange(step: 0, microsecondsPerBeat: 500_000)])
    }

    @Test("Type 1 joins its tracks: the tune, what goes along, and the drums of channel 10")
    func type1() throws {
        let bass = Bytes.track((0..<4).flatMap { _ in Bytes.note(36, channel: 1) }, Bytes.end)
        let tune = Bytes.track([72, 74, 76, 77].flatMap { Bytes.note($0, channel: 2) }, Bytes.end)
        let drums = Bytes.track((0..<4).flatMap { _ in Bytes.note(38, channel: 9) }, Bytes.end)
        let song = try Self.song(
            Bytes.file(
                type: 1, tracks: Bytes.track(Bytes.tempo(400_000), Bytes.end), bass, tune, drums))
        #expect(song.notes.filter { $0.voice == .melody }.map(\.pitch) == [72, 74, 76, 77])
        #expect(song.notes.filter { $0.voice == .accompaniment }.map(\.pitch) == [36, 36, 36, 36])
        #expect(song.notes.filter { $0.voice == .percussion }.map(\.pitch) == [38, 38, 38, 38])
        #expect(song.tempo[0].microsecondsPerBeat == 400_000)
    }

    @Test("A high part of a few notes is no tune beside a busy one")
    func tuneOfFewNotes() throws {
        let busy = Bytes.track((0..<12).flatMap { _ in Bytes.note(60, ticks: 48) })
        let bells = Bytes.track(Bytes.note(100, channel: 1))
        let song = try Self.song(Bytes.file(type: 1, tracks: busy, bells))
        #expect(song.notes.filter { $0.voice == .melody }.map(\.pitch).contains(60))
        #expect(song.notes.filter { $0.voice == .accompaniment }.map(\.pitch) == [100])
    }

    @Test("Running status goes on over notes, and over a meta event between them")
    func runningStatus() throws {
        let events: [UInt8] = [
            0, 0x90, 60, 90, 96, 60, 0, 0, 62, 90, 0, 0xFF, 0x01, 2, 0x68, 0x69, 96, 62, 0, 0, 64, 90, 96, 64, 0,
        ]
        let song = try Self.song(Bytes.file(tracks: Bytes.track(events, Bytes.end)))
        #expect(song.notes.map(\.pitch) == [60, 62, 64])
        #expect(song.notes.map(\.length) == [480, 480, 480])
    }

    @Test("A note-on of velocity 0 ends a note")
    func velocityZero() throws {
        let events: [UInt8] = [0, 0x90, 60, 90, 48, 0x90, 60, 0]
        #expect(try Self.song(Bytes.file(tracks: Bytes.track(events))).notes.map(\.length) == [240])
    }

    @Test("The tempo of each beat is its average where it changes within one")
    func tempoWithinBeat() throws {
        let slower = Bytes.tempo(1_000_000, after: 48)
        let song = try Self.song(
            Bytes.file(
                type: 1, tracks: Bytes.track(Bytes.tempo(500_000), slower), Bytes.track(Self.bar)))
        #expect(
            song.tempo == [
                TempoChange(step: 0, microsecondsPerBeat: 750_000),
                TempoChange(step: 1, microsecondsPerBeat: 1_000_000),
            ])
        #expect(song.charts.allSatisfy { $0.tempo[0].microsecondsPerBeat == 750_000 })
    }

    @Test("A hundred tempo changes become at most 64")
    func manyTempos() throws {
        let tempos = (0..<200).flatMap { Bytes.tempo(500_000 + $0 * 1_000, after: $0 == 0 ? 0 : 96) }
        let notes = (0..<200).flatMap { _ in Bytes.note(60) }
        let song = try Self.song(Bytes.file(type: 1, tracks: Bytes.track(tempos), Bytes.track(notes)))
        #expect(song.tempo.count <= 64)
        #expect(song.tempo.count > 16)
        #expect(song.tempo.last.map { $0.microsecondsPerBeat > 680_000 } == true)
    }

    @Test("6/8 is counted in dotted quarters")
    func compoundMeter() throws {
        let notes = (0..<12).flatMap { _ in Bytes.note(60, ticks: 48) }
        let song = try Self.song(Bytes.file(tracks: Bytes.track(Bytes.meter(6, power: 3), Bytes.tempo(400_000), notes)))
        #expect(song.beatsPerBar == 2)
        #expect(song.beatDivision == 3)
        #expect(song.beats == 4)
        #expect(song.tempo[0].microsecondsPerBeat == 600_000)
        #expect(song.notes[1].start == 160)
    }

    @Test("Whole bars of silence at the beginning are left out")
    func silence() throws {
        let song = try Self.song(
            Bytes.file(tracks: Bytes.track(Bytes.note(60, after: 96 * 9), Bytes.note(62), Bytes.note(64))))
        #expect(song.notes.map(\.start) == [480, 960, 1440])
        #expect(song.beats == 4)
    }

    @Test("The charts follow the drums where there are eight strokes, and the tune else")
    func chartsOfDrums() throws {
        let tune = Bytes.track((0..<4).flatMap { _ in Bytes.note(72, ticks: 96 * 4) })
        let drums = Bytes.track((0..<8).flatMap { _ in Bytes.note(38, ticks: 192, channel: 9) })
        let with = try Self.song(Bytes.file(type: 1, tracks: tune, drums))
        let without = try Self.song(Bytes.file(tracks: tune))
        #expect(with.chart(.two).steps.count { $0 } == 8)
        #expect(without.chart(.two).steps.count { $0 } == 4)
    }

    @Test("Chunks of an unknown type and bytes after the last track are passed over")
    func alienChunks() throws {
        let alien = Array("XFIH".utf8) + Bytes.number(3, bytes: 4) + [1, 2, 3]
        let bytes =
            Bytes.header(type: 0, tracks: 1, division: 96) + alien + Bytes.track(Self.bar, Bytes.end) + [0, 0, 0]
        #expect(try Self.song(bytes).notes.count == 4)
    }

    @Test("A longer header is passed over")
    func longHeader() throws {
        let bytes =
            Array("MThd".utf8) + [0, 0, 0, 8, 0, 0, 0, 1, 0, 96, 7, 7] + Bytes.track(Self.bar)
        #expect(try Self.song(bytes).notes.count == 4)
    }
}
