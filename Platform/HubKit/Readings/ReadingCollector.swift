import NIOCore

/// Takes the readings of one message.
public final class ReadingCollector {
    package struct Entry {
        package var quantity: ByteBuffer
        package var unit: StaticString?
        package var value: Double
        package var at: Int64?
    }

    package var entries: [Entry] = []

    package init() {}

    /// - Parameters:
    ///   - quantity: in lower-case ASCII, such as `moisture`; may be a slice of the message.
    ///   - unit: nil for a quantity that the companion does not know.
    ///   - at: UTC milliseconds, or nil for the time of receipt.
    public func add(quantity: ByteBuffer, unit: StaticString?, value: Double, at: Int64?) {
        entries.append(Entry(quantity: quantity, unit: unit, value: value, at: at))
    }
}
