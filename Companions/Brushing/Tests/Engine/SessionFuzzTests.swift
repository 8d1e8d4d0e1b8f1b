import BrushingEngine
import BrushingVectorLines
import TestInstruments
import Testing

/// Random bytes by printed seeds, bounded by count.
@Suite("Any bytes")
struct SessionFuzzTests {
    /// A session of some length, as bytes.
    private func blob(_ random: inout SeededGenerator) throws -> [UInt8] {
        var session = try SessionPropertyTests.session(&random)
        var now = Instant(wall: 1_795_244_400_000, monotonic: 0)
        _ = session.handle(.start, at: now)
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            SessionPropertyTests.move(&now, &random)
            _ = session.handle(SessionInput.allCases.randomElement(using: &random) ?? .tick, at: now)
        }
        return session.encoded()
    }

    /// Plays it, where it is a session: nothing traps, and it is written as it was read.
    private func isAccepted(_ bytes: [UInt8]) -> Bool {
        do throws(SessionCodecError) {
            let claim = BrushingSession.claim(of: bytes)
            var session = try BrushingSession.decoded(bytes)
            #expect(session.encoded() == bytes)
            #expect(session.claim == claim)
            #expect(session.result.milliseconds <= session.view.plannedMilliseconds)
            _ = session.claimDiffers
            for input in SessionInput.allCases { _ = session.handle(input, at: Instant(wall: .max, monotonic: .min)) }
            _ = session.handle(.tick, at: Instant(wall: .min, monotonic: .max))
            _ = (session.view, session.result, session.encoded())
            return true
        } catch {
            #expect((1...16).contains(error.number))
            #expect((error.event ?? 0) >= 0)
            return false
        }
    }

    private var fuzz: ForeignBytesFuzz {
        ForeignBytesFuzz(mark: Array("TBR".utf8) + [1], isSealed: false, body: blob, isAccepted: isAccepted)
    }

    @Test("Bytes that nobody wrote are no session, and trap nothing", arguments: SessionPropertyTests.seeds)
    func random(seed: UInt64) { #expect(fuzz.noise(seed: seed, rounds: 2_000) == []) }

    @Test(
        "One that was cut off anywhere is what was whole until there, and complete only where an event ends",
        arguments: SessionPropertyTests.seeds)
    func cut(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bytes = try blob(&random)
        for count in bytes.indices {
            let cut = Array(bytes.prefix(count))
            guard let session = try? BrushingSession.decoded(cut, isComplete: false) else {
                #expect(!isAccepted(cut))
                continue
            }
            #expect(cut.starts(with: session.encoded()))
            #expect(isAccepted(cut) == (session.encoded() == cut))
        }
    }

    @Test("One that was forged is refused or played through", arguments: SessionPropertyTests.seeds)
    func forged(seed: UInt64) throws {
        let special: [UInt8] = [0, 1, 2, 5, 6, 7, 8, 0x7F, 0x80, 0xFF]
        #expect(try fuzz.forgeries(seed: seed, rounds: 2_000, special: special) > 100)
    }

    @Test(
        "Bytes that nobody wrote are no routine and no progress, or ones that can be used",
        arguments: SessionPropertyTests.seeds)
    func others(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let progressBytes = BrushingProgress(perDay: 2).bytes
        for _ in 0..<2_000 {
            let noise = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...9, using: &random)
            }
            if let routine = try? Routine(bytes: noise) { #expect(routine.bytes == noise) }
            var bytes = progressBytes
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard var progress = BrushingProgress(bytes: bytes) else { continue }
            #expect(BrushingProgress(bytes: progress.bytes) == progress)
            for _ in 0..<4 {
                let day = Int32.random(in: .min ... .max, using: &random)
                progress.freeze(day)
                _ = progress.record(day: day, isMorning: true, counts: true, milliseconds: .max)
                progress.advance(to: Int32.random(in: .min ... .max, using: &random))
                #expect((0...100).contains(progress.habitPercent))
                _ = (progress.streakDays, progress.today, progress.bytes)
            }
        }
    }

    @Test("Any line at all is answered by the engine without a trap", arguments: SessionPropertyTests.seeds)
    func lines(seed: UInt64) {
        let loops = ["days", "flip", "freeze", "jumps", "pauses", "reload", "ticks"]
        var engine = EngineVector()
        for line in VectorFile.damagedLines(of: VectorFile.all, loops: loops, seed: seed, count: 500) {
            _ = engine.answer(line)
        }
    }
}
