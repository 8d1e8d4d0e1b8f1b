import GRDB
import Localization

/// Why a session that nobody came back to could not be stored.
struct StorageFailure: Error {
    /// For an adult to read: what is wrong, and what to do.
    let message: LocalizedText
    /// For the log: nothing of the session or of whose it is.
    let logged: String

    init(_ error: any Error) {
        switch error {
        case let problem as Problem:
            (message, logged) = (problem.detail, problem.title.english)
        case let error as DatabaseError:
            message =
                error.isOfDisk
                ? LocalizedText("The hub’s disk took no more. Make room on it; the session is stored then.")
                : LocalizedText("The hub’s database refused it. Start the hub again, and tell who looks after it.")
            logged = "SQLite \(error.extendedResultCode.rawValue)"
        default:
            message = LocalizedText("The hub could not store it. Start the hub again, and tell who looks after it.")
            logged = "\(type(of: error))"
        }
    }
}

extension DatabaseError {
    /// Whether the disk took no more, or could not be read or written: nothing is wrong with what was to be stored.
    var isOfDisk: Bool { resultCode == .SQLITE_FULL || resultCode == .SQLITE_IOERR }
}
