import GRDB
import NIOCore

/// The transactions that store what MQTT clients send. It is used on the event loop of the MQTT listener only.
public protocol MessageTransactions: AnyObject {
    /// Runs `work` in the next transaction. If it throws, only its own changes are undone, unless the disk is the reason:
    /// then the whole transaction fails, and nothing of it is acknowledged.
    ///
    /// - Returns: a future that is fulfilled once the transaction is durable.
    @discardableResult
    func perform<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) -> EventLoopFuture<Value>
}
