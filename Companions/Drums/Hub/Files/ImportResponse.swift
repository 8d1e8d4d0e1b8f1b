import HubKit
import Localization

/// What became of a file of the original’s, in the language of whoever brought it.
struct ImportResponse: Codable, Sendable {
    /// A session that was not taken.
    struct Refused: Codable, Sendable {
        /// From 1.
        var session: Int
        /// In which of its entries the fault lies; nil for the whole.
        var key: String?
        /// What is wrong, and how it should be, with its number and key.
        var detail: String
    }

    /// In the file.
    var sessions: Int
    /// Those that are new here, and those that were here before.
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
