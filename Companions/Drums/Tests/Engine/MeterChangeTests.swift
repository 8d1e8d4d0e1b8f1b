import Testing

@testable import DrumsEngine

/// Time signatures as programs write them, with a quarter on each beat of eight bars and more; what is expected is counted from
/// the signatures (RP-001, "Time Signature").
@Suite("Bars follow the changes of the metre")
struct MeterChangeTests {
    struct File: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Each signature with the number of its bars.
        var bars: [(upper: Int, lower: Int, count: Int)]
        var upbeat = 0
        /// The beats with which bars begin.
        var starts: [Int]
    }

    static let files: [File] = [
        File(
            testDescription: "one bar of 1/4, then ten of 3/4", bars: [(4, 4, 12), (1, 4, 1), (3, 4, 10), (4, 4, 2)],
            starts: Array(stride(from: 0, to: 48, by: 4)) + [48] + stride(from: 49, to: 79, by: 3) + [79, 83]),
        File(
            testDescription: "an upbeat, and a last section of 3/4", bars: [(1, 4, 1), (4, 4, 6), (3, 4, 5)], upbeat: 1,
            starts: Array(stride(from: 1, to: 25, by: 4)) + stride(from: 25, to: 40, by: 3)),
        File(
            testDescription: "a bar that a repeat parts", bars: [(4, 4, 3), (3, 4, 1), (1, 4, 1), (4, 4, 3)],
            starts: Array(stride(from: 0, to: 28, by: 4))),
        File(
            testDescription: "3/4 from the beginning, then more of 4/4", bars: [(3, 4, 3), (4, 4, 6)],
            starts: [0, 3, 6] + stride(from: 9, to: 33, by: 4)),
        // Seven eighths are three beats and a half: the next bar begins with the beat behind them.
        File(
            testDescription: "3/4 and 7/8 among 4/4", bars: [(4, 4, 4), (3, 4, 1), (7, 8, 1), (4, 4, 4)],
            starts: [0, 4, 8, 12, 16, 19] + stride(from: 23, to: 39, by: 4)),
    ]

    private static func song(_ file: File) throws -> Song {
        var events: [UInt8] = []
        var (tick, last) = (0, 0)
        func wait(_ until: Int) {
            let delta = until - last
            if delta >= 128 { events.append(UInt8(0x80 | delta >> 7)) }
            events.append(UInt8(delta & 0x7F))
            last = until
        }
        for (upper, lower, count) in file.bars {
            wait(tick)
            events += [0xFF, 0x58, 4, UInt8(upper), UInt8(lower.trailingZeroBitCount), 24, 8]
            for _ in 0..<count {
                // A quarter on each whole beat of the bar.
                let end = tick + upper * 4 * 96 / lower
                for beat in stride(from: tick, to: end, by: 96) {
                    wait(beat)
                    events += [0x90, 60, 80]
                    wait(beat + 40)
                    events += [0x80, 60, 0]
                }
                tick = end
            }
        }
        wait(tick)
        events += [0xFF, 0x2F, 0]
        let size = (0..<4).reversed().map { UInt8(truncatingIfNeeded: events.count >> (8 * $0)) }
        let bytes = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + size + events
        return try Song.fromMIDI(bytes, id: [0x6D], title: [0x6D])
    }

    @Test("Each bar begins where its signature says", arguments: files)
    func bars(file: File) throws {
        let song = try Self.song(file)
        #expect(Int(song.upbeatBeats) == file.upbeat)
        #expect((0..<Int(song.beats)).filter(song.beginsBar) == file.starts)
        #expect(try Song.decoded(song.encoded()) == song, "it is read as it was written")
    }

    @Test("As many changes as a song holds are kept, and one that cannot be is refused")
    func most() throws {
        var song = try Self.song(Self.files[3])
        song.meterChanges = (0..<33).map { MeterChange(beat: $0, beatsPerBar: 1) }
        #expect(try Song.decoded(song.encoded()).meterChanges == song.meterChanges)
        for change in [
            MeterChange(beat: 33, beatsPerBar: 1), MeterChange(beat: 1, beatsPerBar: 0),
            MeterChange(beat: 1, beatsPerBar: 17),
        ] {
            song.meterChanges = [change]
            #expect(throws: SongError.meter) { try song.check() }
        }
        song.meterChanges = [MeterChange(beat: 2, beatsPerBar: 3), MeterChange(beat: 2, beatsPerBar: 4)]
        #expect(throws: SongError.meter) { try song.check() }
    }
}
