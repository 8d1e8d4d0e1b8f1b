import GRDB
import HubKit
import Localization
import Storage

/// The reminder of this companion: the practice of a plan, on the days that the child chose.
enum PracticeReminder {
    static let name = "practice"

    static let kind = ReminderKind(name: name, title: "Practise the drums", minute: 17 * 60)
}

/// The text of a reminder of practice, where there is something to practise.
struct PracticeReminderText: Equatable, Sendable {
    var name: String
    var person: String
    /// The minutes that are left of this week's plan; nil without a plan.
    var leftMinutes: Int?
    var plannedMinutes: Int?
    /// Whether something was played on that day.
    var hasPlayed = false

    /// Whether nothing wants doing: there is no plan, it was done that day, or the week's minutes are done.
    var isDone: Bool { hasPlayed || (leftMinutes ?? 0) == 0 }

    private var title: LocalizedText { LocalizedText("\(name), time for the drums") }

    private var body: LocalizedText {
        guard let leftMinutes, let plannedMinutes else { return LocalizedText("Choose a song and play.") }
        return leftMinutes == 0
            ? LocalizedText("This week’s \(plannedMinutes) minutes are done. One more song is for fun.")
            : LocalizedText("\(leftMinutes) of this week’s \(plannedMinutes) minutes are left.")
    }

    func text(in language: Language) -> ReminderText {
        ReminderText(
            title: title.string(in: language, from: .drums), body: [body].string(in: language, from: .drums),
            path: "/drums?person=\(person)")
    }
}

extension PracticeReminderText {
    /// Reads the practice of the day's week.
    ///
    /// - Parameter day: the local day that is reminded of.
    init(_ subject: Subject, day: Int32, _ db: Database) throws {
        let week = PracticeWeek.week(around: day)
        let practised = try DataResponse.practised(subject, week, db)
        let planned = try PracticePlans(of: subject.person.id, db).minutes(week)
        let minutes = PracticeWeek.minutes(practised.reduce(0) { $0 + $1.milliseconds })
        self.init(
            name: subject.person.name, person: subject.person.id, leftMinutes: planned.map { max(0, $0 - minutes) },
            plannedMinutes: planned, hasPlayed: practised.contains { $0.day == day })
    }
}

extension Drums {
    /// The kinds of the companion's reminders.
    public static let reminderKinds = [PracticeReminder.kind]

    /// Whether a reminder that is due says nothing.
    public func isSilenced(_ due: DueReminder) async throws -> Bool {
        guard due.name == PracticeReminder.name else { return false }
        return try await practice(due).isSilent(due)
    }

    /// The words of a reminder that has come; nil where it was done that day, the week's minutes are done, or there is
    /// no plan.
    public func reminderText(_ due: DueReminder) async throws -> ReminderText? {
        guard due.name == PracticeReminder.name else { return nil }
        let practice = try await practice(due)
        return !due.needsText && practice.isSilent(due) ? nil : practice.text(in: due.language)
    }

    private func practice(_ due: DueReminder) async throws -> PracticeReminderText {
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            let subject = try Subject.find(due.person.id, household: due.person.household, now: now, db)
            return try PracticeReminderText(subject, day: due.day, db)
        }
    }
}

extension PracticeReminderText {
    /// Whether it says nothing, as the person wishes: without a plan nobody is reminded of it.
    fileprivate func isSilent(_ due: DueReminder) -> Bool {
        plannedMinutes == nil || due.isSilencedByDone && isDone
    }
}
