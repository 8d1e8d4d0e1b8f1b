import GRDB
import HubKit
import Localization
import NIOCore
import Storage
import TriviaToyEngine

/// A sample household's toy: who heard what in the last week, and how the toy is.
struct DemoToy {
    let toy: TriviaToy

    private static let day: Int64 = 86_400_000
    /// The quiet hours of the sample household, minutes of the day.
    private static let quiet = (start: 1_200, end: 420)
    /// The time before now in which its last facts were heard, minutes.
    private static let evening: Int32 = 40
    private static let minute: Int64 = 60_000

    func seed(_ household: HouseholdRecord) async throws {
        try await toy.prepare(household.id)
        let now = toy.hub.clock.now()
        try await toy.hub.database.pool.write { db in
            let children = try PersonRecord.all(of: household.id, db).filter { $0.role == .child }
            guard let first = children.first else { return }
            let device = DeviceRecord(
                id: Secret.identifier(length: 8), household: household.id, kind: TriviaToy.toyKind,
                name: LocalizedText("Owl").string(in: household.preferredLanguage, from: .triviaToy),
                tokenHash: Secret.hash(Secret.token()), isVirtual: true, createdAt: now - 30 * Self.day)
            try device.insert(db)
            var record = try ToyRecord.of(device, db)
            record.person = first.id
            try record.update(db)
            var status = StatusReport()
            (status.batteryMillivolts, status.batteryPercent) = (3_840, 64)
            (status.storedFacts, status.unheardFacts) = (312, 48)
            try ToyStatusRecord(device, status, at: now - 4 * Self.minute).save(db)
            try Self.report(status, of: device, at: now - 4 * Self.minute, db)
            var rules = try HouseRulesRecord.of(first.id, household: household.id, db)
            (rules.quietStart, rules.quietEnd, rules.dailyLimit) = (Self.quiet.start, Self.quiet.end, 10)
            try rules.save(db)
            for (place, child) in children.enumerated() {
                try plays(of: child, place, household, from: place == 0 ? device.id : nil, now, db)
            }
        }
    }

    /// Stores the battery as the reading that a toy's report makes of it: by readings the hub says when a device was heard.
    private static func report(_ status: StatusReport, of device: DeviceRecord, at: Int64, _ db: Database) throws {
        var writer = ReadingWriter(db)
        let series = (try Int64.fetchOne(db, sql: "SELECT max(id) FROM series") ?? 0) + 1
        try writer.add(
            SeriesRecord(
                id: series, household: device.household, device: device.id,
                quantity: String(buffer: ToyMessageDecoder.battery),
                unit: "%"))
        try writer.insert([Reading(series: series, at: at, value: Double(status.batteryPercent))])
        try writer.finish()
    }

    /// The last time at which the toy may have spoken for a while: now, or when the quiet hours began. The day, and the minute of it.
    private static func lastAwake(_ subject: Subject) -> (day: Int32, minute: Int32) {
        if subject.minute >= quiet.start { return (subject.today, Int32(quiet.start)) }
        if subject.minute - evening < quiet.end { return (subject.today - 1, Int32(quiet.start)) }
        return (subject.today, subject.minute)
    }

    /// Stores five days with a few facts each, and some votes: all of it outside of the quiet hours.
    private func plays(
        of child: PersonRecord, _ place: Int, _ household: HouseholdRecord, from device: String?, _ now: Int64,
        _ db: Database
    ) throws {
        let subject = Subject(child, of: household, now: now)
        let listener = try FactQueue.listener(person: child.id, household: household.id, db)
        let filter = try ListeningSettings.factFilter(of: subject, db)
        let last = Self.lastAwake(subject)
        var count = place
        for back in (0..<6).reversed() where (back + place) % 5 != 3 {
            for turn in 0..<(3 + (back * 2 + place) % 4) {
                guard let next = try FactQueue.next(for: listener, household: household.id, filter, db),
                    let fact = try FactRecord.fetchOne(db, key: next)
                else { return }
                // Between 5 and 40 minutes before it, for up to three children.
                let minute = last.minute - Int32(20 - 3 * turn + 7 * min(place, 2))
                let at = subject.calendar.instant(day: last.day - Int32(back), minute: minute)
                try PlayRecord.add(
                    fact, listener: listener, at: at, device: device, ending: count % 5 == 4 ? .stopped : .finished, db)
                if count % 3 == 0 { try Votes.set(.up, on: fact, listener: listener, at: at, db) }
                if count % 7 == 5 { try Votes.set(.down, on: fact, listener: listener, at: at, db) }
                count += 1
            }
        }
    }
}
