import BrushingEngine
import HubKit

extension OverviewText {
    /// The facts about one person at a moment that the words are made from.
    struct Person: Sendable {
        /// A time of a day ahead: days from today, and a minute of that day.
        struct Moment: Equatable, Sendable {
            var days: Int32
            var minute: Int32
        }

        var name: String
        /// The part of the day by the person's clock.
        var part: DayPart = .morning
        /// Whether they brush with the hub: children do, and whoever has done so once.
        var takesPart = true
        /// Whether they came to the hub in this part of the day, and have not brushed yet: nobody misses them.
        var isNew = false
        /// The times of this brushing day's sessions that count: minutes of the day by their clock.
        var minutes: [Int32] = []
        /// The number of sessions that keep a day.
        var perDay = 2
        var dayOff: FrozenDay.Reason?
        var streakDays = 0
        /// The planned length of the whole routine.
        var plannedSeconds = 210
        /// The reminder that comes in this half of the day, if it lies ahead: a minute of the day.
        var reminderNow: Int32?
        /// The next reminder that will say something, once they have brushed.
        var reminderNext: Moment?
        var isBrushHeadDue = false
        /// The next appointment.
        var appointment: (title: String, days: Int32, minute: Int32)?

        /// Takes out all but what everybody of the household may hear: who it is, and whether it is done.
        mutating func forgetOwn() {
            dayOff = dayOff.map { _ in .skip }
            streakDays = 0
            reminderNow = nil
            reminderNext = nil
            isBrushHeadDue = false
            appointment = nil
        }

        /// The number of today's sessions that count.
        var sessions: Int { minutes.count }

        /// Whether they brushed in a part of the day, as a clock tells parts.
        func hasBrushed(in part: DayPart) -> Bool { minutes.contains { DayPart(minute: $0) == part } }

        /// Whether a session counts for the evening of the brushing day: the engine's begins in the afternoon.
        var hasBrushedInEvening: Bool { minutes.contains { !LocalMoment(day: 0, minute: $0).isMorning } }

        private var hasBrushedInMorning: Bool { minutes.contains { LocalMoment(day: 0, minute: $0).isMorning } }

        /// Whether nothing of the brushing day is open.
        var isComplete: Bool { sessions >= perDay || perDay < 3 && hasBrushedInMorning && hasBrushedInEvening }

        /// Whether nothing more is asked of them for now. Before the evening one brushing is as much as anybody asks.
        var isDone: Bool {
            switch part {
            case .morning, .afternoon: sessions > 0
            case .evening, .night: hasBrushedInEvening || sessions >= perDay
            }
        }
    }
}

extension OverviewText.Person {
    /// The minute at which the evening begins for somebody who is not yet missed in it.
    private static let eveningBegins: Int32 = 18 * 60

    init(_ situation: PersonSituation) {
        let subject = situation.subject
        let today = situation.history.today
        name = subject.person.name
        part = DayPart(minute: subject.minute)
        takesPart = subject.person.role == .child || situation.history.days != nil
        let begins = part == .evening || part == .night ? Self.eveningBegins : LocalMoment.dayBegins
        isNew =
            situation.history.days == nil
            && subject.person.createdAt >= subject.calendar.instant(day: today, minute: begins)
        minutes = situation.sessionsToday.filter(\.counts).map(\.minute)
        perDay = situation.settings.perDay
        dayOff = situation.frozen.first { $0.day == today }?.reason
        streakDays = situation.history.progress.streakDays
        plannedSeconds = Int(situation.settings.steps.plannedMilliseconds / 1_000)
        reminderNow = situation.reminder(situation.isMorning ? .morning : .evening, onBrushingDay: today)?.minute
        let isSilentTonight = sessions >= perDay || hasBrushedInEvening
        reminderNext =
            (situation.isFrozen
                ? nil : situation.reminder(.evening, onBrushingDay: today, isDone: isSilentTonight))
            ?? (situation.frozen.contains { $0.day == today + 1 }
                ? nil
                : situation.reminder(.morning, onBrushingDay: today + 1)
                    ?? situation.reminder(.evening, onBrushingDay: today + 1))
        isBrushHeadDue = situation.isBrushHeadDue
        appointment = situation.appointments.first { subject.isAhead(day: $0.day, minute: $0.minute) }
            .map { ($0.title, $0.day - subject.today, $0.minute) }
    }
}
