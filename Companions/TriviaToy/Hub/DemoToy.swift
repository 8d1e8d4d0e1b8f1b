import GRDB
import HubKit
import Storage
import TriviaToyEngine

/// A sample household's toy: who heard what in the last week, and how the toy is.
struct DemoToy {
    let toy: TriviaToy

    private static let day: Int64 = 86_400_000
    private static let minute: Int64 = 60_000

    func seed(_ household: HouseholdRecord) async throws {
        try await toy.prepare(household.id)
        let now = toy.hub.clock.now()
        try await toy.hub.database.pool.write { db in
            let children = try PersonRecord.all(of: household.id, db).filter { $0.role == .child }
            guard let first = children.first else { return }
            let device = DeviceRecord(
                id: Secret.identifier(length: 8), household: household.id, kind: TriviaToy.toyKind, name: "Owl",
                tokenHash: Secret.hash(Secret.token()), isVirtual: true, createdAt: now - 30 * Self.day)
            try device.insert(db)
            var record = try ToyRecord.of(device, db)
            record.person = first.id
            try record.update(db)
            var status = StatusReport()
            (status.batteryMillivolts, status.batteryPercent) = (3_840, 64)
            (status.storedFacts, status.unheardFacts) = (312, 48)
            try ToyStatusRecord(device, status, at: now - 4 * Self.minute).save(db)
            var rules = try HouseRulesRecord.of(first.id, household: household.id, db)
            (rules.quietStart, rules.quietEnd, rules.dailyLimit) = (1_200, 420, 10)
            try rules.save(db)
            for (place, child) in children.enumerated() {
                try plays(of: child, place, household, from: place == 0 ? device.id : nil, now, db)
            }
        }
    }

    /// Stores five days with a few facts each, and some votes.
    private func plays(
        of child: PersonRecord, _ place: Int, _ household: HouseholdRecord, from device: String?, _ now: Int64,
        _ db: Database
    ) throws {
        let subject = Subject(child, of: household, now: now)
        let listener = try FactQueue.listener(person: child.id, household: household.id, db)
        let wish = try ListeningSettings.wish(of: subject, db)
        var count = place
        for back in (0..<6).reversed() where (back + place) % 5 != 3 {
            for turn in 0..<(3 + (back * 2 + place) % 4) {
                guard let next = try FactQueue.next(for: listener, household: household.id, wish, db),
                    let fact = try FactRecord.fetchOne(db, key: next)
                else { return }
                let at = now - Int64(back) * Self.day - Int64(20 - 3 * turn + 7 * place) * Self.minute
                try PlayRecord.add(
                    fact, listener: listener, at: at, device: device, ending: count % 5 == 4 ? .stopped : .finished, db)
                if count % 3 == 0 { try Votes.set(.up, on: fact, listener: listener, at: at, db) }
                if count % 7 == 5 { try Votes.set(.down, on: fact, listener: listener, at: at, db) }
                count += 1
            }
        }
    }
}
