import Wire

/// The reason why a message of Sensor Logger's cannot be used at all.
public enum SensorLoggerError: Error, Sendable, Equatable {
    /// The message is not JSON, from this offset in bytes on.
    case json(offset: Int)
    /// The message is too long.
    case tooLarge
    /// The message is JSON, but not one of the app's.
    case shape
    /// The message has more readings than this limit.
    case tooManyReadings(Int)
    /// An identifier is too long.
    case identifierTooLong
    /// The times are not nanoseconds since 1970, so that nothing of the message can be used.
    case times
    /// The readings lack an axis, so that nothing of the message can be used.
    case axes
    /// The readings have no name, no time or no values, so that nothing of the message can be used.
    case readings

    init(_ error: JSONError) {
        self = error.kind == .tooLarge ? .tooLarge : .json(offset: error.offset)
    }

    /// The number of the error, which the test vectors name.
    package var number: Int64 {
        switch self {
        case .json: 1
        case .tooLarge: 2
        case .shape: 3
        case .tooManyReadings: 4
        case .identifierTooLong: 5
        case .times: 6
        case .axes: 7
        case .readings: 8
        }
    }
}

extension SensorLoggerMessage {
    /// The error that the app is answered with, instead of 200: the reason why nothing of the message could be used.
    /// Nil where something could be, for a message that is refused is sent again; and where it holds nothing that the
    /// lab uses, which is nobody's mistake.
    public var failure: SensorLoggerError? {
        guard readings.isEmpty, annotations.isEmpty, skipped.faulty > 0 else { return nil }
        if skipped.times >= skipped.axes, skipped.times >= skipped.shapes { return .times }
        return skipped.axes >= skipped.shapes ? .axes : .readings
    }
}

/// The ledger of a session's received messages: the app sends again what it has no answer to, and MQTT may lose one.
public struct SensorLoggerLedger: Sendable, Equatable {
    /// The number of messages before the newest that are remembered.
    public static let window: Int64 = 1_024

    /// The number of the newest message; nil before the first.
    public private(set) var newest: Int64?
    /// The number of messages that came more than once.
    public private(set) var repeated = 0
    /// The number of messages that came after a later one.
    public private(set) var reordered = 0

    private var oldest: Int64 = 0
    /// A bit for each of the last messages, by its number less that of a multiple of 64.
    private var seen = [UInt64](repeating: 0, count: Int(window) / 64)
    private var count: Int64 = 0

    /// A ledger without any messages.
    public init() {}

    /// Adds the number of a message.
    ///
    /// - Returns: whether it is new; one that is too old to be known counts as repeated, for its samples would be
    ///   known.
    public mutating func isNew(_ id: Int64) -> Bool {
        guard id >= 0, id < 1 << 53 else { return true }
        guard let newest else {
            newest = id
            oldest = id
            mark(id)
            return true
        }
        if id > newest {
            // What the window moves over is forgotten.
            for number in (newest + 1)...min(id, newest + Self.window) {
                seen[Int(number % Self.window) / 64] &= ~(1 << UInt64(number % 64))
            }
            if id - newest > Self.window { for word in seen.indices { seen[word] = 0 } }
            self.newest = id
            mark(id)
            return true
        }
        guard newest - id < Self.window, seen[Int(id % Self.window) / 64] >> UInt64(id % 64) & 1 == 0 else {
            repeated += 1
            return false
        }
        reordered += 1
        oldest = min(oldest, id)
        mark(id)
        return true
    }

    /// The number of messages between the first and the newest that have not come.
    public var missing: Int64 { newest.map { $0 - oldest + 1 - count } ?? 0 }

    private mutating func mark(_ id: Int64) {
        seen[Int(id % Self.window) / 64] |= 1 << UInt64(id % 64)
        count += 1
    }
}
