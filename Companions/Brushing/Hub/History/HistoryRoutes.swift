import BrushingEngine
import GRDB
import HubKit
import Storage

/// The routes to past brushing: by months, and in sums.
struct HistoryRoutes: Sendable {
    func add(to routes: Routes) {
        routes.get(
            "/api/brushing/people/{person}/history", .member,
            "Somebody’s sessions, day by day, of a `month` such as 2026-11; without one, of this month.",
            query: [.month]
        ) { request in
            let month = request.query(.month)
            return try await Self.calculated(request, from: { _ in .max }) { history, db in
                let days =
                    try month.map { try MonthHistory.days(month: $0) } ?? MonthHistory.days(around: history.today)
                return (days, try BrushingSessionResponse.all(of: history.person.id, days: days, db))
            } _: { history, source in
                try .json(MonthHistory(history, days: source.0, source.1))
            }
        }
        routes.get(
            "/api/brushing/people/{person}/statistics", .member,
            "Somebody’s sums `by` day, week, month or year, `until` a day such as 2026-11-21; without one, until today.",
            query: [.by, .until]
        ) { request in
            guard let span = Statistics.Span(rawValue: request.query(.by) ?? "week") else {
                throw Problem.field("by", "Sums are by day, week, month or year.")
            }
            let until = try request.day(.until)
            return try await Self.calculated(
                request, from: { today in Statistics.firstDay(by: span, until: until ?? today, today: today) }
            ) { history, db -> (years: Statistics?, whole: SessionHistory) in
                guard span == .year else { return (nil, history) }
                let years = try Statistics(yearsOf: history, until: until ?? history.today, db)
                return (years, years == nil ? try history.whole(db) : history)
            } _: { history, source in
                try .json(source.years ?? Statistics(source.whole, by: span, until: until ?? history.today))
            }
        }
    }

    /// Answers with what is calculated from what somebody brushed from a day on, and from what is read beside it.
    private static func calculated<Source, Form: ResponseForm>(
        _ request: APIRequest, from day: @escaping @Sendable (_ today: Int32) -> Int32,
        reading read: @escaping @Sendable (SessionHistory, Database) throws -> Source,
        _ response: @escaping @Sendable (SessionHistory, Source) throws -> APIResponse<Form>
    ) async throws -> APIResponse<Form> {
        let id = try request.path("person")
        let (hub, member) = (request.hub, try request.member)
        let now = hub.clock.now()
        return try await request.calculated { db in
            let subject = try Subject.read(id, by: member, hub, now: now, db)
            let history = try SessionHistory(subject.person, subject.household, now: now, from: day, db)
            return (history, try read(history, db))
        } _: { history, source in
            try response(history, source)
        }
    }
}

extension QueryParameter {
    fileprivate static let month = QueryParameter("month", "Such as 2026-11; this one where it is left out.")
    fileprivate static let by = QueryParameter(
        "by", "Of what each sum is; of a week where it is left out.", values: Statistics.Span.allCases.map(\.rawValue))
    fileprivate static let until = QueryParameter(
        "until", "The last day, such as 2026-11-21; today where it is left out.")
}
