import GRDB
import HubKit
import Storage
import Synchronization

/// Stores what phones send by HTTP, as many messages in a transaction as came while the one before was committed: a
/// class of thirty phones waits for as many commits as one phone does. (What comes by MQTT the hub's batch writer gathers
/// alike.)
final class PushQueue: Sendable {
    private struct Entry: Sendable {
        var push: SensorLoggerPush
        var device: DeviceRecord
        var done: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var waiting: [Entry] = []
        var isStoring = false
        /// The number of messages in the transaction under way.
        var storing = 0
    }

    /// Stores one message, in a transaction that it shares.
    typealias Store = @Sendable (SensorLoggerPush, DeviceRecord, Database) throws -> Void

    private let database: HubDatabase
    private let state = Mutex(State())

    init(_ database: HubDatabase) { self.database = database }

    /// Stores a message, and returns when it is durable.
    ///
    /// - Parameter store: how; the same for every message.
    func add(_ push: SensorLoggerPush, of device: DeviceRecord, _ store: @escaping Store) async throws {
        try await withCheckedThrowingContinuation { done in
            let begins = state.withLock { state in
                state.waiting.append(Entry(push: push, device: device, done: done))
                defer { state.isStoring = true }
                return !state.isStoring
            }
            if begins { Task { await storeAll(store) } }
        }
    }

    /// The number of messages that are not stored yet: those of the transaction under way, and those that wait for it.
    var count: Int { state.withLock { $0.waiting.count + $0.storing } }

    private func storeAll(_ store: @escaping Store) async {
        while true {
            let batch = state.withLock { state in
                defer { state.waiting = [] }
                state.isStoring = !state.waiting.isEmpty
                state.storing = state.waiting.count
                return state.waiting
            }
            guard !batch.isEmpty else { return }
            do {
                let results = try await database.pool.write { db in
                    try batch.map { entry in try Self.result(of: entry, store, db) }
                }
                for (entry, result) in zip(batch, results) { entry.done.resume(with: result) }
            } catch {
                for entry in batch { entry.done.resume(throwing: error) }
            }
        }
    }

    /// Stores one message. Its failure undoes that message alone, but one of the disk fails all.
    private static func result(of entry: Entry, _ store: Store, _ db: Database) throws -> Result<Void, any Error> {
        do {
            try db.undoable { try store(entry.push, entry.device, db) }
            return .success(())
        } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode) {
            throw error
        } catch {
            return .failure(error)
        }
    }
}
