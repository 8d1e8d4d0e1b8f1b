import BrushingEngine
import TestInstruments
import Testing

/// What holds for any session, by printed seeds, bounded by count.
@Suite("Any session")
struct SessionPropertyTests {
    static let seeds: [UInt64] = [1, 2, 3, UInt64.random(in: 4...UInt64.max)]

    static func routine(_ random: inout SeededGenerator) -> Routine {
        while true {
            let steps = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                RoutineStep(
                    kind: RoutineStep.Kind.allCases.randomElement(using: &random) ?? .brush,
                    repetitions: Int.random(in: 1...8, using: &random), seconds: Int.random(in: 5...40, using: &random),
                    isOn: Int.random(in: 0..<4, using: &random) > 0)
            }
            let routine = Routine(steps: steps)
            if (try? routine.check()) != nil { return routine }
        }
    }

    static func session(_ random: inout SeededGenerator) throws -> BrushingSession {
        try BrushingSession(
            id: (0..<16).map { _ in UInt8.random(in: 1...255, using: &random) }, person: Array("theo".utf8),
            utcOffsetMinutes: Int16.random(in: -1_080...1_080, using: &random), routine: routine(&random))
    }

    /// Clocks as life has them, and now and then as it has not.
    static func move(_ now: inout Instant, _ random: inout SeededGenerator) {
        let step = Int64.random(in: 0...9_000, using: &random)
        now.monotonic &+= step
        now.wall &+= step
        switch Int.random(in: 0..<40, using: &random) {
        case 0: now.wall &+= Int64.random(in: 0...2_000_000, using: &random)
        case 1: now.wall &-= Int64.random(in: 0...2_000_000, using: &random)
        case 2: now.monotonic &-= Int64.random(in: 0...20_000, using: &random)
        case 3: now.wall = Int64.random(in: .min ... .max, using: &random)
        case 4 where Int.random(in: 0..<4, using: &random) == 0:
            now.monotonic = Int64.random(in: .min ... .max, using: &random)
        case 5...9: now.wall &+= Int64.random(in: -1_000...1_000, using: &random)
        default: break
        }
    }

    @Test("Whatever is done to it, its bytes play through to the same screen and the same result", arguments: seeds)
    func replays(seed: UInt64) throws {
        print("session seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let inputs: [SessionInput] =
            [.tick, .tick, .tick, .tick, .seen, .pause, .resume, .resume, .skip, .opened] + SessionInput.allCases
        var finished = 0
        for _ in 0..<120 {
            var session = try Self.session(&random)
            var now = Instant(wall: 1_795_244_400_000, monotonic: Int64.random(in: 0...100_000, using: &random))
            #expect(session.handle(.start, at: now) == .recorded)
            // What the page's clock showed last.
            var latest = now.monotonic
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                let before = session
                let input = inputs.randomElement(using: &random) ?? .tick
                let output = session.handle(input, at: now)
                if output.contains(.ignored) {
                    #expect(output == .ignored)
                    #expect(session.view == before.view)
                }
                #expect(output.contains(.recorded) == (session.events.count == before.events.count + 1))
                #expect(output.contains(.ended) == (before.end == nil && session.end != nil))
                // What is at the last kept event is what the bytes play through to; a look after it is a look.
                let replayed = try BrushingSession.decoded(session.encoded())
                if output.contains(.recorded) {
                    #expect(replayed.view == session.view)
                    #expect(replayed.result == session.result)
                }
                if !output.contains(.ignored) {
                    let isLater = input == .opened || now.monotonic >= latest
                    latest = input == .opened ? now.monotonic : max(latest, now.monotonic)
                    var looking = replayed
                    _ = looking.handle(.tick, at: now)
                    if isLater { #expect(looking.view == session.view) }
                }
                #expect(replayed.encoded() == session.encoded())
                #expect(replayed.claim == session.claim && !replayed.claimDiffers)
                check(session)
                Self.move(&now, &random)
            }
            if session.end == .finished { finished += 1 }
        }
        #expect(finished > 5)
    }

    /// What is true of every session at every moment.
    private func check(_ session: BrushingSession) {
        let view = session.view
        let result = session.result
        #expect(result.milliseconds == view.elapsedMilliseconds)
        #expect(session.segmentMilliseconds.reduce(0, +) == view.elapsedMilliseconds)
        #expect(view.elapsedMilliseconds <= view.plannedMilliseconds)
        #expect(view.remainingMilliseconds >= 0 && (0...65_536).contains(view.fraction))
        #expect((view.remainingMilliseconds == 0) == (view.segmentIndex == session.segments.count))
        #expect(view.isDone == (session.end != nil))
        #expect(result.endedAt >= result.startedAt)
        #expect(result.isComplete == (view.elapsedMilliseconds == view.plannedMilliseconds))
        if result.isComplete { #expect(result.counts && result.skipped == 0) }
        #expect(session.events.count <= BrushingSession.Limits.events)
    }

    @Test("However seldom somebody looks, the result is that of looking each second", arguments: seeds)
    func spacing(seed: UInt64) throws {
        print("spacing seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let blank = try Self.session(&random)
            // The same deeds at the same times: a phone that sleeps now and then, and looks of two kinds in between.
            var deeds: [(input: SessionInput, at: Instant)] = []
            var now = Instant(wall: 1_795_244_400_000, monotonic: 900)
            deeds.append((.start, now))
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let awake = Int64.random(in: 0...20_000, using: &random)
                now = Instant(wall: now.wall + awake, monotonic: now.monotonic + awake)
                if Int.random(in: 0..<4, using: &random) == 0 {
                    now.wall += Int64.random(in: 2_000...100_000, using: &random)
                }
                deeds.append(([.pause, .resume, .skip, .tick].randomElement(using: &random) ?? .tick, now))
            }
            deeds.append((.finish, Instant(wall: now.wall + 1_000, monotonic: now.monotonic + 1_000)))
            func live(looking gap: () -> Int64) -> BrushingSession {
                var session = blank
                for (number, deed) in deeds.enumerated() {
                    if number > 0 {
                        // Awake from the last deed on, asleep just before the next.
                        let from = deeds[number - 1].at
                        let awake = deed.at.monotonic - from.monotonic
                        var at = gap()
                        while at < awake {
                            _ = session.handle(.tick, at: Instant(wall: from.wall + at, monotonic: from.monotonic + at))
                            at += gap()
                        }
                    }
                    _ = session.handle(deed.input, at: deed.at)
                }
                return session
            }
            let eachSecond = live { 1_000 }
            let never = live { .max / 2 }
            let nowAndThen = live { Int64.random(in: 1...30_000, using: &random) }
            #expect(eachSecond.result == never.result)
            #expect(eachSecond.result == nowAndThen.result)
            #expect(eachSecond.view == never.view)
            #expect(!eachSecond.claimDiffers && eachSecond.claim == never.claim)
        }
    }

    @Test("A reload at any second loses nothing", arguments: 1...209)
    func reload(second: Int64) throws {
        var session = try BrushingSession(
            id: Array(1...16), person: [0x61], utcOffsetMinutes: 0, routine: .original)
        let start: Int64 = 1_795_244_400_000
        _ = session.handle(.start, at: Instant(wall: start, monotonic: 0))
        for passed in 1...second {
            _ = session.handle(.tick, at: Instant(wall: start + passed * 1_000, monotonic: passed * 1_000))
        }
        let view = session.view
        var reopened = try BrushingSession.decoded(session.encoded())
        _ = reopened.handle(.opened, at: Instant(wall: start + second * 1_000, monotonic: 17))
        #expect(reopened.view == view)
        _ = reopened.handle(.tick, at: Instant(wall: start + 210_000, monotonic: 17 + 210_000 - second * 1_000))
        #expect(reopened.result.isComplete)
        #expect(reopened.result.endedAt == start + 210_000)
    }

    @Test("A thousand events and no more, and there is always room for the end", arguments: seeds)
    func limit(seed: UInt64) throws {
        print("limit seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var session = try BrushingSession(
            id: Array(1...16), person: [0x61], utcOffsetMinutes: 0,
            routine: Routine(steps: [RoutineStep(kind: .brush, repetitions: 8, seconds: 600)]))
        var now = Instant(wall: 0, monotonic: 0)
        _ = session.handle(.start, at: now)
        for _ in 0..<3_000 where session.end == nil {
            now.monotonic += 10
            now.wall = Int64.random(in: 0...Int64.max, using: &random)
            _ = session.handle([.tick, .seen, .pause, .resume].randomElement(using: &random) ?? .tick, at: now)
        }
        #expect(session.events.count < BrushingSession.Limits.events)
        #expect(!session.view.isPaused || session.handle(.resume, at: now).contains(.recorded))
        #expect(session.handle(.stop, at: now) == [.recorded, .ended])
        #expect(session.handle(.finish, at: now) == .recorded)
        #expect(session.events.count <= BrushingSession.Limits.events)
        let bytes = session.encoded()
        #expect(bytes.count <= BrushingSession.Limits.bytes)
        #expect(try BrushingSession.decoded(bytes).result == session.result)
    }
}
