import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("A family device that was left at an adult’s profile")
struct PasswordNeededTests {
    private static let minute: Int64 = 60_000

    private let test: TestHub
    private let client: HTTPTestClient
    private let adult, other, child: PersonRecord
    private let token: String

    init() async throws {
        test = try TestHub()
        client = try await HTTPTestClient(test)
        adult = try await test.seed()
        other = try await test.services.accounts.addAdult(
            name: "Tom", email: "tom@example.org", password: "correct horse")
        child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: "fox")
        token = try await client.token(adult)
        _ = try await send(.put, "/api/session/shared", "{\"isShared\":true}")
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws
        -> HTTPTestClient.Answer
    {
        try await client.send(method, path, body, token: token)
    }

    private func confirm(_ password: String = "correct horse") async throws -> HTTPTestClient.Answer {
        try await send(.post, "/api/session/confirm", "{\"password\":\"\(password)\"}")
    }

    private func use(_ person: PersonRecord, password: String? = nil) async throws -> HTTPTestClient.Answer {
        let word = password.map { ",\"password\":\"\($0)\"" } ?? ""
        return try await send(.put, "/api/session/profile", "{\"personID\":\"\(person.id)\"\(word)}")
    }

    private func isRefused(_ answer: HTTPTestClient.Answer) -> Bool {
        answer.status == 403 && answer["type"] as? String == "/problems/password-needed"
    }

    /// Every route that is for adults, as `/openapi.json` lists it.
    private func routesForAdults() async throws -> [(HTTPRequest.Method, String)] {
        let paths = try await send(.get, "/openapi.json")["paths"] as? [String: [String: [String: Any]]] ?? [:]
        return paths.flatMap { path, operations in
            operations.compactMap { method, operation in
                guard (operation["description"] as? String)?.contains("adult") == true else { return nil }
                let place = path.replacing(/\{\w+\}/, with: adult.id)
                return HTTPRequest.Method(method.uppercased()).map { ($0, place) }
            }
        }
    }

    @Test("Everything that is for adults wants the password there, and is not done without it")
    func refused() async throws {
        let routes = try await routesForAdults()
        #expect(routes.count >= 15)
        for (method, path) in routes {
            let answer = try await send(method, path, "{}")
            #expect(isRefused(answer), "\(method) \(path): \(answer.status) \(answer.text)")
            #expect(answer.detail == "This device is shared by the family. Type your password to go on.")
        }
        let (invitations, signIns) = try await test.hub.database.pool.read { db in
            (try InvitationRecord.fetchCount(db), try SignInRecord.filter(sql: "is_shared").fetchCount(db))
        }
        #expect(invitations == 0)
        #expect(signIns == 1)
    }

    @Test("The password opens it for five minutes, and what is done meanwhile does not lengthen them")
    func minutes() async throws {
        #expect(try await confirm().status == 200)
        for _ in 0..<4 {
            test.advance(milliseconds: Self.minute)
            #expect(try await send(.get, "/api/sign-ins").status == 200)
        }
        test.advance(milliseconds: Self.minute - 1)
        #expect(try await send(.post, "/api/invitations", "{}").status == 201)
        test.advance(milliseconds: 1)
        #expect(isRefused(try await send(.post, "/api/invitations", "{}")))
    }

    @Test("The page is told whether the password is needed, and until when it is not")
    func told() async throws {
        #expect(try await send(.get, "/api/session")["signIn", "needsPassword"] as? Bool == true)
        let answer = try await confirm()
        #expect(answer["signIn", "needsPassword"] as? Bool == false)
        let ends = test.hub.clock.now() + 5 * Self.minute
        #expect((answer["signIn", "passwordEnds"] as? NSNumber)?.int64Value == ends)
    }

    @Test("A clock that is put back ends it")
    func clockPutBack() async throws {
        _ = try await confirm()
        test.advance(milliseconds: -Self.minute)
        #expect(isRefused(try await send(.get, "/api/sign-ins")))
    }

    @Test("A wrong password opens nothing, and is counted as one at the door")
    func wrong() async throws {
        let answer = try await confirm("guess")
        #expect(answer.status == 401)
        #expect(answer["field"] as? String == "password")
        #expect(isRefused(try await send(.get, "/api/sign-ins")))
        var statuses: [Int] = []
        for _ in 0..<8 { statuses.append(try await confirm("guess").status) }
        #expect(statuses.last == 429)
    }

    @Test("To choose an adult with the password is to show it; a child that is chosen after that ends it")
    func chosen() async throws {
        #expect(try await use(adult, password: "correct horse").status == 200)
        #expect(try await send(.get, "/api/sign-ins").status == 200)
        #expect(try await use(child).status == 200)
        let answer = try await send(.get, "/api/sign-ins")
        #expect(answer.status == 403)
        #expect(!isRefused(answer), "a child is not asked for a password")
        #expect(try await confirm().status == 403)
        #expect(try await use(adult, password: "correct horse").status == 200)
    }

    @Test("A device that is made a shared one asks from that moment on; one that is nobody else’s never does")
    func shared() async throws {
        let own = try await client.token(adult)
        test.advance(milliseconds: 60 * Self.minute)
        #expect(try await client.send(.get, "/api/sign-ins", token: own).status == 200)
        _ = try await client.send(.put, "/api/session/shared", "{\"isShared\":true}", token: own)
        #expect(isRefused(try await client.send(.get, "/api/sign-ins", token: own)))
    }

    @Test("Without the password it shows what any child there could see: the children’s own, and nothing of an adult’s")
    func reading() async throws {
        func people() async throws -> [[String: Any]] {
            try JSONSerialization.jsonObject(with: Data(try await send(.get, "/api/people").text.utf8))
                as? [[String: Any]] ?? []
        }
        #expect(try await people().map { $0["email"] as? String } == [nil, nil, nil])
        #expect(try await people().compactMap { $0["birthYear"] as? Int } == [2017])
        #expect(try await send(.get, "/api/session")["person", "email"] == nil)
        let confirmed = try await confirm()
        #expect(confirmed.status == 200, "\(confirmed.text)")
        let emails = try await people().compactMap { $0["email"] as? String }
        #expect(Set(emails) == ["ines@example.org", "tom@example.org"], "\(emails)")
    }
}
