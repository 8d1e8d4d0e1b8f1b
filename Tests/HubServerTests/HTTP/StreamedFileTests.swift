import Foundation
import HTTPTypes
import HubInstruments
import Hummingbird
import NIOCore
import Storage
import Testing

@testable import HubKit
@testable import HubServer

/// A companion that keeps one file and gives it back.
struct Attic: Companion {
    static let slug = "attic"
    static let title = "Attic"
    static let migrations: [Migration] = []

    let path: String

    init(hub: HubContext) async throws { path = hub.settings.dataFolder + "/trunk" }

    enum Media: FileMedia {
        case text
        var mediaType: String { "text/plain" }
    }

    func addRoutes(to routes: Routes) {
        let path = path
        routes.put("/api/attic", .member, "Keeps a file.") { request in
            let saved = try await request.save(
                to: path, upTo: 1_000, otherwise: Problem(.contentTooLarge, "Too large", "At most 1,000 bytes.")
            ) { beginning in
                guard beginning.first != UInt8(ascii: "!") else {
                    throw Problem(.unsupportedMediaType, "Not this", "No file that begins with !.")
                }
            }
            return try .json(["bytes": saved.bytes])
        }
        routes.get("/api/attic", .member, "The file.") { request in
            try await request.file(path, Attic.Media.text, otherwise: .notFound("There is no file here."))
        }
    }
}

@Suite("Files that are streamed")
struct StreamedFileTests {
    private let client: HTTPTestClient
    private let token: String

    init() async throws {
        let test = try TestHub()
        client = try await HTTPTestClient(
            test, app: try await HubApplication(services: test.services, companions: [Attic.self]))
        token = try await client.token(try await test.seed())
    }

    private func put(_ text: String, length: String? = nil) async throws -> HTTPTestClient.Answer {
        try await client.send(
            .put, "/api/attic", text, token: token, headers: ["Content-Length": length ?? "\(text.utf8.count)"])
    }

    private func get(_ range: String? = nil) async throws -> HTTPTestClient.Answer {
        try await client.send(.get, "/api/attic", token: token, headers: range.map { ["Range": $0] } ?? [:])
    }

    private var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: client.test.folder.path).filter {
                $0.hasPrefix("trunk")
            }
        }
    }

    @Test("A body is stored whole and comes back")
    func whole() async throws {
        #expect(try await get().status == 404)
        #expect(try await put("hello").status == 200)
        let answer = try await get()
        #expect(answer.text == "hello" && answer.headers[.contentType] == "text/plain")
        #expect(answer.headers[.acceptRanges] == "bytes")
    }

    @Test("Refused before it is read, while it is read, and at its end: nothing is left")
    func rejections() async throws {
        #expect(try await put("hello", length: "200000000").status == 413)
        #expect(try await put("!ello").status == 415)
        #expect(try await put("hello", length: "6").status == 400)
        #expect(try await put("hello", length: "five").status == 411)
        #expect(try await put(String(repeating: "x", count: 2_000), length: "900").status == 400)
        #expect(try names.isEmpty)
    }

    @Test("Ranges are those of RFC 9110, 14")
    func ranges() async throws {
        _ = try await put("0123456789")
        for (range, text, status) in [
            ("bytes=0-3", "0123", 206), ("bytes=8-", "89", 206), ("bytes=-2", "89", 206), ("bytes=5-100", "56789", 206),
            ("bytes=0-1,4-5", "0123456789", 200), ("lines=1-2", "0123456789", 200), ("bytes=3-1", "0123456789", 200),
        ] {
            let answer = try await get(range)
            #expect(answer.status == status && answer.text == text, "\(range)")
        }
        #expect(try await get("bytes=0-3").headers[.contentRange] == "bytes 0-3/10")
        for range in ["bytes=10-", "bytes=-0"] { #expect(try await get(range).status == 416, "\(range)") }
    }

    @Test("Who goes on with a file that has become another gets all of it, and who goes on with the same its rest")
    func resumed() async throws {
        _ = try await put("0123456789")
        let first = try await get("bytes=0-3")
        let tag = try #require(first.headers[.eTag])
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
        func goOn(_ condition: String) async throws -> HTTPTestClient.Answer {
            try await client.send(
                .get, "/api/attic", token: token, headers: ["Range": "bytes=4-", "If-Range": condition])
        }
        let rest = try await goOn(tag)
        #expect(rest.status == 206 && rest.text == "456789" && rest.headers[.eTag] == tag)
        for other in ["W/\(tag)", "\"other\"", "Tue, 24 Nov 2026 03:00:00 GMT"] {
            let whole = try await goOn(other)
            #expect(whole.status == 200 && whole.text == "0123456789", "\(other)")
        }
        _ = try await put("abcdefghij")
        let changed = try await goOn(tag)
        #expect(changed.status == 200 && changed.text == "abcdefghij")
        #expect(changed.headers[.eTag] != tag)
    }

    @Test("A file that is replaced between the head of an answer and its body is sent as the head says")
    func replaced() async throws {
        _ = try await put("0123456789")
        let answer = try await client.send(.get, "/api/attic", token: token) {
            _ = try await put("abc")
        }
        #expect(answer.text == "0123456789")
    }

    @Test("A folder of that name is no file")
    func folder() async throws {
        try FileManager.default.createDirectory(
            atPath: client.test.folder.path + "/trunk", withIntermediateDirectories: true)
        #expect(try await get().status == 404)
    }
}
