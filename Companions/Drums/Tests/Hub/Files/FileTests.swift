import Crypto
import Foundation
import GRDB
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("The original's sessiondata.plist")
struct SessionDataFileTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private static var good: [String: Any] {
        [
            "tempo": 120, "level": 1, "song_name": "Ode to Joy", "drums": [1, 1, 0, 1],
            "beat_sequence": [1, 0, 1, 1, 1],
            "hit_sequence": ["0 450 320.00", "", "1 0 3 1450 -1.00", "noise", ""],
            "date": Date(timeIntervalSince1970: 1_461_166_201),
        ]
    }

    private func file(_ sessions: [Any], _ format: PropertyListSerialization.PropertyListFormat = .xml) throws
        -> [UInt8]
    {
        Array(try PropertyListSerialization.data(fromPropertyList: sessions, format: format, options: 0))
    }

    private func imported(_ bytes: [UInt8], for person: String = "mila", as account: String = "ines") async throws
        -> DrumsTestApp.Answer
    {
        try await app.send(.post, "/api/drums/import?person=\(person)", bytes: bytes, as: account)
    }

    private func changed(_ key: String, _ value: Any?) -> [String: Any] {
        var session = Self.good
        session[key] = value
        return session
    }

    @Test("It is imported once, XML or binary, however often it comes", arguments: [false, true])
    func once(isBinary: Bool) async throws {
        let bytes = try file([Self.good, changed("level", 2)], isBinary ? .binary : .xml)
        let first = try await imported(bytes)
        #expect(first.status == 200, "\(first.text)")
        #expect(first["sessions"] as? Int == 2)
        #expect(first["stored"] as? Int == 2)
        let again = try await imported(bytes)
        #expect(again["stored"] as? Int == 0)
        #expect(again["again"] as? Int == 2)
        #expect(try await app.count() == 2)
        // The other form is the same sessions, and another person's are others.
        #expect(try await imported(try file([Self.good], isBinary ? .xml : .binary))["again"] as? Int == 1)
        #expect(try await imported(bytes, for: "theo")["stored"] as? Int == 2)
    }

    @Test("What the engine makes of it: right and wrong beats, reactions by the drum's clock, force where there is one")
    func replayed() async throws {
        _ = try await imported(try file([Self.good]))
        let list = try await app.send(.get, "/api/drums/sessions?person=mila&from=2016-04-01&to=2016-04-30")
        #expect(list["sessions", "0", "link"] as? String == "imported")
        #expect(list["sessions", "0", "answered"] as? Int == 2)
        #expect(list["sessions", "0", "right"] as? Int == 1)
        #expect(list["sessions", "0", "reaction", "n"] as? Int == 2)
        #expect(list["sessions", "0", "force", "n"] as? Int == 1)
        #expect(list["sessions", "0", "stray"] as? Int == 1)
        #expect(list["sessions", "0", "day"] as? String == "2016-04-20")
    }

    @Test("From file to hub to file it is the same file", arguments: [false, true])
    func roundTrip(isBinary: Bool) async throws {
        let other = changed("tempo", 1_333).merging(["song_name": "Ünterwegs & <weiter>", "level": 3]) { $1 }
        let bytes = try file([Self.good, other], isBinary ? .binary : .xml)
        #expect(try await imported(bytes)["stored"] as? Int == 2)
        let answer = try await app.send(
            .get, "/api/drums/export?person=mila&format=plist\(isBinary ? "&binary=1" : "")")
        #expect(answer.headers[.contentDisposition]?.contains("sessiondata.plist") == true)
        let exported = try await exported("plist", isBinary: isBinary)
        let read = try #require(
            try PropertyListSerialization.propertyList(from: exported, format: nil) as? [NSDictionary])
        let expected = [Self.good, other].map { NSDictionary(dictionary: $0) }
        #expect(Set(read) == Set(expected))
    }

    private func exported(_ format: String, isBinary: Bool = false) async throws -> Data {
        try ExportedDrums(person: try await app.person("mila"), household: app.household).file(
            try #require(ExportedDrums.Format(rawValue: format)), isBinary: isBinary, now: 0, in: app.hub.database)
    }

    @Test("What was played here is exported in the original's words, and is known when it comes back")
    func ownSessions() async throws {
        _ = try await app.deliver(try DrumsTestApp.played("mila", at: DrumsTestApp.start - 200_321).encoded())
        let file = try await exported("plist")
        let read = try #require(
            try PropertyListSerialization.propertyList(from: file, format: nil) as? [[String: Any]])
        #expect(read.first?["tempo"] as? Int == 120)
        #expect(read.first?["drums"] as? [Int] == [1, 1, 1, 1])
        let hits = try #require(read.first?["hit_sequence"] as? [String])
        #expect(hits.count == 16)
        #expect(hits[3].split(separator: " ").count == 4)
        #expect(hits[4].contains(" 428 "))
        let again = try await imported(Array(file))
        #expect(again["again"] as? Int == 1)
        #expect(again["stored"] as? Int == 0)
    }

    @Test("Every tempo that is taken comes out again as it went in")
    func tempos() throws {
        let person = PersonRecord(id: "mila", household: "linden", name: "Mila", role: .child, createdAt: 0)
        let good = try #require(try SessionDataFile.read(try file([Self.good])).first).get()
        for tempo in OriginalSession.Limits.tempo {
            var session = good
            session.tempo = tempo
            #expect(OriginalSession(try session.session(of: person, utcOffsetMinutes: 60)) == session)
        }
    }

    @Test("A session with a fault is refused with its number and key, and the others of the file are taken")
    func faults() async throws {
        let nan = Date(timeIntervalSinceReferenceDate: 1e18)
        let cases: [(String, Any?, String)] = [
            ("tempo", -5, "it is −5"), ("tempo", "fast", "no whole number"), ("tempo", true, "it is 1"),
            ("tempo", 1.5, "no whole number"), ("tempo", nil, "missing"), ("level", 5, "from 1 to 4"),
            ("level", nil, "missing"), ("song_name", 7, "no text"), ("song_name", "", "empty"),
            ("song_name", String(repeating: "x", count: 81), "81 bytes"), ("drums", [1, 0, 1], "there are 3"),
            ("drums", [1, 0, 1, 2], "entry 4"),
            ("drums", "1101", "no array"),
            ("beat_sequence", [1, 0, 1], "one for each step"), ("beat_sequence", [0, 0, 0, 0, 0], "0 beats"),
            ("beat_sequence", [1, 0, "on", 1, 1], "entry 3"), ("beat_sequence", [1, 0, 1.5, 1, 1], "entry 3"),
            ("beat_sequence", Array(repeating: 1, count: 5_000), "5,000 entries"),
            ("hit_sequence", ["0 450 3.20", "", 7, "", ""], "entry 3"), ("hit_sequence", nil, "missing"),
            ("hit_sequence", [String(repeating: "9", count: 4_097), "", "", "", ""], "4,097 bytes"),
            ("date", "2016-04-20", "no date"), ("date", nil, "missing"), ("date", nan, "no calendar"),
            ("date", Date(timeIntervalSince1970: 0), "before 2016"),
            ("date", Date(timeIntervalSince1970: 4e9), "in the future"),
        ]
        let sessions: [Any] = [Self.good, "no session", 7] + cases.map { changed($0.0, $0.1) }
        let answer = try await imported(try file(sessions, .binary))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["stored"] as? Int == 1)
        let refused = try #require(answer["refused"] as? [[String: Any]])
        #expect(refused.count == cases.count + 2)
        #expect(refused.first?["session"] as? Int == 2)
        #expect((refused.first?["detail"] as? String)?.contains("Session 2: it is no dictionary") == true)
        for (one, told) in zip(cases, refused.dropFirst(2)) {
            let detail = try #require(told["detail"] as? String)
            #expect(detail.contains(one.2), "\(one.0): \(detail)")
            let key = one.0 == "beat_sequence" && one.2.contains("each step") ? "hit_sequence" : one.0
            #expect(told["key"] as? String == key, "\(detail)")
            #expect(detail.hasPrefix("Session \(told["session"] as? Int ?? 0), \(key): "))
        }
    }

    @Test("A file that is none of the original's is refused as a whole, in words, and nothing is stored")
    func noFile() async throws {
        let deep = String(repeating: "<array>", count: 20_000)
        let cases: [([UInt8], String)] = [
            ([], "empty"), (Array("hello".utf8), "old text form"), (Array("[1,2]".utf8), "no property list"),
            (Array("<?xml version=\"1.0\"?><plist><array><dict>".utf8), "damaged"),
            (Array("<?xml version=\"1.0\"?><plist>\(deep)".utf8), "damaged"),
            // Foundation's reader goes as deep as these are nested, and ends the process.
            (Array(String(repeating: "<plist>", count: 200_000).utf8), "damaged: line 1 has a tag"),
            (Array("({tempo = 120;})".utf8), "old text form"),
            (
                Array(try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .xml, options: 0)),
                "no array"
            ),
            (Array(try file([Self.good], .binary).dropLast(9)), "damaged"), (Self.bomb, "without end"),
            (Self.smallBomb, "without end"),
            (Self.circle, "without end"), (Self.archive, "archive"), (Self.chains, "without end"),
        ]
        for (bytes, words) in cases {
            let answer = try await imported(bytes)
            #expect(answer.status == 422)
            #expect(answer["field"] as? String == "file")
            #expect(answer.detail.contains(words), "\(answer.detail)")
        }
        let large = try await imported([UInt8](repeating: 32, count: SessionImport.longestFromPage + 1))
        #expect(large.status == 413)
        #expect(large.detail.contains("tandem import drums"))
        #expect(try await app.count() == 0)
    }

    /// Objects and their references, one byte each, as a binary property list.
    private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        return bytes
    }

    /// Fifteen arrays, each of twice the same: some thousands of values; of eight each they are thousands of millions.
    private static let bomb = binary((1...12).map { [0xA8] + Array(repeating: $0, count: 8) } + [[0x10, 1]])
    /// A million values of a hundred bytes, which is less than the largest file may hold.
    private static let smallBomb = binary((1...6).map { [0xAA] + Array(repeating: $0, count: 10) } + [[0x10, 1]])
    private static let circle = binary([[0xA1, 0]])
    /// A list of twelve chains of six arrays, each of which ends in the chain before: none is deep where it is met first,
    /// and the last is 72 deep. From some hundreds of chains, Foundation would not come back.
    private static let chains: [UInt8] = {
        var objects: [[UInt8]] = [[0xAC, 1, 7, 13, 19, 25, 31, 37, 43, 49, 55, 61, 67]]
        for place: UInt8 in 1...72 {
            let next: UInt8 = place.isMultiple(of: 6) ? place &- 11 : place + 1
            objects.append(place == 6 ? [0xA0] : [0xA1, next])
        }
        return binary(objects)
    }()
    /// A set, which crashes Foundation's bridging where its members are no keys.
    private static let archive = binary([[0xA1, 1], [0xC1, 2], [0x10, 1]])

    @Test(
        "Files that were changed at random are read or refused, and never bring the hub down", .timeLimit(.minutes(5)))
    func fuzz() throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let files = [try file([Self.good], .xml), try file([Self.good, "x", 7], .binary)]
        for round in 0..<3_000 {
            var bytes = files[round % 2]
            for _ in 0..<Int(random.between(1, 6)) {
                let place = Int(random.next() % UInt64(bytes.count))
                if random.once(every: 3) {
                    bytes.remove(at: place)
                } else {
                    bytes[place] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            _ = try? SessionDataFile.read(bytes)
        }
    }

    @Test("Who may not deliver for somebody does not import for them, and a child sees its own export only")
    func owners() async throws {
        let bytes = try file([Self.good])
        #expect(try await imported(bytes, for: "jo").status == 404)
        #expect(try await app.send(.post, "/api/drums/import", bytes: bytes).status == 422)
        try await app.use("ines", profile: "mila")
        #expect(try await imported(bytes, for: "tom").status == 403)
        #expect(try await imported(bytes, for: "mila").status == 200)
        #expect(try await app.send(.get, "/api/drums/export?person=theo&format=csv").status == 403)
        #expect(try await app.send(.get, "/api/drums/export?person=mila&format=csv").status == 200)
        #expect(try await app.send(.get, "/api/drums/export?person=mila&format=xls").status == 422)
    }

    @Test("A session without a title, and a wait that no kit can tell, are exported so that they can be taken")
    func untitled() throws {
        let setup = DrumsTestApp.setup("mila", link: .screen, title: "")
        var session = try DrumSession(setup: setup)
        _ = session.handle(.start(wall: DrumsTestApp.start), atMicroseconds: 0)
        var now: Int64 = 0
        while session.view.cueStep == nil {
            now += 10_000
            _ = session.handle(.tick, atMicroseconds: now)
        }
        let (step, drum) = (try #require(session.view.cueStep), try #require(session.view.cueDrum))
        _ = session.handle(.cueShown(step: step), atMicroseconds: now)
        now += 700_000_000
        _ = session.handle(.strike(drum, velocity: 0, link: .screen), atMicroseconds: now)
        let original = OriginalSession(session)
        #expect(original.songName == "Untitled")
        #expect(original.hitSequence[step].split(separator: " ").dropFirst().first == "600000")
        #expect(KitMessage(text: Array(original.hitSequence[step].utf8)) != nil)
    }

    @Test("A session of which the engine would lose hits is refused as a whole")
    func lostHits() async throws {
        let ends = [0, 449]
        let session: [String: Any] = Self.good.merging([
            "tempo": 15, "beat_sequence": (0..<450).map { ends.contains($0) ? 1 : 0 },
            "hit_sequence": (0..<450).map { $0 == 0 ? "0 0 -1.00" : $0 == 449 ? "0 600000 -1.00" : "" },
        ]) { $1 }
        let answer = try await imported(try file([session, Self.good]))
        #expect(answer["stored"] as? Int == 1, "\(answer.text)")
        #expect(answer["refused", "0", "key"] as? String == "hit_sequence")
        #expect((answer["refused", "0", "detail"] as? String)?.contains("of its 2 hits only 1") == true)
    }

    @Test("CSV has a row a beat and units in its headers; a title is no formula")
    func table() async throws {
        let setup = DrumsTestApp.setup("mila", title: "=1+1, \"quoted\"")
        _ = try await app.deliver(
            try DrumsTestApp.played("mila", at: DrumsTestApp.start - 200_000, setup: setup).encoded())
        let text = String(decoding: try await exported("csv"), as: UTF8.self)
        let rows = text.components(separatedBy: "\r\n")
        #expect(rows.count == 18)
        #expect(rows.last == "")
        for header in ["reaction (ms)", "position (s)", "force (no unit)", "tempo (steps/min)", "link latency (ms)"] {
            #expect(rows[0].contains(header))
        }
        #expect(rows[1].contains("\"'=1+1, \"\"quoted\"\"\""))
        #expect(rows[5].contains(",2.000,"))
        #expect(rows[5].contains(",428,"))
        #expect(rows[5].hasSuffix(",bluetooth,yes,18.0,100,,,,,Mila"))
        #expect(rows[0].hasSuffix(",person"))
    }

    // The form that Excel in German wants: a byte order mark, semicolons, decimal commas (its own "CSV UTF-8" has them).
    @Test("For a spreadsheet it has a byte order mark, and semicolons with decimal commas where they are wanted")
    func spreadsheets() async throws {
        let setup = DrumsTestApp.setup("mila", title: "Für; Elise, 1")
        _ = try await app.deliver(
            try DrumsTestApp.played("mila", at: DrumsTestApp.start - 200_000, setup: setup).encoded())
        let path = "/api/drums/export?person=mila&format=csv&spreadsheet="
        let semicolon = try await app.send(.get, path + "semicolon").text
        #expect(semicolon.unicodeScalars.first == "\u{FEFF}")
        let rows = semicolon.components(separatedBy: "\r\n")
        #expect(rows[5].contains(";\"Für; Elise, 1\";") && rows[5].contains(";2,000;"), "\(rows[5])")
        #expect(rows[5].hasSuffix(";bluetooth;yes;18,0;100;;;;;Mila"))
        let comma = try await app.send(.get, path + "comma").text
        #expect(comma.unicodeScalars.first == "\u{FEFF}" && comma.contains(",2.000,"))
        #expect(try await app.send(.get, path + "tab").status == 422)
        #expect(try await app.send(.get, path + "plain").status == 422)
    }

    @Test("CSV has what was measured of the link a beat was answered by, and nothing where nothing was")
    func latency() async throws {
        var setup = DrumsTestApp.setup("mila", link: .screen)
        setup.latencyTenths = 423
        var session = try DrumSession(setup: setup)
        _ = session.handle(.start(wall: DrumsTestApp.start - 200_000), atMicroseconds: 0)
        var now: Int64 = 0
        func hit(_ link: LinkKind) throws {
            while session.view.cueStep == nil || session.view.isCueShown {
                now += 10_000
                _ = session.handle(.tick, atMicroseconds: now)
            }
            _ = session.handle(.cueShown(step: try #require(session.view.cueStep)), atMicroseconds: now)
            now += 400_000
            let drum = try #require(session.view.cueDrum)
            _ = session.handle(.strike(drum, velocity: 0, link: link), atMicroseconds: now)
        }
        try hit(.screen)
        try hit(.keyboard)
        _ = session.handle(.linkBack(.keyboard, latencyTenths: 310), atMicroseconds: now)
        try hit(.keyboard)
        _ = session.handle(.linkBack(.midi, latencyTenths: 0), atMicroseconds: now)
        try hit(.midi)
        _ = session.handle(.finish, atMicroseconds: now)
        #expect(try await app.deliver(session.encoded()).status == 201)
        let rows = String(decoding: try await exported("csv"), as: UTF8.self).components(separatedBy: "\r\n")
        let ends = rows[1...4].map { $0.components(separatedBy: ",").dropLast(6).suffix(3).joined(separator: ",") }
        #expect(ends == ["screen,yes,42.3", "keyboard,yes,31.0", "keyboard,yes,31.0", "midi,yes,"])
    }

    @Test("However many sessions there are, an export asks as often", arguments: ["json", "csv", "plist"])
    func queries(format: String) async throws {
        var counts: [Int] = []
        for number: UInt8 in 1...4 {
            let setup = DrumsTestApp.setup("mila", id: number)
            let at = DrumsTestApp.start - Int64(number) * 200_000
            _ = try await app.deliver(try DrumsTestApp.played("mila", at: at, setup: setup).encoded())
            counts.append(
                try await app.queryCount {
                    let answer = try await app.send(.get, "/api/drums/export?person=mila&format=\(format)")
                    #expect(answer.status == 200)
                })
        }
        #expect(Set(counts).count == 1, "\(counts)")
    }

    @Test(
        "Byte for byte as it always was, but for what was added, and for quartiles of three values, which are none",
        arguments: [
            ("json", "657b2fd49c9311a07c7cd2d26422409b9ee8396da67388c5a2b5845d87fb4c13"),
            ("csv", "a7f2eabe4459f74206b4798074016d984dde3722a9b1d476c7f47fbab1168c78"),
            ("plist", "d23a50ec7fdafb89568e6ec6dac024c05029978fcc7fad8d369f7392618858a0"),
        ])
    func bytes(format: String, digest: String) async throws {
        // JSON also has the session's own bytes, which 0.1.0 writes in one form, with the tempo.
        _ = try await app.deliver(
            try DrumsTestApp.played("mila", at: DrumsTestApp.start - 200_000, beats: 3).encoded())
        let answer = try await app.send(.get, "/api/drums/export?person=mila&format=\(format)")
        var text = answer.text.replacingOccurrences(
            of: #"\s*"tempoPercent" : 100,"#, with: "", options: .regularExpression)
        // By definition 7 of Hyndman and Fan, of 400, 407 and 414 ms, and of 18 ms three times.
        for (median, lower, upper) in [("407", "403.5", "410.5"), ("18", "18", "18")] {
            let left = #"( +)"mean" : \#(median),\n +"median" : \#(median),\n +"n" : 3"#
            let whole = #"$1"lower" : \#(lower),\n$0,\n$1"upper" : \#(upper)"#
            text = text.replacingOccurrences(
                of: left, with: whole.replacingOccurrences(of: #"\n"#, with: "\n"), options: .regularExpression)
        }
        if format == "csv" {
            let added = [
                ",tempo (% of the song's own)", ",pain before (0-10)", ",pain after (0-10)", ",effort before (0-10)",
                ",effort after (0-10)", ",person",
            ]
            text = text.replacingOccurrences(of: added.joined(), with: "")
                .replacingOccurrences(of: ",100,,,,,Mila\r\n", with: "\r\n")
        }
        let found = SHA256.hash(data: Data(text.utf8))
        #expect(SessionOrigin.name(of: Array(found)) == digest, "\(answer.text)")
    }

    @Test("JSON has all of it, and its content delivered again is the same session")
    func json() async throws {
        let bytes = try DrumsTestApp.played("mila", at: DrumsTestApp.start - 200_000).encoded()
        _ = try await app.deliver(bytes)
        let data = try await exported("json")
        let file = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect((file["person"] as? [String: Any])?["timeZone"] as? String == "Europe/Vienna")
        let session = try #require((file["sessions"] as? [[String: Any]])?.first)
        #expect((session["beatList"] as? [Any])?.count == 16)
        for (part, mean) in [("reaction", 452.5), ("force", 3.2), ("latency", 18)] {
            #expect((session[part] as? [String: Any])?["mean"] as? Double == mean)
        }
        let content = try #require((session["content"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect(Array(content) == bytes)
        #expect(try await app.deliver(Array(content)).status == 200)
    }
}
