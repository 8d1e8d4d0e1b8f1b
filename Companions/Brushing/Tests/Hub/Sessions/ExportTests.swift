import Foundation
import GRDB
import Testing

@testable import BrushingEngine
@testable import BrushingHub
@testable import HubKit
@testable import Storage

@Suite("Sessions are exported")
struct ExportTests {
    private let app: BrushingTestApp
    private let at = BrushingTestApp.start - 3_600_000

    init() async throws { app = try await BrushingTestApp() }

    private func export(_ person: String) throws -> [String: Any] {
        let data = try ExportSessionsCommand.json(of: person, now: app.now, in: app.hub.database)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("With the hub's result, the steps, and the events as they were delivered, which are the same session again")
    func whole() async throws {
        let bytes = try BrushingTestApp.recorded("mila", at: at, seconds: 45).encoded()
        #expect(try await app.deliver(bytes).status == 201)
        _ = try await app.deliver(try BrushingTestApp.recorded("theo", at: at).encoded())
        let export = try export("Mila")
        #expect(export["version"] as? Int == 1)
        #expect(export["companion"] as? String == "brushing")
        #expect((export["person"] as? [String: Any])?["timeZone"] as? String == "Europe/Vienna")
        let sessions = try #require(export["sessions"] as? [[String: Any]])
        #expect(sessions.count == 1)
        let session = try #require(sessions.first)
        #expect(session["day"] as? String == "2026-11-21")
        #expect(session["slot"] as? String == "morning")
        #expect(session["engineVersion"] as? Int == 1)
        #expect(session["claimDiffers"] as? Bool == false)
        #expect((session["result"] as? [String: Any])?["brushMilliseconds"] as? Int == 45_000)
        #expect((session["result"] as? [String: Any])?["reason"] as? String == "stopped")
        #expect((session["claim"] as? [String: Any])?["brushMilliseconds"] as? Int == 45_000)
        let segments = try #require(session["segments"] as? [[String: Any]])
        #expect(segments.map { $0["doneMilliseconds"] as? Int } == [30_000, 15_000, 0, 0, 0, 0])
        let content = try #require((session["content"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect(Array(content) == bytes)
        #expect(try await app.deliver(Array(content)).status == 200)
    }

    @Test("Byte for byte as it always was")
    func bytes() async throws {
        let recorded = try BrushingTestApp.recorded("mila", at: at, seconds: 45).encoded()
        #expect(try await app.deliver(recorded).status == 201)
        let data = try ExportSessionsCommand.json(of: "mila", now: app.now, in: app.hub.database)
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Vectors")
        let known = try Data(contentsOf: folder.appendingPathComponent("export-v1.json"))
        #expect(String(decoding: data, as: UTF8.self) == String(decoding: known, as: UTF8.self))
    }

    @Test("What a later engine refuses is exported with its bytes and its result, and so is what comes after it")
    func laterEngine() async throws {
        _ = try await app.deliver(try BrushingTestApp.recorded("mila", at: at - 600_000, seconds: 45).encoded())
        _ = try await app.deliver(try BrushingTestApp.recorded("mila", at: at).encoded())
        try await app.hub.database.pool.write { [at] db in
            try db.execute(sql: "UPDATE session SET content = x'545242' WHERE started_at < ?", arguments: [at])
        }
        let sessions = try #require(try export("mila")["sessions"] as? [[String: Any]])
        #expect(sessions.count == 2)
        #expect(sessions.first?["segments"] == nil)
        #expect((sessions.first?["result"] as? [String: Any])?["brushMilliseconds"] as? Int == 45_000)
        #expect(sessions.first?["content"] as? String == "VFJC")
        #expect((sessions.last?["segments"] as? [Any])?.count == 6)
    }

    @Test("Somebody is named by email, name or id, in any case", arguments: ["INES@example.org", "ines", "Ines"])
    func named(name: String) async throws {
        _ = try await app.deliver(try BrushingTestApp.recorded("ines", at: at).encoded())
        #expect((try export(name)["sessions"] as? [Any])?.count == 1)
    }

    @Test("For somebody unknown it says who there is, and a name that two have is asked for more")
    func unknown() async throws {
        let error = #expect(throws: UnknownPerson.self) { try export("Mia") }
        let words = try #require(error?.description)
        #expect(words.contains("Nobody here is called “Mia”"))
        for known in ["Ines (ines@example.org)", "Tom (tom@example.org)", "Mila (mila)", "Theo (theo)"] {
            #expect(words.contains(known))
        }
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE person SET name = 'Mila' WHERE id = 'theo'")
        }
        let twice = #expect(throws: UnknownPerson.self) { try export("MILA") }
        #expect(twice?.description.contains("More than one") == true)
        #expect((try export("theo")["person"] as? [String: Any])?["name"] as? String == "Mila")
    }

    @Test("What was exported of a long life is read again, and comes to the same", .timeLimit(.minutes(5)))
    func durable() async throws {
        try await app.brushing.seedDemo(household: app.household)
        let sessions = try #require(try export("theo")["sessions"] as? [[String: Any]])
        #expect(sessions.count > 200)
        for session in sessions {
            let content = try #require((session["content"] as? String).flatMap { Data(base64Encoded: $0) })
            let result = try BrushingSession.decoded(Array(content)).result
            let stored = try #require(session["result"] as? [String: Any])
            #expect(stored["brushMilliseconds"] as? Int64 == result.brushMilliseconds)
            #expect(stored["counts"] as? Bool == result.counts)
        }
    }
}
