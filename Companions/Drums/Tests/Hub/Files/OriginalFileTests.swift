import Foundation
import HubKit
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub

/// Files as the original's app writes them (`NSArray.writeToFile`, Foundation's XML), with what its rules lead to: every
/// level, an answer before the first beat, a beat hit wrongly for minutes, and a kit with all drums switched off.
@Suite("Files of the original, byte for byte")
struct OriginalFileTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <array>

        """

    private static func array(_ key: String, _ values: [String]) -> String {
        "\t\t<key>\(key)</key>\n\t\t<array>\n" + values.map { "\t\t\t\($0)\n" }.joined() + "\t\t</array>\n"
    }

    private static func session(
        level: Int, drums: [Int] = [1, 1, 1, 1], beats: [Int] = [1, 0, 1, 1], hits: [String], second: Int = 1,
        song: String = "Song &amp; dance"
    ) -> String {
        "\t<dict>\n" + array("beat_sequence", beats.map { "<integer>\($0)</integer>" })
            + "\t\t<key>date</key>\n\t\t<date>2016-04-20T15:30:0\(second)Z</date>\n"
            + array("drums", drums.map { "<integer>\($0)</integer>" })
            + array("hit_sequence", hits.map { "<string>\($0)</string>" })
            + "\t\t<key>level</key>\n\t\t<integer>\(level)</integer>\n"
            + "\t\t<key>song_name</key>\n\t\t<string>\(song)</string>\n"
            + "\t\t<key>tempo</key>\n\t\t<integer>120</integer>\n\t</dict>\n"
    }

    private static func file(_ sessions: [String]) -> [UInt8] {
        Array((head + sessions.joined() + "</array>\n</plist>\n").utf8)
    }

    @Test("A session whose date cannot be read is refused alone, and what other programs spell otherwise is taken")
    func spellings() async throws {
        let sessions = (1...6).map { Self.session(level: 1, hits: ["0 450 3.20", "", "", ""], second: $0) }
        func changed(_ place: Int, _ from: String, _ to: String) -> String {
            sessions[place].replacingOccurrences(of: from, with: to)
        }
        let bytes = Self.file([
            sessions[0], changed(1, "01Z</date>".replacingOccurrences(of: "1", with: "2"), "02.034Z</date>"),
            changed(2, "<integer>120</integer>", "<real>120.0</real>"),
            changed(3, "<integer>1</integer>", "<true/>").replacingOccurrences(
                of: "<integer>0</integer>", with: "<false/>"),
            changed(4, "2016-04-20T15", "2016-04-31T15"), changed(5, "15:30:06Z", "17:30:06+02:00"),
        ])
        let answer = try await app.send(.post, "/api/drums/import?person=mila", bytes: bytes, as: "ines")
        #expect(answer["stored"] as? Int == 5, "\(answer.text)")
        #expect((answer["refused"] as? [[String: Any]])?.map { $0["session"] as? Int } == [5])
        #expect(answer["refused", "0", "key"] as? String == "date")
    }

    @Test("Texts for numbers and dates, a damaged title and a file that was cut off cost the other sessions nothing")
    func otherPrograms() async throws {
        let sessions = (1...6).map { Self.session(level: 1, hits: ["0 450 3.20", "", "", ""], second: $0) }
        func changed(_ place: Int, _ from: String, _ to: String) -> String {
            let changed = sessions[place].replacingOccurrences(of: from, with: to)
            #expect(changed != sessions[place])
            return changed
        }
        let whole = Self.file([
            changed(0, "<integer>120</integer>", "<string>120</string>"),
            changed(1, "<date>2016-04-20T15:30:02Z</date>", "<string>2016-04-20 15:30:02 +0000</string>"),
            changed(2, "<key>song_name</key>\n\t\t<string>", "<key>song_name</key>\n\t\t<string>Salt & "), sessions[3],
            sessions[4], sessions[5],
        ])
        let cut = Array(whole.dropLast(60))
        let answer = try await app.send(.post, "/api/drums/import?person=mila", bytes: cut, as: "ines")
        #expect(answer["stored"] as? Int == 4, "\(answer.text)")
        #expect((answer["refused"] as? [[String: Any]])?.map { $0["session"] as? Int } == [3, 6], "\(answer.text)")
        #expect((answer["refused", "1", "detail"] as? String)?.contains("Was it copied whole?") == true)
    }

    // Damage that editors by hand, merges and copies leave in a file of XML; each stands within the second of three sessions.
    @Test(
        "A damaged spot in the tags costs its own session, which is told, and the others are taken",
        arguments: [
            ("<integer>120</integer>", "<null/>"), ("<integer>120</integer>", "<int>120</int>"),
            ("<string>Song &amp; dance</string>", "<string>I <3 you</string>"), ("</string>", "</strin>"),
            ("</date>", "</date>x"), ("<key>date</key>", "<<<<<<< HEAD\n<key>date</key>"),
            ("<key>date</key>", "<date>date</key>"), ("\t\t</array>", ""),
            ("<integer>120</integer>", "<integer>120<integer>"),
            ("<integer>120</integer>", "<!-- 120"), ("<integer>120</integer>", "</array>"),
        ])
    func damaged(from: String, to: String) async throws {
        let sessions = (1...3).map { Self.session(level: 1, hits: ["0 450 3.20", "", "", ""], second: $0) }
        let place = try #require(sessions[1].range(of: from))
        let bytes = Self.file([sessions[0], sessions[1].replacingCharacters(in: place, with: to), sessions[2]])
        let answer = try await app.send(.post, "/api/drums/import?person=mila", bytes: bytes, as: "ines")
        #expect(answer["stored"] as? Int == 2, "\(answer.text)")
        #expect((answer["refused"] as? [[String: Any]])?.map { $0["session"] as? Int } == [2], "\(answer.text)")
    }

    @Test("An end of a session that is missing or doubled, and what stands after the list, cost no session")
    func ends() async throws {
        let sessions = (1...3).map { Self.session(level: 1, hits: ["0 450 3.20", "", "", ""], second: $0) }
        let open = sessions[1].replacingOccurrences(of: "\t</dict>\n", with: "")
        let double = sessions[1] + "\t</dict>\n"
        let last = sessions[2].replacingOccurrences(of: "\t</dict>\n", with: "")
        for (file, stored) in [
            ([sessions[0], open, sessions[2]], 3), ([sessions[0], double, sessions[2]], 0),
            ([sessions[0], sessions[1], last], 0),
        ] {
            let answer = try await app.send(.post, "/api/drums/import?person=mila", bytes: Self.file(file), as: "ines")
            #expect(answer["stored"] as? Int == stored && answer["again"] as? Int == 3 - stored, "\(answer.text)")
            #expect((answer["refused"] as? [[String: Any]])?.isEmpty == true, "\(answer.text)")
        }
        let more = Self.file(sessions) + Array("junk".utf8)
        let answer = try await app.send(.post, "/api/drums/import?person=mila", bytes: more, as: "ines")
        #expect(answer["again"] as? Int == 3, "\(answer.text)")
        #expect((answer["refused"] as? [[String: Any]])?.map { $0["session"] as? Int } == [4], "\(answer.text)")
    }

    private func exported() async throws -> [UInt8] {
        Array(
            try ExportedDrums(person: try await app.person("mila"), household: app.household).file(
                .plist, isBinary: false, now: 0, in: app.hub.database))
    }

    /// In and out again.
    ///
    /// - Returns: the sessions that came of it, the earliest first.
    private func through(_ sessions: [String]) async throws -> [[String: Any]] {
        let bytes = Self.file(sessions)
        let answer = try await app.send(.post, "/api/drums/import?person=mila", bytes: bytes, as: "ines")
        #expect(answer["stored"] as? Int == sessions.count, "\(answer.text)")
        #expect(String(decoding: try await exported(), as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
        let again = try await app.send(.post, "/api/drums/import?person=mila", bytes: bytes, as: "ines")
        #expect(again["again"] as? Int == sessions.count, "\(again.text)")
        let list = try await app.send(.get, "/api/drums/sessions?person=mila&from=2016-04-01&to=2016-04-30")
        return try #require(list["sessions"] as? [[String: Any]])
    }

    @Test("Sessions of all four levels come out as they went in")
    func levels() async throws {
        let hits = ["3 450 320.00", "", "0 1 3 1 2 1450 -1.00", "1 587 12.50"]
        let sessions = try await through((1...4).map { Self.session(level: $0, hits: hits, second: $0) })
        #expect(sessions.map { $0["level"] as? Int } == [1, 2, 3, 4])
        for session in sessions {
            #expect(session["answered"] as? Int == 3)
            #expect(session["right"] as? Int == 2)
            #expect(session["end"] as? String == "finished")
        }
    }

    @Test("An answer before the first beat is stored on its rest, and is counted among those that answer nothing")
    func answerOnRest() async throws {
        let hits = ["2 812 -1.00", "", "1 400 3.20", "0 430 -1.00", "3 420 -1.00"]
        let session = try #require(
            try await through([Self.session(level: 4, beats: [0, 0, 1, 1, 0], hits: hits)]).first)
        #expect(session["beats"] as? Int == 2)
        #expect(session["answered"] as? Int == 2)
        #expect(session["right"] as? Int == 2)
        #expect(session["stray"] as? Int == 2)
        #expect(session["end"] as? String == "finished")
    }

    @Test(
        "A text of hundreds of bytes is taken whole, and its wrong drums are counted",
        arguments: [100, 101, 255, 2_000])
    func longTexts(wrong: Int) async throws {
        let long = String(repeating: "1 ", count: wrong) + "0 59000 -1.00"
        let session = try #require(
            try await through([Self.session(level: 3, hits: [long, "", "2 400 -1.00", "noise"])]).first)
        #expect(session["answered"] as? Int == 2)
        #expect(session["right"] as? Int == 1)
        #expect(session["stray"] as? Int == 1)
    }

    @Test("A session without an active drum is what its kit answered, which the original plays on red")
    func noDrum() async throws {
        let hits = ["0 450 320.00", "", "1 0 480 300.00", ""]
        let session = try #require(
            try await through([Self.session(level: 2, drums: [0, 0, 0, 0], hits: hits)]).first)
        #expect(session["answered"] as? Int == 2)
        #expect(session["right"] as? Int == 1)
        let detail = try await app.send(.get, "/api/drums/sessions/\(try #require(session["id"] as? String))")
        #expect(detail["drums"] as? [Bool] == [false, false, false, false], "\(detail.text)")
    }

    @Test("Texts that are too much together are refused with their number, and the file’s other sessions are taken")
    func tooMuch() async throws {
        let long = String(repeating: "1 ", count: 2_000) + "0 400 -1.00"
        let steps = 80
        let bytes = Self.file([
            Self.session(
                level: 1, beats: Array(repeating: 1, count: steps), hits: Array(repeating: long, count: steps)),
            Self.session(level: 1, hits: ["", "", "", "0 1 -1.00"], second: 2),
        ])
        let answer = try await app.send(.post, "/api/drums/import?person=mila", bytes: bytes, as: "ines")
        #expect(answer["stored"] as? Int == 1, "\(answer.text)")
        #expect(
            (answer["refused", "0", "detail"] as? String)?.contains("320,880 bytes together") == true, "\(answer.text)")
    }

    @Test("The longest session that is taken is within what the hub reads")
    func longest() throws {
        let steps = DrumSession.Limits.steps
        let each = DrumSession.Limits.importedTexts / steps
        let person = PersonRecord(
            id: String(repeating: "m", count: 40), household: "linden", name: "Mila", role: .child, createdAt: 0)
        let original = OriginalSession(
            tempo: 2_400, level: 4, songName: String(repeating: "x", count: 80),
            drums: [true, true, true, true], beatSequence: (0..<steps).map { $0 % 3 == 0 },
            hitSequence: Array(repeating: String(repeating: "7", count: each), count: steps), date: 1_461_166_201_000)
        let session = try original.session(of: person, utcOffsetMinutes: 60)
        #expect(session.events.count == steps + 2)
        let bytes = session.encoded()
        #expect(bytes.count <= DrumSession.Limits.bytes)
        #expect(OriginalSession(try DrumSession.decoded(bytes)) == original)
    }
}
