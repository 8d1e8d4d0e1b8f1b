import GRDB
import Localization
import Storage

/// The record of one person for programs that keep health records: what they did, and what was planned for them, as companions
/// tell it. The archive of a person makes FHIR of it; a companion names no format.
///
/// It is a log of practice: a value is what was counted or measured, and nothing is concluded from it.
public struct HealthRecord {
    /// A value with its unit, or a yes or no, or a word.
    public enum Value: Sendable, Equatable {
        /// A number.
        ///
        /// - Parameters:
        ///   - number: the value.
        ///   - unit: the unit as people read it, such as `min`; empty for a count.
        ///   - code: the unit's code in UCUM (the Unified Code for Units of Measure), such as `min`; `1` for a count.
        case quantity(_ number: Double, unit: String, code: String)
        /// Whether something is so.
        case flag(Bool)
        /// Words.
        case text(String)

        /// A number of things.
        public static func count(_ number: Int) -> Value { .quantity(Double(number), unit: "", code: "1") }
        /// A duration in milliseconds, told in seconds.
        public static func duration(milliseconds: Int64) -> Value {
            .quantity(Double(milliseconds) / 1_000, unit: "s", code: "s")
        }
        /// A share of a hundred.
        public static func percent(_ number: Int) -> Value { .quantity(Double(number), unit: "%", code: "%") }
    }

    /// One value of an observation, with what it is of.
    public struct Component: Sendable {
        /// The name of what was counted or measured.
        public var title: LocalizedText
        /// The value.
        public var value: Value

        /// Creates a component.
        public init(_ title: LocalizedText, _ value: Value) { (self.title, self.value) = (title, value) }
    }

    /// An observation of something that was done or measured once, such as a practice.
    public struct Observation: Sendable {
        /// The id, unique among those of the companion.
        public var id: String
        /// The name of what was done or measured.
        public var title: LocalizedText
        /// The time at which it began and ended, in UTC milliseconds; the same twice for a moment.
        public var startedAt, endedAt: Int64
        /// The values; at least one.
        public var components: [Component]

        /// Creates an observation.
        public init(id: String, title: LocalizedText, startedAt: Int64, endedAt: Int64, components: [Component]) {
            (self.id, self.title, self.components) = (id, title, components)
            (self.startedAt, self.endedAt) = (startedAt, endedAt)
        }
    }

    /// A plan that somebody has made for the person.
    public struct Plan: Sendable {
        /// The id, unique among those of the companion.
        public var id: String
        /// The name of what is planned.
        public var title: LocalizedText
        /// The plan in words.
        public var description: LocalizedText
        /// The person who set it, by the name that the family uses.
        public var author: String
        /// The local days on which it holds, since 1 January 1970; the last is nil for a plan that still does.
        public var firstDay: Int32
        /// The last of them.
        public var lastDay: Int32?

        /// Creates a plan.
        public init(
            id: String, title: LocalizedText, description: LocalizedText, author: String, firstDay: Int32,
            lastDay: Int32?
        ) {
            (self.id, self.title, self.description, self.author) = (id, title, description, author)
            (self.firstDay, self.lastDay) = (firstDay, lastDay)
        }
    }

    /// The person.
    public let person: PersonRecord
    /// The person's household.
    public let household: HouseholdRecord
    /// The database, in a transaction that sees one moment.
    public let db: Database
    /// The current local day by the person's clock, since 1 January 1970.
    public let today: Int32
    /// The texts of the hub and all companions, in the language of the household.
    public let localized: Localizer
    private let observe: (Observation) throws -> Void
    private let plan: (Plan) throws -> Void

    /// Creates a record that passes on what companions tell.
    package init(
        of person: PersonRecord, _ household: HouseholdRecord, _ db: Database, today: Int32, in localized: Localizer,
        observe: @escaping (Observation) throws -> Void, plan: @escaping (Plan) throws -> Void
    ) {
        (self.person, self.household, self.db, self.today, self.localized) = (person, household, db, today, localized)
        (self.observe, self.plan) = (observe, plan)
    }

    /// Adds an observation.
    public func add(_ observation: Observation) throws { try observe(observation) }

    /// Adds a plan.
    public func add(_ plan: Plan) throws { try self.plan(plan) }
}
