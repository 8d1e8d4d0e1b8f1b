import Foundation
import GRDB

/// A row of a table whose columns are the properties' names in snake case.
public protocol TableRecord: Codable, Sendable, FetchableRecord, PersistableRecord {}

extension TableRecord {
    public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        .custom { ColumnKey(stringValue: ColumnNames.property(ofColumn: $0)) }
    }
    public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .convertToSnakeCase }
}

/// The people who share a hub, and the key of every row.
public struct HouseholdRecord: TableRecord {
    public static let databaseTableName = "household"

    /// What the first run asks for next.
    public enum SetupStep: String, Codable, Sendable, CaseIterable { case children, companions, device }

    public var id: String
    public var name: String
    /// An IANA name: it decides what "today" is.
    public var timeZone: String
    /// UTC milliseconds, as every `At` of the records.
    public var createdAt: Int64
    /// Whether its people and what they have are invented, for trying things out.
    public var isDemo: Bool
    /// Where the first run goes on; nil when it is finished.
    public var setupStep: SetupStep?
    /// In which it was set up (BCP 47), for who is told something and has said nothing of their own; nil where it is not
    /// known.
    public var language: String?

    public init(
        id: String, name: String, timeZone: String, createdAt: Int64, isDemo: Bool = false,
        setupStep: SetupStep? = nil
    ) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.isDemo = isDemo
        self.setupStep = setupStep
    }
}

/// Somebody of a household: an adult who signs in, or a child.
public struct PersonRecord: TableRecord {
    public static let databaseTableName = "person"

    /// What a person may do; see `Policy`.
    public enum Role: String, Codable, Sendable, CaseIterable { case adult, child }

    public var id: String
    public var household: String
    public var name: String
    public var role: Role
    public var email: String?
    /// Salt, costs and hash. Nil for who cannot sign in.
    public var password: Data?
    /// The name of a drawn face, such as `bear`.
    public var face: String?
    public var birthYear: Int?
    public var createdAt: Int64
    /// The IANA name of the clock that this person lives by; nil for the household's.
    public var timeZone: String?
    /// When `timeZone` was set to another one last, UTC milliseconds; nil where it never was.
    public var timeZoneSince: Int64?

    public init(
        id: String, household: String, name: String, role: Role, email: String? = nil, password: Data? = nil,
        face: String? = nil, birthYear: Int? = nil, createdAt: Int64, timeZone: String? = nil
    ) {
        self.id = id
        self.household = household
        self.name = name
        self.role = role
        self.email = email
        self.password = password
        self.face = face
        self.birthYear = birthYear
        self.createdAt = createdAt
        self.timeZone = timeZone
    }
}

/// A phone or a program that stays signed in. The token itself is nowhere stored.
public struct SignInRecord: TableRecord {
    public static let databaseTableName = "sign_in"
    public var id: String
    public var tokenHash: Data
    /// The account that signed in.
    public var person: String
    /// Who says to be using the page now.
    public var profile: String
    /// What the browser calls itself.
    public var agent: String
    public var createdAt: Int64
    public var seenAt: Int64
    /// Whether the family shares the device: it asks who is there whenever it is opened.
    public var isShared: Bool
    /// When the account's password was typed on it last, for the adult who uses it, UTC milliseconds; nil where a child
    /// has used it since, or the family shares it since.
    public var confirmedAt: Int64?

    public init(
        id: String, tokenHash: Data, person: String, profile: String, agent: String, createdAt: Int64, seenAt: Int64,
        isShared: Bool = false, confirmedAt: Int64? = nil
    ) {
        self.id = id
        self.tokenHash = tokenHash
        self.person = person
        self.profile = profile
        self.agent = agent
        self.createdAt = createdAt
        self.seenAt = seenAt
        self.isShared = isShared
        self.confirmedAt = confirmedAt
    }
}

/// A thing of the household that speaks to the hub.
public struct DeviceRecord: TableRecord {
    public static let databaseTableName = "device"
    /// Also its MQTT user name and the second level of its topics.
    public var id: String
    public var household: String
    /// One of a companion's kinds, such as `plant-sensor`.
    public var kind: String
    public var name: String
    public var tokenHash: Data
    /// Whether the hub itself plays it.
    public var isVirtual: Bool
    public var createdAt: Int64
    /// A removed device keeps its readings and loses its voice.
    public var removedAt: Int64?
    /// How often it sent what could not be understood.
    public var errorCount: Int
    public var errorAt: Int64?
    public var errorTopic: String?
    public var errorMessage: String?

    public init(
        id: String, household: String, kind: String, name: String, tokenHash: Data, isVirtual: Bool = false,
        createdAt: Int64
    ) {
        self.id = id
        self.household = household
        self.kind = kind
        self.name = name
        self.tokenHash = tokenHash
        self.isVirtual = isVirtual
        self.createdAt = createdAt
        errorCount = 0
    }
}

/// A program that an adult let in, with the MQTT topic filters it was granted.
public struct IntegrationRecord: TableRecord {
    public static let databaseTableName = "integration"
    public var id: String
    public var household: String
    public var name: String
    public var tokenHash: Data
    /// One filter a line.
    public var filters: String
    public var createdAt: Int64

    public init(id: String, household: String, name: String, tokenHash: Data, filters: String, createdAt: Int64) {
        self.id = id
        self.household = household
        self.name = name
        self.tokenHash = tokenHash
        self.filters = filters
        self.createdAt = createdAt
    }
}
