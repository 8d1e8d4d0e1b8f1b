import TestInstruments
import Testing

@testable import DrumsEngine

/// Whatever comes in, a song or an error comes out; and a song is one that ``Song/check()`` approves and that survives
/// its own bytes.
@Suite("Songs from anything")
struct SongFuzzTests {
    private static func verify(_ song: Song, _ seed: UInt64) {
        #expect(throws: Never.self, "seed \(seed)") { try song.check() }
        #expect((try? Song.decoded(song.encoded())) == song, "seed \(seed)")
    }

    /// A file with some of its bytes changed, left out or doubled.
    private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            default: bytes.removeSubrange(place..<min(place + 9, bytes.count))
            }
        }
        return bytes
    }

    @Test("MIDI files with damage", arguments: UInt64(1)...40)
    func midi(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        typealias Bytes = MIDIFileBytes
        let tune = (0..<16).flatMap { _ in
            Bytes.note(.random(in: 40...90, using: &random), after: .random(in: 0...200, using: &random))
        }
        let file = Bytes.file(
            type: 1, tracks: Bytes.track(Bytes.tempo(500_000), Bytes.meter(3, power: 2), Bytes.end),
            Bytes.track(tune, Bytes.end), Bytes.track(Bytes.note(38, channel: 9), Bytes.end))
        var taken = 0
        for _ in 0..<400 {
            guard let song = try? MIDIFileTests.song(Self.damaged(file, &random)) else { continue }
            taken += 1
            Self.verify(song, seed)
        }
        #expect(taken > 0, "seed \(seed): nothing was read that could be verified")
    }

    @Test("MIDI files of chance after a good header", arguments: UInt64(1)...20)
    func chance(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let events = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let division = Int.random(in: 1...0x7FFF, using: &random)
            let file = MIDIFileBytes.file(division: division, tracks: MIDIFileBytes.track(events))
            if let song = try? MIDIFileTests.song(file) { Self.verify(song, seed) }
        }
    }

    @Test("Text with damage", arguments: UInt64(1)...40)
    func text(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = Array(
            (SongTextTests.head + "level 1: 2 | x... ..x. |\nC4/8 | C4~ C4/8 D4/8 [tempo 90] E4/2 | F#4/1 | -/2. |")
                .utf8)
        var taken = 0
        for _ in 0..<400 {
            guard let song = try? Song.fromText(Self.damaged(text, &random), id: [0x74]) else { continue }
            taken += 1
            Self.verify(song, seed)
        }
        #expect(taken > 0, "seed \(seed): nothing was read that could be verified")
    }

    @Test("Bytes of a song with damage are refused; what is read was not changed after all", arguments: UInt64(1)...40)
    func bytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = try SongTextTests.song(SongTextTests.head + "| C4 D4 E4 F4 | G4/1 |").encoded()
        for _ in 0..<100 {
            let damaged = Self.damaged(bytes, &random)
            #expect((try? Song.decoded(damaged)) == nil || damaged == bytes, "seed \(seed)")
        }
    }

    @Test("Every single byte that is another is noticed, and so is every end that comes too early")
    func damage() throws {
        let bytes = try SongTextTests.song(SongTextTests.head + "| C4 D4 E4 F4 |").encoded()
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 0x10
            #expect(throws: SongCodecError.self, "byte \(place)") { try Song.decoded(other) }
            #expect(throws: SongCodecError.self, "cut at \(place)") { try Song.decoded(Array(bytes[..<place])) }
        }
        #expect(throws: SongCodecError.seal(.trailingBytes)) { try Song.decoded(bytes + [0]) }
    }

    @Test("Recordings of any numbers", arguments: UInt64(1)...20)
    func audio(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var taken = 0
        for _ in 0..<50 {
            let song = try? Song.ofAudio(
                id: [0x61], title: [0x61], microsecondsPerBeat: .random(in: 0...4_000_000, using: &random),
                offsetMilliseconds: .random(in: -100_000...2_000_000, using: &random),
                lengthMilliseconds: .random(in: -1_000...2_000_000, using: &random),
                beatsPerBar: .random(in: 0...20, using: &random))
            guard let song else { continue }
            taken += 1
            Self.verify(song, seed)
        }
        #expect(taken > 0, "seed \(seed): nothing was made that could be verified")
    }

    @Test("Live MIDI of chance never has a drum that is none", arguments: UInt64(1)...20)
    func live(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stream = MIDIStream()
        var packets = BluetoothMIDI()
        var clock = BluetoothMIDIClock()
        var arrival = 0.0
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            arrival += Double.random(in: 0...5_000, using: &random)
            for stroke in stream.strokes(in: bytes) + packets.strokes(in: [0x80] + bytes) {
                #expect(stroke.note < 128 && (1...127).contains(stroke.velocity) && stroke.channel < 16, "seed \(seed)")
                let time = clock.time(ofTimestamp: stroke.timestamp, arrival: arrival)
                #expect(time <= arrival && time > arrival - 1_000, "seed \(seed)")
            }
        }
    }
}
