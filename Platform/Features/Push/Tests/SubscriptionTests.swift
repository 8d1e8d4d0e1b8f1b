import Admission
import Foundation
import GRDB
import HubInstruments
import Storage
import TLS
import TestInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Outbound
@testable import Push

@Suite("A device that gets notifications")
struct SubscriptionTests {
    @Test("A page learns the key, subscribes its device, says for whom, and ends it again")
    func life() async throws {
        let app = try await PushTestApp()
        let before = try await app.send(.get, "/api/push")
        #expect(before["key"] as? String == (try await app.push.publicKey()))
        #expect(before["subscription"] == nil)
        let id = try await app.subscribe(people: [app.child.id])
        var after = try await app.send(.get, "/api/push")
        #expect(after["subscription", "id"] as? String == id)
        #expect(after["subscription", "people"] as? [String] == [app.child.id])
        #expect(after["endpointHost"] as? String == "push.test")
        #expect(!after.text.contains(app.phone.auth) && !after.text.contains("/send/abc"))
        after = try await app.send(
            .put, "/api/push/subscriptions/\(id)", "{\"people\":[\"\(app.child.id)\",\"\(app.adult.id)\"]}")
        #expect(after["people"] as? [String] == [app.adult.id, app.child.id])
        #expect(try await app.send(.delete, "/api/push/subscriptions/\(id)").status == 204)
        #expect(try await app.send(.get, "/api/push")["subscription"] == nil)
        #expect(try await app.send(.delete, "/api/push/subscriptions/\(id)").status == 404)
    }

    @Test("The same browser is one subscription however often it says so, and also after another sign-in")
    func again() async throws {
        let app = try await PushTestApp()
        let id = try await app.subscribe()
        let again = try await app.send(
            .post, "/api/push/subscriptions", app.phone.offer(app.server.url(), people: [app.child.id]))
        #expect(again.status == 200)
        #expect(again["id"] as? String == id)
        #expect(again["people"] as? [String] == [app.child.id])
        // The browser got another endpoint.
        let renewed = try await app.subscribe(path: "/send/def")
        #expect(renewed != id)
        let other = try await app.client.token(app.adult)
        try await app.subscribe(path: "/send/def", token: other)
        #expect(try await app.send(.get, "/api/push")["subscription"] == nil)
        #expect(try await app.count("push_subscription") == 1)
    }

    @Test("Another sign-in’s subscription is not there for it")
    func others() async throws {
        let app = try await PushTestApp()
        let id = try await app.subscribe()
        let other = try await app.client.token(app.adult)
        let path = "/api/push/subscriptions/\(id)"
        #expect(try await app.send(.get, "/api/push", token: other)["subscription"] == nil)
        #expect(try await app.send(.put, path, "{\"people\":[\"\(app.child.id)\"]}", token: other).status == 404)
        #expect(try await app.send(.post, path + "/try", "{}", token: other).status == 404)
        #expect(try await app.send(.delete, path, token: other).status == 404)
        #expect(try await app.client.send(.get, "/api/push").status == 401)
        #expect(try await app.count("push_subscription") == 1)
    }

    /// What somebody may send who wants the hub to speak into the local network, or sends what it did not read.
    private static let addresses = [
        "http://push.test/x", "https://127.0.0.1/x", "https://[::1]/x", "https://192.168.1.1/x", "https://router/x",
        "https://169.254.169.254/latest/meta-data", "https://localhost/x", "https://user@push.test/x",
        "https://linden.local:8443/api/people", "https://example.org/x", "file:///etc/passwd", "",
        "https://push.test:22/x", "https://push.test/" + String(repeating: "x", count: 2_048),
    ]

    @Test("A forged address is refused in words, and nothing is stored or called", arguments: addresses)
    func forged(endpoint: String) async throws {
        let app = try await PushTestApp()
        let answer = try await app.send(
            .post, "/api/push/subscriptions", app.phone.offer(endpoint, people: [app.child.id]))
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "endpoint")
        #expect((answer["detail"] as? String)?.contains("Turn notifications off and on again") == true)
        #expect(try await app.count("push_subscription") == 0)
        #expect(app.server.connections == 0)
    }

    @Test(
        "A known name that leads into the local network is refused", arguments: ["192.168.1.1", "127.0.0.1", "fd00::1"])
    func leadsHome(address: String) async throws {
        let app = try await PushTestApp {
            $0.resolve = { _ in [IPAddress("142.250.185.74")!, IPAddress(address)!] }
            $0.isAllowed = { $0.isPublic }
        }
        let answer = try await app.send(
            .post, "/api/push/subscriptions", app.phone.offer(app.server.url(), people: [app.child.id]))
        #expect(answer.status == 422)
        #expect((answer["detail"] as? String)?.contains(address) == true)
    }

    @Test("A name that cannot be looked up now is stored: the hub may be offline, and looks again for each message")
    func offline() async throws {
        let app = try await PushTestApp { $0.resolve = { _ in throw SystemResolver.NotFound(code: -3) } }
        try await app.subscribe()
    }

    @Test(
        "Keys that are none are refused in words",
        arguments: [
            ("AAAA", "BTBZMqHH6r4Tts7J_aSIgg", "keys.p256dh"), ("", "BTBZMqHH6r4Tts7J_aSIgg", "keys.p256dh"),
            ("not base64!", "BTBZMqHH6r4Tts7J_aSIgg", "keys"),
            // The example of RFC 8291 with another last byte: 65 bytes, and not on the curve.
            (
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw8",
                "BTBZMqHH6r4Tts7J_aSIgg", "keys.p256dh"
            ),
            ("B" + String(repeating: "A", count: 86), "BTBZMqHH6r4Tts7J_aSIgg", "keys.p256dh"),
            (
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                "BTBZMqHH6r4Tts7J_aSI", "keys.auth"
            ),
            (
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "",
                "keys.auth"
            ),
        ])
    func keys(p256dh: String, auth: String, field: String) async throws {
        let app = try await PushTestApp()
        let answer = try await app.send(
            .post, "/api/push/subscriptions",
            "{\"endpoint\":\"\(app.server.url())\",\"keys\":{\"p256dh\":\"\(p256dh)\",\"auth\":\"\(auth)\"},\"people\":[\"\(app.child.id)\"]}"
        )
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(try await app.count("push_subscription") == 0)
    }

    @Test("A body without keys is a 400, and nobody in it a 422")
    func bodies() async throws {
        let app = try await PushTestApp()
        let path = "/api/push/subscriptions"
        #expect(try await app.send(.post, path, "{\"endpoint\":\"https://push.test/\",\"people\":[]}").status == 400)
        #expect(try await app.send(.post, path, "[]").status == 400)
        let nobody = try await app.send(.post, path, app.phone.offer(app.server.url(), people: []))
        #expect(nobody.status == 422)
        #expect(nobody["field"] as? String == "people")
        let stranger = try await app.send(.post, path, app.phone.offer(app.server.url(), people: ["nobody"]))
        #expect(stranger.status == 422)
    }

    @Test("A child’s profile shows children’s reminders, and no adult’s; the family’s own device shows everybody’s")
    func child() async throws {
        let app = try await PushTestApp()
        let profile = "{\"personID\":\"\(app.child.id)\"}"
        #expect(try await app.send(.put, "/api/session/profile", profile).status == 200)
        let path = "/api/push/subscriptions"
        let everybody = app.phone.offer(app.server.url(), people: [app.child.id, app.adult.id])
        let refused = try await app.send(.post, path, everybody)
        #expect(refused.status == 403)
        #expect((refused["detail"] as? String)?.contains("Ines") == true)
        try await app.subscribe(people: [app.child.id])
        let member = try #require(try await app.test.services.accounts.member(token: app.token))
        _ = try await app.test.services.accounts.setShared(true, of: member)
        #expect(try await app.send(.post, path, everybody).status == 200)
    }

    @Test("A subscription is renewed with the people it has at a child’s profile too, and with nobody more")
    func renewedByChild() async throws {
        let app = try await PushTestApp()
        let id = try await app.subscribe(people: [app.adult.id])
        _ = try await app.send(.put, "/api/session/profile", "{\"personID\":\"\(app.child.id)\"}")
        let people = "{\"people\":[\"\(app.adult.id)\",\"\(app.child.id)\"]}"
        let same = try await app.send(.put, "/api/push/subscriptions/\(id)", people)
        #expect(same["people"] as? [String] == [app.adult.id, app.child.id])
        // The browser got another endpoint, and its worker tells the hub.
        let renewed = try await app.subscribe(people: [app.adult.id], path: "/send/def")
        let tom = try await app.test.services.accounts.addAdult(
            name: "Tom", email: "tom@example.org", password: "correct horse", household: app.adult.household)
        let more = try await app.send(
            .put, "/api/push/subscriptions/\(renewed)", "{\"people\":[\"\(app.adult.id)\",\"\(tom.id)\"]}")
        #expect(more.status == 403)
        #expect((more["detail"] as? String)?.contains("Tom") == true)
    }

    @Test("An account tries notifications twenty times an hour, and then is told how long to wait")
    func trials() async throws {
        let app = try await PushTestApp()
        let id = try await app.subscribe()
        func attempt(_ id: String, token: String? = nil) async throws -> HTTPTestClient.Answer {
            try await app.send(.post, "/api/push/subscriptions/\(id)/try", "{}", token: token)
        }
        for _ in 0..<20 {
            #expect(try await attempt(id).status == 204)
            app.test.advance(milliseconds: 60_000)
        }
        let refused = try await attempt(id)
        #expect(refused.status == 429)
        #expect((refused["detail"] as? String)?.contains("Wait 40 minutes") == true)
        // Another sign-in of the same account is no way round.
        let other = try await app.client.token(app.adult)
        let second = try await app.subscribe(path: "/send/def", token: other)
        #expect(try await attempt(second, token: other).status == 429)
        app.test.advance(milliseconds: 40 * 60_000)
        #expect(try await attempt(id).status == 204)
    }

    @Test("A household has twenty of them and no more")
    func most() async throws {
        let app = try await PushTestApp()
        for number in 0..<20 {
            let token = try await app.client.token(app.adult)
            try await app.subscribe(path: "/send/\(number)", token: token)
        }
        let answer = try await app.send(
            .post, "/api/push/subscriptions", app.phone.offer(app.server.url("/send/x"), people: [app.child.id]))
        #expect(answer.status == 422)
        #expect((answer["detail"] as? String)?.contains("20") == true)
    }

    @Test("With a sign-in go its subscription and all that waits for it")
    func signIn() async throws {
        let app = try await PushTestApp()
        try await app.subscribe()
        await app.push.send(app.message(), to: app.child.id)
        let member = try #require(try await app.test.services.accounts.member(token: app.token))
        try await app.test.services.accounts.end(signIn: member.signIn, household: member.household)
        for table in ["push_subscription", "push_person", "push_message"] {
            #expect(try await app.count(table) == 0)
        }
        _ = try await app.push.deliverDue()
        #expect(app.server.connections == 0)
    }

    @Test("With a person goes what waits about them; the device stays for the others")
    func person() async throws {
        let app = try await PushTestApp()
        try await app.subscribe()
        await app.push.send(app.message("Mila"), to: app.child.id)
        await app.push.send(app.message("Ines"), to: app.adult.id)
        try await app.test.services.accounts.remove(person: app.child.id, household: app.adult.household)
        _ = try await app.push.deliverDue()
        #expect(try app.texts() == ["Ines"])
        let answer = try await app.send(.get, "/api/push")
        #expect(answer["subscription", "people"] as? [String] == [app.adult.id])
    }

    @Test("Who is not told of any more leaves nothing waiting")
    func untold() async throws {
        let app = try await PushTestApp()
        let id = try await app.subscribe()
        await app.push.send(app.message("Mila"), to: app.child.id)
        _ = try await app.send(.put, "/api/push/subscriptions/\(id)", "{\"people\":[\"\(app.adult.id)\"]}")
        #expect(try await app.count("push_message") == 0)
    }

    @Test("No answer and no line of the log holds the private key, a subscription’s secrets or what is said of a child")
    func secrets() async throws {
        let app = try await PushTestApp(answers: [.status(503), .status(403), .status(410)])
        try await app.subscribe()
        let log = RecordedLog()
        let logged = ServerContext(
            hub: HubContext(
                database: app.test.hub.database, settings: app.test.hub.settings, clock: app.test.hub.clock,
                log: log.logger), outbound: app.server.policy())
        let kept = try await key(of: logged)
        for _ in 0..<3 {
            await logged.push.send(app.message(), to: app.child.id)
            _ = try await logged.push.deliverDue()
        }
        await logged.push.send(app.message(String(repeating: "Mila", count: 600)), to: app.child.id)
        #expect(log.text.contains("push.test"))
        var texts = [log.text]
        for path in ["/api/push", "/api/outbound", "/api/session", "/openapi.json"] {
            texts.append(try await app.send(.get, path).text)
        }
        for text in texts {
            #expect(!text.contains(kept) && !text.contains(app.phone.auth) && !text.contains("/send/abc"))
        }
        #expect(!log.text.contains("Mila") && !log.text.contains("brush"))
    }

    /// The private key as it is stored.
    private func key(of services: ServerContext) async throws -> String {
        _ = try await services.push.publicKey()
        return try #require(try await SettingsStore(database: services.hub.database).get(.pushKey))
    }
}
