import HubKit
import Localization

extension ArchivePart {
    /// The platform's own part of the archive.
    static let platform = ArchivePart(
        tables: [
            "household", ArchivedTable("person", secrets: ["password": .null]), "companion_choice",
            ArchivedTable("device", secrets: ["token_hash": .unknowable]), "series", "session", "session_branch",
            "active_session", "active_session_chunk", "stream", "stream_block", "stream_summary", "reminder",
            "reminder_choice", "reminder_rules", "reminder_event", "outbound_call", "adopted_sensor",
            "bluetooth_device",
        ],
        leftOut: [
            LeftOutTables(
                ["reading", "reading_block", "reading_sealed", "reading_journal", "reading_journal_run"],
                LocalizedText("Readings are in the folder readings, a file of each series.")),
            LeftOutTables(
                ["rollup"], LocalizedText("What readings come to by the minute, hour and day is calculated again.")),
            LeftOutTables(["sign_in"], LocalizedText("Who is signed in where: everybody signs in anew.")),
            LeftOutTables(["invitation"], LocalizedText("Invitations, whose codes hold for one hub only.")),
            LeftOutTables(["password_reset"], LocalizedText("Codes for new passwords.")),
            LeftOutTables(
                ["passkey"], LocalizedText("Passkeys, which hold for one hub only: everybody makes them anew.")),
            LeftOutTables(
                ["known_address", "failed_sign_in"],
                LocalizedText("From which addresses somebody has signed in, and where that failed.")),
            LeftOutTables(
                ["integration", "integration_companion"],
                LocalizedText("Programs that were let in: each is let in anew.")),
            LeftOutTables(
                ["calendar_feed", "calendar_feed_person"], LocalizedText("Addresses of calendars, which are secret.")),
            LeftOutTables(
                ["push_subscription", "push_person", "push_message"],
                LocalizedText("Phones that are notified: each is asked anew.")),
            LeftOutTables(
                ["channel", "channel_event", "channel_subject", "channel_message", "mail_account"],
                LocalizedText("Channels by ntfy, e-mail and webhook, whose tokens are secret: each is added anew.")),
            LeftOutTables(
                ["setting"], LocalizedText("The hub’s own keys and certificates, which no other hub may have.")),
            LeftOutTables(
                ["firmware_image", "device_firmware"],
                LocalizedText(
                    "Images of boards, whose files are added anew, and their versions, which devices say themselves.")),
            LeftOutTables(
                ["idempotency_key"], LocalizedText("What was answered to phones, for the case that they ask again.")),
            LeftOutTables(
                [
                    "mqtt_retained", "mqtt_session", "mqtt_subscription", "mqtt_queue", "mqtt_unreleased", "mqtt_will",
                ], LocalizedText("MQTT messages on their way between devices.")),
        ],
        words: [
            LocalizedText(
                "readings: what sensors measured, a file (CSV) of each series of a device. The first column is the time in milliseconds since 1 January 1970, UTC; a spreadsheet makes a date of it by =A2/86400000+25569. The second is the value; its unit stands in the first line."
            ),
            LocalizedText(
                "household: people, devices and reminders as tables (CSV). Times are milliseconds since 1970 in UTC, days are counted from 1 January 1970, and minutes from midnight."
            ),
        ])

    /// Adds people, devices and reminders as tables for people.
    static func addPlatformFiles(to files: ReadableFiles) throws {
        try files.addTable(
            "people.csv",
            sql: """
                SELECT id, name, role, email, birth_year AS "year of birth", time_zone AS "time zone",
                    created_at AS "came (ms since 1970, UTC)" FROM person
                WHERE ?1 IS NULL OR id = ?1 ORDER BY created_at, id
                """, arguments: [files.onlyPerson])
        if files.onlyPerson == nil {
            try files.addTable(
                "devices.csv",
                sql: """
                    SELECT id, name, kind, is_virtual AS "virtual (1 = yes)", created_at AS "came (ms since 1970, UTC)",
                        removed_at AS "removed (ms since 1970, UTC)" FROM device ORDER BY created_at, id
                    """)
        }
        try files.addTable(
            "reminders.csv",
            sql: """
                SELECT person.name AS person, companion, reminder.name, minute AS "minute of the day",
                    day AS "day (since 1970-01-01, empty = daily)", weekdays AS "weekdays (bit 0 = Monday)",
                    is_on AS "on (1 = yes)", event_title AS "of what"
                FROM reminder JOIN person ON person.id = person
                WHERE ?1 IS NULL OR person.id = ?1 ORDER BY person.created_at, companion, reminder.name
                """, arguments: [files.onlyPerson])
    }
}
