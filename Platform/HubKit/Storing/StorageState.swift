import GRDB
import Synchronization

/// Whether the hub can store at the moment, and if not, why: known by the first transaction that fails, until one succeeds.
public final class StorageState: Sendable {
    /// Why nothing can be stored.
    public enum Fault: String, Codable, Sendable, CaseIterable {
        /// The disk is full.
        case full
        /// The disk cannot be written, or not be read.
        case refused
        /// The database is damaged.
        case damaged

        /// Nil for an error that is none of the disk's.
        package init?(_ error: any Error) {
            guard let error = error as? DatabaseError else { return nil }
            switch error.resultCode {
            case .SQLITE_FULL: self = .full
            case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN: self = .refused
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged
            default: return nil
            }
        }
    }

    private let state = Mutex<Fault?>(nil)
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init() {}

    /// Nil where all is well.
    package var fault: Fault? { state.withLock { $0 } }

    /// Something for whoever watches: the fault is another, or gone.
    package var changes: AsyncStream<Void> { news.stream }

    /// Something could not be stored.
    package func failed(_ error: any Error) { if let fault = Fault(error) { set(fault) } }

    /// Something is durable. A damaged page is so until the hub is started on another file, whatever else can be stored.
    package func worked() { if fault != .damaged { set(nil) } }

    /// Whether it may come right by itself.
    package var isPassing: Bool { fault != nil && fault != .damaged }

    private func set(_ fault: Fault?) {
        let isNews = state.withLock { state in
            defer { state = fault }
            return state != fault
        }
        if isNews { news.continuation.yield() }
    }
}
