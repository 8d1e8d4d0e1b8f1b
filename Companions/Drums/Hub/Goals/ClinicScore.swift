import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// A score of one day.
struct ClinicScore: Storage.TableRecord {
    static let databaseTableName = "drums_clinic_score"
    /// The most scores of one person.
    static let most = 1_000

    var id: String
    var household: String
    var person: String
    var measure: ClinicMeasure
    /// The day, counted from 1 January 1970.
    var day: Int32
    var side: SideName?
    /// The goal that it is about.
    var goal: String?
    /// The value of the score; of ``ClinicMeasure/copm`` the performance.
    var value: Int
    var satisfaction: Int?
    /// UTC milliseconds.
    var createdAt: Int64
    var removedAt: Int64?

    /// A person's scores, the earliest day first, without those that were removed.
    static func all(of person: String, _ db: Database) throws -> [ClinicScore] {
        try fetchAll(
            db,
            cached: """
                SELECT * FROM drums_clinic_score WHERE person = ? AND removed_at IS NULL ORDER BY day, created_at, id
                """, arguments: [person])
    }

    /// The score in words, such as `Blocks in a minute: 42`, `Performance 4, satisfaction 6` or `+1`.
    func words(in localized: Localizer) -> String {
        switch measure {
        case .boxAndBlock: localized("Blocks in a minute: \(value)")
        case .aha: localized("AHA units: \(value)")
        case .copm: localized("Performance \(value), satisfaction \(satisfaction ?? 0)")
        case .gas: Self.signed(value)
        }
    }

    /// A number with its sign, such as `+1`, `0` or `−2`.
    static func signed(_ value: Int) -> String { value > 0 ? "+\(value)" : value < 0 ? "−\(-value)" : "0" }
}
