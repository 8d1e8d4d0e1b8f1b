import DrumsEngine
import Foundation
import HubKit
import Localization
import Storage

/// The content of the first screen and the stage in one answer, which a phone keeps for when the hub is away. The songs
/// are apart, in `/api/drums/songs`: they are long, hardly ever change, and Today has no use for them.
struct OverviewResponse: Codable {
    /// The limits that the hub sets, for the fields of a page.
    struct Limits: Codable {
        struct Range: Codable {
            var least, most: Int

            init(_ range: ClosedRange<Int>) { (least, most) = (range.lowerBound, range.upperBound) }
        }
        struct Calibration: Codable {
            var taps = Range(TapCalibration.leastTaps...TapCalibration.mostTaps)
            /// Milliseconds between the quartiles, at most.
            var scatterMilliseconds = Int(TapCalibration.widestSpreadTenths / 10)
        }
        var countIn = Range(PracticeSettings.countInChoices)
        var tempoPercent = Range(SettingsInput.tempoChoices)
        var minutesPerWeek = Range(PlanInput.minutesPerWeekChoices)
        var minutesPerSession = Range(PlanInput.minutesPerSessionChoices)
        var minutesPerDay = Range(PlanInput.minutesPerDayChoices)
        var belowPercent = Range(PlanInput.belowPercentChoices)
        var painLimit = Range(PlanInput.painLimitChoices)
        var beats = Range(PlanInput.beatsChoices)
        /// The most characters of the name of who set a plan.
        var setBy = PlanInput.longestSetBy
        var note = PlanInput.longestNote
        var calibration = Calibration()
        /// Bytes of the original's file.
        var importBytes = SessionImport.longestFromPage
        /// The class of timing windows of each link, by the links' names.
        var linkClasses = Dictionary(
            uniqueKeysWithValues: LinkKind.allCases.map { ($0.name.rawValue, $0.linkClass) })
    }

    var headline: HeadlineResponse
    var limits = Limits()
    var people: [OverviewPerson]
    /// The songs that are being played in the household.
    var active: [ActiveSongResponse] = []
    /// The sessions that could not be stored, which adults see.
    var failed: [FailedSession]

    /// Answers one member from what is stored, without ``active``.
    init(_ stored: StoredOverview, for member: Member, _ request: APIRequest) {
        let localized = Localizer(request.language, from: .drums)
        people = stored.people.map { OverviewPerson($0, for: member, hub: request.hub, in: localized) }
        failed = request.localized(stored.failed)
        let words = OverviewText(
            people.compactMap(OverviewText.Person.init), isEmpty: people.isEmpty, isNew: !stored.hasPlayed)
        headline = HeadlineResponse(words, in: localized)
    }
}

extension OverviewText.Person {
    /// Takes the facts of a person; nil for somebody whose week the page may not see.
    fileprivate init?(_ person: OverviewPerson) {
        guard let week = person.week else { return nil }
        self.init(
            name: person.name, minutes: week.minutes, hasPlayed: week.milliseconds > 0,
            isSunday: person.today?.day == week.end, plannedMinutes: week.plannedMinutes,
            leftTodayMinutes: person.play.isOver
                ? 0 : person.today?.leftMilliseconds.map { max(1, Int($0 / 60_000)) },
            minutesAtATime: person.plan?.minutesPerSession)
    }
}

/// A person as the screens of this companion show them.
struct OverviewPerson: Codable, Sendable {
    struct Sounds: Codable, Sendable { var song, metronome, hits: Bool }
    struct Latency: Codable, Sendable {
        var link: LinkKind.Name
        var tenths, lowerTenths, upperTenths: Int32
        var taps: Int
        var at: Int64
        var words: String
        /// The name by which the browser that was tapped on calls itself, and whether it is the one that asks.
        var agent: String
        var isHere: Bool
    }
    struct SettingsResponse: Codable, Sendable {
        var drums: [Bool]
        var level: Int
        var mode: PlayMode.Name
        var hands: Hands.Name
        var affectedSide: SideName?
        var countIn, tempoPercent: Int
        var sounds: Sounds
        var link: LinkKind.Name
        var device: String?
        var latency: [Latency]
    }
    struct PlanResponse: Codable, Sendable {
        var setBy, from: String
        var minutesPerWeek: Int
        var level: Int?
        var drums: [Bool]?
        var songs: [String]
        var onlySongs: Bool
        var minutesPerSession, minutesPerDay, belowPercent: Int?
        var beats: Int
        var note: String?
        var tempoPercent: Int?
        var asksEffort, asksPain: Bool
        var painLimit: Int?
        var words: String
    }
    struct WeekResponse: Codable, Sendable {
        var start, end: String
        var milliseconds: Int64
        var minutes: Int
        var plannedMinutes, leftMinutes: Int?
        var sessions, days: Int
        var headline: String
        var planWords, leftWords: String?
    }
    struct TodayResponse: Codable, Sendable {
        var day: String
        var minutes: Int
        var leftMilliseconds: Int64?
        var sessions: Int
        /// The end of the day's last song, UTC milliseconds.
        var lastAt: Int64?
        /// The songs of the day, the earliest first.
        var played: [PlayedToday]
    }
    /// A song that has ended: which one, its title, and when that was, UTC milliseconds.
    struct PlayedToday: Codable, Sendable {
        var at: Int64
        var song, title: String
    }

    var id, name: String
    var role: PersonRecord.Role
    var face: String?
    /// The household's where the page may not see theirs.
    var timeZone: String
    /// Whether the page that asks may deliver this person's sessions, decide about them, and set their plan.
    var mayDeliver, mayDecide, mayPlan: Bool
    var settings: SettingsResponse
    var play: PlayResponse
    var windows: WindowsResponse
    /// The person's plan. It and what follows are nil where the page may not decide about this person, as are the words
    /// of what is above: how much somebody practises, and how, is their own.
    var plan: PlanResponse?
    var week: WeekResponse?
    var today: TodayResponse?
    /// Whether they have ever played.
    var hasPlayed: Bool?

    init(_ stored: StoredOverviewPerson, for member: Member, hub: HubContext, in localized: Localizer) {
        let (subject, settings, plans) = (stored.subject, stored.settings, stored.plans)
        let person = subject.person
        id = person.id
        name = person.name
        role = person.role
        face = person.face
        mayDeliver = hub.policy.allowsSession(member, of: person)
        mayDecide = hub.policy.allowsSettings(member, of: person, now: subject.now)
        // An adult is asked for the password then, where the device is shared.
        mayPlan = hub.policy.isAdult(member)
        timeZone = mayDecide ? subject.calendar.timeZone.identifier : subject.household.timeZone
        self.settings = SettingsResponse(settings, stored.latencies, signIn: member.signIn, in: localized)
        let practisedToday = stored.practised.filter { $0.day == subject.today }.reduce(0) { $0 + $1.milliseconds }
        let plan = plans.plan(on: subject.today)
        play = PlayResponse(settings, plan: plan, practisedToday: practisedToday, in: localized)
        windows = WindowsResponse(stored.timing.map { TimingErrors(bytes: $0) }, in: localized)
        guard mayDecide else {
            self.settings.affectedSide = nil
            self.settings.latency = []
            play.words = nil
            play.tempoWords = nil
            windows = windows.withoutText
            return
        }
        hasPlayed = stored.hasPlayed
        self.plan = plans.planOrNext(on: subject.today).map { PlanResponse($0, today: subject.today, in: localized) }
        let week = PracticeWeek(
            PracticeWeek.week(around: subject.today), practised: stored.practised, plans: plans, today: subject.today,
            in: localized)
        self.week = WeekResponse(
            start: week.start, end: week.end, milliseconds: week.milliseconds, minutes: week.minutes,
            plannedMinutes: week.plannedMinutes, leftMinutes: week.leftMinutes, sessions: week.sessions,
            days: week.days, headline: week.headline(person.name, in: localized),
            planWords: plan.map { localized("Planned by \($0.setBy)") },
            leftWords: week.leftWords(in: localized))
        let played = stored.played.map { one in
            PlayedToday(at: one.at, song: one.song, title: localized.songTitle(one.song, or: one.title))
        }
        play.selfReport = SelfReportQuestionsResponse(
            plan, last: [played.last?.at, stored.reportedAt].compactMap { $0 }.max(), in: localized)
        self.today = TodayResponse(
            day: "\(CivilDate(day: subject.today))", minutes: PracticeWeek.minutes(practisedToday),
            leftMilliseconds: PlayResponse.left(of: plan, practisedToday: practisedToday), sessions: played.count,
            lastAt: played.last?.at, played: played)
    }
}

extension OverviewPerson.SettingsResponse {
    fileprivate init(
        _ settings: PracticeSettings, _ latencies: [LinkLatency.Found], signIn: String, in localized: Localizer
    ) {
        self.init(
            drums: settings.drumSet.flags, level: settings.level, mode: settings.mode, hands: settings.hands,
            affectedSide: settings.affectedSide, countIn: settings.countIn, tempoPercent: settings.tempoPercent,
            sounds: .init(song: settings.hasSong, metronome: settings.hasMetronome, hits: settings.hasHits),
            link: settings.link, device: settings.device,
            latency: latencies.map { found in
                let one = found.latency
                return .init(
                    link: one.link, tenths: one.tenths, lowerTenths: one.lowerTenths, upperTenths: one.upperTenths,
                    taps: one.taps, at: one.measuredAt, words: one.words(in: localized), agent: found.agent,
                    isHere: one.signIn == signIn)
            })
    }
}

extension OverviewPerson.PlanResponse {
    fileprivate init(_ plan: PracticePlan, today: Int32, in localized: Localizer) {
        self.init(
            setBy: plan.setBy, from: "\(CivilDate(day: plan.fromDay))", minutesPerWeek: plan.minutesPerWeek,
            level: plan.level, drums: plan.drums.map { DrumSet(rawValue: $0).flags }, songs: plan.songIDs,
            onlySongs: plan.isOnlySongs, minutesPerSession: plan.minutesPerSession, minutesPerDay: plan.minutesPerDay,
            belowPercent: plan.belowPercent, beats: plan.beats, note: plan.note, tempoPercent: plan.tempoPercent,
            asksEffort: plan.asksEffort, asksPain: plan.asksPain, painLimit: plan.painLimit,
            words: plan.words(today: today, in: localized))
    }
}
