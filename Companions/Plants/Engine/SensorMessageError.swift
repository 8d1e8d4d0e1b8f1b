import Wire

/// The reason why a sensor's message gave no reading, or not all of them.
public struct SensorMessageError: Error, Equatable, Sendable {
    /// The kinds of errors.
    public enum Kind: UInt8, Sendable {
        /// The payload is longer than ``SensorMessage/longestPayload``.
        case payloadTooLong
        /// The payload begins like an object and is not JSON; `value` is the offset of the byte in question.
        case notJSON
        /// The payload of `readings` is not an object.
        case notAnObject
        /// An object without `value`.
        case noValue
        /// `readings` without a single member but `at`.
        case noReading
        /// More than ``SensorMessage/mostReadings``, of which so many were collected.
        case tooManyReadings
        /// A name that no series can have.
        case badName
        /// The value is not a number; `text` is what was sent.
        case notANumber
        /// NaN, an infinity, or a number too large.
        case notFinite
        /// The value is outside of ``Quantity/plausible``; `value` is what was sent.
        case implausible
        /// `at` is no time. As with the next two, the readings were collected with the time of receipt.
        case timeNotANumber
        /// `at` is before ``SensorMessage/earliest``: the sensor's clock was never set.
        case timeTooEarly
        /// `at` is ``SensorMessage/end`` or later.
        case timeTooLate
        /// `at` is ahead of the hub's clock by more than ``SensorMessage/lead``. The readings were collected
        /// nevertheless.
        case timeAhead
    }

    /// The kind of error.
    public let kind: Kind
    /// The quantity it is about, as sent and cut off at 32 bytes; empty if it is about the whole message.
    public let quantity: [UInt8]
    /// The number in question; zero if there is none.
    public let value: Double
    /// The text in question, cut off at 32 bytes; empty if there is none.
    public let text: [UInt8]

    /// Creates an error about a message, or about one quantity in it.
    public init(_ kind: Kind, quantity: Span<UInt8>, value: Double = 0) {
        self.kind = kind
        self.value = value
        self.quantity = Self.beginning(of: quantity)
        text = []
    }

    /// Creates an error about the text of one quantity.
    public init(_ kind: Kind, quantity: Span<UInt8>, text: Span<UInt8>) {
        self.kind = kind
        value = 0
        self.quantity = Self.beginning(of: quantity)
        self.text = Self.beginning(of: text)
    }

    private static func beginning(of text: Span<UInt8>) -> [UInt8] {
        var beginning: [UInt8] = []
        for index in 0..<min(text.count, 32) { beginning.append(text[index]) }
        return beginning
    }

    /// Whether it is about `at` alone: the readings were collected.
    public var isAboutTime: Bool {
        switch kind {
        case .timeNotANumber, .timeTooEarly, .timeTooLate, .timeAhead: true
        default: false
        }
    }

    /// Creates an error about a message as a whole.
    public init(_ kind: Kind, value: Double = 0) {
        self.kind = kind
        self.value = value
        quantity = []
        text = []
    }

    /// The error in words for the person who set the sensor up, with what to do about it: one English sentence, UTF-8.
    public func message() -> [UInt8] {
        var text = TextWriter()
        switch kind {
        case .payloadTooLong: text.write("The message is longer than 4096 bytes; send fewer readings at once.")
        case .notJSON:
            text.write("The message is not valid JSON at byte ")
            text.write(decimal: value, places: 0)
            text.write("; send a number, or an object such as {\"value\": 41.5}.")
        case .notAnObject:
            text.write("The topic \"readings\" takes an object such as {\"moisture\": 41.5, \"temperature\": 21.3}.")
        case .noValue: text.write("The object has no \"value\"; send {\"value\": 41.5} or a bare number.")
        case .noReading: text.write("The message holds no reading; send at least one, such as {\"moisture\": 41.5}.")
        case .tooManyReadings:
            text.write(
                "The message holds more than 64 readings, of which the first 64 are kept; send them in several messages."
            )
        case .badName:
            text.write("\"")
            Self.write(quantity, to: &text)
            text.write("\" is not a name for a quantity; use 1 to 32 of a-z, 0-9, _ and -.")
        case .notANumber:
            writeName(to: &text)
            if !self.text.isEmpty {
                text.write(" is \"")
                Self.write(self.text, to: &text)
                text.write("\", which")
            }
            text.write(" is not a number; send digits with a point, such as 41.5.")
        case .notFinite:
            writeName(to: &text)
            text.write(" is not a finite number; check the sensor's wiring and its calculation.")
        case .implausible: writeImplausible(to: &text)
        case .timeNotANumber:
            text.write(
                "\"at\" is not a time, so that of receipt is kept; send UTC milliseconds, or ISO 8601 with its offset.")
        case .timeTooEarly:
            text.write(
                "\"at\" lies before 2020, so the time of receipt is kept; set the sensor's clock, or leave \"at\" out.")
        case .timeTooLate: text.write("\"at\" lies after 2099, so the time of receipt is kept; send UTC milliseconds.")
        case .timeAhead:
            text.write("\"at\" lies ahead of the hub's clock. It is kept as it came; set the clock that is wrong.")
        }
        return text.bytes
    }

    private func writeImplausible(to text: inout TextWriter) {
        let known = Quantity(name: quantity.span)
        let range = known?.plausible ?? Quantity.plausibleUnknown
        writeName(to: &text)
        text.write(" of ")
        if !text.write(decimal: value, places: 3) { text.write("an enormous number") }
        text.write(" is not plausible; it should be ")
        text.write(decimal: range.lowerBound, places: 0)
        text.write(" to ")
        text.write(decimal: range.upperBound, places: 0)
        if let known, known != .capacitance {
            text.write(" ")
            text.write(known.unit)
        }
        text.write(".")
    }

    private func writeName(to text: inout TextWriter) {
        if quantity.isEmpty {
            text.write("A value")
            return
        }
        text.write("The value of \"")
        Self.write(quantity, to: &text)
        text.write("\"")
    }

    /// Writes what came from outside: letters and signs that are seen, others as `?`, such as NULs, halves of a letter and what
    /// turns a text's direction.
    private static func write(_ bytes: [UInt8], to text: inout TextWriter) {
        var place = 0
        while place < bytes.count {
            let (scalar, length) = decodedScalar(bytes.span, at: place)
            place += max(length, 1)
            switch scalar {
            case 0x22, 0..<0x20, 0x7F..<0xA0, 0x2000...0x200F, 0x2028...0x202F, 0x2060...0x206F, 0xFEFF, 0xFFFD:
                for _ in 0..<max(length, 1) { text.write(byte: UInt8(ascii: "?")) }
            default: text.write(scalar: scalar)
            }
        }
    }
}
