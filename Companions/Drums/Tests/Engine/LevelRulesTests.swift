import TestInstruments
import Testing

@testable import DrumsEngine

@Suite("The four levels that follow from a song's music")
struct LevelRulesTests {
    private static func grid(
        beats: Int = 16, beatsPerBar: Int = 4, upbeat: Int = 0, division: UInt8 = 2, bpm: UInt32 = 120
    ) -> LevelRules.Grid {
        .init(
            beats: beats, beatsPerBar: beatsPerBar, upbeatBeats: upbeat, beatDivision: division,
            tempo: [TempoChange(step: 0, microsecondsPerBeat: 60_000_000 / bpm)])
    }

    private static func places(_ chart: Chart) -> [Int] { chart.steps.indices.filter { chart.steps[$0] } }

    /// Something at every quarter of every beat.
    private static func everything(_ grid: LevelRules.Grid) -> [Int64] {
        (0..<grid.beats * 4).map { Int64($0) * 120 }
    }

    @Test("At 120 level 1 has the bars, level 2 every other beat, level 3 every beat")
    func at120() {
        let grid = Self.grid()
        let charts = LevelRules.charts(onsets: Self.everything(grid), grid: grid)
        #expect(charts.map(\.stepsPerBeat) == [1, 1, 1, 2])
        #expect(Self.places(charts[0]) == [0, 4, 8, 12])
        #expect(Self.places(charts[1]) == Array(stride(from: 0, to: 16, by: 2)))
        #expect(Self.places(charts[2]) == Array(0..<16))
        #expect(Self.places(charts[3]) == Array(0...30))
    }

    @Test("At 80 level 3 has the halves of the beats too")
    func at80() {
        let grid = Self.grid(bpm: 80)
        let charts = LevelRules.charts(onsets: Self.everything(grid), grid: grid)
        #expect(Self.places(charts[1]) == Array(0..<16))
        #expect(charts[2].stepsPerBeat == 2 && Self.places(charts[2]) == Array(0..<32))
        // Quarters of 187 ms are closer than the kit's own bounce.
        #expect(charts[3] == charts[2])
    }

    @Test("The bars begin after an upbeat")
    func upbeat() {
        let grid = Self.grid(upbeat: 1)
        let charts = LevelRules.charts(onsets: Self.everything(grid), grid: grid)
        #expect(Self.places(charts[0]) == [1, 5, 9, 13])
    }

    @Test("In 6/8 the parts of a beat are thirds")
    func compound() {
        let grid = Self.grid(beats: 4, beatsPerBar: 2, division: 3, bpm: 50)
        let charts = LevelRules.charts(onsets: (0..<12).map { $0 * 160 }, grid: grid)
        #expect(charts[2].stepsPerBeat == 3 && Self.places(charts[2]) == Array(0..<12))
    }

    @Test(
        "In fast 6/8, whose thirds are too close, each level asks for more all the same", arguments: [58, 66, 76, 85])
    func fastCompound(bpm: UInt32) {
        let grid = Self.grid(beats: 16, beatsPerBar: 2, division: 3, bpm: bpm)
        let charts = LevelRules.charts(onsets: (0..<48).map { $0 * 160 }, grid: grid)
        #expect(Self.places(charts[0]) == Array(stride(from: 0, to: 16, by: 2)))
        #expect(Self.places(charts[1]) == (0..<16).filter { $0 % 4 != 3 })
        #expect(Self.places(charts[2]) == Array(0..<16))
    }

    @Test("At 70 level 4 has the quarters of the beats, since its halves are those of level 3")
    func at70() {
        let grid = Self.grid(bpm: 70)
        let charts = LevelRules.charts(onsets: Self.everything(grid), grid: grid)
        #expect(charts[2].stepsPerBeat == 2 && Self.places(charts[2]).count == 32)
        #expect(charts[3].stepsPerBeat == 4 && Self.places(charts[3]) == Array(0...62))
    }

    @Test("Level 4 fills in what lies between hits of level 3, and neither rests of more than a bar nor the ends")
    func filled() {
        let grid = Self.grid(beats: 24)
        let charts = LevelRules.charts(onsets: [4, 6, 8, 16, 17].map { $0 * 480 }, grid: grid)
        #expect(Self.places(charts[2]) == [4, 6, 8, 16, 17])
        #expect(charts[3].stepsPerBeat == 2 && Self.places(charts[3]) == Array(8...16) + [32, 33, 34])
    }

    @Test("Rests of the tune are rests of the levels")
    func rests() {
        let grid = Self.grid()
        let charts = LevelRules.charts(onsets: [0, 480 * 8], grid: grid)
        for chart in charts { #expect(Self.places(chart) == [0, 8]) }
    }

    @Test("What begins a little off a place counts as on it, and a triplet does not")
    func tolerance() {
        let grid = Self.grid()
        let charts = LevelRules.charts(onsets: [25, 480 + 160], grid: grid)
        #expect(Self.places(charts[2]) == [0])
    }

    @Test("A tune beside every beat is hit beside it")
    func offBeat() {
        let grid = Self.grid(bpm: 60)
        let charts = LevelRules.charts(onsets: [240, 240 + 480 * 4], grid: grid)
        for chart in charts[..<3] { #expect(chart.stepsPerBeat == 2 && Self.places(chart) == [1, 9]) }
        #expect(Self.places(charts[3]) == Array(1...9))
    }

    @Test("Gaps hold, levels ask for more and more, and no chart is beyond a session", arguments: UInt64(1)...20)
    func properties(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let grid = Self.grid(
            beats: .random(in: 1...4_096, using: &random), beatsPerBar: .random(in: 1...9, using: &random),
            bpm: .random(in: 20...400, using: &random))
        let onsets = (0..<grid.beats * 4).filter { _ in Bool.random(using: &random) }.map { Int64($0) * 120 }
        let charts = LevelRules.charts(onsets: onsets, grid: grid)
        var last = 0
        var before: [Int64] = []
        for (level, chart) in zip(Level.allCases, charts) {
            let times = Self.places(chart).map { chart.positionMicroseconds(ofStep: $0) }
            for (one, next) in zip(times, times.dropFirst()) {
                #expect(next - one >= LevelRules.leastGap(level) * 1_000 - 4, "seed \(seed)")
            }
            if level == .four { #expect(Set(before).isSubset(of: times), "seed \(seed)") }
            before = times
            #expect(times.count <= Song.Limits.hits && chart.steps.count <= Song.Limits.beats, "seed \(seed)")
            if times.count < Song.Limits.hits / 2 { #expect(times.count >= last, "seed \(seed)") }
            last = times.count
        }
    }

    @Test("Half an hour of a recording fits into a session at each level")
    func longRecording() throws {
        let song = try Song.ofAudio(
            id: [0x61], title: [0x61], microsecondsPerBeat: 440_000, offsetMilliseconds: 0,
            lengthMilliseconds: 1_800_000, beatsPerBar: 4)
        #expect(song.charts.allSatisfy { chart in Self.places(chart).count <= Song.Limits.hits })
        #expect(song.charts.allSatisfy { $0.isPlayable })
    }
}
