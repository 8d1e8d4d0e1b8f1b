import Foundation
import GRDB
import HubInstruments
import HubKit
import Testing
import TriviaToyEngine

@testable import TriviaToyHub

@Suite("Texts of strangers")
struct HostileTextTests {
    private typealias App = CompanionTestApp<TriviaToy>

    private static let text = "'); DROP TABLE toy_fact; -- \"<script>alert(1)</script>\" \u{202E}\u{1F600} %_\\"

    /// The text as a JSON string.
    private static var quoted: String {
        get throws { String(decoding: try JSONEncoder().encode(text), as: UTF8.self) }
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @Test("SQL and HTML in every field are stored as they are, or refused in words, and nothing else happens")
    func everyField() async throws {
        let app = try await App(legacy: ["toy"])
        let quoted = try Self.quoted
        try await app.companion.prepare("linden")
        let facts = try await app.count("toy_fact")
        // A fact of one's own, with all that it may say of itself.
        let list =
            #"[{"text":\#(quoted),"category":\#(quoted),"source":\#(quoted)},{"text":\#(quoted),"source":\#(quoted)}]"#
        let imported = try await app.send(.post, "/api/toy/imports?format=json", bytes: Array(list.utf8))
        #expect((200..<300).contains(imported.status) || imported.status == 422, "\(imported.text)")
        let stored = try await app.hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT text FROM toy_fact WHERE origin = 'json'")
        }
        // As it is, but for what would turn the letters behind it round.
        let seen = Self.text.replacing("\u{202E}", with: "")
        #expect(stored.allSatisfy { $0 == seen })
        // The names of a toy and of who speaks.
        let pairing = try await app.send(.post, "/api/toy/pairing", #"{"name":\#(quoted)}"#)
        #expect(pairing.status == 201 || pairing.status == 422)
        var wave: [UInt8] = []
        Sound(rate: 8_000, samples: [1, 2, 3]).encodeWave(into: &wave)
        let message = try await app.send(
            .post, "/api/toy/messages?person=mila&name=\(Self.encoded(Self.text))", bytes: wave)
        #expect(message.status == 201)
        #expect(seen.hasPrefix(message["title"] as? String ?? "nothing"))
        // What names somebody, something, or a way of reading.
        let field = Self.encoded(Self.text)
        for path in [
            "/api/toy/facts/\(field)", "/api/toy/people/\(field)/next", "/api/toy/people/\(field)/week",
            "/api/toy/toys/\(field)/speech", "/api/toy/speech/\(field)", "/api/toy/messages/\(field)/audio",
        ] {
            let answer = try await app.send(.get, path)
            #expect((400..<500).contains(answer.status), "\(path)")
            #expect(answer.headers[.contentType]?.contains("json") == true)
        }
        #expect(try await app.send(.get, "/api/toy/people/mila/history?search=\(field)").status == 200)
        #expect(try await app.send(.post, "/api/toy/messages?person=\(field)", bytes: wave).status == 404)
        #expect(try await app.send(.post, "/api/toy/imports?format=\(field)", bytes: []).status == 422)
        let code = #"{"code":\#(quoted),"host":"127.0.0.1"}"#
        #expect(try await app.send(.post, "/api/toy/pairing/redemption", code, as: nil).status == 404)
        let host = #"{"code":"abcdefgh","host":\#(quoted)}"#
        #expect(try await app.send(.post, "/api/toy/pairing/redemption", host, as: nil).status == 409)
        // The original's fields.
        _ = try await app.send(.post, "/api/toy/registration-window")
        let user = try await app.send(
            .post, "/User/Register", #"{"username":\#(quoted),"email":"a@example.org","password":\#(quoted)}"#, as: nil)
        #expect(user.status == 200, "\(user.text)")
        let signedIn = try await app.send(
            .post, "/User/Login", #"{"email":"a@example.org","password":\#(quoted)}"#, as: nil)
        #expect(signedIn["id"] as? Int == user["id"] as? Int)
        let other = try await app.send(
            .post, "/User/Register", #"{"username":"a","email":\#(quoted),"password":"sesame open"}"#, as: nil)
        #expect(other.status == 400)
        #expect(try await app.send(.get, "/Trivia/\(field)", as: nil).status == 404)
        #expect(try await app.count("toy_fact") == facts + stored.count)
        #expect(try await app.count("toy_original_user") == 1)
    }
}
