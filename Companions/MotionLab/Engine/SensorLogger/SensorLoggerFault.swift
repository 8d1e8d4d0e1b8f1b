import Wire

/// Why a message of Sensor Logger's is none that can be taken at all.
public enum SensorLoggerFault: Error, Sendable, Equatable {
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

    init(_ error: JSONError) {
        self = error.kind == .tooLarge ? .tooLarge : .json(offset: error.offset)
    }
}

/// What Sensor Logger is answered: 200, or 499 with a text, which the app shows to whoever is recording.
public struct SensorLoggerResponse: Sendable, Equatable {
    /// Of HTTP.
    public var status: Int
    /// What is wrong and what to do, UTF-8; empty where all is well.
    public var text: [UInt8]

    /// All is well.
    public static var accepted: SensorLoggerResponse { SensorLoggerResponse(status: 200, text: []) }

    /// A sentence for the person who records.
    public static func told(_ sentence: StaticString) -> SensorLoggerResponse {
        var writer = TextWriter()
        writer.write(sentence)
        return SensorLoggerResponse(status: 499, text: writer.bytes)
    }

    /// Nobody may send with that token.
    public static var unknownToken: SensorLoggerResponse {
        told(
            "Tandem does not know this phone. Copy the address with its token again, from the lab's page under “Use an app”."
        )
    }

    /// To a message that could not be read.
    public init(_ fault: SensorLoggerFault) {
        var writer = TextWriter()
        switch fault {
        case .json(let offset):
            writer.write("What arrived is not the app's JSON, from byte ", Int64(offset))
            writer.write(" on. Choose JSON under “Data Streaming”, and nothing else in front of Tandem.")
        case .tooLarge:
            writer.write("One message was too large. Choose a shorter batch period, such as one second.")
        case .shape:
            writer.write("This is JSON, but no message of Sensor Logger's: it has no list called “payload”.")
        case .tooManyReadings(let most):
            writer.write("One message had more than ", Int64(most))
            writer.write(" readings. Choose a shorter batch period, such as one second.")
        case .identifierTooLong:
            writer.write("The identifier of this recording is too long for Tandem. Start a new recording.")
        }
        self.init(status: 499, text: writer.bytes)
    }

    /// To a message that was read: 499 where something is wrong with all that the lab could have used, 200 otherwise,
    /// for what could be taken was, and a message that is refused is sent again.
    public init(to message: SensorLoggerMessage) {
        let skipped = message.skipped
        guard message.readings.isEmpty, message.annotations.isEmpty, skipped.faulty > 0 else {
            self = .accepted
            return
        }
        var writer = TextWriter()
        if skipped.times >= skipped.axes, skipped.times >= skipped.shapes {
            writer.write(
                "The times of all readings are wrong: they must be nanoseconds since 1970. Set this phone's clock.")
        } else if skipped.axes >= skipped.shapes {
            writer.write("Every reading lacks an axis, so nothing could be stored. Update Sensor Logger.")
        } else {
            writer.write("No reading has a name and values, so nothing could be stored. Update Sensor Logger.")
        }
        self.init(status: 499, text: writer.bytes)
    }

    init(status: Int, text: [UInt8]) {
        self.status = status
        self.text = text
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
