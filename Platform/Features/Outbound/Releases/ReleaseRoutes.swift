import HubKit
import Localization

/// The routes by which adults decide whether the hub asks for new versions of itself, and hear of them.
public struct ReleaseRoutes: Sendable {
    private let releases: Releases

    /// Creates the routes.
    public init(releases: Releases) { self.releases = releases }

    /// Adds them.
    public func add(to routes: Routes) {
        routes.get(
            "/api/releases", .adult, "The version of the hub, and the newest that is published where an adult has said."
        ) { request in try .json(ReleasesResponse(try await releases.settings(), in: request.localized)) }
        routes.put(
            "/api/releases", .adult,
            "Says where new versions are published; they are asked for once a day. Without an address nobody is asked.",
            takes: ReleasesInput.self
        ) { request, input in
            try await releases.set(
                project: input.address, houseAddress: input.houseAddress, household: request.member.household)
            return try .json(ReleasesResponse(try await releases.settings(), in: request.localized))
        }
    }
}

private struct ReleasesInput: Decodable {
    /// The address of the project on its forge; absent or empty to ask nobody.
    var address: String?
    /// The address in digits of a forge whose name leads into the house.
    var houseAddress: String?
}

private struct ReleasesResponse: Codable {
    /// The version of the hub.
    var version: String
    /// The address of the project; absent where nobody is asked.
    var address: String?
    /// The newest version that is published; absent before the first answer.
    var latest: String?
    /// The version to which the hub can be updated; absent where there is none.
    var update: String?
    /// The page about the newest version.
    var page: String?
    /// The time of the last question, in UTC milliseconds.
    var checkedAt: Int64?
    /// The reason why it had no answer, in words; absent if it had.
    var lastError: String?

    init(_ settings: ReleaseSettings?, in localized: Localizer) {
        version = HubVersion.current
        address = settings?.project
        latest = settings?.latest
        update = settings?.update
        page = settings?.page
        checkedAt = settings?.checkedAt
        lastError = (settings?.trouble?.words).map(localized.string)
    }
}
