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
        ) { request in
            let month = request.query("month")
            return try await Self.read(request) { history, db in
                let days =
                    try month.map { try MonthHistory.days(month: $0) } ?? MonthHistory.days(around: history.today)
                return try .json(try MonthHistory(history, days: days, db))
            }
        }
        routes.get(
            "/api/brushing/people/{person}/statistics", .member,
            "Somebody’s sums `by` day, week, month or year, `until` a day such as 2026-11-21; without one, until today."
        ) { request in
            guard let span = Statistics.Span(rawValue: request.query("by") ?? "week") else {
                throw Problem.field("by", "Sums are by day, week, month or year.")
            }
            let until = try request.query("until").map { text in
                guard let date = CivilDate(text) else {
                    throw Problem.field("until", "A day looks like 2026-11-21.")
                }
                return date.day
            }
            return try await Self.read(request) { history, _ in
                try .json(Statistics(history, by: span, until: until ?? history.today))
            }
        }
    }

    private static func read<Form: ResponseForm>(
        _ request: APIRequest, _ answer: @escaping @Sendable (SessionHistory, Database) throws -> APIResponse<Form>
    ) async throws -> APIResponse<Form> {
        let id = try request.path("person")
        let (hub, member) = (request.hub, try request.member)
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            let subject = try Subject.read(id, by: member, hub, now: now, db)
            return try answer(try SessionHistory(subject.person, subject.household, now: now, db), db)
        }
    }
}
