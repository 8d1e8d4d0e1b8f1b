import Wire

extension SensorLoggerMessage {
    /// Reads a message.
    ///
    /// - Throws: where it is none, or holds more than may be; what is wrong with a single reading is in ``skipped``.
    public static func decode(_ text: Span<UInt8>, limits: Limits = Limits()) throws(SensorLoggerError)
        -> SensorLoggerMessage
    {
        var message = SensorLoggerMessage()
        var reader = JSONReader(sizeLimit: limits.bytes)
        guard try token(&reader, text) == .objectStart else { throw .shape }
        var hasPayload = false
        while true {
            guard case .key(let range) = try token(&reader, text) else { break }
            let key = text.extracting(range)
            let value = try token(&reader, text)
            if matches(key, "payload") {
                // An empty test message has none, or null.
                if value == .null { continue }
                guard value == .arrayStart else { throw .shape }
                hasPayload = true
                try readings(&reader, text, limits, &message)
            } else if matches(key, "messageId") {
                if case .number(let range) = value {
                    message.messageId = EpochTime.wholePart(text.extracting(range))
                } else {
                    try skip(value, &reader, text)
                }
            } else if matches(key, "sessionId") {
                message.sessionId = try identifier(value, &reader, text, limits)
            } else if matches(key, "deviceId") {
                message.deviceId = try identifier(value, &reader, text, limits)
            } else {
                try skip(value, &reader, text)
            }
        }
        // Nothing but white space may stand behind it.
        guard try token(&reader, text) == .end else { throw .shape }
        guard hasPayload || message.messageId != nil || !message.sessionId.isEmpty || !message.deviceId.isEmpty else {
            throw .shape
        }
        return message
    }

    private static func readings(
        _ reader: inout JSONReader, _ text: Span<UInt8>, _ limits: Limits, _ message: inout SensorLoggerMessage
    ) throws(SensorLoggerError) {
        var count = 0
        while true {
            let element = try token(&reader, text)
            if element == .arrayEnd { return }
            count += 1
            guard count <= limits.readings else { throw .tooManyReadings(limits.readings) }
            guard element == .objectStart else {
                message.skipped.shapes += 1
                try skip(element, &reader, text)
                continue
            }
            try reading(&reader, text, limits, &message)
        }
    }

    /// One reading, whose members may stand in any order.
    private static func reading(
        _ reader: inout JSONReader, _ text: Span<UInt8>, _ limits: Limits, _ message: inout SensorLoggerMessage
    ) throws(SensorLoggerError) {
        var name: Range<Int>?
        var time: Range<Int>?
        var values: Range<Int>?
        while case .key(let range) = try token(&reader, text) {
            let key = text.extracting(range)
            let value = try token(&reader, text)
            let start = reader.offset - 1
            if matches(key, "name"), case .string(let range) = value {
                name = range
            } else if matches(key, "time") {
                switch value {
                case .number(let range), .string(let range): time = range
                default: try skip(value, &reader, text)
                }
            } else if matches(key, "values"), value == .objectStart {
                try skip(value, &reader, text)
                values = start..<reader.offset
            } else {
                try skip(value, &reader, text)
            }
        }
        guard let name, let values else {
            message.skipped.shapes += 1
            return
        }
        let isAnnotation = matches(text.extracting(name), "annotation")
        let sensor = SensorLoggerSensor(name: text.extracting(name))
        guard isAnnotation || sensor != nil else {
            message.skipped.unknownSensors += 1
            return
        }
        guard let time, let at = EpochTime.microseconds(fromNanoseconds: text.extracting(time)) else {
            message.skipped.times += 1
            return
        }
        if let sensor {
            guard let numbers = try numbers(of: sensor, text.extracting(values)) else {
                message.skipped.axes += 1
                return
            }
            message.readings.append(Reading(sensor: sensor, time: at, values: numbers))
        } else {
            message.annotations.append(Annotation(time: at, text: try note(text.extracting(values), limits)))
        }
    }

    /// The values of a sensor, in the order of its fields; nil where one is missing or is no number.
    private static func numbers(of sensor: SensorLoggerSensor, _ text: Span<UInt8>) throws(SensorLoggerError)
        -> [Double]?
    {
        let fields = sensor.fields
        var found = [Double?](repeating: nil, count: fields.count)
        var reader = JSONReader(sizeLimit: text.count)
        _ = try token(&reader, text)
        while case .key(let range) = try token(&reader, text) {
            let value = try token(&reader, text)
            var place = 0
            while place < fields.count, !matches(text.extracting(range), fields[place]) { place += 1 }
            switch value {
            case .number(let number), .string(let number):
                if place < fields.count { found[place] = decimal(text.extracting(number)) }
            default: try skip(value, &reader, text)
            }
        }
        var numbers: [Double] = []
        for (place, value) in found.enumerated() {
            guard let value else {
                if sensor == .barometer, place == 1 { break }
                return nil
            }
            numbers.append(value)
        }
        return numbers
    }

    private static func note(_ text: Span<UInt8>, _ limits: Limits) throws(SensorLoggerError) -> [UInt8] {
        var note: [UInt8] = []
        var reader = JSONReader(sizeLimit: text.count)
        _ = try token(&reader, text)
        while case .key(let range) = try token(&reader, text) {
            let value = try token(&reader, text)
            if matches(text.extracting(range), "text"), case .string(let range) = value {
                note = JSONReader.unescaped(range, in: text)
            } else {
                try skip(value, &reader, text)
            }
        }
        guard note.count > limits.textBytes else { return note }
        // Cut between two characters.
        var end = limits.textBytes
        while end > 0, note[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(note[..<end])
    }

    private static func identifier(
        _ value: JSONReader.Token, _ reader: inout JSONReader, _ text: Span<UInt8>, _ limits: Limits
    ) throws(SensorLoggerError) -> [UInt8] {
        guard case .string(let range) = value else {
            try skip(value, &reader, text)
            return []
        }
        guard range.count <= limits.textBytes else { throw .identifierTooLong }
        return JSONReader.unescaped(range, in: text)
    }

    private static func token(_ reader: inout JSONReader, _ text: Span<UInt8>) throws(SensorLoggerError)
        -> JSONReader.Token
    {
        do throws(JSONError) {
            return try reader.next(in: text)
        } catch {
            throw SensorLoggerError(error)
        }
    }

    private static func skip(
        _ token: JSONReader.Token, _ reader: inout JSONReader, _ text: Span<UInt8>
    ) throws(SensorLoggerError) {
        do throws(JSONError) {
            try reader.skipValue(after: token, in: text)
        } catch {
            throw SensorLoggerError(error)
        }
    }
}
