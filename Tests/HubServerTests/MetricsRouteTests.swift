import Foundation
import HubInstruments
import MQTT
import NIOCore
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("What a monitor and the owner are told of how the hub is")
struct MetricsRouteTests {
    private let test: TestHub
    private let client: HTTPTestClient
    private let adult: PersonRecord

    init() async throws {
        test = try TestHub()
        client = try await HTTPTestClient(test)
        adult = try await test.seed()
    }

    @Test("Nobody gets the figures without a sign-in who is not on the hub’s own machine")
    func strangers() async throws {
        #expect(try await client.send(.get, "/metrics").status == 401)
        #expect(try await client.send(.get, "/metrics", token: "wrong").status == 401)
    }

    @Test("An adult gets them with their token, a child’s profile does not")
    func members() async throws {
        let token = try await client.token(adult)
        let answer = try await client.send(.get, "/metrics", token: token)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.headers[.cacheControl] == "no-store")
        let child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: nil, face: nil)
        _ = try await client.send(
            .put, "/api/session/profile", "{\"personID\":\"\(child.id)\",\"password\":\"\"}", token: token)
        #expect(try await client.send(.get, "/metrics", token: token).status == 403)
        #expect(try await client.send(.get, "/api/losses", token: token).status == 403)
    }

    @Test("On a device that the family shares the password comes first")
    func shared() async throws {
        let member = Member(person: adult, profile: adult, signIn: "s", isShared: true)
        let decision = test.hub.policy.decision(.person(member), .monitor, now: test.hub.clock.now())
        guard case .passwordNeeded = decision else {
            Issue.record("\(decision)")
            return
        }
    }

    @Test("Any program on the hub’s own machine gets them, and nothing else for it")
    func thisMachine() {
        let policy = test.hub.policy
        func isAllowed(_ access: Access) -> Bool {
            if case .allowed = policy.decision(.anonymous, access, now: 0, isThisMachine: true) { true } else { false }
        }
        #expect(isAllowed(.monitor))
        #expect(!isAllowed(.member))
        #expect(!isAllowed(.adult))
    }

    @Test("Answers are counted by the class of their status")
    func answers() async throws {
        let token = try await client.token(adult)
        _ = try await client.send(.get, "/nothing")
        let before = test.hub.counts.figures.answers
        _ = try await client.send(.get, "/healthz")
        _ = try await client.send(.get, "/api/hub")
        let after = test.hub.counts.figures.answers
        #expect(after[1] == before[1] + 1)
        #expect(after[3] == before[3] + 1)
        let text = try await client.send(.get, "/metrics", token: token).text
        #expect(text.contains("\ntandem_http_requests_total{status=\"2xx\"} \(after[1])\n"))
    }

    @Test("What was lost is told by reason, and nothing where nothing was")
    func losses() async throws {
        let token = try await client.token(adult)
        let none = try await client.send(.get, "/api/losses", token: token)
        #expect((none["losses"] as? [Any])?.isEmpty == true)
        #expect(none["since"] as? Int64 == test.hub.counts.startedAt)
        test.hub.counts.count(.channelRate)
        test.hub.counts.count(.channelRate)
        let some = try await client.send(.get, "/api/losses", token: token)
        #expect((some["losses"] as? [Any])?.count == 1)
        #expect(some["losses", "0", "reason"] as? String == "channel_rate")
        #expect(some["losses", "0", "kind"] as? String == "dropped_message")
        #expect(some["losses", "0", "count"] as? Int == 2)
    }

    @Test("Every reason is in the text, of one kind, before anything was lost")
    func reasons() {
        let text = MetricsRoutes.text(
            ListenerStatistics(), HubCounts.Figures(), openPages: 0, startedAt: 1_795_220_639_132,
            process: ProcessFigures(processorSeconds: 1.5, residentBytes: nil, openFiles: nil))
        for loss in Loss.allCases {
            #expect(text.components(separatedBy: "{reason=\"\(loss.rawValue)\"} 0\n").count == 2, "\(loss)")
        }
        #expect(text.contains("\nprocess_cpu_seconds_total 1.5\n"))
        #expect(text.hasSuffix("\nprocess_start_time_seconds 1795220639.132\n"))
        #expect(!text.contains("resident"), "what the system does not tell is left out")
    }

    @Test("Help has its backslashes and line feeds escaped, and a label its quotation marks too")
    func escaping() {
        var text = PrometheusText()
        text.add(.gauge, "a_total", "one\\two\n\"three\"", by: "label", [("one\\two\n\"three\"", 1)])
        #expect(
            text.text
                == "# HELP a_total one\\\\two\\n\"three\"\n# TYPE a_total gauge\na_total{label=\"one\\\\two\\n\\\"three\\\"\"} 1\n"
        )
    }
}
