import Foundation
import HubKit
import PlantsEngine
import Storage
import Testing

@testable import PlantsHub

@Suite("Care besides watering")
struct PlantCareTests {
    private let app: PlantsTestApp
    private let day: Int64 = 86_400_000

    init() async throws { app = try await PlantsTestApp() }

    @Test("What was done and noted is in the log, the latest first, and can be taken back and put back")
    func log() async throws {
        let plant = try await app.plant()
        let path = "/api/plants/\(plant.id)/care"
        let early = app.now - 2 * day
        #expect(try await app.send(.post, path, #"{"what":"repotted","at":\#(early)}"#).status == 201)
        let note = try await app.send(.post, path, #"{"what":"note","note":"  Two new leaves 🌿\nand a flower "}"#)
        #expect(note["note"] as? String == "Two new leaves 🌿\nand a flower")
        let calendar = try await app.plants.calendar()
        func log() async throws -> [CareRecord.What] {
            try await app.hub.database.pool.read { db in try db.care(ofPlant: plant.id, most: 200).map(\.what) }
        }
        #expect(try await log() == [.note, .repotted])
        #expect(calendar.now == app.now)
        let id = try #require(note["id"] as? String)
        #expect(try await app.send(.delete, "\(path)/\(id)").status == 200)
        #expect(try await log() == [.repotted])
        #expect(try await app.send(.post, "\(path)/\(id)/restore").status == 200)
        #expect(try await log() == [.note, .repotted])
        // Two taps are one.
        _ = try await app.send(.post, path, #"{"what":"fertilised"}"#)
        _ = try await app.send(.post, path, #"{"what":"fertilised"}"#)
        #expect(try await log().count == 3)
    }

    @Test(
        "A note of nothing, one too long, of control characters, of something else or of another time is refused",
        arguments: [
            (#"{"what":"note"}"#, "Write a few words first."),
            (#"{"what":"note","note":"  "}"#, "Write a few words first."),
            (#"{"what":"note","note":"\#(String(repeating: "a", count: 501))"}"#, "A note has at most 500 characters."),
            (#"{"what":"note","note":"a\u0007"}"#, "A note is plain text."),
            (#"{"what":"sung"}"#, "What can be noted is: fertilised, repotted, or a note."),
            (
                #"{"what":"repotted","at":9000000000000}"#,
                "This lies in the future. Look at the clock of the device that noted it."
            ),
            (
                #"{"what":"repotted","at":5}"#,
                "This lies too far back. Look at the clock of the device that noted it."
            ),
        ])
    func refused(body: String, detail: String) async throws {
        let plant = try await app.plant()
        let answer = try await app.send(.post, "/api/plants/\(plant.id)/care", body)
        #expect(answer.status == 422)
        #expect(answer.detail == detail)
        #expect(try await app.count("plant_care") == 0)
    }

    @Test("An entry of another plant is not there")
    func other() async throws {
        let (basil, fern) = (try await app.plant("Basil"), try await app.plant("Fern"))
        let entry = try await app.send(.post, "/api/plants/\(basil.id)/care", #"{"what":"repotted"}"#)
        let id = try #require(entry["id"] as? String)
        #expect(try await app.send(.delete, "/api/plants/\(fern.id)/care/\(id)").status == 404)
    }

    @Test("Fertiliser is due after its weeks, but not in winter, and never where nobody wants it")
    func due() throws {
        func next(_ last: String, weeks: Int?, in zone: String = "Europe/Vienna") throws -> String? {
            let zone = try #require(TimeZone(identifier: zone))
            let date = try #require(CivilDate(last))
            let at = LocalCalendar(timeZone: zone).instant(day: date.day, minute: 600)
            let calendar = HouseholdCalendar(timeZone: zone, now: at)
            var plant = PlantRecord(
                id: "p", household: "h", name: "Fern", place: "", art: .fern, low: 30, high: 70, createdAt: 0)
            plant.fertiliseWeeks = weeks
            return CareDue.all(of: plant, last: [.fertilised: at], calendar).first.map { calendar.iso($0.day) }
        }
        #expect(try next("2026-05-01", weeks: 4) == "2026-05-29")
        #expect(try next("2026-10-20", weeks: 4) == "2027-03-01")
        #expect(try next("2026-12-20", weeks: 4) == "2027-03-01")
        #expect(try next("2026-02-20", weeks: 1) == "2026-03-01" || next("2026-02-20", weeks: 1) == "2026-02-27")
        #expect(try next("2026-05-01", weeks: nil) == nil)
        // South of the tropics winter is from May to August.
        #expect(try next("2026-10-20", weeks: 4, in: "Australia/Sydney") == "2026-11-17")
        #expect(try next("2026-12-20", weeks: 4, in: "America/Santiago") == "2027-01-17")
        #expect(try next("2026-04-20", weeks: 4, in: "Pacific/Auckland") == "2026-09-01")
        #expect(try next("2026-08-31", weeks: 4, in: "Africa/Johannesburg") == "2026-09-28")
    }

    @Test("A kind brings its intervals; they can be changed, and 0 switches them off")
    func intervals() async throws {
        let fern = try await app.send(.post, "/api/plants", #"{"name":"Ferdinand","kind":"Nephrolepis exaltata"}"#)
        #expect(fern["fertiliseWeeks"] as? Int == 4 && fern["repotYears"] as? Int == 2)
        let path = try "/api/plants/\(#require(fern["id"] as? String))"
        let changed = try await app.send(.patch, path, #"{"fertiliseWeeks":0,"repotYears":3}"#)
        #expect(changed["fertiliseWeeks"] == nil && changed["repotYears"] as? Int == 3)
        #expect(
            try await app.send(.patch, path, #"{"fertiliseWeeks":53}"#).detail
                == "Fertilise every 1 to 52 weeks, or 0 for never.")
        #expect(try await app.send(.patch, path, #"{"fertiliseWeeks":-1}"#).status == 422)
        #expect(
            try await app.send(.patch, path, #"{"repotYears":11}"#).detail
                == "Repot every 1 to 10 years, or 0 for never.")
    }
}
