import BrushingEngine
import GRDB
import HTTPTypes
import HubKit
import Storage

/// How sessions come in, and how one is looked at.
struct SessionRoutes: Sendable {
    let brushing: Brushing

    func add(to routes: Routes) {
        let brushing = brushing
        routes.post(
            "/api/brushing/sessions", .member,
            "Stores a session, once under the id that is in it: 201, and 200 when it comes again. The body is its events in the engine’s codec. Takes an Idempotency-Key. Who may deliver it and not look at it gets its id, person, day and half of the day alone.",
            media: "application/octet-stream"
        ) { visit in
            let content = try await visit.sessionBytes(
                upTo: BrushingSession.Limits.bytes, events: BrushingSession.Limits.events)
            // Replayed before the transaction, which others wait for.
            let delivered = Result { () throws(Problem) in try DeliveredSession(content) }
            let member = try visit.member
            let hub = visit.hub
            return try await visit.once { db in
                try brushing.deliver(try delivered.get(), by: member, now: hub.clock.now(), db)
            } then: { news in
                if let news { await brushing.tell(news) }
            }
        }
        routes.get(
            "/api/brushing/sessions/{id}", .member,
            "A session, with what was planned and done of each step; without, where today’s engine cannot tell any more."
        ) { visit in
            let id = try visit.path("id")
            let (hub, member) = (visit.hub, try visit.member)
            let now = hub.clock.now()
            return try await hub.database.pool.read { db in
                let reply = try BrushingSessionReply.find(id, household: member.household, db)
                _ = try Subject.read(reply.person, by: member, hub, now: now, db)
                guard let record = try Sessions.find(id, household: member.household, db) else {
                    throw Problem.notFound("session")
                }
                return try .json(
                    SessionWithSteps(reply, try? BrushingSession.decoded(Array(record.content))))
            }
        }
    }
}

extension Brushing {
    /// What there is to tell of a session that is new.
    struct News: Sendable {
        var person: PersonRecord
        /// The reminders that need not stand any longer.
        var settled: Set<String>
    }

    /// Stores what somebody delivered, in the caller's transaction.
    ///
    /// - Parameter now: the hub's time, UTC milliseconds.
    /// - Returns: the answer, and what to tell once it is stored.
    func deliver(_ delivered: DeliveredSession, by member: Member, now: Int64, _ db: Database) throws -> (
        reply: Reply<Stored<DeliveryReply>>, result: News?
    ) {
        let origin = delivered.origin
        let (person, household) = try origin.accepted(from: member, hub, now: now, db)
        let stored = try delivered.store(of: person, household, now: now, db)
        let news = stored == .new ? try news(of: person, household, now: now, db) : nil
        let reply = try BrushingSessionReply.find(origin.id, household: household.id, db)
        let isShown = hub.policy.allowsReading(member, of: person, now: now)
        let answer: DeliveryReply = isShown ? .first(reply) : .second(StoredReply(reply))
        return (try .stored(answer, isNew: stored == .new).naming(person.id), news)
    }

    /// Gives what somebody's new session has earned, and looks at what it settles.
    private func news(of person: PersonRecord, _ household: HouseholdRecord, now: Int64, _ db: Database) throws -> News
    {
        let history = try SessionHistory(person, household, now: now, db)
        try history.giveAwards(db)
        // One that comes days later is no reason not to brush today.
        let settled = try BrushingReminder.allCases.filter { try $0.isSilent(on: history.today, person, db) }
        return News(person: person, settled: Set(settled.map(\.rawValue)))
    }

    /// Pages load this person's sessions again, and what reminded of brushing falls silent.
    func tell(_ news: News) async {
        hub.live.tell(
            .changed(companion: Self.slug, what: "session", id: news.person.id), household: news.person.household)
        if !news.settled.isEmpty {
            await hub.reminders.settled(companion: Self.slug, person: news.person.id, names: news.settled)
        }
    }
}

/// What is answered to a delivery: the session, to whom may look at it.
typealias DeliveryReply = OneOf<BrushingSessionReply, StoredReply>

/// A session for somebody who may have it stored, and not look at it.
struct StoredReply: Codable {
    var id, person: String
    /// The brushing day.
    var day: String
    var slot: BrushingSessionReply.Slot

    init(_ reply: BrushingSessionReply) {
        id = reply.id
        person = reply.person
        day = reply.day
        slot = reply.slot
    }
}

/// A session with its steps.
private struct SessionWithSteps: Codable {
    /// A repetition of a step.
    struct Step: Codable {
        var kind: String
        /// From 1, of `repetitions`.
        var repetition, repetitions: Int
        var plannedSeconds, doneSeconds: Int64
    }

    var session: BrushingSessionReply
    /// Nil where a later engine refuses the events. The result that they came to then stands all the same.
    var steps: [Step]?

    private enum CodingKeys: CodingKey { case steps }

    init(_ reply: BrushingSessionReply, _ session: BrushingSession?) {
        self.session = reply
        steps = session.map { session in
            zip(session.segments, session.segmentMilliseconds).map { segment, milliseconds in
                Step(
                    kind: segment.kind.name, repetition: segment.repetition, repetitions: segment.repetitions,
                    plannedSeconds: BrushingSessionReply.seconds(segment.milliseconds),
                    doneSeconds: BrushingSessionReply.seconds(milliseconds))
            }
        }
    }

    init(from decoder: any Decoder) throws {
        session = try BrushingSessionReply(from: decoder)
        steps = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([Step].self, forKey: .steps)
    }

    func encode(to encoder: any Encoder) throws {
        try session.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(steps, forKey: .steps)
    }
}
