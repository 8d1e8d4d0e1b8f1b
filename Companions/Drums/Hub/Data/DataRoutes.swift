import GRDB
import HubKit
import Localization
import Storage

/// The routes to a person's practice: charts, and the page for the therapist. How a hand does is for the person
/// themself and for the adults of the household, not for brothers and sisters.
struct DataRoutes: Sendable {
    /// A report is of a year at most.
    static let longestReport: Int32 = 366

    func add(to routes: Routes) {
        routes.get(
            "/api/drums/data", .member,
            "The charts of a `person` for a `span`: week, month or year; `until` a day such as 2026-11-21, else until today; `against` an earlier stretch.",
            query: [.person, .span, .until, .against]
        ) { request in
            guard let span = DataSpan(rawValue: request.query(.span) ?? "month") else {
                throw Problem.field("span", "Data are of a week, a month or a year.")
            }
            let until = try Self.day(request, .until)
            let against = try request.query(.against).map { word in
                guard let comparison = DataComparison(rawValue: word) else {
                    throw Problem.field(
                        "against", "Charts are compared with the stretch before, or the same a year ago.")
                }
                return comparison
            }
            return try await Self.calculate(request) { subject, db in
                try DataResponse.Source(subject, span: span, until: until, against: against, db)
            } response: {
                DataResponse($0, in: $1)
            }
        }
        routes.get(
            "/api/drums/report", .member,
            "The page for the therapist of a `person`, `from` a day `to` another; without them, of four weeks to today.",
            query: [.person, .from, .to]
        ) { request in
            let (from, to) = (try Self.day(request, .from), try Self.day(request, .to))
            let hub = request.hub
            let hasScores = hub.policy.allows(.person(try request.member), .adult, now: hub.clock.now())
            return try await Self.calculate(request) { subject, db in
                let last = min(to ?? subject.today, subject.today)
                let first = from ?? DataSpan.month.days(until: last).lowerBound
                guard first <= last else {
                    throw Problem.field("from", "A report begins before it ends, and not in the future.")
                }
                guard last - first < Self.longestReport else {
                    throw Problem.field("from", "A report is of a year at most. Choose a later first day.")
                }
                return try StoredReport(of: subject, days: first...last, hasScores: hasScores, db)
            } response: {
                ReportResponse($0, in: $1)
            }
        }
    }

    private static func day(_ request: APIRequest, _ parameter: QueryParameter) throws -> Int32? {
        try request.query(parameter).map { text in
            guard let date = CivilDate(text), date.year >= 2000 else {
                throw Problem.field(
                    parameter.name, "A day is written as 2026-12-02, and is one that the calendar has since 2000.")
            }
            return date.day
        }
    }

    /// Reads, lets go of the database, and calculates.
    private static func calculate<Source, Answer: Codable & SendableMetatype>(
        _ request: APIRequest, reading read: @escaping @Sendable (Subject, Database) throws -> Source,
        response: @escaping @Sendable (Source, Localizer) -> Answer
    ) async throws -> APIResponse<JSON<Answer>> {
        guard let id = request.query(.person) else {
            throw Problem.field("person", "Say whose: person is their identifier.")
        }
        let member = try request.member
        let hub = request.hub
        let now = hub.clock.now()
        let localized = Localizer(request.language, from: .drums)
        return try await request.calculated { db in
            try read(try Subject.read(id, by: member, hub, now: now, db), db)
        } _: { source in
            try .json(response(source, localized))
        }
    }
}
