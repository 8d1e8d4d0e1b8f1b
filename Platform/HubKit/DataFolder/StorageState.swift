import GRDB
import Storage
import Synchronization

/// The state of the hub's storage: whether data can be stored at the moment, and if not, why. A failed transaction sets
/// it, a successful one clears it.
public final class StorageState: Sendable {
    /// The reason why data cannot be stored, or which part is damaged.
    public enum Fault: String, Codable, Sendable, CaseIterable {
        /// The disk is full.
        case full
        /// The disk cannot be written or read.
        case refused
        /// The database is damaged.
        case damaged

        /// Classifies an error; nil if the disk is not at fault.
        package init?(_ error: any Error) {
            if error is SealedReadingsDamage {
                self = .damaged
                return
            }
            guard let error = error as? DatabaseError else { return nil }
            switch error.resultCode {
            case .SQLITE_FULL: self = .full
            case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN: self = .refused
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged
            default: return nil
            }
        }
    }

    private struct State {
        /// Whether the database is damaged. It remains so until the hub is started on another file, whatever else can
        /// be stored.
        var isDamaged = false
        /// A fault that may go away by itself.
        var passing: Fault?
        var fault: Fault? { passing ?? (isDamaged ? .damaged : nil) }
    }

    private let state = Mutex(State())
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init() {}

    /// The current fault; nil if there is none.
    package var fault: Fault? { state.withLock { $0.fault } }

    /// A signal that the fault has changed or gone.
    package var changes: AsyncStream<Void> { news.stream }

    /// Records an error of a transaction or a read.
    public func failed(_ error: any Error) {
        guard let fault = Fault(error) else { return }
        change { state in if fault == .damaged { state.isDamaged = true } else { state.passing = fault } }
    }

    /// Records a successful commit. A damaged database stays damaged.
    package func worked() { change { $0.passing = nil } }

    /// Whether there is a fault that may go away by itself.
    package var isPassing: Bool { state.withLock { $0.passing != nil } }

    /// Reads and changes the state in one step, so that no failure in between is lost.
    private func change(_ body: (inout State) -> Void) {
        let isNews = state.withLock { state in
            let before = state.fault
            body(&state)
            return state.fault != before
        }
        if isNews { news.continuation.yield() }
    }
}
