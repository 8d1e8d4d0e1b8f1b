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
    private var routes: [(HTTPRequest.Method, String)] {
        ["/api/archive", "/api/people/\(child.id)/archive"].flatMap { path in
            [(.get, path), (.post, path), (.get, "\(path)/file"), (.delete, path)]
        }
    }

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
        await test.services.archives.make(of: .person(child.id))
        if isChild {
            _ = try await client.send(
                .put, "/api/session/profile", "{\"personID\":\"\(child.id)\"}", token: token)
        }
        for (method, path) in routes {
            let answer = try await send(method, path, as: isChild ? token : nil)
            #expect(answer.status == (isChild ? 403 : 401), "\(method) \(path): \(answer.text)")
            #expect(!answer.text.contains("PK"))
        }
        for subject in [Archives.Subject.household, .person(child.id)] {
            #expect(test.services.archives.kept(of: subject) != nil)
            #expect(test.services.archives.state(of: subject).progress == nil)
        }
    }

    @Test("That of a person is another file, is of somebody of the household, and goes with them")
    func person() async throws {
        let path = "/api/people/\(child.id)/archive"
        #expect(try await send(.post, path, as: token).status == 204)
        #expect(try await send(.get, path, as: token)["progress", "done"] as? Int == 0)
        #expect(try await send(.get, "/api/archive", as: token)["progress"] == nil)
        await test.services.archives.make(of: .person(child.id))
        let answer = try await send(.get, path, as: token)
        #expect(answer["archive", "bytes"] as? Int ?? 0 > 0)
        #expect(answer["archive", "importCommand"] == nil)
        #expect(try await send(.get, "\(path)/file", as: token).status == 200)
        #expect(try await send(.get, "/api/archive/file", as: token).status == 404)
        for id in ["nobody", "..%2Fhousehold"] {
            for (method, end) in [(HTTPRequest.Method.get, ""), (.post, ""), (.get, "/file"), (.delete, "")] {
                #expect(try await send(method, "/api/people/\(id)/archive\(end)", as: token).status == 404)
            }
        }
        try await test.services.accounts.remove(person: child.id, household: child.household)
        #expect(try await send(.get, "\(path)/file", as: token).status == 404)
        await test.services.archives.removeOld()
        #expect(test.services.archives.kept(of: .person(child.id)) == nil)
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
