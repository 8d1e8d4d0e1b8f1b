import HubKit
import Localization
import Storage

/// What becomes of the reminders of one person at a moment.
///
/// What is on time is said. Of what comes daily and was missed, while the hub was off, only the newest, and only if that is
/// not long ago and nothing else of the kind is said: one who comes home is not notified of the whole day. What comes once is
/// said however late, as long as its companion has words for it; of several for one event, the newest.
///
/// In quiet hours what is of its hour is said on open pages alone; the rest waits (`ReminderState`). What can wait shares its
/// notices: what is due at once is one, and the last that the person wants on a day also says what would come later on that
/// day.
struct ReminderDecision: Sendable {
    /// Asks a companion for its words: the state's record, what is due, for a person.
    typealias Words = @Sendable (ReminderRecord, ReminderState.Due) async throws -> TranslatedReminderText?

    let person: PersonRecord
    private(set) var states: [ReminderState]
    /// What happened, for the person to read.
    private(set) var events: [ReminderEventRecord] = []
    /// The ids of those that no phone is told of.
    private(set) var unsent: Set<String> = []
    /// What companions failed to say, by their slugs; they are asked again.
    private(set) var failures: [(companion: String, reason: String)] = []

    private let rules: ReminderRules
    private let quiet: QuietHours?
    private let calendar: LocalCalendar
    private let now: Int64
    private let moment: (day: Int32, minute: Int32)
    private let kind: @Sendable (ReminderRecord) -> ReminderKind?
    /// What was last said of each that can wait, by companion and name.
    private let lastSaid: [String: ReminderEventRecord]

    /// - Parameters:
    ///   - said: what the person was told of late, the earliest first.
    ///   - kind: of a reminder that comes daily; nil for one that comes once.
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

    /// Whether a reminder shares its notices.
    private func canWait(_ record: ReminderRecord) -> Bool { kind(record)?.canWait == true }

    /// Whether the same was said so lately that it is no news.
    private func isKnown(_ words: TranslatedReminderText, of record: ReminderRecord) -> Bool {
        guard let about = words.english.about, let last = lastSaid["\(record.companion).\(record.name)"],
            let kind = kind(record)
        else { return false }
        return last.about == about && moment.day - last.day < kind.repeatDays
    }

    /// When to look again, UTC milliseconds.
    var next: Int64? { states.compactMap(\.next).min() }

    /// - Parameter saidToday: how many notices of what can wait this local day has had.
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

    /// One notice of all that can wait.
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

    /// What can wait and would come later on this local day, the earliest first.
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
        /// It is asked again at the next look.
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
