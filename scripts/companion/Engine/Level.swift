import Wire

/// The rules of @NAME@: a level in percent, as a device sends it, and what it means. The hub, the page and a device run this
/// same source.
public enum Level {
    /// The state of a level.
    public enum State: Int32, Sendable {
        /// The level is below ``lowest``.
        case low
        case fine
        /// The level is above ``highest``.
        case high
    }

    /// The reason why a message is not a level.
    public enum Failure: Int32, Error {
        /// The message is not a decimal number.
        case notANumber = 1
        /// The level is not from 0 to 100.
        case outOfRange
    }

    /// The level, in percent, below which it is low.
    public static let lowest = 20.0
    /// The level, in percent, above which it is high.
    public static let highest = 80.0

    /// Reads what a device sends: a bare decimal number, such as `41.5`.
    public static func read(_ payload: Span<UInt8>) throws(Failure) -> Double {
        guard let percent = decimal(payload) else { throw .notANumber }
        guard percent >= 0, percent <= 100 else { throw .outOfRange }
        return percent
    }

    /// The state of a level.
    ///
    /// - Parameter percent: 0 to 100.
    public static func state(_ percent: Double) -> State {
        percent < lowest ? .low : percent > highest ? .high : .fine
    }
}
