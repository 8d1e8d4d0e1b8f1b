import Foundation
import GRDB
import HubKit
import Storage
import Synchronization

/// The answer to whether the hub can store anything now, for whatever watches over it.
///
/// It is found by storing: a disk that is full or can only be read answers each question well. So that strangers who ask
/// wear nothing out, that is tried once in some seconds, and all others get the same answer.
final class StorageProbe: Sendable {
    /// The time for which an answer holds, in milliseconds.
    static let holds: Int64 = 10_000

    private struct State {
        var triedAt: Int64?
        var isRefused = false
    }

    private let hub: HubContext
    private let state = Mutex(State())

    /// Creates the probe.
    init(hub: HubContext) { self.hub = hub }

    /// Whether something can be stored now.
    func canStore() async -> Bool {
        if hub.storage.isPassing { return false }
        let now = hub.clock.now()
        let (isDue, isRefused) = state.withLock { state in
            let isDue = state.triedAt.map { !(0..<Self.holds).contains(now - $0) } ?? true
            if isDue { state.triedAt = now }
            return (isDue, state.isRefused)
        }
        guard isDue else { return !isRefused }
        let error = await Self.error(of: hub, bytes: 16)
        if let error { hub.storage.failed(error) }
        // A file that another program holds for a moment refuses nothing.
        let isFault = error.map { StorageState.Fault($0) != nil } ?? false
        state.withLock { $0.isRefused = isFault }
        return !isFault
    }

    /// Writes and deletes a row in one transaction; nil if that was stored.
    static func error(of hub: HubContext, bytes: Int) async -> (any Error)? {
        do {
            try await hub.database.pool.write { db in
                try db.execute(
                    sql: "INSERT OR REPLACE INTO setting VALUES ('storage-try', hex(randomblob(?)))", arguments: [bytes]
                )
                try db.execute(cached: "DELETE FROM setting WHERE name = 'storage-try'")
            }
            return nil
        } catch {
            return error
        }
    }
}
