import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Storage
import Synchronization

@testable import HubKit

/// A browser at the hub's routes, without a socket between them.
final class Visitor: Sendable {
    let test: TestHub
    private let responder: RouterResponder<HubRequestContext>
    private let channel: any Channel
    private let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    convenience init(_ test: TestHub) async throws {
        try await self.init(test, house: try await House(hub: test.hub, companions: [Ferns.self, Beats.self]))
    }

    init(_ test: TestHub, house: House) async throws {
        self.test = test
        responder = HubServer(house: house, web: nil).router().buildResponder()
        // A request context wants a channel; this one has no other end.
        channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    struct Answer {
        var status: Int
        var headers: HTTPFields
        var text: String

        /// A value of the answer's object, by its path.
        subscript(path: String...) -> Any? {
            var value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            for key in path { value = (value as? [String: Any])?[key] }
            return value
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil,
        headers: [String: String] = [:], isSecure: Bool = false
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let token { fields[.authorization] = "Bearer \(token)" }
        for (name, value) in headers { fields[HTTPField.Name(name)!] = value }
        let head = HTTPRequest(
            method: method, scheme: isSecure ? "https" : "http",
            authority: isSecure ? "linden.local:8443" : "localhost:8080", path: path, headerFields: fields)
        let request = Request(head: head, body: .init(buffer: ByteBuffer(string: body ?? "")))
        let context = HubRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: log))
        let response = try await responder.respond(to: request, context: context)
        let written = Written()
        try await response.body.write(Writer(written: written))
        return Answer(
            status: response.status.code, headers: response.headers,
            text: String(buffer: written.bytes.withLock { $0 }))
    }

    /// A token of somebody who has signed in.
    func token(_ person: PersonRecord) async throws -> String {
        try await test.hub.accounts.signIn(person, agent: "test").token
    }
}

private final class Written: Sendable { let bytes = Mutex(ByteBuffer()) }

private struct Writer: ResponseBodyWriter {
    let written: Written

    mutating func write(_ buffer: ByteBuffer) async throws {
        written.bytes.withLock { bytes in
            var buffer = buffer
            bytes.writeBuffer(&buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// A companion that has nothing but a name.
struct Ferns: Companion {
    static let slug = "ferns"
    static let title = "Ferns"
    static let deviceKinds: [DeviceKind] = []
    static let migrations: [Migration] = []

    init(hub: Hub) async throws {}
    func addRoutes(to routes: Routes) {}
    func reader(for device: DeviceRecord) -> any DeviceReader { Deaf() }
}

/// A companion with one route that does something once: it adds a beat, and, once it is stored, an echo.
struct Beats: Companion {
    static let slug = "beats"
    static let title = "Beats"
    static let deviceKinds: [DeviceKind] = []
    static let migrations: [Migration] = []

    private struct Body: Decodable { var fails: Bool? }

    init(hub: Hub) async throws {}

    func addRoutes(to routes: Routes) {
        routes.post("/api/beats", .member, "Adds a beat.", takes: ["fails": "boolean?"]) { visit in
            let fails = try await visit.body(Body.self).fails ?? false
            let hub = visit.hub
            return try await visit.once { db in
                let count = try Beats.count("beat", db)
                try Beats.add("beat \(count)", db)
                if fails { throw Problem(.conflict, "Out of time", "This beat came too late.") }
                return (try .created(["beats": count + 1]), count)
            } then: { count in
                try? await hub.database.pool.write { db in try Beats.add("echo \(count)", db) }
            }
        }
    }

    func reader(for device: DeviceRecord) -> any DeviceReader { Deaf() }

    private static func add(_ name: String, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO setting VALUES (?, '')", arguments: [name])
    }

    static func count(_ kind: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM setting WHERE name LIKE ?", arguments: [kind + " %"]) ?? 0
    }
}

/// Hears nothing.
private final class Deaf: DeviceReader {
    func read(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {}
}
