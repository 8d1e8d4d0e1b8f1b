import Foundation
import GRDB
import Testing

@testable import BrushingEngine
@testable import BrushingHub
@testable import HubKit
@testable import Storage

@Suite("A simulated family")
struct SimulatorTests {
    private let days: ClosedRange<Int32> = 20_600...20_780

    private func brusher(
        _ habits: SimulatedBrusher.Habits, seed: UInt64 = 1, routine: Routine = .original
    ) throws -> SimulatedBrusher {
        SimulatedBrusher(
            person: "mila", habits: habits, routine: routine,
            calendar: LocalCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Vienna"))), seed: seed)
    }

    private func share(_ deliveries: [SimulatedBrusher.Delivery]) -> Double {
        Double(deliveries.count { $0.session.result.counts }) / Double(max(deliveries.count, 1))
    }

    @Test("The same seed is the same life, byte for byte; another is another")
    func seeds() throws {
        let one = try brusher(.learning).deliveries(days: days, frozen: [], now: .max)
        let same = try brusher(.learning).deliveries(days: days, frozen: [], now: .max)
        let other = try brusher(.learning, seed: 2).deliveries(days: days, frozen: [], now: .max)
        #expect(one.map { $0.session.encoded() } == same.map { $0.session.encoded() })
        #expect(one.map { $0.session.encoded() } != other.map { $0.session.encoded() })
        #expect(Set(one.map { $0.session.id }).count == one.count)
    }

    @Test("Its sessions are as a page makes them: each is read again as it was, with the result that it claims")
    func honest() throws {
        for routine in [Routine.original, try #require(.preset(minutes: 1)), try #require(.preset(minutes: 3))] {
            for delivery in try brusher(.learning, routine: routine).deliveries(days: days, frozen: [], now: .max) {
                let session = try BrushingSession.decoded(delivery.session.encoded())
                #expect(session.result == delivery.session.result)
                #expect(session.claim != nil)
                #expect(!session.claimDiffers)
                #expect(session.end != .left)
            }
        }
    }

    @Test("People slip and hurry, and now and then the phone is out of reach, or sends what it had sent")
    func people() throws {
        let deliveries = try brusher(.grownUp).deliveries(days: days, frozen: [], now: .max)
        #expect((300..<362).contains(deliveries.count))
        let results = deliveries.map(\.session.result)
        #expect((0.85..<1).contains(share(deliveries)))
        #expect(results.contains { $0.pausedMilliseconds > 0 })
        #expect(results.contains { $0.skipped > 0 })
        #expect(results.contains { $0.reason == .stopped })
        #expect(deliveries.contains { $0.isTwice })
        #expect(deliveries.contains { $0.at - $0.session.result.endedAt > 86_400_000 })
        #expect(deliveries.allSatisfy { $0.at > $0.session.result.endedAt })
    }

    @Test("Who learns gets better")
    func learning() throws {
        let deliveries = try brusher(.learning).deliveries(days: days, frozen: [], now: .max)
        let third = deliveries.count / 3
        #expect(share(Array(deliveries.suffix(third))) > share(Array(deliveries.prefix(third))) + 0.15)
    }

    @Test("On frozen days there is little, and nothing is brushed before its time")
    func frozen() throws {
        let frozen = try brusher(.diligent).deliveries(days: days, frozen: Set(days), now: .max)
        #expect((50..<180).contains(frozen.count))
        let now: Int64 = 20_700 * 86_400_000
        let past = try brusher(.diligent).deliveries(days: days, frozen: [], now: now)
        #expect(past.allSatisfy { $0.session.result.endedAt <= now })
        #expect((170..<202).contains(past.count))
    }

    @Test("Holidays and illnesses lie within the months, and do not run into each other")
    func absences() {
        for seed in UInt64(0)..<50 {
            let absences = SimulatedAbsences(seed: seed, days: days, people: 3)
            #expect(absences.illnesses.count == 3)
            for ranges in [absences.holidays] + absences.illnesses {
                #expect(ranges.allSatisfy { days.contains($0.lowerBound) && days.contains($0.upperBound) })
                #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            }
        }
    }

    @Test("The sample household has five months behind it: awards, an ill week, and nothing of tomorrow")
    func demo() async throws {
        let app = try await BrushingTestApp()
        try await app.brushing.seedDemo(household: app.household)
        #expect(try await app.count() > 800)
        for person in ["ines", "mila", "theo"] {
            let record = try await app.person(person)
            let history = try await app.hub.database.pool.read { db in
                try SessionHistory(record, app.household, now: app.now, db)
            }
            #expect(history.progress.sessions > 180, "\(person)")
            #expect(history.progress.habitPercent > 50, "\(person)")
            #expect(history.entries.allSatisfy { $0.day <= history.today })
            let awards = try await app.hub.database.pool.read { db in try SessionHistory.awards(of: person, db) }
            #expect(awards.contains { $0.award == .first })
            #expect(awards.contains { $0.award == .hundred })
        }
        let differing = try await app.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM session WHERE claim_differs")
        }
        #expect(differing == 0)
    }
}
