import Wire

/// A collector of the readings of a message.
public protocol MeasurementCollector {
    /// Collects one reading.
    ///
    /// - Parameters:
    ///   - quantity: the series' name, ASCII: one of ``Quantity`` or any other that ``Quantity/isName(_:)`` accepts.
    ///   - value: finite and plausible, in the quantity's unit.
    ///   - at: UTC milliseconds as the sensor gave them, or nil for the time of receipt.
    mutating func collect(quantity: Span<UInt8>, value: Double, at: Int64?)
}

/// The decoder of a modern sensor's messages to `tandem/<device-id>/<tail>`.
///
/// - `<quantity>`: a bare number, `41.5`, or `{"value": 41.5, "at": 1795220639132}`.
/// - `readings`: several at once, `{"moisture": 41.5, "temperature": 21.3, "at": 1795220639132}`.
///
/// `at` is optional, UTC milliseconds. Unknown members beside `value` are ignored; in `readings` every other member is
/// a quantity. `null` means "not measured this time" and gives no reading.
public enum SensorMessage {
    /// The longest payload, in bytes.
    public static let longestPayload = 4_096
    /// The most readings in one message.
    public static let mostReadings = 64
    /// The earliest credible `at`: 1 January 2020. A clock that was never set begins in 1970 or 2000.
    public static let earliest: Int64 = 1_577_836_800_000
    /// The first `at` that is not credible any more: 1 January 2100. A sensor that sends microseconds exceeds it.
    public static let end: Int64 = 4_102_444_800_000
    /// The time by which two clocks in one house may differ before one of them is wrong, in milliseconds: five minutes.
    public static let lead: Int64 = 300_000

    /// Decodes one message.
    ///
    /// A message that is not well-formed gives no reading. One with a bad value among good ones (a broken humidity
    /// sensor beside a healthy soil probe) gives the good ones to `collector` and then throws the error of the first
    /// bad one: collected readings stay. So do readings ahead of the hub's clock, with the sensor's own time: the hub's
    /// clock may be wrong, on a machine without a battery for it, and then the reading is right. A bare number costs no
    /// allocation.
    ///
    /// - Parameters:
    ///   - tail: the topic after `tandem/<device-id>/`.
    ///   - payload: the message's bytes.
    ///   - now: the hub's time, in UTC milliseconds; an `at` ahead of it is collected, and reported.
    ///   - collector: collects the readings.
    public static func decode<Collector: MeasurementCollector>(
        tail: Span<UInt8>, payload: Span<UInt8>, now: Int64, into collector: inout Collector
    ) throws(SensorMessageError) {
        guard payload.count <= longestPayload else { throw SensorMessageError(.payloadTooLong) }
        let range = trimmedRange(payload)
        guard !range.isEmpty else { throw SensorMessageError(.payloadEmpty) }
        let text = payload.extracting(range)
        if matches(tail, "readings") {
            guard text[0] == UInt8(ascii: "{") else { throw SensorMessageError(.notAnObject) }
            try decodeSeveral(text, now: now, into: &collector)
            return
        }
        guard Quantity.isName(tail) else { throw SensorMessageError(.badName, quantity: tail) }
        if text[0] == UInt8(ascii: "{") {
            try decodeOne(tail, text, now: now, into: &collector)
            return
        }
        guard let value = decimal(text) else {
            throw SensorMessageError(spellsNonNumber(text) ? .notFinite : .notANumber, quantity: tail)
        }
        try check(value, of: tail)
        collector.collect(quantity: tail, value: value, at: nil)
    }

    private static func decodeOne<Collector: MeasurementCollector>(
        _ quantity: Span<UInt8>, _ text: Span<UInt8>, now: Int64, into collector: inout Collector
    ) throws(SensorMessageError) {
        var value: Double?
        var seen = false
        var at: Int64?
        var reader = JSONReader(depthLimit: 8, sizeLimit: longestPayload)
        _ = try token(&reader, text)
        while case .key(let key) = try token(&reader, text) {
            let isValue = matches(text.extracting(key), "value")
            let member = try token(&reader, text)
            if isValue {
                seen = true
                switch member {
                case .number(let range):
                    guard let number = decimal(text.extracting(range)) else {
                        throw SensorMessageError(.notFinite, quantity: quantity)
                    }
                    value = number
                case .null: value = nil
                default: throw SensorMessageError(.notANumber, quantity: quantity)
                }
            } else if matches(text.extracting(key), "at") {
                at = try time(member, text)
            } else {
                try skip(member, &reader, text)
            }
        }
        _ = try token(&reader, text)
        guard seen else { throw SensorMessageError(.noValue, quantity: quantity) }
        guard let value else { return }
        try check(value, of: quantity)
        collector.collect(quantity: quantity, value: value, at: at)
        if let at { try checkClock(at, now: now) }
    }

    private static func decodeSeveral<Collector: MeasurementCollector>(
        _ text: Span<UInt8>, now: Int64, into collector: inout Collector
    ) throws(SensorMessageError) {
        // First the whole text, so that a torn message gives nothing, and for `at`, which may stand anywhere.
        var at: Int64?
        var members = 0
        var reader = JSONReader(depthLimit: 8, sizeLimit: longestPayload)
        _ = try token(&reader, text)
        while case .key(let key) = try token(&reader, text) {
            let member = try token(&reader, text)
            if matches(text.extracting(key), "at") {
                at = try time(member, text)
            } else {
                members += 1
                try skip(member, &reader, text)
            }
        }
        _ = try token(&reader, text)
        guard members > 0 else { throw SensorMessageError(.noReading) }
        guard members <= mostReadings else { throw SensorMessageError(.tooManyReadings) }

        var firstError: SensorMessageError?
        reader = JSONReader(depthLimit: 8, sizeLimit: longestPayload)
        _ = try token(&reader, text)
        while case .key(let key) = try token(&reader, text) {
            let member = try token(&reader, text)
            let name = text.extracting(key)
            if matches(name, "at") { continue }
            do throws(SensorMessageError) {
                try collect(name, member, text, at: at, into: &collector)
            } catch {
                if firstError == nil { firstError = error }
            }
            try skip(member, &reader, text)
        }
        if let firstError { throw firstError }
        if let at { try checkClock(at, now: now) }
    }

    private static func collect<Collector: MeasurementCollector>(
        _ name: Span<UInt8>, _ member: JSONReader.Token, _ text: Span<UInt8>, at: Int64?,
        into collector: inout Collector
    ) throws(SensorMessageError) {
        guard Quantity.isName(name) else { throw SensorMessageError(.badName, quantity: name) }
        switch member {
        case .null: return
        case .number(let range):
            guard let value = decimal(text.extracting(range)) else {
                throw SensorMessageError(.notFinite, quantity: name)
            }
            try check(value, of: name)
            collector.collect(quantity: name, value: value, at: at)
        default: throw SensorMessageError(.notANumber, quantity: name)
        }
    }

    private static func check(_ value: Double, of name: Span<UInt8>) throws(SensorMessageError) {
        let plausible = Quantity(name: name)?.plausible ?? Quantity.plausibleUnknown
        guard plausible.contains(value) else {
            throw SensorMessageError(.implausible, quantity: name, value: value)
        }
    }

    /// Checks that the sensor's clock and the hub's may both be right.
    private static func checkClock(_ at: Int64, now: Int64) throws(SensorMessageError) {
        // Saturating, so that a hub clock at the end of time does not trap.
        let (latest, overflowed) = now.addingReportingOverflow(lead)
        if !overflowed, at > latest { throw SensorMessageError(.timeAhead, value: Double(at)) }
    }

    private static func time(_ token: JSONReader.Token, _ text: Span<UInt8>) throws(SensorMessageError) -> Int64? {
        let range: Range<Int>
        switch token {
        case .number(let number): range = number
        case .null: return nil
        default: throw SensorMessageError(.timeNotANumber)
        }
        // Python's time.time() * 1000 has a fraction; it is dropped.
        guard let value = decimal(text.extracting(range)), value.magnitude < 9e15 else {
            throw SensorMessageError(.timeNotANumber)
        }
        let at = Int64(value)
        if at >= earliest / 1_000, at < 100_000_000_000 { throw SensorMessageError(.timeInSeconds, value: value) }
        if at < earliest { throw SensorMessageError(.timeTooEarly, value: value) }
        if at >= end { throw SensorMessageError(.timeTooLate, value: value) }
        return at
    }

    private static func token(
        _ reader: inout JSONReader, _ text: Span<UInt8>
    ) throws(SensorMessageError) -> JSONReader.Token {
        do throws(JSONError) {
            return try reader.next(in: text)
        } catch {
            throw unreadable(error, text)
        }
    }

    private static func skip(
        _ member: JSONReader.Token, _ reader: inout JSONReader, _ text: Span<UInt8>
    ) throws(SensorMessageError) {
        do throws(JSONError) {
            try reader.skipValue(after: member, in: text)
        } catch {
            throw unreadable(error, text)
        }
    }

    /// The error for text that is not JSON. Python's json.dumps writes `NaN` and `-Infinity`, which are not JSON; then
    /// the value is at fault, and not the text.
    private static func unreadable(_ error: JSONError, _ text: Span<UInt8>) -> SensorMessageError {
        let rest = text.extracting(min(error.offset, text.count)..<text.count)
        if hasPrefix(rest, "NaN") || hasPrefix(rest, "Infinity") || hasPrefix(rest, "-Infinity") {
            return SensorMessageError(.notFinite)
        }
        return SensorMessageError(.notJSON, value: Double(error.offset))
    }

    /// Whether a text is `nan`, `inf`, `-Infinity` or a number too large, as printf prints a division by zero.
    private static func spellsNonNumber(_ text: Span<UInt8>) -> Bool {
        let sign = text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") ? 1 : 0
        guard sign < text.count else { return false }
        let byte = text[sign]
        if byte &- UInt8(ascii: "0") < 10 {
            // Digits and an exponent, and still no Double: it is too large.
            for index in sign..<text.count {
                switch text[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
                    UInt8(ascii: "+"):
                    continue
                default: return false
                }
            }
            return text[text.count - 1] &- UInt8(ascii: "0") < 10
        }
        guard text.count - sign >= 3 else { return false }
        let first = byte | 0x20
        let second = text[sign + 1] | 0x20
        return first == UInt8(ascii: "n") && second == UInt8(ascii: "a")
            || first == UInt8(ascii: "i") && second == UInt8(ascii: "n")
    }
}
