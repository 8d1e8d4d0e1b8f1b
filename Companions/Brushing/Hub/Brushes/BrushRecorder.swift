import BrushingEngine
import Foundation
import GRDB
import HubKit
import Storage

/// The maker of a session of a brushing that only the brush itself has recorded.
struct BrushRecorder: Sendable {
    let hub: HubContext

    /// The time in milliseconds around a brushing in which a session of the same person is the same brushing.
    private static let margin: Int64 = 120_000

    /// Stores a brushing as a session of the brush's owner, unless it is nobody's, or the page has recorded it.
    func store(_ brushing: OralBBrushing, of device: String) async throws {
        try await hub.database.pool.write { db in
            guard let owner = try BrushRecord.fetchOne(db, key: device),
                let person = try PersonRecord.fetchOne(db, key: owner.person),
                let household = try HouseholdRecord.fetchOne(db, key: owner.household),
                try !isKnown(brushing, of: person, db)
            else { return }
            let subject = Subject(person, of: household, now: hub.clock.now())
            let routine = try Settings.of(subject, db).steps
            let session = try Self.session(brushing, device: device, person: person, routine, subject.calendar)
            try SessionStorage(BrushingSessionDefinition()).record(
                try DeliveredSession(session.encoded()), of: person, household, hub, db)
        }
    }

    /// Removes what brushes have recorded by themselves at the time of a session that a page delivers only now: it is the same
    /// brushing, and the page knows more of it.
    static func removeRecorded(at context: SessionContext, _ db: Database) throws {
        guard !context.id.hasPrefix(mark),
            let session = try Sessions.find(context.id, household: context.household.id, db)
        else { return }
        try db.execute(
            cached: """
                DELETE FROM session WHERE person = ? AND companion = ? AND started_at <= ? AND ended_at >= ?
                    AND substr(id, 1, ?) = ?
                """,
            arguments: [
                session.person, Brushing.slug, session.endedAt + margin, session.startedAt - margin, mark.utf8.count,
                mark,
            ])
    }

    /// Whether a session that somebody recorded with the page is of the same time, or goes on.
    private func isKnown(_ brushing: OralBBrushing, of person: PersonRecord, _ db: Database) throws -> Bool {
        let (from, to) = (brushing.startedAt - Self.margin, brushing.lastHeardAt + Self.margin)
        if try ActiveSessionRecord.fetchOne(
            db, cached: "SELECT * FROM active_session WHERE person = ? AND companion = ? LIMIT 1",
            arguments: [person.id, Brushing.slug]) != nil
        {
            return true
        }
        return try Bool.fetchOne(
            db,
            cached: """
                SELECT EXISTS(SELECT 1 FROM session WHERE person = ? AND companion = ? AND started_at <= ? AND ended_at >= ?)
                """, arguments: [person.id, Brushing.slug, to, from]) ?? false
    }

    /// The session that the page would have recorded, with the owner's own quarters, for the seconds that the brush counted.
    static func session(
        _ brushing: OralBBrushing, device: String, person: PersonRecord, _ routine: Routine, _ calendar: LocalCalendar
    ) throws -> BrushingSession {
        // A brush knows of brushing alone.
        let brushed = Routine(steps: routine.steps.filter { $0.kind == .brush })
        let steps = (try? brushed.check()) != nil ? brushed : .original
        let offset = calendar.timeZone.secondsFromGMT(for: Date(milliseconds: brushing.startedAt)) / 60
        var session = try BrushingSession(
            id: identifier(device, brushing.startedAt), person: Array(person.id.utf8),
            utcOffsetMinutes: Int16(clamping: offset), routine: steps)
        var now = BrushingEngine.Instant(wall: brushing.startedAt, monotonic: 0)
        var left = Int64(brushing.seconds) * 1_000
        _ = session.handle(.start, at: now)
        while !session.view.isDone, left > 0 {
            let part = min(left, max(session.view.remainingMilliseconds, 1))
            now.wall += part
            now.monotonic += part
            left -= part
            _ = session.handle(.tick, at: now)
        }
        _ = session.handle(session.view.isDone ? .finish : .stop, at: now)
        return session
    }

    /// The first bytes of the id of each session that a brush has recorded by itself, which tell it from those of pages: theirs
    /// are random.
    private static let markBytes = Array("brush".utf8)
    private static let mark = SessionOrigin.name(of: markBytes)

    /// The id of a brushing: the same for the same one, so that it is stored once.
    private static func identifier(_ device: String, _ startedAt: Int64) -> [UInt8] {
        markBytes + Secret.hash("\(device) \(startedAt)").prefix(BrushingSession.Limits.id - markBytes.count)
    }
}
