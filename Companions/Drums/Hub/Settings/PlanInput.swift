import DrumsEngine
import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// A plan in a request, whole: what is left out is not in it.
struct PlanInput: Decodable, Sendable {
    static let minutesPerWeekChoices = 5...600
    static let minutesPerSessionChoices = 1...30
    static let minutesPerDayChoices = 1...120
    static let belowPercentChoices = 10...90
    static let beatsChoices = 5...40
    static let painLimitChoices = 1...10
    /// The most characters of the name of who set it.
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

    /// Checks the input, and makes the plan.
    ///
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
