import Dispatch
import Foundation
import GRDB
import HubInstruments
import Storage
import Synchronization
import Testing

@testable import HubKit

@Suite("Nothing is played through inside the database’s writer")
struct ReplayOutsideWriterTests {
    private let app: CompanionTestApp<Raw>

    init() async throws { app = try await CompanionTestApp<Raw>() }

    /// Writes while a session is played through, which goes on once that has committed: inside of the writer it never
    /// would.
    ///
    /// - Parameter replay: by its number, from 1.
    private func during(
        replay: Int = 1, _ work: @escaping @Sendable (Database) throws -> Void = Self.note
    ) -> @Sendable () -> Bool {
        let count = Mutex(0)
        let isWritten = Mutex(false)
        let pool = app.hub.database.pool
        app.companion.format.replay.hook.withLock { hook in
            hook = {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number == replay else { return }
                let done = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    do {
                        try pool.write(work)
                        isWritten.withLock { $0 = true }
                    } catch {
                        Issue.record(error)
                    }
                    done.signal()
                }
                done.wait()
            }
        }
        return { isWritten.withLock { $0 } }
    }

    /// Somebody else's write.
    private static let note: @Sendable (Database) throws -> Void = { db in
        try db.execute(sql: "INSERT INTO setting(name, value) VALUES ('written', 'meanwhile')")
    }

    private func device(_ bytes: [UInt8] = [1, 2, 3]) -> RawRecorder { RawRecorder(app, bytes: bytes) }

    @Test("Others write while a session that is delivered whole is played through", .timeLimit(.minutes(5)))
    func whole() async throws {
        let isWritten = during()
        let answer = try await app.deliver(device().bytes)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(isWritten())
    }

    @Test("Others write while an active session’s end is played through", .timeLimit(.minutes(5)))
    func complete() async throws {
        let device = device()
        _ = try await device.patch(0..<25)
        let isWritten = during()
        let answer = try await device.patch(25..<27, isComplete: true)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(isWritten())
    }

    @Test("Others write while one that nobody ended is played through", .timeLimit(.minutes(5)))
    func left() async throws {
        _ = try await device().patch(0..<27)
        app.advance(milliseconds: 60_000)
        let isWritten = during()
        try await app.companion.sessions.closeLeft()
        #expect(try await app.count() == 1)
        #expect(isWritten())
    }

    @Test("Others write while what a session is compared with is played through", .timeLimit(.minutes(5)))
    func compared() async throws {
        let device = device()
        _ = try await app.deliver(device.bytes + [RawSession.hubsEnd])
        // The first is what comes, the second what is stored.
        let isWritten = during(replay: 2)
        let answer = try await app.deliver(device.bytes + [9, 0])
        #expect(answer.status == 200, "\(answer.text)")
        #expect(isWritten())
    }

    /// Two bytes more of the one session that goes on.
    private func grow() -> @Sendable (Database) throws -> Void {
        let limits = app.companion.format.limits
        return { db in
            var record = try #require(try ActiveSessionRecord.fetchOne(db))
            try SessionChunks.append([3, 4], to: &record, limits, db)
            record.changes += 1
            try record.update(db)
        }
    }

    @Test("What came while the end was played through is in what is stored", .timeLimit(.minutes(5)))
    func grownMeanwhile() async throws {
        let device = device([1, 2, 3, 4])
        _ = try await device.patch(0..<26)
        let isWritten = during(grow())
        let answer = try await device.patch(26..<26, isComplete: true)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(isWritten())
        let (id, household) = (device.id, app.household.id)
        let record = try await app.hub.database.pool.read { db in try Sessions.find(id, household: household, db) }
        #expect(record.map { Array($0.content) } == device.bytes)
    }

    @Test("What grew while the hub wanted to close it goes on", .timeLimit(.minutes(5)))
    func notClosed() async throws {
        let device = device([1, 2, 3, 4])
        _ = try await device.patch(0..<26)
        app.advance(milliseconds: 60_000)
        let isWritten = during(grow())
        try await app.companion.sessions.closeLeft()
        #expect(isWritten())
        #expect(try await app.count() == 0)
        #expect(try await app.count("active_session") == 1)
    }
}
