import Foundation
import GRDB
import HubKit
import Storage
import TriviaToyEngine

/// The routes to messages that somebody recorded.
struct MessageRoutes: Sendable {
    let toy: TriviaToy

    private static let messages = "/api/toy/messages"

    func add(to routes: Routes) {
        addReading(to: routes)
        addChanging(to: routes)
    }

    private func addReading(to routes: Routes) {
        let limits = toy.limits
        routes.get(
            Self.messages, .member, "Recorded messages for those whose history one may see, the newest first."
        ) { request in
            let member = try request.member
            let hub = request.hub
            let now = hub.clock.now()
            return try .json(
                try await hub.database.pool.read { db in
                    let records = try MessageRecord.fetchAll(
                        db, cached: "SELECT * FROM toy_message WHERE household = ? ORDER BY id DESC",
                        arguments: [member.household])
                    let readable = Set(
                        try PersonRecord.all(of: member.household, db).filter {
                            hub.policy.allowsViewing(member, of: $0, now: now)
                        }.map(\.id))
                    return MessagesResponse(
                        messages: records.filter { readable.contains($0.person) }.map { MessageResponse($0) },
                        limits: .init(limits))
                })
        }
        routes.get("\(Self.messages)/{id}/audio", .member, "The sound of a message.") { request in
            let member = try request.member
            let hub = request.hub
            let (id, now) = (Int64(try request.path("id")) ?? 0, hub.clock.now())
            return .file(
                try await hub.database.pool.read { db in
                    let message = try MessageRecord.find(id, household: member.household, db)
                    _ = try Subject.read(message.person, by: member, hub, now: now, db)
                    return try MessageRecord.sound(id, household: member.household, db)
                }, WaveMedia.wave)
        }
        routes.post(
            "\(Self.messages)/{id}/heard", .member, "Writes down that somebody has heard a message on a page."
        ) { request in
            let member = try request.member
            let hub = request.hub
            let (id, now) = (Int64(try request.path("id")) ?? 0, hub.clock.now())
            try await hub.database.pool.write { db in
                var message = try MessageRecord.find(id, household: member.household, db)
                // Whoever may not hear it has not heard it.
                _ = try Subject.read(message.person, by: member, hub, now: now, db)
                message.heardAt = message.heardAt ?? now
                try message.update(db)
                hub.live.publish(
                    changed: "message", id: "\(id)", of: TriviaToy.self, household: member.household, after: db)
            }
            return .nothing
        }
    }

    private func addChanging(to routes: Routes) {
        let limits = toy.limits
        routes.post(
            Self.messages, .adult,
            "Stores a recorded message for `person`, of at most 30 seconds: a WAVE file, or with ffmpeg what browsers record. `name` is who speaks. They hear it in place of their next fact.",
            query: [.person, .speaker], media: "application/octet-stream"
        ) { request in
            let member = try request.member
            let hub = request.hub
            let now = hub.clock.now()
            guard let person = request.query(.person) else {
                throw Problem.field("person", "Say for whom the message is.")
            }
            let title = (request.query(.speaker) ?? "").filter { !$0.isNewline }.prefix(limits.messageTitleLetters)
            // Before a byte of it is read.
            try await hub.database.pool.read { db in
                _ = try Subject.find(person, household: member.household, now: now, db)
                try Self.checkRoom(limits, household: member.household, db)
            }
            let bytes = Array(
                buffer: try await request.bytes(
                    upTo: limits.messageBytes,
                    otherwise: Problem(
                        .contentTooLarge, "Too large",
                        "The hub takes recordings of at most \(limits.messageBytes >> 20) MB. Nothing was stored.",
                        field: "file")))
            let sound = try await toy.messageSound.sound(of: bytes)
            var wave: [UInt8] = []
            sound.encodeWave(into: &wave)
            let content = wave
            let message = try await hub.database.pool.write { db in
                _ = try Subject.find(person, household: member.household, now: now, db)
                try Self.checkRoom(limits, household: member.household, db)
                var message = MessageRecord(
                    household: member.household, person: person, sentBy: member.profile.id,
                    title: title.isEmpty ? member.profile.name : String(title), milliseconds: sound.milliseconds,
                    createdAt: now)
                try message.insert(db)
                message.id = db.lastInsertedRowID
                try db.execute(
                    cached: "INSERT INTO toy_message_sound(message, wave) VALUES (?, ?)",
                    arguments: [message.id, Data(content)])
                hub.live.publish(
                    changed: "message", id: "\(message.id ?? 0)", of: TriviaToy.self, household: member.household,
                    after: db)
                return message
            }
            return try .created(MessageResponse(message))
        }
        routes.delete("\(Self.messages)/{id}", .adult, "Removes a message with its sound.") { request in
            let (hub, household) = (request.hub, try request.member.household)
            let id = Int64(try request.path("id")) ?? 0
            try await hub.database.pool.write { db in
                try MessageRecord.find(id, household: household, db).delete(db)
                hub.live.publish(changed: "message", id: "\(id)", of: TriviaToy.self, household: household, after: db)
            }
            return .nothing
        }
    }

    private static func checkRoom(_ limits: ToyLimits, household: String, _ db: Database) throws {
        let count = try MessageRecord.filter(sql: "household = ?", arguments: [household]).fetchCount(db)
        guard count < limits.messages else {
            throw Problem(
                .conflict, "No room",
                "There are \(count) messages, and no room for more. Remove one that was heard. Nothing was stored.")
        }
    }
}

extension QueryParameter {
    fileprivate static let person = QueryParameter("person", "The id of whoever is to hear it.")
    fileprivate static let speaker = QueryParameter(
        "name", "Who speaks; the name of whoever sends it where it is left out.")
}

private struct MessagesResponse: Codable {
    struct Limits: Codable {
        var seconds, bytes, messages: Int

        init(_ limits: ToyLimits) {
            seconds = limits.messageMilliseconds / 1_000
            bytes = limits.messageBytes
            messages = limits.messages
        }
    }

    var messages: [MessageResponse]
    var limits: Limits
}

/// A message, as a page shows it; its sound is at `/api/toy/messages/{id}/audio`.
struct MessageResponse: Codable {
    var id: Int64
    /// The person who hears it.
    var person: String
    /// The name of the one who speaks.
    var title: String
    var milliseconds: Int
    /// UTC milliseconds; nothing while it waits to be heard.
    var createdAt: Int64
    var heardAt: Int64?

    init(_ record: MessageRecord) {
        id = record.id ?? 0
        person = record.person
        title = record.title
        milliseconds = record.milliseconds
        createdAt = record.createdAt
        heardAt = record.heardAt
    }
}
