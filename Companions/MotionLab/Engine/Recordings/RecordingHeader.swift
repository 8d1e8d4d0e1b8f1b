import Wire

/// The limits of a recording.
public struct RecordingLimits: Sendable, Equatable {
    /// The most bytes: two hours of nine axes at 200 Hz.
    public var bytes = 32 << 20
    /// The most samples, which bound the work of reading: a few bytes can say four thousand samples that are all the
    /// same.
    public var samples = 5_000_000
    /// The most streams.
    public var streams = 16
    /// The most bytes of an annotation.
    public var annotationBytes = 500
    /// The most bytes of the name of a recording, and of an experiment.
    public var nameBytes = 120

    /// The standard limits.
    public init() {}

    /// The limits of every build; stored recordings are within them.
    public static var standard: RecordingLimits { RecordingLimits() }
}

/// One stream of a recording: one sensor of the device.
public struct RecordedStream: Sendable, Equatable {
    /// The kind of its samples.
    public var kind: SensorKind
    /// The source of its values, before they were converted to the lab's units.
    public var source: SensorSource
    /// The rate that the device claims, thousandths of a Hz; 0 for none.
    public var claimedMillihertz: UInt32

    /// A stream of a sensor.
    public init(kind: SensorKind, source: SensorSource, claimedMillihertz: UInt32 = 0) {
        self.kind = kind
        self.source = source
        self.claimedMillihertz = claimedMillihertz
    }
}

/// The header of a recording.
public struct RecordingHeader: Sendable, Equatable {
    /// The identifier, 16 bytes, chosen by the device.
    public var id: [UInt8]
    /// The person that the recording belongs to, ASCII.
    public var person: [UInt8]
    /// The phone, as the hub names it; empty for a phone that it does not know.
    public var device: [UInt8]
    /// The experiment, as ``Experiment/slug`` has it; empty for none.
    public var experiment: [UInt8]
    /// The minutes east of Greenwich at the start.
    public var utcOffsetMinutes: Int16
    /// The start, UTC microseconds, by the device's clock.
    public var startedAt: Int64
    /// The streams.
    public var streams: [RecordedStream]

    /// A header with these fields.
    public init(
        id: [UInt8], person: [UInt8], device: [UInt8] = [], experiment: [UInt8] = [], utcOffsetMinutes: Int16,
        startedAt: Int64, streams: [RecordedStream]
    ) {
        self.id = id
        self.person = person
        self.device = device
        self.experiment = experiment
        self.utcOffsetMinutes = utcOffsetMinutes
        self.startedAt = startedAt
        self.streams = streams
    }

    /// The seal of a recording: "TML", version 1.
    public static let seal = Seal(mark: "TML", version: 1)

    /// The header as the first bytes of a recording. Numbers have their lowest byte first.
    ///
    ///     "TML", 1            the codec and its version 16 bytes            the recording's identifier u8, bytes
    ///     the person's identifier; then the device's, and the experiment's i16                 minutes east of
    ///     Greenwich i64                 UTC microseconds at the start u8, then each       the streams: u8 kind, u8
    ///     source, u32 thousandths of a Hz
    ///
    /// - Throws: where a field is too long, or a stream comes twice.
    public func encoded() throws(RecordingError) -> [UInt8] {
        try check()
        var bytes = Self.seal.begun(reserving: 64)
        bytes.append(contentsOf: id)
        bytes.append(counted: person)
        bytes.append(counted: device)
        bytes.append(counted: experiment)
        bytes.append(littleEndian: utcOffsetMinutes)
        bytes.append(littleEndian: startedAt)
        bytes.append(UInt8(clamping: streams.count))
        for stream in streams {
            bytes.append(stream.kind.rawValue)
            bytes.append(stream.source.rawValue)
            bytes.append(littleEndian: stream.claimedMillihertz)
        }
        return bytes
    }

    /// Reads the bytes of ``encoded()``, and leaves the reader at the first record.
    init(_ reader: inout LittleEndianReader) throws(RecordingError) {
        id = reader.take(16)
        person = reader.takeCounted()
        device = reader.takeCounted()
        experiment = reader.takeCounted()
        utcOffsetMinutes = reader.int16()
        startedAt = reader.int64()
        streams = []
        for _ in 0..<Int(reader.uint8()) {
            let (kind, source, claimed) = (reader.uint8(), reader.uint8(), reader.uint32())
            guard !reader.isCutOff else { throw .seal(.cutOff) }
            guard let kind = SensorKind(rawValue: kind), let source = SensorSource(rawValue: source) else {
                throw .streams
            }
            streams.append(RecordedStream(kind: kind, source: source, claimedMillihertz: claimed))
        }
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        try check()
    }

    private func check() throws(RecordingError) {
        let limits = RecordingLimits.standard
        guard id.count == 16 else { throw .identifier }
        guard !person.isEmpty, person.count <= 64, isASCIIWord(person), device.count <= 64, isASCIIWord(device) else {
            throw .owner
        }
        guard experiment.count <= limits.nameBytes, isASCIIWord(experiment) else { throw .text }
        guard utcOffsetMinutes.magnitude <= 24 * 60, startedAt >= 0, startedAt <= SampleBlock.latest else {
            throw .time
        }
        guard !streams.isEmpty, streams.count <= limits.streams else { throw .streams }
        for (place, stream) in streams.enumerated() {
            for other in streams[..<place] where other.kind == stream.kind { throw .streams }
        }
    }
}

/// The reason why bytes are not a recording.
public enum RecordingError: SealedCodecError, Equatable {
    case seal(SealError)
    /// The identifier is not of 16 bytes.
    case identifier
    /// The person or the device is invalid.
    case owner
    /// A time that is impossible, or samples whose times do not rise.
    case time
    /// The streams are missing, too many, one twice, of a kind that this build does not know, or one was not declared.
    case streams
    /// A text that is too long or is not UTF-8.
    case text
    /// Samples that cannot be read.
    case samples
    /// A record of a kind that this build does not know.
    case unknownRecord(UInt8)
    /// The bytes go on after the end.
    case afterEnd
    /// The recording has more bytes or samples than are allowed.
    case tooLong

    /// The number of the error.
    public var number: Int32 {
        switch self {
        case .seal(let failure): failure.number
        case .identifier: 6
        case .owner: 7
        case .time: 8
        case .streams: 9
        case .text: 10
        case .samples: 11
        case .unknownRecord: 12
        case .afterEnd: 13
        case .tooLong: 14
        }
    }
}
