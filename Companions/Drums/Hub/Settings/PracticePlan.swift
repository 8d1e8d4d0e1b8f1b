import DrumsEngine
import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// A plan of how much is to be practised, and where it ends, as a therapist sets it: the hub counts against it, and
/// stops where it says so.
struct PracticePlan: Storage.TableRecord {
    static let databaseTableName = "drums_plan"

    var person: String
    /// The local day, since 1 January 1970, from which it holds.
    var fromDay: Int32
    var household: String
    /// The person who set it, by the name that the family uses.
    var setBy: String
    /// The minutes a week; nought ends the plan before.
    var minutesPerWeek: Int
    /// The level of the songs; nil where the plan leaves it to the settings.
    var level: Int?
    /// The ``DrumSet/rawValue`` of the drums; nil where the plan leaves them to the settings.
    var drums: UInt8?
    /// The identifiers of the songs, a line each.
    var songs: String
    /// Whether only those may be played.
    var isOnlySongs: Bool
    var minutesPerSession: Int?
    var minutesPerDay: Int?
    /// A rest is due when fewer percent of the last ``beats`` are right.
    var belowPercent: Int?
    var beats: Int
    var note: String?
    /// The tempo in percent of a song's own; nil where the plan leaves it to the settings.
    var tempoPercent: Int?
    /// Whether effort and pain are asked for before and after a practice.
    var asksEffort = false
    var asksPain = false
    /// The pain from which on the page says to stop; nil for no such limit.
    var painLimit: Int?

    /// The ids of the plan's songs, in their order.
    var songIDs: [String] { songs.split(separator: "\n").map(String.init) }

    /// Whether there is a plan from that day on.
    var isPlan: Bool { minutesPerWeek > 0 }

    /// The plan in words.
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
    /// The words about the reports that it asks for; nil for none.
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
