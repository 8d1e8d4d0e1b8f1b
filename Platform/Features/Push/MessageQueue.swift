import GRDB
import HubKit
import Logging
import Storage

/// A queue of messages on their way out of the house, which ``PushService`` sends.
protocol MessageQueue<Message>: AnyObject, Sendable {
    associatedtype Message: QueuedMessage

    var database: HubDatabase { get }
    /// A signal that the queue has grown.
    var wakes: AsyncStream<Void> { get }
    var clock: HubClock { get }
    var log: Logger { get }
    /// Has the service check the queue now.
    func wake()
    /// Attempts to send a message, and stores the outcome.
    func deliver(_ message: Message) async throws
}

extension Push: MessageQueue {}
extension Channels: MessageQueue {}

extension MessageQueue {
    /// The number of messages that are sent at once.
    private static var batch: Int { 8 }

    /// Sends all due messages, and drops expired ones.
    ///
    /// - Returns: the time of the next attempt, in UTC milliseconds; nil if nothing waits.
    func deliverDue() async throws -> Int64? {
        while true {
            let now = clock.now()
            let (due, expired) = try await database.pool.write { db in
                try Message.takeDue(atMost: Self.batch, now: now, db)
            }
            if expired > 0 { log.warning("messages were not delivered in time", metadata: ["count": "\(expired)"]) }
            if due.isEmpty { break }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for message in due { group.addTask { try await self.deliver(message) } }
                try await group.waitForAll()
            }
        }
        return try await database.pool.read { db in try Message.nextAt(db) }
    }
}
