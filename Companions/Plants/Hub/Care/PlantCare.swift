import GRDB
import HubKit
import Localization
import PlantsEngine
import Storage

/// An entry of care: what was done for a plant besides watering, or a note about it.
struct CareRecord: Storage.TableRecord {
    static let databaseTableName = "plant_care"

    enum What: String, Codable, Sendable, CaseIterable { case fertilised, repotted, note }

    var id: String
    var household: String
    var plant: String
    /// UTC milliseconds, as every `At` of the records.
    var at: Int64
    var what: What
    /// The note; empty where nobody wrote anything.
    var note: String
    var person: String?
    /// The time at which somebody took it back.
    var undoneAt: Int64?
}

/// The next day on which a plant is to be fertilised or repotted.
struct CareDue: Sendable, Equatable {
    var what: CareRecord.What
    /// The local day, since 1 January 1970.
    var day: Int

    /// Finds what is due for a plant.
    ///
    /// - Parameters:
    ///   - last: when each was done last, by what it was, UTC milliseconds. Where it never was, the plant's own
    ///     beginning here counts: nobody knows what was before.
    static func all(of plant: PlantRecord, last: [CareRecord.What: Int64], _ calendar: HouseholdCalendar) -> [CareDue] {
        func day(_ what: CareRecord.What) -> Int { calendar.day(of: last[what] ?? plant.createdAt) }
        var all: [CareDue] = []
        if let weeks = plant.fertiliseWeeks {
            all.append(CareDue(what: .fertilised, day: calendar.season.day(atOrAfter: day(.fertilised) + 7 * weeks)))
        }
        if let years = plant.repotYears {
            all.append(CareDue(what: .repotted, day: calendar.season.day(atOrAfter: day(.repotted) + 365 * years)))
        }
        return all
    }

    /// A sentence: `Fertilise it on 1 March.`
    func words(_ calendar: HouseholdCalendar) -> LocalizedText {
        let isDue = day <= calendar.day(of: calendar.now)
        return switch what {
        case .repotted where isDue: LocalizedText("It would like a bigger pot.")
        case .repotted: LocalizedText("A bigger pot: from \(calendar.date(day)) on.")
        case _ where isDue: LocalizedText("It would like some fertiliser.")
        default: LocalizedText("Fertiliser: from \(calendar.date(day)) on.")
        }
    }
}

/// An entry of care in a request.
struct CareInput: Decodable, Sendable, RefusesControls {
    /// The kind of the entry: `fertilised`, `repotted` or `note`.
    var what: String
    var note: String?
    /// UTC milliseconds; now where it is left out.
    var at: Int64?
    var person: String?

    /// The longest note, in characters.
    static let longestNote = 500

    /// Checks the input.
    ///
    /// - Parameter hasPhoto: whether there is a picture, which needs no words.
    func checked(hasPhoto: Bool = false) throws -> (what: CareRecord.What, note: String) {
        guard let known = CareRecord.What(rawValue: what) else {
            throw Problem.field("what", "What can be noted is: fertilised, repotted, or a note.")
        }
        let text = (note ?? "").trimmingSpaces
        guard known != .note || !text.isEmpty || hasPhoto else {
            throw Problem.field("note", "Write a few words first.")
        }
        guard text.unicodeScalars.count <= Self.longestNote else {
            throw Problem.field("note", "A note has at most \(Self.longestNote) characters.")
        }
        guard text.unicodeScalars.allSatisfy({ $0 == "\n" || $0.properties.generalCategory != .control }) else {
            throw Problem.field("note", "A note is plain text.")
        }
        return (known, text)
    }
}

extension Database {
    /// The latest of what was done for each plant and not taken back, by plant and by what it was.
    func lastCare(ofPlants plants: [String]) throws -> [String: [CareRecord.What: Int64]] {
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT plant, what, max(at) AS at FROM plant_care
                WHERE plant IN (SELECT value FROM json_each(?)) AND undone_at IS NULL GROUP BY plant, what
                """, arguments: [Self.jsonText(plants)])
        var last: [String: [CareRecord.What: Int64]] = [:]
        for row in rows {
            guard let what = CareRecord.What(rawValue: row["what"]) else { continue }
            last[row["plant"], default: [:]][what] = row["at"]
        }
        return last
    }

    /// A plant's newest entries, the latest first, those taken back left out.
    func care(ofPlant plant: String, most: Int) throws -> [CareRecord] {
        try CareRecord.fetchAll(
            self, sql: "SELECT * FROM plant_care WHERE plant = ? AND undone_at IS NULL ORDER BY at DESC, id LIMIT ?",
            arguments: [plant, most])
    }

    /// The entries that have a picture, of some entries.
    func photos(ofEntries entries: [String]) throws -> Set<String> {
        try String.fetchSet(
            self, sql: "SELECT entry FROM plant_photo WHERE entry IN (SELECT value FROM json_each(?))",
            arguments: [Self.jsonText(entries)])
    }
}
