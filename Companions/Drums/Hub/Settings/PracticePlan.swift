import DrumsEngine
import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// How much is to be practised, and where it ends, as a therapist sets it: the hub counts against it, and stops where it
/// says so.
struct PracticePlan: Storage.TableRecord {
    static let databaseTableName = "drums_plan"

    var person: String
    /// The local day, since 1 January 1970, from which it holds.
    var fromDay: Int32
    var household: String
    /// Who set it, as the family calls them.
    var setBy: String
    /// Nought ends the plan before.
    var minutesPerWeek: Int
    /// Nil where it leaves the level to the settings.
    var level: Int?
    /// ``DrumSet/rawValue``; nil where it leaves the drums to the settings.
    var drums: UInt8?
    /// Identifiers, a line each.
    var songs: String
    /// Whether only those may be played.
    var isOnlySongs: Bool
    var minutesPerSession: Int?
    var minutesPerDay: Int?
    /// A rest is due when fewer percent of the last ``beats`` are right.
    var belowPercent: Int?
    var beats: Int
    var note: String?
    /// Of a song's own tempo; nil where it leaves the tempo to the settings.
    var tempoPercent: Int?
    /// Whether effort and pain are asked for before and after a practice.
    var asksEffort = false
    var asksPain = false
    /// From which pain on the page says to stop; nil for no such limit.
    var painLimit: Int?

    /// Of the songs, in their order.
    var songIDs: [String] { songs.split(separator: "\n").map(String.init) }

    /// Whether there is a plan from that day on.
    var isPlan: Bool { minutesPerWeek > 0 }

    /// What it asks for, in words.
    ///
    /// - Parameter today: by the person's clock.
    func words(today: Int32, in localized: Localizer) -> String {
        let from = CivilDate(day: fromDay).text(from: CivilDate(day: today))
        let whole =
            fromDay > today
            ? localized("\(minutesPerWeek) minutes a week from \(from), set by \(setBy).")
            : localized("\(minutesPerWeek) minutes a week since \(from), set by \(setBy).")
        let stops = [
            minutesPerSession.map { localized("at most \($0) minutes at a time") },
            minutesPerDay.map { localized("at most \($0) minutes a day") },
            belowPercent.map { localized("a rest when fewer than \($0)% of the last \(spelled: beats) are right") },
        ].compactMap { $0 }
        var sentences = [whole]
        if !stops.isEmpty { sentences.append("\(stops.joined(separator: ", ").capitalizedFirst).") }
        if let asked { sentences.append(localized.string(asked)) }
        return sentences.joined(separator: " ")
    }
}

extension PracticePlan {
    /// What it wants to be told, in words; nil for nothing.
    private var asked: LocalizedText? {
        switch (asksPain, asksEffort, painLimit) {
        case (false, false, _): nil
        case (false, true, _): LocalizedText("Asks for effort before and after.")
        case (true, false, nil): LocalizedText("Asks for pain before and after.")
        case (true, true, nil): LocalizedText("Asks for pain and effort before and after.")
        case (true, false, let limit?):
            LocalizedText("Asks for pain before and after, and says to stop from \(limit) on.")
        case (true, true, let limit?):
            LocalizedText("Asks for pain and effort before and after, and says to stop from pain \(limit) on.")
        }
    }
}

/// All plans that somebody has had, the earliest first.
struct PracticePlans: Sendable {
    var all: [PracticePlan]

    init(_ all: [PracticePlan]) { self.all = all }

    init(of person: String, _ db: Database) throws {
        all = try PracticePlan.fetchAll(
            db, sql: "SELECT * FROM drums_plan WHERE person = ? ORDER BY from_day", arguments: [person])
    }

    /// The plan that holds on a day; nil where none does.
    func plan(on day: Int32) -> PracticePlan? {
        all.last { $0.fromDay <= day }.flatMap { $0.isPlan ? $0 : nil }
    }

    /// The plan that holds on a day, or the next that will.
    func planOrNext(on day: Int32) -> PracticePlan? {
        plan(on: day) ?? all.first { $0.fromDay > day && $0.isPlan }
    }

    /// Minutes planned in some days: a seventh of a week's for each of them, rounded; nil where no day has a plan.
    func minutes(_ days: ClosedRange<Int32>) -> Int? {
        var sevenths = 0
        var isPlanned = false
        for day in days {
            guard let plan = plan(on: day) else { continue }
            isPlanned = true
            sevenths += plan.minutesPerWeek
        }
        return isPlanned ? (sevenths * 2 + 7) / 14 : nil
    }
}

/// A plan in a request, whole: what is left out is not in it.
struct PlanInput: Decodable, Sendable {
    static let minutesPerWeekChoices = 5...600
    static let minutesPerSessionChoices = 1...30
    static let minutesPerDayChoices = 1...120
    static let belowPercentChoices = 10...90
    static let beatsChoices = 5...40
    static let painLimitChoices = 1...10
    /// Characters.
    static let longestSetBy = 80
    static let longestNote = 400
    static let mostSongs = 100

    var setBy: String
    var from: String?
    var minutesPerWeek: Int
    var level, tempoPercent: Int?
    var drums: [Bool]?
    var songs: [String]?
    var onlySongs: Bool?
    var minutesPerSession, minutesPerDay, belowPercent, beats: Int?
    var note: String?
    var asksEffort, asksPain: Bool?
    var painLimit: Int?

    /// - Throws: a 422 problem for what cannot be planned.
    func checked(of subject: Subject, _ db: Database) throws -> PracticePlan {
        let name = setBy.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw Problem.field("setBy", "Say who set the plan, such as Ms Okafor.") }
        guard name.count <= Self.longestSetBy, !name.contains(where: \.isNewline) else {
            throw Problem.field("setBy", "The name is longer than \(Self.longestSetBy) characters, or has lines.")
        }
        let note = note?.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (note ?? "").count <= Self.longestNote else {
            throw Problem.field("note", "The note is longer than \(Self.longestNote) characters.")
        }
        let day = try from.map { try Self.day($0, today: subject.today) } ?? subject.today
        let songs = try checkedSongs(of: subject, db)
        guard painLimit == nil || asksPain == true else {
            throw Problem.field("painLimit", "To stop at some pain, the plan has to ask for pain too. Switch that on.")
        }
        return PracticePlan(
            person: subject.person.id, fromDay: day, household: subject.household.id, setBy: name,
            minutesPerWeek: try Self.number(
                minutesPerWeek, Self.minutesPerWeekChoices, "minutesPerWeek", LocalizedText("minutes a week")),
            level: try level.map { try SettingsInput.level($0) },
            drums: try drums.map { try DrumSet(flags: $0).rawValue }, songs: songs.joined(separator: "\n"),
            isOnlySongs: onlySongs ?? false,
            minutesPerSession: try minutesPerSession.map {
                try Self.number(
                    $0, Self.minutesPerSessionChoices, "minutesPerSession", LocalizedText("minutes at a time"))
            },
            minutesPerDay: try minutesPerDay.map {
                try Self.number($0, Self.minutesPerDayChoices, "minutesPerDay", LocalizedText("minutes a day"))
            },
            belowPercent: try belowPercent.map {
                try Self.number($0, Self.belowPercentChoices, "belowPercent", LocalizedText("percent right"))
            },
            beats: try Self.number(beats ?? 10, Self.beatsChoices, "beats", LocalizedText("beats to look at")),
            note: note.flatMap { $0.isEmpty ? nil : $0 }, tempoPercent: try tempoPercent.map(SettingsInput.tempo),
            asksEffort: asksEffort ?? false, asksPain: asksPain ?? false,
            painLimit: try painLimit.map {
                try Self.number($0, Self.painLimitChoices, "painLimit", LocalizedText("as the pain to stop at"))
            })
    }

    private func checkedSongs(of subject: Subject, _ db: Database) throws -> [String] {
        let songs = songs ?? []
        guard songs.count <= Self.mostSongs else {
            throw Problem.field("songs", "A plan names at most \(Self.mostSongs) songs.")
        }
        let known = Set(try SongShelf.all(household: subject.household.id, db).map(\.id))
        for song in songs where !known.contains(song) {
            throw Problem.field(
                "songs", "There is no song “\(String(song.prefix(40)))” here. It may have been removed.")
        }
        guard !(onlySongs ?? false) || !songs.isEmpty else {
            throw Problem.field("songs", "Choose the songs that may be played: with none there is nothing to play.")
        }
        var seen = Set<String>()
        return songs.filter { seen.insert($0).inserted }
    }

    private static func number(_ value: Int, _ range: ClosedRange<Int>, _ field: String, _ unit: LocalizedText) throws
        -> Int
    {
        guard range.contains(value) else {
            throw Problem.field(field, "A plan can say \(range.lowerBound) to \(range.upperBound) \(unit).")
        }
        return value
    }

    private static func day(_ text: String, today: Int32) throws -> Int32 {
        guard let day = CivilDate(text)?.day else {
            throw Problem.field("from", "A day is written as 2026-12-02, and is one that the calendar has.")
        }
        guard (today - 366...today + 366).contains(day) else {
            throw Problem.field("from", "A plan begins within a year of today.")
        }
        return day
    }
}
