import DrumsEngine
import GRDB
import HTTPTypes
import HubKit
import Localization
import Storage

/// The routes by which sessions are looked at.
struct SessionRoutes: Sendable {
    /// The most days of one list.
    static let mostDays: Int32 = 400

    private struct All: Codable { var sessions: [DrumSessionResponse] }

    private struct Days: Codable {
        struct Day: Codable {
            var day: String
            var sessions: Int
            var milliseconds: Int64
        }
        var days: [Day]
    }

    func add(to routes: Routes) {
        routes.get(
            "/api/drums/sessions", .member,
            "The sessions of a `person`, by day, `from` and `to` days such as 2026-11-21; without them, of the last month.",
            query: [.person, .from, .to]
        ) { request in
            let (from, to) = (try request.day(.from), try request.day(.to))
            let sessions = try await request.read { person, household, db in
                let today = LocalCalendar(timeZone: person.zone(household)).moment(of: request.hub.clock.now()).day
                let last = to ?? today
                let first = from ?? last - 31
                guard first <= last, last - first < Self.mostDays else {
                    throw Problem.field("from", "A list begins before it ends, and has at most \(Self.mostDays) days.")
                }
                return try DrumSessionResponse.all(of: person.id, days: first...last, db)
            }
            let localized = Localizer(request.language, from: .drums)
            return try .json(All(sessions: sessions.map { $0.localized(localized) }))
        }
        routes.get(
            "/api/drums/days", .member, "The days on which a `person` practised, the newest first.", query: [.person]
        ) { request in
            let days = try await request.read { person, _, db in
                try Row.fetchAll(
                    db,
                    cached: """
                        SELECT day, count(*) AS sessions, sum(milliseconds) AS milliseconds FROM drums_session
                        WHERE person = ? GROUP BY day ORDER BY day DESC
                        """, arguments: [person.id]
                ).map { row in
                    Days.Day(
                        day: "\(CivilDate(day: row["day"]))", sessions: row["sessions"],
                        milliseconds: row["milliseconds"])
                }
            }
            return try .json(Days(days: days))
        }
        routes.get(
            "/api/drums/sessions/{id}/after", .member,
            "How a song was beside the last time, in a sentence, and a song to go on with."
        ) { request in
            let id = try request.path("id")
            let member = try request.member
            let hub = request.hub
            let after = try await hub.database.pool.read { db in
                let person = try DrumSessionResponse.find(id, household: member.household, db).person
                try Drums.checkReader(member, of: person, hub, db)
                let today = try Subject.find(person, household: member.household, now: hub.clock.now(), db).today
                return try AfterSong(id, household: member.household, today: today, db)
            }
            let localized = Localizer(request.language, from: .drums)
            let next = after.next.map { one in
                AfterSong.Next(song: one.song, title: localized.songTitle(one.song, or: one.title), isNew: one.isNew)
            }
            return try .json(
                AfterSongResponse(comparison: after.words.map { localized.string($0) }, next: next))
        }
        routes.get(
            "/api/drums/sessions/{id}", .member,
            "A session, with every beat and what happened; without, where today’s engine cannot tell any more."
        ) { request in
            let id = try request.path("id")
            let member = try request.member
            let (hub, language) = (request.hub, request.language)
            let (response, record) = try await hub.database.pool.read { db in
                let response = try DrumSessionResponse.find(id, household: member.household, db)
                try Drums.checkReader(member, of: response.person, hub, db)
                guard let record = try Sessions.find(id, household: member.household, db) else {
                    throw Problem.notFound("There is no session here. It may have been removed.")
                }
                return (response.localized(Localizer(language, from: .drums)), record)
            }
            let score = record.intactContent.flatMap { try? DrumSession.decoded($0) }.map { SessionScore(response, $0) }
            return try .json(score.map { OneOf.first($0) } ?? .second(response))
        }
    }
}

/// The answer to a delivery: the session, for those who may look at it.
typealias DeliveryResponse = OneOf<DrumSessionResponse, StoredResponse>

/// A session for somebody who may have it stored, and not look at it.
struct StoredResponse: Codable {
    var id: String
    /// The local day.
    var day: String
    var song: DrumSessionResponse.SongSummary
    var fork: DrumSessionResponse.Divergence?
    /// Whether nothing was stored, because another device plays it still, and its copy on the hub has every hit of this
    /// one.
    var isRunning: Bool?

    init(_ response: DrumSessionResponse) {
        (id, day, song, fork) = (response.id, response.day, response.song, response.fork)
    }

    /// Answers a session that another device plays still.
    init(active session: DrumSession, of person: PersonRecord, _ household: HouseholdRecord) {
        id = session.origin.id
        day = "\(CivilDate(day: session.origin.moment(of: person, household).day))"
        song = .init(
            id: String(decoding: session.setup.songID, as: UTF8.self),
            title: String(decoding: session.setup.songTitle, as: UTF8.self))
        isRunning = true
    }
}

extension Drums {
    /// A session that was just stored, for whoever had it stored: as much of it as they may look at.
    static func response(
        _ id: String, to member: Member, of person: PersonRecord, _ hub: HubContext, _ db: Database
    ) throws -> DeliveryResponse {
        let response = try DrumSessionResponse.find(id, household: person.household, db)
        guard hub.policy.allowsViewing(member, of: person, now: hub.clock.now()) else {
            return .second(StoredResponse(response))
        }
        return .first(response)
    }

    /// Checks that a member may look at a person's sessions.
    ///
    /// - Throws: a 404 problem for somebody who is not of the household; a 403 problem for a child who looks at
    ///   another's.
    @discardableResult
    static func checkReader(_ member: Member, of person: String, _ hub: HubContext, _ db: Database) throws
        -> PersonRecord
    {
        guard let person = try PersonRecord.fetchOne(db, key: person), person.household == member.household else {
            throw Problem.notFound("There is no person here. It may have been removed.")
        }
        try hub.policy.checkReading(member, of: person, now: hub.clock.now())
        return person
    }
}

extension APIRequest {
    /// Reads something of the `person` of the query, for whoever may look at it.
    func read<Value: Sendable>(
        _ value: @escaping @Sendable (PersonRecord, HouseholdRecord, Database) throws -> Value
    ) async throws -> Value {
        let owner = try owner()
        return try await hub.database.pool.read { db in
            let (person, household) = try owner(db)
            return try value(person, household, db)
        }
    }

    /// The `person` of the query, for whoever may look at what is theirs.
    func owner() throws -> @Sendable (Database) throws -> (person: PersonRecord, household: HouseholdRecord) {
        let (hub, member) = (hub, try member)
        guard let id = query(.person) else {
            throw Problem.field("person", "Say whose: `person` is the id of somebody of the household.")
        }
        return { db in
            let person = try Drums.checkReader(member, of: id, hub, db)
            guard let household = try HouseholdRecord.fetchOne(db, key: member.household) else {
                throw Problem.notFound("There is no household here. It may have been removed.")
            }
            return (person, household)
        }
    }
}
