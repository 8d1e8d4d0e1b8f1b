import HubKit
import Localization

/// The outcome of importing a file of the original’s, in the language of whoever brought it.
struct ImportResponse: Codable, Sendable {
    /// A session that was not taken.
    struct Refused: Codable, Sendable {
        /// The number of the session, from 1.
        var session: Int
        /// The entry of the session in which the fault lies; nil for the whole.
        var key: String?
        /// The fault, and how it should be, with the session's number and key.
        var detail: String
    }

    /// The number of sessions in the file.
    var sessions: Int
    /// The number of sessions that are new here, and that of sessions that were here before.
    var stored, again: Int
    var refused: [Refused]

    init(_ report: SessionImport.Report, _ request: APIRequest) {
        (sessions, stored, again) = (report.sessions, report.stored, report.again)
        refused = report.refused.map {
            Refused(
                session: $0.session, key: $0.key,
                detail: $0.detail.string(in: request.language, from: request.sentences))
        }
    }
}
