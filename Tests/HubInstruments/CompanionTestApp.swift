import Dispatch
import Foundation
import GRDB
import HTTPTypes
import HubKit
import HubServer
import Logging
import Storage
import Synchronization
import Wire

/// A hub with one companion on a real SQLite file, the Lindens in it, and a clock that the test moves.
public final class CompanionTestApp<Kind: Companion>: Sendable {
    /// Saturday, 21 November 2026, 14:00 in Vienna.
    public static var start: Int64 { 1_795_266_000_000 }
    /// Milliseconds.
    public static var day: Int64 { 86_400_000 }

    public typealias Answer = HTTPTestClient.Answer

    /// The one that is tested.
    public let companion: Kind
    /// The app that the companion is in.
    public let hubApp: HubApplication
    /// The Lindens, in Vienna.
    public let household: HouseholdRecord
    private let test: TestHub
    private let client: HTTPTestClient
    private let tokens: [String: String]

    /// Ines and Tom are adults and each have a phone; Mila and Theo are their children.
    ///
    /// - Parameters:
    ///   - legacy: of which companions the original system's protocol is spoken.
    ///   - log: what the hub logs; nobody reads it without.
    public init(
        now: Int64 = CompanionTestApp.start, legacy: Set<String> = [],
        log: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ) async throws {
        test = try TestHub(now: now, migrations: Kind.migrations, log: log) {
            // Tests move the clock by years, and their phones stay signed in as if they had been used.
            $0.accountLimits.unusedSignInDays = 36_500
            $0.legacy = legacy
        }
        let hub = test.hub
        let household = HouseholdRecord(id: "linden", name: "Linden", timeZone: "Europe/Vienna", createdAt: 1)
        let people = [
            ("ines", "Ines", PersonRecord.Role.adult), ("tom", "Tom", .adult), ("mila", "Mila", .child),
            ("theo", "Theo", .child),
        ].enumerated().map { index, one in
            PersonRecord(
                id: one.0, household: "linden", name: one.1, role: one.2,
                email: one.2 == .adult ? "\(one.0)@example.org" : nil, createdAt: Int64(index + 1))
        }
        self.household = household
        try await hub.database.pool.write { db in
            try household.insert(db)
            for person in people { try person.insert(db) }
        }
        let app = try await HubApplication(services: test.services, companions: [Kind.self])
        guard let companion = app.companions.first as? Kind else { throw Problem.notFound("companion") }
        self.companion = companion
        hubApp = app
        client = try await HTTPTestClient(test, app: app)
        var tokens: [String: String] = [:]
        for person in people where person.role == .adult { tokens[person.id] = try await client.token(person) }
        self.tokens = tokens
    }

    /// The one that the companion is in.
    public var hub: HubContext { test.hub }
    /// What the server has beside it.
    public var services: ServerContext { test.services }
    /// The hub's, for what is to be looked at there.
    public var folder: URL { test.folder }
    /// UTC milliseconds.
    public var now: Int64 { hub.clock.now() }

    /// Moves the clock, on or back.
    public func advance(milliseconds: Int64) { test.advance(milliseconds: milliseconds) }

    /// Somebody of the Lindens, `ines` or the like, as they are stored now.
    public func person(_ id: String) async throws -> PersonRecord {
        let found = try await hub.database.pool.read { db in try PersonRecord.fetchOne(db, key: id) }
        guard let found else { throw Problem.notFound("person") }
        return found
    }

    /// Says who uses the phone of `account`, whether the family shares it, and whether the password was typed just now.
    public func use(_ account: String, profile: String, isShared: Bool = false, isConfirmed: Bool = true) async throws {
        let now = now
        try await hub.database.pool.write { db in
            try db.execute(
                sql: "UPDATE sign_in SET profile = ?, is_shared = ?, confirmed_at = ? WHERE person = ?",
                arguments: [profile, isShared, isConfirmed ? now : nil, account])
        }
    }

    /// - Parameters:
    ///   - account: whose phone it is; nil for nobody's.
    ///   - address: where it is, one of loopback's; nil for nowhere.
    public func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, bytes: [UInt8]? = nil,
        as account: String? = "ines", headers: [String: String] = [:], from address: String? = nil
    ) async throws -> Answer {
        try await client.send(
            method, path, body, bytes: bytes, token: account.flatMap { tokens[$0] }, headers: headers, from: address)
    }

    /// Delivers a session.
    ///
    /// - Parameter key: the Idempotency-Key; nil for none.
    public func deliver(_ bytes: [UInt8], as account: String? = "ines", key: String? = nil) async throws -> Answer {
        try await send(
            .post, "/api/\(Kind.slug)/sessions", bytes: bytes, as: account,
            headers: key.map { ["Idempotency-Key": $0] } ?? [:])
    }

    /// Sends a chunk of bytes that only grow, with the checksum of those before it.
    ///
    /// - Parameters:
    ///   - content: all of the bytes.
    ///   - range: of the chunk; nil for all.
    public func upload(
        _ path: String, _ content: [UInt8], _ range: Range<Int>? = nil, isComplete: Bool = false,
        as account: String? = "ines", headers: [String: String] = [:]
    ) async throws -> Answer {
        let range = range ?? content.indices
        var headers = headers
        headers["Upload-Offset"] = "\(range.lowerBound)"
        let digits = String(crc32(content[..<range.lowerBound]), radix: 16)
        headers["Upload-Checksum"] = String(repeating: "0", count: 8 - digits.count) + digits
        if isComplete { headers["Upload-Complete"] = "?1" }
        return try await send(.patch, path, bytes: Array(content[range]), as: account, headers: headers)
    }

    /// How many rows a table has.
    public func count(_ table: String = "session") async throws -> Int {
        try await hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    /// How many queries readers of the database answer while `work` goes on, which reads one after the other.
    public func queryCount(of work: () async throws -> Void) async throws -> Int {
        let count = QueryCount()
        // One reader is enough for reads that follow each other, and it is the one that is free now.
        try await hub.database.pool.read { db in
            db.trace { event in if "\(event)".hasPrefix("SELECT") { count.increment() } }
        }
        try await work()
        try await hub.database.pool.read { db in db.trace(options: []) }
        return count.value
    }

    /// Whether nobody reads the database now, or in ten seconds at the latest: whoever calculates asks it, and holds none of
    /// the readers then. It blocks its thread.
    public func isFreeOfReaders() -> Bool {
        let done = DispatchSemaphore(value: 0)
        let pool = hub.database.pool
        DispatchQueue.global().async {
            // It begins when nobody reads any more.
            try? pool.barrierWriteWithoutTransaction { _ in }
            done.signal()
        }
        return done.wait(timeout: .now() + 10) == .success
    }

    /// When a clock in Vienna shows this, UTC milliseconds.
    public static func vienna(_ date: String, _ hour: Int32, _ minute: Int32 = 0) throws -> Int64 {
        guard let day = CivilDate(date)?.day, let zone = TimeZone(identifier: "Europe/Vienna") else {
            throw Problem.notFound("day")
        }
        return LocalCalendar(timeZone: zone).instant(day: day, minute: hour * 60 + minute)
    }
}

/// Counted on the readers' queues.
private final class QueryCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() { count.withLock { $0 += 1 } }
}
