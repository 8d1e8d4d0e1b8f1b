import Wire

/// A sensor on a page: its latest sample, its rate, and whether it goes on.
public struct LiveSensor: Sendable {
    /// The kind of its samples.
    public let kind: SensorKind
    /// The latest sample, in the lab's units; empty before the first.
    public private(set) var latest: [Double] = []
    /// The time of the latest sample, microseconds.
    public private(set) var time: Int64 = 0
    /// The last samples.
    public private(set) var history: SampleHistory
    /// The number of samples with an axis missing or a value that is not a number.
    public private(set) var refused = 0
    /// The number of samples that were ignored, as more come than are wanted.
    public private(set) var passedOver = 0
    /// The samples a second that are wanted; 0 for all that the device gives.
    public var wantedHertz = 0.0

    private var watch = StreamWatch()
    /// The time at which the next sample is wanted, microseconds.
    private var due: Double?

    /// A sensor without any samples.
    public init(kind: SensorKind) {
        self.kind = kind
        history = SampleHistory(axisCount: kind.axisCount)
    }

    /// The outcome of adding a sample.
    public enum Outcome: UInt8, Sendable {
        /// An axis is missing, a value is not a number, or the time is not later than the one before.
        case refused = 0
        case taken = 1
        /// The sample was ignored: more come than are wanted.
        case passedOver = 2
    }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - values: as the source has them; nil for an axis that the device did not send.
    ///   - time: UTC microseconds.
    public mutating func take(_ values: [Double?], from source: SensorSource, at time: Int64) -> Outcome {
        guard time >= 0, let sample = source.normalized(values, as: kind) else {
            refused += 1
            return .refused
        }
        guard latest.isEmpty || time > self.time else { return .refused }
        // The watch sees all of them: a slow rate that was asked for is no silence.
        watch.add(sample, at: time)
        guard isDue(time) else {
            passedOver += 1
            return .passedOver
        }
        guard history.add(sample, at: time) else { return .refused }
        latest = sample
        self.time = time
        return .taken
    }

    /// Whether a sample is due. Samples are wanted at even distances; a device's own are up to half of one too early or
    /// too late.
    private mutating func isDue(_ time: Int64) -> Bool {
        guard wantedHertz > 0 else { return true }
        let interval = 1_000_000 / wantedHertz
        let now = Double(time)
        guard let next = due else {
            due = now + interval
            return true
        }
        // A thousandth of a second early is on time: browsers round their clocks.
        guard now >= next - 1_000 else { return false }
        // After a pause from here; otherwise from when it was due, or the rate would be too low.
        due = now - next > interval ? now + interval : next + interval
        return true
    }

    /// The state of the stream at a time, microseconds.
    public func state(at now: Int64) -> StreamWatch.State { watch.state(at: now) }

    /// The rate, in samples a second, of the last two seconds before a time; nil before there are three samples.
    public func hertz(at now: Int64) -> Double? {
        let times = history.times(last: 512)
        guard let last = times.last, now.minusClamped(last) < 2_000_000 else { return nil }
        let recent = times.filter { last.minusClamped($0) <= 2_000_000 }
        guard recent.count >= 3, last > recent[0] else { return nil }
        return Double(recent.count - 1) / Double(last - recent[0]) * 1_000_000
    }

    /// The magnitude of all axes together; nil before the first sample.
    public var magnitude: Double? {
        latest.isEmpty ? nil : kind.magnitude(latest)
    }

    /// The pause, in microseconds, at which a chart breaks the line: four intervals of what was wanted or comes.
    public func gap(at now: Int64) -> Int64 {
        let hertz = wantedHertz > 0 ? wantedHertz : hertz(at: time) ?? 1
        return Int64(max(250_000, 4_000_000 / max(hertz, 0.1)))
    }
}
