import GRDB

/// A series with its newest reading that is not in the future.
public struct PresentReading: Sendable, Equatable {
    /// The series.
    public var series: SeriesRecord
    /// The reading; nil if all are in the future.
    public var reading: Reading?
    /// The time of the last reading in the future, in UTC milliseconds, if any: a clock was wrong when it was made, or
    /// is now.
    public var aheadAt: Int64?
}

extension Database {
    /// The time by which a reading may be ahead of the hub's clock and still count as present, in milliseconds: ten
    /// minutes, as clocks differ.
    public static var presentMilliseconds: Int64 { 600_000 }

    /// The last time that counts as present at `now`, both in UTC milliseconds.
    public static func latestPresent(at now: Int64) -> Int64 { now.plusClamped(presentMilliseconds) }

    /// Every series that has a reading, with its newest present one, in the order of the series. Readings in the future
    /// are stored but are not present before their time.
    ///
    /// - Parameters:
    ///   - devices: the ids of the devices; nil for all of the hub.
    ///   - now: the current time, in UTC milliseconds.
    public func presentReadings(ofDevices devices: [String]? = nil, now: Int64) throws -> [PresentReading] {
        let last = Self.latestPresent(at: now)
        return try latestReadings(ofDevices: devices).map { series, reading in
            guard reading.at > last else { return PresentReading(series: series, reading: reading) }
            return PresentReading(
                series: series, reading: try latestReading(series: series.id, atOrBefore: last), aheadAt: reading.at)
        }
    }
}
