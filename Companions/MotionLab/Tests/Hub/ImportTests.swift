import Foundation
import HubInstruments
import HubKit
import TestInstruments
import Testing

@testable import MotionLabHub

@Suite("Files of Sensor Logger and phyphox")
struct ImportTests {
    private let logger = """
        time,seconds_elapsed,z,y,x
        1795266000000000000,0.0,-9.80665,0,0
        1795266000010000000,0.01,-9.80665,0,
        1795266000020000000,0.02,-9.80665,0,9.80665
        """
    private let phyphox = """
        "Time (s)";"Pressure (hPa)"
        0,5;1,01325E3
        1,5;1,01200E3
        """

    private func send(_ file: String, _ query: String, to app: LabTestApp, language: String = "en") async throws
        -> LabTestApp.Answer
    {
        try await app.send(
            .post, "/api/lab/import?\(query)", file, headers: ["Accept-Language": language])
    }

    @Test("A file of Sensor Logger's is a recording at its own time, and the same file again is the same one")
    func sensorLogger() async throws {
        let app = try await LabTestApp()
        let query = "person=mila&app=sensor-logger-ios&name=Gravity.csv"
        let answer = try await send(logger, query, to: app)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["skippedLines"] as? Int == 1)
        #expect(answer["recording", "startMicroseconds"] as? Int64 == 1_795_266_000_000_000)
        #expect(answer["recording", "origin"] as? String == "file")
        let id = try #require(answer["recording", "id"] as? String)
        let csv = try await app.send(.get, "/api/lab/recordings/\(id)/export").text
        #expect(csv.contains("Gravity.csv,1795266000020000,0.02,-1,0,1,Mila,\r\n"), "\(csv)")
        let again = try await send(logger, query, to: app)
        #expect(again.status == 200 && again["isKnown"] as? Bool == true)
        #expect(try await app.count("lab_recording") == 1)
    }

    // 34 of 40 rows, as a spreadsheet's formula leaves them.
    @Test(
        "Lines that were left out are counted with the reason, and a time that is none is said, in the reader's language"
    )
    func remarks() async throws {
        let app = try await LabTestApp()
        let rows = (0..<40).map { "1795266000\(100 + $0)000000,0.\(100 + $0),\($0 > 5 ? "#N/A" : "1"),0,0\n" }
        let query = "person=mila&app=sensor-logger-ios&name=Gravity.csv"
        let some = try await send("time,seconds_elapsed,z,y,x\n" + rows.joined(), query, to: app)
        #expect(some["skippedLines"] as? Int == 34, "\(some.text)")
        let words = try #require((some["remarks"] as? [String])?.first)
        #expect(words.hasPrefix("34 lines were left out") && words.contains("“#N/A”"), "\(words)")
        let undated = try await send(
            "Zeit,seconds_elapsed,z,y,x\n########,0,0,0,1\n########,1,0,0,1\n", query + "&startedAt=1795200000000000",
            to: app, language: "de")
        #expect(undated["recording", "startMicroseconds"] as? Int64 == 1_795_200_000_000_000, "\(undated.text)")
        let german = try #require((undated["remarks"] as? [String])?.first)
        #expect(german.contains("sagt nicht, wann das war") && german.contains("„Zeit“"), "\(german)")
        #expect((try await send(logger, query, to: app)["remarks"] as? [String])?.count == 1)
    }

    @Test("A file of phyphox's, with decimal commas, begins when whoever imports it says")
    func phyphoxFile() async throws {
        let app = try await LabTestApp()
        let answer = try await send(
            phyphox, "person=mila&app=phyphox&name=Raw%20Data.csv&startedAt=1795200000000000", to: app)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["recording", "startMicroseconds"] as? Int64 == 1_795_200_000_000_000)
        #expect(answer["recording", "endMicroseconds"] as? Int64 == 1_795_200_001_000_000)
        #expect(answer["recording", "streams", "0", "sensor"] as? String == "barometer")
        let again = try await send(phyphox, "person=mila&app=phyphox&name=Raw%20Data.csv", to: app)
        #expect(again.status == 200 && again["isKnown"] as? Bool == true, "\(again.text)")
    }

    @Test(
        "The ZIP file that an app exported is one recording of all its sensors, and what cannot be read of it is named")
    func packed() async throws {
        let app = try await LabTestApp()
        let rows = "\n1795266000000000000,0.0,0,0,0\n1795266000010000000,0.01,0,0,0\n"
        let file = try PythonZip.file([
            ("Gyroscope.csv", "time,seconds_elapsed,z,y,x" + rows),
            ("Gravity.csv", "time,seconds_elapsed,z,y,x" + rows),
            ("Magnetometer.csv", "time,seconds_elapsed,z" + rows),
        ])
        let path = "/api/lab/import?person=mila&app=sensor-logger-android&name=walk.zip"
        let answer = try await app.send(.post, path, bytes: file)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["unread"] as? [String] == ["Magnetometer.csv"])
        let sensors = ["0", "1"].map { answer["recording", "streams", $0, "sensor"] as? String }
        #expect(Set(sensors) == ["gravity", "gyroscope"])
        #expect(answer["recording", "origin"] as? String == "file")
        let toolbox = try await send(
            "time,gFx,gFy,gFz\n0,0,0,1\n1,0,0,1\n",
            "person=mila&app=physics-toolbox&name=a.csv&startedAt=1795266000000000",
            to: app)
        #expect(toolbox["recording", "endMicroseconds"] as? Int64 == 1_795_266_001_000_000, "\(toolbox.text)")
        #expect(toolbox["recording", "origin"] as? String == "file")
    }

    @Test("The command takes the same files, by the same ids as the page")
    func command() async throws {
        let app = try await LabTestApp()
        func store(_ file: String, _ name: String) async throws -> Bool {
            try await ImportRecordingsCommand.store(
                Array(file.utf8), named: name, app: .sensorLoggerIOS, of: "Mila", startedAt: app.now * 1_000,
                now: app.now, in: app.hub.database)
        }
        #expect(try await store(logger, "Gravity.csv"))
        #expect(try await !store(logger, "Gravity.csv"))
        let page = try await send(logger, "person=mila&app=sensor-logger-ios&name=Gravity.csv", to: app)
        #expect(page.status == 200 && page["isKnown"] as? Bool == true)
        await #expect(throws: FileImportError.self) { try await store("a,b", "Gravity.csv") }
        #expect(try await app.count("lab_recording") == 1)
    }

    @Test(
        "What is no such file is refused in words, in the language of whoever chose it",
        arguments: [
            ("", "de", "stehen keine Messwerte"), ("a,b\n1,2\n", "en", "no column with times"),
            ("time,x\n1,2\n", "en", "does not know what this file measures"),
            ("time,seconds_elapsed,z,y,x\n1795266000000000000,0,1,1,1\n", "en", "make no recording"),
        ])
    func refused(file: String, language: String, words: String) async throws {
        let app = try await LabTestApp()
        let answer = try await send(
            file, "person=mila&app=sensor-logger-ios&name=Gravity.csv", to: app, language: language)
        #expect(answer.status == 422 && answer.detail.contains(words), "\(answer.text)")
        #expect(try await app.count("lab_recording") == 0)
    }

    @Test("Nobody imports for somebody whose sessions they may not deliver, or without saying from which app")
    func asks() async throws {
        let app = try await LabTestApp()
        #expect(try await send(logger, "person=mila", to: app).status == 422)
        #expect(try await send(logger, "app=phyphox", to: app).status == 422)
        #expect(try await send(logger, "person=nobody&app=phyphox", to: app).status == 404)
        try await app.use("ines", profile: "theo")
        #expect(try await send(logger, "person=tom&app=phyphox", to: app).status == 403)
    }
}
