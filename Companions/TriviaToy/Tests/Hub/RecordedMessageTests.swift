import Foundation
import GRDB
import HubInstruments
import HubKit
import Storage
import Testing
import TriviaToyEngine

@testable import TriviaToyHub

@Suite("Recorded messages")
struct RecordedMessageTests {
    private typealias App = CompanionTestApp<TriviaToy>

    private static func wave(milliseconds: Int = 500) -> [UInt8] {
        var bytes: [UInt8] = []
        Sound(rate: 8_000, samples: (0..<milliseconds * 8).map { Int16($0 % 100 * 50) }).encodeWave(into: &bytes)
        return bytes
    }

    private static func send(_ app: App, _ bytes: [UInt8], to person: String = "mila", name: String = "Grandma")
        async throws -> App.Answer
    {
        try await app.send(.post, "/api/toy/messages?person=\(person)&name=\(name)", bytes: bytes)
    }

    @Test("A message waits for its child, is heard in place of a fact, and can be removed with its sound")
    func heard() async throws {
        let app = try await App()
        let sent = try await Self.send(app, Self.wave())
        let id = try #require(sent["id"] as? Int)
        #expect(sent.status == 201 && sent["title"] as? String == "Grandma" && sent["milliseconds"] as? Int == 500)
        try await app.use("ines", profile: "mila")
        let next = try await app.send(.get, "/api/toy/people/mila/next")
        #expect(next["message", "id"] as? Int == id && next["fact", "id"] != nil)
        let sound = try await app.send(.get, "/api/toy/messages/\(id)/audio")
        #expect(sound.headers[.contentType] == "audio/wav" && sound.bytes == Self.wave())
        #expect(try await app.send(.post, "/api/toy/messages/\(id)/heard").status == 204)
        #expect(try await app.send(.get, "/api/toy/people/mila/next")["message"] == nil)
        #expect(try await app.send(.delete, "/api/toy/messages/\(id)").status == 403)
        try await app.use("ines", profile: "theo")
        #expect(try await app.send(.get, "/api/toy/messages/\(id)/audio").status == 403)
        #expect((try await app.send(.get, "/api/toy/messages")["messages"] as? [Any])?.isEmpty == true)
        try await app.use("ines", profile: "ines")
        #expect(try await app.send(.delete, "/api/toy/messages/\(id)").status == 204)
        #expect(try await app.count("toy_message_sound") == 0)
    }

    @Test("What is too long, no sound, empty, too large, or for nobody, is refused in words, and nothing is stored")
    func refused() async throws {
        let app = try await App()
        #expect(
            try await Self.send(app, Self.wave(milliseconds: 30_600))["detail"] as? String
                == "A message lasts at most 30 seconds. Say it in fewer words. Nothing was stored.")
        #expect(try await Self.send(app, Array("<script>".utf8)).status == 415)
        #expect(try await Self.send(app, []).status == 415)
        #expect(try await Self.send(app, Self.wave(milliseconds: 0)).status == 422)
        #expect(try await Self.send(app, [UInt8](repeating: 0, count: (6 << 20) + 1)).status == 413)
        #expect(try await Self.send(app, Self.wave(), to: "nobody").status == 404)
        #expect(try await app.send(.post, "/api/toy/messages", bytes: Self.wave()).status == 422)
        #expect(try await Self.send(app, Array("#EXTM3U\nhttp://192.0.2.1/".utf8)).status == 415)
        #expect(try await app.count("toy_message") == 0)
        for _ in 0..<20 { #expect(try await Self.send(app, Self.wave(milliseconds: 10)).status == 201) }
        #expect(try await Self.send(app, Self.wave(milliseconds: 10)).status == 409)
    }

    @Test("Without ffmpeg what is missing is said, and a WAV file is stored all the same")
    func withoutProgram() async throws {
        let sound = MessageSound(program: "no-such-program", limits: ToyLimits(), folder: "/nowhere")
        #expect(try await sound.sound(of: Self.wave()).milliseconds == 500)
        let folder = FileManager.default.temporaryDirectory.path
        let missing = MessageSound(program: "no-such-program", limits: ToyLimits(), folder: folder)
        let problem = await #expect(throws: Problem.self) { try await missing.sound(of: Array("OggS0000".utf8)) }
        #expect(problem?.detail.english.contains("apt-get install ffmpeg") == true)
    }

    @Test("What a browser records is made a WAV file by ffmpeg, where it is installed", arguments: ["webm", "mp4"])
    func transcoded(container: String) async throws {
        let program = SystemProgram(name: "ffmpeg", limitBytes: 1 << 20, patience: .seconds(600))
        guard program.isInstalled else { return }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(container)")
            .path
        defer { try? FileManager.default.removeItem(atPath: file) }
        _ = try await program.run(
            ["-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=1", "-y", file], input: [])
        let bytes = Array(try #require(FileManager.default.contents(atPath: file)))
        let app = try await App()
        let sent = try await Self.send(app, bytes)
        #expect(sent.status == 201, "\(sent.text)")
        #expect(abs((sent["milliseconds"] as? Int ?? 0) - 1_000) < 100)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: app.folder.path).allSatisfy { !$0.hasSuffix(".part") })
        #expect(try await Self.send(app, Array(bytes.prefix(200))).status == 422)
    }
}
