import GRDB
import HubKit
import MotionLabEngine
import Storage

/// The routes by which recordings are removed, with their samples.
struct RemovalRoutes: Sendable {
    let lab: MotionLab

    func add(to routes: Routes) {
        let hub = lab.hub
        routes.delete(
            "/api/lab/recordings/{id}", .member,
            "Removes a recording with its samples: somebody’s own, and an adult anybody’s. That it was, when and by whom stays written down."
        ) { request in
            let id = try request.path("id")
            let member = try request.member
            let now = hub.clock.now()
            let (recording, samples) = try await hub.database.pool.write { db in
                let recording = try RecordingRoutes.recording(id, for: member, hub, db)
                if let person = try recording.person.flatMap({ try PersonRecord.fetchOne(db, key: $0) }) {
                    try hub.policy.checkSettings(member, of: person, now: now)
                } else {
                    try hub.policy.checkAdult(member, now: now)
                }
                let silence = PhoneRoutes.silenceMilliseconds
                if recording.origin == .push, let heard = recording.device.flatMap({ lab.phones.heardAt($0) }),
                    now - heard < silence, try recording.isNewest(db)
                {
                    throw Problem(
                        .conflict, "Still measuring",
                        "The phone sends this recording now. Stop it in the app first, then remove it.")
                }
                // From here on what its phone sends again is not stored.
                try RemovedRecord(
                    household: recording.household, recording: id, removedAt: now, removedBy: member.person.id
                ).save(db)
                return (recording, try recording.ownSamples(db))
            }
            // Hours of samples, each piece in a transaction of its own. The recording goes last: whoever finds it still there,
            // as the hub was stopped meanwhile, removes the rest with it.
            for (stream, range) in samples {
                while try await hub.database.pool.write({ db in try db.remove(range, from: stream) }) {}
            }
            try await hub.database.pool.write { db in
                try recording.removeRecord(db)
                hub.live.publish(
                    changed: "recording", id: id, of: MotionLab.self, household: member.household, after: db)
            }
            hub.log.notice(
                "A recording of the lab was removed.",
                metadata: ["recording": "\(id)", "by": "\(member.person.id)", "samples": "\(recording.samples)"])
            return .nothing
        }
    }
}

/// The note that a recording was removed, and by whom.
struct RemovedRecord: Storage.TableRecord {
    static let databaseTableName = "lab_removed"

    var household: String
    var recording: String
    /// UTC milliseconds.
    var removedAt: Int64
    /// The id of the account.
    var removedBy: String

    static func isRemoved(_ recording: String, household: String, _ db: Database) throws -> Bool {
        try exists(db, key: ["household": household, "recording": recording])
    }

    /// Deletes the note of a recording that somebody brings in once more, and wants.
    static func forget(_ recording: String, household: String, _ db: Database) throws {
        try deleteOne(db, key: ["household": household, "recording": recording])
    }
}

extension StoredRecording {
    /// Whether its phone has sent no later one.
    fileprivate func isNewest(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            cached: """
                SELECT NOT EXISTS (SELECT 1 FROM lab_recording
                    WHERE household = ? AND device = ? AND origin = 'push' AND start_microseconds > ?)
                """, arguments: [household, device, startMicroseconds]) ?? true
    }

    /// The samples that it alone has: those that another recording of the phone has too stay.
    fileprivate func ownSamples(_ db: Database) throws -> [(stream: StreamRecord, range: ClosedRange<Int64>)] {
        guard origin == .push, let device else { return [] }
        let others = try StoredRecording.fetchAll(
            db,
            cached: """
                SELECT * FROM lab_recording WHERE household = ? AND device = ? AND origin = 'push' AND id <> ?
                AND start_microseconds <= ? AND end_microseconds >= ?
                """, arguments: [household, device, id, endMicroseconds, startMicroseconds])
        return try streams.flatMap { stream in
            guard let first = stream.firstMicroseconds, let last = stream.lastMicroseconds, first <= last,
                let stored = try db.stream(stream.sensor, device: device)
            else { return [(stream: StreamRecord, range: ClosedRange<Int64>)]() }
            return Self.stretches(of: first...last, stream.sensor, without: others).map { (stored, $0) }
        }
    }

    /// Takes it out of its tables.
    fileprivate func removeRecord(_ db: Database) throws {
        try db.execute(
            cached: "DELETE FROM session WHERE household = ? AND id = ? AND companion = ?",
            arguments: [household, id, MotionLab.slug])
        _ = try delete(db)
    }

    /// The parts of a stretch of time in which no other recording has anything of the same sensor.
    private static func stretches(
        of range: ClosedRange<Int64>, _ sensor: String, without others: [StoredRecording]
    ) -> [ClosedRange<Int64>] {
        let covered = others.compactMap { other -> ClosedRange<Int64>? in
            guard let stream = other.streams.first(where: { $0.sensor == sensor }),
                let first = stream.firstMicroseconds, let last = stream.lastMicroseconds, first <= last
            else { return nil }
            return first...last
        }.sorted { $0.lowerBound < $1.lowerBound }
        var free: [ClosedRange<Int64>] = []
        var next = range.lowerBound
        for one in covered {
            if one.lowerBound > next { free.append(next...min(one.lowerBound - 1, range.upperBound)) }
            next = max(next, one.upperBound + 1)
            guard next <= range.upperBound else { return free }
        }
        free.append(next...range.upperBound)
        return free
    }
}
