import BrushingEngine
import GRDB
import HubKit
import Storage

/// Five months of the sample household's brushing, decoded, replayed and stored as what a phone delivers.
struct DemoSessions: Sendable {
    private static let days: Int32 = 152
    private static let seed: UInt64 = 7

    /// UTC milliseconds.
    let now: Int64

    /// Stores the sessions. It is called after the settings were stored, whose routines and frozen days it uses.
    func seed(_ household: HouseholdRecord, _ db: Database) throws {
        let people = try PersonRecord.fetchAll(
            db, sql: "SELECT * FROM person WHERE household = ? ORDER BY role, created_at, id",
            arguments: [household.id])
        var children = 0
        for (index, person) in people.enumerated() {
            let subject = Subject(person, of: household, now: now)
            let brusher = SimulatedBrusher(
                person: person.id, habits: .of(person.role, child: &children),
                routine: try Settings.of(subject, db).steps, calendar: subject.calendar,
                seed: Self.seed + UInt64(index))
            let deliveries = try brusher.deliveries(
                days: subject.today - Self.days...subject.today,
                frozen: Set(try Settings.frozenDays(person: person.id, db)), now: now)
            for delivery in deliveries {
                let delivered = try DeliveredSession(delivery.session.encoded())
                try delivered.origin.checkTime(now: now)
                try delivered.store(of: person, household, now: min(delivery.at, now), db)
            }
            try SessionHistory(person, household, now: now, db).giveAwards(isThisMonth: true, db)
        }
    }
}

extension SimulatedBrusher.Habits {
    /// The habits of a member of a family: adults are alike, the first child is diligent, the next ones learn.
    ///
    /// - Parameter child: how many children came before; counted on.
    static func of(_ role: PersonRecord.Role, child: inout Int) -> Self {
        guard role == .child else { return .grownUp }
        child += 1
        return child == 1 ? .diligent : .learning
    }
}
