import TestInstruments
import Testing

@testable import BrushingEngine

@Suite("What grows with brushing")
struct GardenTests {
    @Test("Each session that counts is a leaf, whatever days lie between, and none is ever lost")
    func grows() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var progress = BrushingProgress(perDay: 2)
        var day: Int32 = 20_000
        var counted = 0
        for _ in 0..<2_000 {
            let before = progress.garden
            if random.next() % 9 == 0 { day += Int32(random.next() % 30) }
            if random.next() % 3 == 0 { progress.freeze(day + Int32(random.next() % 5)) }
            let counts = random.next() % 4 != 0
            // Some are delivered late.
            let late = random.next() % 5 == 0 ? Int32(random.next() % 20) : 0
            _ = progress.record(
                day: day - late, isMorning: random.next() % 2 == 0, counts: counts, milliseconds: 120_000)
            if counts { counted += 1 }
            let garden = progress.garden
            let grown = garden.trees * Garden.leavesPerTree + garden.leaves
            #expect(grown == counted, "seed \(seed)")
            #expect(grown >= before.trees * Garden.leavesPerTree + before.leaves, "seed \(seed)")
            #expect(BrushingProgress(bytes: progress.bytes)?.garden == garden, "seed \(seed)")
        }
    }

    @Test("The session that makes a tree whole is told apart")
    func whole() {
        #expect(!Garden(sessions: 0).isJustWhole)
        #expect(!Garden(sessions: 55).isJustWhole)
        #expect(Garden(sessions: 56).isJustWhole)
        #expect(!Garden(sessions: 57).isJustWhole)
    }

    @Test("Of three a day the third has its own mark, keeps the day, and goes through the bytes")
    func third() throws {
        var progress = BrushingProgress(perDay: 3)
        for minute: Int32 in [420, 780] {
            let moment = LocalMoment(day: 20_000, minute: minute)
            _ = progress.record(
                day: moment.brushingDay, isMorning: moment.isMorning, counts: true, milliseconds: 120_000)
        }
        #expect(progress.streakDays == 0)
        #expect(progress.today & BrushingProgress.Pip.third == 0)
        _ = progress.record(day: 20_000, isMorning: false, counts: true, milliseconds: 120_000)
        #expect(progress.streakDays == 1)
        #expect(
            progress.today == BrushingProgress.Pip.morning | BrushingProgress.Pip.evening | BrushingProgress.Pip.third)
        #expect(try #require(BrushingProgress(bytes: progress.bytes)) == progress)
    }
}
