import Foundation
import Testing

@testable import DrumsEngine

/// Scores as MuseScore 3.2.3 exports them, which lie beside its files in `Vectors/musescore`:
///
///     QT_QPA_PLATFORM=offscreen musescore3 -o upbeat.mid upbeat.musicxml
///
/// MuseScore writes an upbeat, and a last bar that lacks one, as bars of metres of their own, plays repeats, lets a note sound a tick
/// short, and names neither the piece nor its parts. What is expected is what the score says.
@Suite("What MuseScore exports is what the score says")
struct MuseScoreTests {
    struct Score: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The beats of a bar and of the upbeat, where half a beat counts as one, and the parts of a beat.
        var bar = 4
        var upbeat = 0
        var division = 2
        /// The ticks of a quarter; a beat has 480.
        var quarter = 480
        /// The microseconds of a beat, from beats on.
        var tempo: [(Int, UInt32)]
        /// The silence before an upbeat that is no whole number of beats, in ticks.
        var silence = 0
        /// The flute, as it is played: twelfths of quarters; a rest is negative.
        var tune: String
        /// The strokes on the kit, as it is played.
        var strokes = 0
        /// The first beats of the score's bars; nil where each bar has its beats.
        var bars: [Int]?
        /// The beats until the end of its last bar, which is whole.
        var beats: Int

        var firstBeats: [Int] { bars ?? Array(stride(from: upbeat, to: beats, by: bar)) }

        /// The start and the length of each note of the flute, in ticks.
        var notes: [(start: Int, length: Int)] {
            var (notes, start): ([(start: Int, length: Int)], Int) = ([], silence)
            for word in tune.split(separator: " ") where word != "|" {
                let ticks = (Int(word) ?? 0) * quarter / 12
                if ticks > 0 { notes.append((start, ticks)) }
                start += abs(ticks)
            }
            return notes
        }
    }

    private static let four = "12 12 12 12 | 24 12 12 | 12 12 12 12 | 36 -12 |"
    private static let six = "6 6 6 6 6 6 | 18 18 |"
    private static let waltz = "12 12 12 | 24 12 | 12 12 12 | 24 12 | 12 12 12 | 24 12 | 12 12 12 |"
    private static let jig = "6 | 6 6 6 6 6 6 | 18 12 6 | 6 6 6 6 6 6 | 18 12 |"

    static let scores: [Score] = [
        // A quarter before 4/4, four bars that are played twice, and 3/4 at the end.
        Score(
            testDescription: "upbeat", upbeat: 1, tempo: [(0, 625_000)],
            tune: "12 | \(four) \(four) 12 12 12 12 | 12 12 24 | 12 12 12 12 | 36", strokes: 139, beats: 49),
        // Four bars of 6/8, two of 3/4, which last as long, and four of 6/8.
        Score(
            testDescription: "six-eight", bar: 2, division: 3, quarter: 320, tempo: [(0, 750_000)],
            tune: "\(six) \(six) 12 12 12 | 12 12 12 | \(six) \(six)", strokes: 22, beats: 20),
        // Triplets; 120 beats a minute, then 90, and 60 within the fifth bar.
        Score(
            testDescription: "tempo", tempo: [(0, 500_000), (8, 666_667), (18, 1_000_000)],
            tune: "12 12 12 12 | 4 4 4 4 4 4 24 | 12 12 12 12 | 4 4 4 12 24 | 12 12 12 12 | 48", beats: 24),
        Score(
            testDescription: "one-eighth", bar: 3, upbeat: 1, tempo: [(0, 600_000)], silence: 240,
            tune: "6 | \(waltz) 24 -6", beats: 25),
        Score(
            testDescription: "two-eighths", bar: 3, upbeat: 1, tempo: [(0, 600_000)], tune: "6 6 | \(waltz) 24",
            strokes: 23, beats: 25),
        // An eighth before 6/8, and a repeat that begins with it.
        Score(
            testDescription: "jig", bar: 2, upbeat: 1, division: 3, quarter: 320, tempo: [(0, 600_000)], silence: 320,
            tune: "\(jig) \(jig)", strokes: 16, beats: 17),
        // A quarter before 2/2: half a beat.
        Score(
            testDescription: "cut", bar: 2, upbeat: 1, quarter: 240, tempo: [(0, 750_000)], silence: 240,
            tune: "12 | \(four) 12 12 12 12 | 12 12 24 | 36", beats: 15),
        Score(
            testDescription: "five", bar: 5, tempo: [(0, 545_455)],
            tune: "12 12 12 12 12 | 36 24 | 12 12 12 12 12 | 36 -24", beats: 20),
        // Two bars of silence, which are left out, and a third that ends with a quarter.
        Score(
            testDescription: "rests-first", tempo: [(0, 500_000)], tune: "-36 12 | 12 12 12 12 | 12 12 12 12 | 48",
            beats: 16),
    ]

    private static func song(_ score: Score) throws -> (song: Song, leftOut: MIDIFileError?) {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Vectors").resolvingSymlinksInPath()
        let file = folder.appendingPathComponent("musescore/\(score.testDescription).mid")
        return try Song.readingMIDI(Array(try Data(contentsOf: file)), id: Array("s".utf8)) { name in
            name.isEmpty ? Array("A song".utf8) : name
        }
    }

    /// The beats that level 1 asks for.
    private static func asked(_ song: Song) -> [Int] {
        let chart = song.chart(.one)
        let steps = Int(chart.stepsPerBeat)
        return chart.steps.indices.filter { chart.steps[$0] }.map { $0 / steps }
    }

    @Test("Metre, tempo and notes", arguments: scores)
    func score(score: Score) throws {
        let (song, leftOut) = try Self.song(score)
        #expect(leftOut == nil)
        #expect(Int(song.beatsPerBar) == score.bar && Int(song.upbeatBeats) == score.upbeat)
        #expect(Int(song.beatDivision) == score.division && Int(song.beats) == score.beats)
        #expect(song.tempo.map { Int($0.step) } == score.tempo.map { $0.0 })
        #expect(song.tempo.map { $0.microsecondsPerBeat } == score.tempo.map { $0.1 })
        let tune = song.notes.filter { $0.voice == .melody }
        #expect(tune.map { Int($0.start) } == score.notes.map { $0.start })
        #expect(zip(tune, score.notes).allSatisfy { (0...1).contains($1.length - Int($0.length)) })
        #expect(song.notes.filter { $0.voice == .percussion }.count == score.strokes)
        #expect(song.notes.count == score.notes.count + score.strokes)
    }

    @Test("Level 1 asks for nothing but first beats of the score's bars", arguments: scores)
    func firstBeats(score: Score) throws {
        let asked = Self.asked(try Self.song(score).song)
        #expect(asked.count >= 3 && Set(score.firstBeats).isSuperset(of: asked))
    }

    static let changing: [Score] = [
        // Two bars of 4/4, one of 3/4, and five of 4/4.
        Score(
            testDescription: "three-among-four", tempo: [(0, 500_000)],
            tune: "12 12 12 12 | 12 12 12 12 | 12 12 12 | 12 12 12 12 | 12 12 12 12 | 12 12 12 12 | 12 12 12 12 | 48",
            strokes: 28, bars: [0, 4, 8, 11, 15, 19, 23, 27], beats: 31),
        // Four bars of 4/4, two of 6/8, and three of 4/4.
        Score(
            testDescription: "six-among-four", tempo: [(0, 600_000)],
            tune: "\(quarters) | \(quarters) | \(six) \(quarters) | 48", strokes: 29,
            bars: [0, 4, 8, 12, 16, 19, 22, 26, 30], beats: 34),
    ]

    private static let quarters = "12 12 12 12 | 12 12 12 12"

    @Test("After bars of another metre the bars go on where the score has them", arguments: changing)
    func changes(score: Score) throws {
        let song = try Self.song(score).song
        #expect(Int(song.beatsPerBar) == score.bar && song.notes.count == score.notes.count + score.strokes)
        #expect(song.notes.filter { $0.voice == .melody }.map { Int($0.start) } == score.notes.map { $0.start })
        #expect(Set(score.firstBeats).isSuperset(of: Self.asked(song)))
        // With its last bar: not before the last note has sounded.
        #expect(Int(song.beats) == score.beats)
    }
}
