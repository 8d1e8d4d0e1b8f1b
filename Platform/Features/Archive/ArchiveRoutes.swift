import HubKit
import Localization

/// The routes by which adults download the household's archive.
public struct ArchiveRoutes: Sendable {
    private let archives: Archives

    private struct Response: Codable {
        struct Archive: Codable {
            /// The time at which it was made, in UTC milliseconds.
            var at: Int64
            var bytes: Int
            /// The time at which it is deleted, in UTC milliseconds.
            var removedAt: Int64
            /// The shell command that imports it into a new hub.
            var importCommand: String
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

    /// The name of the downloaded file.
    private static let name = "tandem-household.zip"

    private enum Media: FileMedia {
        case zip
        var mediaType: String { "application/zip" }
    }

    /// Creates the routes.
    public init(archives: Archives) { self.archives = archives }

    /// Adds them.
    public func add(to routes: Routes) {
        routes.get(
            "/api/archive", .adult,
            "The archive of all that the household has: how far it is, and what can be downloaded."
        ) { request in
            try .json(Self.response(archives, request.localized))
        }
        routes.post(
            "/api/archive", .adult, "Makes an archive of all that the household has, in the background.",
            query: [TableForm.query]
        ) { request in
            archives.ask(try request.tableForm())
            return .nothing
        }
        routes.get("/api/archive/file", .adult, "The archive, a ZIP file.") { request in
            try await request.file(
                archives.path, Media.zip,
                otherwise: Problem.notFound("There is no archive here. It may have been removed.")
            ).setting(.contentDisposition, "attachment; filename=\"\(Self.name)\"")
        }
        routes.delete("/api/archive", .adult, "Removes the archive from the hub.") { _ in
            await archives.remove()
            return .nothing
        }
    }

    private static func response(_ archives: Archives, _ localized: Localizer) -> Response {
        let (state, kept) = (archives.state, archives.kept())
        return Response(
            progress: state.progress.map { .init(done: $0.done, total: $0.total) },
            archive: kept.map {
                .init(
                    at: $0.at, bytes: $0.bytes, removedAt: $0.at + Archives.keptMilliseconds,
                    importCommand: "tandem import everything \(name) --data ./data")
            }, problem: state.problem.map { localized.string($0) },
            notice: kept == nil ? nil : state.notice.map { localized.string($0) })
    }
}
