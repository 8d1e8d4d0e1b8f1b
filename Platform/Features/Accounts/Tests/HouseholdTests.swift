import Foundation
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("The household")
struct HouseholdTests {
    private let test: TestHub
    private let client: HTTPTestClient
    private let adult: PersonRecord
    private let token: String

    init() async throws {
        test = try TestHub { $0.origin = "https://linden.local:8443" }
        client = try await HTTPTestClient(test)
        adult = try await test.seed()
        token = try await client.token(adult)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, isSecure: Bool = false
    ) async throws -> HTTPTestClient.Answer {
        try await client.send(method, path, body, token: token, isSecure: isSecure)
    }

    private func child() async throws -> PersonRecord {
        try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: "fox")
    }

    @Test("People stand in the order in which they were added, also those of one millisecond")
    func order() async throws {
        // The clock of the test stands still, and ids are random: of eight all but one order in 40,320 would be another.
        let names = ["Theo", "Mila", "Ada", "Ben", "Cleo", "Emil", "Frieda", "Lea"]
        for name in names {
            _ = try await test.services.accounts.addChild(
                household: adult.household, name: name, birthYear: nil, face: nil)
        }
        let people = try await test.services.accounts.people(household: adult.household)
        #expect(people.map(\.name) == [adult.name] + names)
    }

    // MARK: The first run

    @Test("The first run begins with the children, survives a wrong code, and goes on where it was")
    func firstRun() async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        func setUp(_ code: String) async throws -> HTTPTestClient.Answer {
            try await client.send(
                .post, "/api/setup",
                """
                {"code":"\(code)","household":"Linden","name":"Ines","email":"ines@example.org",\
                "password":"correct horse"}
                """)
        }
        #expect(try await setUp("0000-000")["field"] as? String == "code")
        let made = try await setUp(test.services.accounts.foundingCode())
        #expect(made.status == 201)
        #expect(made["session", "household", "setupStep"] as? String == "children")
        let token = try await client.token(try await test.services.accounts.people(household: adultID(test)).first!)
        for step in ["companions", "device", "children"] {
            let answer = try await client.send(
                .put, "/api/household/setup-step", "{\"step\":\"\(step)\"}", token: token)
            #expect(answer["household", "setupStep"] as? String == step)
            let reloaded = try await client.send(.get, "/api/session", token: token)
            #expect(reloaded["household", "setupStep"] as? String == step)
        }
        let done = try await client.send(.put, "/api/household/setup-step", "{\"step\":\"done\"}", token: token)
        #expect(done.status == 200)
        #expect(done["household", "setupStep"] == nil)
    }

    private func adultID(_ test: TestHub) async throws -> String { try await test.hub.requiredHousehold().id }

    @Test("A household that the command line made has no first run")
    func commandLine() async throws {
        #expect(try await send(.get, "/api/session")["household", "setupStep"] == nil)
    }

    @Test("A step that is none is told", arguments: ["", "Done", "finished"])
    func unknownStep(step: String) async throws {
        let answer = try await send(.put, "/api/household/setup-step", "{\"step\":\"\(step)\"}")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "step")
    }

    // MARK: Companions

    private func slugs(_ answer: HTTPTestClient.Answer, _ list: String) -> [String] {
        (answer[list] as? [[String: Any]] ?? []).compactMap { $0["slug"] as? String }
    }

    @Test("Companions are in use until somebody decides; one that is not is stored, and hidden")
    func companions() async throws {
        #expect(slugs(try await send(.get, "/api/session"), "companions") == ["ferns", "beats"])
        let chosen = try await send(.put, "/api/household/companions", "{\"slugs\":[\"beats\"]}")
        #expect(slugs(chosen, "companions") == ["beats"])
        #expect(slugs(chosen, "allCompanions") == ["ferns", "beats"])
        let used = (chosen["allCompanions"] as? [[String: Any]])?.compactMap { $0["isUsed"] as? Bool }
        #expect(used == [false, true])
        _ = try await send(.put, "/api/household/companions", "{\"slugs\":[\"ferns\"]}")
        #expect(try await send(.post, "/api/beats", "{}").status == 201, "its routes answer still")
        #expect(slugs(try await send(.get, "/api/session"), "companions") == ["ferns"])
    }

    @Test(
        "A household uses one companion at least, and none that the hub does not have",
        arguments: ["", "\"cars\"", "\"ferns\",\"cars\""])
    func refusedCompanions(list: String) async throws {
        let answer = try await send(.put, "/api/household/companions", "{\"slugs\":[\(list)]}")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "slugs")
        #expect(slugs(try await send(.get, "/api/session"), "companions") == ["ferns", "beats"])
    }

    // MARK: Names and faces

    @Test("The household gets another name; none at all is refused")
    func name() async throws {
        #expect(
            try await send(.patch, "/api/household", "{\"name\":\" Linden Street 5 🌿 \"}")["household", "name"]
                as? String == "Linden Street 5 🌿")
        let refused = try await send(.patch, "/api/household", "{\"name\":\"  \"}")
        #expect(refused.status == 422)
        #expect(refused["field"] as? String == "name")
        #expect(try await test.hub.household()?.name == "Linden Street 5 🌿")
    }

    @Test("What is left out of a change stays, what is null goes")
    func person() async throws {
        let path = "/api/people/\(try await child().id)"
        let named = try await send(.patch, path, "{\"name\":\"Ludmila\"}")
        #expect(named["name"] as? String == "Ludmila")
        #expect(named["face"] as? String == "fox")
        #expect(named["birthYear"] as? Int == 2017)
        let faceless = try await send(.patch, path, "{\"face\":null,\"birthYear\":2018}")
        #expect(faceless["name"] as? String == "Ludmila")
        #expect(faceless["face"] == nil)
        #expect(faceless["birthYear"] as? Int == 2018)
        #expect(try await send(.patch, path, "{\"birthYear\":null}")["birthYear"] == nil)
        #expect(try await send(.patch, path, "{}").status == 200)
    }

    @Test(
        "What cannot be somebody’s is refused in its field",
        arguments: [
            ("{\"name\":\"\"}", "name"), ("{\"birthYear\":1850}", "birthYear"), ("{\"birthYear\":2030}", "birthYear"),
            ("{\"face\":\"\"}", "face"), ("{\"face\":\"../fox\"}", "face"), ("{\"face\":\"<b>\"}", "face"),
            ("{\"face\":\"aaaaaaaaaaaaaaaaaaaaaaaa\"}", "face"), ("{\"birthYear\":\"2017\"}", "birthYear"),
        ])
    func refusedPerson(body: String, field: String) async throws {
        let answer = try await send(.patch, "/api/people/\(try await child().id)", body)
        #expect(answer.status == 422 || answer.status == 400)
        #expect(answer["field"] as? String == field)
    }

    @Test("Somebody of another household is not there")
    func neighbour() async throws {
        try await test.hub.database.pool.write { db in
            try HouseholdRecord(id: "next", name: "Next door", timeZone: "UTC", createdAt: 0).insert(db)
            try PersonRecord(id: "neighbour", household: "next", name: "Jo", role: .adult, createdAt: 0).insert(db)
        }
        #expect(try await send(.patch, "/api/people/neighbour", "{\"name\":\"Joe\"}").status == 404)
    }

    @Test("A child added twice under one key is one child")
    func childOnce() async throws {
        for _ in 0..<3 {
            let answer = try await client.send(
                .post, "/api/people", "{\"name\":\"Mila\",\"birthYear\":2017,\"face\":\"fox\"}", token: token,
                headers: ["Idempotency-Key": "child-1"])
            #expect(answer.status == 201)
        }
        #expect(try await test.services.accounts.people(household: adult.household).count == 2)
    }

    // MARK: Invitations

    @Test("An invitation is a link to the hub’s one origin, with the code where no server sees it, and a QR code of it")
    func invitation() async throws {
        let answer = try await send(.post, "/api/invitations", "{}")
        let code = try #require(answer["code"] as? String)
        #expect(answer["link"] as? String == "https://linden.local:8443/join#\(code)")
        let qr = try #require(QRCode("https://linden.local:8443/join#\(code)"))
        #expect(answer["qr", "size"] as? Int == qr.size)
        #expect(answer["qr", "path"] as? String == qr.path)
    }

    @Test("Without an origin the link leads to where the browser is")
    func invitationWithoutOrigin() async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        let token = try await client.token(try await test.seed())
        let answer = try await client.send(.post, "/api/invitations", "{}", token: token)
        #expect((answer["link"] as? String)?.hasPrefix("http://localhost:8080/join#") == true)
        #expect(try await client.send(.get, "/api/session", token: token)["hub", "origin"] == nil)
    }

    @Test("A session says where the hub is, and whether it was reached over HTTPS")
    func session() async throws {
        let plain = try await send(.get, "/api/session")
        #expect(plain["hub", "origin"] as? String == "https://linden.local:8443")
        #expect(plain["hub", "isSecure"] as? Bool == false)
        #expect(try await send(.get, "/api/session", isSecure: true)["hub", "isSecure"] as? Bool == true)
    }
}
