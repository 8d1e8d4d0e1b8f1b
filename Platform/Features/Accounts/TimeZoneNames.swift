import Foundation
import HubKit

extension Accounts {
    private static let longestZone = 64

    /// A time zone by its name in the IANA database, which pages and phones know too.
    ///
    /// Offsets such as `GMT+3` are refused: they know no daylight saving.
    ///
    /// - Throws: a 422 problem for a name that this system does not know.
    static func checked(timeZone name: String) throws -> String {
        let isName = name.contains("/") || name == "UTC" || TimeZone.knownTimeZoneIdentifiers.contains(name)
        guard name.utf8.count <= longestZone, isName, TimeZone(identifier: name) != nil else {
            throw Problem.field(
                "timeZone", "This hub does not know that time zone. One is named by a city, such as Europe/Vienna.")
        }
        return name
    }
}
