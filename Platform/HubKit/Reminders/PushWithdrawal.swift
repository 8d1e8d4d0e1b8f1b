import GRDB

/// What waits to be sent to phones.
package enum PushWithdrawal {
    /// Takes back what still waits for phones, in a transaction of the caller's. What a push service has already stays.
    ///
    /// - Parameters:
    ///   - topic: that of the message.
    ///   - person: whom it is about.
    package static func withdraw(topic: String, about person: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM push_message WHERE person = ? AND topic = ?", arguments: [person, topic])
    }
}
