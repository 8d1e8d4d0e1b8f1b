import ArgumentParser
import ClientKit
import Foundation
import HubKit
import Testing

@testable import PlantsHub

@Suite("Gardens in and out of the hub")
struct GardenCommandTests {
    /// As the executable does before anything else.
    init() { Registry.install([Plants.self]) }

    @Test("What is exported is the file that was imported, byte for byte")
    func roundTrip() async throws {
        let app = try await PlantsTestApp()
        let file =
            "[{\"Sensors\": \"[\\\"36\\\"]\", \"Name\": \"Fern\"}, {\"Sensors\": \"test id\", \"Name\": \"Caf\\u00e9 \\ud83c\\udf3f\"}]"
        let input = app.folder.appendingPathComponent("in.json").path
        let output = app.folder.appendingPathComponent("out.json").path
        try Data(file.utf8).write(to: URL(fileURLWithPath: input))
        // Twice: the second time it replaces itself.
        for _ in 0..<2 {
            let command = try ImportPlantsCommand.parse([input, "--client", "iPhone SE", "--data", app.folder.path])
            try command.run()
        }
        let command = try ExportPlantsCommand.parse([
            "--client", "iPhone SE", "--data", app.folder.path, "--output", output,
        ])
        try command.run()
        #expect(String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self) == file)
    }

    @Test(
        "What cannot be read changes nothing and ends with a code for scripts",
        arguments: [("[{\"Name\": 1}]", 65), ("[{", 65), ("{}", 65)] as [(String, Int32)])
    func badFiles(text: String, code: Int32) async throws {
        let app = try await PlantsTestApp()
        let input = app.folder.appendingPathComponent("in.json").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: input))
        let command = try ImportPlantsCommand.parse([input, "--client", "iPhone", "--data", app.folder.path])
        #expect(throws: ExitCode(code)) { try command.run() }
        let clients = try await app.hub.database.pool.read { db in try db.legacyClient("iPhone", household: "linden")
        }
        #expect(clients == nil)
    }

    @Test("A folder without a hub, a missing file and an unknown client are told apart")
    func missing() async throws {
        let app = try await PlantsTestApp()
        let none = try ExportPlantsCommand.parse(["--client", "x", "--data", "/nonexistent"])
        #expect(throws: ValidationError.self) { try none.run() }
        let unknown = try ExportPlantsCommand.parse(["--client", "x", "--data", app.folder.path])
        #expect(throws: ExitCode(65)) { try unknown.run() }
        let unread = try ImportPlantsCommand.parse(["/nonexistent.json", "--client", "x", "--data", app.folder.path])
        #expect(throws: ExitCode(66)) { try unread.run() }
    }

    @Test(
        "A hub's address is a URL",
        arguments: [
            ("mqtt://127.0.0.1:1883", "127.0.0.1", 1883), ("mqtt://hub.local", "hub.local", 1883),
            ("mqtt://[::1]:18", "::1", 18),
        ])
    func address(text: String, host: String, port: Int) throws {
        let address = try #require(HubAddress(argument: text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test("Anything else is none", arguments: ["127.0.0.1", "http://127.0.0.1", "mqtt://", "mqtt://host/path"])
    func noAddress(text: String) { #expect(HubAddress(argument: text) == nil) }
}
