@testable import DrumsEngine

/// Plays sessions for tests.
enum SessionPlayer {
    static let wall: Int64 = 1_795_244_400_000
    static let seeds: [UInt64] = [1, 2, 3, 20_261_121]

    static func setup(
        beats: Int = 4, mode: PlayMode = .wait, link: LinkKind = .screen, microsecondsPerBeat: UInt32 = 500_000
    ) -> SessionSetup {
        SessionSetup(
            id: Array(1...16), person: Array("mila".utf8), utcOffsetMinutes: 60, songID: Array("ode-to-joy".utf8),
            songTitle: Array("Ode to Joy".utf8),
            chart: Chart(
                stepsPerBeat: 1, tempo: [TempoChange(step: 0, microsecondsPerBeat: microsecondsPerBeat)],
                steps: Array(repeating: true, count: beats)),
            level: .one, mode: mode, hands: .both, drums: DrumSet(rawValue: 0b1011), seed: 42, link: link,
            countInBeats: 0,
            window: .initial, leadMilliseconds: 600, stop: StopRules()
        )
    }

    /// A setup of any chart, mode, link and rules.
    static func anySetup(_ random: inout some RandomNumberGenerator) -> SessionSetup {
        var setup = setup(
            beats: Int.random(in: 1...40, using: &random), mode: Bool.random(using: &random) ? .wait : .flow,
            link: [.screen, .keyboard, .bluetooth, .wifi, .midi].randomElement(using: &random) ?? .screen,
            microsecondsPerBeat: UInt32.random(in: 100_000...900_000, using: &random))
        for step in setup.chart.steps.indices.dropFirst() {
            setup.chart.steps[step] = Int.random(in: 0..<3, using: &random) > 0
        }
        setup.chart.stepsPerBeat = UInt8.random(in: 1...4, using: &random)
        setup.countInBeats = UInt8.random(in: 0...8, using: &random)
        setup.drums = DrumSet(rawValue: UInt8.random(in: 1...15, using: &random))
        setup.seed = UInt32.random(in: 0 ... .max, using: &random)
        setup.latencyTenths = UInt16.random(in: 0...2_000, using: &random)
        setup.window = TimingWindow(
            centreMilliseconds: Int16.random(in: -150...150, using: &random),
            halfMilliseconds: UInt16.random(in: 70...350, using: &random))
        setup.leadMilliseconds = UInt16.random(in: 100...1_500, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 {
            setup.stop = StopRules(
                milliseconds: UInt32.random(in: 0...20_000, using: &random), belowPercent: 50, beats: 5)
        }
        return setup
    }

    /// Any input, one that makes sense more often than not.
    static func anyInput(_ session: DrumSession, _ random: inout some RandomNumberGenerator) -> SessionInput {
        let view = session.view
        if view.isCueDue, !view.isCueShown, let step = view.cueStep, Bool.random(using: &random) {
            return .cueShown(step: step)
        }
        let drum =
            Bool.random(using: &random) ? view.cueDrum ?? .red : Drum.allCases.randomElement(using: &random) ?? .red
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return .pause
        case 1, 2: return .resume
        case 3: return .linkLost
        case 4, 5:
            return .linkBack(
                LinkKind.allCases.randomElement(using: &random) ?? .screen,
                latencyTenths: UInt16.random(in: 0...900, using: &random))
        case 6: return .opened(wall: session.result.endedAt + Int64.random(in: -9_000...90_000, using: &random))
        case 7: return .cueShown(step: Int.random(in: -3...70_000, using: &random))
        case 8: return .imported(step: Int.random(in: -3...70_000, using: &random), text: Array("2 1450 3.20".utf8))
        case 9...13: return .strike(drum, velocity: UInt8.random(in: 0...255, using: &random), link: .screen)
        case 14...16: return .message(Array("\(drum.rawValue) \(Int.random(in: 0...900, using: &random)) 3.20\0".utf8))
        case 17...19: return .message(Array("END\0".utf8))
        case 21:
            return .crosstalk(
                drum,
                Crosstalk(
                    milliseconds: .random(in: 0...120, using: &random), percent: .random(in: 0...120, using: &random)))
        case 20: return .message((0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255) })
        default: return .tick
        }
    }

    /// Each cue is answered after so many milliseconds, in ticks of so many, until the session is over.
    static func play(_ session: inout DrumSession, grain: Int64, reaction: Int64, from start: Int64 = 0) {
        var now = start
        var answerAt: Int64?
        for _ in 0..<1_000_000 where session.end == nil {
            now += grain * 1_000
            _ = session.handle(.tick, atMicroseconds: now)
            let view = session.view
            if view.isCueDue, !view.isCueShown, let step = view.cueStep {
                _ = session.handle(.cueShown(step: step), atMicroseconds: now)
                answerAt = now + reaction * 1_000
            }
            guard let at = answerAt, at <= now, let drum = view.cueDrum else { continue }
            answerAt = nil
            guard view.link.hasOwnClock else {
                _ = session.handle(.strike(drum, velocity: 0, link: view.link), atMicroseconds: at)
                continue
            }
            _ = session.handle(.message(Array("\(drum.rawValue) \(reaction) 3.20\0".utf8)), atMicroseconds: at)
            _ = session.handle(.message(Array("END\0".utf8)), atMicroseconds: at)
        }
    }
}
