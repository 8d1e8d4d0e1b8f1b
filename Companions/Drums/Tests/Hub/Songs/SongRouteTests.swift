import DrumsEngine
import Foundation
import HTTPTypes
import Testing

@testable import DrumsHub

@Suite("Songs of a household's own")
struct SongRouteTests {
    private static let path = "/api/drums/songs"
    static let text = "title: Walk\nmeter: 4/4\ntempo: 120\n| C4 D4 E4 F4 | G4/1 |\n"

    @Test("The list has the songs of the library, then the household's own, the newest first")
    func list() async throws {
        let app = try await DrumsTestApp()
        _ = try await app.send(.post, Self.path, Self.text)
        app.advance(milliseconds: 10)
        _ = try await app.send(.post, "\(Self.path)?name=My_song.v2.mid", bytes: Self.midi)
        let list = try await app.send(.get, Self.path)
        let count = SongLibrary.texts.count
        #expect(list["songs", "0", "isLibrary"] as? Bool == true)
        #expect(list["songs", "\(count)", "title"] as? String == "My song.v2")
        #expect(list["songs", "\(count + 1)", "title"] as? String == "Walk")
        #expect(list["songs", "\(count + 2)"] == nil)
        #expect(list["limits", "audioBytes"] as? Int == 30 << 20)
    }

    @Test("Songs are apart from the overview, which is small, and say where they come from in the reader’s language")
    func apart() async throws {
        let app = try await DrumsTestApp()
        let overview = try await app.send(.get, "/api/drums")
        #expect(overview["people"] != nil)
        #expect(overview["songs"] == nil)
        // The songs alone are 35 kB.
        #expect(overview.bytes.count < 15_000)
        let german = try await app.send(.get, Self.path, headers: ["Accept-Language": "de"]).text
        #expect(german.contains("\"composer\":\"Volkslied aus England\"") && !german.contains("Traditional"))
        #expect(german.contains("Niemand hat Rechte daran.") && !german.contains("Nobody holds rights"))
        #expect(try await app.send(.get, Self.path).text.contains("\"composer\":\"Traditional, English\""))
    }

    @Test(
        "A song that comes with Tandem has its German title for a German reader wherever it is named, its own does not change"
    )
    func german() async throws {
        let app = try await DrumsTestApp()
        let own = try #require(try await app.send(.post, Self.path, Self.text)["id"] as? String)
        let german = ["Accept-Language": "de"]
        let list = try await app.send(.get, Self.path, headers: german)
        let titles = (list["songs"] as? [[String: Any]])?.compactMap { $0["title"] as? String } ?? []
        for title in ["Bruder Jakob", "Hänschen klein", "Stille Nacht, heilige Nacht", "Jingle Bells", "Walk"] {
            #expect(titles.contains(title))
        }
        #expect(try await app.send(.get, "\(Self.path)/\(own)", headers: german)["title"] as? String == "Walk")
        // A session was given the English title.
        let session = try DrumsTestApp.played("mila", at: try DrumsTestApp.vienna("2026-11-21", 9, 42))
        let id = try #require(try await app.deliver(session.encoded())["id"] as? String)
        let title = "Freude, schöner Götterfunken"
        for path in ["/api/drums/sessions/\(id)", "/api/drums/sessions?person=mila"] {
            let answer = try await app.send(.get, path, headers: german)
            #expect(
                (answer["song", "title"] ?? answer["sessions", "0", "song", "title"]) as? String == title, "\(path)")
        }
        let data = try await app.send(.get, "/api/drums/data?person=mila&span=week", headers: german)
        #expect(data["sessions", "0", "title"] as? String == title)
        let report = try await app.send(.get, "/api/drums/report?person=mila", headers: german)
        #expect((report["practised"] as? String)?.contains("\(title) einmal") == true)
        let overview = try await app.send(.get, "/api/drums", headers: german)
        let people = overview["people"] as? [[String: Any]] ?? []
        let today = people.first { $0["id"] as? String == "mila" }?["today"] as? [String: Any]
        #expect((today?["played"] as? [[String: Any]])?.first?["title"] as? String == title)
        #expect(try await app.send(.get, "/api/drums/sessions/\(id)")["song", "title"] as? String == "Ode to Joy")
    }

    /// Four quarters of type 0.
    static let midi: [UInt8] =
        Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + [0, 0, 0, 8]
        + [0, 0x90, 60, 90, 96, 0x80, 60, 0]

    @Test("What is added comes back with its bytes, which are the song")
    func add() async throws {
        let app = try await DrumsTestApp()
        let added = try await app.send(.post, Self.path, Self.text)
        #expect(added.status == 201)
        let id = try #require(added["id"] as? String)
        let one = try await app.send(.get, "\(Self.path)/\(id)")
        let bytes = try #require((one["bytes"] as? String).flatMap { Data(base64Encoded: $0) })
        let song = try Song.decoded(Array(bytes))
        #expect(String(decoding: song.id, as: UTF8.self) == id)
        #expect(one["tempo"] as? Double == 120 && one["sound"] as? String == "notes")
        #expect(one["levels", "2", "level"] as? Int == 3)
    }

    @Test("The same request again, with its key, adds nothing")
    func idempotency() async throws {
        let app = try await DrumsTestApp()
        for _ in 0..<2 {
            let answer = try await app.send(.post, Self.path, Self.text, headers: ["Idempotency-Key": "one"])
            #expect(answer.status == 201)
        }
        #expect(try await app.count("drums_song") == 1)
    }

    @Test("A child adds, changes and removes nothing, and sees all")
    func child() async throws {
        let app = try await DrumsTestApp()
        let id = try #require(try await app.send(.post, Self.path, Self.text)["id"] as? String)
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.post, Self.path, Self.text).status == 403)
        #expect(try await app.send(.put, "\(Self.path)/\(id)", "{}").status == 403)
        #expect(try await app.send(.delete, "\(Self.path)/\(id)").status == 403)
        #expect(try await app.send(.post, "\(Self.path)/audio", "x").status == 403)
        #expect(try await app.send(.get, "\(Self.path)/\(id)").status == 200)
        #expect(try await app.send(.get, Self.path, as: nil).status == 401)
    }

    @Test("A song of the library is neither changed nor removed")
    func library() async throws {
        let app = try await DrumsTestApp()
        #expect(try await app.send(.put, "\(Self.path)/ode-to-joy", "{}").status == 403)
        #expect(try await app.send(.delete, "\(Self.path)/ode-to-joy").status == 403)
        #expect(try await app.send(.get, "\(Self.path)/ode-to-joy").status == 200)
        #expect(try await app.send(.get, "\(Self.path)/ode-to-joy/audio").status == 404)
    }

    @Test("A title and a tempo are changed; what cannot be is refused by its field")
    func change() async throws {
        let app = try await DrumsTestApp()
        let id = try #require(try await app.send(.post, Self.path, Self.text)["id"] as? String)
        let path = "\(Self.path)/\(id)"
        let changed = try await app.send(.put, path, #"{"title":"Run","microsecondsPerBeat":400000}"#)
        #expect(changed["title"] as? String == "Run" && changed["tempo"] as? Double == 150)
        for (body, field) in [
            (#"{"title":" "}"#, "title"), (#"{"microsecondsPerBeat":0}"#, "microsecondsPerBeat"),
            (#"{"offsetMilliseconds":5}"#, "offsetMilliseconds"),
        ] {
            let refused = try await app.send(.put, path, body)
            #expect(refused.status == 422 && refused["field"] as? String == field, "\(body)")
        }
        #expect(try await app.send(.get, path)["title"] as? String == "Run")
    }

    @Test("What is removed is gone, and unknown songs are not there")
    func remove() async throws {
        let app = try await DrumsTestApp()
        let id = try #require(try await app.send(.post, Self.path, Self.text)["id"] as? String)
        #expect(try await app.send(.delete, "\(Self.path)/\(id)").status == 204)
        for method in [HTTPRequest.Method.get, .delete] {
            #expect(try await app.send(method, "\(Self.path)/\(id)").status == 404)
        }
    }

    @Test("A file that lost its end is a song of what is there, and the answer says that something was left out")
    func cutOff() async throws {
        let app = try await DrumsTestApp()
        let whole = try await app.send(.post, Self.path, bytes: Self.midi)
        #expect(whole.status == 201 && whole["leftOut"] == nil)
        let cut = try await app.send(.post, Self.path, bytes: Array(Self.midi.dropLast(3)))
        #expect(cut.status == 201, "\(cut.text)")
        #expect((cut["leftOut"] as? String)?.contains("Byte 18: The file ends before") == true, "\(cut.text)")
    }

    @Test("Wrong files are refused in words, and nothing is stored")
    func rejections() async throws {
        let app = try await DrumsTestApp()
        let cases: [([UInt8], String)] = [
            (
                Array("title: T\nmeter: 4/4\ntempo: 90\n| C4/1 | C4 |\n| C4/1 |".utf8),
                "Line 4, column 13: This bar has 1 beat, and the metre asks for 4 beats."
            ),
            (Array(Self.midi.prefix(14)), "Byte 14: There are fewer tracks"),
            ([0x89, 0x50, 0x4E, 0x47, 0, 0], "neither a MIDI file"),
        ]
        for (bytes, words) in cases {
            let answer = try await app.send(.post, Self.path, bytes: bytes)
            #expect(answer.status == 422 && answer.detail.contains(words), "\(answer.detail)")
        }
        let large = try await app.send(.post, Self.path, bytes: [UInt8](repeating: 35, count: 600_000))
        #expect(large.status == 413)
        #expect(try await app.count("drums_song") == 0)
    }

    @Test("A household has room for a hundred songs")
    func room() async throws {
        let app = try await DrumsTestApp()
        for index in 0..<SongRecord.mostSongs {
            let record = SongRecord(id: "s\(index)", household: "linden", title: "S", createdAt: 1)
            try await app.hub.database.pool.write { db in try record.insert(db) }
        }
        #expect(try await app.send(.post, Self.path, Self.text).status == 409)
    }
}
