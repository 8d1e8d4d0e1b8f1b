import Foundation
import GRDB
import MQTT
import NIOCore

/// The database tables of retained messages and persistent MQTT sessions.
package enum MQTTSessionTables {
    /// A subquery for the id of a session, with two arguments: its principal and its client.
    private static let session = "(SELECT id FROM mqtt_session WHERE principal = ? AND client = ?)"

    /// Stores a change of retained messages or sessions.
    package static func apply(_ change: StoredChange, _ db: Database) throws {
        switch change {
        case .retained(let message, let isRead):
            try db.execute(
                sql: """
                    INSERT INTO mqtt_retained(topic, payload, qos, publisher, properties, expires_at, is_read)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ifnull(?7, 0))
                    ON CONFLICT(topic) DO UPDATE SET
                        payload = ?2, qos = ?3, publisher = ?4, properties = ?5, expires_at = ?6,
                        is_read = ifnull(?7, CASE WHEN payload = ?2 THEN is_read ELSE 0 END)
                    """,
                arguments: [
                    message.topic, Data(message.payload), message.qualityOfService.rawValue, text(message.publisher),
                    data(message.properties), message.expiresAt, isRead,
                ])
        case .unretained(let topic):
            try db.execute(sql: "DELETE FROM mqtt_retained WHERE topic = ?", arguments: [topic])
        case .opened(let key):
            try run("INSERT OR IGNORE INTO mqtt_session(principal, client) VALUES (?, ?)", [], key, db)
        case .ended(let key):
            try run("DELETE FROM mqtt_session WHERE principal = ? AND client = ?", [], key, db)
        case .expiry(let key, let seconds, let departedAt):
            try run(
                "UPDATE mqtt_session SET expiry_seconds = ?, departed_at = ? WHERE principal = ? AND client = ?",
                [seconds == .max ? nil : seconds, departedAt], key, db)
        case .subscribed(let key, let filter, let options):
            try run(
                """
                INSERT OR REPLACE INTO mqtt_subscription(session, filter, options, identifier)
                SELECT id, ?, ?, ? FROM mqtt_session WHERE principal = ? AND client = ?
                """,
                [filter, options.byte, options.identifier], key, db)
        case .unsubscribed(let key, let filter):
            try run("DELETE FROM mqtt_subscription WHERE filter = ? AND session = \(session)", [filter], key, db)
        case .will(let key, let will, let dueAt):
            try run(
                """
                INSERT OR REPLACE INTO mqtt_will(
                    session, topic, payload, qos, retain, delay_seconds, properties, expiry_seconds, due_at)
                SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM mqtt_session WHERE principal = ? AND client = ?
                """,
                [
                    will.topic.description, Data(will.payload), will.qualityOfService.rawValue, will.retain,
                    will.delaySeconds, data(will.properties.map { Array(buffer: $0.forwarded) } ?? []),
                    will.properties?.expirySeconds, dueAt,
                ], key, db)
        case .willSettled(let key):
            try run("DELETE FROM mqtt_will WHERE session = \(session)", [], key, db)
        case .queued(let key, let sequence, let message, let terms):
            try run(
                """
                INSERT OR REPLACE INTO mqtt_queue(
                    session, sequence, topic, payload, qos, publisher, properties, expires_at, delivery_qos, retain,
                    identifiers)
                SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM mqtt_session WHERE principal = ? AND client = ?
                """,
                [
                    Int64(bitPattern: sequence), message.topic, Data(message.payload),
                    message.qualityOfService.rawValue, text(message.publisher), data(message.properties),
                    message.expiresAt, terms.qualityOfService.rawValue, terms.retain,
                    terms.identifiers.isEmpty ? nil : terms.identifiers.map(String.init).joined(separator: " "),
                ], key, db)
        case .released(let key, let sequence):
            try run(
                """
                UPDATE mqtt_queue SET is_released = 1, payload = x'', properties = NULL, expires_at = NULL
                WHERE sequence = ? AND session = \(session)
                """,
                [Int64(bitPattern: sequence)], key, db)
        case .delivered(let key, let sequence):
            try run(
                "DELETE FROM mqtt_queue WHERE sequence = ? AND session = \(session)", [Int64(bitPattern: sequence)],
                key, db)
        case .received(let key, let packetID):
            try run(
                """
                INSERT OR IGNORE INTO mqtt_unreleased(packet_id, session)
                SELECT ?, id FROM mqtt_session WHERE principal = ? AND client = ?
                """, [packetID], key, db)
        case .completed(let key, let packetID):
            try run("DELETE FROM mqtt_unreleased WHERE packet_id = ? AND session = \(session)", [packetID], key, db)
        }
    }

    /// Executes a statement about a session.
    ///
    /// - Parameter arguments: the arguments before the session's principal and client.
    private static func run(
        _ sql: String, _ arguments: [(any DatabaseValueConvertible)?], _ key: MQTTSessionKey, _ db: Database
    ) throws {
        try db.execute(cached: sql, arguments: StatementArguments(arguments + [text(key.principal), key.clientID]))
    }

    private static func data(_ bytes: [UInt8]) -> Data? { bytes.isEmpty ? nil : Data(bytes) }

    /// Deletes the messages and sessions of devices and programs that were removed while no listener was running.
    package static func forgetRemoved(_ db: Database) throws {
        let present = """
            SELECT 'device:' || id FROM device WHERE removed_at IS NULL
            UNION ALL SELECT 'integration:' || id FROM integration
            """
        for (table, column) in [("mqtt_retained", "publisher"), ("mqtt_session", "principal")] {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE (\(column) LIKE 'device:%' OR \(column) LIKE 'integration:%')
                    AND \(column) NOT IN (\(present))
                    """)
        }
    }

    /// All stored messages and sessions, as the changes that produce them.
    package static func all(_ db: Database) throws -> [StoredChange] {
        var changes: [StoredChange] = []
        for row in try Row.fetchAll(db, sql: "SELECT * FROM mqtt_retained ORDER BY topic") {
            if let message = message(row) { changes.append(.retained(message, isRead: row["is_read"] ? true : nil)) }
        }
        for session in try Row.fetchAll(db, sql: "SELECT * FROM mqtt_session ORDER BY id") {
            guard let principal = principal(session["principal"]) else { continue }
            let key = MQTTSessionKey(principal: principal, clientID: session["client"])
            changes.append(.opened(key))
            if let seconds: UInt32 = session["expiry_seconds"] {
                changes.append(.expiry(key, seconds: seconds, departedAt: session["departed_at"]))
            }
            changes += try parts(of: key, id: session["id"], db)
            if let row = try Row.fetchOne(
                db, sql: "SELECT * FROM mqtt_will WHERE session = ?", arguments: [session["id"] as Int64]),
                let will = will(row)
            {
                changes.append(.will(key, will, dueAt: row["due_at"]))
            }
        }
        return changes
    }

    private static func parts(of key: MQTTSessionKey, id: Int64, _ db: Database) throws -> [StoredChange] {
        var changes: [StoredChange] = []
        for row in try Row.fetchAll(
            db, sql: "SELECT * FROM mqtt_subscription WHERE session = ? ORDER BY filter", arguments: [id])
        {
            guard var options = SubscriptionOptions(byte: row["options"]) else { continue }
            options.identifier = row["identifier"]
            changes.append(.subscribed(key, filter: row["filter"], options))
        }
        for row in try Row.fetchAll(
            db, sql: "SELECT * FROM mqtt_queue WHERE session = ? ORDER BY sequence", arguments: [id])
        {
            guard let message = message(row) else { continue }
            let sequence = UInt64(bitPattern: row["sequence"])
            let identifiers = (row["identifiers"] as String? ?? "").split(separator: " ").compactMap { UInt32($0) }
            let terms = DeliveryTerms(
                qualityOfService: QualityOfService(rawValue: row["delivery_qos"]) ?? .atLeastOnce,
                retain: row["retain"], identifiers: identifiers)
            changes.append(.queued(key, sequence: sequence, message, terms))
            if row["is_released"] { changes.append(.released(key, sequence: sequence)) }
        }
        for packetID in try UInt16.fetchAll(
            db, sql: "SELECT packet_id FROM mqtt_unreleased WHERE session = ? ORDER BY packet_id", arguments: [id])
        {
            changes.append(.received(key, packetID: packetID))
        }
        return changes
    }

    private static func message(_ row: Row) -> StoredMessage? {
        principal(row["publisher"]).map {
            StoredMessage(
                topic: row["topic"], payload: Array(row["payload"] as Data),
                qualityOfService: QualityOfService(rawValue: row["qos"]) ?? .atMostOnce, publisher: $0,
                properties: (row["properties"] as Data?).map { Array($0) } ?? [], expiresAt: row["expires_at"])
        }
    }

    private static func will(_ row: Row) -> Will? {
        guard let topic = try? TopicName(bytes: ByteBuffer(string: row["topic"]), limits: .conformance) else {
            return nil
        }
        return Will(
            topic: topic, payload: Array(row["payload"] as Data),
            qualityOfService: QualityOfService(rawValue: row["qos"]) ?? .atMostOnce, retain: row["retain"],
            delaySeconds: row["delay_seconds"],
            properties: PublishProperties(
                forwarded: ByteBuffer(bytes: row["properties"] as Data? ?? Data()), expirySeconds: row["expiry_seconds"]
            ))
    }

    private static func text(_ principal: Principal) -> String {
        switch principal {
        case .device(let id): "device:\(id)"
        case .integration(let id): "integration:\(id)"
        case .legacy(let connection): "legacy:\(connection)"
        case .open: "open"
        case .hub: "hub"
        }
    }

    private static func principal(_ text: String) -> Principal? {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        return switch (parts.first, parts.count) {
        case ("device", 2): .device(id: parts[1])
        case ("integration", 2): .integration(id: parts[1])
        case ("legacy", 2): UInt64(parts[1]).map { .legacy(connection: $0) }
        case ("open", 1): .open
        case ("hub", 1): .hub
        default: nil
        }
    }
}
