import GRDB

/// Why a session that nobody came back to could not be stored.
struct StorageFailure: Error {
    /// For an adult to read: what is wrong, and what to do.
    let message: String
    /// For the log: nothing of the session or of whose it is.
    let logged: String

    init(_ error: any Error) {
        switch error {
        case let problem as Problem:
            (message, logged) = (problem.detail, problem.title)
        case let error as DatabaseError:
            let code = "SQLite \(error.extendedResultCode.rawValue)"
            message =
                error.isOfDisk
                ? "The hub’s disk took no more. Make room on it; the session is stored then."
                : "The hub’s database refused it (\(code)). Start the hub again, and tell who looks after it."
            logged = code
        default:
            message = "The hub could not store it. Start the hub again, and tell who looks after it."
            logged = "\(type(of: error))"
        }
    }
}

extension DatabaseError {
    /// Whether the disk took no more, or could not be read or written: nothing is wrong with what was to be stored.
    var isOfDisk: Bool { resultCode == .SQLITE_FULL || resultCode == .SQLITE_IOERR }
}
