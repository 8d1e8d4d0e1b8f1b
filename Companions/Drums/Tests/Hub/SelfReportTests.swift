import Foundation
import HubKit
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub

@Suite("How hard it was, and whether it hurt")
struct SelfReportTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private static let id = String(repeating: "0a", count: 16)

    private func plan(_ more: String) async throws -> DrumsTestApp.Answer {
        try await app.send(
            .put, "/api/drums/people/mila/plan", "{\"setBy\":\"Ms Okafor\",\"minutesPerWeek\":90,\(more)}")
    }

    private func say(
        _ more: String, id: String = id, _ moment: String = "before", person: String = "mila", at: Int64? = nil,
        as account: String? = "ines"
    ) async throws -> DrumsTestApp.Answer {
        try await app.send(
            .put, "/api/drums/sessions/\(id)/reports/\(moment)",
            "{\"person\":\"\(person)\",\"at\":\(at ?? app.now)\(more)}", as: account)
    }

    /// Delivers a song; its id in hexadecimal.
    private func play() async throws -> String {
        let setup = DrumsTestApp.setup("mila")
        let session = try DrumsTestApp.played("mila", at: app.now - 600_000, setup: setup)
        #expect(try await app.deliver(session.encoded()).status == 201)
        return setup.id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    // MARK: The plan asks

    @Test("Without a plan that asks, nothing is asked")
    func silent() async throws {
        #expect(try await plan("\"level\":1")["play", "selfReport"] == nil)
        #expect(try await app.send(.put, "/api/drums/people/theo/settings", "{}")["play", "selfReport"] == nil)
    }

    @Test("A plan asks for pain, for effort, or for both, each with eleven answers")
    func asks() async throws {
        let both = try await plan("\"asksPain\":true,\"asksEffort\":true,\"painLimit\":6")
        #expect(both["play", "selfReport", "scales", "0", "name"] as? String == "pain")
        #expect(both["play", "selfReport", "scales", "1", "name"] as? String == "effort")
        #expect((both["play", "selfReport", "scales", "0", "choices"] as? [Any])?.count == 11)
        #expect(both["play", "selfReport", "scales", "0", "choices", "5", "stops"] as? Bool == false)
        #expect(both["play", "selfReport", "scales", "0", "choices", "6", "stops"] as? Bool == true)
        #expect(both["play", "selfReport", "scales", "1", "choices", "10", "stops"] as? Bool == false)
        #expect(
            both["play", "selfReport", "stop", "words"] as? String
                == "Stop playing for today and tell a grown-up that it hurts. Ms Okafor wants to know about it.")
        #expect(
            (both["plan", "words"] as? String)?.hasSuffix(
                "Asks for pain and effort before and after, and says to stop from pain 6 on.") == true)
        let pain = try await plan("\"asksPain\":true")
        #expect((pain["play", "selfReport", "scales"] as? [Any])?.count == 1)
        #expect(pain["play", "selfReport", "scales", "0", "choices", "10", "stops"] as? Bool == false)
        #expect(
            try await plan("\"asksEffort\":true")["play", "selfReport", "scales", "0", "name"] as? String == "effort")
    }

    @Test("A practice is asked about once: not again within half an hour of the last song or answer")
    func once() async throws {
        #expect(try await plan("\"asksPain\":true")["play", "selfReport", "from"] as? Int64 == 0)
        let at = app.now - 60_000
        #expect(try await say(",\"pain\":1", at: at).status == 200)
        let answer = try await app.send(.put, "/api/drums/people/mila/settings", "{}")
        #expect(answer["play", "selfReport", "from"] as? Int64 == at + 30 * 60_000)
    }

    @Test("A limit of pain without the question about pain is refused")
    func limitWithoutQuestion() async throws {
        let answer = try await plan("\"painLimit\":6")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "painLimit")
        #expect(answer.detail.contains("Switch that on"))
    }

    @Test("A limit of pain of 0 is refused")
    func limitTooLow() async throws { try await refusedLimit(0) }

    @Test("A limit of pain of 11 is refused")
    func limitTooHigh() async throws { try await refusedLimit(11) }

    private func refusedLimit(_ limit: Int) async throws {
        let answer = try await plan("\"asksPain\":true,\"painLimit\":\(limit)")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "painLimit")
        #expect(try await app.count("drums_plan") == 0)
    }

    // MARK: What was said

    @Test("What was said is stored once, before its session comes, and stands beside it")
    func stored() async throws {
        let id = try await play()
        #expect(try await say(",\"pain\":2,\"effort\":3", id: id).status == 200)
        let after = try await say(",\"pain\":4", id: id, "after")
        #expect(after["pain"] as? Int == 4)
        #expect(after["effort"] == nil)
        #expect(try await say(",\"pain\":4", id: id, "after").status == 200)
        #expect(try await app.count("drums_self_report") == 2)
        let page = try await app.send(.get, "/api/drums/sessions/\(id)")
        #expect(page["selfReport", "painBefore"] as? Int == 2)
        #expect(page["selfReport", "painAfter"] as? Int == 4)
        #expect(page["selfReport", "effortBefore"] as? Int == 3)
        #expect(page["selfReport", "effortAfter"] == nil)
        let list = try await app.send(.get, "/api/drums/sessions?person=mila")
        #expect(list["sessions", "0", "selfReport", "painAfter"] as? Int == 4)
    }

    @Test("The same request with the same key is stored once")
    func idempotent() async throws {
        let body = "{\"person\":\"mila\",\"at\":\(app.now),\"pain\":3}"
        let path = "/api/drums/sessions/\(Self.id)/reports/before"
        for _ in 0..<2 {
            let answer = try await app.send(.put, path, body, headers: ["Idempotency-Key": "9f0c8d1e2b3a4f5d"])
            #expect(answer.status == 200)
            #expect(answer["pain"] as? Int == 3)
        }
        #expect(try await app.count("drums_self_report") == 1)
    }

    @Test("Who would rather not say has been asked, and nothing is made up")
    func unsaid() async throws {
        let id = try await play()
        #expect(try await say(",\"pain\":null", id: id).status == 200)
        let page = try await app.send(.get, "/api/drums/sessions/\(id)")
        #expect(page["selfReport"] != nil)
        #expect(page["selfReport", "painBefore"] == nil)
    }

    @Test("What was said changes no figure of the session")
    func noFigure() async throws {
        let id = try await play()
        let before = try await app.send(.get, "/api/drums/sessions/\(id)")
        _ = try await say(",\"pain\":9,\"effort\":10", id: id, "after")
        let after = try await app.send(.get, "/api/drums/sessions/\(id)")
        for figure in ["right", "judged", "answered", "milliseconds", "waits"] {
            #expect(before[figure] as? Int == after[figure] as? Int)
        }
    }

    @Test("The table and the report have what was said, also where nothing was played then")
    func report() async throws {
        let id = try await play()
        _ = try await say(",\"pain\":2,\"effort\":3", id: id)
        _ = try await say(",\"pain\":7", at: app.now - 60_000)
        let table = try await app.send(.get, "/api/drums/export?person=mila&format=csv")
        let lines = table.text.split(separator: "\r\n")
        #expect(
            lines.first?.hasSuffix(
                ",pain before (0-10),pain after (0-10),effort before (0-10),effort after (0-10),person") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasSuffix(",2,,3,,Mila") })
        let report = try await app.send(.get, "/api/drums/report?person=mila")
        let rows = try #require(report["selfReports", "rows"] as? [[String: Any]])
        #expect(Set(rows.compactMap { $0["song"] as? String }) == ["Ode to Joy", "nothing played"])
    }

    @Test("Pain of 11 is refused")
    func painTooHigh() async throws { try await refused(",\"pain\":11", "pain") }

    @Test("Pain below nought is refused")
    func painTooLow() async throws { try await refused(",\"pain\":-1", "pain") }

    @Test("Effort of 11 is refused")
    func effortTooHigh() async throws { try await refused(",\"effort\":11", "effort") }

    @Test("Effort below nought is refused")
    func effortTooLow() async throws { try await refused(",\"effort\":-1", "effort") }

    private func refused(_ more: String, _ field: String) async throws {
        let answer = try await say(more)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(answer.detail == "This is said from 0 to 10.")
        #expect(try await app.count("drums_self_report") == 0)
    }

    @Test("Pain in words is refused")
    func text() async throws {
        let answer = try await say(",\"pain\":\"some\"")
        #expect(answer.status == 400)
        #expect(answer.detail.contains("pain"))
    }

    @Test("Neither before nor after is refused")
    func moment() async throws {
        let answer = try await say(",\"pain\":1", "during")
        #expect(answer.status == 422)
        #expect(answer.detail.contains("before or after"))
    }

    @Test("What is no session’s id is refused", arguments: ["0a", String(repeating: "0A", count: 16)])
    func badID(id: String) async throws {
        let answer = try await say(",\"pain\":1", id: id)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "id")
    }

    @Test("What was said in the future, or before there was anything, is refused")
    func badTime() async throws {
        #expect(try await say("", at: app.now + 3_600_000)["field"] as? String == "at")
        #expect(try await say("", at: 1_000)["field"] as? String == "at")
    }

    @Test("Nobody says something about another’s song")
    func anothersSong() async throws {
        let id = try await play()
        let answer = try await say(",\"pain\":1", id: id, person: "theo")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "person")
    }

    @Test("A child says it for itself; strangers do not, and for strangers nobody does")
    func who() async throws {
        try await app.use("ines", profile: "mila")
        #expect(try await say(",\"pain\":1").status == 200)
        #expect(try await say(",\"pain\":1", person: "tom").status == 403)
        try await app.use("ines", profile: "theo")
        #expect(try await say(",\"pain\":9").status == 403, "what Mila said is hers")
        #expect(try await say(",\"pain\":2", "after").status == 200, "and said once by whoever delivers it")
        #expect(try await say(",\"pain\":1", person: "nobody").status == 404)
        #expect(try await say(",\"pain\":1", as: nil).status == 401)
    }
}
