import Wire

/// Why a message of Sensor Logger's is none that can be taken at all.
public enum SensorLoggerError: Error, Sendable, Equatable {
    /// It is no JSON, from so many bytes on.
    case json(offset: Int)
    /// It is longer than may be.
    case tooLarge
    /// It is JSON, and none of the app's messages.
    case shape
    /// It has more readings than so many.
    case tooManyReadings(Int)
    /// An identifier is longer than may be.
    case identifierTooLong
    /// Nothing of it can be used: the times are no nanoseconds since 1970.
    case times
    /// Nothing of it can be used: readings lack an axis.
    case axes
    /// Nothing of it can be used: readings have no name, no time or no values.
    case readings

    init(_ error: JSONError) {
        self = error.kind == .tooLarge ? .tooLarge : .json(offset: error.offset)
    }

    /// Its number, which the vectors name.
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
    /// What the app is to be answered with, instead of 200: why nothing of the message could be used. Nil where something
    /// could be, for what could be taken was, and a message that is refused is sent again; and where it holds nothing that
    /// the lab has a use for, which is nobody's mistake.
    public var failure: SensorLoggerError? {
        guard readings.isEmpty, annotations.isEmpty, skipped.faulty > 0 else { return nil }
        if skipped.times >= skipped.axes, skipped.times >= skipped.shapes { return .times }
        return skipped.axes >= skipped.shapes ? .axes : .readings
    }
}

/// Which messages of a session have come: the app sends again what it has no answer to, and MQTT may lose one.
public struct SensorLoggerLedger: Sendable, Equatable {
    /// So many messages before the newest are remembered.
    public static let window: Int64 = 1_024

    /// The newest; nil before the first.
    public private(set) var newest: Int64?
    /// Messages that came once more.
    public private(set) var repeated = 0
    /// Messages that came after a later one.
    public private(set) var reordered = 0

    private var oldest: Int64 = 0
    /// A bit for each of the last messages, by its number less that of a multiple of 64.
    private var seen = [UInt64](repeating: 0, count: Int(window) / 64)
    private var count: Int64 = 0

    public init() {}

    /// Takes the number of a message.
    ///
    /// - Returns: whether it is new; one that is too old to be known counts as come before, for its samples would be
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

    /// Messages between the first and the newest that have not come.
    public var missing: Int64 { newest.map { $0 - oldest + 1 - count } ?? 0 }

    private mutating func mark(_ id: Int64) {
        seen[Int(id % Self.window) / 64] |= 1 << UInt64(id % 64)
        count += 1
    }
}
