import BrushingEngine
import Foundation
import HTTPTypes
import HubKit
import Storage
import Testing

@testable import BrushingHub

@Suite("What is decided about somebody's brushing")
struct SettingsTests {
    private let app: BrushingTestApp

    init() async throws { app = try await BrushingTestApp() }

    private func put(
        _ body: String, of person: String = "mila", as account: String? = "ines", key: String? = nil
    ) async throws -> BrushingTestApp.Answer {
        try await app.send(
            .put, "/api/brushing/people/\(person)/settings", body, as: account,
            headers: key.map { ["Idempotency-Key": $0] } ?? [:])
    }

    @Test("Until somebody decides, it is the original’s routine twice a day with all cues")
    func undecided() async throws {
        let answer = try await put("{}")
        #expect(answer.status == 200)
        #expect(answer["routine", "preset"] as? String == "original")
        #expect(answer["routine", "plannedSeconds"] as? Int == 210)
        #expect(
            answer["routine", "bytes"] as? String == Data(Routine.original.ordered(.rows).bytes).base64EncodedString())
        #expect(answer["routine", "quarters"] as? String == "rows")
        #expect(answer["cues", "sound"] as? Bool == true)
        #expect(answer["cues", "vibration"] as? Bool == true)
        #expect(answer["cues", "colour"] as? Bool == true)
        #expect(answer["perDay"] as? Int == 2)
        #expect(answer["isChildMode"] as? Bool == false)
        #expect(answer["isChildModeChosen"] as? Bool == false)
        #expect(answer["brushHead", "weeks"] as? Int == 12)
        #expect(answer["brushHead", "replacedDay"] == nil)
        #expect(answer["brushHead", "suggestedDay"] == nil, "nobody knows when it was new")
        #expect(answer["brushHead", "isDue"] as? Bool == false)
    }

    @Test(
        "A small child’s is two minutes and no floss, by the year of birth, until somebody decides",
        arguments: [2021, 2019])
    func smallChild(birthYear: Int) async throws {
        _ = try await app.send(.patch, "/api/people/mila", "{\"birthYear\":\(birthYear)}")
        let answer = try await put("{}")
        #expect(answer["routine", "preset"] as? String == "two")
        #expect(answer["routine", "plannedSeconds"] as? Int == 120)
        #expect(answer["routine", "steps", "1", "kind"] as? String == "floss")
        #expect(answer["routine", "steps", "1", "isOn"] as? Bool == false)
        #expect(try await put("{\"routine\":{\"preset\":\"original\"}}")["routine", "plannedSeconds"] as? Int == 210)
        #expect(try await put("{}")["routine", "preset"] as? String == "original")
    }

    @Test("Who is eight, or has no year of birth, has the original’s routine", arguments: ["2018", "1980", "null"])
    func olderChild(birthYear: String) async throws {
        _ = try await app.send(.patch, "/api/people/mila", "{\"birthYear\":\(birthYear)}")
        #expect(try await put("{}")["routine", "preset"] as? String == "original")
    }

    @Test("The order of the quarters is a setting, which presets and steps of one’s own leave alone")
    func quarters() async throws {
        let around = try await put("{\"quarters\":\"around\"}")
        #expect(around["routine", "quarters"] as? String == "around")
        #expect(around["routine", "preset"] as? String == "original")
        #expect(around["routine", "bytes"] as? String == Data(Routine.original.bytes).base64EncodedString())
        #expect(try await put("{\"routine\":{\"preset\":\"two\"}}")["routine", "quarters"] as? String == "around")
        let own = try await put(
            "{\"routine\":{\"steps\":[{\"kind\":\"brush\",\"repetitions\":8,\"seconds\":20}]},\"quarters\":\"rows\"}")
        #expect(own["routine", "quarters"] as? String == "rows")
        #expect(own["routine", "preset"] as? String == "own")
        #expect(try await put("{\"quarters\":\"backwards\"}").status == 400)
    }

    @Test("What was stored before the order was a setting goes on with the clock")
    func storedQuarters() async throws {
        _ = try await put("{}")
        try await app.hub.database.pool.write { db in
            try db.execute(
                sql: "UPDATE brushing_settings SET routine = ? WHERE person = 'mila'",
                arguments: [Data(Routine.original.bytes)])
        }
        #expect(try await put("{\"perDay\":1}")["routine", "quarters"] as? String == "around")
    }

    @Test(
        "Routines that come with Tandem",
        arguments: [("original", 210), ("one", 60), ("two", 120), ("three", 180)])
    func presets(name: String, seconds: Int) async throws {
        let answer = try await put("{\"routine\":{\"preset\":\"\(name)\"}}")
        #expect(answer["routine", "preset"] as? String == name)
        #expect(answer["routine", "plannedSeconds"] as? Int == seconds)
        #expect(try await put("{}")["routine", "preset"] as? String == name)
    }

    @Test("Steps of one’s own are stored as they are, those that are off too")
    func ownSteps() async throws {
        let answer = try await put(
            """
            {"routine":{"steps":[{"kind":"floss","repetitions":1,"seconds":45},
            {"kind":"brush","repetitions":6,"seconds":25,"isOn":true},
            {"kind":"rinse","repetitions":1,"seconds":600,"isOn":false}]}}
            """)
        #expect(answer["routine", "preset"] as? String == "own")
        #expect(answer["routine", "plannedSeconds"] as? Int == 195)
        #expect(answer["routine", "steps", "1", "repetitions"] as? Int == 6)
        #expect(answer["routine", "steps", "2", "kind"] as? String == "rinse")
        #expect(answer["routine", "steps", "2", "isOn"] as? Bool == false)
    }

    private static func steps(_ steps: String...) -> String {
        "{\"routine\":{\"steps\":[\(steps.joined(separator: ","))]}}"
    }

    private static func step(
        _ kind: String = "brush", _ repetitions: String = "4", _ seconds: String = "30", on: Bool = true
    )
        -> String
    {
        "{\"kind\":\"\(kind)\",\"repetitions\":\(repetitions),\"seconds\":\(seconds),\"isOn\":\(on)}"
    }

    @Test(
        "What is no routine is refused in words, and changes nothing",
        arguments: [
            (steps(), "steps", "at least one step"),
            (steps(step(), step(), step(), step(), step(), step(), step(), step(), step()), "steps", "at most eight"),
            (steps(step("brush", "0")), "steps", "between once and eight times"),
            (steps(step("brush", "9")), "steps", "between once and eight times"),
            (steps(step("brush", "-1")), "steps", "between once and eight times"),
            (steps(step("brush", "4", "0")), "steps", "takes some time"),
            (steps(step("brush", "4", "-30")), "steps", "takes some time"),
            (steps(step("brush", "4", "4")), "steps", "between 5 seconds and ten minutes"),
            (steps(step("brush", "4", "601")), "steps", "between 5 seconds and ten minutes"),
            (steps(step("brush", "4", "9000000000")), "steps", "between 5 seconds and ten minutes"),
            (steps(step(on: false), step("floss", "1", "60", on: false)), "steps", "has to be on"),
            (steps(step("gargle")), "kind", "brush, floss and rinse"),
            ("{\"routine\":{\"preset\":\"five\"}}", "preset", "original, one, two and three"),
            ("{\"routine\":{}}", "routine", "either a preset"),
            ("{\"routine\":{\"preset\":\"one\",\"steps\":[]}}", "routine", "either a preset"),
            ("{\"perDay\":0}", "perDay", "three times"), ("{\"perDay\":4}", "perDay", "three times"),
        ])
    func refused(body: String, field: String, words: String) async throws {
        let answer = try await put(body)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(answer.detail.contains(words), "\(answer.detail)")
        #expect(try await app.count("brushing_settings") == 0)
    }

    @Test(
        "What is of another type is named",
        arguments: [
            ("{\"perDay\":\"2\"}", "perDay"), ("{\"cues\":{\"sound\":1}}", "sound"),
            (steps("{\"kind\":\"brush\",\"repetitions\":4}"), "seconds"),
            (steps(step("brush", "4", "1e40")), "seconds"), (steps(step("brush", "4", "29.5")), "seconds"),
        ])
    func anotherType(body: String, field: String) async throws {
        let answer = try await put(body)
        #expect(answer.status == 400)
        if answer["field"] != nil { #expect(answer["field"] as? String == field) }
        #expect(!answer.detail.isEmpty)
    }

    @Test("Cues are switched one by one, and what is left out stays")
    func cues() async throws {
        _ = try await put("{\"cues\":{\"sound\":false},\"routine\":{\"preset\":\"three\"}}")
        let answer = try await put("{\"cues\":{\"colour\":false}}")
        #expect(answer["cues", "sound"] as? Bool == false)
        #expect(answer["cues", "vibration"] as? Bool == true)
        #expect(answer["cues", "colour"] as? Bool == false)
        #expect(answer["routine", "preset"] as? String == "three")
        // Somebody else's are theirs.
        #expect(try await put("{}", of: "theo")["cues", "sound"] as? Bool == true)
    }

    @Test(
        "A child under eight gets the children’s mode unless somebody decides otherwise",
        arguments: [(2019, true), (2018, false), (2026, true), (nil, false)] as [(Int?, Bool)])
    func childMode(birthYear: Int?, isOn: Bool) async throws {
        let year = birthYear.map(String.init) ?? "null"
        _ = try await app.send(.patch, "/api/people/mila", "{\"birthYear\":\(year)}")
        #expect(try await put("{}")["isChildMode"] as? Bool == isOn)
        let chosen = try await put("{\"isChildMode\":\(!isOn)}")
        #expect(chosen["isChildMode"] as? Bool == !isOn)
        #expect(chosen["isChildModeChosen"] as? Bool == true)
        #expect(try await put("{\"perDay\":1}")["isChildMode"] as? Bool == !isOn, "left out, it stays")
        #expect(try await put("{\"isChildMode\":null}")["isChildMode"] as? Bool == isOn)
    }

    @Test("The year turns by the person’s own clock")
    func newYear() async throws {
        // 2026-12-31, 23:30 UTC: next year in Vienna already.
        app.advance(milliseconds: 1_798_759_800_000 - app.now)
        _ = try await app.send(.patch, "/api/people/mila", "{\"birthYear\":2019}")
        #expect(try await put("{}")["isChildMode"] as? Bool == false)
        _ = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":\"America/New_York\"}")
        #expect(try await put("{}")["isChildMode"] as? Bool == true)
    }

    // MARK: Who

    @Test("A child at its own profile decides for itself, but not how often a day")
    func child() async throws {
        try await app.use("ines", profile: "mila")
        #expect(try await put("{\"routine\":{\"preset\":\"one\"}}").status == 200)
        #expect(try await put("{\"perDay\":2}").status == 200, "that is no change")
        let perDay = try await put("{\"perDay\":1}")
        #expect(perDay.status == 403)
        #expect(perDay["field"] as? String == "perDay")
        #expect(try await put("{}")["perDay"] as? Int == 2)
        for other in ["theo", "ines"] {
            let answer = try await put("{\"routine\":{\"preset\":\"one\"}}", of: other)
            #expect(answer.status == 403)
            #expect(answer.detail.contains("adult"))
        }
    }

    @Test("Every route about somebody is closed to a sibling, a stranger and the neighbours")
    func policy() async throws {
        try await app.hub.database.pool.write { db in
            try HouseholdRecord(id: "next", name: "Next door", timeZone: "UTC", createdAt: 0).insert(db)
            try PersonRecord(id: "jo", household: "next", name: "Jo", role: .adult, createdAt: 0).insert(db)
        }
        let routes: [(HTTPRequest.Method, String, String)] = [
            (.put, "settings", "{}"), (.put, "days/2026-11-21", "{\"reason\":\"ill\"}"),
            (.delete, "days/2026-11-21", ""),
            (.post, "days", "{\"from\":\"2026-11-21\",\"to\":\"2026-11-22\",\"reason\":\"ill\"}"),
            (.put, "brush-head", "{\"weeks\":8}"), (.post, "brush-head/replaced", "{}"),
            (.post, "appointments", "{\"title\":\"Dentist\",\"day\":\"2026-12-01\",\"minute\":900}"),
            (.put, "appointments/x", "{\"title\":\"Dentist\",\"day\":\"2026-12-01\",\"minute\":900}"),
            (.delete, "appointments/x", ""),
        ]
        for (method, path, body) in routes {
            func status(of person: String, as account: String?) async throws -> Int {
                try await app.send(method, "/api/brushing/people/\(person)/\(path)", body, as: account).status
            }
            #expect(try await status(of: "mila", as: nil) == 401)
            #expect(try await status(of: "jo", as: "ines") == 404)
            #expect(try await status(of: "nobody", as: "ines") == 404)
            try await app.use("ines", profile: "theo")
            #expect(try await status(of: "mila", as: "ines") == 403)
            try await app.use("ines", profile: "ines")
            #expect(try await status(of: "tom", as: "ines") < 405, "an adult decides for another")
        }
        #expect(try await app.send(.get, "/api/brushing", as: nil).status == 401)
    }

    // MARK: Again

    @Test("The same request under one key is done once and answered again")
    func once() async throws {
        let first = try await put("{\"cues\":{\"sound\":false}}", key: "k1")
        _ = try await put("{\"cues\":{\"sound\":true}}")
        let again = try await put("{\"cues\":{\"sound\":false}}", key: "k1")
        #expect(again.text == first.text)
        #expect(try await put("{}")["cues", "sound"] as? Bool == true, "what was said later stands")
    }

    @Test("Who moves out takes along what was decided about them, and what was answered")
    func gone() async throws {
        _ = try await put("{\"cues\":{\"sound\":false}}", key: "k1")
        _ = try await app.send(.put, "/api/brushing/people/mila/days/2026-11-21", "{\"reason\":\"ill\"}")
        _ = try await app.send(
            .post, "/api/brushing/people/mila/appointments",
            "{\"title\":\"Dentist\",\"day\":\"2026-12-01\",\"minute\":900}")
        #expect(try await app.send(.delete, "/api/people/mila").status == 204)
        for table in ["brushing_settings", "brushing_frozen_day", "brushing_appointment", "reminder"] {
            #expect(try await app.count(table) == 0, "\(table)")
        }
    }
}
