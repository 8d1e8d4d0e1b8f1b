import GRDB
import HubKit
import Storage

/// What somebody practised: charts, and the page for the therapist. How a hand does is for the person themself and for
/// the adults of the household, not for brothers and sisters.
struct DataRoutes: Sendable {
    /// A report is of a year at most.
    static let longestReport: Int32 = 366

    func add(to routes: Routes) {
        routes.get(
            "/api/drums/data", .member,
            "The charts of a `person` for a `span`: week, month or year; `until` a day such as 2026-11-21, else until today."
        ) { visit in
            guard let span = DataSpan(rawValue: visit.query("span") ?? "month") else {
                throw Problem.field("span", "Data are of a week, a month or a year.")
            }
            let until = try Self.day(visit, "until")
            return try await Self.read(visit) { subject, db in
                try .json(DataReply(subject, span: span, until: until, db))
            }
        }
        routes.get(
            "/api/drums/report", .member,
            "The page for the therapist of a `person`, `from` a day `to` another; without them, of four weeks to today."
        ) { visit in
            let (from, to) = (try Self.day(visit, "from"), try Self.day(visit, "to"))
            return try await Self.read(visit) { subject, db in
                let last = min(to ?? subject.today, subject.today)
                let first = from ?? DataSpan.month.days(until: last).lowerBound
                guard first <= last else {
                    throw Problem.field("from", "A report begins before it ends, and not in the future.")
                }
                guard last - first < Self.longestReport else {
                    throw Problem.field("from", "A report is of a year at most. Choose a later first day.")
                }
                return try .json(ReportReply(subject, days: first...last, db))
            }
        }
    }

    private static func day(_ visit: Visit, _ name: String) throws -> Int32? {
        try visit.query(name).map { text in
            guard let date = CivilDate(text), date.year >= 2000 else {
                throw Problem.field(
                    name, "A day is written as 2026-12-02, and is one that the calendar has since 2000.")
            }
            return date.day
        }
    }

    private static func read<Form: ReplyForm>(
        _ visit: Visit, _ answer: @escaping @Sendable (Subject, Database) throws -> Reply<Form>
    ) async throws -> Reply<Form> {
        guard let id = visit.query("person") else {
            throw Problem.field("person", "Say whose: person is their identifier.")
        }
        let member = try visit.member
        let hub = visit.hub
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            let subject = try Subject.read(id, by: member, hub, now: now, db)
            return try answer(subject, db)
        }
    }
}
