import GRDB
import HubKit

/// Why a session that nobody came back to could not be stored.
struct StoringFault: Error {
    /// For an adult to read: what is wrong, and what to do.
    let words: String
    /// For the log: nothing of the session or of whose it is.
    let logged: String

    init(_ error: any Error) {
        switch error {
        case let problem as Problem:
            (words, logged) = (problem.detail, problem.title)
        case let error as DatabaseError:
            let code = "SQLite \(error.extendedResultCode.rawValue)"
            words =
                error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR
                ? "The hub’s disk took no more. Make room on it; the song is stored then."
                : "The hub’s database refused it (\(code)). Start the hub again, and tell who looks after it."
            logged = code
        default:
            words = "The hub could not store it. Start the hub again, and tell who looks after it."
            logged = "\(type(of: error))"
        }
    }

    /// Events that today's engine refuses.
    static let unreadable = Problem(
        .conflict, "Cannot be read",
        "This version of the hub cannot read what the page sent of this song. It is kept as it is; update the hub.",
        field: "events")
}
