import Foundation
import GRDB
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Sign-ins that nobody uses")
struct UnusedSignInTests {
    private static let day: Int64 = 86_400_000
    private let test: TestHub
    private let adult: PersonRecord

    init() async throws {
        test = try TestHub()
        adult = try await test.seed()
    }

    private func count(_ table: String) async throws -> Int {
        try await test.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    @Test("A sign-in ends after 180 days without use and is gone then; each use makes it as new")
    func unused() async throws {
        let (token, _) = try await test.services.accounts.signIn(adult, agent: "phone")
        test.advance(milliseconds: 179 * Self.day)
        #expect(try await test.services.accounts.member(token: token) != nil)
        test.advance(milliseconds: 179 * Self.day)
        #expect(try await test.services.accounts.member(token: token) != nil)
        test.advance(milliseconds: 180 * Self.day)
        #expect(try await test.services.accounts.signIns(household: adult.household).isEmpty)
        #expect(try await test.services.accounts.member(token: token) == nil)
        #expect(try await count("sign_in") == 0)
    }

    @Test(
        "A page’s cookie lasts as long from each opening; a program’s token, or a cookie of secure pages, is not put into a plain one"
    )
    func cookie() async throws {
        let client = try await HTTPTestClient(test)
        let token = try await client.token(adult)
        func session(_ headers: [String: String], isSecure: Bool = false) async throws -> String? {
            try await client.send(.get, "/api/session", headers: headers, isSecure: isSecure).headers[.setCookie]
        }
        let plain = try await session(["Cookie": "tandem_session=\(token)"])
        #expect(plain?.hasPrefix("tandem_session=\(token); ") == true)
        #expect(plain?.contains("Max-Age=\(180 * 86_400);") == true)
        let secure = try await session(["Cookie": "__Host-tandem_session=\(token)"], isSecure: true)
        #expect(secure?.hasPrefix("__Host-tandem_session=\(token); ") == true)
        #expect(try await session(["Cookie": "__Host-tandem_session=\(token)"]) == nil)
        #expect(try await session(["Authorization": "Bearer \(token)"]) == nil)
        #expect(try await session(["Cookie": "tandem_session=other"]) == nil)
    }

    @Test(
        "What has had its time is tidied up; a page that stays open is use, and the page of what has ended is put out")
    func housekeeping() async throws {
        let accounts = test.services.accounts
        let (_, gone) = try await accounts.signIn(adult, agent: "old phone")
        let (_, open) = try await accounts.signIn(adult, agent: "tablet on the wall")
        _ = try await accounts.invite(from: gone)
        _ = try? await accounts.person(email: "ines@example.org", password: "guess", address: "203.0.113.1")
        _ = try await accounts.person(email: "ines@example.org", password: "correct horse", address: "192.168.1.7")
        let (_, frames) = test.hub.live.listen(open, resume: nil, now: 0)
        #expect(try await accounts.removeOutdated(open: test.hub.live.signIns()) == [])
        test.advance(milliseconds: 181 * Self.day)
        // One round of the service, which then sleeps for hours.
        let (rounds, isDone) = AsyncStream.makeStream(of: Void.self)
        let service = AccountHousekeeping(hub: test.services.hub, accounts: test.services.accounts) { duration in
            isDone.yield()
            // Hours, which the cancellation ends: the test sleeps for none of them.
            try await Task.sleep(for: duration)
        }
        let task = Task { try await service.run() }
        for await _ in rounds { break }
        task.cancel()
        try await task.value
        #expect(try await accounts.signIns(household: adult.household).map(\.id) == [open.signIn])
        for table in ["invitation", "failed_sign_in", "known_address"] { #expect(try await count(table) == 0) }
        test.hub.live.shutDown()
        for await frame in frames { if case .ended = frame { Issue.record("the open page was put out") } }
    }
}
