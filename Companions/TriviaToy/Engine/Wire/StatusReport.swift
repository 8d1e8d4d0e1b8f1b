import Wire

/// The status of a toy. It is sent at each connection, when something changes, and every five minutes.
public struct StatusReport: Equatable, Sendable {
    /// The parts that do not work.
    public struct Faults: OptionSet, Equatable, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The accelerometer does not answer, is another part, or failed its self-test.
        public static var accelerometer: Faults { Faults(rawValue: 1) }
        /// The speech module gives no prompt.
        public static var speech: Faults { Faults(rawValue: 2) }
        /// The fact store cannot be written.
        public static var store: Faults { Faults(rawValue: 4) }
        /// The Wi-Fi module had to be restarted.
        public static var radio: Faults { Faults(rawValue: 8) }
        /// The battery is low.
        public static var batteryLow: Faults { Faults(rawValue: 16) }
    }

    /// Bytes of the message.
    public static var size: Int { 24 }

    /// Seconds since the toy was switched on.
    public var uptime: UInt32 = 0
    /// The battery, millivolts.
    public var batteryMillivolts: UInt16 = 0
    /// The battery, per cent.
    public var batteryPercent: UInt8 = 0
    /// The parts that do not work.
    public var faults: Faults = []
    /// Facts that are stored.
    public var storedFacts: UInt16 = 0
    /// The number of stored facts that were never spoken.
    public var unheardFacts: UInt16 = 0
    /// The number of facts that the toy has room for and would like to have.
    public var wanted: UInt16 = 0
    /// The number of plays and votes that are not reported yet.
    public var unreported: UInt16 = 0
    /// The number of plays whose reports were lost because the hub was unreachable for too long.
    public var lostReports: UInt32 = 0
    /// The volume, decibels.
    public var volume: Int8 = 0
    /// The firmware, as a count of its releases.
    public var firmware: UInt16 = 1

    /// Creates a status in which nothing is known yet.
    public init() {}

    /// Appends the message.
    public func encode(into sink: inout some ByteSink) {
        sink.append(ToyTopic.version)
        sink.put(uptime)
        sink.put(batteryMillivolts)
        sink.append(batteryPercent)
        sink.append(faults.rawValue)
        sink.put(storedFacts)
        sink.put(unheardFacts)
        sink.put(wanted)
        sink.put(unreported)
        sink.put(lostReports)
        sink.append(UInt8(bitPattern: volume))
        sink.put(firmware)
    }

    /// Reads a message.
    public init(decoding bytes: Span<UInt8>) throws(MessageFault) {
        var reader = SpanReader()
        let version = reader.uint8(bytes)
        guard bytes.count == 0 || version == ToyTopic.version else { throw .unknownVersion(version) }
        uptime = reader.uint32(bytes)
        batteryMillivolts = reader.uint16(bytes)
        batteryPercent = reader.uint8(bytes)
        faults = Faults(rawValue: reader.uint8(bytes))
        storedFacts = reader.uint16(bytes)
        unheardFacts = reader.uint16(bytes)
        wanted = reader.uint16(bytes)
        unreported = reader.uint16(bytes)
        lostReports = reader.uint32(bytes)
        volume = Int8(bitPattern: reader.uint8(bytes))
        firmware = reader.uint16(bytes)
        guard !reader.isCutOff else { throw .cutOff(count: bytes.count) }
        guard reader.remaining(bytes) == 0 else { throw .trailingBytes(count: reader.remaining(bytes)) }
        guard batteryPercent <= 100 else { throw .outOfRange(.percent) }
        guard (-48...18).contains(volume) else { throw .outOfRange(.volume) }
    }
}

/// A message with the rules of the household and the time, for a toy.
public struct RulesMessage: Equatable, Sendable {
    /// Bytes of the message.
    public static var size: Int { 18 }

    /// The current time, in seconds since 1970.
    public var now: UInt32
    /// The household's offset from UTC, in minutes.
    public var utcOffset: Int16
    /// The rules.
    public var rules: HouseRules

    /// Creates a message.
    public init(now: UInt32, utcOffset: Int16, rules: HouseRules) {
        self.now = now
        self.utcOffset = utcOffset
        self.rules = rules
    }

    /// Appends the message.
    public func encode(into sink: inout some ByteSink) {
        sink.append(ToyTopic.version)
        sink.put(now)
        sink.put(utcOffset)
        rules.encode(into: &sink)
    }

    /// Reads a message.
    public init(decoding bytes: Span<UInt8>) throws(MessageFault) {
        var reader = SpanReader()
        let version = reader.uint8(bytes)
        guard bytes.count == 0 || version == ToyTopic.version else { throw .unknownVersion(version) }
        let now = reader.uint32(bytes)
        let offset = Int16(bitPattern: reader.uint16(bytes))
        guard bytes.count >= 7 else { throw .cutOff(count: bytes.count) }
        let rules = try HouseRules(decoding: bytes.extracting(7..<bytes.count))
        guard (-1_440...1_440).contains(offset) else { throw .outOfRange(.quietHours) }
        self.init(now: now, utcOffset: offset, rules: rules)
    }
}

extension HouseRules {
    /// The size of the rules, in bytes, in a message and in the toy's memory.
    public static var size: Int { 11 }

    /// Appends the rules.
    public func encode(into sink: inout some ByteSink) {
        sink.put(quietStart)
        sink.put(quietEnd)
        sink.put(dailyLimit)
        sink.append(UInt8(bitPattern: volumeCap))
        sink.put(wordsPerMinute)
        sink.append(voice)
        sink.append((speaksWithoutClock ? 1 : 0) | (usesOriginalThrowRule ? 2 : 0))
    }

    /// Reads rules, which must be valid.
    public init(decoding bytes: Span<UInt8>) throws(MessageFault) {
        self.init()
        var reader = SpanReader()
        quietStart = reader.uint16(bytes)
        quietEnd = reader.uint16(bytes)
        dailyLimit = reader.uint16(bytes)
        volumeCap = Int8(bitPattern: reader.uint8(bytes))
        wordsPerMinute = reader.uint16(bytes)
        voice = reader.uint8(bytes)
        let flags = reader.uint8(bytes)
        guard !reader.isCutOff else { throw .cutOff(count: bytes.count) }
        guard reader.remaining(bytes) == 0 else { throw .trailingBytes(count: reader.remaining(bytes)) }
        guard flags < 4 else { throw .outOfRange(.flags) }
        speaksWithoutClock = flags & 1 != 0
        usesOriginalThrowRule = flags & 2 != 0
        if let fault { throw fault }
    }
}
