import Foundation
import GRDB
import Storage
import Wire

/// The content of sessions in the form of 0.1.0's first builds, with the number of events before them and a CRC-32 behind,
/// for the migrations that rewrite what is stored and for what waits on a phone.
public enum SealedContent {
    /// Rewrites the content of a companion's stored sessions, and leaves one that is damaged as it is.
    public static func rewrite<Definition: SessionDefinition>(_ definition: Definition, _ db: Database) throws {
        // In SQL alone: a migration meets the columns of its own day.
        let keys = try Row.fetchAll(
            db, cached: "SELECT household, id FROM session WHERE companion = ?", arguments: [Definition.companion])
        for key in keys {
            let place = [key["household"] as String, key["id"] as String]
            let row = try Row.fetchOne(
                db, cached: "SELECT content, digest FROM session WHERE household = ? AND id = ?",
                arguments: StatementArguments(place))
            guard let row,
                let content = Sessions.intact(row["content"], row["digest"]).flatMap(definition.content(ofSealed:))
            else { continue }
            try db.execute(
                sql: "UPDATE session SET content = ?, digest = ? WHERE household = ? AND id = ?",
                arguments: [Data(content), Sessions.digest(of: content)] + StatementArguments(place))
        }
    }

    /// The bytes before the CRC-32; nil if it is not theirs.
    public static func opened(_ sealed: [UInt8]) -> [UInt8]? {
        let body = Array(sealed.dropLast(4))
        var again = body
        Seal.close(&again)
        return again == sealed ? body : nil
    }

    /// The bytes without the CRC-32 and the number of events; nil if they are not in that form.
    ///
    /// - Parameter eventsIndex: the index at which the number stands.
    public static func opened<Failure>(_ sealed: [UInt8], eventsIndex: ([UInt8]) throws(Failure) -> Int) -> [UInt8]? {
        guard let body = opened(sealed), let index = try? eventsIndex(body), index + 2 <= body.count else { return nil }
        return Array(body[..<index]) + body[(index + 2)...]
    }
}
