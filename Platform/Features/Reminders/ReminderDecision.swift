import HubKit
import Localization
import Storage

/// The decision about the reminders of one person at a moment.
///
/// Reminders on time are sent. Of daily ones that were missed while the hub was off, only the newest is sent, and only
/// if it is recent and no other daily one is sent: a person who comes home is not notified of the whole day. Single
/// ones are sent however late, as long as their companion has a text; of several for one event, the newest.
///
/// In quiet hours, reminders that cannot wait are shown on open pages only; the others wait (`ReminderState`).
/// Reminders that can wait are combined: those that are due at once become one notice, and the last notice of the day
/// includes those that would come later on that day.
struct ReminderDecision: Sendable {
    /// A function that asks a companion for the text of a due reminder.
    typealias Words = @Sendable (ReminderRecord, ReminderState.Due) async throws -> TranslatedReminderText?

    let person: PersonRecord
    private(set) var states: [ReminderState]
    /// The entries for the person's history.
    private(set) var events: [ReminderEventRecord] = []
    /// The ids of reminders that are not sent to phones.
    private(set) var unsent: Set<String> = []
    /// The companions' errors, by slug; they are asked again.
    private(set) var failures: [(companion: String, reason: String)] = []

    private let rules: ReminderRules
    private let quiet: QuietHours?
    private let calendar: LocalCalendar
    private let now: Int64
    private let moment: (day: Int32, minute: Int32)
    private let kind: @Sendable (ReminderRecord) -> ReminderKind?
    /// The last entry of each reminder that can wait, by companion and name.
    private let lastSaid: [String: ReminderEventRecord]

    /// Prepares the decision.
    ///
    /// - Parameters:
    ///   - said: the recent entries of the person's history, earliest first.
    ///   - kind: the kind of a daily reminder; nil for a single one.
    init(
        _ person: PersonRecord, _ records: [ReminderRecord], _ rules: ReminderRules, said: [ReminderEventRecord],
        _ calendar: LocalCalendar, now: Int64, kind: @escaping @Sendable (ReminderRecord) -> ReminderKind?
    ) {
        self.person = person
        self.rules = rules
        lastSaid = Dictionary(said.map { ("\($0.companion).\($0.name)", $0) }) { _, later in later }
        self.calendar = calendar
        self.now = now
        self.kind = kind
        moment = calendar.moment(of: now)
        let quiet = QuietHours(rules)
        self.quiet = quiet
        states = records.map { ReminderState($0, calendar, now: now, quiet: quiet, canWait: kind($0)?.canWait == true) }
    }

    /// Whether a reminder can wait, and so is combined with others.
    private func canWait(_ record: ReminderRecord) -> Bool { kind(record)?.canWait == true }

    /// Whether the same was sent so recently that it is no news.
    private func isKnown(_ words: TranslatedReminderText, of record: ReminderRecord) -> Bool {
        guard let about = words.english.about, let last = lastSaid["\(record.companion).\(record.name)"],
            let kind = kind(record)
        else { return false }
        return last.about == about && moment.day - last.day < kind.repeatDays
    }

    /// The time of the next check, in UTC milliseconds.
    var next: Int64? { states.compactMap(\.next).min() }

    /// Decides about all reminders.
    ///
    /// - Parameters:
    ///   - saidToday: the number of combined notices on this local day so far.
    ///   - words: asks a companion for a text.
    mutating func decide(saidToday: Int, _ words: @escaping Words) async {
        let latest = states.indices.filter { states[$0].due != nil }
            .sorted { (states[$0].due?.time ?? 0) > (states[$1].due?.time ?? 0) }
        var hasSaid = false
        var events: Set<String> = []
        var waiting: [Int] = []
        for index in latest {
            guard let due = states[index].due else { continue }
            let record = states[index].record
            if states[index].isGathered {
                states[index].pass()
                continue
            }
            if canWait(record) {
                waiting.insert(index, at: 0)
                continue
            }
            let isOnce = record.day != nil
            let isWanted: Bool
            if isOnce {
                let isLater = record.event.map { events.insert("\(record.companion).\($0)").inserted } ?? true
                isWanted = isLater && !states[index].isVoid
            } else {
                isWanted = isOnTime(due) || !hasSaid && isWorthSaying(due)
            }
            guard isWanted else {
                pass(index, .late)
                continue
            }
            switch await ask(record, due, words) {
            case .said(let words):
                say(index, words)
                if !isOnce { hasSaid = true }
            case .nothing: pass(index, .nothing)
            case .failed: continue
            }
        }
        await decideTogether(waiting, saidToday: saidToday, words)
    }

    /// Decides about the reminders that can wait, in one notice.
    private mutating func decideTogether(_ due: [Int], saidToday: Int, _ words: @escaping Words) async {
        var parts: [(index: Int, words: TranslatedReminderText)] = []
        // What was put off is said whatever the day has had.
        let isAgain = due.contains { states[$0].isAgain }
        let mayBeSaid = isAgain || rules.noticesPerDay == 0 || saidToday < rules.noticesPerDay
        for index in due {
            guard let moment = states[index].due else { continue }
            guard isWorthSaying(moment) else {
                pass(index, .late)
                continue
            }
            switch await ask(states[index].record, moment, words) {
            case .said(let words):
                if !isAgain, isKnown(words, of: states[index].record) {
                    pass(index, .known)
                } else if mayBeSaid {
                    parts.append((index, words))
                } else {
                    pass(index, .enough)
                }
            case .nothing: pass(index, .nothing)
            case .failed: continue
            }
        }
        guard let first = parts.first else { return }
        if !isAgain, rules.noticesPerDay > 0, saidToday + 1 >= rules.noticesPerDay {
            for (index, later) in restOfToday() {
                guard case .said(let words) = await ask(states[index].record, later, words),
                    !isKnown(words, of: states[index].record)
                else { continue }
                parts.append((index, words))
            }
        }
        for part in parts.dropFirst() {
            append(part.index, .together, about: part.words.english.about)
            states[part.index].gather(on: states[part.index].due?.occurrence.day ?? moment.day)
        }
        let said = TranslatedReminderText(of: parts.map(\.words))
        append(first.index, isAgain ? .again : .said, said, about: first.words.english.about)
        states[first.index].say(said)
    }

    /// The reminders that can wait and would come later on this local day, earliest first.
    private func restOfToday() -> [(index: Int, due: ReminderState.Due)] {
        states.indices.compactMap { index -> (index: Int, due: ReminderState.Due)? in
            let state = states[index]
            guard canWait(state.record), let later = state.laterToday else { return nil }
            return (
                index,
                ReminderState.Due(occurrence: later, minute: state.record.minute, time: later.at, scheduled: later)
            )
        }.sorted { $0.due.time < $1.due.time }
    }

    // MARK: One reminder

    private enum Answer {
        case said(TranslatedReminderText)
        case nothing
        /// The companion failed; it is asked again at the next check.
        case failed
    }

    private mutating func ask(_ record: ReminderRecord, _ due: ReminderState.Due, _ words: Words) async -> Answer {
        do {
            return try await words(record, due).map(Answer.said) ?? .nothing
        } catch {
            failures.append((record.companion, "\(error)"))
            return .failed
        }
    }

    private mutating func say(_ index: Int, _ words: TranslatedReminderText) {
        // Quiet hours that one does not wait out are those of what is of its hour; an appointment that begins in them is said.
        let isQuiet = states[index].record.day == nil && quiet?.contains(minute: moment.minute) == true
        if isQuiet { unsent.insert(states[index].record.id) }
        append(index, isQuiet ? .quiet : states[index].isAgain ? .again : .said, words)
        states[index].say(words)
    }

    private mutating func pass(_ index: Int, _ outcome: ReminderOutcome) {
        append(index, outcome)
        states[index].pass()
    }

    private mutating func append(
        _ index: Int, _ outcome: ReminderOutcome, _ words: TranslatedReminderText? = nil, about: String? = nil
    ) {
        let record = states[index].record
        var event = ReminderEventRecord(
            person: person.id, companion: record.companion, name: record.name, at: now, day: moment.day,
            outcome: outcome)
        event.title = words?.english.title
        event.body = words?.english.body
        event.translations = words?.json
        event.about = about
        events.append(event)
    }

    private func isOnTime(_ due: ReminderState.Due) -> Bool { now - due.time <= Reminders.punctualMilliseconds }

    private func isWorthSaying(_ due: ReminderState.Due) -> Bool { now - due.time <= Reminders.missedMilliseconds }
}
