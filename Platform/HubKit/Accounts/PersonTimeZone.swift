import Foundation
import Storage

extension PersonRecord {
    /// By whose clock this person's days begin: their own time zone, else the household's.
    ///
    /// - Returns: where a name is no longer known to this system, the next best: the household's, then the system's.
    public func zone(_ household: HouseholdRecord) -> TimeZone {
        timeZone.flatMap { TimeZone(identifier: $0) } ?? TimeZone(identifier: household.timeZone) ?? .current
    }
}
