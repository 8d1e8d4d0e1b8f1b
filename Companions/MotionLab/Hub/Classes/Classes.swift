import Foundation
import GRDB
import HubKit
import MotionLabEngine
import ServiceLifecycle
import Storage
import Synchronization

/// The classes of this hub: who waits for news of which, who is there, and what is closed because nobody goes on with
/// it.
///
/// A guest is no caller of the hub's: no part of it but ``GuestRoutes`` knows what their token is.
final class Classes: Service {
    let hub: HubContext
    let limits: ClassLimits
    let wrongCodes, wrongTokens: WrongTries
    let requests: RateLimiter
    let places: ClassPlaces

    /// The word of a phone on whether it is ready, and when it said so by its own clock.
    private struct Readiness {
        var isReady: Bool
        var saidAt: Int64
    }

    private struct State {
        /// The streams of guests whose page waits for news.
        var waiting: [String: AsyncStream<Void>.Continuation] = [:]
        /// The time at which each guest was here last, UTC milliseconds.
        var seenAt: [String: Int64] = [:]
        /// The last word of each guest's phone on whether it is ready to measure: their pages say so each time they ask.
        var ready: [String: Readiness] = [:]
        /// Bytes of recordings that came of a class; of those that were asked for.
        var bytes: [String: Int] = [:]
    }

    private let state = Mutex(State())

    init(_ hub: HubContext, limits: ClassLimits = ClassLimits()) {
        self.hub = hub
        self.limits = limits
        wrongCodes = WrongTries(limits)
        wrongTokens = WrongTries(limits)
        requests = RateLimiter(limits.requests, capacity: 1_000)
        places = ClassPlaces(limits)
    }

    // MARK: - How much there is

    /// Counts bytes that are stored of a class, in the transaction that stores them.
    ///
    /// - Throws: a 413 problem where a class has as many as it may.
    func count(_ bytes: Int, of inClass: String, _ db: Database) throws {
        let known = try state.withLock { $0.bytes[inClass] } ?? GuestChunkRecord.bytes(ofClass: inClass, db)
        guard known + bytes <= limits.classBytes else {
            throw Problem(
                .contentTooLarge, "Too much",
                "A class sends at most \(limits.classBytes >> 20) MB, and this one has. What came is stored. Open another class."
            )
        }
        state.withLock { state in
            if state.bytes.count > 4 * limits.openClasses { state.bytes = [:] }
            state.bytes[inClass] = known + bytes
        }
    }

    /// Counts the bytes of a class anew the next time: not all of it was stored, or some was removed.
    func countAnew(_ inClass: String) { state.withLock { $0.bytes[inClass] = nil } }

    // MARK: - Who is there

    func saw(_ guest: String) {
        let now = hub.clock.now()
        state.withLock { state in
            state.seenAt[guest] = now
            guard state.seenAt.count > 4 * limits.openClasses * limits.guests else { return }
            state.seenAt = state.seenAt.filter { now - $0.value < limits.presenceMilliseconds }
            let seen = state.seenAt
            state.ready = state.ready.filter { seen[$0.key] != nil }
        }
    }

    /// Notes whether a guest's phone is ready to measure: its sensors run, and it begins with all others.
    ///
    /// - Parameters:
    ///   - guest: the guest.
    ///   - isReady: whether it is.
    ///   - saidAt: when the phone said so, milliseconds of its own clock. A request that was given up may come after the one
    ///     that took its place, and counts no more.
    /// - Returns: whether that is news.
    func note(_ guest: String, isReady: Bool, saidAt: Int64) -> Bool {
        state.withLock { state in
            let before = state.ready[guest]
            if let before, before.saidAt > saidAt { return false }
            state.ready[guest] = Readiness(isReady: isReady, saidAt: saidAt)
            return isReady != (before?.isReady ?? false)
        }
    }

    /// Whether a guest is here, with a phone that is ready to measure.
    func isReady(_ guest: String, _ now: Int64) -> Bool {
        isHere(guest, now) && state.withLock { $0.ready[guest]?.isReady ?? false }
    }

    /// The time at which a guest was here last, UTC milliseconds; nil where that is long ago.
    func seenAt(_ guest: String) -> Int64? { state.withLock { $0.seenAt[guest] } }

    func isHere(_ guest: String, _ now: Int64) -> Bool {
        seenAt(guest).map { now - $0 < limits.presenceMilliseconds } ?? false
    }

    // MARK: - News

    /// The news of a guest's class from now on. A guest waits once: an earlier wait of the same ends.
    func news(for guest: String) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let earlier = state.withLock { $0.waiting.updateValue(continuation, forKey: guest) }
        earlier?.finish()
        return stream
    }

    /// Waits for news, and not longer than the limits say.
    func wait(_ news: AsyncStream<Void>) async {
        let patience = limits.patience
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in news { return } }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Ends the wait for a guest's news.
    func stopWaiting(_ guest: String) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: guest) }
        waiting?.finish()
    }

    /// Tells a class's phones and the household's pages of what a transaction changes of it, once that is durable.
    func publishChange(of id: String, household: String, guests: [String] = [], after db: Database) {
        db.afterCommit { self.publishChange(of: id, household: household, guests: guests) }
    }

    /// Tells a class's phones and the household's pages that it has changed.
    func publishChange(of id: String, household: String, guests: [String] = []) {
        let waiting = state.withLock { state in guests.compactMap { state.waiting[$0] } }
        for one in waiting { one.yield() }
        hub.live.publish(.changed(companion: MotionLab.slug, what: "class", id: id), household: household)
    }

    // MARK: - What nobody goes on with

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await self.closeIdle()
                } catch {
                    self.hub.log.error("Recordings of a class could not be closed.", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: .seconds(30))
            }
        }
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        for one in waiting { one.finish() }
    }

    /// Closes each recording whose phone has sent nothing for a while, as it is. What cannot be read from a place on is
    /// cut there.
    func closeIdle() async throws {
        let before = hub.clock.now() - limits.idleMilliseconds
        let idle = try await hub.database.pool.read { db in
            try Row.fetchAll(
                db, cached: "SELECT guest, run FROM lab_guest_chunk GROUP BY guest, run HAVING max(at) < ?",
                arguments: [before]
            ).map { (guest: $0["guest"] as String, run: $0["run"] as Int) }
        }
        for (guest, run) in idle {
            let (bytes, found) = try await hub.database.pool.read { db in
                let found = try GuestRecord.fetchOne(db, key: guest).flatMap {
                    try ClassRecord.fetchOne(db, key: $0.inClass)
                }
                return (try GuestChunkRecord.bytes(guest, run: run, db), found)
            }
            let most = found.map { limits.samples(of: $0) } ?? 0
            try await store(try? ReadRecording(Self.readable(bytes, mostSamples: most)), of: guest, run: run)
        }
    }

    /// The readable part of a recording, as it is stored: it ends before what is damaged, or is more than the run asked
    /// for.
    private static func readable(_ bytes: [UInt8], mostSamples: Int) throws -> [UInt8] {
        var reader = try RecordingReader(bytes, isComplete: true, mostSamples: mostSamples)
        while let record = try? reader.next() { _ = record }
        return Array(bytes[..<reader.offset])
    }

    /// Stores a recording that is whole, once, in place of its parts.
    ///
    /// - Parameter read: nil where nothing of it can be read: its parts go.
    func store(_ read: ReadRecording?, of guest: String, run: Int) async throws {
        let now = hub.clock.now()
        let hub = hub
        try await hub.database.pool.write { db in
            try db.execute(cached: "DELETE FROM lab_guest_chunk WHERE guest = ? AND run = ?", arguments: [guest, run])
            guard let guest = try GuestRecord.fetchOne(db, key: guest),
                let found = try ClassRecord.fetchOne(db, key: guest.inClass), let read,
                read.summary.streams.contains(where: { $0.samples > 0 })
            else { return }
            let household = try HouseholdRecord.find(db, key: found.household)
            guard try StoredRecording.find(read.origin.id, household: household.id, db) == nil,
                try !RemovedRecord.isRemoved(read.origin.id, household: household.id, db)
            else { return }
            // The phone's clock may be wrong by years: the day is the hub's.
            let day = LocalCalendar(timeZone: TimeZone(identifier: household.timeZone) ?? .gmt).moment(of: now).day
            try StoredRecording(read, household: household.id, person: nil, origin: .guest, day: day).insert(db)
            try GuestRecordingRecord(
                household: household.id, recording: read.origin.id, inClass: found.id, guest: guest.id, run: run,
                content: Data(read.content), digest: Sessions.digest(of: read.content)
            ).insert(db)
            hub.live.publish(
                changed: "recording", id: read.origin.id, of: MotionLab.self, household: found.household, after: db)
            hub.live.publish(changed: "class", id: found.id, of: MotionLab.self, household: found.household, after: db)
        }
    }
}
