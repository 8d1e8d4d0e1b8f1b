import Wire

/// How much a recording may hold.
public struct RecordingLimits: Sendable, Equatable {
    /// Bytes of all of it: two hours of nine axes at 200 Hz.
    public var bytes = 32 << 20
    /// Samples of all of it, which the work of reading it goes by: a few bytes can say four thousand samples that are all the
    /// same.
    public var samples = 5_000_000
    /// Streams of one recording.
    public var streams = 16
    /// Bytes of an annotation.
    public var annotationBytes = 500
    /// Bytes of the name of a recording, and of an experiment.
    public var nameBytes = 120

    public init() {}

    /// Those of every build; what is stored was held to them.
    public static var standard: RecordingLimits { RecordingLimits() }
}

/// One stream of a recording: one sensor of the device.
public struct RecordedStream: Sendable, Equatable {
    /// What it measures.
    public var kind: SensorKind
    /// What its values were before they became the lab's.
    public var source: SensorSource
    /// What the device says of its rate, thousandths of a Hz; 0 for nothing.
    public var claimedMillihertz: UInt32

    public init(kind: SensorKind, source: SensorSource, claimedMillihertz: UInt32 = 0) {
        self.kind = kind
        self.source = source
        self.claimedMillihertz = claimedMillihertz
    }
}

/// What a recording begins with.
public struct RecordingHeader: Sendable, Equatable {
    /// Chosen by the device, 16 bytes.
    public var id: [UInt8]
    /// Whose it is, ASCII.
    public var person: [UInt8]
    /// The phone, as the hub names it; empty for one that it does not know.
    public var device: [UInt8]
    /// The experiment, as ``Experiment/slug`` has it; empty for none.
    public var experiment: [UInt8]
    /// Minutes east of Greenwich at the start.
    public var utcOffsetMinutes: Int16
    /// UTC microseconds, by the device's clock.
    public var startedAt: Int64
    public var streams: [RecordedStream]

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

    /// What it is sealed with: "TML", version 1.
    public static let seal = Seal(mark: "TML", version: 1)

    /// As the first bytes of a recording. Numbers have their lowest byte first.
    ///
    ///     "TML", 1            the codec and its version
    ///     16 bytes            the recording's identifier
    ///     u8, bytes           the person's identifier; then the device's, and the experiment's
    ///     i16                 minutes east of Greenwich
    ///     i64                 UTC microseconds at the start
    ///     u8, then each       the streams: u8 kind, u8 source, u32 thousandths of a Hz
    ///
    /// - Throws: where a field is longer than may be, or a stream comes twice.
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

    /// Reads what ``encoded()`` wrote, and leaves the reader at the first record.
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

/// Why bytes are no recording.
public enum RecordingError: SealedCodecError, Equatable {
    case seal(SealError)
    /// The identifier has not 16 bytes.
    case identifier
    /// The person or the device is none that there can be.
    case owner
    /// A time that cannot be, or samples whose times do not rise.
    case time
    /// No streams, too many, one twice, of a kind that this build does not know, or one that was not declared.
    case streams
    /// A text that is too long or is not UTF-8.
    case text
    /// Samples that cannot be read.
    case samples
    /// A record of a kind that this build does not know.
    case unknownRecord(UInt8)
    /// There is something after the end.
    case afterEnd
    /// More bytes or samples than a recording may have.
    case tooLong

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
