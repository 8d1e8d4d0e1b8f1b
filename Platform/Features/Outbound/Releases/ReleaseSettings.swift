import Foundation
import GRDB
import HubKit
import Localization

/// What an adult has decided about new versions, and what was heard of them last, as it is stored.
package struct ReleaseSettings: Codable, Sendable, Equatable {
    /// The address of the project.
    package var project: String
    /// The address that is asked.
    var newest: String
    /// The address in digits of a forge in the house; nil for one on the internet.
    var houseAddress: String?
    /// The version of the newest release; nil before the first answer.
    package var latest: String?
    /// The address of the page about it.
    package var page: String?
    /// The time of the last answer, in UTC milliseconds.
    var checkedAt: Int64?
    /// The reason why there was no answer the last time; nil if there was one.
    var trouble: ReleaseTrouble?

    /// The version to which the hub can be updated; nil where it is the newest, or nobody knows.
    package var update: String? {
        guard let latest, let there = ReleaseVersion(latest), let here = ReleaseVersion(HubVersion.current),
            here < there
        else { return nil }
        return latest
    }

    /// Reads what is stored; nil where nobody wants to hear of new versions.
    package static func stored(_ db: Database) throws -> ReleaseSettings? {
        try String.fetchOne(
            db, cached: "SELECT value FROM setting WHERE name = ?", arguments: [SettingsStore.Name.releases.rawValue]
        ).flatMap { try? JSONDecoder().decode(ReleaseSettings.self, from: Data($0.utf8)) }
    }

    /// The host that is asked.
    var host: ChosenHost? { try? ChosenHost(url: newest, houseAddress: houseAddress) }
}

/// The reason why nobody knows which release is the newest.
enum ReleaseTrouble: String, Codable, Sendable {
    case noAnswer, notAllowed, noRelease, notUnderstood

    /// The reason in words.
    var words: LocalizedText {
        switch self {
        case .noAnswer: LocalizedText("Nobody answered there. The hub may have no way to the internet.")
        case .notAllowed: LocalizedText("This address leads to where the hub may not go.")
        case .noRelease: LocalizedText("No release is published at this address.")
        case .notUnderstood: LocalizedText("What answered at this address named no version.")
        }
    }
}
