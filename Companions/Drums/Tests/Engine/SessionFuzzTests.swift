import DrumsVectorLines
import TestInstruments
import Testing

@testable import DrumsEngine

/// Random bytes by printed seeds, bounded by count.
@Suite("Any bytes for a session of drums")
struct SessionFuzzTests {
    /// A session of some length, as bytes.
    private func blob(_ random: inout SeededGenerator) throws -> [UInt8] {
        var session = try DrumSession(setup: SessionPlayer.anySetup(&random))
        var now: Int64 = 0
        _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: now)
        for _ in 0..<Int.random(in: 0...25, using: &random) {
            now += Int64.random(in: 0...600_000, using: &random)
            _ = session.handle(SessionPlayer.anyInput(session, &random), atMicroseconds: now)
        }
        if Bool.random(using: &random) { _ = session.handle(.finish, atMicroseconds: now) }
        return session.encoded()
    }

    /// Plays it, where it is a session: nothing traps, and it is written as it was read.
    private func isAccepted(_ bytes: [UInt8]) -> Bool {
        do throws(SessionCodecError) {
            let claim = SessionClaim(of: bytes)
            var session = try DrumSession.decoded(bytes)
            #expect(session.encoded() == bytes)
            #expect(session.claim == claim)
            _ = (session.claimDiffers, session.wallMilliseconds(ofEvent: .max - 1), session.upcoming(.max))
            for time in [Int64.min, 0, .max] {
                for input: SessionInput in [
                    .tick, .opened(wall: time), .resume, .pause, .cueShown(step: .max), .linkLost, .message([]),
                    .linkBack(.wifi, latencyTenths: .max), .imported(step: .min, text: []), .closed(wall: time),
                    .finish,
                ] {
                    _ = session.handle(input, atMicroseconds: time)
                    _ = (session.view, session.result, session.songMicroseconds(atMicroseconds: time))
                }
            }
            _ = session.encoded()
            return true
        } catch {
            #expect((1...19).contains(error.number))
            #expect((error.event ?? 0) >= 0)
            return false
        }
    }

    private var fuzz: ForeignBytesFuzz {
        ForeignBytesFuzz(mark: Array("TDR".utf8) + [1], isSealed: false, body: blob, isAccepted: isAccepted)
    }

    @Test("Bytes that nobody wrote are no session, and trap nothing", arguments: SessionPlayer.seeds)
    func random(seed: UInt64) { #expect(fuzz.noise(seed: seed, rounds: 1_000) == []) }

    @Test(
        "One that was cut off anywhere is what was whole until there, and complete only where an event ends",
        arguments: SessionPlayer.seeds)
    func cut(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bytes = try blob(&random)
        for count in bytes.indices {
            let cut = Array(bytes.prefix(count))
            guard let session = try? DrumSession.decoded(cut, isComplete: false) else {
                #expect(!isAccepted(cut))
                continue
            }
            #expect(cut.starts(with: session.encoded()))
            #expect(isAccepted(cut) == (session.encoded() == cut))
        }
    }

    @Test("One that was forged is refused or played through", arguments: SessionPlayer.seeds)
    func forged(seed: UInt64) throws {
        let special: [UInt8] = [0, 1, 2, 5, 9, 12, 13, 0x7F, 0x80, 0xFF]
        #expect(try fuzz.forgeries(seed: seed, rounds: 400, special: special) > 40)
    }

    @Test(
        "Notifications of anything, for as long as anybody likes: the record stays bounded, and the session has its end"
    )
    func flood() throws {
        var session = try DrumSession(setup: SessionPlayer.setup(beats: 1_500, link: .bluetooth))
        _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: 0)
        var now: Int64 = 0
        for round in 0..<20_000 where session.end == nil {
            now += 10_000
            let view = session.view
            if view.isCueDue, !view.isCueShown, let step = view.cueStep {
                _ = session.handle(.cueShown(step: step), atMicroseconds: now)
            }
            let noise = (0..<20).map { UInt8(truncatingIfNeeded: round &* 31 &+ $0 | 1) }
            _ = session.handle(.message(noise), atMicroseconds: now)
            if round % 20 == 0 { _ = session.handle(.message(Array("END".utf8)), atMicroseconds: now) }
            if round % 700 == 0 {
                _ = session.handle(.opened(wall: session.result.endedAt), atMicroseconds: now)
                _ = session.handle(.resume, atMicroseconds: now)
            }
        }
        #expect(session.events.count <= DrumSession.Limits.events)
        _ = session.handle(.stop, atMicroseconds: now)
        _ = session.handle(.finish, atMicroseconds: now)
        #expect(session.end == .stopped)
        #expect(session.claim != nil)
        let bytes = session.encoded()
        #expect(bytes.count <= DrumSession.Limits.bytes)
        #expect(try DrumSession.decoded(bytes).result == session.result)
    }

    @Test("The longest chart is played to its end with an event for each cue and three for each answer")
    func longest() throws {
        var setup = SessionPlayer.setup(beats: 1_500, microsecondsPerBeat: 439_453)
        setup.chart.steps += Array(repeating: false, count: 4_096 - 1_500)
        var session = try DrumSession(setup: setup)
        _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: 0)
        var now: Int64 = 0
        while session.end == nil {
            now += 20_000
            _ = session.handle(.tick, atMicroseconds: now)
            let view = session.view
            guard view.isCueDue, let step = view.cueStep, let drum = view.cueDrum else { continue }
            _ = session.handle(.cueShown(step: step), atMicroseconds: now)
            let other: Drum = drum == .red ? .blue : .red
            _ = session.handle(.strike(other, velocity: 9, link: .screen), atMicroseconds: now + 200_000)
            _ = session.handle(.strike(drum, velocity: 9, link: .screen), atMicroseconds: now + 250_000)
        }
        #expect(session.end == .finished)
        #expect(session.result.answered == 1_500)
        #expect(try DrumSession.decoded(session.encoded()).result.beats == session.result.beats)
    }

    @Test("A record that is full ends the session, and has room for its end")
    func full() throws {
        var session = try DrumSession(setup: SessionPlayer.setup())
        _ = session.handle(.start(wall: SessionPlayer.wall), atMicroseconds: 0)
        var now: Int64 = 0
        while session.end == nil {
            now += 1_000
            _ = session.handle(session.view.isPaused ? .resume : .pause, atMicroseconds: now)
        }
        #expect(session.end == .stopped)
        #expect(session.events.count == DrumSession.Limits.full + 1)
        #expect(session.handle(.finish, atMicroseconds: now) == .recorded)
        let again = try DrumSession.decoded(session.encoded())
        #expect(again.result == session.result)
        #expect(!again.claimDiffers)
    }

    @Test("Any line at all is answered by the engine without a trap", arguments: SessionPlayer.seeds)
    func lines(seed: UInt64) {
        let files = VectorFile.all.filter { $0.name.contains("v1") || $0.name == "grammar.txt" }
        let loops = ["walk", "play", "flip", "cut", "reload", "split", "drums"]
        var engine = EngineVector()
        for line in VectorFile.damagedLines(of: files, loops: loops, seed: seed, count: 1_500) {
            _ = engine.answer(line)
        }
    }
}
