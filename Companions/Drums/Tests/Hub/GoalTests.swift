import Foundation
import HubKit
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub

@Suite("Goals, and what the clinic measured")
struct GoalTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private static let mila = "/api/drums/people/mila"

    private func add(_ text: String = "Tie my shoes", as account: String? = "ines") async throws
        -> DrumsTestApp.Answer
    {
        try await app.send(.post, "\(Self.mila)/goals", "{\"text\":\"\(text)\"}", as: account)
    }

    private func enter(_ body: String, as account: String? = "ines") async throws -> DrumsTestApp.Answer {
        try await app.send(.post, "\(Self.mila)/scores", body, as: account)
    }

    private static let blocks = """
        {"measure":"boxAndBlock","day":"2026-11-20","side":"right","value":42}
        """

    // MARK: Goals

    @Test("A goal is added in its own words, said otherwise, reached, archived and taken up again")
    func goal() async throws {
        let added = try await add(" Tie my shoes ")
        #expect(added.status == 200)
        #expect(added["goals", "0", "text"] as? String == "Tie my shoes")
        #expect(added["goals", "0", "state"] as? String == "open")
        let path = "\(Self.mila)/goals/\(added["goals", "0", "id"] as? String ?? "")"
        let reached = try await app.send(.put, path, "{\"state\":\"reached\"}")
        #expect(reached["goals", "0", "reachedDay"] as? String == "2026-11-21")
        #expect(reached["goals", "0", "text"] as? String == "Tie my shoes")
        let archived = try await app.send(.put, path, "{\"state\":\"archived\"}")
        #expect(archived["goals", "0", "state"] as? String == "archived")
        #expect(archived["goals", "0", "reachedDay"] as? String == "2026-11-21")
        let open = try await app.send(.put, path, "{\"state\":\"open\",\"text\":\"Tie both shoes\"}")
        #expect(open["goals", "0", "reachedDay"] == nil)
        #expect(open["goals", "0", "text"] as? String == "Tie both shoes")
    }

    @Test("A child writes and reaches its own goals, and does not see what the clinic measured")
    func child() async throws {
        #expect(try await enter(Self.blocks).status == 200)
        try await app.use("ines", profile: "mila")
        let added = try await add()
        #expect(added.status == 200)
        #expect(try await app.send(.get, "\(Self.mila)/goals").status == 200)
        for (path, method) in [("scores", "GET"), ("scores/file", "GET")] {
            let answer = try await app.send(.get, "\(Self.mila)/\(path)")
            #expect(answer.status == 403, "\(method)")
        }
        #expect(try await enter(Self.blocks).status == 403)
        let report = try await app.send(.get, "/api/drums/report?person=mila")
        #expect((report["goals", "goals"] as? [Any])?.count == 1)
        #expect((report["goals", "scores"] as? [Any])?.isEmpty == true)
        #expect(report["goals", "title"] as? String == "Goals")
    }

    @Test(
        "What is no goal is refused, and says what to do",
        arguments: [
            "{}", "{\"text\":\"  \"}", "{\"text\":\"A\\nB\"}", "{\"text\":\"\(String(repeating: "x", count: 201))\"}",
        ])
    func noGoal(body: String) async throws {
        let answer = try await app.send(.post, "\(Self.mila)/goals", body)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "text")
        #expect(try await app.count("drums_goal") == 0)
    }

    @Test("A goal is in one of three states, and there where it was written")
    func badState() async throws {
        let id = try await add()["goals", "0", "id"] as? String ?? ""
        let answer = try await app.send(.put, "\(Self.mila)/goals/\(id)", "{\"state\":\"lost\"}")
        #expect(answer["field"] as? String == "state")
        #expect(try await app.send(.put, "/api/drums/people/theo/goals/\(id)", "{}").status == 404)
    }

    @Test("The same goal with the same key is added once")
    func idempotent() async throws {
        for _ in 0..<2 {
            let answer = try await app.send(
                .post, "\(Self.mila)/goals", "{\"text\":\"Hop\"}", headers: ["Idempotency-Key": "6c1f0a2b3d4e5f60"])
            #expect(answer.status == 200)
        }
        #expect(try await app.count("drums_goal") == 1)
    }

    // MARK: Scores

    @Test("Each score is entered with its day and what it is about, and told in words")
    func scores() async throws {
        let goal = try await add()["goals", "0", "id"] as? String ?? ""
        _ = try await enter(Self.blocks)
        _ = try await enter("{\"measure\":\"aha\",\"day\":\"2026-11-19\",\"value\":63}")
        _ = try await enter(
            "{\"measure\":\"copm\",\"day\":\"2026-11-18\",\"goal\":\"\(goal)\",\"value\":4,\"satisfaction\":6}")
        let all = try await enter("{\"measure\":\"gas\",\"day\":\"2026-11-21\",\"goal\":\"\(goal)\",\"value\":-1}")
        #expect(all.status == 200)
        let scores = try #require(all["scores"] as? [[String: Any]])
        #expect(
            scores.compactMap { $0["words"] as? String } == [
                "Performance 4, satisfaction 6", "AHA units: 63", "Blocks in a minute: 42", "−1",
            ])
        #expect(scores.compactMap { $0["goalText"] as? String } == ["Tie my shoes", "Tie my shoes"])
        let report = try await app.send(.get, "/api/drums/report?person=mila")
        #expect((report["goals", "scores"] as? [Any])?.count == 4)
        #expect(report["goals", "title"] as? String == "Goals and clinic scores")
    }

    @Test("Each test has a chart of its scores with their dates, of both hands and of each goal, and no line")
    func charts() async throws {
        let goal = try await add()["goals", "0", "id"] as? String ?? ""
        _ = try await enter("{\"measure\":\"boxAndBlock\",\"day\":\"2026-08-03\",\"side\":\"left\",\"value\":48}")
        _ = try await enter("{\"measure\":\"boxAndBlock\",\"day\":\"2026-08-03\",\"side\":\"right\",\"value\":21}")
        _ = try await enter("{\"measure\":\"boxAndBlock\",\"day\":\"2026-11-20\",\"side\":\"right\",\"value\":26}")
        _ = try await enter(
            "{\"measure\":\"copm\",\"day\":\"2026-11-18\",\"goal\":\"\(goal)\",\"value\":4,\"satisfaction\":6}")
        let all = try await enter("{\"measure\":\"gas\",\"day\":\"2026-11-21\",\"goal\":\"\(goal)\",\"value\":-1}")
        #expect(
            (all["charts"] as? [[String: Any]])?.compactMap { $0["measure"] as? String } == [
                "boxAndBlock", "copm", "gas",
            ])
        #expect((all["charts", "0", "points"] as? [Any])?.count == 2)
        #expect(all["charts", "0", "points", "0", "label"] as? String == "3 August 2026")
        #expect(
            all["charts", "0", "points", "0", "words"] as? String
                == "Left: Blocks in a minute: 48, Right: Blocks in a minute: 21")
        #expect(all["charts", "0", "points", "0", "value"] as? Int == 48)
        #expect(all["charts", "0", "points", "0", "second"] as? Int == 21)
        #expect(all["charts", "0", "points", "1", "index"] as? Int == 109)
        #expect(all["charts", "0", "points", "1", "value"] == nil)
        #expect(all["charts", "0", "count"] as? Int == 110)
        #expect(all["charts", "1", "caption"] as? String == "Tie my shoes")
        #expect(all["charts", "1", "points", "0", "second"] as? Int == 6)
        #expect(all["charts", "2", "axis", "from"] as? Int == -2)
        #expect(all["charts", "2", "count"] as? Int == 28, "a single day has room too")
    }

    @Test("A score that was removed is gone, and comes back with undo")
    func removed() async throws {
        let id = try await enter(Self.blocks)["scores", "0", "id"] as? String ?? ""
        let less = try await app.send(.delete, "\(Self.mila)/scores/\(id)")
        #expect((less["scores"] as? [Any])?.isEmpty == true)
        let again = try await app.send(.post, "\(Self.mila)/scores/\(id)/restore")
        #expect(again["scores", "0", "value"] as? Int == 42)
        #expect(try await app.send(.delete, "/api/drums/people/theo/scores/\(id)").status == 404)
    }

    @Test("The table has a row for each score")
    func table() async throws {
        _ = try await enter(Self.blocks)
        let file = try await app.send(.get, "\(Self.mila)/scores/file")
        #expect(
            file.text
                == "day,measure,side,goal,value,satisfaction,person\r\n2026-11-20,boxAndBlock,right,,42,,Mila\r\n")
        let german = try await app.send(.get, "\(Self.mila)/scores/file?spreadsheet=semicolon")
        #expect(german.text.hasSuffix("\r\n2026-11-20;boxAndBlock;right;;42;;Mila\r\n"))
        #expect(german.text.unicodeScalars.first == "\u{FEFF}")
    }

    @Test(
        "The least and the most of each test are taken",
        arguments: [("boxAndBlock", 0), ("boxAndBlock", 150), ("aha", 0), ("aha", 100), ("gas", -2), ("gas", 2)])
    func bounds(measure: String, value: Int) async throws {
        #expect(try await score(measure, value).status == 200)
    }

    @Test(
        "Beyond the least and the most of each test is refused",
        arguments: [
            ("boxAndBlock", -1), ("boxAndBlock", 151), ("aha", -1), ("aha", 101), ("gas", -3), ("gas", 3), ("copm", 0),
            ("copm", 11),
        ])
    func beyond(measure: String, value: Int) async throws {
        let answer = try await score(measure, value)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "value")
        #expect(answer.detail.contains("a whole number from"))
        #expect(try await app.count("drums_clinic_score") == 0)
    }

    private func score(_ measure: String, _ value: Int) async throws -> DrumsTestApp.Answer {
        let goal = try await add()["goals", "0", "id"] as? String ?? ""
        return try await enter(
            """
            {"measure":"\(measure)","day":"2026-11-20","side":"left","goal":"\(goal)","value":\(value),"satisfaction":5}
            """)
    }

    @Test(
        "What no clinic can have measured is refused, and nothing is stored",
        arguments: [
            ("{\"measure\":\"guess\",\"day\":\"2026-11-20\",\"value\":1}", "measure"),
            ("{\"measure\":\"aha\",\"day\":\"yesterday\",\"value\":1}", "day"),
            ("{\"measure\":\"aha\",\"day\":\"2026-02-30\",\"value\":1}", "day"),
            ("{\"measure\":\"aha\",\"day\":\"2026-11-22\",\"value\":1}", "day"),
            ("{\"measure\":\"boxAndBlock\",\"day\":\"2026-11-20\",\"value\":1}", "side"),
            ("{\"measure\":\"boxAndBlock\",\"day\":\"2026-11-20\",\"side\":\"both\",\"value\":1}", "side"),
            ("{\"measure\":\"gas\",\"day\":\"2026-11-20\",\"value\":1}", "goal"),
            ("{\"measure\":\"gas\",\"day\":\"2026-11-20\",\"goal\":\"none\",\"value\":1}", "goal"),
            ("{\"measure\":\"copm\",\"day\":\"2026-11-20\",\"value\":1}", "satisfaction"),
            ("{\"measure\":\"copm\",\"day\":\"2026-11-20\",\"value\":1,\"satisfaction\":11}", "satisfaction"),
        ])
    func refused(body: String, field: String) async throws {
        let answer = try await enter(body)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(try await app.count("drums_clinic_score") == 0)
    }

    @Test("A score in words, and one without a number, are refused", arguments: ["\"many\"", "null", "4.5"])
    func text(value: String) async throws {
        let answer = try await enter("{\"measure\":\"aha\",\"day\":\"2026-11-20\",\"value\":\(value)}")
        #expect(answer.status == 400)
        #expect(!answer.detail.isEmpty)
    }
}
