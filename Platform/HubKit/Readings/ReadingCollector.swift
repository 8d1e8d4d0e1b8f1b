import GRDB
import NIOCore

/// Takes the readings of one message, and what else it comes to.
public final class ReadingCollector {
    package struct Entry {
        package var quantity: ByteBuffer
        package var unit: StaticString?
        package var value: Double
        package var at: Int64?
    }

    package var entries: [Entry] = []
    package var work: [@Sendable (Database) throws -> Void] = []

    package init() {}

    /// - Parameters:
    ///   - quantity: in lower-case ASCII, such as `moisture`; may be a slice of the message.
    ///   - unit: nil for a quantity that the companion does not know.
    ///   - at: UTC milliseconds, or nil for the time of receipt.
    public func add(quantity: ByteBuffer, unit: StaticString?, value: Double, at: Int64?) {
        entries.append(Entry(quantity: quantity, unit: unit, value: value, at: at))
    }

    /// Stores what is no scalar reading, such as samples: `work` runs in the transaction that stores the message's readings,
    /// undone on its own where it throws, and the message is acknowledged after it.
    ///
    /// - Parameter work: bounded, for the writer is everybody's; what can be prepared is prepared before.
    public func perform(_ work: @escaping @Sendable (Database) throws -> Void) { self.work.append(work) }
}
