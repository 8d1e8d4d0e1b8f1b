import HubKit
import Localization

/// The text of a daily reminder: whose turn it is, and a sentence or two that help.
///
/// It greets by the clock at which it is read, not by its name: a morning's reminder may be set to any time.
struct DailyReminderText: Equatable, Sendable {
    var name: String
    var person: String
    /// The present part of the day by the person's clock.
    var part: DayPart
    var isChild = false
    /// The planned length of the whole routine.
    var plannedSeconds = 210
    /// The length of the streak that was kept so far.
    var streakDays = 0

    var title: LocalizedText { LocalizedText("\(name), time to brush") }

    var body: [LocalizedText] {
        var sentences: [LocalizedText]
        if isChild {
            sentences =
                switch part {
                case .morning: [LocalizedText("Good morning! Your teeth are awake.")]
                case .afternoon: [LocalizedText("Hello! Your teeth are waiting for you.")]
                case .evening, .night: [LocalizedText("Your teeth want to go to bed.")]
                }
        } else {
            sentences = [LocalizedText("It takes \(OverviewText.duration(plannedSeconds)).")]
        }
        if streakDays >= 2 { sentences.append(LocalizedText("\(spelled: streakDays) days in a row so far.")) }
        return sentences
    }

    func text(in language: Language) -> ReminderText {
        ReminderText(
            title: title.string(in: language, from: .brushing), body: body.string(in: language, from: .brushing),
            path: "/brushing?person=\(person)")
    }
}

extension DailyReminderText {
    init(_ reminder: BrushingReminder, _ situation: PersonSituation) {
        let subject = situation.subject
        let settings = situation.settings
        self.init(
            name: subject.person.name, person: subject.person.id, part: DayPart(minute: subject.minute),
            isChild: settings.isChildMode(of: subject.person, year: CivilDate(day: subject.today).year),
            plannedSeconds: Int(settings.steps.plannedMilliseconds / 1_000),
            streakDays: situation.history.progress.streakDays)
    }
}
