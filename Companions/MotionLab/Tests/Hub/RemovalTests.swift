import Foundation
import GRDB
import HubInstruments
import HubKit
import MotionLabEngine
import Storage
import Testing

@testable import MotionLabHub

@Suite("Recordings that are removed")
struct RemovalTests {
    private func delivered(_ app: LabTestApp, person: String, number: UInt8 = 7) async throws -> String {
        var recorder = try StoredRecordingTests.Recorder(person: person, start: app.now * 1_000, number: number)
        _ = recorder.second(0)
        _ = recorder.end("Swing", after: 1)
        #expect(
            try await app.deliver(recorder.bytes).status == 201)
        return recorder.id
    }

    @Test("A child removes its own, an adult anybody’s, and that it was is written down")
    func sessions() async throws {
        let app = try await LabTestApp()
        let (mila, theo) = (
            try await delivered(app, person: "mila"), try await delivered(app, person: "theo", number: 8)
        )
        try await app.use("ines", profile: "theo")
        #expect(try await app.send(.delete, "/api/lab/recordings/\(mila)").status == 403)
        #expect(try await app.send(.delete, "/api/lab/recordings/\(theo)").status == 204)
        try await app.use("ines", profile: "ines")
        #expect(try await app.send(.delete, "/api/lab/recordings/\(mila)").status == 204)
        #expect(try await app.send(.delete, "/api/lab/recordings/\(mila)").status == 404)
        #expect(try await app.count("lab_recording") == 0)
        #expect(try await app.count() == 0)
        let by = try await app.hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT removed_by FROM lab_removed")
        }
        #expect(by == ["ines", "ines"])
    }

    @Test(
        "What was removed stays removed when another phone delivers it later, in pieces or whole, and nobody is bothered"
    )
    func deliveredLater() async throws {
        let app = try await LabTestApp()
        let id = try await delivered(app, person: "mila")
        #expect(try await app.send(.delete, "/api/lab/recordings/\(id)").status == 204)
        var recorder = try StoredRecordingTests.Recorder(person: "mila", start: app.now * 1_000)
        let first = recorder.second(0)
        let begun = try await app.send(
            .patch, "/api/lab/active/\(id)", bytes: first,
            headers: ["Upload-Offset": "0", "Upload-Complete": "?0"])
        #expect(begun.status == 201, "\(begun.text)")
        _ = recorder.end("Swing", after: 1)
        let again = try await app.deliver(recorder.bytes)
        #expect(again.status == 200 && again["id"] as? String == id, "\(again.text)")
        #expect(try await app.count("lab_recording") == 0)
        #expect(try await app.count() == 0)
        #expect(try await app.count("active_session") == 0)
        // One that nobody comes back to goes the same way.
        let left = try await app.send(
            .patch, "/api/lab/active/\(id)", bytes: first, headers: ["Upload-Offset": "0", "Upload-Complete": "?0"])
        #expect(left.status == 201)
        #expect(try await app.send(.delete, "/api/lab/active/\(id)").status == 200)
        #expect(try await app.count("lab_recording") == 0)
        #expect(try await app.count("active_session") == 0)
    }

    @Test("A file that is brought in once more after it was removed is there again")
    func importedAgain() async throws {
        let app = try await LabTestApp()
        let csv =
            "Time (s),Acceleration x (m/s^2),Acceleration y (m/s^2),Acceleration z (m/s^2)\n"
            + (0..<20).map { "\(Double($0) / 100),0,0,9.80665" }.joined(separator: "\n")
        let path =
            "/api/lab/import?person=mila&app=phyphox&name=Accelerometer.csv&startedAt=\(app.now * 1_000 - 60_000_000)"
        let headers = ["Content-Type": "text/csv"]
        let brought = try await app.send(.post, path, bytes: Array(csv.utf8), headers: headers)
        #expect(brought.status == 201, "\(brought.text)")
        let id = try #require(brought["recording", "id"] as? String)
        #expect(try await app.send(.delete, "/api/lab/recordings/\(id)").status == 204)
        #expect(try await app.send(.post, path, bytes: Array(csv.utf8), headers: headers).status == 201)
        #expect(try await app.count("lab_recording") == 1)
    }

    @Test("Of a phone the samples go too, but for those of another recording, and charts show what is left")
    func samples() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        // The second begins while the first goes on.
        for (place, (session, first)) in [("a", 0), ("b", 250)].enumerated() {
            let samples = LoggerMessages.atRest(from: first, count: 500)
            #expect(try await phone.push(LoggerMessages.message(place, samples, session: session)).status == 200)
        }
        let id = try #require(try await phone.recording(1)["id"] as? String)
        let other = try #require(try await phone.recording(0)["id"] as? String)
        app.advance(milliseconds: 60_000)
        #expect(try await app.send(.delete, "/api/lab/recordings/\(id)").status == 204)
        let start = LoggerMessages.start / 1_000
        let (counts, samples) = try await app.hub.database.pool.read { db in
            let stream = try #require(try db.stream("accelerometer", device: phone.device.id))
            var samples = 0
            try db.forEachBlock(stream: stream, from: 0, to: .max) { samples += $0.count }
            return (
                try [1_000_000, 60_000_000, 3_600_000_000].map { width in
                    try db.summaries(stream: stream, from: start, to: start + 10_000_000, width: width)
                        .reduce(0) { $0 + $1.count }
                }, samples
            )
        }
        #expect(samples == 500 && counts == [500, 500, 500])
        #expect(try await app.send(.get, "/api/lab/recordings/\(other)/chart?sensor=accelerometer").status == 200)
        // What the app sends again of the removed one is not stored again.
        #expect(
            try await phone.push(
                LoggerMessages.message(9, LoggerMessages.atRest(from: 0, count: 100), session: "a")
            ).status == 200)
        #expect(try await app.count("lab_recording") == 1)
    }

    @Test("What a phone sends now is not removed under its hands, and a phone’s is an adult’s to remove")
    func whileSending() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        #expect(try await phone.push(LoggerMessages.message(0, LoggerMessages.atRest(from: 0, count: 3))).status == 200)
        let id = try #require(try await phone.recording()["id"] as? String)
        let answer = try await app.send(.delete, "/api/lab/recordings/\(id)")
        #expect(answer.status == 409 && answer.detail.contains("Stop it in the app"), "\(answer.text)")
        app.advance(milliseconds: 11_000)
        try await app.use("ines", profile: "theo")
        #expect(try await app.send(.delete, "/api/lab/recordings/\(id)").status == 403)
        try await app.use("ines", profile: "ines")
        #expect(try await app.send(.delete, "/api/lab/recordings/\(id)").status == 204)
    }
}
