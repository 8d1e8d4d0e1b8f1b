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
/// - `sensor/<quantity>/state`: a bare number, as ESPHome publishes below its topic prefix.
///
/// Messages of foreign firmware and bridges are read as well, and nothing good in them is lost for something bad:
///
/// - Numbers: between quotes, after a byte order mark, before NULs (C's terminator, sent along), in white space.
/// - No value (``isNoValue(_:)``): gives no reading and is no error. So does how a device is (``isStateWord(_:)``, and any text
///   below a topic of ``isStateTopic(_:)``), an empty message among them.
/// - `at` is optional: UTC milliseconds, also seconds, micro- or nanoseconds, or ISO 8601 with its offset, as number or text
///   (``SensorTime``). Another one costs the time and not the reading, which is then of the time of receipt.
/// - Members that measure nothing: beside `value` all others; in `readings` text, `true`, lists and objects under a name that
///   is no known ``Quantity``, such as Zigbee2MQTT's `last_seen`.
/// - What is no JSON and is written for it, such as `NaN`, a comma too many, and the `°` of Latin 1 in a text (``LooseJSON``).
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
        let text = payload.extracting(contentRange(payload))
        guard !text.isEmpty else { return }
        let isObject = text[0] == UInt8(ascii: "{")
        if isStateTopic(tail), decimal(text) == nil || isAttributeTopic(tail) { return }
        if matches(tail, "readings") {
            guard isObject else {
                if isNoValue(text) || isStateWord(text) { return }
                throw SensorMessageError(.notAnObject)
            }
        } else {
            let name = tail.extracting(nameRange(tail))
            guard Quantity.isName(name) else { throw SensorMessageError(.badName, quantity: tail) }
            guard isObject else { return try decodeBare(name, text, into: &collector) }
        }
        do throws(SensorMessageError) {
            try decodeObject(tail, text, now: now, into: &collector)
        } catch {
            // A text that is not JSON has collected nothing yet.
            guard error.kind == .notJSON else { throw error }
            let mended = LooseJSON(text)
            do throws(SensorMessageError) {
                try decodeObject(tail, mended.text.span, now: now, into: &collector)
            } catch let second {
                // The place in the text is that of what came.
                throw second.kind == .notJSON ? error : second
            }
            if mended.hasInfinity { throw SensorMessageError(.notFinite) }
        }
    }

    private static func decodeObject<Collector: MeasurementCollector>(
        _ tail: Span<UInt8>, _ text: Span<UInt8>, now: Int64, into collector: inout Collector
    ) throws(SensorMessageError) {
        if matches(tail, "readings") {
            try decodeSeveral(text, now: now, into: &collector)
        } else {
            try decodeOne(tail.extracting(nameRange(tail)), text, now: now, into: &collector)
        }
    }

    private static func decodeBare<Collector: MeasurementCollector>(
        _ name: Span<UInt8>, _ text: Span<UInt8>, into collector: inout Collector
    ) throws(SensorMessageError) {
        guard let value = try number(text.extracting(unquotedRange(text)), of: name) else { return }
        collector.collect(quantity: name, value: value, at: nil)
    }

    private static func decodeOne<Collector: MeasurementCollector>(
        _ quantity: Span<UInt8>, _ text: Span<UInt8>, now: Int64, into collector: inout Collector
    ) throws(SensorMessageError) {
        var value: Double?
        var seen = false
        var at = SensorTime.none
        var reader = JSONReader(depthLimit: 8, sizeLimit: text.count)
        _ = try token(&reader, text)
        while case .key(let key) = try token(&reader, text) {
            let isValue = matches(text.extracting(key), "value")
            let member = try token(&reader, text)
            if isValue {
                seen = true
                switch member {
                case .number(let range), .string(let range):
                    value = try number(text.extracting(range), of: quantity)
                case .null: value = nil
                default: throw SensorMessageError(.notANumber, quantity: quantity)
                }
            } else if matches(text.extracting(key), "at") {
                at = SensorTime(member, text)
                try skip(member, &reader, text)
            } else {
                try skip(member, &reader, text)
            }
        }
        _ = try token(&reader, text)
        guard seen else { throw SensorMessageError(.noValue, quantity: quantity) }
        guard let value else { return }
        collector.collect(quantity: quantity, value: value, at: at.milliseconds)
        try at.check(now: now)
    }

    private static func decodeSeveral<Collector: MeasurementCollector>(
        _ text: Span<UInt8>, now: Int64, into collector: inout Collector
    ) throws(SensorMessageError) {
        // First the whole text, so that a torn message gives nothing, and for `at`, which may stand anywhere.
        var at = SensorTime.none
        var members = 0
        var reader = JSONReader(depthLimit: 8, sizeLimit: text.count)
        _ = try token(&reader, text)
        while case .key(let key) = try token(&reader, text) {
            let member = try token(&reader, text)
            if matches(text.extracting(key), "at") {
                at = SensorTime(member, text)
            } else if measures(text.extracting(key), member, text) {
                members += 1
            }
            try skip(member, &reader, text)
        }
        _ = try token(&reader, text)
        guard members > 0 else { throw SensorMessageError(.noReading) }
        guard members <= mostReadings else { throw SensorMessageError(.tooManyReadings) }

        var firstError: SensorMessageError?
        reader = JSONReader(depthLimit: 8, sizeLimit: text.count)
        _ = try token(&reader, text)
        while case .key(let key) = try token(&reader, text) {
            let member = try token(&reader, text)
            let name = text.extracting(key)
            if !matches(name, "at"), measures(name, member, text) {
                do throws(SensorMessageError) {
                    try collect(name, member, text, at: at.milliseconds, into: &collector)
                } catch {
                    if firstError == nil { firstError = error }
                }
            }
            try skip(member, &reader, text)
        }
        if let firstError { throw firstError }
        try at.check(now: now)
    }

    /// Whether a member of `readings` is there to be a reading, be it a bad one: all of a known quantity, and of others what is
    /// a number, or none this time.
    private static func measures(_ name: Span<UInt8>, _ member: JSONReader.Token, _ text: Span<UInt8>) -> Bool {
        switch member {
        case .number, .null: true
        case .string(let range):
            Quantity(name: name) != nil || decimal(text.extracting(range)) != nil || isNoValue(text.extracting(range))
        default: Quantity(name: name) != nil
        }
    }

    private static func collect<Collector: MeasurementCollector>(
        _ name: Span<UInt8>, _ member: JSONReader.Token, _ text: Span<UInt8>, at: Int64?,
        into collector: inout Collector
    ) throws(SensorMessageError) {
        guard Quantity.isName(name) else { throw SensorMessageError(.badName, quantity: name) }
        switch member {
        case .null: return
        case .number(let range), .string(let range):
            guard let value = try number(text.extracting(range), of: name) else { return }
            collector.collect(quantity: name, value: value, at: at)
        default: throw SensorMessageError(.notANumber, quantity: name)
        }
    }

    /// The plausible number that a text spells; nil for a word that says that there is none.
    private static func number(_ text: Span<UInt8>, of name: Span<UInt8>) throws(SensorMessageError) -> Double? {
        let text = text.extracting(contentRange(text))
        guard let value = decimal(text) else {
            if text.isEmpty || isNoValue(text) || isStateWord(text) { return nil }
            guard !spellsNonNumber(text) else { throw SensorMessageError(.notFinite, quantity: name) }
            throw SensorMessageError(.notANumber, quantity: name, text: text)
        }
        let plausible = Quantity(name: name)?.plausible ?? Quantity.plausibleUnknown
        guard plausible.contains(value) else {
            throw SensorMessageError(.implausible, quantity: name, value: value)
        }
        return value
    }

    private static func token(
        _ reader: inout JSONReader, _ text: Span<UInt8>
    ) throws(SensorMessageError) -> JSONReader.Token {
        do throws(JSONError) {
            return try reader.next(in: text)
        } catch {
            throw SensorMessageError(.notJSON, value: Double(error.offset))
        }
    }

    private static func skip(
        _ member: JSONReader.Token, _ reader: inout JSONReader, _ text: Span<UInt8>
    ) throws(SensorMessageError) {
        do throws(JSONError) {
            try reader.skipValue(after: member, in: text)
        } catch {
            throw SensorMessageError(.notJSON, value: Double(error.offset))
        }
    }
}
