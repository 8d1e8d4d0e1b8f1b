import BrushingEngine
import GRDB
import HubKit
import NIOCore
import Storage

/// How sessions come in, and how one is looked at.
struct SessionRoutes: Sendable {
    let brushing: Brushing

    func add(to routes: Routes) {
        let brushing = brushing
        routes.post(
            "/api/brushing/sessions", .member,
            "Stores a session, once under the id that is in it: 201, and 200 when it comes again. The body is its events in the engine’s codec. Takes an Idempotency-Key.",
            media: "application/octet-stream"
        ) { visit in
            let content = Array(buffer: try await visit.bytes())
            // Replayed before the transaction, which others wait for.
            let delivered = Result { () throws(Problem) in try DeliveredSession(content) }
            let member = try visit.member
            let hub = visit.hub
            return try await visit.once { db in
                try brushing.deliver(try delivered.get(), by: member, now: hub.clock.now(), db)
            } then: { person in
                if let person { await brushing.tell(person) }
            }
        }
        routes.get("/api/brushing/sessions/{id}", .member, "A session, with what was planned and done of each step.") {
            visit in
            let id = try visit.path("id")
            let household = try visit.member.household
            return try await visit.hub.database.pool.read { db in
                let reply = try BrushingSessionReply.find(id, household: household, db)
                guard let record = try Sessions.find(id, household: household, db) else {
                    throw Problem.notFound("session")
                }
                return try .json(SessionWithSteps(reply, try DeliveredSession(Array(record.content)).session))
            }
        }
    }
}

extension Brushing {
    /// Stores what somebody delivered, in the caller's transaction.
    ///
    /// - Returns: the answer, and of whom pages are to be told.
    func deliver(_ delivered: DeliveredSession, by member: Member, now: Int64, _ db: Database) throws -> (
        reply: Reply, result: PersonRecord?
    ) {
        let person = try delivered.owner(deliveredBy: member, hub, db)
        try delivered.checkTime(now: now)
        guard let household = try HouseholdRecord.fetchOne(db, key: member.household) else {
            throw Problem.notFound("household")
        }
        let stored = try delivered.store(of: person, household, now: now, db)
        if stored == .new { try SessionHistory(person, household, now: now, db).giveAwards(db) }
        let reply = try BrushingSessionReply.find(delivered.id, household: household.id, db)
        return (
            try Reply.json(reply, stored == .new ? .created : .ok).naming(person.id), stored == .new ? person : nil
        )
    }

    /// Pages load this person's sessions again, and what reminded of brushing falls silent.
    func tell(_ person: PersonRecord) async {
        hub.live.tell(.changed(companion: Self.slug, what: "session", id: person.id), household: person.household)
    }
}

/// A session with its steps.
private struct SessionWithSteps: Encodable {
    /// A repetition of a step.
    struct Step: Encodable {
        var kind: String
        /// From 1, of `repetitions`.
        var repetition, repetitions: Int
        var plannedSeconds, doneSeconds: Int64
    }

    var session: BrushingSessionReply
    var steps: [Step]

    private enum CodingKeys: CodingKey { case steps }

    init(_ reply: BrushingSessionReply, _ session: BrushingSession) {
        self.session = reply
        steps = zip(session.segments, session.segmentMilliseconds).map { segment, milliseconds in
            Step(
                kind: segment.kind.name, repetition: segment.repetition, repetitions: segment.repetitions,
                plannedSeconds: BrushingSessionReply.seconds(segment.milliseconds),
                doneSeconds: BrushingSessionReply.seconds(milliseconds))
        }
    }

    func encode(to encoder: any Encoder) throws {
        try session.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(steps, forKey: .steps)
    }
}
