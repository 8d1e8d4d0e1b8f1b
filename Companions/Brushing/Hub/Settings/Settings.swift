import BrushingEngine
import Foundation
import GRDB
import HubKit
import Storage

/// The settings of one person's brushing.
struct Settings: Storage.TableRecord {
    static let databaseTableName = "brushing_settings"

    /// The age in years below which a child gets the children's mode, and two minutes without floss, without being
    /// asked.
    static let childModeAge = 8
    /// The numbers of sessions that can be asked for a day.
    static let perDayChoices = BrushingProgress.perDayChoices
    /// The range of weeks for which a brush head is used; a quarter of a year unless somebody says otherwise, as Great
    /// Teeth has it.
    static let headWeekChoices = 1...26
    /// The weeks of somebody who wants no reminder of it.
    static let headNever = 0

    var person: String
    var household: String
    /// The preset of the routine; nil for a routine of the person's own.
    var preset: RoutinePreset?
    /// The steps, in the engine's codec.
    var routine: Data
    var hasSound = true
    var hasVibration = true
    var hasColour = true
    /// Whether children's mode is on; nil while the person's age decides.
    var isChildMode: Bool?
    /// The number of sessions that keep a day.
    var perDay = 2
    /// The local day, since 1 January 1970, on which the brush head was replaced last; nil while nobody has said.
    var headReplaced: Int32?
    /// The weeks that a brush head is used: ``headNever``, or one of ``headWeekChoices``.
    var headWeeks = 12

    /// Makes the settings that hold until somebody decides something: Great Teeth's routine, and for a small child two
    /// minutes and no floss.
    ///
    /// - Parameter year: the present one.
    init(of person: PersonRecord, year: Int) {
        self.person = person.id
        household = person.household
        let preset: RoutinePreset = Self.isSmall(person, year: year) ? .two : .original
        self.preset = preset
        routine = Data(preset.routine.ordered(.rows).bytes)
    }

    /// The person's settings, or those that hold until there are any.
    static func of(_ subject: Subject, _ db: Database) throws -> Settings {
        try fetchOne(db, key: subject.person.id)
            ?? Settings(of: subject.person, year: CivilDate(day: subject.today).year)
    }

    private static func isSmall(_ person: PersonRecord, year: Int) -> Bool {
        person.birthYear.map { year - $0 < childModeAge } ?? false
    }

    /// The number of sessions that keep a day of one person's.
    static func perDay(person: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, cached: "SELECT per_day FROM brushing_settings WHERE person = ?", arguments: [person]) ?? 2
    }

    /// The local days, since 1 January 1970, that neither break nor lengthen somebody's streak: all there are,
    /// ascending.
    static func frozenDays(person: String, _ db: Database) throws -> [Int32] {
        try Int32.fetchAll(
            db, cached: "SELECT day FROM brushing_frozen_day WHERE person = ? ORDER BY day", arguments: [person])
    }

    /// The steps.
    var steps: Routine {
        // Only what the engine approved is stored; one that a later engine refuses is not worth a day without brushing.
        (try? Routine(bytes: Array(routine))) ?? .original
    }

    /// Takes other steps, under the name of their preset or as somebody's own; the order of the quarters stays.
    mutating func use(_ steps: Routine, preset: RoutinePreset?) {
        routine = Data(steps.ordered(quarters).bytes)
        self.preset = preset
    }

    /// The order in which the quarters of the mouth are brushed.
    var quarters: QuarterOrder {
        get { steps.quarters ?? .rows }
        set { routine = Data(steps.ordered(newValue).bytes) }
    }

    /// Whether pages are to be big and playful and to need no reading.
    ///
    /// - Parameter year: the present one.
    func isChildMode(of person: PersonRecord, year: Int) -> Bool {
        isChildMode ?? Self.isSmall(person, year: year)
    }

    /// The day on which a brush head has done its time; nil while nobody has said when it was new, and where nobody is
    /// to be reminded.
    var headSuggested: Int32? {
        headWeeks == Self.headNever ? nil : headReplaced.map { $0 + Int32(headWeeks) * 7 }
    }
}

/// A routine that comes with Tandem.
enum RoutinePreset: String, Codable, Sendable, CaseIterable {
    case original, one, two, three

    var routine: Routine {
        switch self {
        case .original: .original
        case .one: Routine.preset(minutes: 1) ?? .original
        case .two: Routine.preset(minutes: 2) ?? .original
        case .three: Routine.preset(minutes: 3) ?? .original
        }
    }
}

/// The order of the quarters in JSON.
enum QuarterOrderName: String, Codable, Sendable, CaseIterable {
    case rows, around

    init(_ order: QuarterOrder) { self = order == .rows ? .rows : .around }

    var order: QuarterOrder { self == .rows ? .rows : .around }
}

/// A day on which nobody asks for brushing.
struct FrozenDay: Storage.TableRecord {
    static let databaseTableName = "brushing_frozen_day"

    /// The reason for a day off.
    enum Reason: String, Codable, Sendable, CaseIterable { case skip, ill, holiday }

    var person: String
    /// The day, counted from 1 January 1970.
    var day: Int32
    var household: String
    var reason: Reason
}

/// An appointment at the dentist's or the like.
struct Appointment: Storage.TableRecord {
    static let databaseTableName = "brushing_appointment"

    var id: String
    var person: String
    var household: String
    var title: String
    /// The day, counted from 1 January 1970, and the minute of that day by the person's clock.
    var day: Int32
    var minute: Int32
    var note: String?
}
