import Foundation

/// The check whether this machine's clock is plausible: after the time when the program was built, and not before what
/// is stored.
public struct ClockCheck: Sendable {
    /// The earliest time that a clock can rightly have, in milliseconds since 1970: the year of the first release.
    static let earliest: Int64 = 1_767_225_600_000
    /// The time from which on a clock is certainly wrong: the year 2100.
    static let latest: Int64 = 4_102_444_800_000
    /// The difference that is none, in milliseconds.
    static let tolerance: Int64 = 60_000

    private let now: Int64

    /// Creates the check.
    ///
    /// - Parameter now: the clock, in milliseconds since 1970.
    public init(now: Int64) { self.now = now }

    /// The finding for a clock.
    ///
    /// - Parameters:
    ///   - built: the time of the program's file; nil if unknown.
    ///   - newestReading: the time of the newest reading; nil if there is none.
    ///   - written: the time when the database was last written, by this machine's clock; nil if there is none.
    public func finding(built: Int64?, newestReading: Int64?, written: Int64?) -> Finding {
        let today = Self.day(now)
        guard now >= Self.earliest, now < Self.latest else {
            return .fault("clock", "The clock says it is \(today).", Self.advice)
        }
        if let built, built < Self.latest, now + Self.tolerance < built {
            return .fault(
                "clock", "The clock says it is \(today), but this program was built on \(Self.day(built)).", Self.advice
            )
        }
        if let written, written > now + Self.tolerance {
            return .fault(
                "clock",
                "The database was last written \(Self.span(written - now)) in the future: the clock was or is wrong.",
                Self.advice)
        }
        if let newestReading, newestReading > now + Self.tolerance {
            return .fault(
                "clock",
                "The newest reading lies \(Self.span(newestReading - now)) in the future: the clock was or is wrong.",
                "Check `date`, and the clock of the device that sent it.")
        }
        return .well("clock", "The clock is plausible: \(today).")
    }

    /// The finding with the time of this program's file.
    public func run(newestReading: Int64?, written: Int64?) -> Finding {
        finding(built: Self.changed("/proc/self/exe"), newestReading: newestReading, written: written)
    }

    /// The time when a database was last written; nil if there is none. Opening it may change that.
    public static func written(database: String) -> Int64? {
        [database, database + "-wal"].compactMap(changed).max()
    }

    private static let advice =
        "Certificates, reminders and the times of what is stored go by it: set it, or let the system fetch the time (timedatectl set-ntp true)."

    private static func changed(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if os(Linux)
            return Int64(status.st_mtim.tv_sec) * 1_000
        #else
            return Int64(status.st_mtimespec.tv_sec) * 1_000
        #endif
    }

    private static func span(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        return minutes < 120
            ? "\(minutes) minutes" : minutes < 2_880 ? "\(minutes / 60) hours" : "\(minutes / 1_440) days"
    }

    /// The day as ISO 8601 writes it, in UTC.
    private static func day(_ milliseconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        return date.formatted(.iso8601.year().month().day())
    }
}
