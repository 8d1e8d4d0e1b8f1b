import BrushingEngine
import Foundation
import HubKit
import Localization
import Storage

/// The content of the first screen in one answer, which a phone keeps for when the hub is away.
struct OverviewResponse: Codable {
    /// The ranges that the hub takes, for the fields of a page.
    struct Limits: Codable {
        struct Range: Codable { var least, most: Int }
        /// The most characters of an appointment's title.
        var appointmentTitle = AppointmentInput.longestTitle
        var appointmentNote = AppointmentInput.longestNote
        var headWeeks = Range(least: Settings.headWeekChoices.lowerBound, most: Settings.headWeekChoices.upperBound)
    }

    /// A routine that comes with Tandem.
    struct Preset: Codable {
        var name: String
        var plannedSeconds: Int

        init(_ preset: RoutinePreset) {
            name = preset.rawValue
            plannedSeconds = Int(preset.routine.plannedMilliseconds / 1_000)
        }
    }

    var headline: HeadlineResponse
    var limits = Limits()
    var presets = RoutinePreset.allCases.map(Preset.init)
    var people: [OverviewPerson]

    /// Answers one member in one language.
    ///
    /// - Parameter situations: of everybody of the household.
    init(_ situations: [PersonSituation], for member: Member, in language: Language, hub: HubContext, now: Int64) {
        let words = OverviewText(
            situations.map { situation in
                var person = OverviewText.Person(situation)
                if !hub.policy.allowsViewing(member, of: situation.subject.person, now: now) { person.forgetOwn() }
                return person
            })
        headline = HeadlineResponse(words, in: Localizer(language, from: .brushing))
        people = situations.map { OverviewPerson($0, for: member, in: language, hub: hub) }
    }
}

/// A person as the screens of this companion show them.
struct OverviewPerson: Codable {
    struct RoutineResponse: Codable {
        struct Step: Codable {
            var kind: String
            var repetitions, seconds: Int
            var isOn: Bool
        }
        /// A preset's name, or `own`.
        var preset: String
        var steps: [Step]
        /// The order in which the quarters of the mouth are brushed.
        var quarters: QuarterOrderName
        var plannedSeconds: Int
        /// The routine in the engine's codec, for the page's engine.
        var bytes: Data
    }
    struct Done: Codable { var morning, evening: Bool }
    struct Cues: Codable { var sound, vibration, colour: Bool }
    struct Progress: Codable {
        /// The engine's own state, for the page's engine to go on from.
        var state: Data
        /// All sessions of the week, those that it needs, and those of them that are done: each half of a day once.
        var sessions, sessionsThisWeek, askedThisWeek, keptThisWeek: Int
        var totalSeconds: Int64
        var streakDays, longestStreakDays, habitPercent: Int
        var garden: GardenResponse
    }
    /// The garden that grows with brushing.
    struct GardenResponse: Codable {
        var trees, leaves, leavesPerTree: Int

        init(_ garden: Garden) {
            trees = garden.trees
            leaves = garden.leaves
            leavesPerTree = Garden.leavesPerTree
        }
    }
    struct BrushHead: Codable {
        var replacedDay: String?
        /// The weeks after which to replace it; nil where nobody is to be reminded.
        var weeks: Int?
        var suggestedDay: String?
        var isDue: Bool
    }
    struct Day: Codable {
        var day: String
        var reason: FrozenDay.Reason
    }
    struct AwardResponse: Codable {
        var name, day: String
        /// The one that earned it.
        var session: String

        init(_ given: SessionHistory.Given) {
            name = "\(given.award.name)"
            day = "\(CivilDate(day: given.day))"
            session = given.session
        }
    }
    struct AppointmentResponse: Codable {
        var id, title, day: String
        var minute: Int32
        var note: String?
    }

    var id, name: String
    var role: PersonRecord.Role
    var face: String?
    /// Whether the page that asks may deliver this person's sessions, see what is their own, and decide about them.
    var mayDeliver, mayRead, mayDecide: Bool
    /// The household's where the page may not see theirs.
    var timeZone: String
    /// Whether it is done, of this brushing day.
    var done: Done
    /// The routine with which a session is recorded for this person, as it is with the cues and children's mode.
    var routine: RoutineResponse
    var cues: Cues
    var isChildMode: Bool
    /// Whether somebody decided that, and not the age.
    var isChildModeChosen: Bool
    var perDay: Int
    /// The person's progress. This and what follows is nil or empty where the page may not see what is the person's
    /// own.
    var progress: Progress?
    /// The comparison of the last two weeks with the two before, in a sentence; nil where there is nothing to tell.
    var trend: String?
    var week: [SessionHistory.WeekDay] = []
    /// The frozen days from Monday of this week on.
    var frozenDays: [Day] = []
    /// The sessions of this brushing day, the earliest first.
    var today: [BrushingSessionResponse] = []
    var lastSession: BrushingSessionResponse?
    var brushHead: BrushHead?
    var appointments: [AppointmentResponse] = []
    var awards: [AwardResponse] = []

    init(_ situation: PersonSituation, for member: Member, in language: Language, hub: HubContext) {
        let subject = situation.subject
        let person = subject.person
        let settings = situation.settings
        id = person.id
        name = person.name
        role = person.role
        face = person.face
        mayDeliver = hub.policy.allowsSession(member, of: person)
        let now = subject.now
        mayRead = hub.policy.allowsViewing(member, of: person, now: now)
        mayDecide = hub.policy.allowsSettings(member, of: person, now: now)
        timeZone = mayRead ? subject.calendar.timeZone.identifier : subject.household.timeZone
        let counted = situation.sessionsToday.filter(\.counts)
        done = Done(
            morning: counted.contains { $0.slot == .morning }, evening: counted.contains { $0.slot == .evening })
        let steps = settings.steps
        routine = RoutineResponse(
            preset: settings.preset?.rawValue ?? "own",
            steps: steps.steps.map {
                .init(kind: $0.kind.name, repetitions: $0.repetitions, seconds: $0.seconds, isOn: $0.isOn)
            }, quarters: QuarterOrderName(settings.quarters), plannedSeconds: Int(steps.plannedMilliseconds / 1_000),
            bytes: Data(steps.bytes))
        cues = Cues(sound: settings.hasSound, vibration: settings.hasVibration, colour: settings.hasColour)
        isChildMode = settings.isChildMode(of: person, year: CivilDate(day: subject.today).year)
        isChildModeChosen = settings.isChildMode != nil
        perDay = settings.perDay
        guard mayRead else { return }
        let progress = situation.history.progress
        self.progress = Progress(
            state: Data(progress.bytes), sessions: progress.sessions, sessionsThisWeek: progress.sessionsThisWeek,
            askedThisWeek: progress.askedThisWeek, keptThisWeek: progress.keptThisWeek,
            totalSeconds: BrushingSessionResponse.seconds(progress.totalMilliseconds), streakDays: progress.streakDays,
            longestStreakDays: progress.longestStreakDays, habitPercent: progress.habitPercent,
            garden: GardenResponse(progress.garden))
        trend = BrushingTrend(situation.history)?.text.string(in: language, from: .brushing)
        week = situation.history.week
        frozenDays = situation.frozen.map { Day(day: "\(CivilDate(day: $0.day))", reason: $0.reason) }
        today = situation.sessionsToday
        lastSession = situation.last
        brushHead = BrushHead(
            replacedDay: settings.headReplaced.map { "\(CivilDate(day: $0))" },
            weeks: settings.headWeeks == Settings.headNever ? nil : settings.headWeeks,
            suggestedDay: settings.headSuggested.map { "\(CivilDate(day: $0))" }, isDue: situation.isBrushHeadDue)
        appointments = situation.appointments.map {
            AppointmentResponse(
                id: $0.id, title: $0.title, day: "\(CivilDate(day: $0.day))", minute: $0.minute, note: $0.note)
        }
        awards = situation.awards.map(AwardResponse.init)
    }
}
