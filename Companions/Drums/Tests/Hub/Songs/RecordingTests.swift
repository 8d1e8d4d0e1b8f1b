import DrumsEngine
import Foundation
import HubKit
import Testing

@testable import DrumsHub

@Suite("Recordings of the family's own")
struct RecordingTests {
    private static let path = "/api/drums/songs"
    /// The beginning of an MP3, and some of what follows.
    static let mp3 = Array("ID3".utf8) + [UInt8](repeating: 7, count: 5_000)

    private static func add(_ bytes: [UInt8], to app: DrumsTestApp, length: Int? = nil) async throws
        -> DrumsTestApp.Answer
    {
        try await app.send(
            .post, "\(path)/audio?name=Our%20song.mp3", bytes: bytes,
            headers: ["Content-Length": "\(length ?? bytes.count)"])
    }

    private static func files(_ app: DrumsTestApp) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: app.folder.path + "/songs")) ?? []
    }

    @Test("A recording waits for its tempo, then it has four levels")
    func tempo() async throws {
        let app = try await DrumsTestApp()
        let added = try await Self.add(Self.mp3, to: app)
        #expect(added.status == 201 && added["title"] as? String == "Our song" && added["bytes"] == nil)
        #expect(added["audio", "type"] as? String == "audio/mpeg" && added["audio", "bytes"] as? Int == Self.mp3.count)
        let id = try #require(added["id"] as? String)
        let early = try await app.send(.put, "\(Self.path)/\(id)", #"{"offsetMilliseconds":800}"#)
        #expect(early.status == 422 && early["field"] as? String == "microsecondsPerBeat")
        let unmeasured = try await app.send(.put, "\(Self.path)/\(id)", #"{"microsecondsPerBeat":500000}"#)
        #expect(unmeasured.status == 422 && unmeasured["field"] as? String == "milliseconds")
        let ready = try await app.send(
            .put, "\(Self.path)/\(id)",
            #"{"microsecondsPerBeat":500000,"offsetMilliseconds":800,"milliseconds":60000,"beatsPerBar":4}"#)
        #expect(ready.status == 200 && ready["levels", "0", "beats"] as? Int == 30, "\(ready.text)")
        #expect(ready["audio", "offsetMilliseconds"] as? Int == 800 && ready["sound"] as? String == "audio")
        // The others stay.
        let slower = try await app.send(.put, "\(Self.path)/\(id)", #"{"microsecondsPerBeat":600000}"#)
        #expect(slower["audio", "offsetMilliseconds"] as? Int == 800 && slower["tempo"] as? Double == 100)
    }

    @Test("It is served as it came, whole and in ranges")
    func serving() async throws {
        let app = try await DrumsTestApp()
        let id = try #require(try await Self.add(Self.mp3, to: app)["id"] as? String)
        let path = "\(Self.path)/\(id)/audio"
        let whole = try await app.send(.get, path)
        #expect(whole.status == 200 && whole.headers[.contentType] == "audio/mpeg")
        #expect(Array(whole.text.utf8) == Self.mp3)
        let part = try await app.send(.get, path, headers: ["Range": "bytes=1-3"])
        #expect(part.status == 206 && part.headers[.contentRange] == "bytes 1-3/5003")
        #expect(Array(part.text.utf8) == Array(Self.mp3[1...3]))
        #expect(try await app.send(.get, path, headers: ["Range": "bytes=9000-"]).status == 416)
        #expect(try await app.send(.get, path, as: nil).status == 401)
    }

    @Test("Removed with its song, and refused ones leave nothing behind")
    func nothingLeft() async throws {
        let app = try await DrumsTestApp()
        let id = try #require(try await Self.add(Self.mp3, to: app)["id"] as? String)
        #expect(Self.files(app) == [id])
        #expect(try await app.send(.delete, "\(Self.path)/\(id)").status == 204)
        #expect(Self.files(app).isEmpty)
        #expect(try await Self.add([0x4D, 0x5A] + Self.mp3, to: app).status == 415)
        #expect(try await Self.add([], to: app).status == 415)
        #expect(try await Self.add(Self.mp3, to: app, length: 6_000).status == 400)
        #expect(try await Self.add(Self.mp3, to: app, length: 200 << 20).status == 413)
        let unsaid = try await app.send(.post, "\(Self.path)/audio", bytes: Self.mp3)
        #expect(unsaid.status == 411)
        #expect(Self.files(app).isEmpty)
        #expect(try await app.count("drums_song") == 0)
    }

    @Test("The same recording sent again, its answer lost, is the song that is there")
    func again() async throws {
        let app = try await DrumsTestApp()
        let first = try await Self.add(Self.mp3, to: app)
        let second = try await Self.add(Self.mp3, to: app)
        #expect(second.status == 201)
        #expect(second["id"] as? String == first["id"] as? String)
        #expect(try await Self.add(Self.mp3.dropLast() + [9], to: app)["id"] as? String != first["id"] as? String)
        #expect(try await app.count("drums_song") == 2)
        #expect(Self.files(app).count == 2)
    }

    @Test("What a hub that was killed left behind is put aside, and comes back with its song; songs' files stay")
    func sweep() async throws {
        let app = try await DrumsTestApp()
        let id = try #require(try await Self.add(Self.mp3, to: app)["id"] as? String)
        for name in ["gone", "half.part"] {
            try Data([1]).write(to: app.folder.appendingPathComponent("songs/\(name)"))
        }
        try await RecordingFolder(app.hub).sweep()
        #expect(Set(Self.files(app)) == [id, "lost"])
        let lost = app.folder.appendingPathComponent("songs/lost").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: lost) == ["gone"])
        // An older database was put back, and the newer one again.
        try await app.hub.database.pool.write { db in try db.execute(sql: "UPDATE drums_song SET id = 'gone'") }
        try await RecordingFolder(app.hub).sweep()
        #expect(Set(Self.files(app)) == ["gone", "lost"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: lost) == [id])
    }

    @Test(
        "A song with an identifier that no hub gives has no file, and none is removed",
        arguments: ["../tandem.sqlite", "..", ".", "", "a/b", "a\0b"])
    func hostileIdentifier(id: String) async throws {
        let app = try await DrumsTestApp()
        let folder = RecordingFolder(app.hub)
        let problem = #expect(throws: Problem.self) { try folder.path(of: id) }
        #expect(problem?.status.code == 404)
        folder.remove(id)
        #expect(FileManager.default.fileExists(atPath: app.hub.database.path))
    }

    @Test(
        "Types are told by the first bytes",
        arguments: [
            ("RIFF....WAVEfmt ", "audio/wav"), ("fLaC............", "audio/flac"), ("OggS............", "audio/ogg"),
            ("....ftypM4A ....", "audio/mp4"), ("ID3.............", "audio/mpeg"), ("RIFF....AVI LIST", nil),
            ("....ftypqt  ....", nil), ("<html>..........", nil), ("ID3", nil), ("", nil),
        ])
    func types(beginning: String, type: String?) {
        #expect(RecordingType(Array(beginning.utf8))?.mediaType == type)
    }

    @Test("A frame of an MP3 without a tag is one; 0xFF alone is none")
    func frames() {
        let rest = [UInt8](repeating: 0, count: 20)
        #expect(RecordingType([0xFF, 0xFB, 0x90, 0x64] + rest) == .mp3)
        #expect(RecordingType([0xFF, 0xFF, 0xFF, 0xFF] + rest) == nil)
        // AAC in ADTS is another layer.
        #expect(RecordingType([0xFF, 0xF1, 0x50, 0x80] + rest) == nil)
    }
}
