import GRDB
import HubKit
import Storage
import TriviaToyEngine

/// The rules that a household has laid down for somebody's toy.
struct HouseRulesRecord: Storage.TableRecord {
    static let databaseTableName = "toy_rules"

    var person: String
    var household: String
    /// The ends of the quiet hours, minutes of the day, 0...1439; both the same for no quiet hours.
    var quietStart, quietEnd: Int
    /// The most facts in a day; nil for no limit.
    var dailyLimit: Int?
    /// The volume cap in decibels of the speech module.
    var volumeCap: Int
    var wordsPerMinute: Int
    var voice: Int
    var speaksWithoutClock: Bool
    var usesOriginalThrowRule: Bool

    /// The stored rules for somebody, or those that hold before.
    static func of(_ person: String, household: String, _ db: Database) throws -> HouseRulesRecord {
        if let known = try fetchOne(db, key: person) { return known }
        let rules = HouseRules()
        return HouseRulesRecord(
            person: person, household: household, quietStart: Int(rules.quietStart), quietEnd: Int(rules.quietEnd),
            dailyLimit: nil, volumeCap: Loudness.normal.decibels, wordsPerMinute: Int(rules.wordsPerMinute),
            voice: Int(rules.voice), speaksWithoutClock: rules.speaksWithoutClock,
            usesOriginalThrowRule: rules.usesOriginalThrowRule)
    }

    /// The rules as a toy, and the engine, keep them.
    var rules: HouseRules {
        var rules = HouseRules()
        rules.quietStart = UInt16(clamping: quietStart)
        rules.quietEnd = UInt16(clamping: quietEnd)
        rules.dailyLimit = dailyLimit.map { UInt16(clamping: $0) } ?? HouseRules.unlimited
        rules.volumeCap = Int8(clamping: volumeCap)
        rules.wordsPerMinute = UInt16(clamping: wordsPerMinute)
        rules.voice = UInt8(clamping: voice)
        rules.speaksWithoutClock = speaksWithoutClock
        rules.usesOriginalThrowRule = usesOriginalThrowRule
        return rules
    }
}

/// The loudness that a toy may have, in steps that people can tell apart.
enum Loudness: String, Codable, CaseIterable, Sendable {
    case whisper, quiet, normal, loud

    /// The volume of the speech module in decibels, -48...18.
    var decibels: Int {
        switch self {
        case .whisper: -24
        case .quiet: -12
        case .normal: 0
        case .loud: 18
        }
    }

    /// The step that a cap in decibels comes to.
    init(decibels: Int) { self = Self.allCases.last { $0.decibels <= decibels } ?? .whisper }
}
