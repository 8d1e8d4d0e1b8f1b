import Foundation
import GRDB

/// A row of a table whose columns are the properties' names in snake case.
public protocol TableRecord: Codable, Sendable, FetchableRecord, PersistableRecord {}

extension TableRecord {
    /// The conversion of column names to property names.
    public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        .custom { ColumnKey(stringValue: ColumnNames.property(ofColumn: $0)) }
    }
    /// The conversion of property names to column names.
    public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .convertToSnakeCase }
}

/// The household that shares a hub, whose id is the key of every row.
public struct HouseholdRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "household"

    /// The next step of the first-run setup.
    public enum SetupStep: String, Codable, Sendable, CaseIterable { case children, companions, device }

    /// The id.
    public var id: String
    /// The name.
    public var name: String
    /// The IANA name of the time zone, which decides what "today" is.
    public var timeZone: String
    /// The time at which it was created, in UTC milliseconds.
    public var createdAt: Int64
    /// Whether its people and data are invented, for trying things out.
    public var isDemo: Bool
    /// The next step of the first-run setup; nil when it is finished.
    public var setupStep: SetupStep?
    /// The language in which it was set up (BCP 47), for people without a language of their own; nil if unknown.
    public var language: String?

    /// Creates a record.
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

/// A person of a household: an adult who signs in, or a child.
public struct PersonRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "person"

    /// The role that decides what a person may do; see `Policy`.
    public enum Role: String, Codable, Sendable, CaseIterable { case adult, child }

    /// The id.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The name.
    public var name: String
    /// The role.
    public var role: Role
    /// The e-mail address; nil for a person who cannot sign in.
    public var email: String?
    /// The hash of the password with its salt and cost; nil for a person who cannot sign in.
    public var password: Data?
    /// The name of a drawn face, such as `bear`.
    public var face: String?
    /// The year of birth, if it is known.
    public var birthYear: Int?
    /// The time at which the person was added, in UTC milliseconds.
    public var createdAt: Int64
    /// The IANA name of the person's own time zone; nil for the household's.
    public var timeZone: String?
    /// The time at which the time zone was last changed, in UTC milliseconds; nil if never.
    public var timeZoneSince: Int64?

    /// Creates a record.
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

/// A sign-in: a phone or a program that stays signed in. The token itself is not stored.
public struct SignInRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "sign_in"
    /// The id.
    public var id: String
    /// The hash of the token.
    public var tokenHash: Data
    /// The id of the person whose account signed in.
    public var person: String
    /// The id of the person who is using the page now.
    public var profile: String
    /// The name of the browser.
    public var agent: String
    /// The time at which it was made, in UTC milliseconds.
    public var createdAt: Int64
    /// The time at which it was last used, in UTC milliseconds.
    public var seenAt: Int64
    /// Whether the family shares the device, which then asks who is there whenever it is opened.
    public var isShared: Bool
    /// The time at which the account's password was last typed on the device, in UTC milliseconds; nil if not since a
    /// child used it or the family began to share it.
    public var confirmedAt: Int64?

    /// Creates a record.
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

/// A device of the household.
public struct DeviceRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "device"
    /// The id, which is also its MQTT user name and the second level of its topics.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The kind of device, such as `plant-sensor`, as its companion declares it.
    public var kind: String
    /// The name.
    public var name: String
    /// The hash of the token.
    public var tokenHash: Data
    /// Whether it is a virtual device of the hub itself.
    public var isVirtual: Bool
    /// The time at which it was added, in UTC milliseconds.
    public var createdAt: Int64
    /// The time at which it was removed, in UTC milliseconds; nil if it was not. A removed device keeps its readings
    /// and cannot connect.
    public var removedAt: Int64?
    /// The number of messages that could not be understood.
    public var errorCount: Int
    /// The time of the last such message, in UTC milliseconds.
    public var errorAt: Int64?
    /// The topic of the last such message.
    public var errorTopic: String?
    /// The error of the last such message.
    public var errorMessage: String?

    /// Creates a record.
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

/// An integration: a program that an adult has given access to some MQTT topics, or to read by HTTP.
public struct IntegrationRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "integration"
    /// The id.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The name.
    public var name: String
    /// The hash of the token.
    public var tokenHash: Data
    /// The topic filters that it was granted, one in each line; empty for one that reads by HTTP.
    public var filters: String
    /// The time at which it was added, in UTC milliseconds.
    public var createdAt: Int64
    /// Whether it reads by HTTP; its companions are in `integration_companion`.
    public var isReader = false
    /// The id of the adult who added it, with whom a reader ends.
    public var maker: String?
    /// The id of the person whose data it reads; nil for everyone's.
    public var person: String?
    /// The time at which it ends, in UTC milliseconds; nil for never.
    public var endsAt: Int64?
    /// The time at which it last read, in UTC milliseconds, to some minutes; nil if it has not.
    public var usedAt: Int64?

    /// Creates a record.
    public init(id: String, household: String, name: String, tokenHash: Data, filters: String, createdAt: Int64) {
        self.id = id
        self.household = household
        self.name = name
        self.tokenHash = tokenHash
        self.filters = filters
        self.createdAt = createdAt
    }
}
