import GRDB
import Storage

/// The messages that wait to be sent to phones, and by channels.
package enum PushWithdrawal {
    /// Deletes the messages of a topic about a person that are still waiting, in the caller's transaction. Those that a
    /// push service has already are still delivered.
    ///
    /// - Parameters:
    ///   - topic: the topic of the messages.
    ///   - person: the id of the person they are about.
    package static func withdraw(topic: String, about person: String, _ db: Database) throws {
        for table in ["push_message", "channel_message"] {
            try db.execute(
                cached: "DELETE FROM \(table) WHERE person = ? AND topic = ?", arguments: [person, topic])
        }
    }
}
