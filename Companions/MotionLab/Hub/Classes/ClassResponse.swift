import GRDB
import HubKit
import Storage

/// A class, as the adults of the household see it.
struct ClassResponse: Codable, Sendable {
    struct Guest: Codable, Sendable {
        var id: String
        /// The guest's number within the class, from 1, and the name that they gave.
        var number: Int
        var name: String?
        /// Whether their phone asked for news within the last 25 seconds, and is not sent away.
        var isHere, isSentAway: Bool
        /// Whether their phone is here and ready to measure, and whether values of the run that goes on have come of it
        /// and more are to come.
        var isReady, isMeasuring: Bool
        /// The bytes of the last run that have come, and the recording once it is whole.
        var receivedBytes: Int
        var recording: String?
    }

    struct Run: Codable, Sendable {
        /// The number of the run, from 1.
        var number: Int
        /// The start and the end by the hub's clock, UTC microseconds.
        var startsAtMicroseconds, endsAtMicroseconds: Int64
        var isMeasuring: Bool
    }

    var id, name: String
    /// The slug; empty for none.
    var experiment: String
    /// The sensors, as `SensorKind` names them, and the samples a second of each.
    var sensors: [String]
    var hertz: Double
    /// The seconds after which a run ends by itself.
    var seconds: Int
    /// UTC milliseconds.
    var openedAt, endsAt, codeEndsAt: Int64
    var isOpen: Bool
    /// The last one.
    var run: Run?
    /// The guests in the order in which they joined.
    var guests: [Guest]
    /// The number of phones that are here, of those that are ready to measure, and of those that measure now.
    var hereCount = 0, readyCount = 0, measuringCount = 0
}

/// A class with the way into it, which is said once: the hub stores its hash alone.
struct ClassCodeResponse: Codable, Sendable {
    var `class`: ClassResponse
    /// The code for somebody who types it.
    var code: String
    /// The page's address with the code behind its `#`, where no server and no log sees it.
    var link: String
    var qr: QRCodeResponse?
}

extension ClassResponse.Run {
    init?(_ found: ClassRecord, now: Int64) {
        guard found.run > 0 else { return nil }
        self.init(
            number: found.run, startsAtMicroseconds: found.runStartsAt * 1_000,
            endsAtMicroseconds: found.runEndsAt * 1_000, isMeasuring: found.isMeasuring(now))
    }
}

extension ClassResponse {
    init(_ found: ClassRecord, _ classes: Classes, _ db: Database) throws {
        let now = classes.hub.clock.now()
        let rows = try Row.fetchAll(
            db,
            cached: """
                SELECT lab_guest.*, recording,
                    (SELECT max(start + length(content)) FROM lab_guest_chunk
                     WHERE lab_guest_chunk.guest = lab_guest.id AND lab_guest_chunk.run = :run) AS received,
                    length(lab_guest_recording.content) AS stored
                FROM lab_guest LEFT JOIN lab_guest_recording
                    ON lab_guest_recording.guest = lab_guest.id AND lab_guest_recording.run = :run
                WHERE lab_guest.in_class = :class ORDER BY number
                """, arguments: ["run": found.run, "class": found.id])
        self.init(
            id: found.id, name: found.name, experiment: found.experiment, sensors: found.sensors, hertz: found.hertz,
            seconds: found.seconds, openedAt: found.openedAt, endsAt: found.endsAt, codeEndsAt: found.codeEndsAt,
            isOpen: found.isOpen(now), run: Run(found, now: now),
            guests: try rows.map { row in
                let guest = try GuestRecord(row: row)
                let isIn = guest.tokenHash != nil && found.isOpen(now)
                let received: Int = row["stored"] ?? row["received"] ?? 0
                let recording: String? = row["recording"]
                let isHere = isIn && classes.isHere(guest.id, now)
                return Guest(
                    id: guest.id, number: guest.number, name: guest.name, isHere: isHere,
                    isSentAway: guest.tokenHash == nil, isReady: isIn && classes.isReady(guest.id, now),
                    isMeasuring: isHere && found.isMeasuring(now) && received > 0 && recording == nil,
                    receivedBytes: received, recording: recording)
            })
        hereCount = guests.count(where: \.isHere)
        readyCount = guests.count(where: \.isReady)
        measuringCount = guests.count(where: \.isMeasuring)
    }
}
