import HubKit

@testable import BrushingHub

/// The facts of a row: the clock, and then each person with what is known of them, `17:25 | Mila 7:05 | Theo off:ill`.
///
/// `7:05` brushed then; `in:9:00` their own clock; `once` a day is enough; `off:ill`, `off:holiday`, `off:skip`; `new`
/// here; `away` has never brushed here; `row:12` days; `takes:60` seconds; `rings:19:30` a reminder of this half;
/// `next:1@7:00` the next reminder, tomorrow; `head` is worn; `visit:1@15:30@Dentist` an appointment tomorrow.
enum OverviewFacts {
    struct Unreadable: Error { var word: String }

    static func people(_ facts: String) throws -> [OverviewText.Person] {
        let parts = facts.components(" | ")
        let clock = try minute(parts[0])
        return try parts.dropFirst().map { part in
            let words = part.components(" ")
            var person = OverviewText.Person(name: words[0], part: DayPart(minute: clock))
            for word in words.dropFirst() { try read(word, into: &person) }
            return person
        }
    }

    private static func read(_ word: String, into person: inout OverviewText.Person) throws {
        let value = word.components(":").dropFirst().joined(separator: ":")
        switch word.components(":")[0] {
        case "in": person.part = DayPart(minute: try minute(value))
        case "once": person.perDay = 1
        case "off":
            guard let reason = FrozenDay.Reason(rawValue: value) else { throw Unreadable(word: word) }
            person.dayOff = reason
        case "new": person.isNew = true
        case "away": person.takesPart = false
        case "row": person.streakDays = Int(value) ?? 0
        case "takes": person.plannedSeconds = Int(value) ?? 0
        case "rings": person.reminderNow = try minute(value)
        case "next": person.reminderNext = try moment(value).0
        case "head": person.isBrushHeadDue = true
        case "visit":
            let (moment, title) = try moment(value)
            person.appointment = (title, moment.days, moment.minute)
        default: person.minutes.append(try minute(word))
        }
    }

    private static func moment(_ text: String) throws -> (OverviewText.Person.Moment, String) {
        let parts = text.components("@")
        guard parts.count > 1, let days = Int32(parts[0]) else { throw Unreadable(word: text) }
        return (.init(days: days, minute: try minute(parts[1])), parts.count > 2 ? parts[2] : "")
    }

    private static func minute(_ text: String) throws -> Int32 {
        let parts = text.components(":").map { Int32($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1] else { throw Unreadable(word: text) }
        return hour * 60 + minute
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
