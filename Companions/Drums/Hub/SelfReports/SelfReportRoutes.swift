import GRDB
import HubKit
import Localization
import Storage

/// The routes to what somebody says about themselves before and after a song.
struct SelfReportRoutes: Sendable {
    let drums: Drums

    func add(to routes: Routes) {
        let hub = drums.hub
        routes.put(
            "/api/drums/sessions/{id}/reports/{moment}", .member,
            "Notes what a person said about effort and pain, 0 to 10, `before` or `after` a session, which may come later; what is left out was not said. Takes an Idempotency-Key.",
            takes: SelfReportInput.self
        ) { request, input in
            let member = try request.member
            let (id, moment) = (try request.path("id"), try request.path("moment"))
            return try await request.idempotently { db in
                let (report, person) = try input.checked(session: id, moment: moment, by: member, hub, db)
                try report.save(db)
                hub.live.publish(
                    changed: "session", id: person.id, of: Drums.self, household: person.household, after: db)
                return try APIResponse.json(SelfReportResponse(report)).naming(person.id)
            }
        }
    }
}

/// A report as it is stored.
struct SelfReportResponse: Codable, Sendable {
    var session: String
    var moment: SelfReport.Moment
    var at: Int64
    var effort, pain: Int?

    init(_ report: SelfReport) {
        (session, moment, at, effort, pain) = (
            report.session, report.moment, report.at, report.effort, report.pain
        )
    }
}

/// A report in a request.
struct SelfReportInput: Decodable, Sendable {
    /// The person who said it.
    var person: String
    /// The time at which it was said, UTC milliseconds, by the device that asked.
    var at: Int64
    /// The answers. One that is left out, or null, was rather not said.
    var effort, pain: Int?

    /// Checks the input, and makes the report.
    ///
    /// - Throws: a 422 problem for what cannot have been said, a 404 problem for somebody unknown, a 403 problem for
    ///   whoever may not deliver their sessions.
    func checked(session id: String, moment: String, by member: Member, _ hub: HubContext, _ db: Database) throws
        -> (report: SelfReport, person: PersonRecord)
    {
        guard let moment = SelfReport.Moment(rawValue: moment) else {
            throw Problem.field("moment", "Something is said before or after a song.")
        }
        guard id.count == 32, id.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
            throw Problem.field("id", "A session’s id has 32 small hexadecimal digits.")
        }
        guard let whose = try PersonRecord.fetchOne(db, key: person), whose.household == member.household else {
            throw Problem.notFound("There is no person here. It may have been removed.")
        }
        guard hub.policy.allowsSession(member, of: whose) else {
            throw Problem(
                .forbidden, "Somebody else’s", "An adult of the household can note this for \(whose.name).")
        }
        for (field, value) in [("effort", effort), ("pain", pain)] {
            guard let value else { continue }
            guard SelfReport.values.contains(value) else {
                throw Problem.field(
                    field, "This is said from \(SelfReport.values.lowerBound) to \(SelfReport.values.upperBound).")
            }
        }
        let now = hub.clock.now()
        try checkTime(now: now)
        let known = try String.fetchOne(
            db,
            cached: """
                SELECT person FROM drums_session WHERE household = ? AND id = ?
                UNION ALL SELECT person FROM drums_self_report WHERE household = ? AND session = ?
                """, arguments: [whose.household, id, whose.household, id])
        guard known == nil || known == whose.id else {
            throw Problem.field("person", "Somebody else played this song. Choose who it was.")
        }
        let key = ["household": whose.household, "session": id, "moment": moment.rawValue]
        guard try SelfReport.fetchOne(db, key: key) == nil || hub.policy.allowsViewing(member, of: whose, now: now)
        else {
            throw Problem(.forbidden, "Said already", "An adult of the household can change what \(whose.name) said.")
        }
        return (
            SelfReport(
                household: whose.household, session: id, moment: moment, person: whose.id, at: at, effort: effort,
                pain: pain), whose
        )
    }

    private func checkTime(now: Int64) throws {
        guard at <= now + SessionOrigin.lead else {
            throw Problem.field("at", "This lies in the future. Look at the clock of the device that asked.")
        }
        guard at >= SessionOrigin.earliest else {
            throw Problem.field("at", "This lies too far back. Look at the clock of the device that asked.")
        }
    }
}
