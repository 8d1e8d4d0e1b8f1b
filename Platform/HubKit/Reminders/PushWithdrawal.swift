import GRDB

/// The messages that wait to be sent to phones.
package enum PushWithdrawal {
    /// Deletes the messages of a topic about a person that are still waiting, in the caller's transaction. Those that a
    /// push service has already are still delivered.
    ///
    /// - Parameters:
    ///   - topic: the topic of the messages.
    ///   - person: the id of the person they are about.
    package static func withdraw(topic: String, about person: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM push_message WHERE person = ? AND topic = ?", arguments: [person, topic])
    }
}
