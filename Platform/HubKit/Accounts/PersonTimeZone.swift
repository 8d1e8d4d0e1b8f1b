import Foundation
import Storage

extension PersonRecord {
    /// The person's time zone, by which their days begin: their own, or else the household's. If this system does not
    /// know it, the household's, or else the system's.
    public func zone(_ household: HouseholdRecord) -> TimeZone {
        timeZone.flatMap { TimeZone(identifier: $0) } ?? TimeZone(identifier: household.timeZone) ?? .current
    }
}
