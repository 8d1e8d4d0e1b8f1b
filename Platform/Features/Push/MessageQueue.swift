import HubKit
import Logging

/// A queue of messages on their way out of the house, which ``PushService`` sends.
protocol MessageQueue: AnyObject, Sendable {
    /// A signal that the queue has grown.
    var wakes: AsyncStream<Void> { get }
    var clock: HubClock { get }
    var log: Logger { get }
    /// Has the service check the queue now.
    func wake()
    /// Sends all due messages, and drops expired ones.
    ///
    /// - Returns: the time of the next attempt, in UTC milliseconds; nil if nothing waits.
    func deliverDue() async throws -> Int64?
}

extension Push: MessageQueue {}
extension Channels: MessageQueue {}
