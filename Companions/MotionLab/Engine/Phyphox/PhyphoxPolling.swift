import Wire

/// The polling of one sensor of a phyphox experiment: the next request, and the samples of each answer.
///
/// phyphox answers one request at a time, and its buffers stay, so each request asks for what came after the last
/// sample.
public struct PhyphoxPolling: Sendable {
    /// The samples of an answer, and changes since the one before.
    public struct Batch: Sendable {
        /// The samples: seconds of the experiment and values in the lab's units.
        public var samples: [(seconds: Double, values: [Double])] = []
        /// Whether the experiment began anew, so that times do not go on.
        public var hasRestarted = false
        /// Whether the experiment is measuring.
        public var isMeasuring = false
        /// The number of samples in which a value was missing.
        public var incomplete = 0
    }

    /// The latest time of an experiment, seconds, and the earliest before its start: thirty years.
    public static let mostSeconds = 1e9

    /// The kind of the samples.
    public let kind: SensorKind
    private let time: [UInt8]
    private let axes: [[UInt8]]
    private var session: [UInt8]?
    private var last: Double?

    /// The polling of a sensor.
    ///
    /// - Returns: nil for a sensor that the lab does not use, or one whose times or axes the experiment has no buffers
    ///   for.
    public init?(_ input: PhyphoxConfiguration.Input) {
        guard let kind = input.kind, let time = input.buffer(of: "t") else { return nil }
        var axes: [[UInt8]] = []
        if kind.axisCount == 1 {
            guard let buffer = input.buffer(of: "x") else { return nil }
            axes = [buffer]
        } else {
            for component: StaticString in ["x", "y", "z"] {
                guard let buffer = input.buffer(of: component) else { return nil }
                axes.append(buffer)
            }
        }
        self.kind = kind
        self.time = time
        self.axes = axes
    }

    /// The buffers of the experiment that are requested: of the times, and of each axis.
    public var buffers: [[UInt8]] { [time] + axes }

    /// The path and query of the next request, ASCII: `/get?acc_time=12.5&accX=12.5|acc_time`. The first asks for all.
    public var path: [UInt8] {
        var writer = TextWriter()
        writer.write("/get?")
        for (place, buffer) in ([time] + axes).enumerated() {
            if place > 0 { writer.write("&") }
            writer.write(percentEncoded: buffer)
            writer.write("=")
            guard let last else {
                writer.write("full")
                continue
            }
            writer.write(decimal: last, places: 6)
            if place > 0 {
                writer.write("%7C")
                writer.write(percentEncoded: time)
            }
        }
        return writer.bytes
    }

    /// Takes an answer to ``path``.
    public mutating func handle(_ answer: PhyphoxValues) -> Batch {
        var batch = Batch()
        batch.isMeasuring = answer.isMeasuring
        if let session, session != answer.session {
            batch.hasRestarted = true
            last = nil
        }
        let wasNew = session == nil || batch.hasRestarted
        session = answer.session
        guard let times = answer.buffer(time)?.values else { return batch }
        // It was asked for what comes after a time of the run before: the next answer has all of this one.
        if batch.hasRestarted, answer.buffer(time)?.update != .full { return batch }
        let columns = axes.map { answer.buffer($0)?.values ?? [] }
        for (place, seconds) in times.enumerated() {
            // An axis may be a value ahead of another: what is not there yet comes with the next answer.
            guard let seconds, seconds.magnitude <= Self.mostSeconds else {
                batch.incomplete += 1
                continue
            }
            guard columns.allSatisfy({ $0.count > place }) else { continue }
            guard wasNew && last == nil || seconds > last ?? -.infinity else { continue }
            guard let values = SensorSource.phyphox.normalized(columns.map { $0[place] }, as: kind) else {
                batch.incomplete += 1
                last = seconds
                continue
            }
            batch.samples.append((seconds, values))
            last = seconds
        }
        return batch
    }
}

extension TextWriter {
    /// Appends bytes as a part of a query (RFC 3986, section 2.1): all but letters, digits, `-`, `.`, `_` and `~` as
    /// `%XX`.
    fileprivate mutating func write(percentEncoded bytes: [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                write(byte: byte)
            default:
                write("%")
                write(byte: hexDigit(byte >> 4))
                write(byte: hexDigit(byte & 0xF))
            }
        }
    }
}
