import Foundation
import GRDB
import HubKit
import Localization
import Outbound
import Storage

/// The webhooks, as adults add, change and remove them.
extension Webhooks {
    /// The event of a companion.
    struct Choice: Hashable, Sendable {
        var companion, event: String
    }

    /// A webhook with the events that are sent to it.
    struct Webhook: Sendable {
        var record: ChannelRecord
        var events: [Choice]
        /// The ids of the people whose events are sent.
        var people: [String]
    }

    /// The webhooks of a household, in the order in which they were added.
    func all(household: String) async throws -> [Webhook] {
        try await hub.database.pool.read { db in
            try ChannelRecord.fetchAll(
                db, cached: "SELECT * FROM channel WHERE household = ? AND kind = 'webhook' ORDER BY created_at, id",
                arguments: [household]
            ).map { try Self.webhook($0, db) }
        }
    }

    /// Adds a webhook.
    ///
    /// - Returns: the webhook, and the key that its messages are signed with.
    /// - Throws: a 422 problem in words for each mistake.
    func add(
        name: String, address: String, houseAddress: String?, events: Set<Choice>, people: Set<String>,
        _ member: Member
    ) async throws -> (webhook: Webhook, key: String) {
        let key = Secret.token()
        let text = address.trimmingCharacters(in: .whitespaces)
        let host: ChosenHost
        do {
            host = try ChosenHost(url: text, houseAddress: houseAddress)
            try await channels.outbound.check(host)
        } catch {
            throw Channels.problem(error)
        }
        var made = ChannelRecord(
            id: Secret.identifier(), household: member.household, kind: .webhook, person: nil, address: text,
            isConfirmed: true, createdAt: hub.clock.now())
        made.name = try name.checkedName()
        made.houseAddress = host.houseAddress?.description
        made.secret = key
        let record = made
        let webhook = try await hub.database.pool.write { db in
            let count = try ChannelRecord.filter(
                sql: "household = ? AND kind = 'webhook'", arguments: [member.household]
            )
            .fetchCount(db)
            guard count < Self.most else {
                throw Problem.field("address", "There are \(Self.most) webhooks already. Remove one first.")
            }
            try record.insert(db)
            try Self.set(events, people, of: record, db)
            self.channels.publish(record, after: db)
            return try Self.webhook(record, db)
        }
        try await look()
        return (webhook, key)
    }

    /// Changes which events are sent to a webhook.
    func change(_ id: String, events: Set<Choice>, people: Set<String>, _ member: Member) async throws -> Webhook {
        try await hub.database.pool.write { db in
            let record = try Self.find(id, member, db)
            try Self.set(events, people, of: record, db)
            self.channels.publish(record, after: db)
            return try Self.webhook(record, db)
        }
    }

    /// Removes a webhook, with what waits for it.
    func remove(_ id: String, _ member: Member) async throws {
        try await hub.database.pool.write { db in
            let record = try Self.find(id, member, db)
            _ = try record.delete(db)
            self.channels.publish(record, after: db)
        }
        try await look()
    }

    /// Sends a test event, signed as all others.
    func tryOut(_ id: String, _ member: Member) async throws {
        let now = hub.clock.now()
        try await hub.database.pool.write { db in
            let record = try Self.find(id, member, db)
            let identity = Secret.identifier(length: 20)
            let content = try Self.content(
                identity: identity, event: "try", companion: nil, owner: nil, at: now, data: [])
            try self.channels.enqueue(
                content, to: record, about: nil, topic: "try", ttlSeconds: 3_600, identity: identity,
                most: Self.mostWaiting, db)
        }
    }

    private static func find(_ id: String, _ member: Member, _ db: Database) throws -> ChannelRecord {
        guard let record = try ChannelRecord.fetchOne(db, key: id), record.household == member.household,
            record.kind == .webhook
        else { throw Problem.notFound("There is no such webhook here. It may have been removed.") }
        return record
    }

    private static func set(_ events: Set<Choice>, _ people: Set<String>, of record: ChannelRecord, _ db: Database)
        throws
    {
        guard !events.isEmpty else { throw Problem.field("events", "Choose at least one event.") }
        for table in ["channel_event", "channel_subject"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE channel = ?", arguments: [record.id])
        }
        for event in events {
            try db.execute(
                cached: "INSERT INTO channel_event VALUES (?, ?, ?)",
                arguments: [record.id, event.companion, event.event])
        }
        for person in people {
            guard try PersonRecord.fetchOne(db, key: person)?.household == record.household else {
                throw Problem.field("people", "Somebody of these does not live here any more. Load the page again.")
            }
            try db.execute(cached: "INSERT INTO channel_subject VALUES (?, ?)", arguments: [record.id, person])
        }
        // What waits about somebody whose events are not sent any more.
        try db.execute(
            cached: """
                DELETE FROM channel_message WHERE channel = ? AND person IS NOT NULL
                    AND person NOT IN (SELECT person FROM channel_subject WHERE channel = ?)
                """, arguments: [record.id, record.id])
    }

    private static func webhook(_ record: ChannelRecord, _ db: Database) throws -> Webhook {
        let events = try Row.fetchAll(
            db, cached: "SELECT companion, event FROM channel_event WHERE channel = ? ORDER BY companion, event",
            arguments: [record.id]
        ).map { Choice(companion: $0[0], event: $0[1]) }
        let people = try String.fetchAll(
            db,
            cached: """
                SELECT person.id FROM channel_subject JOIN person ON person.id = channel_subject.person
                WHERE channel = ? ORDER BY role, created_at, person.id
                """, arguments: [record.id])
        return Webhook(record: record, events: events, people: people)
    }
}
