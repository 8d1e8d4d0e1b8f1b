import BrushingEngine
import GRDB
import HubKit
import Storage

/// What has been brushed: by months, and in sums.
struct HistoryRoutes: Sendable {
    func add(to routes: Routes) {
        routes.get(
            "/api/brushing/people/{person}/history", .member,
            "Somebody’s sessions, day by day, of a `month` such as 2026-11; without one, of this month."
        ) { visit in
            let month = visit.query("month")
            return try await Self.read(visit) { history, db in
                let days =
                    try month.map { try MonthHistory.days(month: $0) } ?? MonthHistory.days(around: history.today)
                return try .json(try MonthHistory(history, days: days, db))
            }
        }
        routes.get(
            "/api/brushing/people/{person}/statistics", .member,
            "Somebody’s sums `by` day, week, month or year, `until` a day such as 2026-11-21; without one, until today."
        ) { visit in
            guard let span = Statistics.Span(rawValue: visit.query("by") ?? "week") else {
                throw Problem.field("by", "Sums are by day, week, month or year.")
            }
            let until = try visit.query("until").map { text in
                guard let date = CivilDate(text) else {
                    throw Problem.field("until", "A day looks like 2026-11-21.")
                }
                return date.day
            }
            return try await Self.read(visit) { history, _ in
                try .json(Statistics(history, by: span, until: until ?? history.today))
            }
        }
    }

    private static func read<Form: ReplyForm>(
        _ visit: Visit, _ answer: @escaping @Sendable (SessionHistory, Database) throws -> Reply<Form>
    ) async throws -> Reply<Form> {
        let id = try visit.path("person")
        let (hub, member) = (visit.hub, try visit.member)
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            let subject = try Subject.read(id, by: member, hub, now: now, db)
            return try answer(try SessionHistory(subject.person, subject.household, now: now, db), db)
        }
    }
}
