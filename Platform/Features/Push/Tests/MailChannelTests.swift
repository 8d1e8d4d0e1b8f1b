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

@Suite("Reminders by e-mail")
struct MailChannelTests {
    private let house: ChannelTestApp

    init() async throws { house = try await ChannelTestApp() }

    private func addAccount() async throws {
        let record = MailAccountRecord(
            household: house.app.adult.household, host: "mail.test", port: 465, isStarttls: false, user: "tandem",
            password: "secret word", sender: "tandem@linden.example", changedAt: 1)
        try await house.app.test.hub.database.pool.write { db in try record.insert(db) }
    }

    private func add(_ address: String = "mila@linden.example") async throws -> HTTPTestClient.Answer {
        try await house.app.send(.post, "/api/channels", house.input(address, kind: "email"))
    }

    /// The newest code, as it waits to be sent.
    private func code() async throws -> String {
        let content = try await house.app.test.hub.database.pool.read { db in
            try Data.fetchOne(db, sql: "SELECT content FROM channel_message WHERE topic = 'code' ORDER BY id DESC")
        }
        let notice = try JSONDecoder().decode(ChannelNotice.self, from: try #require(content))
        return String(notice.title.prefix(8))
    }

    private func confirm(_ id: String, _ code: String) async throws -> HTTPTestClient.Answer {
        try await house.app.send(.post, "/api/channels/\(id)/confirm", "{\"code\":\"\(code)\"}")
    }

    @Test("An address gets nothing but its code until somebody has typed that")
    func confirmed() async throws {
        try await addAccount()
        let added = try await add()
        #expect(added.status == 201 && added["isConfirmed"] as? Bool == false)
        let id = try #require(added["id"] as? String)
        try await house.remind()
        #expect(try await house.app.count("channel_message") == 1)
        #expect(try await house.app.send(.post, "/api/channels/\(id)/try").status == 409)
        let code = try await code()
        #expect(code.wholeMatch(of: /\d{8}/) != nil)
        let spaced = "\(code.prefix(4)) \(code.suffix(4))"
        #expect(try await confirm(id, spaced)["isConfirmed"] as? Bool == true)
        try await house.remind()
        #expect(try await house.app.count("channel_message") == 2)
        // Nothing of the code is left.
        let hash = try await house.app.test.hub.database.pool.read { db in
            try Data.fetchOne(db, sql: "SELECT code_hash FROM channel")
        }
        #expect(hash == nil)
    }

    @Test("A code is good for five tries and half an hour, and a new one takes its place")
    func guessing() async throws {
        try await addAccount()
        let id = try #require(try await add()["id"] as? String)
        let right = try await code()
        let wrong = right == "00000000" ? "00000001" : "00000000"
        for _ in 0..<Channels.mostCodeTries { #expect(try await confirm(id, wrong).status == 422) }
        #expect(try await confirm(id, right).status == 422)
        #expect(try await house.app.send(.post, "/api/channels/\(id)/code").status == 204)
        let second = try await code()
        house.app.test.advance(milliseconds: Int64(Channels.codeSeconds) * 1_000)
        #expect(try await confirm(id, second).status == 422)
        #expect(try await house.app.send(.post, "/api/channels/\(id)/code").status == 204)
        let third = try await code()
        if third != second { #expect(try await confirm(id, second).status == 422) }
        #expect(try await confirm(id, third).status == 200)
        #expect(try await house.app.send(.post, "/api/channels/\(id)/code").status == 409)
    }

    @Test("A code of one address does not open another")
    func otherAddress() async throws {
        try await addAccount()
        let first = try #require(try await add()["id"] as? String)
        let code = try await code()
        let second = try #require(try await add("other@linden.example")["id"] as? String)
        #expect(try await confirm(second, code).status == 422)
        #expect(try await confirm(first, code).status == 200)
    }

    @Test("Without an account, and without an address, none is added")
    func refused() async throws {
        #expect(try await add().status == 422)
        try await addAccount()
        for address in ["", "mila", "mila@linden.example>", #"mila@linden.example\r\nx"#] {
            let answer = try await add(address)
            #expect(answer.status == 422 && answer["field"] as? String == "address", "\(answer.text)")
        }
    }

    @Test("An account that has gone, and a server that is not there, are said in words")
    func noAccount() async throws {
        try await addAccount()
        let id = try #require(try await add()["id"] as? String)
        _ = try await confirm(id, try await code())
        #expect(try await house.app.send(.delete, "/api/mail-account").status == 204)
        _ = try await house.channels.deliverDue()
        #expect(try await house.lastError()?.contains("no email account") == true)
    }

    @Test("No page gets the password back, and one that is not typed again is that of the same account alone")
    func password() async throws {
        try await addAccount()
        let read = try await house.app.send(.get, "/api/mail-account")
        #expect(read["account", "sender"] as? String == "tandem@linden.example")
        #expect(!read.text.contains("secret word"))
        let other = try await house.app.send(
            .put, "/api/mail-account", #"{"host":"evil.test","isStarttls":false,"user":"tandem"}"#)
        #expect(other.status == 422 && other["field"] as? String == "password")
        let sender = try await house.app.send(
            .put, "/api/mail-account", #"{"host":"mail.test","isStarttls":false,"user":"tandem","password":"x"}"#)
        #expect(sender.status == 422 && sender["field"] as? String == "sender")
        let own = try await house.app.send(
            .put, "/api/mail-account",
            #"{"host":"mail.test","isStarttls":true,"user":"t@l.example","password":"x","authority":"no certificate"}"#)
        #expect(own.status == 422 && own["field"] as? String == "authority")
    }

    @Test(
        "A host that is no mail server of anybody’s is refused",
        arguments: ["", "169.254.169.254", "mail server", "0.0.0.0", "mail.test/x", "a@b"])
    func host(text: String) async throws {
        let answer = try await house.app.send(
            .put, "/api/mail-account",
            "{\"host\":\"\(text)\",\"isStarttls\":false,\"user\":\"t@l.example\",\"password\":\"x\"}")
        #expect(answer.status == 422 && answer["field"] as? String == "host", "\(answer.text)")
    }
}
