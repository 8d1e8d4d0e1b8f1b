import GRDB
import HubKit
import Storage
import TriviaToyEngine

/// The rules of the house, which a toy keeps by itself too.
struct RulesRoutes: Sendable {
    let toy: TriviaToy

    private static let path = "/api/toy/people/{person}/rules"
    /// The limits of facts in a day that can be set.
    private static let limits = 1...1_000
    /// The rates in words a minute that the speech module can say so that they are understood; it takes 75 to 600.
    private static let rates = 75...300

    func add(to routes: Routes) {
        routes.get(Self.path, .member, "Quiet hours, the limit of a day and the volume of somebody’s toys.") {
            request in
            let member = try request.member
            let (hub, id, now) = (request.hub, try request.path("person"), request.hub.clock.now())
            return try .json(
                try await hub.database.pool.read { db in
                    let subject = try Subject.read(id, by: member, hub, now: now, db)
                    return RulesResponse(try .of(subject.person.id, household: member.household, db), now: subject)
                })
        }
        routes.put(
            Self.path, .adult,
            "Lays down rules; what is left out stays. The toys hear of it at once, or when they are back.",
            takes: RulesInput.self
        ) { request, input in
            let household = try request.member.household
            let (hub, id, now) = (request.hub, try request.path("person"), request.hub.clock.now())
            let (response, toys) = try await hub.database.pool.write { db in
                let subject = try Subject.find(id, household: household, now: now, db)
                var rules = try HouseRulesRecord.of(id, household: household, db)
                try input.apply(to: &rules)
                try rules.save(db)
                hub.live.publish(changed: "rules", id: id, of: TriviaToy.self, household: household, after: db)
                return (
                    RulesResponse(rules, now: subject),
                    try String.fetchAll(db, cached: "SELECT device FROM toy_device WHERE person = ?", arguments: [id])
                )
            }
            for device in toys { toy.delivery.serve(device) }
            return try .json(response)
        }
    }

    private struct RulesInput: Decodable {
        struct QuietHours: Decodable {
            /// The beginning and the end, minutes of the day.
            var from, until: Int
        }

        var quietHours: QuietHours?
        var hasQuietHours: Bool?
        /// The most facts in a day.
        var dailyLimit: Int?
        var hasDailyLimit: Bool?
        var loudness: Loudness?
        var wordsPerMinute: Int?
        var voice: Int?
        var usesOriginalThrowRule: Bool?

        func apply(to rules: inout HouseRulesRecord) throws {
            if let quietHours {
                let day = 0..<1_440
                guard day.contains(quietHours.from), day.contains(quietHours.until) else {
                    throw Problem.field("quietHours", "Quiet hours are minutes of a day, 0 to 1,439.")
                }
                guard quietHours.from != quietHours.until else {
                    throw Problem.field("quietHours", "Quiet hours end at another time than they begin.")
                }
                (rules.quietStart, rules.quietEnd) = (quietHours.from, quietHours.until)
            }
            if hasQuietHours == false { (rules.quietStart, rules.quietEnd) = (0, 0) }
            if let dailyLimit {
                guard limits.contains(dailyLimit) else {
                    throw Problem.field(
                        "dailyLimit", "A limit is between \(limits.lowerBound) and \(limits.upperBound) facts a day.")
                }
                rules.dailyLimit = dailyLimit
            }
            if hasDailyLimit == false { rules.dailyLimit = nil }
            if let loudness { rules.volumeCap = loudness.decibels }
            if let wordsPerMinute {
                guard rates.contains(wordsPerMinute) else {
                    throw Problem.field(
                        "wordsPerMinute",
                        "A toy speaks between \(rates.lowerBound) and \(rates.upperBound) words a minute.")
                }
                rules.wordsPerMinute = wordsPerMinute
            }
            if let voice {
                guard (0...8).contains(voice) else { throw Problem.field("voice", "A toy has the voices 0 to 8.") }
                rules.voice = voice
            }
            if let usesOriginalThrowRule { rules.usesOriginalThrowRule = usesOriginalThrowRule }
        }
    }
}

/// The rules of somebody's toys, and what follows from them now.
struct RulesResponse: Codable {
    struct QuietHours: Codable {
        /// The beginning and the end, minutes of the day.
        var from, until: Int
    }

    /// The quiet hours; nil for none.
    var quietHours: QuietHours?
    /// The most facts in a day; nil for no limit.
    var dailyLimit: Int?
    var loudness: Loudness
    var wordsPerMinute: Int
    var voice: Int
    var usesOriginalThrowRule: Bool
    /// Whether it is a quiet hour now, by this person's clock.
    var isQuietNow: Bool

    init(_ record: HouseRulesRecord, now subject: Subject) {
        let rules = record.rules
        quietHours =
            rules.hasQuietHours ? QuietHours(from: Int(rules.quietStart), until: Int(rules.quietEnd)) : nil
        dailyLimit = record.dailyLimit
        loudness = Loudness(decibels: record.volumeCap)
        wordsPerMinute = record.wordsPerMinute
        voice = record.voice
        usesOriginalThrowRule = record.usesOriginalThrowRule
        isQuietNow = rules.isQuiet(minuteOfDay: UInt16(clamping: subject.minute))
    }
}
