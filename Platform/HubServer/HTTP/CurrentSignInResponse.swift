import HubKit
import Storage

/// What a page knows of who is signed in, of the household, and of this hub.
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
        /// Whether what is for adults wants the password first.
        var needsPassword: Bool
        /// On a device that the family shares: until when it does not, UTC milliseconds.
        var passwordEnds: Int64?
    }
    struct HubPart: Codable {
        var name, version, boot: String
        var now: Int64
        var timeZone: String
        var origin: String?
        var isSecure: Bool
        /// Why the hub can store nothing at the moment; absent where all is well.
        var storageFault: StorageState.Fault?
    }
    var person, profile: PersonResponse
    var household: Household
    var people: [PersonResponse]
    /// Those in use.
    var companions: [CompanionSummary]
    var allCompanions: [Choice]
    var signIn: SignIn
    var hub: HubPart
}

/// A person as pages see them.
struct PersonResponse: Codable {
    var id, name: String
    var role: PersonRecord.Role
    var face: String?
    /// What follows is absent where the page may not see what is this person's own.
    var birthYear: Int?
    var email: String?
    /// Absent for the household's, too.
    var timeZone: String?

    /// - Parameters:
    ///   - member: who asks.
    ///   - now: UTC milliseconds.
    init(_ person: PersonRecord, for member: Member, _ policy: Policy, now: Int64) {
        id = person.id
        name = person.name
        role = person.role
        face = person.face
        guard policy.allowsReading(member, of: person, now: now) else { return }
        birthYear = person.birthYear
        email = person.email
        timeZone = person.timeZone
    }
}

/// A companion as navigation shows it.
public struct CompanionSummary: Codable, Sendable {
    var slug: String
    var title: String
    var path: String
}

/// The answer to whoever has just come in.
struct NewSignInResponse: Codable {
    var session: CurrentSignInResponse
    var token: String?
}
