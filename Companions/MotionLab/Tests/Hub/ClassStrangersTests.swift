import Foundation
import HubInstruments
import HubKit
import Storage
import TestInstruments
import Testing
import Wire

@testable import MotionLabEngine
@testable import MotionLabHub

@Suite("Strangers in a class")
struct ClassStrangersTests {
    private static func open(_ app: LabTestApp, _ more: String = "") async throws -> (id: String, code: String) {
        let answer = try await app.send(
            .post, "/api/lab/classes", "{\"name\":\"8b\",\"sensors\":[\"accelerometer\"],\"hertz\":50\(more)}")
        #expect(answer.status == 201, "\(answer.text)")
        return (try #require(answer["class", "id"] as? String), try #require(answer["code"] as? String))
    }

    private static func join(_ app: LabTestApp, _ code: String, from address: String? = nil) async throws
        -> LabTestApp.Answer
    {
        try await app.send(.post, "/api/lab/guest", "{\"code\":\"\(code)\"}", as: nil, from: address)
    }

    private static func ask(
        _ app: LabTestApp, _ token: String, _ method: String = "GET", _ path: String = "", bytes: [UInt8]? = nil,
        from address: String? = nil
    ) async throws -> LabTestApp.Answer {
        try await app.send(
            .init(method) ?? .get, "/api/lab/guest\(path)", bytes: bytes, as: nil,
            headers: ["Authorization": "Bearer \(token)"], from: address)
    }

    // MARK: - Guesses

    @Test("However many wrong codes or tokens come, from one address or many, right ones are let in from each of them")
    func rightOnes() async throws {
        let app = try await LabTestApp()
        let (_, code) = try await Self.open(app)
        let token = try #require(try await Self.join(app, code, from: "127.0.7.1")["token"] as? String)
        var statuses: [Int] = []
        for number in 0..<500 {
            let address = number % 2 == 0 ? "127.0.7.1" : "127.0.8.\(number % 200 + 1)"
            statuses.append(try await Self.join(app, "wrong\(number)", from: address).status)
        }
        #expect(Set(statuses) == [403, 429])
        for address in ["127.0.7.1", "127.0.8.2", "127.0.9.1"] {
            #expect(try await Self.ask(app, token, from: address).status == 200)
            #expect(try await Self.join(app, code, from: address).status == 201)
        }
        for number in 0..<500 {
            #expect([401, 429].contains(try await Self.ask(app, "wrong\(number)", from: "127.0.7.1").status))
        }
        #expect(try await Self.ask(app, token, from: "127.0.7.1").status == 200)
        #expect(try await Self.join(app, code, from: "127.0.7.1").status == 201)
    }

    @Test("Wrong tokens do not use up the tries of wrong codes, nor the other way round")
    func apart() async throws {
        let app = try await LabTestApp()
        for _ in 0..<90 { _ = try await Self.ask(app, "wrong", from: "127.0.7.1") }
        #expect(try await Self.ask(app, "wrong", from: "127.0.7.1").status == 429)
        #expect(try await Self.join(app, "wrong", from: "127.0.7.1").status == 403)
        for _ in 0..<90 { _ = try await Self.join(app, "wrong", from: "127.0.7.2") }
        #expect(try await Self.join(app, "wrong", from: "127.0.7.2").status == 429)
        #expect(try await Self.ask(app, "wrong", from: "127.0.7.2").status == 401)
    }

    // MARK: - Places

    @Test("One phone that joins for as long as the code holds leaves places to others")
    func full() async throws {
        let app = try await LabTestApp()
        let (id, code) = try await Self.open(app)
        var joined = 0
        for _ in 0..<20 {
            for _ in 0..<60 where try await Self.join(app, code, from: "127.0.7.1").status == 201 { joined += 1 }
            app.advance(milliseconds: 59_000)
        }
        #expect(joined == 40)
        #expect(try await Self.join(app, code, from: "127.0.7.2").status == 201)
        // Another class behind the same address is another matter.
        let other = try await Self.open(app)
        #expect(try await Self.join(app, other.code, from: "127.0.7.1").status == 201)
        let guests = try await app.send(.get, "/api/lab/classes/\(id)")["guests"] as? [Any]
        #expect(guests?.count == joined + 1)
    }

    @Test("A class of thirty behind one address joins at once, leaves, and joins again")
    func school() async throws {
        let app = try await LabTestApp()
        let (_, code) = try await Self.open(app)
        for _ in 0..<2 {
            var tokens: [String] = []
            for _ in 0..<30 {
                let answer = try await Self.join(app, code, from: "127.0.7.1")
                #expect(answer.status == 201, "\(answer.text)")
                tokens.append(try #require(answer["token"] as? String))
            }
            for token in tokens { #expect(try await Self.ask(app, token, "DELETE").status == 204) }
            app.advance(milliseconds: 60_000)
        }
    }

    // Thirty pupils within a minute, of whom each may try twice a second.
    @Test("A phone that took all the places of its school gives them back when it is sent away")
    func schoolWithOneMore() async throws {
        let app = try await LabTestApp()
        let (id, code) = try await Self.open(app)
        var guests: [String] = []
        for _ in 0..<90 {
            let answer = try await Self.join(app, code, from: "127.0.7.1")
            if let guest = answer["state", "guest"] as? String { guests.append(guest) }
        }
        #expect(guests.count == 40)
        let full = try await Self.join(app, code, from: "127.0.7.1")
        #expect(full.status == 409 && full.detail.contains("40 phones of one network"), "\(full.text)")
        for guest in guests {
            // Twice, as by a second press: one place is one.
            for _ in 0..<2 {
                #expect(try await app.send(.delete, "/api/lab/classes/\(id)/guests/\(guest)").status == 204)
            }
        }
        var (joined, tries) = (0, 0)
        while joined < 30, tries < 120 {
            if try await Self.join(app, code, from: "127.0.7.1").status == 201 { joined += 1 }
            tries += 1
            app.advance(milliseconds: 500)
        }
        #expect(joined == 30)
    }

    @Test("A phone that joins and leaves is held up, and with another code its school begins anew")
    func joinsAndLeaves() async throws {
        let app = try await LabTestApp()
        let (id, code) = try await Self.open(app)
        var joined = 0
        for _ in 0..<200 {
            let answer = try await Self.join(app, code, from: "127.0.7.1")
            app.advance(milliseconds: 2_000)
            guard let token = answer["token"] as? String else { continue }
            joined += 1
            #expect(try await Self.ask(app, token, "DELETE").status == 204)
        }
        // A hundred, and one in thirty seconds.
        #expect((100...114).contains(joined))
        #expect(try await Self.join(app, code, from: "127.0.7.2").status == 201)
        let again = try await app.send(.post, "/api/lab/classes/\(id)/code")
        let other = try #require(again["code"] as? String)
        for _ in 0..<30 { #expect(try await Self.join(app, other, from: "127.0.7.1").status == 201) }
    }

    @Test("Who was sent away or has left takes no place, and their number is nobody else's")
    func sentAway() async throws {
        let app = try await LabTestApp()
        let (id, code) = try await Self.open(app)
        var guests: [(token: String, id: String)] = []
        for number in 0..<60 {
            app.advance(milliseconds: 2_000)
            let answer = try await Self.join(app, code, from: "127.0.7.\(number + 1)")
            guests.append(
                (try #require(answer["token"] as? String), try #require(answer["state", "guest"] as? String)))
        }
        #expect(try await Self.join(app, code, from: "127.0.8.1").status == 409)
        #expect(try await app.send(.delete, "/api/lab/classes/\(id)/guests/\(guests[3].id)").status == 204)
        #expect(try await Self.ask(app, guests[4].token, "DELETE").status == 204)
        app.advance(milliseconds: 4_000)
        let numbers = try await [Self.join(app, code, from: "127.0.8.1"), Self.join(app, code, from: "127.0.8.2")].map {
            $0["state", "number"] as? Int
        }
        #expect(numbers == [61, 62])
        #expect(try await Self.join(app, code, from: "127.0.8.3").status == 409)
    }

    @Test("An adult shuts the door: nobody joins until there is another code, and whoever is in stays in")
    func door() async throws {
        let app = try await LabTestApp()
        let (id, code) = try await Self.open(app)
        let token = try #require(try await Self.join(app, code)["token"] as? String)
        #expect(try await app.send(.delete, "/api/lab/classes/\(id)/code", as: nil).status == 401)
        #expect(try await app.send(.delete, "/api/lab/classes/\(id)/code").status == 204)
        #expect(try await Self.join(app, code).status == 403)
        #expect(try await Self.ask(app, token).status == 200)
        #expect(try await app.send(.get, "/api/lab/classes/\(id)")["isOpen"] as? Bool == true)
        #expect(try await app.send(.delete, "/api/lab/classes/\(id)/code").status == 204, "it is shut already")
        let again = try await app.send(.post, "/api/lab/classes/\(id)/code")
        #expect(try await Self.join(app, try #require(again["code"] as? String)).status == 201)
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.delete, "/api/lab/classes/\(id)/code").status == 403)
    }

    // MARK: - What is sent

    /// The header of a recording of the guest's run.
    private static func header(_ app: LabTestApp, _ token: String, _ kind: SensorKind = .accelerometer) async throws
        -> RecordingHeader
    {
        let state = try await ask(app, token)
        let id = Array(try #require(state["recording", "id"] as? String))
        let start = try #require(state["run", "startsAtMicroseconds"] as? Int64)
        let person = try #require(state["guest"] as? String)
        return RecordingHeader(
            id: stride(from: 0, to: id.count, by: 2).compactMap { UInt8(String(id[$0...$0 + 1]), radix: 16) },
            person: Array(person.utf8), utcOffsetMinutes: 0, startedAt: start,
            streams: [RecordedStream(kind: kind, source: .genericSensor)])
    }

    /// A recording of the guest's run with samples that are all the same, a few bytes for four thousand of them.
    private static func claim(
        _ app: LabTestApp, _ token: String, samples: Int, kind: SensorKind = .accelerometer
    ) async throws -> [UInt8] {
        let header = try await header(app, token, kind)
        let start = header.startedAt
        var bytes = try header.encoded()
        var left = samples
        var time = start
        while left > 0 {
            let count = min(left, SampleBlock.mostSamples)
            let block = try SampleBlock(
                times: (0..<Int64(count)).map { time + $0 },
                axes: Array(repeating: Array(repeating: 0, count: count), count: kind.axisCount))
            bytes += RecordingRecord.samples(stream: 0, block).encoded(start: start)
            left -= count
            time += Int64(count)
        }
        return bytes + RecordingRecord.end(at: time).encoded(start: start)
    }

    private static func running(_ app: LabTestApp, _ more: String = "") async throws -> (
        id: String, token: String
    ) {
        let (id, code) = try await open(app, more)
        let token = try #require(try await join(app, code)["token"] as? String)
        #expect(try await app.send(.post, "/api/lab/classes/\(id)/run").status == 201)
        return (id, token)
    }

    // A run of 60 s at 50 Hz asks for 3,000 samples of one sensor.
    @Test(
        "A few bytes that claim more samples than the run asked for are refused, and cost their charts nothing",
        arguments: [20_000, 100_000, 4_000_000])
    func claimed(samples: Int) async throws {
        let app = try await LabTestApp()
        let (id, token) = try await Self.running(app)
        let bytes = try await Self.claim(app, token, samples: samples)
        #expect(bytes.count < 60_000)
        let open = try await app.upload(bytes, token: token)
        #expect(open.status == 200)
        let path = "/api/lab/classes/\(id)/curves?sensor=accelerometer"
        let live = try await app.send(.get, path)
        let points = try #require(live["curves", "0", "chart", "points"] as? [[String: Any]], "\(live.text)")
        let shown = try points.map { try #require($0["count"] as? Int) }.reduce(0, +)
        #expect((1...3_000 * 3).contains(shown))
        let whole = try await app.upload(bytes, isComplete: true, token: token)
        #expect(whole.status == 413 && whole.detail.contains("more than the class asked for"), "\(whole.text)")
        // Closed, as it was left, there is as much of it as was asked for.
        app.advance(milliseconds: 121_000)
        try await app.companion.classes.closeIdle()
        let list = try await app.send(.get, "/api/lab/recordings?class=\(id)")
        #expect((1...3_000 * 3).contains(try #require(list["recordings", "0", "samples"] as? Int, "\(list.text)")))
        #expect(try await app.count("lab_guest_chunk") == 0)
    }

    // Records as the codec has them: 2^64 - 1 in LEB128 for the number of samples, and for the offset of a clock.
    @Test(
        "What no recording can say is refused while it comes, while it is looked at, and when it is closed",
        arguments: [
            [1, 11, 0] + [UInt8](repeating: 0xFF, count: 9) + [1],
            [4, 12, 0] + [UInt8](repeating: 0xFF, count: 9) + [1, 0],
            // The greatest offset, which is even in zigzag.
            [4, 12, 0, 0xFE] + [UInt8](repeating: 0xFF, count: 8) + [1, 0],
        ])
    func impossible(record: [UInt8]) async throws {
        let app = try await LabTestApp()
        let (id, token) = try await Self.running(app)
        let header = try await Self.header(app, token)
        let block = try SampleBlock(
            times: [header.startedAt, header.startedAt + 20_000], axes: Array(repeating: [0, 0], count: 3))
        let good = RecordingRecord.samples(stream: 0, block).encoded(start: header.startedAt)
        let bytes = try header.encoded() + good + record + good
        let whole = try await app.upload(bytes, isComplete: true, token: token)
        #expect(whole.status == 422, "\(whole.text)")
        let live = try await app.send(.get, "/api/lab/classes/\(id)/curves?sensor=accelerometer")
        #expect(live.status == 200 && live["curves", "0", "chart", "points"] != nil, "\(live.text)")
        app.advance(milliseconds: 121_000)
        try await app.companion.classes.closeIdle()
        let list = try await app.send(.get, "/api/lab/recordings?class=\(id)")
        #expect(list["recordings", "0", "samples"] as? Int == 2, "\(list.text)")
        #expect(try await app.count("lab_guest_chunk") == 0)
    }

    @Test("What the run asked for is taken, and from a sensor that is a little faster, too", arguments: [3_000, 4_000])
    func asked(samples: Int) async throws {
        let app = try await LabTestApp()
        let (_, token) = try await Self.running(app)
        let bytes = try await Self.claim(app, token, samples: samples)
        let whole = try await app.upload(bytes, isComplete: true, token: token)
        #expect(whole.status == 200, "\(whole.text)")
    }

    @Test("More bytes than the run asked for are refused")
    func bytesOfARun() async throws {
        let app = try await LabTestApp()
        // One second at 50 Hz.
        let (_, token) = try await Self.running(app, ",\"seconds\":1")
        let bytes = try await Self.claim(app, token, samples: 10) + [UInt8](repeating: 0xEE, count: 200_000)
        let answer = try await app.upload(bytes, token: token)
        #expect(answer.status == 413, "\(answer.text)")
        #expect(try await app.count("lab_guest_chunk") == 0)
    }

    @Test(
        "A sensor that the class did not ask for is refused", arguments: [SensorKind.gyroscope, .sound, .orientation])
    func otherSensor(kind: SensorKind) async throws {
        let app = try await LabTestApp()
        let (_, token) = try await Self.running(app)
        let bytes = try await Self.claim(app, token, samples: 10, kind: kind)
        let answer = try await app.upload(bytes, isComplete: true, token: token)
        #expect(answer.status == 422 && answer.detail.contains("did not ask for"), "\(answer.text)")
    }

    @Test("All that a class sends has a limit, which a part that is refused does not use up")
    func bytesOfAClass() async throws {
        let app = try await LabTestApp()
        let (_, token) = try await Self.running(app)
        var limits = ClassLimits()
        limits.classBytes = 1_000
        let classes = Classes(app.hub, limits: limits)
        let inClass = try await app.hub.database.pool.read { db in try #require(try ClassRecord.fetchOne(db)) }
        func count(_ bytes: Int) async throws -> Int? {
            do {
                try await app.hub.database.pool.write { db in try classes.count(bytes, of: inClass.id, db) }
                return nil
            } catch let problem as Problem {
                return problem.status.code
            }
        }
        #expect(try await count(600) == nil)
        #expect(try await count(600) == 413)
        #expect(try await count(400) == nil)
        #expect(try await count(1) == 413)
        // After a restart it counts what there is: nothing was stored here.
        classes.countAnew(inClass.id)
        let bytes = try await Self.claim(app, token, samples: 100)
        #expect(try await app.upload(bytes, token: token).status == 200)
        let stored = try await app.hub.database.pool.read { db in try GuestChunkRecord.bytes(ofClass: inClass.id, db) }
        #expect(stored == bytes.count)
        #expect(try await count(1_000 - bytes.count) == nil)
        #expect(try await count(1) == 413)
    }
}
