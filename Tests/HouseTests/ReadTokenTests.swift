import BrushingHub
import DrumsHub
import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import MotionLabHub
import PlantsHub
import Storage
import Testing
import TriviaToyHub

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("A program that reads")
struct ReadTokenTests {
    private static let companions: [any Companion.Type] = [
        Plants.self, Brushing.self, Drums.self, TriviaToy.self, MotionLab.self,
    ]
    private let test: TestHub
    private let app: HubApplication
    private let client: HTTPTestClient
    private let adult, mila, theo: PersonRecord
    private let token: String

    init() async throws {
        test = try TestHub(migrations: Self.companions.flatMap { $0.migrations })
        adult = try await test.seed()
        mila = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: nil)
        theo = try await test.services.accounts.addChild(
            household: adult.household, name: "Theo", birthYear: 2019, face: nil)
        app = try await HubApplication(services: test.services, companions: Self.companions)
        client = try await HTTPTestClient(test, app: app)
        token = try await client.token(adult)
    }

    private func add(
        _ companions: [String] = ["brushing"], person: String? = nil, endsAt: Int64? = nil, name: String = "Grafana"
    ) async throws -> HTTPTestClient.Answer {
        var body: [String: Any] = ["name": name, "companions": companions]
        body["person"] = person
        body["endsAt"] = endsAt
        let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        return try await client.send(.post, "/api/programs", text, token: token)
    }

    private func made(_ companions: [String] = ["brushing"], person: String? = nil, endsAt: Int64? = nil) async throws
        -> String
    {
        let answer = try await add(companions, person: person, endsAt: endsAt)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer["token"] as? String)
    }

    private func status(_ path: String, _ token: String, _ method: HTTPRequest.Method = .get) async throws -> Int {
        try await client.send(method, path, method == .get ? nil : "{}", token: token).status
    }

    @Test("It reads the companions that it was let in for, and no other")
    func companions() async throws {
        let program = try await made(["brushing", "plants"])
        #expect(try await status("/api/brushing", program) == 200)
        #expect(try await status("/api/plants", program) == 200)
        #expect(try await status("/api/drums", program) == 403)
        #expect(try await status("/api/toy/toys", program) == 403)
        #expect(try await status("/api/lab", program) == 403)
    }

    @Test(
        "Accounts, devices, settings and everything else of the hub are not for it",
        arguments: [
            "/api/people", "/api/hub", "/api/devices", "/api/sign-ins", "/api/programs", "/api/channels",
            "/api/mail-account", "/api/webhooks", "/api/outbound", "/api/home-assistant", "/api/reminders", "/api/push",
            "/api/backups", "/api/household", "/api/invitations", "/api/failed-sign-ins", "/metrics",
        ])
    func hub(path: String) async throws {
        let program = try await made(["brushing", "drums", "plants", "toy", "lab"])
        let answer = try await client.send(.get, path, token: program)
        #expect(answer.status == 403 || answer.status == 404, "\(answer.status) \(answer.text)")
    }

    @Test("It changes nothing, of its own companions either")
    func changes() async throws {
        let program = try await made(["brushing", "plants"])
        #expect(try await status("/api/plants", program, .post) == 403)
        #expect(try await status("/api/brushing/people/\(mila.id)/settings", program, .put) != 200)
        #expect(try await status("/api/brushing/sessions", program, .post) == 403)
        #expect(try await status("/api/session", program, .delete) != 204)
        #expect(try await status("/api/programs", program, .post) == 403)
    }

    @Test("Every route that is for it is a companion’s, reads, and is for every person of the household")
    func routes() async throws {
        let policy = test.hub.policy
        var member = Member(person: adult, profile: adult, signIn: "program-x")
        member.grant = ReadGrant(companions: Set(Self.companions.map { $0.slug }), isForEveryone: true)
        var added: [RouteDescription] = []
        app.addCompanionRoutes(to: Routes { added.append($0.description) })
        #expect(added.contains { $0.companion == "brushing" && $0.method == .get })
        for route in added {
            #expect(route.companion != nil, "\(route.path)")
            let reads = route.method == .get ? route.companion : nil
            guard case .allowed = policy.decision(.person(member), route.access, reads: reads, now: 0) else { continue }
            let isOpen = if case .anyone = route.access { true } else { false }
            let isForMembers = if case .member = route.access { true } else { false }
            #expect(isOpen || (isForMembers && route.method == .get), "\(route.path)")
        }
    }

    @Test("One person’s token reads of that person alone, an adult’s too")
    func person() async throws {
        let ofMila = try await made(person: mila.id)
        #expect(try await status("/api/brushing/people/\(mila.id)/history", ofMila) == 200)
        #expect(try await status("/api/brushing/people/\(theo.id)/history", ofMila) == 403)
        #expect(try await status("/api/brushing/people/\(adult.id)/history", ofMila) == 403)
        let ofAdult = try await made(person: adult.id)
        #expect(try await status("/api/brushing/people/\(adult.id)/history", ofAdult) == 200)
        #expect(try await status("/api/brushing/people/\(mila.id)/history", ofAdult) == 403)
        let ofAll = try await made()
        for person in [mila, theo, adult] {
            #expect(try await status("/api/brushing/people/\(person.id)/history", ofAll) == 200)
        }
    }

    @Test("It ends when its time is over, when it is removed, and with the person or the adult who made it")
    func ends() async throws {
        let program = try await made(endsAt: test.hub.clock.now() + 1_000)
        #expect(try await status("/api/brushing", program) == 200)
        test.advance(milliseconds: 1_000)
        let ended = try await client.send(.get, "/api/brushing", token: program)
        #expect(ended.status == 401 && ended.detail.contains("over"))
        let other = try await add()
        let id = try #require(other["program", "id"] as? String)
        #expect(try await client.send(.delete, "/api/programs/\(id)", token: token).status == 204)
        #expect(try await status("/api/brushing", try #require(other["token"] as? String)) == 401)
        #expect(try await client.send(.delete, "/api/programs/\(id)", token: token).status == 404)
        let ofMila = try await made(person: mila.id)
        try await test.services.accounts.remove(person: mila.id, household: adult.household)
        #expect(try await status("/api/brushing", ofMila) == 401)
    }

    @Test("Its token is stored as a hash, told once, and its last use is shown")
    func listed() async throws {
        let program = try await made()
        var list = try await client.send(.get, "/api/programs", token: token)
        #expect(!list.text.contains(program) && list["programs", "0", "usedAt"] == nil)
        _ = try await status("/api/brushing", program)
        list = try await client.send(.get, "/api/programs", token: token)
        #expect(list["programs", "0", "usedAt"] as? Int64 == test.hub.clock.now())
        #expect(list["programs", "0", "companions"] as? [String] == ["brushing"])
        let hash = try await test.hub.database.pool.read { db in
            try Data.fetchOne(db, sql: "SELECT token_hash FROM integration")
        }
        #expect(hash == Secret.hash(program))
    }

    @Test("It is sent in the header alone, and is no sign-in where anybody may ask")
    func header() async throws {
        let program = try await made()
        for cookie in [Credentials.plainCookie, Credentials.secureCookie] {
            let answer = try await client.send(.get, "/api/brushing", headers: ["Cookie": "\(cookie)=\(program)"])
            #expect(answer.status == 401)
        }
        let session = try await client.send(.get, "/api/session", token: program)
        #expect(!session.text.contains("Ines"))
    }

    @Test("Nothing to read, an end that has passed, nobody’s data and an unknown companion are refused at their fields")
    func refused() async throws {
        for (answer, field) in [
            (try await add([]), "companions"), (try await add(["pond"]), "companions"),
            (try await add(endsAt: test.hub.clock.now()), "endsAt"), (try await add(person: "nobody"), "person"),
            (try await add(name: ""), "name"),
        ] { #expect(answer.status == 422 && answer["field"] as? String == field, "\(answer.text)") }
        _ = try await client.send(.put, "/api/session/profile", "{\"personID\":\"\(mila.id)\"}", token: token)
        #expect(try await add().status == 403)
    }

    @Test("It is no MQTT program, and none of Home Assistant’s")
    func mqtt() async throws {
        _ = try await made()
        let list = try await client.send(.get, "/api/home-assistant", token: token)
        #expect((list["programs"] as? [Any])?.isEmpty == true)
        #expect(try await test.services.devices.integrations(household: adult.household).isEmpty)
    }
}
