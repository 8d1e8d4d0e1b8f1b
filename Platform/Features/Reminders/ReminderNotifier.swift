import Foundation
import GRDB
import HubKit
import Localization
import Logging
import Push
import Storage

/// The sender of due reminders, to open pages and to phones.
struct ReminderNotifier: Sendable {
    let context: ReminderContext
    private var hub: HubContext { context.hub }

    // MARK: What is due

    /// Sends all due reminders, each once.
    ///
    /// - Returns: the time of the next check, in UTC milliseconds; nil if no reminder is on.
    func look() async throws -> Int64? {
        let now = hub.clock.now()
        var next: [Int64] = []
        for (decision, saidToday) in try await read(now: now) {
            var decision = decision
            await decision.decide(saidToday: saidToday) { [person = decision.person] record, due in
                try await words(for: record, due, person)
            }
            for failure in decision.failures {
                hub.log.error(
                    "a companion could not say what a reminder says; it is asked again",
                    metadata: ["companion": "\(failure.companion)", "reason": "\(failure.reason)"])
            }
            try await store(decision)
            if let soonest = decision.next { next.append(soonest) }
        }
        return next.min()
    }

    /// Reads the reminders.
    ///
    /// - Returns: the decision to make for each person, and the number of combined notices on their day so far.
    private func read(now: Int64) async throws -> [(ReminderDecision, Int)] {
        try await hub.database.pool.read { db in
            guard let household = try HouseholdRecord.fetchOne(db) else { return [] }
            let records = try ReminderRecord.fetchAll(
                db,
                cached: """
                    SELECT * FROM reminder
                    WHERE (is_on OR is_visible OR snoozed_until IS NOT NULL) AND companion NOT IN
                        (SELECT slug FROM companion_choice WHERE household = reminder.household AND NOT is_used)
                    ORDER BY person, id
                    """)
            return try Dictionary(grouping: records, by: \.person).sorted { $0.key < $1.key }.compactMap {
                id, records in
                guard let person = try PersonRecord.fetchOne(db, key: id) else { return nil }
                let calendar = LocalCalendar(timeZone: person.zone(household))
                let today = calendar.moment(of: now).day
                let said = try ReminderEventRecord.fetchAll(
                    db,
                    cached: """
                        SELECT * FROM reminder_event WHERE person = ? AND at >= ? AND outcome IN (?, ?, ?) ORDER BY at, id
                        """,
                    arguments: [
                        id, now - Reminders.eventMilliseconds, ReminderOutcome.said.rawValue,
                        ReminderOutcome.together.rawValue, ReminderOutcome.again.rawValue,
                    ]
                ).filter { context.reminderKind($0.companion, $0.name)?.canWait == true }
                let decision = ReminderDecision(
                    person, records, try ReminderRules.of(id, db), said: said, calendar, now: now, kind: kind)
                return (decision, said.count { $0.day == today && $0.outcome == .said })
            }
        }
    }

    /// Returns the kind of a daily reminder.
    private var kind: @Sendable (ReminderRecord) -> ReminderKind? {
        { [context] record in record.day == nil ? context.reminderKind(record.companion, record.name) : nil }
    }

    private func words(for record: ReminderRecord, _ due: ReminderState.Due, _ person: PersonRecord) async throws
        -> TranslatedReminderText?
    {
        guard let companion = context.companion(record.companion) else { return nil }
        return try await TranslatedReminderText { language in
            try await companion.reminderText(
                DueReminder(
                    id: record.id, name: record.name, person: person, at: due.occurrence.at, day: due.occurrence.day,
                    minute: due.minute,
                    isSilencedByDone: record.silencedByDone
                        ?? context.reminderKind(record.companion, record.name)?.isSilencedByDone ?? true,
                    language: language))
        }
    }

    /// Stores a decision: reminders and messages to phones in one transaction, so that each is sent once however the
    /// hub ends.
    private func store(_ decision: ReminderDecision) async throws {
        let changed = decision.states.filter { $0.record != $0.stored }
        guard !changed.isEmpty else { return }
        try await hub.database.pool.write { db in
            for state in changed {
                // Somebody may have changed it meanwhile, which wakes the service: it looks again at once.
                guard try ReminderRecord.fetchOne(db, key: state.stored.id) == state.stored else { continue }
                let record = state.record
                try record.update(db)
                for event in decision.events where event.companion == record.companion && event.name == record.name {
                    try event.insert(db)
                }
                if record.isNews(after: state.stored), !decision.unsent.contains(record.id) { try send(record, db) }
                if record.isSeenOtherwise(than: state.stored) { hub.reminders.publish(record, after: db) }
            }
        }
    }

    // MARK: One now

    /// Sends a reminder now, even if its task is done, as a test.
    func say(_ record: ReminderRecord, to person: PersonRecord, calendar: LocalCalendar) async throws -> ReminderRecord
    {
        let now = hub.clock.now()
        let moment = calendar.moment(of: now)
        var due = DueReminder(
            id: record.id, name: record.name, person: person, at: now, day: moment.day, minute: record.minute,
            needsText: true)
        let kind = context.reminderKind(record.companion, record.name)
        let companion = context.companion(record.companion)
        let path = "/\(record.companion)?person=\(person.id)"
        let words = try await TranslatedReminderText { language in
            due.language = language
            if let text = try await companion?.reminderText(due) { return text }
            let localized = Localizer(language, from: context.sentences)
            let title = kind?.title ?? LocalizedText("a reminder")
            return ReminderText(
                title: "\(person.name): \(localized.string(title))", body: localized("This is how it arrives."),
                path: path)
        }
        return try await hub.database.pool.write { db in
            guard var record = try ReminderRecord.fetchOne(db, key: record.id) else {
                throw Problem.notFound("There is no reminder here. It may have been removed.")
            }
            if let words { record.try(words, now: now) }
            try record.update(db)
            try send(record, db)
            hub.reminders.publish(record, after: db)
            return record
        }
    }

    private func send(_ record: ReminderRecord, _ db: Database) throws {
        try context.push.channels.enqueue(
            about: record.person, topic: record.id, ttlSeconds: Int(Reminders.visibleMilliseconds / 1_000), db
        ) { ReminderNotification(record, in: $0).notice }
        do {
            try context.push.enqueue(about: record.person, db) { try ReminderNotification(record, in: $0).message }
        } catch is EncryptedContent.TooLong {
            // Control characters are long in JSON. The page says it all the same.
            hub.log.warning(
                "a reminder is too long for phones", metadata: ["companion": "\(record.companion)"])
        }
    }
}

extension ReminderRecord {
    /// The time that the last text is for.
    var saidOf: Int64 { (isTrial ? firedAt : dueAt) ?? 0 }

    /// Whether it was sent since an earlier state.
    fileprivate func isNews(after other: ReminderRecord) -> Bool { isVisible && firedAt != other.firedAt }

    fileprivate func isSeenOtherwise(than other: ReminderRecord) -> Bool {
        isVisible != other.isVisible || firedAt != other.firedAt || snoozedUntil != other.snoozedUntil
    }
}

/// A reminder as a phone shows it.
struct ReminderNotification: Encodable {
    private struct Action: Encodable {
        var action, title: String
    }

    private static let longestTitle = 200
    private static let longestBody = 800

    private let type = "reminder"
    private let id, person, title, body, path, tag: String
    private let at: Int64
    private let actions: [Action]

    init(_ record: ReminderRecord, in language: Language) {
        let words = record.words(in: language)
        id = record.id
        person = record.person
        title = words.title.clipped(bytes: Self.longestTitle)
        body = words.body.clipped(bytes: Self.longestBody)
        path = record.path ?? "/"
        tag = record.id
        at = record.saidOf
        let start = record.day == nil ? LocalizedText("Start") : LocalizedText("Open")
        actions = [
            Action(action: "start", title: start.string(in: language, from: .reminders)),
            Action(action: "snooze", title: LocalizedText("Snooze").string(in: language, from: .reminders)),
        ]
    }

    /// The same by a channel, where nobody can press anything.
    var notice: ChannelNotice { ChannelNotice(title: title, body: body, path: path, isUrgent: true) }

    var message: PushMessage {
        get throws {
            try PushMessage(json: self, ttlSeconds: Int(Reminders.visibleMilliseconds / 1_000), topic: tag)
        }
    }
}

extension String {
    /// The text cut off after a number of bytes, at a whole character.
    fileprivate func clipped(bytes: Int) -> String {
        var text = self
        while text.utf8.count > bytes { text.removeLast() }
        return text
    }
}
