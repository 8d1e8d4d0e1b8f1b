import HubInstruments
import HubKit
import HubServer
import Testing

@Suite("A list is asked for in as many queries as a short one")
struct ListQueryTests {
    private let app: CompanionTestApp<Raw>

    init() async throws { app = try await CompanionTestApp<Raw>() }

    /// Asks with one entry, and with each that is added.
    private func counts(_ path: String, adding add: (UInt8) async throws -> Void) async throws -> [Int] {
        var counts: [Int] = []
        for number: UInt8 in 1...4 {
            try await add(number)
            // What is asked for once, such as the columns of a table, is asked for by then.
            if number == 1 { _ = try await app.send(.get, path) }
            counts.append(
                try await app.queryCount {
                    let answer = try await app.send(.get, path)
                    #expect(answer.status == 200, "\(answer.text)")
                })
        }
        return counts
    }

    @Test("Devices")
    func devices() async throws {
        let counts = try await counts("/api/devices") { number in
            _ = try await app.services.devices.add(
                kind: "plant-sensor", name: "Sensor \(number)", household: app.household.id)
        }
        #expect(Set(counts).count == 1, "\(counts)")
    }

    @Test("Sessions that go on")
    func active() async throws {
        let counts = try await counts("/api/raw/active") { number in
            let answer = try await RawRecorder(app, id: number, bytes: [1]).patch(0..<25)
            #expect(answer.status == 201, "\(answer.text)")
        }
        #expect(Set(counts).count == 1, "\(counts)")
    }

    @Test("Calendars")
    func calendars() async throws {
        let counts = try await counts("/api/calendar-feeds") { number in
            app.advance(milliseconds: 1_000)
            let body = number.isMultiple(of: 2) ? "{}" : #"{"people": ["theo", "mila"]}"#
            let answer = try await app.send(.post, "/api/calendar-feeds", body)
            #expect(answer.status == 201, "\(answer.text)")
        }
        #expect(Set(counts).count == 1, "\(counts)")
        let answer = try await app.send(.get, "/api/calendar-feeds")
        #expect(answer["feeds", "3", "people"] as? [String] == ["mila", "theo"])
        #expect(answer["feeds", "2", "people"] as? [String] == ["ines", "tom", "mila", "theo"])
    }
}
