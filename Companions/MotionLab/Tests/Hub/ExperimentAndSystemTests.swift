import Foundation
import HubInstruments
import HubKit
import Testing

@testable import MotionLabHub

@Suite("Experiments in the hub")
struct ExperimentTests {
    private let mine = """
        {"tandemExperiment": 1, "slug": "swing", "title": "Our swing", "seconds": 20,
         "sensors": [{"sensor": "gyroscope"}], "plots": [{"title": "Rate", "y": ["gyroscope.x"]}]}
        """

    @Test("The five that are built in are there, in the language of the page, and their files can be copied")
    func builtIn() async throws {
        let app = try await LabTestApp()
        let list = try await app.send(.get, "/api/lab/experiments", headers: ["Accept-Language": "de"])
        let titles = (list["experiments"] as? [[String: Any]])?.compactMap { $0["title"] as? String }
        #expect(titles == ["Pendel", "Freier Fall", "Aufzugfahrt", "Kreisbewegung", "Schall im Raum"])
        #expect(try await app.send(.get, "/api/lab/experiments/lift")["slug"] as? String == "lift")
        #expect(try await app.send(.get, "/api/lab/experiments/rocket").status == 404)
    }

    @Test("An adult stores one, everybody reads it, and an adult takes it away")
    func own() async throws {
        let app = try await LabTestApp()
        #expect(try await app.send(.put, "/api/lab/experiments/swing", mine)["title"] as? String == "Our swing")
        #expect(try await app.send(.get, "/api/lab/experiments")["experiments", "5", "isBuiltIn"] as? Bool == false)
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.get, "/api/lab/experiments/swing").text == mine)
        #expect(try await app.send(.put, "/api/lab/experiments/swing", mine).status == 403)
        try await app.use("ines", profile: "ines")
        #expect(try await app.send(.delete, "/api/lab/experiments/swing").status == 204)
        #expect(try await app.send(.get, "/api/lab/experiments/swing").status == 404)
    }

    @Test(
        "What is wrong with a file is said, with its place",
        arguments: [
            ("{\"tandemExperiment\": 2}", "version 2"), ("[]", "begins with"),
            ("{\"tandemExperiment\": 1,", "not JSON"),
            (
                "{\"tandemExperiment\": 1, \"slug\": \"swing\", \"title\": \"a\", \"sensors\": [{\"sensor\": \"kettle\"}]}",
                "“kettle”"
            ),
            (
                "{\"tandemExperiment\": 1, \"slug\": \"swing\", \"title\": \"a\", \"sensors\": [{\"sensor\": \"light\"}], \"formulas\": [{\"name\": \"a\", \"formula\": \"1 +\"}]}",
                "“a” ends too early, at character 4"
            ),
            (
                "{\"tandemExperiment\": 1, \"slug\": \"other\", \"title\": \"a\", \"sensors\": [{\"sensor\": \"light\"}]}",
                "another slug"
            ),
        ])
    func refused(file: String, words: String) async throws {
        let app = try await LabTestApp()
        let answer = try await app.send(.put, "/api/lab/experiments/swing", file)
        #expect(answer.status == 422 && answer.detail.contains(words), "\(answer.text)")
    }

    @Test("A built-in one is not replaced")
    func builtInStays() async throws {
        let app = try await LabTestApp()
        let file = mine.replacing("\"swing\"", with: "\"lift\"")
        #expect(try await app.send(.put, "/api/lab/experiments/lift", file).status == 422)
    }
}

@Suite("What measuring costs the hub")
struct SystemTests {
    @Test("The fields of /proc are read whatever the program is called")
    func proc() throws {
        let stat = "42 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 9 0 1 2 3"
        let usage = try #require(
            ProcessUsage(stat: stat, memory: "900 25 7 1 0 6 0", ticksPerSecond: 100, pageBytes: 4_096))
        #expect(usage == ProcessUsage(cpuMicroseconds: 3_000_000, residentBytes: 102_400))
        for (stat, memory) in [("", "1 2"), ("42 (a) S 1", "1 2"), (stat, ""), ("42 a S", "1 2")] {
            #expect(ProcessUsage(stat: stat, memory: memory, ticksPerSecond: 100, pageBytes: 1) == nil)
        }
    }

    @Test("The hub says its memory, and what the lab's own work took")
    func system() async throws {
        let app = try await LabTestApp()
        let before = try await app.send(.get, "/api/lab/system")
        #expect(before["residentBytes"] as? Int64 ?? 0 > 1_000_000)
        #expect(before["processors"] as? Int ?? 0 > 0 && before["cpuShare"] == nil)
        let phone = try await LabTestPhone(app)
        #expect(
            try await phone.push(LoggerMessages.message(0, LoggerMessages.atRest(from: 0, count: 500))).status == 200)
        let after = try await app.send(.get, "/api/lab/system")
        #expect(after["labMicroseconds"] as? Int64 ?? 0 > before["labMicroseconds"] as? Int64 ?? .max)
    }
}
