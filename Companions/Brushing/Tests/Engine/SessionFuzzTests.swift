import BrushingEngine
import TestInstruments
import Testing
import Wire

/// Random bytes by printed seeds, bounded by count.
@Suite("Any bytes")
struct SessionFuzzTests {
    /// A session of some length, its bytes without the checksum.
    private func blob(_ random: inout SeededGenerator) throws -> [UInt8] {
        var session = try SessionPropertyTests.session(&random)
        var now = Instant(wall: 1_795_244_400_000, monotonic: 0)
        _ = session.handle(.start, at: now)
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            SessionPropertyTests.move(&now, &random)
            _ = session.handle(SessionInput.allCases.randomElement(using: &random) ?? .tick, at: now)
        }
        return session.encoded().dropLast(4)
    }

    private func sealed(_ body: [UInt8]) -> [UInt8] {
        let checksum = crc32(body[...])
        return body + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) }
    }

    /// Plays it, where it is a session: nothing traps, and it is written as it was read.
    private func isAccepted(_ bytes: [UInt8]) -> Bool {
        do throws(SessionCodecError) {
            var session = try BrushingSession.decoded(bytes)
            #expect(session.encoded() == bytes)
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

    @Test("Bytes that nobody wrote are no session, and trap nothing", arguments: SessionPropertyTests.seeds)
    func random(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let noise = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(!isAccepted(noise))
            #expect(!isAccepted(sealed(noise)))
            #expect(!isAccepted(sealed([0x54, 0x42, 0x52, 1] + noise)))
        }
    }

    @Test("A session that was changed on its way is refused", arguments: SessionPropertyTests.seeds)
    func damaged(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = sealed(try blob(&random))
            #expect(isAccepted(bytes))
            // One run of up to 32 bits, which a CRC-32 always finds.
            var damaged = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            for index in place..<min(place + Int.random(in: 1...4, using: &random), bytes.count) {
                damaged[index] ^= UInt8.random(in: 1...255, using: &random)
            }
            #expect(!isAccepted(damaged))
            #expect(!isAccepted(Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))))
            #expect(!isAccepted(bytes + bytes.prefix(Int.random(in: 1...9, using: &random))))
        }
    }

    @Test("One that was forged, checksum and all, is refused or played through", arguments: SessionPropertyTests.seeds)
    func forged(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        let special: [UInt8] = [0, 1, 2, 5, 6, 7, 8, 0x7F, 0x80, 0xFF]
        for _ in 0..<2_000 {
            var body = try blob(&random)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 4..<body.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: body[place] = special.randomElement(using: &random) ?? 0
                case 1: body[place] = UInt8.random(in: 0...255, using: &random)
                case 2: for index in place..<min(place + 8, body.count) { body[index] = index % 2 == 0 ? 0xFF : 0x7F }
                case 3: for index in place..<min(place + 8, body.count) { body[index] = 0x80 }
                default: body.swapAt(place, Int.random(in: 4..<body.count, using: &random))
                }
            }
            if isAccepted(sealed(body)) { accepted += 1 }
        }
        #expect(accepted > 100)
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
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        // A loop goes round as often as it is told to, and that is what it is for.
        let loops = ["days", "flip", "freeze", "jumps", "pauses", "reload", "ticks"].map { Array($0.utf8) }
        let inputs = VectorFile.all.flatMap { $0.examples.map { $0.input } }
            .filter { input in input.count < 400 && !loops.contains { input.starts(with: $0) } }
        let special = Array("-0129aft\t\0\u{ff}".utf8)
        var engine = EngineVector()
        for _ in 0..<500 {
            var line = inputs.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &random) where !line.isEmpty {
                let place = Int.random(in: 0..<line.count, using: &random)
                if Bool.random(using: &random) { line.remove(at: place) }
                line.insert(special.randomElement(using: &random) ?? 0, at: min(place, line.count))
            }
            _ = engine.answer(line)
        }
    }
}
