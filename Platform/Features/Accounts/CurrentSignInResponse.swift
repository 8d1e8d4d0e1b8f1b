import HubKit
import Storage

/// The current sign-in, household and hub, as a page gets them.
struct CurrentSignInResponse: Codable {
    struct Household: Codable {
        var id, name: String
        var setupStep: HouseholdRecord.SetupStep?
    }
    struct Choice: Codable {
        var slug, title, path: String
        var isUsed: Bool
    }
    struct SignIn: Codable {
        var id: String
        var isShared: Bool
        /// Whether the password is needed before anything for adults.
        var needsPassword: Bool
        /// The time until which the password is not needed on a shared device, in UTC milliseconds.
        var passwordEnds: Int64?
    }
    struct HubSummary: Codable {
        var name, version, boot: String
        var now: Int64
        var timeZone: String
        var origin: String?
        var isSecure: Bool
        /// The reason why the hub cannot store anything at the moment; absent if it can.
        var storageFault: StorageState.Fault?
    }
    var person, profile: PersonResponse
    var household: Household
    var people: [PersonResponse]
    /// The companions that are in use.
    var companions: [CompanionSummary]
    var allCompanions: [Choice]
    var signIn: SignIn
    var hub: HubSummary
}

/// A person as pages get them.
struct PersonResponse: Codable {
    var id, name: String
    var role: PersonRecord.Role
    var face: String?
    /// The year of birth. This and the following are absent if the page may not see the person's data.
    var birthYear: Int?
    var email: String?
    /// The person's own time zone; also absent if it is the household's.
    var timeZone: String?

    /// Creates the response.
    ///
    /// - Parameters:
    ///   - member: the caller.
    ///   - now: the current time, in UTC milliseconds.
    init(_ person: PersonRecord, for member: Member, _ policy: Policy, now: Int64) {
        id = person.id
        name = person.name
        role = person.role
        face = person.face
        guard policy.allowsViewing(member, of: person, now: now) else { return }
        birthYear = person.birthYear
        email = person.email
        timeZone = person.timeZone
    }
}

/// A companion for the navigation.
public struct CompanionSummary: Codable, Sendable {
    /// The companion's slug, its title, and the path of its first page.
    public var slug, title, path: String

    /// Creates the summary.
    public init(slug: String, title: String, path: String) {
        self.slug = slug
        self.title = title
        self.path = path
    }
}

/// The response to a new sign-in.
public struct NewSignInResponse: Codable {
    var session: CurrentSignInResponse
    var token: String?
}
