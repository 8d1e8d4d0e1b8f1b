import DrumsEngine
import GRDB
import HubKit
import NIOCore
import Storage

/// How the hub hears of a session while it is played, and how another device goes on with it.
struct RunningRoutes: Sendable {
    let drums: Drums

    private struct Kept: Codable {
        var id: String
        /// How many events the hub has of it.
        var events: Int
        var isNew: Bool
    }

    private struct All: Codable {
        var running: [RunningReply]
        var parked: [ParkedReply]
    }

    func add(to routes: Routes) {
        let running = RunningSessions(hub: drums.hub)
        routes.on(
            .put, "/api/drums/running/{id}", .member,
            "Keeps how far a session is that is being played. The body is its events so far, in the engine’s codec; they go on from those that are kept.",
            media: "application/octet-stream", isCounted: false
        ) { visit in
            let content = try await visit.sessionBytes()
            let session = Result { () throws(Problem) in try DeliveredSession.decoded(content) }
            let member = try visit.member
            let id = try visit.path("id")
            let hub = visit.hub
            let now = hub.clock.now()
            let (kept, reply) = try await hub.database.pool.write { db in
                let session = try session.get()
                let origin = session.origin
                guard origin.id == id else {
                    throw Problem.field("events", "The session in the body has another id than the path: \(origin.id).")
                }
                let person = try origin.accepted(from: member, hub, now: now, db).person
                let kept = try running.keep(session, content, by: member, of: person, db)
                return (kept, Kept(id: id, events: session.events.count, isNew: kept == .begun))
            }
            if kept == .begun || kept == .takenUp {
                hub.live.tell(.changed(companion: Drums.slug, what: "running", id: id), household: member.household)
            }
            return try .json(reply)
        }
        routes.get(
            "/api/drums/running", .member,
            "What is being played in the household, and what could not be stored of it, which adults see."
        ) { visit in
            let member = try visit.member
            let hub = visit.hub
            return try await hub.database.pool.read { db in
                try .json(
                    All(
                        running: try RunningReply.all(for: member, hub: hub, db),
                        parked: try ParkedReply.all(for: member, hub: hub, db)))
            }
        }
        routes.get(
            "/api/drums/running/{id}", .member, "The events so far of a session that is played, to go on with it."
        ) { visit in
            let record = try await Self.find(visit) { record, _ in record }
            return .file(ByteBuffer(bytes: record.content), EngineBytes.octets)
        }
        routes.delete(
            "/api/drums/running/{id}", .member,
            "Ends a session that is being played, as the hub does when nobody goes on with it; answers with the session; to who may not look at it, with its id, day and song alone."
        ) { visit in
            let id = try visit.path("id")
            let member = try visit.member
            let hub = visit.hub
            let (person, reply) = try await hub.database.pool.write { db -> (PersonRecord?, DeliveryReply) in
                // One that is over already, such as when the answer was lost, is answered as the first time.
                if let reply = try Self.over(id, for: member, hub, db) { return (nil, reply) }
                let record = try Self.record(id, for: member, hub, db)
                let (person, stored) = try running.close(record, db)
                return (person, try Drums.reply(stored, to: member, of: person, hub, db))
            }
            if let person { running.tell(ended: id, of: person) }
            return try .json(reply)
        }
    }

    /// A session that is stored, for whoever may end it; nil where there is none, or it runs still.
    private static func over(_ id: String, for member: Member, _ hub: Hub, _ db: Database) throws
        -> DeliveryReply?
    {
        let key = ["household": member.household, "id": id]
        guard try !RunningRecord.exists(db, key: key), let played = try PlayedRecord.fetchOne(db, key: key),
            let person = try PersonRecord.fetchOne(db, key: played.person),
            hub.policy.allowsSession(member, of: person)
        else { return nil }
        return try Drums.reply(id, to: member, of: person, hub, db)
    }

    private static func find<Found: Sendable>(
        _ visit: Visit, _ read: @escaping @Sendable (RunningRecord, Database) throws -> Found
    ) async throws -> Found {
        let id = try visit.path("id")
        let member = try visit.member
        let hub = visit.hub
        return try await hub.database.pool.read { db in try read(try record(id, for: member, hub, db), db) }
    }

    /// - Throws: a 404 problem for what is not played any more, a 403 problem for whoever may not take it up.
    private static func record(_ id: String, for member: Member, _ hub: Hub, _ db: Database) throws -> RunningRecord {
        guard let record = try RunningRecord.fetchOne(db, key: ["household": member.household, "id": id]),
            let person = try PersonRecord.fetchOne(db, key: record.person)
        else { throw Problem.notFound("song that is being played") }
        guard record.mayGoOn(at: member, of: person, hub) else {
            throw Problem(
                .forbidden, "Somebody else’s",
                "\(person.name) plays this. It can be taken up or ended when an adult uses this page, or on a device that the family shares."
            )
        }
        return record
    }
}
