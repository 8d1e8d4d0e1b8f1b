import GRDB
import Storage
import Synchronization

/// Whether the hub can store at the moment, and if not, why: known by the first transaction that fails, until one succeeds.
public final class StorageState: Sendable {
    /// Why nothing can be stored, or what is damaged while the rest goes on.
    public enum Fault: String, Codable, Sendable, CaseIterable {
        /// The disk is full.
        case full
        /// The disk cannot be written, or not be read.
        case refused
        /// The database is damaged.
        case damaged

        /// Nil for an error that is none of the disk's.
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
        /// A damaged page is so until the hub is started on another file, whatever else can be stored.
        var isDamaged = false
        /// What may come right by itself.
        var passing: Fault?
        var fault: Fault? { passing ?? (isDamaged ? .damaged : nil) }
    }

    private let state = Mutex(State())
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init() {}

    /// Nil where all is well.
    package var fault: Fault? { state.withLock { $0.fault } }

    /// Something for whoever watches: the fault is another, or gone.
    package var changes: AsyncStream<Void> { news.stream }

    /// Something could not be stored, or not be read.
    package func failed(_ error: any Error) {
        guard let fault = Fault(error) else { return }
        change { state in if fault == .damaged { state.isDamaged = true } else { state.passing = fault } }
    }

    /// Something is durable. What is damaged stays so.
    package func worked() { change { $0.passing = nil } }

    /// Whether it may come right by itself.
    package var isPassing: Bool { state.withLock { $0.passing != nil } }

    /// Looks and changes in one step: between two, another failure would be lost.
    private func change(_ body: (inout State) -> Void) {
        let isNews = state.withLock { state in
            let before = state.fault
            body(&state)
            return state.fault != before
        }
        if isNews { news.continuation.yield() }
    }
}
