import Foundation
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("What is decided about somebody's practice")
struct SettingsTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private func put(
        _ body: String, _ what: String = "settings", of person: String = "mila", as account: String? = "ines"
    )
        async throws -> DrumsTestApp.Answer
    {
        try await app.send(.put, "/api/drums/people/\(person)/\(what)", body, as: account)
    }

    @Test("Until somebody decides it is the original’s: all four drums, level 1, and the music waits")
    func undecided() async throws {
        let answer = try await put("{}")
        #expect(answer.status == 200)
        #expect(answer["settings", "drums"] as? [Bool] == [true, true, true, true])
        #expect(answer["settings", "level"] as? Int == 1)
        #expect(answer["settings", "mode"] as? String == "wait")
        #expect(answer["settings", "hands"] as? String == "both")
        #expect(answer["settings", "affectedSide"] == nil)
        #expect(answer["settings", "countIn"] as? Int == 4)
        #expect(answer["settings", "sounds", "song"] as? Bool == true)
        #expect(answer["settings", "sounds", "metronome"] as? Bool == false)
        #expect(answer["settings", "link"] as? String == "screen")
        #expect((answer["settings", "latency"] as? [Any])?.isEmpty == true)
        #expect(answer["windows", "screen", "both", "half"] as? Int == 200)
        #expect(answer["windows", "kit", "left", "n"] as? Int == 0)
        #expect(answer["play", "stop", "milliseconds"] as? Int == 0)
        #expect(answer["plan"] == nil)
    }

    @Test("What is decided is stored, and what is left out stays")
    func kept() async throws {
        _ = try await put(
            """
            {"drums":[true,false,false,true],"level":3,"mode":"flow","hands":"right","affectedSide":"right","countIn":8,
            "sounds":{"metronome":true},"link":"bluetoothMIDI"}
            """)
        let answer = try await put("{\"sounds\":{\"song\":false}}")
        #expect(answer["settings", "drums"] as? [Bool] == [true, false, false, true])
        #expect(answer["play", "drums"] as? [Bool] == [true, false, false, true])
        #expect(answer["play", "level"] as? Int == 3)
        #expect(answer["settings", "mode"] as? String == "flow")
        #expect(answer["settings", "hands"] as? String == "right")
        #expect(answer["settings", "affectedSide"] as? String == "right")
        #expect(answer["settings", "countIn"] as? Int == 8)
        #expect(answer["settings", "sounds", "metronome"] as? Bool == true)
        #expect(answer["settings", "sounds", "song"] as? Bool == false)
        #expect(answer["settings", "link"] as? String == "bluetoothMIDI")
        // Nobody's side any more; another person's settings are theirs.
        #expect(try await put("{\"affectedSide\":null}")["settings", "affectedSide"] == nil)
        #expect(try await put("{}", of: "theo")["settings", "level"] as? Int == 1)
    }

    @Test(
        "What cannot be set is refused in words, and changes nothing",
        arguments: [
            ("{\"drums\":[false,false,false,false]}", "drums", "At least one drum"),
            ("{\"drums\":[true,true,true]}", "drums", "four drums"), ("{\"drums\":[]}", "drums", "four drums"),
            ("{\"level\":0}", "level", "1, 2, 3 and 4"), ("{\"level\":5}", "level", "1, 2, 3 and 4"),
            ("{\"mode\":\"fail\"}", "mode", "wait or flow"), ("{\"hands\":\"none\"}", "hands", "both, left or right"),
            ("{\"affectedSide\":\"both\"}", "affectedSide", "left or right"),
            ("{\"countIn\":9}", "countIn", "eight"), ("{\"countIn\":-1}", "countIn", "eight"),
            ("{\"link\":\"imported\"}", "link", "screen, keyboard"), ("{\"link\":\"\"}", "link", "screen, keyboard"),
            ("{\"device\":\"nowhere\"}", "device", "no such kit"),
        ])
    func refused(body: String, field: String, words: String) async throws {
        let answer = try await put(body)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(answer.detail.contains(words), "\(answer.detail)")
        #expect(try await app.count("drums_settings") == 0)
    }

    @Test(
        "What is of another type is named",
        arguments: ["{\"drums\":\"all\"}", "{\"level\":1.5}", "{\"sounds\":[]}", "{\"countIn\":\"4\"}", "[]", "{"])
    func anotherType(body: String) async throws {
        let answer = try await put(body)
        #expect(answer.status == 400)
        #expect(!answer.detail.isEmpty)
    }

    @Test("A child decides for itself at its own profile, and for nobody else; strangers are not there")
    func who() async throws {
        try await app.use("ines", profile: "mila")
        #expect(try await put("{\"level\":2}").status == 200)
        #expect(try await put("{\"level\":2}", of: "theo").status == 403)
        #expect(try await put("{\"level\":2}", of: "nobody").status == 404)
        #expect(try await put("{\"level\":2}", as: nil).status == 401)
    }

    // MARK: Latency

    private static let found = "{\"tenths\":853,\"lowerTenths\":701,\"upperTenths\":990,\"taps\":20}"

    @Test("What tapping found is kept by link, told in words, and forgotten")
    func latency() async throws {
        let answer = try await put(Self.found, "latency/screen")
        #expect(answer["settings", "latency", "0", "link"] as? String == "screen")
        #expect(answer["settings", "latency", "0", "tenths"] as? Int == 853)
        #expect(
            answer["settings", "latency", "0", "words"] as? String
                == "85 ms, median of 20 taps, half between 70 and 99")
        _ = try await put(Self.found, "latency/midi")
        let less = try await app.send(.delete, "/api/drums/people/mila/latency/screen")
        #expect((less["settings", "latency"] as? [Any])?.count == 1)
        #expect(try await app.send(.delete, "/api/drums/people/mila/latency/screen").status == 200)
    }

    @Test("What was tapped on one device is not another's: each has its own, and goes with it")
    func latencyByDevice() async throws {
        _ = try await put(Self.found, "latency/screen")
        app.advance(milliseconds: 1_000)
        let other = "{\"tenths\":402,\"lowerTenths\":350,\"upperTenths\":470,\"taps\":12}"
        let seen = try await put(other, "latency/screen", as: "tom")
        #expect((seen["settings", "latency"] as? [Any])?.count == 2)
        #expect(seen["settings", "latency", "0", "tenths"] as? Int == 402)
        #expect(seen["settings", "latency", "0", "isHere"] as? Bool == true)
        #expect(seen["settings", "latency", "1", "isHere"] as? Bool == false)
        #expect(seen["settings", "latency", "1", "agent"] as? String == "test")
        let less = try await app.send(.delete, "/api/drums/people/mila/latency/screen")
        #expect((less["settings", "latency"] as? [Any])?.count == 1)
        #expect(less["settings", "latency", "0", "tenths"] as? Int == 402)
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "DELETE FROM sign_in WHERE person = 'tom'")
        }
        #expect(try await app.count("drums_latency") == 0)
    }

    @Test(
        "What no tapping can have found is refused",
        arguments: [
            ("{\"tenths\":853,\"lowerTenths\":701,\"upperTenths\":990,\"taps\":7}", "screen", "taps"),
            ("{\"tenths\":853,\"lowerTenths\":701,\"upperTenths\":990,\"taps\":65}", "screen", "taps"),
            ("{\"tenths\":600,\"lowerTenths\":701,\"upperTenths\":990,\"taps\":20}", "screen", "tenths"),
            ("{\"tenths\":5001,\"lowerTenths\":5000,\"upperTenths\":5002,\"taps\":20}", "screen", "tenths"),
            (
                "{\"tenths\":900000000000,\"lowerTenths\":0,\"upperTenths\":900000000000,\"taps\":20}", "screen",
                "tenths"
            ),
            ("{\"tenths\":853,\"lowerTenths\":100,\"upperTenths\":1301,\"taps\":20}", "screen", "upperTenths"),
            (found, "imported", "link"), (found, "carrier-pigeon", "link"),
        ])
    func noLatency(body: String, link: String, field: String) async throws {
        let answer = try await put(body, "latency/\(link)")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(try await app.count("drums_latency") == 0)
    }
}

@Suite("The plan")
struct PlanTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private func put(_ body: String, as account: String? = "ines") async throws -> DrumsTestApp.Answer {
        try await app.send(.put, "/api/drums/people/mila/plan", body, as: account)
    }

    private static let whole = """
        {"setBy":" Ms Okafor ","from":"2026-10-26","minutesPerWeek":90,"level":2,"drums":[true,false,false,false],
        "songs":["ode-to-joy","ode-to-joy"],"onlySongs":true,"minutesPerSession":15,"minutesPerDay":20,"belowPercent":50,
        "beats":12,"note":"Right hand first."}
        """

    @Test("A whole plan is told, and what is set up for a song follows it")
    func whole() async throws {
        let answer = try await put(Self.whole)
        #expect(answer.status == 200)
        #expect(answer["plan", "setBy"] as? String == "Ms Okafor")
        #expect(answer["plan", "from"] as? String == "2026-10-26")
        #expect(answer["plan", "songs"] as? [String] == ["ode-to-joy"])
        #expect(
            answer["plan", "words"] as? String
                == "90 minutes a week since 26 October, set by Ms Okafor. At most 15 minutes at a time, at most 20 minutes a day, a rest when fewer than 50% of the last twelve are right."
        )
        #expect(answer["play", "level"] as? Int == 2)
        #expect(answer["play", "drums"] as? [Bool] == [true, false, false, false])
        #expect(answer["play", "songs"] as? [String] == ["ode-to-joy"])
        #expect(answer["play", "stop", "milliseconds"] as? Int == 900_000)
        #expect(answer["play", "stop", "belowPercent"] as? Int == 50)
        #expect(answer["play", "stop", "beats"] as? Int == 12)
        #expect(answer["play", "isOver"] as? Bool == false)
        #expect(answer["play", "words"] as? String == "The plan of Ms Okafor sets the level and the drums.")
        #expect(answer["week", "plannedMinutes"] as? Int == 90)
        #expect(answer["week", "headline"] as? String == "Mila has not practised this week yet")
        #expect(answer["week", "planWords"] as? String == "Planned by Ms Okafor")
        #expect(answer["week", "leftWords"] as? String == "90 min left, until Sunday")
    }

    @Test("Another plan holds from its day on; what was planned before stays, and an end is an end")
    func changes() async throws {
        _ = try await put("{\"setBy\":\"Ms Okafor\",\"from\":\"2026-11-02\",\"minutesPerWeek\":70}")
        // Thursday of this week: three days of 70 and four of 105.
        let answer = try await put("{\"setBy\":\"Dr Lind\",\"from\":\"2026-11-19\",\"minutesPerWeek\":105}")
        #expect(answer["week", "plannedMinutes"] as? Int == 90)
        #expect(answer["plan", "setBy"] as? String == "Dr Lind")
        let ended = try await app.send(.delete, "/api/drums/people/mila/plan")
        #expect(ended["plan"] == nil)
        #expect(ended["week", "plannedMinutes"] as? Int == 60, "it ends today, Saturday")
        #expect(try await app.send(.delete, "/api/drums/people/mila/plan").status == 200)
        let plans = try await app.hub.database.pool.read { db in try PracticePlans(of: "mila", db) }
        #expect(plans.plan(on: try #require(CivilDate("2026-11-18")?.day))?.setBy == "Ms Okafor")
        #expect(plans.plan(on: try #require(CivilDate("2026-11-20")?.day))?.setBy == "Dr Lind")
        #expect(plans.plan(on: try #require(CivilDate("2026-11-01")?.day)) == nil)
    }

    @Test("A plan that is still to come is shown, and asks for nothing yet")
    func future() async throws {
        let answer = try await put(
            "{\"setBy\":\"Ms Okafor\",\"from\":\"2026-12-07\",\"minutesPerWeek\":90,\"level\":3}")
        #expect(answer["plan", "words"] as? String == "90 minutes a week from 7 December, set by Ms Okafor.")
        #expect(answer["play", "level"] as? Int == 1)
        #expect(answer["week", "plannedMinutes"] == nil)
    }

    private static func plan(_ more: String) -> String { "{\"setBy\":\"Ms Okafor\",\"minutesPerWeek\":90,\(more)}" }

    @Test(
        "What cannot be planned is refused in words, and changes nothing",
        arguments: [
            ("{\"setBy\":\"  \",\"minutesPerWeek\":90}", "setBy"),
            ("{\"setBy\":\"\(String(repeating: "x", count: 81))\",\"minutesPerWeek\":90}", "setBy"),
            ("{\"setBy\":\"A\\nB\",\"minutesPerWeek\":90}", "setBy"),
            ("{\"setBy\":\"M\",\"minutesPerWeek\":4}", "minutesPerWeek"),
            ("{\"setBy\":\"M\",\"minutesPerWeek\":601}", "minutesPerWeek"),
            ("{\"setBy\":\"M\",\"minutesPerWeek\":-1}", "minutesPerWeek"),
            (plan("\"level\":9"), "level"), (plan("\"drums\":[false,false,false,false]"), "drums"),
            (plan("\"songs\":[\"no-such-song\"]"), "songs"), (plan("\"songs\":[],\"onlySongs\":true"), "songs"),
            (plan("\"minutesPerSession\":31"), "minutesPerSession"), (plan("\"minutesPerDay\":0"), "minutesPerDay"),
            (plan("\"belowPercent\":91"), "belowPercent"), (plan("\"beats\":4"), "beats"),
            (plan("\"from\":\"2026-02-30\""), "from"), (plan("\"from\":\"tomorrow\""), "from"),
            (plan("\"from\":\"2031-01-01\""), "from"), (plan("\"from\":\"2020-01-01\""), "from"),
            (plan("\"note\":\"\(String(repeating: "x", count: 401))\""), "note"),
        ])
    func refused(body: String, field: String) async throws {
        let answer = try await put(body)
        #expect(answer.status == 422, "\(body)")
        #expect(answer["field"] as? String == field)
        #expect(try await app.count("drums_plan") == 0)
    }

    @Test("A plan is an adult’s to set and to end, not a child’s at the adult’s phone")
    func adultsOnly() async throws {
        try await app.use("ines", profile: "mila")
        #expect(try await put(Self.whole).status == 403)
        #expect(try await app.send(.delete, "/api/drums/people/mila/plan").status == 403)
        #expect(try await put(Self.whole, as: nil).status == 401)
    }

    @Test("What was practised today counts against the day’s minutes; when they are done, so is the day")
    func today() async throws {
        _ = try await put(Self.plan("\"minutesPerDay\":1,\"minutesPerSession\":5"))
        let at = app.now - 3_600_000
        let session = try DrumsTestApp.played("mila", at: at)
        let practised = session.result.milliseconds
        #expect(try await app.deliver(session.encoded()).status == 201)
        let answer = try await app.send(.put, "/api/drums/people/mila/settings", "{}")
        #expect(answer["today", "leftMilliseconds"] as? Int == Int(60_000 - practised))
        #expect(answer["play", "stop", "milliseconds"] as? Int == Int(60_000 - practised), "less than a session’s")
        for id in 2..<12 {
            let more = try DrumsTestApp.played(
                "mila", at: at + Int64(id) * 60_000, setup: DrumsTestApp.setup("mila", id: UInt8(id)))
            _ = try await app.deliver(more.encoded())
        }
        let done = try await app.send(.put, "/api/drums/people/mila/settings", "{}")
        #expect(done["play", "isOver"] as? Bool == true)
        // Nought would be no rule at all.
        #expect(done["play", "stop", "milliseconds"] as? Int == 1)
        #expect(done["play", "words"] as? String == "Today’s minute is done. More tomorrow.")
    }
}
