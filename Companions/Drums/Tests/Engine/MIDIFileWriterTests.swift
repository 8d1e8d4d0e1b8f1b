import TestInstruments
import Testing

@testable import DrumsEngine

@Suite("A song as a Standard MIDI File")
struct MIDIFileWriterTests {
    /// A note as a file has it.
    private struct Heard: Hashable {
        var start, end: Int64
        var channel, pitch, velocity: UInt8
    }

    /// A song of chance: three voices, notes that overlap, several tempos.
    private static func song(_ random: inout SeededGenerator) -> Song {
        var taken: Set<[Int]> = []
        var notes = (0..<Int.random(in: 1...300, using: &random)).map { _ in
            SongNote(
                start: .random(in: 0...60_000, using: &random), length: .random(in: 1...4_000, using: &random),
                pitch: .random(in: 55...70, using: &random), velocity: .random(in: 1...127, using: &random),
                voice: SongVoice.allCases.randomElement(using: &random) ?? .melody)
        }
        notes = notes.filter { taken.insert([Int($0.start), Int($0.pitch), Int($0.voice.rawValue)]).inserted }
        notes.sort { $0.start < $1.start }
        let tempos = (0..<UInt16.random(in: 1...20, using: &random)).map { index in
            TempoChange(step: index * 5, microsecondsPerBeat: .random(in: 150_000...3_000_000, using: &random))
        }
        return Song(
            id: [0x74], title: Array("Für Elise".utf8), composer: [], source: [], year: 0, sound: .notes,
            audioOffsetMilliseconds: 0, beatsPerBar: .random(in: 1...16, using: &random), upbeatBeats: 0,
            beatDivision: 2, beats: 128, tempo: tempos, notes: notes, charts: [])
    }

    /// What a file is to have of a song: a channel sounds a pitch once, so that a note ends where the next of it begins.
    private static func heard(_ song: Song) -> [Heard] {
        let channels: [SongVoice: UInt8] = [.melody: 0, .accompaniment: 1, .percussion: 9]
        return song.notes.enumerated().map { index, note in
            let end = Int64(note.start) + Int64(note.length)
            let next = song.notes[(index + 1)...].first { $0.pitch == note.pitch && $0.voice == note.voice }?.start
            return Heard(
                start: Int64(note.start), end: min(end, next.map { Int64($0) } ?? end),
                channel: channels[note.voice] ?? 0, pitch: note.pitch, velocity: note.velocity)
        }
    }

    @Test("What is written is read again: each note, tempo, metre and title", arguments: UInt64(1)...20)
    func roundTrip(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let song = Self.song(&random)
        let file = try MIDIFile(song.midiFile)
        #expect(file.division == Song.ticksPerBeat)
        #expect(file.name == song.title)
        #expect(file.meters.first?.upper == song.beatsPerBar)
        #expect(file.meters.first?.power == 2)
        #expect(
            file.tempos.map { [$0.tick, Int64($0.microsecondsPerQuarter)] }
                == song.tempo.map { [Int64($0.step) * Song.ticksPerBeat, Int64($0.microsecondsPerBeat)] })
        let read = file.notes.map {
            Heard(start: $0.start, end: $0.end, channel: $0.channel, pitch: $0.pitch, velocity: $0.velocity)
        }
        #expect(read.count == song.notes.count)
        #expect(Set(read) == Set(Self.heard(song)))
        // A channel of a track is a voice again, whichever is the tune.
        #expect(file.notes.allSatisfy { $0.track == 0 })
    }

    @Test("A song that was written down is the same song when it is imported from its file")
    func imported() throws {
        let song = try SongTextTests.song(SongTextTests.head + "| C4 D4 E4 F4 | [tempo 90] G4/1 | C4~ C4/8 D4/8 E4/2 |")
        let again = try MIDIFileTests.song(song.midiFile)
        #expect(again.notes == song.notes)
        #expect(again.tempo == song.tempo)
        #expect(again.beats == song.beats)
        #expect(again.beatsPerBar == song.beatsPerBar)
    }
}
