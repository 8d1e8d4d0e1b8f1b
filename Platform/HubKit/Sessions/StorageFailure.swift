import GRDB
import Localization

/// The reason why an abandoned session could not be stored.
struct StorageFailure: Error {
    /// The reason for an adult: what is wrong, and what to do.
    let message: LocalizedText
    /// The reason for the log, without the session or its person.
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
    /// Whether the disk is full or cannot be read or written, so that the data itself is not at fault.
    package var isOfDisk: Bool { resultCode == .SQLITE_FULL || resultCode == .SQLITE_IOERR }
}
