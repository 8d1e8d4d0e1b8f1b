import GRDB
import Synchronization

/// A part of a transaction that was begun with ``GRDB/Database/undoable(_:)``, and whether it was undone.
private final class UndoablePart: Sendable {
    private let parent: UndoablePart?
    private let undone = Mutex(false)

    /// The innermost part that is being written on this thread; nil outside of all.
    @TaskLocal static var current: UndoablePart?

    init(in parent: UndoablePart?) { self.parent = parent }

    /// Whether it was undone, alone or with a part that it lies in.
    var isUndone: Bool { undone.withLock { $0 } || parent?.isUndone == true }
    func undo() { undone.withLock { $0 = true } }
}

extension Database {
    /// Runs an action once what the current transaction writes is durable, on the writer's thread, and never when that
    /// was undone: the transaction that failed or was rolled back, or the part of it that ``undoable(_:)`` took back.
    ///
    /// Notifying open pages of what was stored, and waking services for it, is done so. The actions of a transaction run in
    /// the order in which they were given. Whoever waits for the transaction goes on after them, so an action is short.
    public func afterCommit(_ action: @escaping @Sendable () -> Void) {
        let part = UndoablePart.current
        afterNextTransaction { _ in
            if part?.isUndone != true { action() }
        }
    }

    /// Writes a part of a transaction that is undone alone if `work` throws (SQLite's SAVEPOINT), with the actions that
    /// were to follow it.
    ///
    /// - Throws: what `work` throws, after it was undone.
    public func undoable<Value>(_ work: () throws -> Value) throws -> Value {
        let part = UndoablePart(in: .current)
        var value: Value?
        do {
            try UndoablePart.$current.withValue(part) {
                try inSavepoint {
                    value = try work()
                    return .commit
                }
            }
        } catch {
            part.undo()
            throw error
        }
        // Set by the closure that has just returned without an error.
        return value!
    }
}
