import Foundation
import GRDB
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Outbound
@testable import Push

/// A household whose ntfy server is the push service of the tests.
struct ChannelTestApp {
    let app: PushTestApp
    var channels: Channels { app.push.channels }

    init(answers: [LocalPushService.Answer] = [.status(200)], configure: (inout OutboundPolicy) -> Void = { _ in })
        async throws
    {
        app = try await PushTestApp(answers: answers, configure: configure)
    }

    var topicURL: String { app.server.url("/our-topic") }

    /// Adds a topic of ntfy for the child, and returns the channel's id.
    @discardableResult
    func addTopic(_ address: String? = nil, person: String? = nil, token: String = "") async throws -> String {
        let answer = try await app.send(.post, "/api/channels", input(address, person: person, token: token))
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer["id"] as? String)
    }

    func input(_ address: String? = nil, kind: String = "ntfy", person: String? = nil, token: String = "") -> String {
        """
        {"kind":"\(kind)","person":"\(person ?? app.child.id)","address":"\(address ?? topicURL)","token":"\(token)"}
        """
    }

    /// Reminds the child of something.
    func remind(_ title: String = "Mila: Morning", topic: String = "reminder-1", ttlSeconds: Int = 3_600) async throws {
        try await app.test.hub.database.pool.write { db in
            try channels.enqueue(about: app.child.id, topic: topic, ttlSeconds: ttlSeconds, db) { language in
                ChannelNotice(
                    title: title, body: language == .english ? "It is time." : "Es ist Zeit.", path: "/bells",
                    isUrgent: true)
            }
        }
    }

    func lastError() async throws -> String? {
        try await app.send(.get, "/api/channels")["channels", "0", "lastError"] as? String
    }

    func body(_ index: Int = 0) throws -> [String: Any] {
        let received = try #require(app.server.received.dropFirst(index).first)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(received.body)) as? [String: Any])
    }
}

@Suite("Reminders by ntfy")
struct ChannelTests {
    @Test("docs.ntfy.sh, Publish as JSON: a POST to the server’s root with topic, title, message, priority and tags")
    func publication() async throws {
        let house = try await ChannelTestApp()
        try await house.addTopic(token: "tk_abc")
        try await house.remind()
        #expect(try await house.channels.deliverDue() == nil)
        let received = try #require(house.app.server.received.first)
        #expect(received.head.method == .POST && received.head.uri == "/")
        #expect(received.header("authorization") == "Bearer tk_abc")
        #expect(received.header("content-type") == "application/json")
        let body = try house.body()
        #expect(body["topic"] as? String == "our-topic")
        #expect(body["title"] as? String == "Mila: Morning" && body["message"] as? String == "It is time.")
        #expect(body["priority"] as? Int == 4 && body["tags"] as? [String] == ["bell"])
        // The page of a test is at localhost, which leads nowhere on a phone.
        #expect(body["click"] == nil)
        #expect(try await house.lastError() == nil)
        #expect(try await house.app.count("channel_message") == 0)
    }

    @Test("A tap opens the page at the hub’s address for phones, and none that is this machine’s own")
    func click() {
        #expect(Channels.reachable("https://linden.local:8443") == "https://linden.local:8443")
        for origin in ["http://localhost:8080", "http://127.0.0.1:8080", "", "x"] {
            #expect(Channels.reachable(origin) == nil)
        }
        var channel = ChannelRecord(
            id: "c", household: "h", kind: .ntfy, person: "p", address: "", isConfirmed: true, createdAt: 0)
        let notice = ChannelNotice(title: "t", body: "b", path: "/bells")
        #expect(NtfyPublication(notice, topic: "x", channel).click == nil)
        channel.origin = "https://linden.local:8443"
        #expect(NtfyPublication(notice, topic: "x", channel).click == "https://linden.local:8443/bells")
    }

    @Test("It goes to every channel of the person and to nobody else’s, in the language of each")
    func everyChannel() async throws {
        let house = try await ChannelTestApp()
        try await house.addTopic()
        try await house.addTopic(house.app.server.url("/second"))
        try await house.addTopic(house.app.server.url("/of-ines"), person: house.app.adult.id)
        try await house.app.test.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE channel SET language = 'de' WHERE address LIKE '%second'")
        }
        try await house.remind()
        _ = try await house.channels.deliverDue()
        let said = try (0..<2).map { try house.body($0) }
        #expect(Set(said.compactMap { $0["topic"] as? String }) == ["our-topic", "second"])
        #expect(Set(said.compactMap { $0["message"] as? String }) == ["It is time.", "Es ist Zeit."])
        #expect(house.app.server.received.count == 2)
    }

    @Test(
        "What may pass is tried again, later each time, and delivered once", arguments: [408, 425, 429, 500, 503, 507])
    func later(status: Int) async throws {
        let house = try await ChannelTestApp(answers: [.status(status), .status(status), .status(200)])
        try await house.addTopic()
        try await house.remind()
        let start = house.app.test.hub.clock.now()
        #expect(try await house.channels.deliverDue() == start + 10_000)
        #expect(try await house.lastError()?.contains("push.test answered \(status)") == true)
        house.app.test.advance(milliseconds: 10_000)
        #expect(try await house.channels.deliverDue() == start + 30_000)
        house.app.test.advance(milliseconds: 20_000)
        #expect(try await house.channels.deliverDue() == nil)
        #expect(house.app.server.received.count == 3)
        #expect(try await house.lastError() == nil)
    }

    @Test("What no try will mend is dropped, and the page says why", arguments: [400, 401, 403, 404, 413, 301])
    func refused(status: Int) async throws {
        let house = try await ChannelTestApp(answers: [.status(status)])
        try await house.addTopic()
        try await house.remind()
        #expect(try await house.channels.deliverDue() == nil)
        #expect(try await house.lastError()?.contains("\(status)") == true)
        #expect(try await house.app.count("channel_message") == 0)
    }

    @Test("What has grown too old is not said, and what is taken back still waits for nobody")
    func expired() async throws {
        let house = try await ChannelTestApp(answers: [.status(503)])
        try await house.addTopic()
        try await house.remind(ttlSeconds: 60)
        _ = try await house.channels.deliverDue()
        house.app.test.advance(milliseconds: 60_000)
        #expect(try await house.channels.deliverDue() == nil)
        #expect(house.app.server.received.count == 1)
        try await house.remind(topic: "other")
        try await house.app.test.hub.database.pool.write { db in
            try PushWithdrawal.withdraw(topic: "other", about: house.app.child.id, db)
        }
        #expect(try await house.channels.deliverDue() == nil)
        #expect(house.app.server.received.count == 1)
    }

    @Test("A later message of a topic takes the place of one that still waits")
    func replaced() async throws {
        let house = try await ChannelTestApp(answers: [.status(503), .status(200)])
        try await house.addTopic()
        try await house.remind("first")
        _ = try await house.channels.deliverDue()
        try await house.remind("second")
        _ = try await house.channels.deliverDue()
        #expect(try house.body(1)["title"] as? String == "second")
        #expect(try await house.app.count("channel_message") == 0)
    }

    @Test("With the channel, or the person, goes what waits for it")
    func removed() async throws {
        let house = try await ChannelTestApp(answers: [.status(503)])
        let id = try await house.addTopic()
        try await house.remind()
        #expect(try await house.app.send(.delete, "/api/channels/\(id)").status == 204)
        #expect(try await house.app.count("channel_message") == 0)
        #expect(try await house.app.send(.delete, "/api/channels/\(id)").status == 404)
        try await house.addTopic()
        try await house.remind()
        try await house.app.test.services.accounts.remove(
            person: house.app.child.id, household: house.app.adult.household)
        #expect(try await house.app.count("channel") == 0)
        #expect(try await house.app.count("channel_message") == 0)
    }

    @Test("The button sends one now, which says for whom; too many are put off")
    func trial() async throws {
        let house = try await ChannelTestApp()
        let id = try await house.addTopic()
        #expect(try await house.app.send(.post, "/api/channels/\(id)/try").status == 204)
        _ = try await house.channels.deliverDue()
        #expect((try house.body()["message"] as? String)?.contains("Mila") == true)
        for _ in 1..<Push.trialsAnHour { _ = try await house.app.send(.post, "/api/channels/\(id)/try") }
        #expect(try await house.app.send(.post, "/api/channels/\(id)/try").status == 429)
    }

    @Test(
        "An address that is no topic of ntfy is refused at its field",
        arguments: [
            "https://push.test", "https://push.test/", "https://push.test/a/b", "https://push.test/a?b=c",
            "https://push.test/ümlaut", "https://push.test/a%20b", "http://push.test/topic", "push.test/topic", "",
            "https://push.test/" + String(repeating: "x", count: 65),
        ])
    func address(text: String) async throws {
        let house = try await ChannelTestApp()
        let answer = try await house.app.send(.post, "/api/channels", house.input(text))
        #expect(answer.status == 422 && answer["field"] as? String == "address", "\(answer.text)")
    }

    @Test("A token that could end its header is refused, and none is told again")
    func token() async throws {
        let house = try await ChannelTestApp()
        for token in [#"a\r\nX: y"#, "a b", "ü", String(repeating: "x", count: 257)] {
            let answer = try await house.app.send(.post, "/api/channels", house.input(token: token))
            #expect(answer.status == 422 && answer["field"] as? String == "token", "\(answer.text)")
        }
        try await house.addTopic(token: "tk_secret")
        let list = try await house.app.send(.get, "/api/channels")
        #expect(!list.text.contains("tk_secret") && list["channels", "0", "hasToken"] as? Bool == true)
    }

    @Test("The same is added once, a person has five at most, and a stranger none")
    func limits() async throws {
        let house = try await ChannelTestApp()
        try await house.addTopic()
        #expect(try await house.app.send(.post, "/api/channels", house.input()).status == 422)
        for number in 2...Channels.mostOfPerson { try await house.addTopic(house.app.server.url("/\(number)")) }
        #expect(
            try await house.app.send(.post, "/api/channels", house.input(house.app.server.url("/more"))).status == 422)
        let stranger = try await house.app.send(.post, "/api/channels", house.input(person: "nobody"))
        #expect(stranger.status == 422 && stranger["field"] as? String == "person")
    }

    @Test("Channels are for adults")
    func adults() async throws {
        let house = try await ChannelTestApp()
        let id = try await house.addTopic()
        #expect(try await house.app.client.send(.get, "/api/channels").status == 401)
        let profile = "{\"personID\":\"\(house.app.child.id)\"}"
        _ = try await house.app.send(.put, "/api/session/profile", profile)
        #expect(try await house.app.send(.get, "/api/channels").status == 403)
        #expect(try await house.app.send(.post, "/api/channels", house.input()).status == 403)
        #expect(try await house.app.send(.delete, "/api/channels/\(id)").status == 403)
        #expect(try await house.app.send(.get, "/api/mail-account").status == 403)
        #expect(try await house.app.send(.get, "/api/webhooks").status == 403)
    }

    @Test("A server in the house is called at the address that the adult typed")
    func house() async throws {
        let house = try await ChannelTestApp { policy in policy.isAllowed = { $0.isPublic } }
        // The name leads to this machine.
        let asked = try await house.app.send(.post, "/api/channels", house.input())
        #expect(asked.status == 422 && asked["field"] as? String == "houseAddress")
        #expect(asked.detail.contains("127.0.0.1"))
        let body = """
            {"kind":"ntfy","person":"\(house.app.child.id)","address":"\(house.topicURL)","houseAddress":"127.0.0.1"}
            """
        #expect(try await house.app.send(.post, "/api/channels", body).status == 201)
        try await house.remind()
        _ = try await house.channels.deliverDue()
        #expect(house.app.server.received.count == 1)
    }
}
