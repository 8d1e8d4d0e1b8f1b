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
///   below a topic of ``isStateTopic(_:)``), an empty message among them. An object below such a topic gives the numbers of each
///   known ``Quantity`` in it and of `value`, and is else no error.
/// - `at` is optional: UTC milliseconds, also seconds, micro- or nanoseconds, or ISO 8601 with its offset, as number or text
///   (``SensorTime``). Another one costs the time and not the reading, which is then of the time of receipt.
/// - Members that measure nothing: beside `value` all others; in `readings` text, `true`, lists and objects under a name that
///   is no known ``Quantity``, and times (``isTime(_:_:)``), such as Zigbee2MQTT's `last_seen`.
/// - What is no JSON and is written for it, such as `NaN`, a comma too many, and the `°` of Latin 1 in a text, several objects,
///   and what is behind them (``LooseJSON``). A member that cannot be read costs itself, and is reported.
/// - More than ``mostReadings``: the first ones are kept.
public enum SensorMessage {
    /// The longest payload, in bytes.
    public static let longestPayload = 4_096
    /// The most readings in one message.
    public static let mostReadings = 64
    /// The most levels of an object that are read without ``LooseJSON``, which looks into none.
    private static let deepest = 8
    /// The earliest credible `at`: 1 January 2020. A clock that was never set begins in 1970 or 2000.
    public static let earliest: Int64 = 1_577_836_800_000
    /// The first `at` that is not credible any more: 1 January 2100. A sensor that sends microseconds exceeds it.
    public static let end: Int64 = 4_102_444_800_000
    /// The time by which two clocks in one house may differ before one of them is wrong, in milliseconds: five minutes.
    public static let lead: Int64 = 300_000

    /// Decodes one message.
    ///
    /// A message that was cut off gives no reading of the object that it ends in. One with a bad value among good ones (a broken humidity
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
        let isState = isStateTopic(tail) && (isObject || decimal(text) == nil) || isAttributeTopic(tail)
        if isState, !isObject || isAttributeTopic(tail) { return }
        if matches(tail, "readings") {
            guard isObject else {
                if isNoValue(text) || isStateWord(text) { return }
                throw SensorMessageError(.notAnObject)
            }
        } else if !isState {
            let name = tail.extracting(nameRange(tail))
            guard Quantity.isName(name) else { throw SensorMessageError(.badName, quantity: tail) }
            guard isObject else { return try decodeBare(name, text, into: &collector) }
        }
        var room = mostReadings
        do throws(SensorMessageError) {
            try decodeObject(tail, text, isState: isState, now: now, room: &room, into: &collector)
        } catch {
            // A text that is not JSON has collected nothing yet.
            guard error.kind == .notJSON else { throw error }
            try decodeLoose(tail, text, isState: isState, now: now, isNot: error, into: &collector)
        }
    }

    /// Decodes what there is of objects in a text that is no JSON.
    ///
    /// - Parameter error: says where it is none.
    private static func decodeLoose<Collector: MeasurementCollector>(
        _ tail: Span<UInt8>, _ text: Span<UInt8>, isState: Bool, now: Int64, isNot error: SensorMessageError,
        into collector: inout Collector
    ) throws(SensorMessageError) {
        let mended = LooseJSON(text)
        var firstError: SensorMessageError?
        var room = mostReadings
        // Each by itself: the time of one is not that of the other.
        for place in mended.objects {
            do throws(SensorMessageError) {
                try decodeObject(
                    tail, mended.text.span.extracting(place), isState: isState, now: now, room: &room, into: &collector)
            } catch let next {
                // A clock that is wrong is told once, and must not hide what is lost.
                if firstError.map({ $0.isAboutTime && !next.isAboutTime }) ?? true { firstError = next }
            }
        }
        if let firstError, firstError.kind != .notJSON, !firstError.isAboutTime { throw firstError }
        if isState { return }
        if mended.hasInfinity { throw SensorMessageError(.notFinite) }
        if mended.objects.isEmpty || mended.isCutOff || firstError?.kind == .notJSON { throw error }
        if let unread = mended.unread { throw SensorMessageError(.notJSON, value: Double(unread)) }
        if let firstError { throw firstError }
    }

    private static func decodeObject<Collector: MeasurementCollector>(
        _ tail: Span<UInt8>, _ text: Span<UInt8>, isState: Bool, now: Int64, room: inout Int,
        into collector: inout Collector
    ) throws(SensorMessageError) {
        let name = tail.extracting(nameRange(tail))
        if isState {
            var firstError: SensorMessageError?
            do throws(SensorMessageError) {
                try decodeSeveral(text, isState: true, now: now, room: &room, into: &collector)
            } catch {
                if error.kind == .notJSON { throw error }
                firstError = error
            }
            if Quantity.isName(name), room > 0, holdsValue(text) {
                room -= 1
                try decodeOne(name, text, now: now, into: &collector)
            }
            if let firstError { throw firstError }
        } else if matches(tail, "readings") {
            try decodeSeveral(text, isState: false, now: now, room: &room, into: &collector)
        } else {
            guard room > 0 else { throw SensorMessageError(.tooManyReadings) }
            room -= 1
            try decodeOne(name, text, now: now, into: &collector)
        }
    }

    /// Whether a well-formed object has a number as its `value`.
    private static func holdsValue(_ text: Span<UInt8>) -> Bool {
        var reader = JSONReader(depthLimit: deepest, sizeLimit: text.count)
        do throws(JSONError) {
            _ = try reader.next(in: text)
            while case .key(let key) = try reader.next(in: text) {
                let member = try reader.next(in: text)
                if matches(text.extracting(key), "value") {
                    switch member {
                    case .number: return true
                    case .string(let range): return decimal(text.extracting(range)) != nil
                    default: return false
                    }
                }
                try reader.skipValue(after: member, in: text)
            }
        } catch {
            return false
        }
        return false
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
        var reader = JSONReader(depthLimit: deepest, sizeLimit: text.count)
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
        _ text: Span<UInt8>, isState: Bool, now: Int64, room: inout Int, into collector: inout Collector
    ) throws(SensorMessageError) {
        // First the whole text, so that a torn message gives nothing, and for `at`, which may stand anywhere.
        var at = SensorTime.none
        var members = 0
        var reader = JSONReader(depthLimit: deepest, sizeLimit: text.count)
        _ = try token(&reader, text)
        while case .key(let key) = try token(&reader, text) {
            let member = try token(&reader, text)
            if matches(text.extracting(key), "at") {
                at = SensorTime(member, text)
            } else if measures(text.extracting(key), member, text, isState: isState) {
                members += 1
            }
            try skip(member, &reader, text)
        }
        _ = try token(&reader, text)
        guard members > 0 else {
            if isState { return }
            throw SensorMessageError(.noReading)
        }

        var firstError: SensorMessageError?
        reader = JSONReader(depthLimit: deepest, sizeLimit: text.count)
        _ = try token(&reader, text)
        while case .key(let key) = try token(&reader, text) {
            let member = try token(&reader, text)
            let name = text.extracting(key)
            if !matches(name, "at"), measures(name, member, text, isState: isState) {
                do throws(SensorMessageError) {
                    guard room > 0 else { throw SensorMessageError(.tooManyReadings) }
                    room -= 1
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
    /// a number and no time, or none this time. In a message of state it is the number of a known quantity alone: `light` may be
    /// `on` there.
    private static func measures(
        _ name: Span<UInt8>, _ member: JSONReader.Token, _ text: Span<UInt8>, isState: Bool
    ) -> Bool {
        let isKnown = Quantity(name: name) != nil
        switch member {
        case .number(let range):
            if isKnown || isState { return isKnown }
            return !isTime(name, decimal(text.extracting(range)) ?? 0)
        case .string(let range):
            let content = text.extracting(range)
            if isState { return isKnown && decimal(content) != nil }
            if let number = decimal(content) { return !isTime(name, number) }
            return isKnown || isNoValue(content)
        case .null: return !isState
        default: return isKnown && !isState
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
        if isTime(name, value) { return nil }
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
