import Dispatch
import Foundation
import GRDB
import HubInstruments
import HubKit
import MotionLabEngine
import Storage
import Synchronization
import Testing

@testable import MotionLabHub

@Suite("Sensor Logger pushes to the hub")
struct SensorLoggerPushTests {
    private typealias Messages = LoggerMessages

    @Test("The message that its documentation shows is stored, in the lab's units, and listed")
    func documented() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let answer = try await phone.push(
            """
            {"messageId":0,"sessionId":"a-session","deviceId":"a-device","payload":[\
            {"name":"accelerometer","time":1698501144401773000,"values":{"x":0,"y":0,"z":9.80665},"accuracy":3},\
            {"name":"barometer","time":1698501144501773000,"values":{"relativeAltitude":1.25,"pressure":1013.25}},\
            {"name":"annotation","time":1698501144601773000,"values":{"text":"the door","millisecond_press_duration":1}},\
            {"name":"battery","time":1698501144401773000,"values":{"batteryLevel":0.5}}]}
            """)
        #expect(answer.status == 200, "\(answer.text)")
        let recording = try await phone.recording()
        #expect(recording["device"] as? String == phone.device.id && recording["origin"] as? String == "push")
        #expect(recording["startMicroseconds"] as? Int64 == 1_698_501_144_401_773)
        #expect(recording["endMicroseconds"] as? Int64 == 1_698_501_144_601_773)
        #expect(recording["samples"] as? Int == 3)
        let notes = recording["annotations"] as? [[String: Any]]
        #expect(notes?.first?["text"] as? String == "the door")
        let id = try #require(recording["id"] as? String)
        let csv = try await app.send(.get, "/api/lab/recordings/\(id)/export?format=csv").text
        #expect(
            csv == """
                recording,name,time (µs UTC),seconds (s),linearAcceleration.x (g),linearAcceleration.y (g),linearAcceleration.z \
                (g),barometer.pressure (kPa),altitude.relative (m),person,phone\r
                \(id),,1698501144401773,0,0,0,1,,,,\(phone.device.name)\r
                \(id),,1698501144501773,0.1,,,,101.325,1.25,,\(phone.device.name)\r\n
                """)
    }

    @Test("The token may stand in the address, as the app has no other place for it over plain HTTP")
    func tokenInQuery() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let body = Messages.message(1, Messages.atRest(from: 0, count: 3))
        let answer = try await app.send(.post, "/api/lab/sensor-logger?token=\(phone.token)", body, as: nil)
        #expect(answer.status == 200)
        #expect(try await phone.recording()["samples"] as? Int == 3)
    }

    @Test(
        "Who has no token, a wrong one, that of another kind or of a removed phone reads what to do, in their language")
    func unknownToken() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let body = Messages.message(1, Messages.atRest(from: 0, count: 3))
        for token in ["", "wrong", "ines"] {
            let answer = try await app.send(
                .post, "/api/lab/sensor-logger", body, as: token == "ines" ? "ines" : nil,
                headers: token.isEmpty || token == "ines" ? [:] : ["Authorization": "Bearer \(token)"])
            #expect(answer.status == 499)
            #expect(
                answer.text
                    == "Tandem does not know this phone. Copy the address with its token again, from the lab’s page.")
        }
        #expect(try await app.send(.delete, "/api/devices/\(phone.device.id)").status == 204)
        let answer = try await phone.push(body, headers: ["Accept-Language": "de-AT,de;q=0.9"])
        #expect(answer.status == 499 && answer.text.hasPrefix("Tandem kennt dieses Handy nicht."))
        #expect(try await app.count("lab_recording") == 0)
    }

    @Test("A message that comes again is stored once, and counted")
    func repeatedMessages() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        for id in [1, 2, 2, 1, 4] {
            #expect(
                try await phone.push(Messages.message(id, Messages.atRest(from: id * 100, count: 100))).status == 200)
        }
        let recording = try await phone.recording()
        #expect(recording["samples"] as? Int == 300)
        let messages = recording["messages"] as? [String: Any]
        #expect(messages?["received"] as? Int == 5 && messages?["repeated"] as? Int == 2)
        #expect(messages?["missing"] as? Int == 1)
        #expect(
            recording["findings"] as? [String] == [
                "1 message of the app has not come.", "2 messages of the app came again, and are stored once.",
            ])
        // The one that was lost comes late.
        #expect(try await phone.push(Messages.message(3, Messages.atRest(from: 300, count: 100))).status == 200)
        #expect((try await phone.recording()["messages"] as? [String: Any])?["missing"] as? Int == 0)
        #expect(try await phone.recording()["samples"] as? Int == 400)
    }

    @Test("Readings and messages out of order come out in order")
    func outOfOrder() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let samples = Messages.atRest(from: 0, count: 30)
        for part in [2, 0, 1] {
            let payload = Array(samples[part * 10..<part * 10 + 10].reversed())
            #expect(try await phone.push(Messages.message(part, payload)).status == 200)
        }
        let recording = try await phone.recording()
        #expect((recording["messages"] as? [String: Any])?["reorderedReadings"] as? Int == 27)
        #expect(recording["findings"] as? [String] == ["27 values came out of order, and were put in order."])
        let id = try #require(recording["id"] as? String)
        let table = try await app.send(.get, "/api/lab/recordings/\(id)/export").text
        let seconds = table.split(separator: "\r\n").dropFirst().map {
            String($0.split(separator: ",", omittingEmptySubsequences: false)[3])
        }
        let expected = (0..<30).map { (place: Int) -> String in
            let hundredths = place < 10 ? "0.0\(place)" : "0.\(place)"
            return place == 0 ? "0" : place % 10 == 0 ? "0.\(place / 10)" : hundredths
        }
        #expect(seconds == expected)
    }

    @Test("Of a message with good and bad readings the good ones are stored, and the bad ones counted")
    func partlyBad() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let payload = [
            Messages.reading("gyroscope", 0, "\"x\":1,\"y\":2,\"z\":3"),
            Messages.reading("gyroscope", 10_000_000, "\"x\":1,\"y\":2"),
            "{\"name\":\"gyroscope\",\"time\":99999999999999999999,\"values\":{\"x\":1,\"y\":2,\"z\":3}}",
            "{\"name\":\"gyroscope\",\"time\":1e400,\"values\":{\"x\":1,\"y\":2,\"z\":3}}",
        ]
        #expect(try await phone.push(Messages.message(1, payload)).status == 200)
        #expect(try await phone.recording()["samples"] as? Int == 1)
        let messages = try await phone.recording()["messages"] as? [String: Any]
        #expect(messages?["refusedReadings"] as? Int == 3)
    }

    @Test(
        "What cannot be used at all is answered with 499 and a word on what to do, and nothing is stored",
        arguments: [
            ("{", "JSON"), ("{}", "payload"),
            (
                "{\"messageId\":1,\"payload\":[{\"name\":\"gravity\",\"time\":12,\"values\":{\"x\":0,\"y\":0,\"z\":1}}]}",
                "clock"
            ),
            (LoggerMessages.message(1, [LoggerMessages.reading("gyroscope", 0, "\"x\":1")]), "axis"),
            ("{\"messageId\":1,\"payload\":[{\"name\":\"gravity\"}]}", "a name, a time and values"),
            (LoggerMessages.message(1, [], session: String(repeating: "s", count: 600)), "too long"),
        ])
    func unusable(body: String, word: String) async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let answer = try await phone.push(body)
        #expect(answer.status == 499 && answer.text.contains(word), "\(answer.text)")
        #expect(try await app.count("lab_recording") == 0)
    }

    @Test("A message with more readings than may be says to choose a shorter period")
    func tooMany() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let payload = [String](repeating: "0", count: SensorLoggerMessage.Limits().readings + 1)
        let answer = try await phone.push(Messages.message(1, payload))
        #expect(answer.status == 499 && answer.text.contains("shorter batch period"))
        let large = try await phone.push(String(repeating: " ", count: SensorLoggerMessage.Limits().bytes + 1))
        #expect(large.status == 499 && large.text.hasPrefix("One message was too large."))
    }

    /// Counts commits of the database's writer.
    private final class Commits: TransactionObserver, Sendable {
        private let commits = Mutex(0)
        var count: Int { commits.withLock { $0 } }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { commits.withLock { $0 += 1 } }
        func databaseDidRollback(_ db: Database) {}
    }

    @Test(
        "What thirty phones send while the database is busy is stored in two transactions, and each of it answered",
        .timeLimit(.minutes(5)))
    func manyPhones() async throws {
        let app = try await LabTestApp()
        var phones: [LabTestPhone] = []
        for number in 0..<30 { phones.append(try await LabTestPhone(app, name: "Phone \(number)")) }
        let body = Messages.message(1, Messages.atRest(from: 0, count: 10))
        let pool = app.hub.database.pool
        let commits = Commits()
        let (isBusy, busy) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let blocker = Task {
            try await pool.write { db in
                busy.finish()
                release.wait()
                db.add(transactionObserver: commits, extent: .databaseLifetime)
            }
        }
        for await _ in isBusy {}
        try await withThrowingTaskGroup(of: Int.self) { group in
            for phone in phones { group.addTask { try await phone.push(body).status } }
            // Those of the first transaction wait for the writer, and the others for them.
            while app.companion.queue.count < 30, !Task.isCancelled { await Task.yield() }
            release.signal()
            for try await status in group { #expect(status == 200) }
        }
        try await blocker.value
        #expect(try await app.count("lab_recording") == 30)
        // The blocker's own is one of them.
        #expect(commits.count <= 3)
    }

    @Test("A sensor that stops while others go on is said to have stopped, and the rate of each is measured")
    func stopped() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        for second in 0..<20 {
            var payload = second < 3 ? Messages.atRest(from: second * 100, count: 100) : []
            payload.append(Messages.reading("barometer", Int64(second) * 1_000_000_000, "\"pressure\":1013.25"))
            #expect(try await phone.push(Messages.message(second, payload)).status == 200)
        }
        #expect(
            try await phone.recording()["findings"] as? [String] == [
                "Acceleration: stopped before the end of the recording."
            ])
        #expect(try await phone.stream("accelerometer")["hertz"] as? Double == 100)
    }

    @Test("Two recordings of a phone are two, each with its own samples")
    func twoRecordings() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        #expect(
            try await phone.push(Messages.message(0, Messages.atRest(from: 0, count: 10), session: "a")).status == 200)
        #expect(
            try await phone.push(Messages.message(0, Messages.atRest(from: 1_000, count: 20), session: "b")).status
                == 200)
        #expect(try await phone.recording(0)["samples"] as? Int == 20)
        let first = try await phone.recording(1)
        #expect(first["samples"] as? Int == 10)
        let id = try #require(first["id"] as? String)
        let csv = try await app.send(.get, "/api/lab/recordings/\(id)/export").text
        #expect(csv.split(separator: "\r\n").count == 11)
    }
}
