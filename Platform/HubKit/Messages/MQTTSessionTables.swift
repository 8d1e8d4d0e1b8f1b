import Foundation
import GRDB
import MQTT

/// Retained messages and persistent MQTT sessions at rest.
package enum MQTTSessionTables {
    static func apply(_ change: StoredChange, _ db: Database) throws {
        switch change {
        case .retained(let message):
            try db.execute(
                sql: "INSERT OR REPLACE INTO mqtt_retained VALUES (?, ?, ?, ?)",
                arguments: [
                    message.topic, Data(message.payload), message.qualityOfService.rawValue, text(message.publisher),
                ])
        case .unretained(let topic):
            try db.execute(sql: "DELETE FROM mqtt_retained WHERE topic = ?", arguments: [topic])
        case .opened(let key):
            try db.execute(
                sql: "INSERT OR IGNORE INTO mqtt_session(principal, client) VALUES (?, ?)",
                arguments: [text(key.principal), key.clientID])
        case .ended(let key):
            try db.execute(
                sql: "DELETE FROM mqtt_session WHERE principal = ? AND client = ?",
                arguments: [text(key.principal), key.clientID])
        case .subscribed(let key, let filter, let quality):
            try db.execute(
                sql:
                    "INSERT OR REPLACE INTO mqtt_subscription SELECT id, ?, ? FROM mqtt_session WHERE principal = ? AND client = ?",
                arguments: [filter, quality.rawValue, text(key.principal), key.clientID])
        case .unsubscribed(let key, let filter):
            try db.execute(
                sql:
                    "DELETE FROM mqtt_subscription WHERE filter = ? AND session = (SELECT id FROM mqtt_session WHERE principal = ? AND client = ?)",
                arguments: [filter, text(key.principal), key.clientID])
        case .queued(let key, let sequence, let message):
            try db.execute(
                sql:
                    "INSERT OR REPLACE INTO mqtt_queue SELECT id, ?, ?, ?, ?, ? FROM mqtt_session WHERE principal = ? AND client = ?",
                arguments: [
                    Int64(bitPattern: sequence), message.topic, Data(message.payload),
                    message.qualityOfService.rawValue,
                    text(message.publisher), text(key.principal), key.clientID,
                ])
        case .delivered(let key, let sequence):
            try db.execute(
                sql:
                    "DELETE FROM mqtt_queue WHERE sequence = ? AND session = (SELECT id FROM mqtt_session WHERE principal = ? AND client = ?)",
                arguments: [Int64(bitPattern: sequence), text(key.principal), key.clientID])
        }
    }

    /// Removes what devices and programs left that were removed while no listener stood, or by a hub that kept it.
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

    /// Everything as the changes that made it.
    package static func all(_ db: Database) throws -> [StoredChange] {
        var changes: [StoredChange] = []
        for row in try Row.fetchAll(db, sql: "SELECT topic, payload, qos, publisher FROM mqtt_retained ORDER BY topic")
        {
            if let message = message(row) { changes.append(.retained(message)) }
        }
        for session in try Row.fetchAll(db, sql: "SELECT id, principal, client FROM mqtt_session ORDER BY id") {
            guard let principal = principal(session["principal"]) else { continue }
            let key = MQTTSessionKey(principal: principal, clientID: session["client"])
            let id: Int64 = session["id"]
            changes.append(.opened(key))
            for row in try Row.fetchAll(
                db, sql: "SELECT filter, qos FROM mqtt_subscription WHERE session = ? ORDER BY filter", arguments: [id])
            {
                changes.append(
                    .subscribed(key, filter: row["filter"], QualityOfService(rawValue: row["qos"]) ?? .atMostOnce))
            }
            for row in try Row.fetchAll(
                db,
                sql:
                    "SELECT sequence, topic, payload, qos, publisher FROM mqtt_queue WHERE session = ? ORDER BY sequence",
                arguments: [id])
            {
                guard let message = message(row) else { continue }
                changes.append(.queued(key, sequence: UInt64(bitPattern: row["sequence"]), message))
            }
        }
        return changes
    }

    private static func message(_ row: Row) -> StoredMessage? {
        principal(row["publisher"]).map {
            StoredMessage(
                topic: row["topic"], payload: Array(row["payload"] as Data),
                qualityOfService: QualityOfService(rawValue: row["qos"]) ?? .atMostOnce, publisher: $0)
        }
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
