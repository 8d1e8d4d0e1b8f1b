import Wire

/// The rules of @NAME@: a level in percent, as a device sends it, and what it means. The hub, the page and a device run this
/// same source.
public enum Level {
    /// What a level means.
    public enum State: Int32, Sendable {
        /// Below ``lowest``.
        case low
        case fine
        /// Above ``highest``.
        case high
    }

    /// Why a message is no level.
    public enum Failure: Int32, Error {
        /// It is no decimal number.
        case notANumber = 1
        /// It is not from 0 to 100.
        case outOfRange
    }

    /// Below it a level is low, percent.
    public static let lowest = 20.0
    /// Above it a level is high, percent.
    public static let highest = 80.0

    /// Reads what a device sends: a bare decimal number, such as `41.5`.
    public static func read(_ payload: Span<UInt8>) throws(Failure) -> Double {
        guard let percent = decimal(payload) else { throw .notANumber }
        guard percent >= 0, percent <= 100 else { throw .outOfRange }
        return percent
    }

    /// What a level means.
    ///
    /// - Parameter percent: 0 to 100.
    public static func state(_ percent: Double) -> State {
        percent < lowest ? .low : percent > highest ? .high : .fine
    }
}
