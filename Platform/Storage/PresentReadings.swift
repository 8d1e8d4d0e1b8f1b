import GRDB

/// A series with the newest of its readings that is of the present or the past.
public struct PresentReading: Sendable, Equatable {
    public var series: SeriesRecord
    /// Nil where all of them lie ahead.
    public var reading: Reading?
    /// The time of the last one that lies ahead of the clock, UTC milliseconds: a clock was wrong when it came, or is now.
    public var aheadAt: Int64?
}

extension Database {
    /// How far ahead of the hub's clock a reading is of the present: ten minutes, as clocks differ.
    public static var presentMilliseconds: Int64 { 600_000 }

    /// The last time that is of the present at `now`; both UTC milliseconds.
    public static func latestPresent(at now: Int64) -> Int64 { now.plusClamped(presentMilliseconds) }

    /// Every series that has a reading, with its newest one as of now, in the order of the series. What lies ahead is stored as
    /// it came, and is nobody's present before its time.
    ///
    /// - Parameters:
    ///   - devices: theirs alone; nil for the whole hub's.
    ///   - now: UTC milliseconds.
    public func presentReadings(ofDevices devices: [String]? = nil, now: Int64) throws -> [PresentReading] {
        let last = Self.latestPresent(at: now)
        return try latestReadings(ofDevices: devices).map { series, reading in
            guard reading.at > last else { return PresentReading(series: series, reading: reading) }
            return PresentReading(
                series: series, reading: try latestReading(series: series.id, atOrBefore: last), aheadAt: reading.at)
        }
    }
}
