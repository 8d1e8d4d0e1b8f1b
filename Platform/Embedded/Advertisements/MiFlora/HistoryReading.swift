import Wire

/// The reading of a plant sensor's history over a connection: it says what to write or read next, takes the answers, and
/// gives the entries with the time at which they were measured.
///
/// The sensor knows no date, but the seconds since it began, so that the time of an entry is that of the connection less
/// the difference. It stores an entry an hour, the newest first. An entry that is later than the sensor's own time is of
/// the life of an earlier battery: nobody knows when it was, and it is put aside, as is each that no sensor measures.
public struct HistoryReading: Sendable {
    /// A thing to do at the sensor.
    public enum Step: Equatable, Sendable {
        /// Write these bytes to a characteristic, then call ``HistoryReading/written()``.
        case write(MiFlora.Characteristic, [UInt8])
        /// Read a characteristic, then call ``HistoryReading/read(_:at:)``.
        case read(MiFlora.Characteristic)
        /// Disconnect: all is done, or the sensor answered what makes no sense.
        case finished
    }

    /// An entry with its time.
    public struct Entry: Equatable, Sendable {
        /// The moment in UTC milliseconds since 1970.
        public let at: Int64
        /// The age in seconds when the sensor's time was read.
        public let age: UInt32
        /// Temperature, illuminance, moisture and conductivity.
        public let measurements: [SensorMeasurement]
    }

    private enum Stage: Equatable {
        case askLength, length, time
        case ask(UInt16), entry(UInt16)
        case clear, finished
    }

    /// The entries so far, in the order in which the sensor gave them.
    public private(set) var entries: [Entry] = []
    /// The number of entries that were put aside.
    public private(set) var putAside = 0
    /// The number of entries that the sensor has; nil before it said so.
    public private(set) var length: UInt16?
    /// The reason why the reading ended early; nil where there is none.
    public private(set) var failure: MiFloraError?
    /// The time at which the sensor began, in UTC milliseconds since 1970; nil before it said so.
    public private(set) var begin: Int64?

    private let newerThan: Int64
    private let limit: Int
    private let clears: Bool
    private var deviceSeconds: UInt32 = 0
    private var stage = Stage.askLength

    /// Creates a reading.
    ///
    /// - Parameters:
    ///   - newerThan: the time of the newest entry that is known, in UTC milliseconds since 1970: the reading ends at the
    ///     first that is not more than half an hour later, because the clocks of sensor and hub drift apart.
    ///   - limit: the most entries to ask for, so that a weak connection gets something done.
    ///   - clears: whether the sensor shall forget its history when all of it was read. It does not where a part was left
    ///     out.
    public init(newerThan: Int64 = .min, limit: Int = 65_536, clears: Bool = false) {
        self.newerThan = newerThan
        self.limit = limit
        self.clears = clears
    }

    /// The thing to do next.
    public var step: Step {
        switch stage {
        case .askLength: .write(.historyCommand, MiFlora.historyLengthCommand)
        case .length, .entry: .read(.history)
        case .time: .read(.time)
        case .ask(let index): .write(.historyCommand, MiFlora.historyEntryCommand(index))
        case .clear: .write(.historyCommand, MiFlora.historyClearCommand)
        case .finished: .finished
        }
    }

    /// Says that the bytes of ``step`` are written; of no effect where nothing was to be written.
    public mutating func written() {
        switch stage {
        case .askLength: stage = .length
        case .ask(let index): stage = .entry(index)
        case .clear: stage = .finished
        case .length, .time, .entry, .finished: return
        }
    }

    /// Takes the answer that was read for ``step``; of no effect where nothing was to be read.
    ///
    /// - Parameter now: the time in UTC milliseconds since 1970.
    public mutating func read(_ answer: [UInt8], at now: Int64) {
        switch stage {
        case .length:
            guard answer.count >= 2 else { return fail(.length(answer.count)) }
            length = UInt16(truncatingIfNeeded: littleEndian(answer[0..<2]))
            stage = .time
        case .time:
            guard answer.count == 4 else { return fail(.length(answer.count)) }
            deviceSeconds = UInt32(truncatingIfNeeded: littleEndian(answer[...]))
            begin = now.minusClamped(Int64(deviceSeconds) * 1_000)
            goOn(with: 0)
        case .entry(let index): take(answer, index)
        case .askLength, .ask, .clear, .finished: return
        }
    }

    private mutating func take(_ answer: [UInt8], _ index: UInt16) {
        do throws(MiFloraError) {
            let entry = try MiFloraEntry(answer: answer)
            guard entry.seconds <= deviceSeconds, let begin else { throw .implausible }
            let at = begin.plusClamped(Int64(entry.seconds) * 1_000)
            guard at > newerThan.plusClamped(30 * 60_000) else {
                stage = .finished
                return
            }
            entries.append(Entry(at: at, age: deviceSeconds - entry.seconds, measurements: entry.values.measurements))
        } catch {
            putAside += 1
        }
        goOn(with: Int(index) + 1)
    }

    private mutating func goOn(with index: Int) {
        let count = Int(length ?? 0)
        if index < min(count, limit), let next = UInt16(exactly: index) {
            stage = .ask(next)
        } else {
            stage = clears && count > 0 && index == count ? .clear : .finished
        }
    }

    private mutating func fail(_ error: MiFloraError) {
        failure = error
        stage = .finished
    }
}
