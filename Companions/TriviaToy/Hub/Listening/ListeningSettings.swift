import Foundation
import GRDB
import HubKit
import Storage
import TriviaToyEngine

/// The settings of what somebody wants to hear of.
struct ListeningSettings: Storage.TableRecord {
    static let databaseTableName = "toy_settings"
    /// The age of a child whose year of birth nobody has said, years: facts for everybody and those of medium
    /// difficulty.
    static let ageUnknown: UInt8 = 8
    private static let ageOfAdults: UInt8 = 99

    var person: String
    var household: String
    /// The categories: bit n is the category n.
    var categories: Int64
    /// The language of the facts; nil for the household's.
    var language: LanguageName?

    /// The stored settings of somebody, or those that hold before.
    static func of(_ person: PersonRecord, _ db: Database) throws -> ListeningSettings {
        try fetchOne(db, key: person.id)
            ?? ListeningSettings(
                person: person.id, household: person.household, categories: Int64(bitPattern: FactCategories.all.bits))
    }

    /// The facts that somebody may hear now, by their settings and their age.
    static func factFilter(of subject: Subject, _ db: Database) throws -> FactQueue.Filter {
        let settings = try of(subject.person, db)
        return FactQueue.Filter(
            language: settings.language ?? language(of: subject.household),
            choice: FactChoice(
                categories: FactCategories(bits: UInt64(bitPattern: settings.categories)), age: age(of: subject)))
    }

    /// The language in which facts are told in a household.
    static func language(of household: HouseholdRecord) -> LanguageName {
        household.language?.lowercased().hasPrefix("de") == true ? .de : .en
    }

    /// The age of somebody, years: all through a year they are as old as they become in it.
    private static func age(of subject: Subject) -> UInt8 {
        guard subject.person.role == .child else { return ageOfAdults }
        guard let born = subject.person.birthYear else { return ageUnknown }
        return UInt8(clamping: Int(CivilDate(day: subject.today).year) - born)
    }

    /// The categories by their names.
    var names: [CategoryName] {
        CategoryName.allCases.filter { FactCategories(bits: UInt64(bitPattern: categories)).contains($0.category) }
    }
}
