import GRDB
import HubKit
import Localization
import Storage

/// The routes by which adults download the household's archive, and that of one person.
public struct ArchiveRoutes: Sendable {
    private let archives: Archives

    private struct Response: Codable {
        struct Archive: Codable {
            /// The time at which it was made, in UTC milliseconds.
            var at: Int64
            var bytes: Int
            /// The time at which it is deleted, in UTC milliseconds.
            var removedAt: Int64
            /// The shell command that imports it into a new hub; nil for one of a person, of which no hub can be made.
            var importCommand: String?
        }
        struct Progress: Codable { var done, total: Int }
        /// The progress of the archive that is being made; nil if none is.
        var progress: Progress?
        /// The archive that can be downloaded; nil if there is none.
        var archive: Archive?
        /// The reason why the last attempt failed; nil if it did not.
        var problem: String?
        /// A note about the archive that can be downloaded, such as that something is missing in it.
        var notice: String?
    }

    private enum Media: FileMedia {
        case zip
        var mediaType: String { "application/zip" }
    }

    /// Creates the routes.
    public init(archives: Archives) { self.archives = archives }

    /// Adds them.
    public func add(to routes: Routes) {
        add(to: routes, at: "/api/archive", of: "all that the household has") { _ in .household }
        add(to: routes, at: "/api/people/{id}/archive", of: "what is kept of a person") { request in
            let (id, household) = (try request.path("id"), try request.member.household)
            let person = try await request.hub.database.pool.read { db in try PersonRecord.fetchOne(db, key: id) }
            guard person?.household == household else {
                throw Problem.notFound("There is no person here. It may have been removed.")
            }
            return .person(id)
        }
    }

    private func add(
        to routes: Routes, at path: String, of what: String,
        _ subject: @escaping @Sendable (APIRequest) async throws -> Archives.Subject
    ) {
        routes.get(path, .adult, "The archive of \(what): how far it is, and what can be downloaded.") { request in
            try .json(Self.response(archives, try await subject(request), request.localized))
        }
        routes.post(
            path, .adult, "Makes an archive of \(what), in the background.", query: [TableForm.query]
        ) { request in
            archives.ask(of: try await subject(request), try request.tableForm())
            return .nothing
        }
        routes.get("\(path)/file", .adult, "The archive of \(what), a ZIP file.") { request in
            let subject = try await subject(request)
            return try await request.file(
                archives.path(of: subject), Media.zip,
                otherwise: Problem.notFound("There is no archive here. It may have been removed.")
            ).setting(.contentDisposition, "attachment; filename=\"\(Self.name(subject))\"")
        }
        routes.delete(path, .adult, "Removes the archive of \(what) from the hub.") { request in
            await archives.remove(of: try await subject(request))
            return .nothing
        }
    }

    /// The name of the downloaded file.
    private static func name(_ subject: Archives.Subject) -> String {
        subject == .household ? "tandem-household.zip" : "tandem-person.zip"
    }

    private static func response(_ archives: Archives, _ subject: Archives.Subject, _ localized: Localizer) -> Response
    {
        let (state, kept) = (archives.state(of: subject), archives.kept(of: subject))
        return Response(
            progress: state.progress.map { .init(done: $0.done, total: $0.total) },
            archive: kept.map {
                .init(
                    at: $0.at, bytes: $0.bytes, removedAt: $0.at + Archives.keptMilliseconds,
                    importCommand: subject == .household
                        ? "tandem import everything \(name(subject)) --data ./data" : nil)
            }, problem: state.problem.map { localized.string($0) },
            notice: kept == nil ? nil : state.notice.map { localized.string($0) })
    }
}
