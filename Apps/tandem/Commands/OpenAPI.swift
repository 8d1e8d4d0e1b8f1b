import ArgumentParser
import Foundation
import HubKit
import HubServer
import Storage

/// `tandem openapi`
struct OpenAPI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Writes what /openapi.json answers: every route, and the types that it takes and answers with.",
        discussion: """
            Needs no hub and no data.

            Example:
              tandem openapi > openapi.json
            """)

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try DataFolder(path: folder.path)
        let hub = HubContext(
            database: try HubDatabase(path: data.databasePath, migrations: Registry.migrations),
            settings: HubSettings(dataFolder: folder.path), log: Log.quiet)
        let app = try await HubApplication(services: ServerContext(hub: hub), companions: companions)
        let document = try HubHTTPServer(app: app, web: nil).openAPI()
        try FileHandle.standardOutput.write(contentsOf: document + Data("\n".utf8))
    }
}
