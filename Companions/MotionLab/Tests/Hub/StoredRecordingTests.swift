import Foundation
import HubInstruments
import HubKit
import MotionLabEngine
import Storage
import TestInstruments
import Testing
import Wire

@testable import MotionLabHub

@Suite("Recordings in the hub")
struct StoredRecordingTests {
    /// A page records Mila's phone: an accelerometer at 100 Hz and a barometer at one.
    struct Recorder {
        var writer: RecordingWriter
        let start: Int64
        let id: String
        var bytes: [UInt8] = []

        init(person: String, start: Int64, number: UInt8 = 7) throws {
            let id = [UInt8](repeating: number, count: 16)
            self.start = start
            self.id = SessionOrigin.name(of: id)
            writer = try RecordingWriter(
                header: RecordingHeader(
                    id: id, person: Array(person.utf8), experiment: Array("pendulum".utf8), utcOffsetMinutes: 60,
                    startedAt: start,
                    streams: [
                        RecordedStream(kind: .accelerometer, source: .genericSensor, claimedMillihertz: 200_000),
                        RecordedStream(kind: .barometer, source: .lab),
                    ]))
        }

        /// A second of it.
        mutating func second(_ number: Int64) -> [UInt8] {
            for place in 0..<100 as Range<Int64> {
                writer.add([0, 0.5, 1], to: 0, at: start + number * 1_000_000 + place * 10_000)
            }
            writer.add([101.325], to: 1, at: start + number * 1_000_000)
            let piece = writer.takeBytes()
            bytes += piece
            return piece
        }

        mutating func end(_ name: String, after seconds: Int64) -> [UInt8] {
            writer.add(.annotation(at: start + 500_000, text: Array("let go".utf8)))
            writer.add(.state(at: start, stream: 1, .notPermitted))
            writer.add(.name(Array(name.utf8)))
            writer.add(.end(at: start + seconds * 1_000_000))
            let piece = writer.takeBytes()
            bytes += piece
            return piece
        }
    }

    private func append(_ piece: [UInt8], _ recorder: Recorder, to app: LabTestApp, isComplete: Bool = false)
        async throws
        -> LabTestApp.Answer
    {
        let offset = recorder.bytes.count - piece.count
        return try await app.upload(
            "/api/lab/active/\(recorder.id)", recorder.bytes, offset..<recorder.bytes.count, isComplete: isComplete)
    }

    @Test("A page's recording is appended while it goes on, and is stored with its name, rates and notes at its end")
    func appended() async throws {
        let app = try await LabTestApp()
        var recorder = try Recorder(person: "mila", start: app.now * 1_000)
        for second in 0..<3 as Range<Int64> {
            let answer = try await append(recorder.second(second), recorder, to: app)
            #expect(answer.status == (second == 0 ? 201 : 200), "\(answer.text)")
        }
        let stored = try await append(recorder.end("Swing", after: 3), recorder, to: app, isComplete: true)
        #expect(stored.status == 201, "\(stored.text)")
        let list = try await app.send(.get, "/api/lab/recordings?person=mila")
        #expect(list["recordings", "0", "name"] as? String == "Swing")
        #expect(list["recordings", "0", "experiment"] as? String == "pendulum")
        #expect(list["recordings", "0", "samples"] as? Int == 303)
        #expect(list["recordings", "0", "isEnded"] as? Bool == true)
        // A phone that says 200 Hz and gives 100.
        #expect(list["recordings", "0", "streams", "0", "verdict"] as? String == "slower")
        #expect(abs((list["recordings", "0", "streams", "0", "hertz"] as? Double ?? 0) - 100) < 1e-6)
        #expect(list["recordings", "0", "streams", "0", "unit"] as? String == "g")
        let one = try await app.send(
            .get, "/api/lab/recordings/\(recorder.id)", headers: ["Accept-Language": "de"])
        #expect(
            one["findings"] as? [String] == [
                "Beschleunigung: 100 Werte in der Sekunde, das Handy sagt 200.",
                "Luftdruck: Dieses Handy durfte das nicht messen. Erlaube es in den Einstellungen des Browsers und nimm noch einmal auf.",
            ])
        #expect(one["annotations", "0", "text"] as? String == "let go")
    }

    @Test("A recording whose phone never comes back is stored as far as it is, and goes on when it does")
    func unended() async throws {
        let app = try await LabTestApp()
        var recorder = try Recorder(person: "mila", start: app.now * 1_000)
        #expect(try await append(recorder.second(0), recorder, to: app).status == 201)
        #expect(try await app.send(.delete, "/api/lab/active/\(recorder.id)").status < 300)
        #expect(
            try await app.send(.get, "/api/lab/recordings/\(recorder.id)")["isEnded"] as? Bool == false)
        _ = recorder.second(1)
        _ = recorder.end("Late", after: 2)
        let content = recorder.bytes
        let answer = try await app.deliver(content)
        #expect(answer.status < 300, "\(answer.text)")
        #expect(answer["samples"] as? Int == 202 && answer["isEnded"] as? Bool == true)
        #expect(try await app.count() == 1)
    }

    private func stored(_ app: LabTestApp, person: String = "mila", number: UInt8 = 7) async throws -> Recorder {
        var recorder = try Recorder(person: person, start: app.now * 1_000, number: number)
        _ = recorder.second(0)
        _ = recorder.end("Swing", after: 1)
        let answer = try await app.deliver(recorder.bytes)
        #expect(answer.status == 201, "\(answer.text)")
        return recorder
    }

    @Test("A recording carries what was simulated, and says so")
    func simulated() async throws {
        let app = try await LabTestApp()
        let start = app.now * 1_000
        let id = [UInt8](repeating: 9, count: 16)
        var writer = try RecordingWriter(
            header: RecordingHeader(
                id: id, person: Array("mila".utf8), experiment: Array("spin".utf8), utcOffsetMinutes: 60,
                startedAt: start,
                streams: [
                    RecordedStream(kind: .accelerometer, source: .genericSensor),
                    RecordedStream(kind: .barometer, source: .simulated),
                ]))
        for place in 0..<20 as Range<Int64> {
            writer.add([0, 0, 1], to: 0, at: start + place * 50_000)
            writer.add([101.3], to: 1, at: start + place * 50_000)
        }
        writer.add(.end(at: start + 1_000_000))
        #expect(
            try await app.deliver(writer.takeBytes()).status == 201)
        let one = try await app.send(.get, "/api/lab/recordings/\(SessionOrigin.name(of: id))")
        #expect(one["streams", "0", "isSimulated"] == nil && one["streams", "1", "isSimulated"] as? Bool == true)
        #expect(one["findings"] as? [String] == ["Air pressure: simulated. Nothing was measured."])
    }

    @Test("Bytes that are cut off are refused in words, and nothing is stored")
    func damaged() async throws {
        let app = try await LabTestApp()
        var recorder = try Recorder(person: "mila", start: app.now * 1_000)
        _ = recorder.second(0)
        var content = recorder.bytes
        content.removeLast(2)
        let answer = try await app.deliver(content)
        #expect(answer.status == 422 && answer.detail.contains("ends in the middle"), "\(answer.text)")
        #expect(try await app.count("lab_recording") == 0)
    }

    @Test("A name and notes that come afterwards stay, also where the recording comes again")
    func namedLater() async throws {
        let app = try await LabTestApp()
        let recorder = try await stored(app)
        let path = "/api/lab/recordings/\(recorder.id)"
        #expect(try await app.send(.patch, path, "{\"name\":\"Long pendulum\"}")["name"] as? String == "Long pendulum")
        let note = "{\"atMicroseconds\":\(recorder.start + 100_000),\"text\":\"a gust\"}"
        #expect(try await app.send(.post, path + "/annotations", note).status == 201)
        _ = try await app.deliver(recorder.bytes)
        let answer = try await app.send(.get, path)
        #expect(answer["name"] as? String == "Long pendulum")
        #expect((answer["annotations"] as? [[String: Any]])?.map { $0["text"] as? String } == ["a gust", "let go"])
        #expect(try await app.send(.patch, path, "{\"name\":\"  \"}").status == 422)
        let outside = "{\"atMicroseconds\":\(recorder.start + 9_000_000),\"text\":\"late\"}"
        #expect(try await app.send(.post, path + "/annotations", outside).status == 422)
        #expect(try await app.send(.get, "/api/lab/recordings/00").status == 404)
    }

    @Test("JSON has the values in their units, and the archive can be tested and read by Python")
    func files() async throws {
        let app = try await LabTestApp()
        let recorder = try await stored(app)
        let json = try await app.send(.get, "/api/lab/recordings/\(recorder.id)/export?format=json")
        #expect(json["recordings", "0", "series", "0", "values", "1", "99"] as? Double == 0.5)
        #expect(json["recordings", "0", "series", "1", "unit"] as? String == "kPa")
        #expect(try await app.send(.get, "/api/lab/recordings/\(recorder.id)/export?format=xml").status == 422)

        var archive: [UInt8] = []
        try await ExportRecordingsCommand.write(
            device: nil, person: "Mila", .zip, from: app.hub.database
        ) { archive += $0 }
        let file = app.folder.appending(path: "recordings.zip")
        try Data(archive).write(to: file)
        let script = """
            import csv, io, json, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            entry = json.load(archive.open("recordings.json"))["recordings"][0]
            rows = list(csv.DictReader(io.TextIOWrapper(archive.open(entry["tables"][0]["path"]), "utf-8")))
            notebook = json.load(archive.open("notebook.ipynb"))
            print(len(rows), rows[99]["seconds"], rows[99]["y"], entry["tables"][1]["columns"][2], notebook["nbformat"])
            for cell in notebook["cells"]: compile("".join(cell["source"]), "cell", "exec")
            """
        let result = try CommandResult.of("/usr/bin/env", ["python3", "-c", script, file.path])
        #expect(result.output == "100 0.99 0.5 {'name': 'pressure', 'unit': 'kPa'} 4\n")
    }

    @Test("The command writes one table of all recordings of a phone, by its id or its name")
    func command() async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app, name: "Pixel")
        for session in ["a", "b"] {
            let samples = LoggerMessages.atRest(from: session == "a" ? 0 : 1_000, count: 3)
            #expect(try await phone.push(LoggerMessages.message(0, samples, session: session)).status == 200)
        }
        for name in [phone.device.id, "pixel"] {
            var table: [UInt8] = []
            try await ExportRecordingsCommand.write(device: name, person: nil, .csv, from: app.hub.database) {
                table += $0
            }
            let lines = String(decoding: table, as: UTF8.self).split(separator: "\r\n")
            #expect(
                lines.count == 7
                    && lines[0].hasSuffix(
                        "accelerometer.x (g),accelerometer.y (g),accelerometer.z (g),person,phone")
            )
            #expect(
                lines[1].contains(",0,0,1,") && lines[1].hasSuffix(",Pixel")
                    && Set(lines.dropFirst().map { $0.prefix(32) }).count == 2)
        }
        await #expect(throws: UnknownPhone.self) {
            try await ExportRecordingsCommand.write(device: "iPad", person: nil, .csv, from: app.hub.database) { _ in }
        }
    }

    @Test("A child sees no sibling's recordings, and everybody those of the household's phones")
    func siblings() async throws {
        let app = try await LabTestApp()
        let recorder = try await stored(app)
        let own = try await stored(app, person: "theo", number: 8)
        let phone = try await LabTestPhone(app)
        #expect(try await phone.push(LoggerMessages.message(0, LoggerMessages.atRest(from: 0, count: 3))).status == 200)
        try await app.use("ines", profile: "theo")
        let list = try await app.send(.get, "/api/lab/recordings")
        let ids = (list["recordings"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
        #expect(ids?.count == 2 && ids?.contains(own.id) == true)
        let walk = SiblingWalk(about: "mila") {
            $0.hasPrefix("/api/lab")
        } send: { method, path, body, bytes in
            try await app.send(method, path, body, bytes: bytes)
        }
        let path = "/api/lab/recordings/\(recorder.id)"
        #expect(
            try await walk.faults([
                "GET /api/lab/recordings": .refused("/api/lab/recordings?person=mila"),
                "GET /api/lab/recordings/{id}": .refused(path),
                "PATCH /api/lab/recordings/{id}": .refused(path, "{\"name\":\"Mine\"}"),
                "POST /api/lab/recordings/{id}/annotations": .refused(
                    path + "/annotations", "{\"atMicroseconds\":0,\"text\":\"a\"}"),
                "GET /api/lab/recordings/{id}/export": .refused(path + "/export"),
                "GET /api/lab/recordings/{id}/chart": .refused(path + "/chart?sensor=accelerometer"),
                "DELETE /api/lab/recordings/{id}": .refused(path),
                "GET /api/lab": .household,
                "GET /api/lab/phones": .household,
                "GET /api/lab/phyphox": .household,
                "GET /api/lab/phones/{id}/altitude": .household,
                "GET /api/lab/clock": .household,
                "POST /api/lab/import": .household,
                "GET /api/lab/experiments": .household,
                "GET /api/lab/experiments/{slug}": .household,
                "GET /api/lab/system": .household,
                "POST /api/lab/sessions": .says(
                    ["id", "day"], "/api/lab/sessions",
                    bytes: recorder.bytes),
                "GET /api/lab/active": .household,
                "HEAD /api/lab/active/{id}": .household,
                "GET /api/lab/active/{id}": .household,
                "PATCH /api/lab/active/{id}": .household,
                "DELETE /api/lab/active/{id}": .household,
            ]) == [])
    }
}
