import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// The calendar feeds (iCalendar, RFC 5545) for phones that cannot be notified otherwise, each at a secret address.
struct CalendarFeeds: Sendable {
    let context: ReminderContext
    private var hub: HubContext { context.hub }

    /// The number of feeds of a household, at most.
    static let most = 20
    /// The interval at which calendar programs should reload.
    private static let refresh = "PT1H"
    /// The number of years for which clock changes are written. Programs reload long before.
    private static let years = 10

    /// A feed with the people that it shows.
    struct Listed: Sendable {
        var record: CalendarFeedRecord
        /// The ids of the people; everyone's if it shows everyone.
        var people: [String]
    }

    // MARK: Addresses

    /// Makes a feed.
    ///
    /// - Parameters:
    ///   - people: the ids of the people whose reminders it shows; nil for everyone, including people who are added
    ///     later.
    ///   - member: the caller.
    /// - Returns: its id and its token, which is stored only as a hash.
    /// - Throws: a 422 problem for an empty list, or an unknown person.
    func make(for people: [String]?, by member: Member) async throws -> (id: String, token: String) {
        let token = Secret.token()
        let record = CalendarFeedRecord(
            id: Secret.identifier(), household: member.household, maker: member.person.id,
            tokenHash: Secret.hash(token), isEverybody: people == nil, createdAt: hub.clock.now())
        try await hub.database.pool.write { db in
            let count = try CalendarFeedRecord.filter(sql: "household = ?", arguments: [member.household])
                .fetchCount(db)
            guard count < Self.most else {
                throw Problem(
                    .conflict, "Enough calendars",
                    "A household has at most \(Self.most) calendar addresses. Remove one that nobody reads.")
            }
            try record.insert(db)
            guard let people else { return }
            let known = try String.fetchSet(
                db, cached: "SELECT id FROM person WHERE household = ?", arguments: [member.household])
            guard !people.isEmpty, known.isSuperset(of: people) else {
                throw Problem.field("people", "Choose whose reminders the calendar shows, among your household.")
            }
            for person in Set(people) {
                try db.execute(
                    cached: "INSERT INTO calendar_feed_person VALUES (?, ?)", arguments: [record.id, person])
            }
        }
        return (record.id, token)
    }

    /// The feeds of a household, the latest first.
    func list(household: String) async throws -> [Listed] {
        try await hub.database.pool.read { db in
            let feeds = try CalendarFeedRecord.fetchAll(
                db, cached: "SELECT * FROM calendar_feed WHERE household = ? ORDER BY created_at DESC, id",
                arguments: [household])
            let shown = try Row.fetchAll(
                db,
                cached: """
                    SELECT feed.id AS feed, person.id AS person FROM calendar_feed feed
                    JOIN person ON person.household = feed.household AND (feed.is_everybody
                        OR person.id IN (SELECT person FROM calendar_feed_person WHERE feed = feed.id))
                    WHERE feed.household = ? ORDER BY person.role, person.created_at, person.id
                    """, arguments: [household])
            let people = Dictionary(grouping: shown) { $0["feed"] as String }
            return feeds.map { feed in
                Listed(record: feed, people: people[feed.id, default: []].map { $0["person"] })
            }
        }
    }

    /// Removes a feed.
    func remove(_ id: String, household: String) async throws {
        try await hub.database.pool.write { db in
            try db.execute(
                cached: "DELETE FROM calendar_feed WHERE id = ? AND household = ?", arguments: [id, household])
            guard db.changesCount > 0 else {
                throw Problem.notFound("There is no calendar here. It may have been removed.")
            }
        }
    }

    private static func people(of feed: CalendarFeedRecord, _ db: Database) throws -> [PersonRecord] {
        try PersonRecord.fetchAll(
            db,
            cached: """
                SELECT * FROM person WHERE household = ?
                AND (? OR id IN (SELECT person FROM calendar_feed_person WHERE feed = ?)) ORDER BY role, created_at, id
                """, arguments: [feed.household, feed.isEverybody, feed.id])
    }

    // MARK: What they show

    private struct Content: Sendable {
        var household: HouseholdRecord
        var people: [PersonRecord]
        var records: [String: [ReminderRecord]]
    }

    /// The calendar of a token.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - origin: the hub's address for links.
    /// - Returns: nil for an unknown token.
    func read(token: String, origin: String) async throws -> [UInt8]? {
        let hash = Secret.hash(token)
        let now = hub.clock.now()
        let found = try await hub.database.pool.read { db -> (CalendarFeedRecord, Content)? in
            guard let feed = try CalendarFeedRecord.filter(sql: "token_hash = ?", arguments: [hash]).fetchOne(db),
                let household = try HouseholdRecord.fetchOne(db, key: feed.household)
            else { return nil }
            let records = try ReminderRecord.fetchAll(
                db,
                cached: """
                    SELECT * FROM reminder WHERE household = ? AND is_on AND companion NOT IN
                        (SELECT slug FROM companion_choice WHERE household = reminder.household AND NOT is_used)
                    ORDER BY id
                    """, arguments: [feed.household])
            return (
                feed,
                Content(
                    household: household, people: try Self.people(of: feed, db),
                    records: Dictionary(grouping: records, by: \.person))
            )
        }
        guard let (feed, content) = found else { return nil }
        // Seldom enough that reading does not write to the disk.
        if now - (feed.readAt ?? 0) > 3_600_000 {
            try? await hub.database.pool.write { db in
                try db.execute(cached: "UPDATE calendar_feed SET read_at = ? WHERE id = ?", arguments: [now, feed.id])
            }
        }
        return try await text(content, origin: origin, now: now)
    }

    private func text(_ content: Content, origin: String, now: Int64) async throws -> [UInt8] {
        // The same all year, so that what has not changed is the same text.
        let year = CivilDate(day: LocalCalendar(timeZone: .gmt).moment(of: now).day).year
        func newYear(_ year: Int) -> Int64 {
            Int64(CivilDate(year: year, month: 1, dayOfMonth: 1)?.day ?? 0) * LocalCalendar.dayLength
        }
        let to = newYear(year + Self.years)
        var events = CalendarText()
        // The household's zone is there even where there is no reminder: a calendar has at least one component.
        let home = TimeZone(identifier: content.household.timeZone) ?? .current
        var zones = [home.identifier: newYear(year - 1)]
        // A calendar's program says no language of its reader's.
        let localized = Localizer(content.household.preferredLanguage, from: context.sentences)
        for person in content.people {
            let writer = CalendarEvents(
                person: person, calendar: LocalCalendar(timeZone: person.zone(content.household)), origin: origin,
                to: to, localized: localized)
            // The service may not have followed somebody to another zone yet.
            let records = (content.records[person.id] ?? []).map { ReminderState($0, writer.calendar, now: now).record }
            let starts = try await add(records, of: writer, to: &events)
            guard let earliest = starts.min() else { continue }
            let zone = writer.calendar.timeZone.identifier
            zones[zone] = min(zones[zone] ?? newYear(year - 1), earliest - LocalCalendar.dayLength)
        }
        var text = CalendarText()
        text.component("VCALENDAR") { text in
            text.add("VERSION", "2.0")
            text.add("PRODID", "-//Tandem//Reminders//EN")
            text.add("CALSCALE", "GREGORIAN")
            text.add("METHOD", "PUBLISH")
            // RFC 7986, 5.1 and 5.7, with the older names of both.
            for name in ["NAME", "X-WR-CALNAME"] { text.add(name, text: "Tandem, \(content.household.name)") }
            text.add("REFRESH-INTERVAL;VALUE=DURATION", Self.refresh)
            text.add("X-PUBLISHED-TTL", Self.refresh)
            for (zone, from) in zones.sorted(by: { $0.key < $1.key }) {
                text.add(LocalCalendar(timeZone: TimeZone(identifier: zone) ?? home), from: from, to: to)
            }
            text.append(events)
        }
        return text.bytes
    }

    /// Adds reminders to the calendar.
    ///
    /// - Returns: the times at which the events begin.
    private func add(_ records: [ReminderRecord], of writer: CalendarEvents, to text: inout CalendarText) async throws
        -> [Int64]
    {
        var starts: [Int64] = []
        for record in records where record.day == nil {
            guard let kind = context.reminderKind(record.companion, record.name),
                let start = writer.add(daily: record, kind: kind, to: &text)
            else { continue }
            starts.append(start)
        }
        let once = Dictionary(grouping: records.filter { $0.day != nil }) { $0.event.map { "\($0)\0" } ?? $0.id }
        for (_, records) in once.sorted(by: { $0.key < $1.key }) {
            guard let record = records.first, let start = writer.start(once: record) else { continue }
            writer.add(once: records, words: try await words(record, writer), to: &text)
            starts.append(start)
        }
        return starts
    }

    /// The companion's text of a single reminder that has no event of its own.
    private func words(_ record: ReminderRecord, _ writer: CalendarEvents) async throws -> ReminderText? {
        guard record.event == nil, let day = record.day else { return nil }
        return try await context.companion(record.companion)?.reminderText(
            DueReminder(
                id: record.id, name: record.name, person: writer.person,
                at: writer.calendar.instant(day: day, minute: record.minute), day: day, minute: record.minute,
                needsText: true, language: writer.localized.language))
    }
}
