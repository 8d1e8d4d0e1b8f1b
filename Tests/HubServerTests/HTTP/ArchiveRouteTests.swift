import Foundation
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import Archive
@testable import HubKit
@testable import HubServer

@Suite("The archive of a household in the page")
struct ArchiveRouteTests {
    private static let routes: [(HTTPRequest.Method, String)] = [
        (.get, "/api/archive"), (.post, "/api/archive"), (.get, "/api/archive/file"), (.delete, "/api/archive"),
    ]

    private let test: TestHub
    private let client: HTTPTestClient
    private let token: String
    private let child: PersonRecord

    init() async throws {
        test = try TestHub()
        client = try await HTTPTestClient(test)
        let adult = try await test.seed()
        token = try await client.token(adult)
        child = try await test.services.accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: "fox")
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, as token: String?) async throws
        -> HTTPTestClient.Answer
    {
        try await client.send(method, path, method == .post ? "{}" : nil, token: token)
    }

    @Test("A stranger and a child get nothing of it, make none and remove none", arguments: [false, true])
    func refused(isChild: Bool) async throws {
        await test.services.archives.make()
        if isChild {
            _ = try await client.send(
                .put, "/api/session/profile", "{\"personID\":\"\(child.id)\"}", token: token)
        }
        for (method, path) in Self.routes {
            let answer = try await send(method, path, as: isChild ? token : nil)
            #expect(answer.status == (isChild ? 403 : 401), "\(method) \(path): \(answer.text)")
            #expect(!answer.text.contains("PK"))
        }
        #expect(test.services.archives.kept() != nil)
        #expect(test.services.archives.state.progress == nil)
    }

    @Test("An adult asks for one, is told how far it is, downloads it, and removes it")
    func made() async throws {
        #expect(try await send(.get, "/api/archive", as: token)["archive"] == nil)
        #expect(try await send(.get, "/api/archive/file", as: token).status == 404)
        #expect(try await send(.post, "/api/archive", as: token).status == 204)
        #expect(try await send(.get, "/api/archive", as: token)["progress", "done"] as? Int == 0)
        await test.services.archives.make()
        let answer = try await send(.get, "/api/archive", as: token)
        #expect(answer["progress"] == nil)
        let file = try await send(.get, "/api/archive/file", as: token)
        #expect(file.status == 200)
        #expect(file.headers[.contentType] == "application/zip")
        #expect(file.headers[.contentDisposition]?.contains("tandem-household.zip") == true)
        #expect(file.bytes.count == answer["archive", "bytes"] as? Int)
        #expect(try ZipReader(file.bytes).files["README.md"] != nil)
        #expect(try await send(.delete, "/api/archive", as: token).status == 204)
        #expect(try await send(.get, "/api/archive/file", as: token).status == 404)
    }

    @Test("Where it cannot be made the adult is told why, and the next try may do")
    func failed() async throws {
        let folder = "\(test.folder.path)/\(DataFolder.exports)"
        try? FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(filePath: folder))
        await test.services.archives.make()
        for (language, said) in [("en", "cannot write to its folder"), ("de", "kann nicht in seinen Ordner schreiben")]
        {
            let answer = try await client.send(
                .get, "/api/archive", token: token, headers: ["Accept-Language": language])
            let problem = answer["problem"] as? String
            #expect(problem?.contains(said) == true, "\(problem ?? "")")
        }
        try FileManager.default.removeItem(atPath: folder)
        await test.services.archives.make()
        let answer = try await send(.get, "/api/archive", as: token)
        #expect(answer["problem"] == nil)
        #expect(answer["archive", "bytes"] != nil)
    }
}
