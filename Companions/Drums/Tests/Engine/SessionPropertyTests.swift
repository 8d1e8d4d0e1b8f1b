import DrumsVectorLines
import TestInstruments
import Testing

@testable import DrumsEngine

@Suite("What holds for any session")
struct SessionPropertyTests {
    private func invariants(_ session: DrumSession) {
        let result = session.result
        let view = session.view
        #expect(result.right <= result.answered)
        #expect(result.answered <= result.judged)
        #expect(result.judged <= result.beats.count)
        #expect(view.beatsDone <= view.beatsAsked)
        #expect(view.beatsAsked <= view.beatCount)
        #expect(result.milliseconds <= max(0, result.endedAt - result.startedAt))
        #expect(result.beats.map(\.step) == result.beats.map(\.step).sorted())
        #expect(Set(result.beats.map(\.step)).count == result.beats.count)
        #expect(
            view.songMicroseconds <= max(view.horizonMicroseconds, view.floorMicroseconds)
                || session.setup.mode == .flow)
        #expect(!(view.isPaused && view.isRunning))
        #expect(!(view.isCueShown && !view.isCueDue))
        if session.end != nil { #expect(!view.isRunning && view.cueStep == nil) }
        for beat in result.beats {
            #expect(session.setup.chart.steps[beat.step])
            #expect(beat.verdict != .right || beat.wrong.isEmpty)
            #expect((beat.errorMilliseconds != nil) == (beat.verdict == .offTime) || session.setup.mode == .flow)
        }
    }

    @Test("What is stored comes to the same when it is played again, at each step", arguments: SessionPlayer.seeds)
    func replay(seed: UInt64) throws {
        print("property seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var session = try DrumSession(setup: SessionPlayer.anySetup(&random))
            var now = Int64.random(in: -1_000_000...1_000_000, using: &random)
            _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: now)
            for _ in 0..<80 {
                now += [0, 1, 16_000, 120_000, 400_000, 1_500_000].randomElement(using: &random) ?? 0
                let input = SessionPlayer.anyInput(session, &random)
                if case .opened = input { now = Int64.random(in: 0...9_000, using: &random) }
                let before = session.events.count
                let output = session.handle(
                    input, atMicroseconds: now - Int64.random(in: 0...20_000, using: &random))
                #expect(output.contains(.recorded) == (session.events.count > before))
                invariants(session)
                let bytes = session.encoded()
                var again = try DrumSession.decoded(bytes)
                #expect(again.encoded() == bytes)
                again.look(as: session)
                #expect(again.result == session.result)
                #expect(again.view == session.view)
            }
        }
    }

    @Test("It does not matter how often somebody looked", arguments: SessionPlayer.seeds)
    func looks(seed: UInt64) throws {
        print("property seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let setup = SessionPlayer.anySetup(&random)
            var looked = try DrumSession(setup: setup)
            var blind = try DrumSession(setup: setup)
            var now: Int64 = 0
            for session in [0, 1] {
                if session == 0 { _ = looked.handle(.start(wall: 0), atMicroseconds: 0) }
                if session == 1 { _ = blind.handle(.start(wall: 0), atMicroseconds: 0) }
            }
            for _ in 0..<60 {
                let step = Int64.random(in: 0...900_000, using: &random)
                for part in 1...4 { _ = looked.handle(.tick, atMicroseconds: now + step * Int64(part) / 4) }
                now += step
                _ = blind.handle(.tick, atMicroseconds: now)
                #expect(looked.view == blind.view)
                let input = SessionPlayer.anyInput(looked, &random)
                if case .opened = input { continue }
                _ = looked.handle(input, atMicroseconds: now)
                _ = blind.handle(input, atMicroseconds: now)
            }
            #expect(looked.encoded() == blind.encoded())
            #expect(looked.result == blind.result)
        }
    }

    @Test(
        "A song that is answered is played to its end, whatever the page dies of on the way",
        arguments: [PlayMode.wait, .flow], [LinkKind.screen, .bluetooth])
    func reloads(mode: PlayMode, link: LinkKind) throws {
        var whole = try DrumSession(setup: SessionPlayer.setup(beats: 12, mode: mode, link: link))
        _ = whole.handle(.start(wall: SessionPlayer.wall), atMicroseconds: 0)
        SessionPlayer.play(&whole, grain: 16, reaction: 400)
        #expect(whole.end == .finished)
        #expect(whole.result.answered == 12)
        for count in 1...whole.events.count {
            let part = try #require(whole.beginning(events: count))
            var again = try DrumSession.decoded(part.encoded())
            #expect(whole.isContinuation(of: again))
            let done = again.view.beatsDone
            let wall = part.wallMilliseconds(ofEvent: count - 1) + 60_000
            _ = again.handle(.opened(wall: wall), atMicroseconds: 77)
            if again.end == nil { #expect(again.view.isPaused) }
            _ = again.handle(.resume, atMicroseconds: 1_000_000)
            SessionPlayer.play(&again, grain: 16, reaction: 400, from: 1_000_000)
            #expect(again.end == .finished)
            #expect(again.result.beats.count == 12)
            // Of flow mode, the beat during which the page died may be gone.
            #expect(again.result.answered >= (mode == .wait ? 12 : 11))
            #expect(Array(again.result.beats.prefix(done)) == Array(whole.result.beats.prefix(done)))
        }
    }

    @Test("Each drum that is active is asked for as often as the others, to a few in a hundred")
    func choice() {
        for bits in UInt8(1)...15 {
            let drums = DrumSet(rawValue: bits)
            let chosen = DrumChoice.drums(of: drums, seed: 7, count: 12_000)
            for drum in Drum.allCases {
                let share = chosen.count { $0 == drum }
                let expected = drums.contains(drum) ? 12_000 / drums.count : 0
                #expect(abs(share - expected) < 300, "\(bits) \(drum)")
            }
        }
    }

    @Test("Quartiles are those of definition 7, the mean is the mean, in any order", arguments: SessionPlayer.seeds)
    func quartiles(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for count in 1...60 {
            let values = (0..<count).map { _ in Int32.random(in: -2_000...60_000, using: &random) }
            let sorted = values.sorted()
            let told = try #require(Distribution(milliseconds: values))
            let mean = Double(values.reduce(0) { $0 + Int($1) } * 10) / Double(count)
            #expect(Double(told.meanTenths) == mean.rounded(.toNearestOrAwayFromZero))
            #expect(Distribution(hundredths: values.map { $0 * 100 })?.meanTenths == told.meanTenths)
            #expect(Distribution(microseconds: values.map { $0 * 1_000 })?.meanTenths == told.meanTenths)
            for (place, tenths) in [
                (1, told.lowerQuartileTenths), (2, told.medianTenths), (3, told.upperQuartileTenths),
            ] {
                let at = Double(place * (count - 1)) / 4
                let lower = sorted[Int(at)]
                let upper = sorted[min(Int(at) + 1, count - 1)]
                let exact = (Double(lower) + Double(upper - lower) * (at - at.rounded(.down))) * 10
                #expect(Double(tenths) == exact.rounded(.toNearestOrAwayFromZero))
            }
        }
    }
}
