import GRDB
import HubKit
import Localization
import Storage
import TriviaToyEngine

/// The context that stands below a fact: who has heard it, as far as the page may see, and some more of its subject.
struct FactContextResponse: Codable {
    /// The last time that somebody heard it.
    struct Heard: Codable {
        var person, name: String
        var face: String?
        /// UTC milliseconds.
        var at: Int64
        var ending: PlayRecord.Ending
        /// The toy's name; nil for a page.
        var deviceName: String?
        /// The number of others that somebody is to hear before it; nil where its turn may come again.
        var unheard: Int?
    }

    /// A fact by itself.
    struct Other: Codable {
        var id: Int64
        var text: String
        var category: CategoryName
        var language: LanguageName
    }

    /// The quiet hours of whoever looks at it, in which it is not said aloud.
    var silence: HouseSilence?
    /// The people who heard it, the last one first.
    var heard: [Heard]
    var more: [Other]

    /// The number of other facts that are shown.
    private static let others = 3

    init(
        of fact: FactRecord, for member: Member, hub: HubContext, now: Int64, in localized: Localizer, _ db: Database
    ) throws {
        let home = try HouseholdRecord.find(db, key: member.household)
        let reader = Subject(member.profile, of: home, now: now)
        // One that was heard already does not count again.
        silence = try .quietHours(for: reader, in: localized, db)
        heard = []
        for person in try PersonRecord.all(of: member.household, db)
        where hub.policy.allowsViewing(member, of: person, now: now) {
            guard let listener = try FactQueue.known(person: person.id, db),
                let last = try Row.fetchOne(
                    db,
                    cached: """
                        SELECT at, ending, device.name FROM toy_play LEFT JOIN device ON device.id = toy_play.device
                        WHERE listener = ? AND fact = ? ORDER BY toy_play.id DESC LIMIT 1
                        """, arguments: [listener, fact.id])
            else { continue }
            let filter = try ListeningSettings.factFilter(of: Subject(person, of: home, now: now), db)
            let unheard = try FactQueue.unheard(by: listener, household: member.household, filter, db)
            heard.append(
                Heard(
                    person: person.id, name: person.name, face: person.face, at: last[0],
                    ending: PlayRecord.Ending(rawValue: last[1]) ?? .unknown, deviceName: last[2],
                    unheard: unheard > 0 ? unheard : nil))
        }
        heard.sort { $0.at > $1.at }
        let asking = try ListeningSettings.factFilter(of: reader, db)
        // Those behind it first, so that each page has others.
        more = try Row.fetchAll(
            db,
            cached: """
                SELECT id, text FROM toy_fact
                WHERE household = ? AND language = ? AND category = ? AND youngest_age <= ? AND id <> ?
                ORDER BY id < ?, id LIMIT ?
                """,
            arguments: [
                member.household, fact.language.rawValue, fact.category, Int(asking.choice.age), fact.id, fact.id,
                Self.others,
            ]
        ).map { Other(id: $0[0], text: $0[1], category: CategoryName(number: fact.category), language: fact.language) }
    }
}
