import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Names that come in by HTTP")
struct UnseenTextTests {
    @Test(
        "Characters that nobody sees are in no name that is stored, whatever route it comes by",
        arguments: [
            ("Mi\\u0000la", "Mila"), ("\\u202EaliM\\u202C", "aliM"), ("Mi\u{2066}la\u{2069}", "Mila"),
            ("Mi\u{200F}l\u{61C}a", "Mila"), ("Mi\\u009Bla\u{7F}", "Mila"),
        ])
    func names(sent: String, stored: String) async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        let token = try await client.token(try await test.seed())
        let device = try await test.device().id
        let body = "{\"name\":\"\(sent)\",\"face\":\"fox\",\"kind\":\"plant-sensor\"}"
        for (method, path) in [
            (HTTPRequest.Method.post, "/api/people"), (.patch, "/api/household"), (.patch, "/api/devices/\(device)"),
        ] {
            let answer = try await client.send(method, path, body, token: token)
            #expect((200..<300).contains(answer.status), "\(path): \(answer.text)")
        }
        let (people, household, devices) = try await test.hub.database.pool.read { db in
            (
                try String.fetchAll(db, sql: "SELECT name FROM person WHERE role = 'child'"),
                try String.fetchAll(db, sql: "SELECT name FROM household"),
                try String.fetchAll(db, sql: "SELECT name FROM device")
            )
        }
        #expect(people == [stored] && household == [stored] && devices == [stored])
    }

    @Test(
        "A text in UTF-16 or UTF-32, which no JSON is in that is exchanged (RFC 8259, 8.1), is refused in words and not stored",
        arguments: [
            String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ])
    func otherEncodings(encoding: String.Encoding) async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        let token = try await client.token(try await test.seed())
        let body = try #require("{\"name\":\"\u{202E}aliM\",\"face\":\"fox\"}".data(using: encoding))
        let answer = try await client.send(.post, "/api/people", bytes: Array(body), token: token)
        #expect(answer.status == 400 && answer.detail.contains("UTF-8"), "\(answer.text)")
        let people = try await test.hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM person WHERE role = 'child'")
        }
        #expect(people == [])
    }

    @Test("A NUL that is not escaped, and a mark before nothing, are refused in the same words")
    func marks() async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        let token = try await client.token(try await test.seed())
        for bytes in [Array("{\"name\":\"Mi\0la\",\"face\":\"fox\"}".utf8), [0xFF, 0xFE], [0xFE, 0xFF]] {
            let answer = try await client.send(.post, "/api/people", bytes: bytes, token: token)
            #expect(answer.status == 400 && answer.detail.contains("UTF-8"), "\(answer.text)")
        }
    }

    @Test("A password is taken as it was chosen")
    func password() async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        _ = try await test.services.accounts.addAdult(
            name: "Ines", email: "ines@example.org", password: "correct\u{200E} horse", household: "Linden")
        for (password, status) in [("correct\\u200e horse", 200), ("correct horse", 401)] {
            let answer = try await client.send(
                .post, "/api/session", "{\"email\":\"ines@example.org\",\"password\":\"\(password)\"}")
            #expect(answer.status == status)
        }
    }
}
