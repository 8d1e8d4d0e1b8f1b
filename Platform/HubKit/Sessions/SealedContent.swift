import Foundation
import GRDB
import Storage
import Wire

/// The content of sessions as 0.1.0's first builds stored it, for the migrations that rewrite it: with the number of events
/// before them, and a CRC-32 behind.
public enum SealedContent {
    /// Rewrites the content of a companion's stored sessions.
    ///
    /// - Parameter change: the content in its new form; nil leaves a session as it is, such as a damaged one.
    public static func rewrite(of companion: String, _ db: Database, _ change: ([UInt8]) -> [UInt8]?) throws {
        let keys = try Row.fetchAll(
            db, sql: "SELECT household, id FROM session WHERE companion = ?", arguments: [companion])
        for key in keys {
            guard var record = try Sessions.find(key["id"], household: key["household"], db),
                let content = record.intactContent.flatMap(change)
            else { continue }
            record.content = Data(content)
            record.digest = Sessions.digest(of: content)
            try record.update(db)
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
