import Foundation
import GRDB
import HubInstruments
import HubKit
import MotionLabEngine
import Storage
import TestInstruments
import Testing

@testable import MotionLabHub

@Suite("Classes")
struct ClassTests {
    /// A class of the Lindens, and what its guests do.
    private struct Class {
        let app: LabTestApp
        let id: String
        var code: String

        init(_ app: LabTestApp, _ more: String = "") async throws {
            self.app = app
            let answer = try await app.send(
                .post, "/api/lab/classes", "{\"name\":\"8b\",\"sensors\":[\"accelerometer\"],\"hertz\":100\(more)}",
                headers: ["Host": "linden.local"])
            #expect(answer.status == 201, "\(answer.text)")
            id = try #require(answer["class", "id"] as? String)
            code = try #require(answer["code"] as? String)
            #expect((answer["link"] as? String)?.hasSuffix("/lab/class#\(code)") == true)
            #expect((answer["qr", "size"] as? Int ?? 0) > 20)
        }

        func join(_ name: String? = nil, from address: String? = nil) async throws -> Guest {
            let answer = try await app.send(
                .post, "/api/lab/guest", "{\"code\":\"\(code)\"\(name.map { ",\"name\":\"\($0)\"" } ?? "")}", as: nil,
                from: address)
            #expect(answer.status == 201, "\(answer.text)")
            return Guest(
                app: app, token: try #require(answer["token"] as? String),
                id: try #require(answer["state", "guest"] as? String))
        }

        func start() async throws -> LabTestApp.Answer { try await app.send(.post, "/api/lab/classes/\(id)/run") }
        func state() async throws -> LabTestApp.Answer { try await app.send(.get, "/api/lab/classes/\(id)") }
    }

    private struct Guest {
        let app: LabTestApp
        let token: String
        let id: String

        func send(_ method: String = "GET", _ path: String = "", bytes: [UInt8]? = nil) async throws
            -> LabTestApp.Answer
        {
            try await app.send(
                .init(method) ?? .get, "/api/lab/guest\(path)", bytes: bytes, as: nil,
                headers: ["Authorization": "Bearer \(token)"])
        }

        /// Sends a part of a recording, or all of it.
        func upload(_ recording: [UInt8], _ range: Range<Int>? = nil, run: Int = 1, isComplete: Bool = false)
            async throws -> LabTestApp.Answer
        {
            try await app.upload(recording, range, run: run, isComplete: isComplete, token: token)
        }

        /// A second of samples of the last run, by a clock that is ten seconds behind the hub's.
        func recording(owner: String? = nil, name: String = "") async throws -> [UInt8] {
            let state = try await send()
            let id = try #require(state["recording", "id"] as? String)
            let digits = Array(id)
            let start = try #require(state["run", "startsAtMicroseconds"] as? Int64) - 10_000_000
            var writer = try RecordingWriter(
                header: RecordingHeader(
                    id: stride(from: 0, to: digits.count, by: 2).compactMap {
                        UInt8(String(digits[$0...$0 + 1]), radix: 16)
                    },
                    person: Array((owner ?? self.id).utf8), utcOffsetMinutes: 60, startedAt: start,
                    streams: [RecordedStream(kind: .accelerometer, source: .genericSensor)]))
            for place in 0..<100 as Range<Int64> { writer.add([0, 0.5, 1], to: 0, at: start + place * 10_000) }
            var clock = ClockAlignment()
            clock.add(.init(asked: 0, received: 10_002_000, answered: 10_002_000, returned: 4_000))
            writer.add(.clock(at: start, try #require(clock.offset)))
            writer.add(.end(at: start + 1_000_000))
            return writer.takeBytes()
        }
    }

    @Test("Whoever has the code joins without an account, is numbered or named, and begins when all begin")
    func joinAndStart() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let first = try await eight.join("Noor")
        let second = try await eight.join()
        let seen = try #require(try await first.send()["version"] as? Int)
        async let news = first.send("GET", "?seen=\(seen)")
        #expect(try await eight.start().status == 201)
        let heard = try await news
        #expect(heard["run", "number"] as? Int == 1)
        let starts = try await [first.send(), second.send()].map { $0["run", "startsAtMicroseconds"] as? Int64 }
        #expect(starts == [(app.now + 3_000) * 1_000, (app.now + 3_000) * 1_000])
        let state = try await eight.state()
        #expect(state["guests", "0", "name"] as? String == "Noor" && state["guests", "1", "number"] as? Int == 2)
        #expect(state["guests", "1", "isHere"] as? Bool == true && state["guests", "1", "name"] == nil)
        #expect(try await eight.start().status == 409)
        #expect(try await app.send(.delete, "/api/lab/classes/\(eight.id)/run").status == 204)
        #expect(try await second.send()["run", "isMeasuring"] as? Bool == false)
    }

    @Test(
        "Whoever leads a class sees how many phones are ready, and how many measure: those that say so, and send values"
    )
    func ready() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let (first, second) = (try await eight.join("Noor"), try await eight.join())
        func counts() async throws -> [Int?] {
            let state = try await eight.state()
            return ["hereCount", "readyCount", "measuringCount"].map { state[$0] as? Int }
        }
        #expect(try await counts() == [2, 0, 0])
        _ = try await first.send("GET", "?ready=1")
        #expect(try await counts() == [2, 1, 0])
        #expect(try await eight.state()["guests", "0", "isReady"] as? Bool == true)
        _ = try await eight.start()
        #expect(try await counts() == [2, 1, 0], "nothing has come yet")
        let bytes = try await first.recording()
        _ = try await first.upload(Array(bytes.dropLast(12)))
        #expect(try await counts() == [2, 1, 1])
        #expect(try await eight.state()["guests", "0", "isMeasuring"] as? Bool == true)
        let offset = bytes.count - 12
        _ = try await first.upload(bytes, offset..<bytes.count, isComplete: true)
        #expect(try await counts() == [2, 1, 0], "all of it is here")
        _ = try await first.send("GET", "?ready=0")
        #expect(try await counts() == [2, 0, 0])
        // A request that was sent before and comes later counts no more: each goes its own way.
        _ = try await first.send("GET", "?ready=1&asked=9000000000000")
        _ = try await first.send("GET", "?ready=0&asked=8999999999999")
        #expect(try await counts() == [2, 1, 0])
        _ = try await first.send("GET", "?ready=0&asked=9000000000001")
        #expect(try await counts() == [2, 0, 0])
        // A phone that is heard no more is not ready either.
        _ = try await second.send("GET", "?ready=1")
        #expect(try await counts() == [2, 1, 0])
        app.advance(milliseconds: 26_000)
        #expect(try await counts() == [0, 0, 0])
    }

    @Test("A class goes home in one table: a row says whose it is and of which run, and times are by the hub's clock")
    func table() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let guests = [try await eight.join("Noor"), try await eight.join()]
        let path = "/api/lab/classes/\(eight.id)/export"
        #expect(try await app.send(.get, path).status == 409, "nothing was measured yet")
        for run in 1...2 {
            _ = try await eight.start()
            for guest in guests {
                let answer = try await guest.upload(
                    try await guest.recording(), run: run, isComplete: true)
                #expect(answer.status == 200, "\(answer.text)")
            }
            #expect(try await app.send(.delete, "/api/lab/classes/\(eight.id)/run").status == 204)
        }
        let answer = try await app.send(.get, path)
        #expect(answer.status == 200, "\(answer.text)")
        let rows = answer.text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
            .map { $0.components(separatedBy: ",") }
        #expect(rows[0].suffix(4) == ["person", "phone", "number", "run"])
        // A hundred samples of each phone in each run.
        #expect(rows.count == 1 + 400)
        #expect(rows.dropFirst().allSatisfy { $0.count == rows[0].count })
        let whose = rows.dropFirst().map { [$0[$0.count - 4], $0[$0.count - 2], $0[$0.count - 1]] }
        #expect(
            [0, 100, 200, 300].map { whose[$0] } == [
                ["Noor", "1", "1"], ["Number 2", "2", "1"], ["Noor", "1", "2"], ["Number 2", "2", "2"],
            ])
        // The phones' clocks are ten seconds behind: by the hub's they begin with the run, three seconds after its start.
        #expect(rows[1][2] == "\((app.now + 3_000) * 1_000)")
        let semicolons = try await app.send(.get, path + "?spreadsheet=semicolon")
        #expect(semicolons.text.contains(";number;run"))
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.get, path).status == 403, "guests' names are for adults")
    }

    @Test("A guest's recording comes in pieces, is whole once, and stands in one list with its clock's offset")
    func recorded() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let guest = try await eight.join("Noor")
        _ = try await eight.start()
        let bytes = try await guest.recording()
        // The header is in the first piece whole.
        let half = bytes.count - 12
        #expect(try await guest.upload(bytes, 0..<half).uploadOffset == half)
        // A chunk that comes again, a gap, other bytes, and the rest with a part that is known.
        #expect(try await guest.upload(bytes, 0..<half).uploadOffset == half)
        let gap = try await guest.upload(bytes, half + 1..<half + 2)
        #expect(gap.status == 409 && gap.uploadOffset == half && gap["reason"] as? String == "offset", "\(gap.text)")
        var others = bytes
        others[half - 3] ^= 1
        for range in [half - 5..<half, half..<bytes.count] {
            let other = try await guest.upload(others, range, isComplete: true)
            #expect(other.status == 409 && other["reason"] as? String == "diverged", "\(other.text)")
        }
        for _ in 0..<2 {
            let answer = try await guest.upload(bytes, half - 5..<bytes.count, isComplete: true)
            #expect(answer.status == 200 && answer["recording"] != nil, "\(answer.text)")
        }
        let list = try await app.send(.get, "/api/lab/recordings?class=\(eight.id)")
        #expect((list["recordings"] as? [Any])?.count == 1)
        #expect(list["recordings", "0", "guest", "name"] as? String == "Noor")
        #expect(
            list["recordings", "0", "samples"] as? Int == 100 && list["recordings", "0", "origin"] as? String == "guest"
        )
        #expect(list["recordings", "0", "clock", "offsetMicroseconds"] as? Int64 == 10_000_000)
        let id = try #require(list["recordings", "0", "id"] as? String)
        #expect(try await app.send(.get, "/api/lab/recordings/\(id)/chart?sensor=accelerometer").status == 200)
        #expect(try await app.count("lab_guest_chunk") == 0)
        #expect(try await eight.state()["guests", "0", "recording"] as? String == id)
    }

    @Test("What guests of an earlier build sent is read as before, whole or going on, and what is damaged is not")
    func earlier() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let guests = [try await eight.join("Noor"), try await eight.join("Ada"), try await eight.join("Kim")]
        _ = try await eight.start()
        for guest in guests.prefix(2) {
            #expect(try await guest.upload(try await guest.recording(), isComplete: true).status == 200)
        }
        let bytes = try await guests[2].recording()
        // The header is in the first piece whole.
        let half = bytes.count - 12
        for range in [0..<half, half..<half + 6] {
            #expect(try await guests[2].upload(bytes, range).status == 200)
        }
        let before = try await app.hub.database.pool.write { db in
            let recordings = try GuestRecordingRecord.fetchAll(
                db, sql: "SELECT * FROM lab_guest_recording ORDER BY guest")
            let chunks = try GuestChunkRecord.fetchAll(db, sql: "SELECT * FROM lab_guest_chunk ORDER BY start")
            try db.execute(sql: "ALTER TABLE lab_guest_recording DROP COLUMN digest")
            try db.execute(sql: "ALTER TABLE lab_guest_chunk DROP COLUMN checksum")
            for (place, recording) in recordings.enumerated() {
                var content = sealed(Array(recording.content))
                if place == 1 { content[content.count / 2] ^= 1 }
                try db.execute(
                    sql: "UPDATE lab_guest_recording SET content = ? WHERE recording = ?",
                    arguments: [Data(content), recording.recording])
            }
            try GuestContentMigration.apply(db)
            let now = try GuestRecordingRecord.fetchAll(db, sql: "SELECT * FROM lab_guest_recording ORDER BY guest")
            #expect(now[0].intactContent == Array(recordings[0].content))
            #expect(now[1].intactContent == nil)
            #expect(
                try GuestChunkRecord.fetchAll(db, sql: "SELECT * FROM lab_guest_chunk ORDER BY start").map(\.checksum)
                    == chunks.map(\.checksum))
            return chunks.count
        }
        #expect(before == 2)
        #expect(try await guests[2].upload(bytes, half + 6..<bytes.count, isComplete: true).status == 200)
    }

    @Test("What the phones measure is shown beside each other by the hub's clock, while they do and afterwards")
    func curves() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let path = "/api/lab/classes/\(eight.id)/curves?sensor=accelerometer&points=20"
        #expect((try await app.send(.get, path)["curves"] as? [Any])?.isEmpty == true)
        let (first, second) = (try await eight.join("Noor"), try await eight.join())
        _ = try await eight.start()
        let bytes = try await first.recording()
        // Cut off in the middle of a record.
        let half = bytes.count - 12
        _ = try await first.upload(Array(bytes[..<half]))
        let live = try await app.send(.get, path)
        #expect((live["curves"] as? [Any])?.count == 1 && live["run", "number"] as? Int == 1, "\(live.text)")
        #expect(live["curves", "0", "guest"] as? String == first.id)
        #expect(live["curves", "0", "chart", "unit"] as? String == "g")
        _ = try await first.upload(bytes, half..<bytes.count, isComplete: true)
        _ = try await second.upload(try await second.recording(), isComplete: true)
        let whole = try await app.send(.get, path)
        #expect((whole["curves"] as? [Any])?.count == 2)
        for place in ["0", "1"] {
            #expect(whole["curves", place, "clock", "offsetMicroseconds"] as? Int64 == 10_000_000)
            let points = try #require(whole["curves", place, "chart", "points"] as? [[String: Any]])
            #expect(points.count <= 20 && points.map { $0["count"] as? Int ?? 0 }.reduce(0, +) == 100)
            // Ten seconds behind the hub's clock, and by that from nought on.
            #expect((-0.1...0.01).contains(try #require(points.first?["seconds"] as? Double)))
            #expect(abs(try #require(points.first?["magnitude"] as? Double) - 1.118) < 0.001)
        }
        // Held still, it feels gravity and nothing else.
        let linear = try await app.send(.get, path + "&gravity=without")
        #expect(linear["curves", "0", "chart", "isWithoutGravity"] as? Bool == true)
        let still = try #require(linear["curves", "0", "chart", "points"] as? [[String: Any]])
        #expect(!still.isEmpty && still.allSatisfy { $0["magnitudeHigh"] as? Double == 0 })
        #expect(try await app.send(.get, "/api/lab/classes/\(eight.id)/curves?sensor=smell").status == 422)
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.get, path).status == 403)
    }

    @Test("The card on Today has the open class for adults, and for children the last recording they may look at")
    func card() async throws {
        let app = try await LabTestApp()
        let empty = try await app.send(.get, "/api/lab")
        #expect(
            empty["headline", "text"] as? String == "" && empty["latest"] == nil
                && empty["headline", "weight"] as? Int == 0)
        let eight = try await Class(app)
        let guest = try await eight.join("Noor")
        let open = try await app.send(.get, "/api/lab", headers: ["Accept-Language": "de"])
        #expect(open["openClass", "guests"] as? Int == 1 && open["headline", "text"] as? String == "8b ist offen.")
        _ = try await eight.start()
        #expect(try await app.send(.get, "/api/lab")["headline", "weight"] as? Int == 3)
        let bytes = try await guest.recording()
        _ = try await guest.upload(bytes, isComplete: true)
        #expect(try await app.send(.get, "/api/lab")["latest", "samples"] as? Int == 100)
        try await app.use("ines", profile: "mila")
        let child = try await app.send(.get, "/api/lab")
        #expect(child["openClass"] == nil && child["latest"] == nil && child["headline", "text"] as? String == "")
    }

    @Test("What a phone never ended is taken as it is after two minutes, as far as it can be read")
    func idle() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let guest = try await eight.join()
        _ = try await eight.start()
        var bytes = try await guest.recording()
        bytes += [0xEE, 0xFF]
        let answer = try await guest.upload(bytes, isComplete: true)
        #expect(answer.status == 422, "\(answer.text)")
        try await app.companion.classes.closeIdle()
        #expect(try await app.count("lab_guest_recording") == 0)
        app.advance(milliseconds: 121_000)
        try await app.companion.classes.closeIdle()
        #expect(try await app.count("lab_guest_recording") == 1)
        #expect(try await app.count("lab_guest_chunk") == 0)
        #expect(try await app.send(.get, "/api/lab/recordings")["recordings", "0", "samples"] as? Int == 100)
    }

    @Test("A guest reads and writes nothing but their own: not another's recording, and no route of the household's")
    func nothingElse() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let (guest, other) = (try await eight.join(), try await eight.join())
        _ = try await eight.start()
        for bytes in [try await other.recording(), try await guest.recording(owner: "mila")] {
            let answer = try await guest.upload(bytes, isComplete: true)
            #expect(answer.status == 422 && answer.detail.contains("another one"), "\(answer.text)")
        }
        #expect(try await guest.upload([1], run: 2).status == 404)
        #expect(try await app.count("lab_guest_chunk") == 0)
        let document = try await app.send(.get, "/openapi.json", as: nil)
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let asked = paths.filter {
            $0.value["get"] != nil && $0.key.hasPrefix("/api/") && !$0.key.hasPrefix("/api/lab/guest")
        }
        #expect(asked.count > 20)
        for path in asked.keys {
            let filled = path.replacing(/\{\w+\}/, with: eight.id)
            let plain = try await app.send(.get, filled, as: nil)
            let answer = try await app.send(.get, filled, as: nil, headers: ["Authorization": "Bearer \(guest.token)"])
            #expect(answer.status == plain.status, "\(path)")
        }
    }

    @Test("A code that is wrong, too old or replaced opens nothing, in the language of whoever scans it")
    func codes() async throws {
        let app = try await LabTestApp()
        var eight = try await Class(app)
        func join(_ code: String) async throws -> LabTestApp.Answer {
            try await app.send(
                .post, "/api/lab/guest", "{\"code\":\"\(code)\"}", as: nil, headers: ["Accept-Language": "de"])
        }
        let wrong = try await join("abcdefgh")
        #expect(wrong.status == 403 && wrong.detail.hasPrefix("Dieser Code"), "\(wrong.text)")
        let answer = try await app.send(.post, "/api/lab/classes/\(eight.id)/code")
        #expect(try await join(eight.code).status == 403)
        eight.code = try #require(answer["code"] as? String)
        _ = try await eight.join()
        app.advance(milliseconds: 21 * 60_000)
        #expect(try await join(eight.code).status == 403)
    }

    @Test("Who guesses codes is held up, and who has the right one is not counted")
    func guesses() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        var statuses: [Int] = []
        for _ in 0..<90 {
            statuses.append(try await app.send(.post, "/api/lab/guest", "{\"code\":\"nope\"}", as: nil).status)
        }
        #expect(Set(statuses) == [403, 429] && statuses.last == 429)
        app.advance(milliseconds: 15_000)
        for _ in 0..<30 { _ = try await eight.join() }
    }

    @Test("A class ends: nobody joins, what was measured still comes for ten minutes, and then the token opens nothing")
    func ends() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app, ",\"minutes\":5")
        let guest = try await eight.join()
        _ = try await eight.start()
        let bytes = try await guest.recording()
        app.advance(milliseconds: 6 * 60_000)
        #expect(try await app.send(.post, "/api/lab/guest", "{\"code\":\"\(eight.code)\"}", as: nil).status == 403)
        #expect(try await eight.start().status == 409)
        #expect(try await guest.send()["isOpen"] as? Bool == false)
        #expect(try await guest.upload(bytes, isComplete: true).status == 200)
        app.advance(milliseconds: 10 * 60_000)
        #expect(try await guest.send().status == 401)
    }

    @Test("Who is sent away is out at once, and what they measured stays until the class is removed")
    func sentAway() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let guest = try await eight.join()
        _ = try await eight.start()
        _ = try await guest.upload(try await guest.recording(), isComplete: true)
        #expect(try await app.send(.delete, "/api/lab/classes/\(eight.id)/guests/\(guest.id)").status == 204)
        #expect(try await guest.send().status == 401)
        #expect(try await eight.state()["guests", "0", "isSentAway"] as? Bool == true)
        #expect(try await app.count("lab_recording") == 1)
        #expect(try await app.send(.delete, "/api/lab/classes/\(eight.id)").status == 204)
        #expect(try await app.count("lab_recording") == 0)
        #expect(try await app.count("lab_guest") == 0)
        #expect(try await eight.state().status == 404)
    }

    @Test("Classes and what guests measured are for adults: children see neither")
    func adultsOnly() async throws {
        let app = try await LabTestApp()
        let eight = try await Class(app)
        let guest = try await eight.join("Noor")
        _ = try await eight.start()
        let sent = try await guest.upload(try await guest.recording(), isComplete: true)
        let id = try #require(sent["recording"] as? String)
        try await app.use("ines", profile: "mila")
        #expect(try await eight.state().status == 403)
        #expect(try await eight.start().status == 403)
        #expect(try await app.send(.get, "/api/lab/recordings/\(id)").status == 403)
        let list = try await app.send(.get, "/api/lab/recordings?class=\(eight.id)")
        #expect((list["recordings"] as? [Any])?.isEmpty == true)
    }

    @Test(
        "A class or a name that cannot be is refused at its field",
        arguments: [
            ("{\"name\":\" \",\"sensors\":[\"gyroscope\"]}", "name"),
            ("{\"name\":\"8b\",\"sensors\":[]}", "sensors"), ("{\"name\":\"8b\",\"sensors\":[\"smell\"]}", "sensors"),
            ("{\"name\":\"8b\",\"sensors\":[\"gyroscope\"],\"hertz\":1000}", "hertz"),
            ("{\"name\":\"8b\",\"sensors\":[\"gyroscope\"],\"minutes\":9999}", "minutes"),
            ("{\"name\":\"8b\",\"sensors\":[\"gyroscope\"],\"seconds\":0}", "seconds"),
        ])
    func refused(body: String, field: String) async throws {
        let app = try await LabTestApp()
        let answer = try await app.send(.post, "/api/lab/classes", body)
        #expect(answer.status == 422 && answer["field"] as? String == field, "\(answer.text)")
    }
}
