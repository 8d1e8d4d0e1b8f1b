import GRDB
import HubKit
import Localization
import Storage
import TriviaToyEngine

/// The reason why somebody hears no fact now, in words: the rules of the house hold on a page as they do in a toy.
struct HouseSilence: Codable {
    /// The rule that keeps silent.
    enum Reason: String, Codable, CaseIterable {
        case quietHours, dailyLimit
    }

    var reason: Reason
    var headline, lead: String

    /// The quiet hours of who plays with a toy; nil at other times, and for a toy of nobody's in particular.
    static func quietHours(ofToy toy: String, now: Int64, in localized: Localizer, _ db: Database) throws
        -> HouseSilence?
    {
        guard let record = try ToyRecord.fetchOne(db, key: toy), let person = record.person else { return nil }
        return try quietHours(
            for: Subject.find(person, household: record.household, now: now, db), in: localized, db)
    }

    /// The quiet hours of somebody; nil at other times, whatever they have heard.
    static func quietHours(for subject: Subject, in localized: Localizer, _ db: Database) throws -> HouseSilence? {
        try HouseSilence(for: subject, in: localized, db).flatMap { $0.reason == .quietHours ? $0 : nil }
    }

    /// Asks the rules of somebody's household.
    ///
    /// - Returns: nil where they may hear a fact.
    init?(for subject: Subject, in localized: Localizer, _ db: Database) throws {
        let record = try HouseRulesRecord.of(subject.person.id, household: subject.household.id, db)
        let heard = try PlayRecord.count(ofToday: subject, db)
        let (name, rules) = (subject.person.name, record.rules)
        switch rules.silence(
            minuteOfDay: UInt16(clamping: subject.minute), playedToday: UInt16(clamping: heard))
        {
        case nil, .unknownTime: return nil
        case .quietHours:
            let end = LocalCalendar.timeOfDay(minute: Int32(rules.quietEnd))
            reason = .quietHours
            headline = localized.string(LocalizedText("These are quiet hours for \(name)."))
            lead = localized.string(LocalizedText("Facts are told again from \(end)."))
        case .dailyLimit:
            reason = .dailyLimit
            headline = localized.string(LocalizedText("\(name) has heard all of today’s facts."))
            lead = localized.string(LocalizedText("There are new ones tomorrow."))
        }
    }
}
