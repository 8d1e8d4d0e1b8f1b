import Foundation
import HTTPTypes
import HubInstruments
import Hummingbird
import NIOCore
import Storage
import TestInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("What need not travel of the API")
struct ReadJSONTests {
    private static let people = "/api/people"

    private let test: TestHub
    private let client: HTTPTestClient
    private let adult: PersonRecord
    private let token: String

    init() async throws {
        test = try TestHub()
        client = try await HTTPTestClient(test)
        adult = try await test.seed()
        token = try await client.token(adult)
    }

    private func read(_ path: String = people, _ headers: [String: String] = [:]) async throws -> HTTPTestClient.Answer
    {
        try await client.send(.get, path, token: token, headers: headers)
    }

    /// Makes the household as large as no packet holds.
    private func addChildren() async throws {
        for number in 1...12 {
            _ = try await test.services.accounts.addChild(
                household: adult.household, name: "Mila the \(number)th", birthYear: nil, face: nil)
        }
    }

    /// The content of gzip, as gzip(1) has it.
    private func unpacked(_ bytes: [UInt8]) throws -> String {
        let folder = try TemporaryFolder()
        let path = folder.path + "/answer.gz"
        try Data(bytes).write(to: URL(filePath: path))
        let result = try CommandResult.of("/usr/bin/env", ["gzip", "-dc", path])
        #expect(result.status == 0, "\(result.output)")
        return result.output
    }

    @Test("What was read is not sent again to whoever names its tag, and is once it has changed")
    func tagged() async throws {
        let first = try await read()
        let tag = try #require(first.headers[.eTag])
        #expect(tag.hasPrefix("W/\"") && tag.hasSuffix("\""))
        // A browser's own cache is kept by no rule of the page's: docs/adr/0043-what-need-not-travel.md.
        #expect(first.headers[.cacheControl] == "no-store")
        // RFC 9110, 13.1.2: a list, any of which may be weak, or a star.
        for asked in [tag, "\"other\", \(tag)", String(tag.dropFirst(2)), "*"] {
            let again = try await read(Self.people, ["If-None-Match": asked])
            #expect(again.status == 304, "\(asked)")
            #expect(again.bytes.isEmpty)
            #expect(again.headers[.eTag] == tag)
            #expect(again.headers[.contentType] == nil)
        }
        #expect(try await read(Self.people, ["If-None-Match": "\"other\""]).status == 200)
        try await addChildren()
        let changed = try await read(Self.people, ["If-None-Match": tag])
        #expect(changed.status == 200)
        #expect(changed.headers[.eTag] != tag)
    }

    @Test("The same content has the same tag, however often it is asked for")
    func steady() async throws {
        var tags: Set<String> = []
        for _ in 0..<20 { tags.insert(try #require(try await read("/api/session").headers[.eTag])) }
        #expect(tags.count == 1)
    }

    @Test("A tag opens nothing: each is answered with what they may see, and nobody without a sign-in")
    func anothers() async throws {
        let session = try await read("/api/session")
        let tag = try #require(session.headers[.eTag])
        let code = try await test.services.accounts.addAdult(
            name: "Tom", email: "tom@example.org", password: "correct horse", household: "Linden")
        let toms = try await client.send(
            .get, "/api/session", token: client.token(code), headers: ["If-None-Match": tag])
        #expect(toms.status == 200)
        #expect(toms["person", "name"] as? String == "Tom")
        #expect(try await client.send(.get, "/api/session", headers: ["If-None-Match": tag]).status == 401)
        #expect(try await client.send(.get, "/api/session", headers: ["If-None-Match": "*"]).status == 401)
    }

    @Test("A page’s cookie lasts on, also where nothing else is new")
    func cookie() async throws {
        let headers = ["Cookie": "tandem_session=\(token)"]
        let tag = try #require(try await client.send(.get, "/api/session", headers: headers).headers[.eTag])
        let again = try await client.send(
            .get, "/api/session", headers: headers.merging(["If-None-Match": tag]) { $1 })
        #expect(again.status == 304)
        #expect(again.headers[.setCookie]?.hasPrefix("tandem_session=\(token);") == true)
    }

    @Test("What is long is compressed for whoever takes gzip, has the tag of its content and says by what it varies")
    func compressed() async throws {
        try await addChildren()
        let plain = try await read()
        #expect(plain.headers[.contentEncoding] == nil)
        #expect(plain.headers[.vary] == "Accept-Encoding")
        let packed = try await read(Self.people, ["Accept-Encoding": "br, gzip"])
        #expect(packed.headers[.contentEncoding] == "gzip")
        #expect(packed.headers[.contentType] == "application/json")
        #expect(packed.headers[.contentLength] == "\(packed.bytes.count)")
        #expect(packed.headers[.eTag] == plain.headers[.eTag])
        #expect(packed.headers[.vary] == "Accept-Encoding")
        #expect(packed.bytes.count < plain.bytes.count / 2)
        #expect(try unpacked(packed.bytes) == plain.text)
        #expect(try await read(Self.people, ["Accept-Encoding": "gzip;q=0, *"]).headers[.contentEncoding] == nil)
    }

    @Test("What is short is sent as it is")
    func short() async throws {
        let answer = try await read(Self.people, ["Accept-Encoding": "gzip"])
        #expect(answer.bytes.count < 512)
        #expect(answer.headers[.contentEncoding] == nil)
        #expect(answer.headers[.vary] == nil)
        #expect(answer.headers[.eTag] != nil)
    }

    @Test("HEAD says what GET does")
    func head() async throws {
        try await addChildren()
        let headers = ["Accept-Encoding": "gzip"]
        let read = try await read(Self.people, headers)
        let head = try await client.send(.head, Self.people, token: token, headers: headers)
        #expect(head.status == 200)
        #expect(head.bytes.isEmpty)
        #expect(head.headers == read.headers)
        let tag = try #require(head.headers[.eTag])
        let again = try await client.send(.head, Self.people, token: token, headers: ["If-None-Match": tag])
        #expect(again.status == 304)
    }

    @Test(
        "Strangers are sent everything as it is, so that they cost no time", arguments: ["/openapi.json", "/api/setup"])
    func strangers(path: String) async throws {
        let answer = try await client.send(.get, path, headers: ["Accept-Encoding": "gzip"])
        #expect(answer.status == 200)
        #expect(answer.headers[.contentEncoding] == nil)
        #expect(answer.headers[.eTag] == nil)
    }

    @Test("What a change answers is sent as it is, since secrets are told there and nowhere else")
    func changes() async throws {
        let answer = try await client.send(
            .post, "/api/calendar-feeds", "{}", token: token, headers: ["Accept-Encoding": "gzip"])
        #expect(answer.status == 201)
        #expect(answer.bytes.count > 512)
        #expect(answer.headers[.contentEncoding] == nil)
        #expect(answer.headers[.eTag] == nil)
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test(
        "Pictures, sound, streams of events and what was compressed already are sent as they are",
        arguments: [
            ("image/png", [:]), ("audio/mpeg", [:]), ("text/event-stream", [:]),
            ("application/json", [HTTPField.Name.contentEncoding: "br"]),
            ("application/json", [HTTPField.Name.eTag: "\"own\""]),
        ] as [(String, [HTTPField.Name: String])])
    func others(type: String, own: [HTTPField.Name: String]) {
        var answer = AnyAPIResponse(status: .ok, body: ByteBuffer(repeating: 0x20, count: 4_096), type: type)
        for (name, value) in own { answer.headers[name] = value }
        let sent = answer.read(by: [.acceptEncoding: "gzip", .ifNoneMatch: "*"])
        #expect(sent.status == .ok)
        #expect(sent.body.contentLength == 4_096)
        #expect(sent.headers[.contentEncoding] == own[.contentEncoding])
        #expect(sent.headers[.eTag] == own[.eTag])
    }

    // RFC 9110, 12.5.3.
    @Test(
        "A coding is accepted by its name or the star, and not with weight zero",
        arguments: [
            ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br, gzip;q=0.5", true), ("*", true),
            ("br, *;q=0.1", true),
            ("gzip;q=0", false), ("gzip; q=0.000", false), ("gzip;q=0, *", false), ("*;q=0", false),
            ("*, gzip;q=0", false),
            ("br", false), ("identity", false), ("", false),
        ])
    func accepted(header: String, isAccepted: Bool) {
        #expect(HTTPFields([HTTPField(name: .acceptEncoding, value: header)]).accepts(coding: "gzip") == isAccepted)
        #expect(!HTTPFields().accepts(coding: "gzip"), "nobody who says nothing")
    }

    @Test(
        "gzip packs nothing, one byte and a megabyte so that another program has them again",
        arguments: [0, 1, 1_048_576])
    func sizes(count: Int) throws {
        let bytes = (0..<count).map { UInt8(0x61 + $0 % 23) }
        let packed = try #require(Gzip.compressed(ByteBuffer(bytes: bytes)))
        #expect(try unpacked(Array(buffer: packed)) == String(decoding: bytes, as: UTF8.self))
    }
}
