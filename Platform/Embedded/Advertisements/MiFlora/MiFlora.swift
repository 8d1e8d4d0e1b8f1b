import Wire

/// The plant sensor Flower Care as it is read over a connection (GATT): where to read and write, and what the answers say.
///
/// Xiaomi publishes none of it; sources are the descriptions of WatchFlower (docs/flowercare-ble-api.md) and of
/// vrachieru/xiaomi-flower-care-api.
public enum MiFlora {
    /// A characteristic of the sensor.
    public enum Characteristic: UInt16, CaseIterable, Sendable {
        /// The command of the data service 0x1204, handle 0x33.
        case command = 0x1A00
        /// The present values, handle 0x35.
        case realTime = 0x1A01
        /// The battery and the firmware's version, handle 0x38.
        case device = 0x1A02
        /// The command of the history service 0x1206, handle 0x3E.
        case historyCommand = 0x1A10
        /// The history's length or an entry of it, handle 0x3C.
        case history = 0x1A11
        /// The sensor's time, handle 0x41.
        case time = 0x1A12

        /// The characteristic's UUID as it is written out, ASCII in lower case.
        public var uuid: [UInt8] {
            var text = TextWriter()
            text.write("0000")
            for place in 0..<4 { text.write(byte: hexDigit(UInt8(rawValue >> (12 - 4 * UInt16(place)) & 0xF))) }
            text.write("-0000-1000-8000-00805f9b34fb")
            return text.bytes
        }
    }

    /// The command, to ``Characteristic/command``, after which ``Characteristic/realTime`` has the present values.
    public static let realTimeCommand: [UInt8] = [0xA0, 0x1F]
    /// The command, to ``Characteristic/command``, that lights the sensor once, to find it.
    public static let blinkCommand: [UInt8] = [0xFD, 0xFF]
    /// The command, to ``Characteristic/historyCommand``, after which ``Characteristic/history`` has the history's length.
    public static let historyLengthCommand: [UInt8] = [0xA0, 0x00, 0x00]
    /// The command, to ``Characteristic/historyCommand``, that removes all entries.
    public static let historyClearCommand: [UInt8] = [0xA2, 0x00, 0x00]

    /// The command, to ``Characteristic/historyCommand``, after which ``Characteristic/history`` has an entry.
    public static func historyEntryCommand(_ index: UInt16) -> [UInt8] {
        [0xA1, UInt8(truncatingIfNeeded: index), UInt8(truncatingIfNeeded: index >> 8)]
    }
}

/// The reason why an answer of a plant sensor is not what it should be.
public enum MiFloraError: Error, Equatable, Sendable {
    /// The answer has another number of bytes.
    case length(Int)
    /// The sensor has no values yet: it answers a pattern until the command was written.
    case noValues
    /// The answer says what no sensor measures.
    case implausible
}

/// The battery and firmware of a plant sensor.
public struct MiFloraDevice: Equatable, Sendable {
    /// The charge of the battery, percent.
    public let battery: UInt8
    /// The version of the firmware such as `3.1.9`, ASCII.
    public let firmware: [UInt8]

    /// Decodes an answer of ``MiFlora/Characteristic/device``: the battery, a byte without meaning, the version.
    public init(answer: [UInt8]) throws(MiFloraError) {
        guard (3...20).contains(answer.count) else { throw .length(answer.count) }
        guard answer[0] <= 100 else { throw .implausible }
        for letter in answer[2...] where letter != UInt8(ascii: ".") {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter) else { throw .implausible }
        }
        battery = answer[0]
        firmware = Array(answer[2...])
    }
}

/// The values that a plant sensor has now, or had once.
public struct MiFloraValues: Equatable, Sendable {
    /// Temperature, illuminance, moisture and conductivity.
    public let measurements: [SensorMeasurement]

    /// Decodes an answer of ``MiFlora/Characteristic/realTime``: temperature in tenths, a byte without meaning, illuminance
    /// in four bytes, moisture, conductivity; the least significant byte first.
    public init(answer: [UInt8]) throws(MiFloraError) {
        guard answer.count >= 10 else { throw .length(answer.count) }
        guard !answer.starts(with: MiFloraValues.pattern) else { throw .noValues }
        try self.init(answer[...])
    }

    /// The answer before there are values: AA BB CC DD EE FF 99 88 77 66, and noughts.
    static let pattern: [UInt8] = [0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF, 0x99, 0x88, 0x77, 0x66]

    /// Decodes ten bytes.
    init(_ bytes: ArraySlice<UInt8>) throws(MiFloraError) {
        var reader = LittleEndianReader(bytes)
        let temperature = reader.int16()
        _ = reader.uint8()
        let illuminance = reader.uint32()
        let moisture = reader.uint8()
        let conductivity = reader.uint16()
        var measurements: [SensorMeasurement] = []
        measurements.append(.temperature, thousandths: Int64(temperature) * 100)
        measurements.append(.illuminance, thousandths: Int64(illuminance) * 1_000)
        measurements.append(.moisture, thousandths: Int64(moisture) * 1_000)
        measurements.append(.conductivity, thousandths: Int64(conductivity) * 1_000)
        guard !reader.isCutOff, measurements.count == 4 else { throw .implausible }
        self.measurements = measurements
    }
}

/// An entry of a plant sensor's history: what it measured at a full hour of its own time.
public struct MiFloraEntry: Equatable, Sendable {
    /// The moment in seconds since the sensor began.
    public let seconds: UInt32
    /// The values.
    public let values: MiFloraValues

    /// Decodes an answer of ``MiFlora/Characteristic/history`` to the command for an entry: four bytes of seconds, and the
    /// values as ``MiFloraValues`` has them.
    ///
    /// - Throws: ``MiFloraError/noValues`` for a place of the memory without an entry, all bits of which are alike.
    public init(answer: [UInt8]) throws(MiFloraError) {
        guard answer.count >= 14 else { throw .length(answer.count) }
        guard let first = answer.first, first == 0 || first == 0xFF else {
            try self.init(written: answer)
            return
        }
        var isEmpty = true
        for byte in answer where byte != first { isEmpty = false }
        guard !isEmpty else { throw .noValues }
        try self.init(written: answer)
    }

    private init(written answer: [UInt8]) throws(MiFloraError) {
        guard !answer.starts(with: MiFloraValues.pattern) else { throw .noValues }
        seconds = UInt32(truncatingIfNeeded: littleEndian(answer[0..<4]))
        values = try MiFloraValues(answer[4...])
    }
}
