import GRDB
import NIOCore

/// A collector of the readings of one message, and of other work that the message causes.
public final class ReadingCollector {
    /// One reading of the message.
    package struct Entry {
        /// The name of the quantity.
        package var quantity: ByteBuffer
        /// The unit; nil for a quantity that the companion does not know.
        package var unit: StaticString?
        /// The measured value.
        package var value: Double
        /// The time of the measurement, in UTC milliseconds; nil for the time of receipt.
        package var at: Int64?
    }

    /// The readings so far.
    package var entries: [Entry] = []
    /// The functions to run in the transaction that stores the readings.
    package var work: [@Sendable (Database) throws -> Void] = []

    /// Creates an empty collector.
    package init() {}

    /// Adds a reading.
    ///
    /// - Parameters:
    ///   - quantity: the name of the quantity in lower-case ASCII, such as `moisture`; it may be a slice of the
    ///     message.
    ///   - unit: the unit; nil for a quantity that the companion does not know.
    ///   - value: the measured value.
    ///   - at: the time of the measurement, in UTC milliseconds; nil for the time of receipt.
    public func add(quantity: ByteBuffer, unit: StaticString?, value: Double, at: Int64?) {
        entries.append(Entry(quantity: quantity, unit: unit, value: value, at: at))
    }

    /// Adds work for data that is not a scalar reading, such as samples. It runs in the transaction that stores the
    /// readings, and the message is acknowledged after the commit. If the work throws, only its own changes are undone.
    ///
    /// - Parameter work: a function that writes to the database. It must be short, since there is only one writer for
    ///   all; what can be prepared is to be prepared before.
    public func perform(_ work: @escaping @Sendable (Database) throws -> Void) { self.work.append(work) }
}
